"""Fields apart: those of records that nobody sees as a whole become arrays of their own.

    %2 = full %zero, %n, %16 [dims=(None, 16)] : u8[?, 16]
    %3 = record_field %2 [offset=0, ...]             =>      %5 = full %0.0, %n : f64[?]
    %4 = record_field %2 [offset=8, ...]             =>      %6 = full %0, %n : i64[?]

The fields of one memory lie apart, as NumPy's do, so that what leaves is one array. A script that
keeps the array to itself computes with neighbours in their place, in vectors.

Needs: core IR, inlined, without dead tuples.
Gives: core IR, same results.
Does not: follow an array into a region that hands it on, as a loop that carries it does.
Cases: tests/cases/passes/fields_apart.
"""

import math
from collections.abc import Mapping, Sequence
from typing import cast

from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.instr_kinds import effects_of
from scriptc.passes.per_function import per_function
from scriptc.passes.rebuild import rebuild
from scriptc_runtime.ir import Builder, Function, Instr, Value, walk
from scriptc_runtime.ops import arrays, data
from scriptc_runtime.types import DType, TensorType


@per_function
def fields_apart(function: Function) -> Function:
    """Return `function` with arrays of their own for fields that nothing puts together."""
    fields = [i for i in walk(function.body) if i.op is arrays.RECORD_FIELD]
    if not fields:
        return function
    definitions = definitions_of(function)
    alone = {m for m in _alone(function, fields) if _is_zero(definitions[m], definitions)}

    def rewrite(instr: Instr, builder: Builder) -> Sequence[Value] | None:
        if instr.op is not arrays.RECORD_FIELD or instr.operands[0] not in alone:
            return None
        return [_own_array(instr, definitions[instr.operands[0]], builder)]

    return rebuild(function, rewrite)


def _alone(function: Function, fields: Sequence[Instr]) -> set[Value]:
    """Return the memories whose fields, and views of them, are used as arrays alone."""
    memory_of = {field.result: field.operands[0] for field in fields}
    found = {i.result for i in walk(function.body) if i.op is arrays.FULL and i.results}
    found &= {memory for memory in memory_of.values() if _lie_apart(memory, fields)}
    for instr in walk(function.body):
        used = [memory_of[value] for value in instr.operands if value in memory_of]
        used += [v for v in instr.operands if v in found and instr.op is not arrays.RECORD_FIELD]
        if not used:
            continue
        if _is_view(instr):
            memory_of[instr.result] = used[0]
        elif instr.target is not None or effects_of(instr).aliases:
            found.difference_update(used)
    return found


def _lie_apart(memory: Value, fields: Sequence[Instr]) -> bool:
    """Whether no two fields have a byte in common, as those of a union have."""
    end = 0
    own = [field for field in fields if field.operands[0] is memory]
    for field in sorted(own, key=_offset):
        if _offset(field) < end:
            return False
        type_, shape = field.result.type, field.attrs["shape"]
        assert isinstance(type_, TensorType)
        assert isinstance(shape, tuple)
        end = _offset(field) + type_.dtype.itemsize * math.prod(cast("tuple[int, ...]", shape))
    return True


def _offset(field: Instr) -> int:
    return cast(int, field.attrs["offset"])


def _is_zero(memory: Instr, definitions: Mapping[Value, Instr]) -> bool:
    filled = definitions.get(memory.operands[0])
    return filled is not None and filled.op is data.CONST and filled.attrs["value"] == 0


def _is_view(instr: Instr) -> bool:
    aliases = effects_of(instr).aliases
    return (
        aliases == frozenset({0}) and isinstance(instr.result.type, TensorType) and not instr.blocks
    )


def _own_array(field: Instr, memory: Instr, builder: Builder) -> Value:
    """Return a new array for a field, which is zero as the memory was."""
    type_ = field.result.type
    assert isinstance(type_, TensorType)
    shape, dims = field.attrs["shape"], memory.attrs["dims"]
    assert isinstance(shape, tuple)
    assert isinstance(dims, tuple)
    sizes = [builder.emit(data.CONST, loc=field.loc, value=size) for size in shape]
    zero = builder.emit(data.CONST, loc=field.loc, value=_zero(type_.dtype), dtype=type_.dtype)
    return builder.emit(
        arrays.FULL,
        zero,
        *memory.operands[1:-1],
        *sizes,
        loc=field.loc,
        dims=(*dims[:-1], *shape),
    )


def _zero(dtype: DType) -> bool | int | float | complex:
    kinds = {"b": False, "f": 0.0, "c": 0j}
    return kinds.get(dtype.kind, 0)
