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
what rows compute alike is computed once.

Rounds of a parallel loop are independent: none reads or writes an element that another one writes,
so the rows may be computed in any order, and a load gives all of them the same.  Only where two
indices of the array that is written lead to one element would the order be seen: an array that was
not made here is tested.

Needs: low IR after `fuse`, before `outline`.
Gives: low IR, same results.
Does not: touch nests with folds, or rows that have little in common.
"""

from collections.abc import Mapping, Sequence
from typing import cast

from scriptc.kernels.code import I64, Code
from scriptc.passes.cse import Key, key_of
from scriptc.passes.rebuild import Renaming, clone, rebuild_outermost
from scriptc_runtime.ir import Block, Builder, Function, Instr, Label, Module, Value, walk
from scriptc_runtime.ops import data, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import Trait
from scriptc_runtime.record import replace
from scriptc_runtime.types import TensorType

_MOST_ROWS = 4
# Instructions of the rows together: more would not fit into the registers.
_MOST_INSTRUCTIONS = 110
# Of the loads of single rows, at most this part may be left.
_WORTH = 0.8
# Rows of arrays that are read or written at once: with more of them, processors lose sight of what
# comes next from memory (a stencil of seven points takes half as long again with 18 of them).
_MOST_STREAMS = 12


def jam_rows(module: Module) -> Module:
    """Return `module` with rows of nests side by side."""
    return module.with_functions({n: _function(f) for n, f in module.functions.items()})


def _function(function: Function) -> Function:
    loops = any(i.op is low.LOOP for i in walk(function.body))
    if not loops:
        return function
    made = {r: i for i in walk(function.body) for r in i.results if i.op in _KNOWN}
    body = rebuild_outermost(function.body, lambda instr, builder: _jammed(instr, made, builder))
    return function if body is function.body else replace(function, body=body)


_KNOWN = (low.NEW_ARRAY, data.CONST)


def _jammed(loop: Instr, made: Mapping[Value, Instr], builder: Builder) -> bool:
    """Emit several rows a round for `loop`, if it is worth it."""
    if loop.op is not low.LOOP or not loop.attrs["parallel"] or len(loop.blocks[0].body) < 2:
        return False
    *before, inner, _ = loop.blocks[0].body
    if inner.op is not low.LOOP:
        return False
    body = inner.blocks[0].body[:-1]
    known = (*before, *body)
    if not (inner.attrs["parallel"] and body and all(map(_may_stand_beside, known))):
        return False
    loads = sum(i.op is low.LOAD for i in body)
    for rows in (_MOST_ROWS, 2):
        if rows * len(body) > 2 * _MOST_INSTRUCTIONS:
            continue
        trial = _Rows(Code(Builder(), loop.loc), loop, made, rows)
        work, loaded, streams = trial.count()
        fits = work <= _MOST_INSTRUCTIONS and streams <= _MOST_STREAMS
        if fits and loaded <= _WORTH * rows * loads:
            _emit(Code(builder, loop.loc), loop, made, rows)
            return True
    return False


def _may_stand_beside(instr: Instr) -> bool:
    """Whether an instruction of one row may stand before those of another."""
    if instr.op in (low.LOAD, low.STORE):
        return True
    if Trait.REGION in instr.op.traits or len(instr.results) != 1 or instr.target is not None:
        return False
    effects = instr.op.effects([v.type for v in instr.operands], instr.attrs)
    return not (effects.reads or effects.writes or effects.raises or effects.allocates)


def _emit(code: Code, loop: Instr, made: Mapping[Value, Instr], rows: int) -> None:
    (count,) = loop.operands
    width = code.number(rows)
    groups = code.op(e.FLOORDIV, count, width)
    targets = [i.operands[0] for i in walk(loop.blocks[0]) if i.op is low.STORE]
    apart = [
        code.op(low.IS_SPREAD, target)
        for target in dict.fromkeys(targets)
        if target not in made and cast(TensorType, target.type).rank > 1
    ]
    if apart:
        groups = code.select(code.both(apart), groups, code.number(0))

    def several(group: Value) -> None:
        _Rows(code, loop, made, rows).emit(group)

    code.loop(groups, several, parallel=True)
    done = code.op(e.MUL, groups, width)
    left = code.op(e.SUB, count, done)
    code.loop(left, lambda i: _single(code, loop, code.op(e.ADD, done, i)), parallel=True)


def _single(code: Code, loop: Instr, row: Value) -> None:
    names = Renaming()
    names[loop.blocks[0].params[0]] = row
    for instr in clone(Block((), loop.blocks[0].body[:-1]), names, {}, lambda loc: loc).body:
        code.builder.append(instr)


class _Rows:
    """The rows of one round; equal instructions of theirs are one."""

    def __init__(self, code: Code, loop: Instr, made: Mapping[Value, Instr], rows: int) -> None:
        self._code = code
        self._loop = loop
        self._made = made
        self._names: list[dict[Value, Value]] = [{} for _ in range(rows)]
        self._same: dict[Key, Value] = {}
        self._forms: dict[Value, tuple[Value, int]] = {}  # an index as another one and a number
        self._at: dict[tuple[Value, int], Value] = {}
        self._numbers: dict[int, Value] = {}
        self._stores: list[Instr] = []

    def count(self) -> tuple[int, int, int]:
        """Return the instructions of an inner round, how many of them load, and of what rows."""
        self._code.builder.open()
        body = self.emit(self._code.number(0))
        self._code.builder.close()
        loads = [i.operands for i in body if i.op is low.LOAD]
        stores = [(i.operands[0], *i.operands[2:]) for i in body if i.op is low.STORE]
        return len(body), len(loads), len({at[:-1] for at in (*loads, *stores)})

    def emit(self, group: Value) -> Sequence[Instr]:
        """Emit the rows of a group, and return the body of their inner loop."""
        first = self._code.op(e.MUL, group, self._number(len(self._names)))
        for row, names in enumerate(self._names):
            names[self._loop.blocks[0].params[0]] = self._place(first, row)
        *before, inner, _ = self._loop.blocks[0].body
        self._instrs(before)
        index, label = Value(I64, "j"), Label("loop")
        for names in self._names:
            names[inner.blocks[0].params[0]] = index
        self._code.builder.open(index)
        self._instrs(inner.blocks[0].body[:-1])
        for store in self._stores:
            self._code.builder.append(store)
        self._code.builder.exit(label, next=True, loc=inner.loc)
        block = self._code.builder.close()
        count = self._names[0].get(inner.operands[0], inner.operands[0])
        loop = Instr(low.LOOP, (count,), inner.attrs, (), inner.loc, (block,), label)
        self._code.builder.append(loop)
        return block.body

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
