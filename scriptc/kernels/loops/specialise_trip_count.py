"""Few: a fold of each row has a version for rows of the numbers of elements that are common.

    loop %n [parallel=true] {(%i)                  if %m == 3:
      %s = reduce %m {(%k) load %a, %i, %k }   =>    loop %n {(%i) %s = reduce 3 {...}; store ... }
      store %c, %s, %i }                           else: as it was

Points in two and three dimensions and colours of three channels are what the last axis mostly is
where it is short. A fold of a known, small number of elements is straight code, and the
loop around it is one over vectors: ten times as fast as a loop in each iteration.

Needs: low IR after `fuse` and `collapse`, before `outline`.
Gives: low IR, same results.
Does not: touch folds of much work, or of arrays of any layout: they are not worth the code. Those
of costly functions are left to `distribute`.
Cases: tests/cases/loops/specialise_trip_count.
"""

from collections.abc import Mapping, Sequence

from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.instr_kinds import VECTORISED
from scriptc.analysis.remarks import Kind, Message, Topic, place_of, remark
from scriptc.kernels.builder import Code
from scriptc.passes.per_function import per_function
from scriptc.passes.rebuild import Renaming, rebuild_outermost
from scriptc_runtime.ir import Builder, Function, Instr, Value, walk
from scriptc_runtime.ops import data, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.record import replace

FEW = Message(
    "specialise_trip_count",
    Topic.VERSIONS,
    Kind.NOTE,
    "versions for rows of {counts} elements, which are straight code, and one for all others",
)

_COMMON = (3, 2)
# Instructions of an iteration, those of its folds included.
_MOST_INSTRUCTIONS = 24


@per_function
def specialise_trip_count(function: Function) -> Function:
    """Return `function` with versions of such loops."""
    if not any(i.op is low.REDUCE for i in walk(function.body)):
        return function
    made = definitions_of(function)
    body = rebuild_outermost(function.body, lambda instr, builder: _versions(instr, made, builder))
    return function if body is function.body else replace(function, body=body)


def _versions(loop: Instr, made: Mapping[Value, Instr], builder: Builder) -> bool:
    """Emit the versions of `loop`, if it is worth them."""
    count = _count_of_folds(loop)
    if count is None or (count in made and made[count].op is data.CONST):
        return False
    loads = [i for i in walk(loop.blocks[0]) if i.op is low.LOAD]
    if not all(_is_dense(i.operands[0], made) for i in loads):
        return False
    remark(FEW, place_of(loop), counts=_COMMON)
    for_common_counts(Code(builder, loop.loc), loop, count)
    return True


def _is_dense(array: Value, made: Mapping[Value, Instr]) -> bool:
    definition = made.get(array)
    return definition is not None and definition.op in (low.NEW_ARRAY, low.ASSUME_CONTIGUOUS)


def for_common_counts(
    code: Code, loop: Instr, count: Value, numbers: Sequence[int] = _COMMON
) -> None:
    """Emit `loop`, and versions of it where `count` is one of the common ones."""
    if not numbers:
        code.builder.append(loop)
        return
    number, *others = numbers
    known = code.number(number)

    def version() -> Sequence[Value]:
        names = Renaming()
        names[count] = code.number(number)
        code.again((loop,), names)
        return ()

    def otherwise() -> Sequence[Value]:
        for_common_counts(code, loop, count, others)
        return ()

    code.choose(code.test(e.EQ, count, known), version, otherwise)


def _count_of_folds(loop: Instr) -> Value | None:
    """Return the number of elements of each fold in an iteration, None without one."""
    inner = loop
    while inner.op is low.LOOP and inner.attrs["parallel"]:
        *body, _ = inner.blocks[0].body
        if any(i.op is low.REDUCE for i in body):
            return _count_in(loop, body)
        loops = [i for i in body if i.op is low.LOOP]
        if len(loops) != 1:
            return None
        (inner,) = loops
    return None


def _count_in(loop: Instr, body: Sequence[Instr]) -> Value | None:
    folds = [i for i in body if i.op is low.REDUCE]
    counts = {fold.operands[0] for fold in folds}
    inside = {r for i in walk(loop.blocks[0]) for r in i.results}
    regions = any(i.blocks for i in body if i not in folds) or any(
        i.blocks for fold in folds for i in walk(fold.blocks[0])
    )
    if any(i.op in VECTORISED for i in walk(loop.blocks[0])):
        return None
    size = len(body) + sum(len(fold.blocks[0].body) for fold in folds)
    if regions or len(counts) != 1 or size > _MOST_INSTRUCTIONS or not inside.isdisjoint(counts):
        return None
    return counts.pop()
