"""Reductions of simple elements, a row of the accumulator's lanes at a time.

An element that is arithmetic on neighbouring elements of arrays, as those of a dot product are, or
a choice between such, as under a mask, is written as vector code of the shape of the accumulator.
It needs no buffer for a block: every lane meets the elements that it meets in `reductions.py`, so
the bits are the same.  Numbers of other types are loaded to be converted.  Of complex elements the
parts are taken: both are loaded, and every second number is one of them.

Of an array that no cache holds rows are asked for ahead of time: processors prefetch within a page.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import cast

from scriptc.backends.llvm.emitter.addresses import address
from scriptc.backends.llvm.emitter.function import Emitter
from scriptc.backends.llvm.vectors import lanes as vectors_lanes
from scriptc.backends.llvm.vectors import reductions
from scriptc.backends.llvm.vectors.alignment import is_large
from scriptc_runtime.ir import Block, Instr, Value
from scriptc_runtime.ops import data, low
from scriptc_runtime.ops import elementwise as ops
from scriptc_runtime.record import record
from scriptc_runtime.types import DType, TensorType

_AHEAD = 1 << 13  # bytes: two pages
_MASKED = 512  # bits that are stored under one mask
# Of the lanes of the accumulator: where a short row fits into so few, these alone are combined, and
# where it has at most `FEW` elements.
_PARTS = (8, 4, 2, 1)
_COUNTING = frozenset({ops.ADD, ops.SUB, ops.MUL})
# The place of a part in a complex number, and what the numbers are that have such parts.
_PART_NUMBERS = {ops.REAL: 0, ops.IMAG: 1}
_PAIRS = {DType.F64: DType.C128, DType.F32: DType.C64}


def is_row(e: Emitter, body: Block, dtype: DType) -> bool:
    """Whether the elements that `body` gives come from neighbours in arrays, lane by lane."""
    moving = set(body.params)  # what grows by one from an element to the next
    inside = {r for instr in body.body for r in instr.results}
    others = set[Value]()  # elements of other types

    def fits(instr: Instr) -> bool:
        if instr.op is low.LOAD:
            others.update(r for r in instr.results if r.type not in (dtype, *vectors_lanes.TRUTHS))
            return _loads_neighbours(e, instr, dtype, moving)
        if instr.op is low.STORE:
            return _keeps(e, body, instr, dtype, moving)
        if not others.isdisjoint(instr.operands):
            return _becomes(instr, dtype)
        if instr.op in _COUNTING and instr.result.type is DType.I64:
            return _counts(instr, moving)
        return instr.op is data.CONST or _is_in_lanes(instr, dtype)

    return body.body[-1].operands[0] in inside and all(map(fits, body.body[:-1]))


def _keeps(e: Emitter, body: Block, store: Instr, dtype: DType, moving: set[Value]) -> bool:
    """Whether a store keeps neighbours in an array that is made here and that no element reads."""
    array, value, *index = store.operands
    made = e.definitions.get(array)
    if made is None or made.op is not low.NEW_ARRAY or value.type is not dtype:
        return False
    if any(i.op is low.LOAD and i.operands[0] is array for i in body.body):
        return False
    return _meets_neighbours(e, array, index, moving) and index[-1] in moving


def _meets_neighbours(
    e: Emitter, array: Value, index: Sequence[Value], moving: AbstractSet[Value]
) -> bool:
    """Whether an access meets the next element each time, or the same one."""
    if array not in e.values or any(i in moving for i in index[:-1]):
        return False
    still = not index or index[-1] not in moving
    return still or e.components(array)[-1] == "1"


def _is_in_lanes(instr: Instr, dtype: DType) -> bool:
    """Whether there is vector code for an op, of lanes that are as wide as those of the sum."""
    types = [v.type for v in (*instr.operands, *instr.results)]
    return vectors_lanes.has_lanes(instr) and all(
        t is dtype or t in vectors_lanes.TRUTHS for t in types
    )


def _becomes(instr: Instr, dtype: DType) -> bool:
    """Whether an element of another type becomes one that is summed."""
    if instr.result.type is not dtype:
        return False
    return instr.op in _PART_NUMBERS or (instr.op is ops.CAST and vectors_lanes.has_lanes(instr))


def _counts(instr: Instr, moving: set[Value]) -> bool:
    """Whether arithmetic on ints has one result for all elements, or one that moves with them."""
    if moving.isdisjoint(instr.operands):
        return True
    keeps = _keeps_step(instr, moving)
    moving.add(instr.result)
    return keeps


def _keeps_step(instr: Instr, moving: set[Value]) -> bool:
    """Whether arithmetic on an index gives one that grows by one as well."""
    first, second = instr.operands
    match instr.op:
        case ops.ADD:
            return (first in moving) != (second in moving)
        case ops.SUB:
            return first in moving and second not in moving
        case _:
            return False


def _loads_neighbours(e: Emitter, instr: Instr, dtype: DType, moving: set[Value]) -> bool:
    """Whether a load meets the next element each time, or the same one."""
    array, *index = instr.operands
    own = cast(TensorType, array.type).dtype
    if not (own in (*vectors_lanes.NUMBERS, _PAIRS.get(dtype)) or own.kind in "biu"):
        return False
    still = not index or index[-1] not in moving
    return _meets_neighbours(e, array, index, moving) and (not still or own in (dtype, DType.B1))


class Row:
    """Writes the elements from index `first` on as one vector, under a mask if there is one.

    `ahead` is how many bytes beyond each load it asks memory for; 0 asks for nothing.
    """

    def __init__(
        self, e: Emitter, body: Block, lanes: int, mask: str = "", *, ahead: int = 0
    ) -> None:
        self._e = e
        self._ahead = ahead
        self._body = body
        self._count = lanes
        self._mask = mask
        self._vectors: dict[Value, str] = {}
        self._moving = set(body.params)
        self._streams = _streams(body) if ahead else ()

    def values(self, first: str) -> list[str]:
        """Write the row and return its values."""
        e = self._e
        e.values[self._body.params[0]] = (first,)
        for instr in self._body.body[:-1]:
            if instr.op is low.LOAD:
                self._vectors[instr.result] = self._load(instr)
            elif instr.op is low.STORE:
                self._store(instr)
            elif instr.op in _PART_NUMBERS:
                self._vectors[instr.result] = self._part(instr)
            elif instr.op is not data.CONST and instr.result.type is not DType.I64:
                self._vectors[instr.result] = self._lanes(instr)
            else:
                if not self._moving.isdisjoint(instr.operands):
                    self._moving.add(instr.result)
                e.state.rules[instr.op](e, instr)
        return [self._of(v) for v in self._body.body[-1].operands]

    def _lanes(self, instr: Instr) -> str:
        values = [self._of(operand) for operand in instr.operands]
        return vectors_lanes.write_lanes(self._e, self._count, instr, values)

    def _of(self, value: Value) -> str:
        if value not in self._vectors:
            scalar = self._e.one(value)
            self._vectors[value] = vectors_lanes.splat(
                self._e, self._count, scalar, vectors_lanes.element(value.type)
            )
        return self._vectors[value]

    def _load(self, instr: Instr) -> str:
        e, lanes, dtype = self._e, self._count, instr.result.type
        assert isinstance(dtype, DType)
        array, *index = instr.operands
        if index and index[-1] in self._moving:
            at = address(e, array, index)
            if instr in self._streams:
                far = e.let(f"getelementptr i8, ptr {at}, i64 {self._ahead}")
                vectors_lanes.fetch(e, far, lanes * dtype.itemsize)
            if dtype.kind == "c":
                return self._pairs(dtype, at)
            return vectors_lanes.load_lanes(e, lanes, dtype, at, self._mask)
        e.state.rules[instr.op](e, instr)
        return vectors_lanes.splat(e, lanes, e.one(instr.result), vectors_lanes.element(dtype))

    def _store(self, instr: Instr) -> None:
        """Write the store of a vector, under a mask by parts: what one branch chooses is small."""
        e, (array, value, *index) = self._e, instr.operands
        at, dtype = address(e, array, index), value.type
        assert isinstance(dtype, DType)
        vector = self._of(value)
        if not self._mask:
            vectors_lanes.store_lanes(e, self._count, dtype, vector, at)
            return
        size = min(self._count, _MASKED // (8 * dtype.itemsize))
        for start in range(0, self._count, size):
            parts = [
                vectors_lanes.part_of_lanes(e, self._count, type_, whole, start, size)
                for type_, whole in ((vectors_lanes.element(dtype), vector), ("i1", self._mask))
            ]
            place = e.let(f"getelementptr i8, ptr {at}, i64 {start * dtype.itemsize}")
            vectors_lanes.store_lanes(e, size, dtype, parts[0], place, parts[1])

    def _pairs(self, dtype: DType, at: str) -> str:
        """Write the load of complex numbers, as their parts one after the other."""
        lanes, mask = self._count, self._mask
        if mask:
            twice = ", ".join(f"i32 {lane // 2}" for lane in range(2 * lanes))
            truths = f"<{lanes} x i1>"
            mask = self._e.let(
                f"shufflevector {truths} {mask}, {truths} poison, <{2 * lanes} x i32> <{twice}>"
            )
        part = next(part for part, whole in _PAIRS.items() if whole is dtype)
        return vectors_lanes.load_lanes(self._e, 2 * lanes, part, at, mask)

    def _part(self, instr: Instr) -> str:
        """Write the choice of one part of each number."""
        lanes, v = self._count, f"<{2 * self._count} x {vectors_lanes.element(instr.result.type)}>"
        first = _PART_NUMBERS[instr.op]
        places = ", ".join(f"i32 {2 * lane + first}" for lane in range(lanes))
        pairs = self._vectors[instr.operands[0]]
        return self._e.let(f"shufflevector {v} {pairs}, {v} poison, <{lanes} x i32> <{places}>")


def emit_row_loop(
    e: Emitter,
    kind: reductions.Kind,
    dtype: DType,
    n: str,
    body: Block,
    prefix: str,
    hint: str,
    look: reductions.Look,
    *,
    in_loop: bool,
) -> reductions.Loop:
    """Return a loop that combines the `n` elements of `body`, for which `is_row` holds.

    `hint` is metadata for the loop over rows. One in a loop may well be short, and costs little.
    """
    p, t = f"%{prefix}", reductions.TYPES[dtype.value]
    fold, carry, finish = (reductions.routine(n, kind, t.name) for n in ("fold", "carry", "finish"))
    v, lanes, identity = t.shape(t.lanes), t.lanes, reductions.TYPES[dtype.value].identities[kind]
    short = _short_rows(e, kind, dtype, body, n, prefix) if in_loop else _Short(f"{p}.start")
    whole, enter, totals = _ways_of_rows(e, kind, dtype, body, prefix, hint)
    part, (part_value,) = captured(e, Row(e, body, lanes, f"{p}.inside"), f"{p}.last")
    looking, carried = look(f"{p}.begin_next", f"{prefix}.carry")
    text = f"""\
  br label {p}.start
{prefix}.start:
  {p}.some = icmp sgt i64 {n}, 0
  br i1 {p}.some, label {short.first or f"{p}.block"}, label {p}.end
{short.text}{prefix}.block:
  {p}.begin = phi i64 [ 0, {short.last} ], [ {p}.begin_next, %{carried} ]
  {p}.left = sub nuw nsw i64 {n}, {p}.begin
  {p}.size = call i64 @llvm.umin.i64(i64 {p}.left, i64 {reductions.BLOCK})
  {p}.rows_end = and i64 {p}.size, {-lanes}
  br {enter}
{whole}{prefix}.tail:
  {p}.acc = phi {v} {totals}
  {p}.rest = sub nuw nsw i64 {p}.size, {p}.rows_end
  {p}.partly = icmp ne i64 {p}.rest, 0
  br i1 {p}.partly, label {p}.part, label {p}.fold
{prefix}.part:
{_mask(f"{p}.inside", f"{p}.rest", lanes)}
  {p}.last = add nuw nsw i64 {p}.begin, {p}.rows_end
{part}
  {p}.chosen = select <{lanes} x i1> {p}.inside, {v} {part_value},
    {v} splat ({t.llvm} {identity})
  {p}.acc_part = {t.combine(kind, f"{p}.acc", f"{p}.chosen", lanes)}
  br label {p}.fold
{prefix}.fold:
  {p}.all = phi {v} [ {p}.acc, {p}.tail ], [ {p}.acc_part, {p}.part ]
  {p}.value = call {t.llvm} {fold}({v} {p}.all, i64 {p}.size)
  {p}.short = icmp ule i64 {n}, {reductions.BLOCK}
  br i1 {p}.short, label {p}.end, label {p}.carry
{prefix}.carry:
  {p}.count = lshr exact i64 {p}.begin, {reductions.BLOCK_SHIFT}
  call void {carry}(ptr {p}.stack, i64 {p}.count, {t.llvm} {p}.value)
  {p}.begin_next = add nuw nsw i64 {p}.begin, {reductions.BLOCK}
{_lines(looking)}\
  {p}.done = icmp sge i64 {p}.begin_next, {n}
  br i1 {p}.done, label {p}.finish, label {p}.block
{prefix}.finish:
  {p}.blocks = add nuw nsw i64 {p}.count, 1
  {p}.carried = call {t.llvm} {finish}(ptr {p}.stack, i64 {p}.blocks)
  br label {p}.end
{prefix}.end:
  {p}.result = phi {t.llvm} [ {identity}, {p}.start ], [ {p}.value, {p}.fold ],
    {", ".join((f"[ {p}.carried, {p}.finish ]", *short.results))}"""
    stack = f"  {p}.stack = alloca [{reductions.CARRY_DEPTH} x {t.llvm}], align 64"
    return reductions.Loop((stack,), tuple(text.splitlines()), f"{prefix}.end", f"{p}.result")


def _ways_of_rows(
    e: Emitter, kind: reductions.Kind, dtype: DType, body: Block, prefix: str, hint: str
) -> tuple[str, str, str]:
    """Return loops over whole rows, near and far ones, and what enters and leaves them."""
    p, far = f"%{prefix}", _is_far(e, body)
    ways = {"near": 0, "far": _AHEAD} if far else {"near": 0}
    whole = [_whole_rows(e, kind, dtype, body, f"{prefix}.{w}", a, hint) for w, a in ways.items()]
    enter = f"i1 {far}, label {p}.far, label {p}.near" if far else f"label {p}.near"
    totals = ", ".join(f"[ {p}.{way}.acc, {p}.{way} ]" for way in ways)
    return "".join(whole), enter, totals


def _lines(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _mask(name: str, count: str, lanes: int) -> str:
    """Return the instructions of a mask of the first `count` lanes."""
    places = ", ".join(f"i32 {lane}" for lane in range(lanes))
    return f"""\
  {name}.small = trunc i64 {count} to i32
  {name}.first = insertelement <{lanes} x i32> poison, i32 {name}.small, i64 0
  {name}.all = shufflevector <{lanes} x i32> {name}.first, <{lanes} x i32> poison,
    <{lanes} x i32> zeroinitializer
  {name} = icmp ult <{lanes} x i32> <{places}>, {name}.all"""


@record
class _Short:
    """Blocks that end with the fold of a short row, one after the other, and go on where it is not.

    `last` is the one that comes before all else, `results` are their results with their labels.
    """

    last: str
    first: str = ""
    text: str = ""
    results: tuple[str, ...] = ()


def _short_rows(
    e: Emitter, kind: reductions.Kind, dtype: DType, body: Block, n: str, prefix: str
) -> _Short:
    """Return the blocks for rows that some lanes of the accumulator have room for.

    The others would hold the identity, so the bits are those of the whole of it. How long a row is
    does not change from one to the next: processors foresee these branches.
    """
    t = reductions.TYPES[dtype.value]
    widths = sorted({reductions.FEW, *(t.lanes // part for part in _PARTS)})
    asked = [f"%{prefix}.ask{lanes}" for lanes in widths]
    text, results = "", list[str]()
    for lanes, otherwise in zip(widths, [*asked[1:], f"%{prefix}.block"], strict=True):
        p = f"%{prefix}.row{lanes}"
        v, identity = t.shape(lanes), f"splat ({t.llvm} {t.identities[kind]})"
        row, (value,) = captured(e, Row(e, body, lanes, f"{p}.inside", ahead=_AHEAD), "0")
        text += f"""\
{prefix}.ask{lanes}:
  {p}.fits = icmp ule i64 {n}, {lanes}
  br i1 {p}.fits, label {p}, label {otherwise}
{prefix}.row{lanes}:
{_mask(f"{p}.inside", n, lanes)}
{row}
  {p}.chosen = select <{lanes} x i1> {p}.inside, {v} {value}, {v} {identity}
  {p}.fold{lanes} = {t.combine(kind, identity, f"{p}.chosen", lanes)}
{reductions.fold_lanes(kind, t, lanes, f"{p}.")}
  br label %{prefix}.end
"""
        results.append(f"[ {p}.result, {p} ]")
    return _Short(asked[-1], asked[0], text, tuple(results))


def _streams(body: Block) -> Sequence[Instr]:
    """Return a load of each array that has most axes: others are read again for the next row."""
    moving = [i for i in body.body if i.op is low.LOAD and len(i.operands) > 1]
    axes = max((len(i.operands) for i in moving), default=0)
    return list({i.operands[0]: i for i in moving if len(i.operands) == axes}.values())


def _is_far(e: Emitter, body: Block) -> str:
    """Write code that finds out if the elements come from memory, and return the truth, or ""."""
    streams = _streams(body)
    # More streams than one keep memory busy by themselves.
    return is_large(e, streams[0].operands[0]) if len(streams) == 1 and e.is_kernel else ""


def _whole_rows(
    e: Emitter, kind: reductions.Kind, dtype: DType, body: Block, name: str, ahead: int, hint: str
) -> str:
    """Return the blocks that combine the whole rows of a block in %name.acc, and go to its tail."""
    prefix, p, t = name.rpartition(".")[0], f"%{name}", reductions.TYPES[dtype.value]
    v, lanes, identity = t.shape(t.lanes), t.lanes, t.identities[kind]
    row, (value,) = captured(e, Row(e, body, lanes, ahead=ahead), f"{p}.i")
    return f"""\
{name}:
  {p}.offset = phi i64 [ 0, %{prefix}.block ], [ {p}.next, {p}.row ]
  {p}.acc = phi {v} [ splat ({t.llvm} {identity}), %{prefix}.block ], [ {p}.sum, {p}.row ]
  {p}.whole = icmp ult i64 {p}.offset, %{prefix}.rows_end
  br i1 {p}.whole, label {p}.row, label %{prefix}.tail
{name}.row:
  {p}.i = add nuw nsw i64 %{prefix}.begin, {p}.offset
{row}
  {p}.sum = {t.combine(kind, f"{p}.acc", value, lanes)}
  {p}.next = add nuw nsw i64 {p}.offset, {lanes}
  br label {p}{hint}
"""


def captured(e: Emitter, row: Row, first: str) -> tuple[str, list[str]]:
    """Return the text of a row and its values."""
    outer, e.lines = e.lines, []
    values = row.values(first)
    lines, e.lines = e.lines, outer
    return "\n".join(lines), values
