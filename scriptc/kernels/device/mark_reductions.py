"""Reductions: plain loops that count, add ints or look for an extreme are marked as `prange` is.

    for i in range(n):                          for i in range(n) [grows=(sum, max)]:
        if x[i] > 0.0:                  =>          if x[i] > 0.0:
            k += 1                                      k += 1
        m = max(m, x[i])                            m = max(m, x[i])

A loop that carries values runs in order, which on a device is one thread.  Sums of ints are the
same in any order, and so are extremes, of floats too: `max(m, v)` takes `v` where it is greater, so
what chunks of iterations find, compared in their order, is what one thread finds, NaN and zeros of
both signs included.  Sums of floats are rounded at each step, so they stay in order.

Python's ints are counted where each iteration adds one or less: then no sum overflows.

Needs: low IR, after `parallelise`, before `lower_prange`, which combines chunks.
Gives: the same; loops to share are marked.
Does not: take loops that store, raise or are left early, those inside of others, but where these
    launch kernels anyway, and those of a few iterations.
Cases: tests/cases/device/mark_reductions.
"""

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum

from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.induction import are_few, carried_on, constant_int, is_next
from scriptc.analysis.instr_kinds import computes_only, is_for_kernels
from scriptc.passes.per_function import per_function
from scriptc.passes.rebuild import map_blocks
from scriptc_runtime.ir import Block, Function, Instr, Value, walk
from scriptc_runtime.ops import control, data, exact, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import BOOL, FLOAT, INT, DType, Type

_EXACT: Mapping[OpDef, OpDef] = {e.ADD: exact.EXACT_ADD, e.SUB: exact.EXACT_SUB}
_ADDS = (e.ADD, exact.EXACT_ADD)
_MOST_START = 2**62  # beside it, iterations that each add one come to no end of 64 bits
_LOOPS = (control.FOR, control.WHILE, low.LOOP)


class _Kind(Enum):
    """What an iteration makes of a carried value; SAME is nothing."""

    SAME = ""
    SUM = "sum"
    MIN = "min"
    MAX = "max"


_BY_OP: Mapping[OpDef, _Kind] = {e.GT: _Kind.MAX, e.LT: _Kind.MIN}
_MIRRORED: Mapping[OpDef, OpDef] = {e.GT: e.LT, e.LT: e.GT}


@per_function
def mark_reductions(function: Function) -> Function:
    """Return `function` with loops marked whose carried values are the same in any order."""
    if not any(i.op is control.FOR and i.results and not i.attrs for i in walk(function.body)):
        return function
    body = _Marker(definitions_of(function)).block(function.body)
    return function if body is function.body else replace(function, body=body)


@record(eq=False)
class _Marker:
    definitions: Mapping[Value, Instr]

    def block(self, block: Block) -> Block:
        """Return a block with its loops marked; the same object if there are none."""
        body = tuple([self._instr(instr) for instr in block.body])
        return block if body == block.body else Block(block.params, body)

    def _instr(self, instr: Instr) -> Instr:
        if instr.op not in _LOOPS:
            return map_blocks(instr, self.block)
        if instr.attrs:
            return instr  # of threads that share it already
        if instr.op is control.FOR and instr.results and not are_few(instr, self.definitions):
            iterations = _Iterations(instr, self.definitions, {})
            if kinds := iterations.kinds():
                return _marked(instr, kinds, iterations.tests)
        launches = any(i.op is low.LOOP and i.attrs["parallel"] for i in walk(instr.blocks[0]))
        return map_blocks(instr, self.block) if launches else instr


def _marked(loop: Instr, kinds: list[_Kind], tests: Mapping[Instr, _Kind]) -> Instr:
    attrs = {"grows": tuple(kind.value for kind in kinds)}
    return replace(_plain(loop, tests), attrs=attrs)


def _plain(instr: Instr, tests: Mapping[Instr, _Kind]) -> Instr:
    """Return an instruction with plain sums for what cannot overflow, and tests as `prange` has."""
    if instr.op in _EXACT and instr.result.type is INT:
        return replace(instr, op=_EXACT[instr.op])
    if instr in tests and _BY_OP[instr.op] is not tests[instr]:
        return replace(instr, op=_MIRRORED[instr.op], operands=instr.operands[::-1])
    return map_blocks(
        instr, lambda block: Block(block.params, tuple([_plain(i, tests) for i in block.body]))
    )


@record(eq=False)
class _Iterations:
    """The body of one loop, and what its iterations make of what they carry."""

    loop: Instr
    definitions: Mapping[Value, Instr]
    tests: dict[Instr, _Kind]  # of extremes, filled in on the way

    def kinds(self) -> list[_Kind]:
        """Return what becomes of each carried value; none where one is not known."""
        params = self.loop.blocks[0].params[1:]
        grown = _reached(self.loop, params)
        if not self._is_plain(grown):
            return []
        found = list[_Kind]()
        for place, param in enumerate(params):
            carried = _Carried(frozenset({param}), grown, self.definitions, self.tests)
            kind = _all_of(map(carried.kind, carried_on(self.loop, place)))
            start = self.loop.operands[3 + place]
            if kind in (None, _Kind.SAME) or not _is_exact(kind, start, self.definitions):
                return []
            found.append(kind)
        return found

    def _is_plain(self, grown: set[Value]) -> bool:
        """Whether iterations read and compute, and each one comes to the next."""
        body = list(walk(self.loop.blocks[0]))
        labels = {i.label for i in body if i.label is not None}
        for instr in body:
            if instr.target is not None:
                if instr.target.label not in labels and not is_next(instr, self.loop):
                    return False
            elif instr.op is control.FOR:
                if instr.attrs:
                    return False
            elif instr.op in _EXACT and not grown.isdisjoint(instr.operands):
                pass  # which may overflow: it is looked at as what is carried
            elif instr.op not in (control.IF, low.LOAD) and not computes_only(instr):
                return False
            if not is_for_kernels(instr):
                return False
        return any(is_next(i, self.loop) for i in body)


def _reached(loop: Instr, params: tuple[Value, ...]) -> set[Value]:
    """Return what of an iteration rests on carried values."""
    grown, before = set(params), 0
    gives: dict[object, tuple[tuple[Value, ...], tuple[Value, ...]]] = {}
    for instr in walk(loop.blocks[0]):
        if instr.label is not None:
            carried = instr.blocks[0].params[1:] if instr.op is control.FOR else ()
            gives[instr.label] = instr.results, carried
    while len(grown) > before:
        before = len(grown)
        for instr in walk(loop.blocks[0]):
            if instr.target is not None:
                for to in gives.get(instr.target.label, ()):
                    pairs = zip(instr.operands, to, strict=False)
                    grown.update(result for value, result in pairs if value in grown)
            elif instr.op is control.FOR:
                starts = zip(instr.operands[3:], instr.blocks[0].params[1:], strict=True)
                grown.update(param for value, param in starts if value in grown)
                if grown.intersection(instr.operands[:3]):
                    grown.update(instr.blocks[0].params, instr.results)
            elif grown.intersection(instr.operands):
                grown.update(instr.results)
    return grown


@record(eq=False)
class _Carried:
    """A carried value: what it is at the start of an iteration, here or in an inner loop."""

    at_start: frozenset[Value]
    grown: set[Value]  # what rests on any carried value
    definitions: Mapping[Value, Instr]
    tests: dict[Instr, _Kind]

    def kind(self, value: Value) -> _Kind | None:
        """Return what a value makes of the carried one; None where it is none of the kinds."""
        if value in self.at_start:
            return _Kind.SAME
        made = self.definitions.get(value)
        if made is None or value not in self.grown:
            return None
        place = made.results.index(value)
        if made.op in (*_EXACT, *_EXACT.values()):
            return self._sum(made)
        if made.op is low.SELECT:
            condition, then, other = made.operands
            found = self._chosen(condition, then, other)
            return None if found is _Kind.SUM else found  # which no loop over `prange` has
        if made.op is control.IF:
            arms = [list(_given(made, block, place)) for block in made.blocks]
            if list(map(len, arms)) == [1, 1]:
                return self._chosen(made.operands[0], arms[0][0], arms[1][0])
            if made.operands[0] in self.grown:
                return None
            return _all_of(self.kind(v) for values in arms for v in values)
        return self._inner(made, place) if made.op is control.FOR else None

    def _sum(self, made: Instr) -> _Kind | None:
        first, second = made.operands
        if made.op in _ADDS and first not in self.grown:
            first, second = second, first
        may_overflow = made.result.type is INT and made.op in _EXACT
        if second in self.grown or (may_overflow and not self._is_small(second)):
            return None
        return _all_of((self.kind(first), _Kind.SUM))

    def _is_small(self, value: Value) -> bool:
        """Whether an int is -1, 0 or 1."""
        made = self.definitions.get(value)
        if made is None:
            return False
        if made.op is data.CONST:
            return made.attrs["value"] in (-1, 0, 1)
        if made.op is e.CAST:
            return made.operands[0].type in (BOOL, DType.B1) or self._is_small(made.operands[0])
        if made.op is low.SELECT:
            return all(map(self._is_small, made.operands[1:]))
        if made.op is control.IF:
            place = made.results.index(value)
            return all(self._is_small(v) for b in made.blocks for v in _given(made, b, place))
        return False

    def _chosen(self, condition: Value, then: Value, other: Value) -> _Kind | None:
        if condition not in self.grown:
            return _all_of((self.kind(then), self.kind(other)))
        test = self.definitions[condition]
        if test.op is e.CAST:
            test = self.definitions.get(test.operands[0], test)
        if test.op not in _BY_OP:
            return None
        op, (first, second) = test.op, test.operands
        if then in self.at_start and not _is_float(then.type):
            # Of equal ints it does not matter which one is taken.
            op, then, other = _MIRRORED[op], other, then
        if other not in self.at_start or then in self.grown:
            return None
        if (first, second) == (other, then):
            op = _MIRRORED[op]
        elif (first, second) != (then, other):
            return None
        self.tests[test] = _BY_OP[op]
        return _BY_OP[op]

    def _inner(self, loop: Instr, place: int) -> _Kind | None:
        """Return what a loop makes of the carried value."""
        if self.grown.intersection(loop.operands[:3]):
            return None
        param = loop.blocks[0].params[1 + place]
        within = replace(self, at_start=self.at_start | {param})
        ends = map(within.kind, carried_on(loop, place))
        return _all_of((self.kind(loop.operands[3 + place]), *ends))


def _given(region: Instr, block: Block, place: int) -> Iterator[Value]:
    """Yield what exits in a block of a region give it."""
    for instr in walk(block):
        if instr.target is not None and instr.target.label is region.label:
            yield instr.operands[place]


def _all_of(kinds: Iterable[_Kind | None]) -> _Kind | None:
    """Return the kind that all are but those that are the same as before."""
    found = set(kinds)
    if None in found:
        return None
    found.discard(_Kind.SAME)
    return found.pop() if len(found) == 1 else None if found else _Kind.SAME


def _is_exact(kind: _Kind, start: Value, definitions: Mapping[Value, Instr]) -> bool:
    """Whether any order of iterations gives the same."""
    if kind is not _Kind.SUM:
        return True
    if start.type is INT:
        number = constant_int(start, definitions)
        return number is not None and abs(number) <= _MOST_START
    return isinstance(start.type, DType) and start.type.kind in "iu"


def _is_float(type_: Type) -> bool:
    return type_ is FLOAT or (isinstance(type_, DType) and type_.kind == "f")
