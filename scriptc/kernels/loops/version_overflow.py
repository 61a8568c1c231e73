"""Bounded: a loop whose ints stay within 64 bits runs without tests for overflow.

    for i in range(n):                 if |n| * |n| + |n| * |n| * |n| <= 2**62:
        s += i * i             =>          the same loop with exact_mul and exact_add
                                       else:
                                           the loop as it was

`overflow_bounds` says how large the ints become, as a formula of what the loop is given. Without
tests LLVM vectorises a loop, or finds its sum. Formulas are computed in floats, which round: half
of what 64 bits hold is far enough from the end.

Needs: low IR before `fuse`, after `unchecked`.
Gives: the same, with two versions of such loops; same results, same exceptions.
Does not: make versions of loops where sums alone are tested and something else may raise.
Cases: tests/cases/loops/version_overflow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from scriptc.analysis import bound_formulas, overflow_bounds
from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.instr_kinds import may_raise
from scriptc.analysis.ranges import ADDS, MULS, SUBS
from scriptc.analysis.remarks import VERSIONS, Kind, Message, Topic, remark
from scriptc.kernels.builder import Code
from scriptc.kernels.loops.version_bounds import is_array_work
from scriptc.passes.per_function import per_function
from scriptc.passes.rebuild import Renaming, copied, rebuild_outermost
from scriptc_runtime.ir import Block, Builder, Function, Instr, Value, walk
from scriptc_runtime.ops import control, data, exact
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import INT, DType

BOUNDED = Message(
    "version_overflow",
    Topic.CHECKS,
    Kind.DONE,
    "overflow checks moved before the loop of line {line}",
)
TWO_VERSIONS = Message(
    "version_overflow",
    Topic.VERSIONS,
    Kind.NOTE,
    "two versions; a guard before the loop chooses the fast one: ints stay far below 2**63",
)

_LIMIT = 2.0**62
# More tests than these would make the guard longer than many a loop.
_MOST = 40
_LOOPS = (control.FOR, control.WHILE)
_EXACT: Mapping[OpDef, OpDef] = {
    ADDS[0]: exact.EXACT_ADD,
    SUBS[0]: exact.EXACT_SUB,
    MULS[0]: exact.EXACT_MUL,
    exact.SCALE: exact.EXACT_MUL,
}


@per_function
def version_overflow(function: Function) -> Function:
    """Return `function` with two versions of each loop that a bound frees of its tests."""
    if not any(map(_is_checked, walk(function.body))):
        return function
    definitions = definitions_of(function)
    body = rebuild_outermost(function.body, _Versions(definitions).emit)
    return function if body is function.body else replace(function, body=body)


def _is_checked(instr: Instr) -> bool:
    return (instr.op in _EXACT or instr.op is e.NEG) and instr.result.type is INT


@record
class _Versions:
    """Makes the versions of one function."""

    definitions: Mapping[Value, Instr]

    def emit(self, instr: Instr, builder: Builder) -> bool:
        """Emit both versions of a loop, if there are two."""
        if instr.op not in _LOOPS or not (bounds := self._bounds(instr)):
            return False
        remark(TWO_VERSIONS, instr.loc)
        for bounded in bounds:
            remark(BOUNDED, bounded.loc, line=instr.loc)
        code = Code(builder, instr.loc)
        guard = _Guard(code)
        total = guard.total(bounds.values())
        fits = code.test(e.LE, total, guard.number(_LIMIT))
        results = tuple(Value(r.type) for r in instr.results)
        body = _unchecked(instr.blocks[0], bounds, Renaming())
        fast = replace(instr, blocks=(body,), results=results)
        slow = copied(instr)
        code.choose(
            fits,
            lambda: builder.append(fast).results,
            lambda: builder.append(slow).results,
            VERSIONS,
            instr.results,
        )
        return True

    def _bounds(self, loop: Instr) -> Mapping[Instr, bound_formulas.Formula]:
        """Return what bounds the results of the tested ops of a loop, where that frees a loop."""
        body = list(walk(loop.blocks[0]))
        checked = [i for i in body if _is_checked(i)]
        if not 0 < len(checked) <= _MOST or any(map(is_array_work, body)):
            return {}
        magnitudes = overflow_bounds.Magnitudes(loop, self.definitions)
        bounds: dict[Instr, bound_formulas.Formula] = {}
        for instr in checked:
            formula = magnitudes.formula(instr.result)
            if formula is not None and not (
                isinstance(formula, bound_formulas.Number) and formula.value > _LIMIT
            ):
                bounds[instr] = formula
        return bounds if any(self._is_freed(i, bounds) for i in (loop, *body)) else {}

    def _is_freed(self, loop: Instr, bounds: Mapping[Instr, bound_formulas.Formula]) -> bool:
        """Whether a loop is an innermost one that is quicker once the bounds hold.

        Nothing raises in it any more; or its products, of which a test takes longest, are all
        bounded.
        """
        if loop.op not in _LOOPS:
            return False
        body = list(walk(loop.blocks[0]))
        if any(i.op in _LOOPS for i in body) or not any(i in bounds for i in body):
            return False
        left = [i for i in body if i not in bounds and self._may_raise(i)]
        return not left or (not any(map(_is_checked, left)) and any(i.op in MULS for i in body))

    def _may_raise(self, instr: Instr) -> bool:
        if instr.op in (e.MOD, e.FLOORDIV):
            divisor = self.definitions.get(instr.operands[1])
            if divisor is not None and divisor.op is data.CONST:
                return divisor.attrs["value"] in (0, -1)
        return may_raise(instr)


class _Guard:
    """Emits formulas as f64, each once."""

    def __init__(self, code: Code) -> None:
        self._code = code
        self._made: dict[int, Value] = {}

    def number(self, value: float) -> Value:
        """Emit a constant."""
        return self._code.builder.emit(data.CONST, loc=self._code.loc, value=value, dtype=DType.F64)

    def total(self, formulas: Iterable[bound_formulas.Formula]) -> Value:
        """Emit the sum of some formulas."""
        total = self.number(0.0)
        for formula in {id(f): f for f in formulas}.values():
            total = self._code.op(e.ADD, total, self._value(formula))
        return total

    def _value(self, formula: bound_formulas.Formula) -> Value:
        if id(formula) not in self._made:
            self._made[id(formula)] = self._emitted(formula)
        return self._made[id(formula)]

    def _emitted(self, formula: bound_formulas.Formula) -> Value:
        code = self._code
        match formula:
            case bound_formulas.Number(value):
                return self.number(value)
            case bound_formulas.Size(value):
                return code.op(e.ABS, code.cast(code.to_i64(value), DType.F64))
            case bound_formulas.Combined(op, first, second):
                return code.op(op, self._value(first), self._value(second))


def _unchecked(
    block: Block, bounds: Mapping[Instr, bound_formulas.Formula], names: Renaming
) -> Block:
    builder = Builder()
    builder.open(*block.params)
    for old in block.body:
        instr = names.instr(old)
        if old not in bounds:
            blocks = tuple(_unchecked(b, bounds, names) for b in instr.blocks)
            builder.append(replace(instr, blocks=blocks) if blocks else instr)
            continue
        op, operands = _EXACT.get(old.op, exact.EXACT_SUB), instr.operands
        if old.op is e.NEG:
            operands = (builder.emit(data.CONST, loc=instr.loc, value=0), *operands)
        names[old.result] = builder.emit(op, *operands, loc=instr.loc)
    return builder.close()
