"""Straight: a nest of a few iterations, as known when compiled, is code without loops.

    loop 2 [parallel=true] {(%i)           %1 = load %x, 0
      %1 = load %x, %i               =>    store %out, %1, 0
      store %out, %1, %i }                 %2 = load %x, 1
                                           store %out, %2, 1

A point, a colour or a pair of results is stored into a row of an array, or added to another, in a
iteration of a loop: the call of a kernel takes ten times as long as what it does. Where nothing but
such code uses a small array, LLVM keeps its elements in registers.

Needs: low IR after all that changes nests, before `outline`.
Gives: low IR, same results.
Does not: touch loops in nests, which LLVM opens itself.
Cases: tests/cases/loops/unroll.
"""

from collections.abc import Mapping

from scriptc.analysis.remarks import Kind, Message, Topic, place_of, remark
from scriptc.passes.per_function import per_function
from scriptc.passes.rebuild import Renaming, clone, rebuild_outermost
from scriptc_runtime.ir import Block, Builder, Function, Instr, Value, walk
from scriptc_runtime.ops import data, low
from scriptc_runtime.record import replace
from scriptc_runtime.types import DType

UNROLLED = Message(
    "unroll", Topic.ORDER, Kind.DONE, "unrolled: its few elements are computed one after the other"
)

_MOST_ROUNDS = 9  # those of a 3 x 3 matrix
_MOST_INSTRUCTIONS = 64


@per_function
def unroll(function: Function) -> Function:
    """Return `function` with such nests as straight code."""
    if not any(map(_is_nest, walk(function.body))):
        return function
    numbers = {
        i.result: value
        for i in walk(function.body)
        if i.op is data.CONST and isinstance(value := i.attrs["value"], int)
    }

    def emit(instr: Instr, builder: Builder) -> bool:
        if not _is_nest(instr):
            return False
        if _is_small(instr, numbers):
            remark(UNROLLED, place_of(instr))
            _open(instr, builder, Renaming(), numbers)
        else:
            builder.append(instr)  # with the loops in it
        return True

    body = rebuild_outermost(function.body, emit)
    return function if body is function.body else replace(function, body=body)


def _is_nest(instr: Instr) -> bool:
    return instr.op is low.LOOP and bool(instr.attrs["parallel"])


def _is_small(nest: Instr, numbers: Mapping[Value, int]) -> bool:
    """Whether a nest has few iterations, and nothing in them but scalar code."""
    iterations = 1
    loop = nest
    while True:
        count = numbers.get(loop.operands[0])
        if count is None:
            return False
        iterations *= max(count, 1)  # around a loop without iterations there may be one of many
        *body, _ = loop.blocks[0].body
        if not any(i.blocks for i in body):
            break
        if len(inner := [i for i in body if _is_nest(i)]) != 1 or any(
            i.blocks for i in body if i is not inner[0]
        ):
            return False
        (loop,) = inner
    if any(i.op is low.NEW_ARRAY for i in walk(nest.blocks[0])):
        return False
    return (
        iterations <= _MOST_ROUNDS
        and iterations * len([*walk(nest.blocks[0])]) <= _MOST_INSTRUCTIONS
    )


def _open(loop: Instr, builder: Builder, names: Renaming, numbers: Mapping[Value, int]) -> None:
    """Append the iterations of a loop, one after the other."""
    *body, _ = loop.blocks[0].body
    (index,) = loop.blocks[0].params
    for number in range(numbers[loop.operands[0]]):
        iteration = Renaming()
        iteration.update(names)
        iteration[index] = builder.emit(data.CONST, loc=loop.loc, value=number, dtype=DType.I64)
        for instr in body:
            if instr.blocks:
                _open(instr, builder, iteration, numbers)
                continue
            for copy in clone(Block((), (instr,)), iteration, {}, lambda loc: loc).body:
                builder.append(copy)
