"""Jam: several rows of a nest side by side, where they have elements or results in common.

    loop %n [parallel=true] {(%i)                  loop %n / 4 [parallel=true] {(%b)
      loop %m [parallel=true] {(%j)                  loop %m [parallel=true] {(%j)
        load %a, %i, %j                       =>       load %a, 4 * %b + 0, %j
        load %a, %i + 1, %j                            load %a, 4 * %b + 1, %j   (of two rows)
        ...                                            ...
        store %c, ..., %i, %j }}                       store %c, ..., 4 * %b + 0, %j
                                                       store %c, ..., 4 * %b + 1, %j ... }}
                                                   and the rows that are left, one by one

A stencil loads an element once for each row that reads it; side by side these are one load, and
what rows compute alike is computed once. Of a nest of three loops it is the planes that stand side
by side: a plane that comes back from a cache takes half as long as one that comes from memory.
Short rows of an array that no cache holds stay single: side by side they would be read in several
streams a page, of which processors make little; and one by one, they are still in the first cache.
So do long rows that all load the same, as those of `np.repeat`: they find it in the first cache.
So do rows that can be stored past the caches one by one, which saves more.

Iterations of a parallel loop are independent: none reads or writes an element that another one
writes, so the rows may be computed in any order, and a load gives all of them the same.  Only where
two indices of the array that is written lead to one element would the order be seen: an array that
was not made here is tested.

Needs: low IR after `fuse`, before `outline`.
Gives: low IR, same results.
Does not: touch nests with folds, or rows that have little in common.
Cases: tests/cases/loops/unroll_and_jam.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from typing import NamedTuple, cast

from scriptc.analysis.instr_kinds import computes_only
from scriptc.analysis.remarks import Kind, Message, Topic, place_of, remark
from scriptc.kernels.builder import I64, Code
from scriptc.kernels.loops.streaming_stores import LEAST_ROUNDS, PAST_CACHES, store_past_caches
from scriptc.passes.cse import Key, key_of
from scriptc.passes.per_function import per_function
from scriptc.passes.rebuild import Renaming, rebuild_outermost
from scriptc_runtime.ir import Block, Builder, Function, Instr, Label, Value, walk
from scriptc_runtime.ops import data, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import TensorType

SIDE_BY_SIDE = Message(
    "unroll_and_jam",
    Topic.ORDER,
    Kind.DONE,
    "{rows} rows side by side: {loads} loads instead of {single}",
)

_ROWS = (6, 4, 3, 2)
# Instructions of the rows together: more would not fit into the registers.
_MOST_INSTRUCTIONS = 110
# Of the loads of single rows, or of the planes that they read, at most this part may be left.
_WORTH = 0.8
# Rows of arrays that are read or written at once: with more of them, processors lose sight of what
# comes next from memory (a stencil of seven points takes half as long again with 18 of them).
_MOST_STREAMS = 14
# Bytes of rows that are short, and of arrays that are taken to be in a cache.
_SHORT, _CACHED = 1 << 12, 1 << 23


@per_function
def unroll_and_jam(function: Function) -> Function:
    """Return `function` with rows of nests side by side."""
    loops = any(i.op is low.LOOP for i in walk(function.body))
    if not loops:
        return function
    made = {r: i for i in walk(function.body) for r in i.results if i.op in _KNOWN}
    body = rebuild_outermost(function.body, lambda instr, builder: _jammed(instr, made, builder))
    return function if body is function.body else replace(function, body=body)


_KNOWN = (low.NEW_ARRAY, data.CONST)


def _jammed(loop: Instr, made: Mapping[Value, Instr], builder: Builder) -> bool:
    """Emit several rows an iteration for `loop`, if it is worth it."""
    nest = _nest(loop) if loop.op is low.LOOP else None
    if nest is None:
        return False

    def count(rows: int) -> "_Count | None":
        return _Rows(Code(Builder(), loop.loc), nest, made, rows).count()

    single, two = count(1), count(2)
    if single is None or two is None or two.loads == 2 * single.loads:
        return False
    iterations = _known_iterations(loop, made)
    for rows in _ROWS:
        if rows * len(nest.body) > 2 * _MOST_INSTRUCTIONS or rows > iterations:
            continue
        found = count(rows) if rows > 2 else two
        if found is not None and _pays(found, single, rows, nest):
            loads, single_loads = found.loads, rows * single.loads
            remark(SIDE_BY_SIDE, place_of(loop), rows=rows, loads=loads, single=single_loads)
            repeats = found.loads == single.loads
            _emit(Code(builder, loop.loc), nest, made, rows, repeats=repeats)
            return True
    return False


def _known_iterations(loop: Instr, made: Mapping[Value, Instr]) -> float:
    """Return how many iterations a loop has, if that is known, or no limit."""
    count = made.get(loop.operands[0])
    number = None if count is None or count.op is not data.CONST else count.attrs["value"]
    return number if isinstance(number, int) else math.inf


@record(eq=False)
class _Nest:
    """A loop, those inside it down to the innermost one, and the body of that."""

    loop: Instr
    inner: Sequence[Instr]
    body: Sequence[Instr]


def _nest(loop: Instr) -> _Nest | None:
    """Return the nest of a loop whose iterations may stand side by side."""
    inner: list[Instr] = []
    body = loop.blocks[0].body[:-1]
    known: list[Instr] = []
    at = loop
    while body and body[-1].op is low.LOOP:
        known += body[:-1]
        at = body[-1]
        inner.append(at)
        body = at.blocks[0].body[:-1]
    known += body
    parallel = all(each.attrs["parallel"] for each in (loop, *inner))
    if not (parallel and inner and body and all(map(_may_stand_beside, known))):
        return None
    return _Nest(loop, inner, body)


class _Count(NamedTuple):
    """What an iteration of rows side by side does, in its innermost loop."""

    instructions: int
    loads: int
    streams: int  # rows of arrays that are read or written
    planes: int  # of arrays that are read at other places by other rows


def _pays(found: _Count, single: _Count, rows: int, nest: _Nest) -> bool:
    """Whether rows side by side save enough, and ask not too much."""
    if found.instructions > _MOST_INSTRUCTIONS or found.streams > _MOST_STREAMS:
        return False
    if len(nest.inner) == 1:
        return found.loads <= _WORTH * rows * single.loads
    return 0 < found.planes <= _WORTH * rows * single.planes


def _may_stand_beside(instr: Instr) -> bool:
    """Whether an instruction of one row may stand before those of another."""
    return instr.op in (low.LOAD, low.STORE) or (len(instr.results) == 1 and computes_only(instr))


def _emit(
    code: Code, nest: _Nest, made: Mapping[Value, Instr], rows: int, *, repeats: bool
) -> None:
    """Emit rows side by side; `repeats` says that they all load the same."""
    loop = nest.loop
    (count,) = loop.operands
    width = code.number(rows)
    groups = code.op(e.FLOORDIV, count, width)
    targets = [i.operands[0] for i in nest.body if i.op is low.STORE]
    allowed = [
        code.op(low.IS_SPREAD, target)
        for target in dict.fromkeys(targets)
        if target not in made and cast(TensorType, target.type).rank > 1
    ]
    inside = {r for i in walk(loop.blocks[0]) for r in i.results}
    counts = [inner.operands[0] for inner in nest.inner]
    if inside.isdisjoint(counts):
        extent = _Extent(code, counts, targets[0])
        allowed.append(extent.is_short_and_cached() if repeats else extent.is_long_or_cached())
        if store_past_caches(nest.body) is not None:
            allowed.append(extent.is_short_or_within_caches())
    if allowed:
        groups = code.select(code.both(allowed), groups, code.number(0))

    def several(group: Value) -> None:
        _Rows(code, nest, made, rows).emit(group)

    code.loop(groups, several, parallel=True)
    done = code.op(e.MUL, groups, width)
    left = code.op(e.SUB, count, done)
    code.loop(left, lambda i: _single(code, loop, code.op(e.ADD, done, i)), parallel=True)


class _Extent:
    """How long rows of `counts` elements are, and how large the array is that they go to."""

    def __init__(self, code: Code, counts: Sequence[Value], target: Value) -> None:
        self._code = code
        type_ = cast(TensorType, target.type)
        self._size = type_.dtype.itemsize
        self._innermost = counts[-1]
        elements = [code.size(target, axis) for axis in range(type_.rank)]
        self._row, self._whole = (
            reduce(lambda first, second: code.op(e.MUL, first, second), sizes)
            for sizes in (counts, elements)
        )

    def _at_most(self, elements: Value, limit: int) -> Value:
        return self._code.test(e.LE, elements, self._code.number(limit // self._size))

    def is_short_and_cached(self) -> Value:
        """Return whether a loop over a row costs as much as what it does, in a small array."""
        code = self._code
        short = code.test(e.LT, self._row, code.number(_SHORT // self._size))
        return code.op(e.AND, short, self._at_most(self._whole, _CACHED))

    def is_long_or_cached(self) -> Value:
        """Return whether the rows are long, or the array is small."""
        code = self._code
        long = code.test(e.GE, self._row, code.number(_SHORT // self._size))
        return code.op(e.OR, long, self._at_most(self._whole, _CACHED))

    def is_short_or_within_caches(self) -> Value:
        """Return whether single rows would not be stored past the caches."""
        code = self._code
        short = code.test(e.LT, self._innermost, code.number(LEAST_ROUNDS))
        return code.op(e.OR, short, self._at_most(self._whole, PAST_CACHES - 1))


def _single(code: Code, loop: Instr, row: Value) -> None:
    names = Renaming()
    names[loop.blocks[0].params[0]] = row
    code.again(loop.blocks[0].body[:-1], names)


class _Rows:
    """The rows of one iteration; equal instructions of theirs are one."""

    def __init__(self, code: Code, nest: _Nest, made: Mapping[Value, Instr], rows: int) -> None:
        self._code = code
        self._nest = nest
        self._made = made
        self._names: list[dict[Value, Value]] = [{} for _ in range(rows)]
        self._same: dict[Key, Value] = {}
        self._forms: dict[Value, tuple[Value, int]] = {}  # an index as another one and a number
        self._at: dict[tuple[Value, int], Value] = {}
        self._numbers: dict[int, Value] = {}
        self._stores: list[Instr] = []

    def count(self) -> _Count | None:
        """Return what an iteration does; None where rows are not of the same length."""
        self._code.builder.open()
        first = self._code.number(0)
        body = self._side_by_side(first)
        self._code.builder.close()
        if any(self._differs(inner.operands[0]) for inner in self._nest.inner):
            return None
        loads = [i.operands for i in body if i.op is low.LOAD]
        stores = [(i.operands[0], *i.operands[2:]) for i in body if i.op is low.STORE]
        streams = {at[:-1] for at in (*loads, *stores)}
        planes = {(array, *self._offsets(first, index)) for array, *index in loads}
        return _Count(len(body), len(loads), len(streams), sum(len(p) > 1 for p in planes))

    def _differs(self, value: Value) -> bool:
        """Whether a value is not the same for all rows."""
        return len({names.get(value, value) for names in self._names}) > 1

    def _offsets(self, first: Value, index: Sequence[Value]) -> Iterator[tuple[int, int]]:
        """Yield the axes of an index that go with the rows, and how far it is from the first."""
        for axis, at in enumerate(index):
            origin, places = self._forms.get(at, (at, 0))
            if origin is first:
                yield axis, places

    def emit(self, group: Value) -> None:
        """Emit the rows of a group."""
        self._side_by_side(self._code.op(e.MUL, group, self._number(len(self._names))))

    def _side_by_side(self, first: Value) -> Sequence[Instr]:
        """Emit the rows from the first on, and return the body of their innermost loop."""
        for row, names in enumerate(self._names):
            names[self._nest.loop.blocks[0].params[0]] = self._place(first, row)
        return self._round(self._nest.loop.blocks[0], self._nest.inner)

    def _round(self, block: Block, loops: Sequence[Instr]) -> Sequence[Instr]:
        """Emit an iteration of a loop inside of those in `loops`; return the innermost body."""
        if not loops:
            self._instrs(block.body[:-1])
            for store in self._stores:
                self._code.builder.append(store)
            return ()
        inner, *deeper = loops
        self._instrs(block.body[:-2])
        index, label = Value(I64, "j"), Label("loop")
        for names in self._names:
            names[inner.blocks[0].params[0]] = index
        self._code.builder.open(index)
        body = self._round(inner.blocks[0], deeper)
        self._code.builder.exit(label, next=True, loc=inner.loc)
        block = self._code.builder.close()
        count = self._names[0].get(inner.operands[0], inner.operands[0])
        self._code.builder.append(
            Instr(low.LOOP, (count,), inner.attrs, (), inner.loc, (block,), label)
        )
        return body or block.body

    def _instrs(self, body: Sequence[Instr]) -> None:
        for names in self._names:
            for instr in body:
                self._instr(instr, names)

    def _instr(self, instr: Instr, names: dict[Value, Value]) -> None:
        instr = replace(instr, operands=tuple([names.get(v, v) for v in instr.operands]))
        if instr.op is low.STORE:
            self._stores.append(instr)
            return
        if instr.op is e.ADD and instr.result.type is I64:
            place = self._sum(*instr.operands)
            if place is not None:
                names[instr.result] = place
                return
        key = key_of(instr)
        if key not in self._same:
            result = Value(instr.result.type)
            self._code.builder.append(replace(instr, results=(result,)))
            self._same[key] = result
            if instr.op is data.CONST:
                self._note(result, instr)
        names[instr.result] = self._same[key]

    def _note(self, value: Value, const: Instr) -> None:
        number = const.attrs["value"]
        if value.type is I64 and isinstance(number, int):
            self._numbers[number] = value

    def _sum(self, first: Value, second: Value) -> Value | None:
        """Return an index and a number, added; None for other sums."""
        for index, other in ((first, second), (second, first)):
            number = self._constant(other)
            if number is not None:
                origin, places = self._forms.get(index, (index, 0))
                return self._place(origin, places + number)
        return None

    def _constant(self, value: Value) -> int | None:
        made = self._made.get(value)
        number = None if made is None or made.op is not data.CONST else made.attrs["value"]
        if value.type is I64 and isinstance(number, int):
            return number
        return next((n for n, v in self._numbers.items() if v is value), None)

    def _place(self, origin: Value, places: int) -> Value:
        if places == 0:
            return origin
        key = (origin, places)
        if key not in self._at:
            self._at[key] = self._code.op(e.ADD, origin, self._number(places))
            self._forms[self._at[key]] = key
        return self._at[key]

    def _number(self, number: int) -> Value:
        # Made anew where it is needed: one in an inner loop would not be there after it.
        return self._code.number(number)
