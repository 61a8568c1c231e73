"""Arrays that iterations make: room for those of all iterations is made before the loop.

    loop n [parallel=true] {(%i)            =>    %all = new_array n, %m
      %t = new_array %m                           loop n [parallel=true] {(%i)
      ...                                           %t = subview %all, %i [axes="i"]
      release %t }                                  ... }

Threads of a device cannot allocate.

Needs: low IR after `lower_prange`, before `enclose`.
Gives: low IR; such an array is part of one that host code makes.
Does not: touch rows that a block of threads keeps (`scratch`), arrays of known sizes, which each
    thread has for itself, and those whose size an iteration computes.
Cases: tests/cases/device/room_for_rows.
"""

from collections.abc import Mapping

from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.induction import constant_int
from scriptc.kernels.builder import Code
from scriptc.passes.per_function import per_function
from scriptc.passes.rebuild import map_blocks, rebuild_outermost
from scriptc_runtime.dims import UNKNOWN
from scriptc_runtime.ir import Block, Builder, Function, Instr, Value, walk
from scriptc_runtime.ops import low
from scriptc_runtime.record import replace
from scriptc_runtime.types import TensorType

_VIEWS = (low.ASSUME_CONTIGUOUS, low.ASSUME_DISTINCT, low.SUBVIEW)
_USES = (low.LOAD, low.STORE, low.SIZE, low.MAY_OVERLAP, low.LOOP, low.REDUCE)


@per_function
def room_for_rows(function: Function) -> Function:
    """Return `function` with the arrays of iterations made before their loops."""
    if not any(i.op is low.NEW_ARRAY for i in walk(function.body)):
        return function
    made = definitions_of(function)

    def emit(instr: Instr, builder: Builder) -> bool:
        if instr.op is not low.LOOP or not instr.attrs["parallel"]:
            return False
        rows = _rows(instr, made)
        if rows:
            _with_room(Code(builder, instr.loc), instr, rows)
        return bool(rows)

    body = rebuild_outermost(function.body, emit)
    return function if body is function.body else replace(function, body=body)


def _rows(loop: Instr, made: Mapping[Value, Instr]) -> list[Instr]:
    """Return what makes arrays of one iteration alone, of sizes that are known before the loop."""
    (block,) = loop.blocks
    within = walk(block)
    inside = {r for i in within for r in i.results} | set(block.params)
    inside |= {p for i in within for b in i.blocks for p in b.params}
    found: list[Instr] = []
    for instr in within:
        if instr.op is not low.NEW_ARRAY or instr.attrs.get("scratch"):
            continue
        unknown = any(constant_int(v, made) is None for v in instr.operands)
        if unknown and inside.isdisjoint(instr.operands) and _stays(instr.result, block):
            found.append(instr)
    return found


def _stays(array: Value, block: Block) -> bool:
    """Whether an array and parts of it are read, written and given back, and no more."""
    parts = {array}
    for instr in walk(block):
        if parts.isdisjoint(instr.operands):
            continue
        if instr.op in _VIEWS:
            parts.add(instr.result)
        elif instr.op not in _USES and (instr.op, instr.operands) != (low.RELEASE, (array,)):
            return False
    return True


def _with_room(code: Code, loop: Instr, rows: list[Instr]) -> None:
    """Emit room for all iterations, and a loop that uses it."""
    room: dict[Value, Value] = {}
    for row in rows:
        assert isinstance(row.result.type, TensorType)
        dims = (UNKNOWN, *row.result.type.dims)
        sizes = (loop.operands[0], *row.operands)
        room[row.result] = code.new_array(TensorType(row.result.type.dtype, dims), sizes)
    index = loop.blocks[0].params[0]

    def change(block: Block) -> Block:
        builder = Builder()
        builder.open(*block.params)
        for instr in block.body:
            if instr.op is low.RELEASE and instr.operands[0] in room:
                continue
            if instr.op is low.NEW_ARRAY and instr.result in room:
                attrs = {"axes": "i", "type": instr.result.type}
                operands = (room[instr.result], index)
                builder.append(Instr(low.SUBVIEW, operands, attrs, instr.results, instr.loc))
                continue
            kept = tuple(v for v in instr.cleanup if v not in room)
            with_kept = instr if kept == instr.cleanup else replace(instr, cleanup=kept)
            builder.append(map_blocks(with_kept, change) if instr.blocks else with_kept)
        return builder.close()

    code.builder.append(map_blocks(loop, change))
