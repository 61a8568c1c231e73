"""Folds of few elements, which are straight code, and loops over rows of so few.

    loop %n {(%i)                                  for each row:
      %s = reduce 3 {(%k) load %a, %i, %k }   =>     load three elements, and add them
      store %c, %s, %i }                             ask memory for what lies two pages behind

Vectors of several rows would be put together from pieces of three; memory is not faster for it. But
a processor that prefetches within a page leaves such a loop waiting where no cache holds the array.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from scriptc.backends.llvm.emitter.addresses import address, parts
from scriptc.backends.llvm.emitter.function import Emitter, literal
from scriptc.backends.llvm.emitter.regions import open_region
from scriptc.backends.llvm.loading import abi
from scriptc.backends.llvm.vectors import lanes, reductions
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.ops import low
from scriptc_runtime.types import DType, TensorType

_FEW_ROUNDS = 8
_AHEAD = 1 << 13  # bytes: two pages


def few_iterations(e: Emitter, fold: Instr) -> int | None:
    """Return how many elements a fold has, if they are few enough for straight code."""
    (block,) = fold.blocks
    type_ = cast(DType, block.body[-1].operands[0].type)
    iterations = literal(e.one(fold.operands[0]))
    few = iterations is not None and 0 < iterations <= _FEW_ROUNDS
    return iterations if few and type_.kind in "fiu" else None


def emit_few_iterations(e: Emitter, fold: Instr, kind: reductions.Kind, iterations: int) -> str:
    """Write a fold of few elements, and return the result.

    A loop around it is an innermost one then, of whose iterations LLVM may make vectors.
    """
    (block,) = fold.blocks
    type_ = cast(DType, block.body[-1].operands[0].type)
    values: list[str] = []
    for index in range(iterations):
        region = open_region(e, fold)
        region.next = e.join(abi.flatten(type_))
        e.values[block.params[0]] = (str(index),)
        e.run(block)
        values += e.start_join(region.next)
    numbers = reductions.TYPES[type_.value]
    for declaration in numbers.declarations(kind):
        e.declare(declaration)
    # A sum of negative zeros is none: it starts at 0.0.
    values[0] = e.let(numbers.combine(kind, numbers.identities[kind], values[0]))
    return reductions.fold_values(values, lambda a, b: e.let(numbers.combine(kind, a, b)))


def short_rows(e: Emitter, loop: Instr) -> Sequence[Instr]:
    """Return the loads of rows that a loop folds, one row of few elements an iteration."""
    (block,) = loop.blocks
    folds = [i for i in block.body if i.blocks]
    if not e.is_kernel or not all(_is_short(e, fold) for fold in folds):
        return ()
    moving = set(block.params)
    for instr in block.body:
        if not moving.isdisjoint(instr.operands):
            moving.update(instr.results)
    return [i for fold in folds for i in fold.blocks[0].body if _loads_row(e, i, fold, moving)]


def _is_short(e: Emitter, fold: Instr) -> bool:
    if fold.op is not low.REDUCE or len(fold.results) != 1 or fold.operands[0] not in e.values:
        return False
    return few_iterations(e, fold) is not None and not any(i.blocks for i in fold.blocks[0].body)


def _loads_row(e: Emitter, load: Instr, fold: Instr, moving: set[Value]) -> bool:
    """Whether an instruction loads along the last axis, another row in each iteration."""
    if load.op is not low.LOAD or load.operands[0] not in e.values:
        return False
    *row, last = load.operands[1:]
    return last is fold.blocks[0].params[0] and not moving.isdisjoint(row)


def have_known_steps(e: Emitter, rows: Sequence[Instr]) -> bool:
    """Whether it is known how far apart all rows lie, as LLVM needs it to make vectors of them."""
    return all(literal(parts(e, load.operands[0]).strides[-2]) is not None for load in rows)


def fetch_rows(e: Emitter, rows: Sequence[Instr]) -> None:
    """Ask for what lies behind the rows of an iteration, where their loads have been written."""
    for load in {load.operands[0]: load for load in rows}.values():
        array, *index = load.operands
        assert isinstance(array.type, TensorType)
        lanes.fetch(e, e.let(f"getelementptr i8, ptr {address(e, array, index)}, i64 {_AHEAD}"))
