"""Powers: a nest of powers with one exponent has versions for the exponents that are common.

    loop %n [parallel=true] {(%i)               if %g == 2.0:
      pow (load %a, %i), %g              =>       loop %n {(%i) pow (load %a, %i), 2.0 ... }
      store %c, ..., %i }                       else if %g == 0.5: ...
                                                else: as it was

The exponent of a formula is often an argument, and mostly 2. A product takes a tenth of the time
that a power takes, a root a third. NumPy looks at the exponent of an array for the same reason.

Needs: low IR after the passes that make nests, before `outline`.
Gives: low IR, same results up to the rounding of powers.
Does not: touch nests with several exponents, or of much work beside the powers.
Cases: tests/cases/loops/specialise_exponent.
"""

from collections.abc import Mapping, Sequence

from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.remarks import Kind, Message, Topic, place_of, remark
from scriptc.kernels.builder import Code
from scriptc.passes.per_function import per_function
from scriptc.passes.rebuild import Renaming, rebuild_outermost
from scriptc_runtime.ir import Builder, Function, Instr, Value, walk
from scriptc_runtime.ops import data, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.record import replace
from scriptc_runtime.types import DType

POWERS = Message(
    "specialise_exponent",
    Topic.VERSIONS,
    Kind.NOTE,
    "versions for powers of {powers}, which are products and roots, and one for all others",
)

_COMMON = (2.0, 0.5, 3.0)
_COMMON_IN_FOLDS = (2.0,)  # each version of a fold takes LLVM long
_MOST_INSTRUCTIONS = 32


@per_function
def specialise_exponent(function: Function) -> Function:
    """Return `function` with versions of such nests."""
    if not any(map(_is_power, walk(function.body))):
        return function
    made = definitions_of(function)

    def emit(instr: Instr, builder: Builder) -> bool:
        exponent = _exponent(instr, made) if instr.op in (low.LOOP, low.REDUCE) else None
        if exponent is not None:
            folds = any(i.op is low.REDUCE for i in (instr, *walk(instr.blocks[0])))
            powers = _COMMON_IN_FOLDS if folds else _COMMON
            remark(POWERS, place_of(instr), powers=powers)
            _choose(Code(builder, instr.loc), instr, exponent, powers, instr.results)
        return exponent is not None

    body = rebuild_outermost(function.body, emit)
    return function if body is function.body else replace(function, body=body)


def _is_power(instr: Instr) -> bool:
    return instr.op is e.POW and instr.result.type in (DType.F64, DType.F32)


def _exponent(nest: Instr, made: Mapping[Value, Instr]) -> Value | None:
    """Return the exponent of all powers in a nest, if they have one that no iteration changes."""
    body = list(walk(nest.blocks[0]))
    exponents = {i.operands[1] for i in body if _is_power(i)}
    inside = {r for i in body for r in i.results}
    inside.update(p for i in (nest, *body) for b in i.blocks for p in b.params)
    if len(exponents) != 1 or exponents & inside or len(body) > _MOST_INSTRUCTIONS:
        return None
    (exponent,) = exponents
    known = exponent in made and made[exponent].op is data.CONST
    return None if known else exponent


def _choose(
    code: Code, nest: Instr, exponent: Value, powers: Sequence[float], results: Sequence[Value]
) -> None:
    """Emit the version for the first of some powers, or for another one."""
    power, *others = powers
    builder = code.builder
    known = builder.emit(data.CONST, loc=nest.loc, value=power, dtype=exponent.type)

    def is_it() -> Sequence[Value]:
        names = Renaming()
        names[exponent] = known
        return code.again((nest,), names)[0].results

    def is_another() -> Sequence[Value]:
        ended = tuple(Value(r.type) for r in nest.results)
        if others:
            _choose(code, nest, exponent, others, ended)
        else:
            builder.append(replace(nest, results=ended))
        return ended

    code.choose(code.test(e.EQ, exponent, known), is_it, is_another, "power", results)
