"""What iterations of a loop make of what they carry: sums, extremes, and what goes with these."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import cast

from scriptc.analysis.induction import constant_int, is_next
from scriptc.analysis.instr_kinds import computes_only, is_for_kernels
from scriptc.kernels.loops.chunks import PUT, Growth
from scriptc_runtime.ir import Block, Instr, Value, walk
from scriptc_runtime.ops import control, data, exact, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import BOOL, FLOAT, INT, DType, Type

EXACT: Mapping[OpDef, OpDef] = {e.ADD: exact.EXACT_ADD, e.SUB: exact.EXACT_SUB}
_ADDS = (e.ADD, exact.EXACT_ADD)
_MOST_START = 2**62  # beside it, iterations that each add one come to no end of 64 bits
_LOOPS = (control.FOR, control.WHILE, low.LOOP)


class _Kind(Enum):
    """What an iteration makes of a carried value; SAME is nothing."""

    SAME = ""
    SUM = "sum"
    MIN = "min"
    MAX = "max"
    AND = "and"
    OR = "or"
    XOR = "xor"
    MINIMUM = "minimum"
    MAXIMUM = "maximum"
    LAST_MIN = "last_min"
    LAST_MAX = "last_max"


_EXTREMES = (_Kind.MIN, _Kind.MAX)
_BY_OP: Mapping[OpDef, _Kind] = {e.GT: _Kind.MAX, e.LT: _Kind.MIN}
_BITS: Mapping[OpDef, _Kind] = {e.AND: _Kind.AND, e.OR: _Kind.OR, e.XOR: _Kind.XOR}
# Of these what comes first stays, a NaN too, so the carried value is the first operand.
_WITH_NAN: Mapping[OpDef, _Kind] = {e.MINIMUM: _Kind.MINIMUM, e.MAXIMUM: _Kind.MAXIMUM}
_LASTS: Mapping[OpDef, _Kind] = {e.GT: _Kind.LAST_MAX, e.LT: _Kind.LAST_MIN}
_MIRRORED: Mapping[OpDef, OpDef] = {e.GT: e.LT, e.LT: e.GT}
# How iterations come to a choice: jumps, tests and loops on the way, outermost first.
_Way = tuple[object, ...]


@record(eq=False)
class Growths:
    """How each carried value of a loop grows, and what is compared with those of `LAST`."""

    each: Sequence[Growth]
    met: Mapping[int, Value]


def growths_of(loop: Instr, definitions: Mapping[Value, Instr]) -> Growths | None:
    """Say how carried values grow; None of what is not to be shared."""
    if loop.attrs or not loop.results:
        return None
    iterations = _Iterations(loop, definitions, {}, {})
    found = iterations.growths()
    return None if found is None else Growths(found, iterations.met)


@record(eq=False)
class _Iterations:
    """The body of one loop, and what its iterations make of what they carry."""

    loop: Instr
    definitions: Mapping[Value, Instr]
    extremes: dict[Instr, "_Extreme"]  # by their tests, filled in on the way
    met: dict[int, Value]  # what is compared with carried values that NaN takes the place of

    def growths(self) -> Sequence[Growth] | None:
        """Return how each carried value grows; None where it is not known of one."""
        params = self.loop.blocks[0].params[1:]
        grown = reached(self.loop, params)
        if not self._is_plain(grown):
            return None
        found = dict[int, Growth]()
        # Extremes before what goes by their tests.
        for looks in (self._kind, self._kind, self._leader, self._put):
            for place in range(len(params)):
                if place not in found and (growth := looks(place, grown)) is not None:
                    found[place] = growth
        return [found[place] for place in range(len(params))] if len(found) == len(params) else None

    def _kind(self, place: int, grown: set[Value]) -> Growth | None:
        """Return how a carried value grows by itself."""
        start = self.loop.operands[3 + place]
        carried = _Carried(self, place, grown)
        kind = _all_of(carried.kind(end.operands[place], (end,)) for end in _ends(self.loop))
        mine = [test for test, extreme in self.extremes.items() if extreme.place == place]
        if kind in (None, _Kind.SAME) or not _is_exact(kind, start, self.definitions):
            for test in mine:
                del self.extremes[test]
            return None
        for test in mine:
            self.extremes[test] = replace(self.extremes[test], leaves=tuple(carried.leaves))
        return Growth(kind.value)

    def _leader(self, place: int, grown: set[Value]) -> Growth | None:
        """Return how a carried value grows that is chosen along with an extreme."""
        follower = _Follower(self, place, grown)
        if not all(follower.follows(end.operands[place], (end,)) for end in _ends(self.loop)):
            return None
        leaves = tuple(follower.leaves)
        for extreme in self.extremes.values():
            if extreme.leaves == leaves:
                return Growth(extreme.kind.value, extreme.place)
        return None

    def _put(self, place: int, grown: set[Value]) -> Growth | None:
        """Return how a carried value grows that is put under conditions which know of none."""
        put = _Put(self, place, grown)
        type_ = self.loop.operands[3 + place].type
        if not (type_ in (BOOL, INT, FLOAT) or (isinstance(type_, DType) and type_.kind in "biuf")):
            return None
        ends = all(put.puts(end.operands[place]) for end in _ends(self.loop))
        return Growth(PUT) if ends else None

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
            elif instr.op in EXACT and not grown.isdisjoint(instr.operands):
                pass  # which may overflow: it is looked at as what is carried
            elif instr.op not in (control.IF, low.LOAD) and not computes_only(instr):
                return False
            if not is_for_kernels(instr):
                return False
        return any(is_next(i, self.loop) for i in body)


def reached(loop: Instr, params: tuple[Value, ...]) -> set[Value]:
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


@record(exact=True)
class _Extreme:
    """A choice of a larger or lesser value: for the carried value at a place, and of what."""

    place: int
    kind: _Kind
    start: Value
    value: Value
    leaves: tuple[_Way, ...] = ()  # all that may become of the carried value


class _Walk:
    """A way through iterations from what they hand on to what they start from.

    At the start of an iteration a carried value is a parameter of the loop, or of one in it.
    """

    def __init__(self, iterations: "_Iterations", place: int, grown: set[Value]) -> None:
        self.place = place
        self.iterations = iterations
        self.start = iterations.loop.operands[3 + place]
        self.at_start = {iterations.loop.blocks[0].params[1 + place]: iterations.loop}
        self.grown = grown  # what rests on any carried value
        self.definitions = iterations.definitions
        self.extremes = iterations.extremes
        self.leaves: list[_Way] = []

    def choice(self, made: Instr, value: Value) -> tuple[Value, Value, Value] | None:
        """Return the condition of a choice between two, and both; None where it is none."""
        if made.op is low.SELECT:
            condition, then, other = made.operands
            return condition, then, other
        if made.op is not control.IF:
            return None
        arms = [list(_given(made, block, value)) for block in made.blocks]
        if list(map(len, arms)) != [1, 1]:
            return None
        return made.operands[0], arms[0][0][1], arms[1][0][1]

    def test(self, condition: Value) -> Instr | None:
        """Return what a condition is computed by, without conversions of its truth."""
        made = self.definitions.get(condition)
        if made is None or made.op is not e.CAST:
            return made
        return self.definitions.get(made.operands[0], made)

    def is_carried(self, condition: Value) -> bool:
        """Whether a condition is the truth of the carried value."""
        made = self.definitions.get(condition)
        given = made.operands[0] if made is not None and made.op is e.CAST else condition
        return given in self.at_start and given.type in (BOOL, DType.B1)

    def enter(self, loop: Instr, place: int) -> None:
        """Take note of what an inner loop starts its iterations with."""
        self.at_start[loop.blocks[0].params[1 + place]] = loop


class _Carried(_Walk):
    """A carried value that grows by itself."""

    def kind(self, value: Value, way: _Way) -> _Kind | None:
        """Return what a value makes of the carried one; None where it is none of the kinds."""
        if value in self.at_start:
            self.leaves.append((*way, self.at_start[value]))
            return _Kind.SAME
        made = self.definitions.get(value)
        if made is None or value not in self.grown:
            return self._set_to(made)
        if made.op in (*EXACT, *EXACT.values()):
            return self._sum(made, way)
        if made.op in (*_BITS, *_WITH_NAN):
            return self._by_op(made, way)
        if made.op is control.FOR:
            return self._inner(made, made.results.index(value), way)
        if choice := self.choice(made, value):
            found = self._chosen(*choice, way)
            # No loop over `prange` has a sum by a select.
            return None if found is _Kind.SUM and made.op is low.SELECT else found
        if made.op is not control.IF or made.operands[0] in self.grown:
            return None
        given = (pair for block in made.blocks for pair in _given(made, block, value))
        return _all_of(self.kind(v, (*way, end)) for end, v in given)

    def _set_to(self, made: Instr | None) -> _Kind | None:
        """Return the kind of a value that is True or False, where it is not what was carried."""
        if made is None or made.op is not data.CONST or made.result.type is not BOOL:
            return None
        return _Kind.OR if made.attrs["value"] else _Kind.AND

    def _by_op(self, made: Instr, way: _Way) -> _Kind | None:
        """Return the kind of an op that groups as it likes."""
        first, second = made.operands
        if made.op in _BITS and first not in self.grown:
            first, second = second, first
        if second in self.grown:
            return None
        return _all_of((self.kind(first, way), {**_BITS, **_WITH_NAN}[made.op]))

    def _sum(self, made: Instr, way: _Way) -> _Kind | None:
        first, second = made.operands
        if made.op in _ADDS and first not in self.grown:
            first, second = second, first
        may_overflow = made.result.type is INT and made.op in EXACT
        if second in self.grown or (may_overflow and not self._is_small(second)):
            return None
        return _all_of((self.kind(first, way), _Kind.SUM))

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
            given = (pair for block in made.blocks for pair in _given(made, block, value))
            return all(self._is_small(v) for _, v in given)
        return False

    def _chosen(self, condition: Value, then: Value, other: Value, way: _Way) -> _Kind | None:
        if condition not in self.grown:
            arms = (then, (*way, condition, True)), (other, (*way, condition, False))
            return _all_of([self.kind(*arm) for arm in arms])
        if self.is_carried(condition):
            return self._either(then, other)
        test = self.test(condition)
        if test is None:
            return None
        if test in self.extremes and self.extremes[test].place != self.place:
            return self._chosen_else(self.extremes[test], condition, then, other, way)
        return self._compared(test, then, other, way) if test.op in _BY_OP else None

    def _compared(self, test: Instr, then: Value, other: Value, way: _Way) -> _Kind | None:
        """Return what becomes of a value that a comparison with another one chooses."""
        op, (first, second) = test.op, test.operands
        last_wins = then in self.at_start and not _is_float(then.type)
        if last_wins:
            # Of equal ints it does not matter which one is taken.
            op, then, other = _MIRRORED[op], other, then
        if then in self.at_start and other not in self.grown:
            return self._last(op, (first, second), (then, other), way)
        if other not in self.at_start or then in self.grown:
            return None
        if (first, second) == (other, then):
            op = _MIRRORED[op]
        elif (first, second) != (then, other):
            return None
        kind = _BY_OP[op]
        self.extremes[test] = _Extreme(self.place, kind, self.start, then)
        self.leaves.append((*way, last_wins, test, self.at_start[other]))
        return kind

    def _last(
        self, op: OpDef, compared: Sequence[Value], chosen: tuple[Value, Value], way: _Way
    ) -> _Kind | None:
        """Return what `max(x[i], m)` of floats makes of m, if each iteration comes to it."""
        loop = self.iterations.loop
        if way != (loop.blocks[0].body[-1],):
            return None
        if len(list(_ends(loop))) > 1 or not _is_float(self.start.type):
            return None
        if tuple(compared) == chosen[::-1]:
            op = _MIRRORED[op]
        elif tuple(compared) != chosen:
            return None
        self.iterations.met[self.place] = chosen[1]
        return _LASTS[op]

    def _either(self, then: Value, other: Value) -> _Kind | None:
        """Return what a truth becomes that is asked for first: `found or x[i] > 0.0`."""
        if then in self.at_start and other not in self.grown:
            return _Kind.OR
        return _Kind.AND if other in self.at_start and then not in self.grown else None

    def _chosen_else(
        self, extreme: _Extreme, condition: Value, then: Value, other: Value, way: _Way
    ) -> _Kind | None:
        """Return what becomes of a value that stays where another extreme is found.

        That takes nothing from it: what is beyond one end is not beyond the other one.
        """
        if then not in self.at_start or not self._starts_with(extreme):
            return None
        self.leaves.append((*way, condition, True, self.at_start[then]))
        known = set(self.extremes)
        kind = self.kind(other, (*way, condition, False))
        news = [self.extremes[test] for test in self.extremes if test not in known]
        if {extreme.kind, kind} != set(_EXTREMES) or any(
            n.value is not extreme.value for n in news
        ):
            return None
        return kind

    def _starts_with(self, other: _Extreme) -> bool:
        """Whether the value starts as another one does, or on its own side of it."""
        if self.start is other.start:
            return True
        made = [self.definitions.get(v) for v in (other.start, self.start)]
        constants = [m.attrs["value"] for m in made if m is not None and m.op is data.CONST]
        if len(constants) < 2 or not all(isinstance(c, int | float) for c in constants):
            return False
        theirs, mine = (float(cast("float", c)) for c in constants)
        return theirs >= mine if other.kind is _Kind.MAX else theirs <= mine

    def _inner(self, loop: Instr, place: int, way: _Way) -> _Kind | None:
        """Return what a loop makes of the carried value."""
        if self.grown.intersection(loop.operands[:3]):
            return None
        begins = self.kind(loop.operands[3 + place], (*way, loop))
        self.enter(loop, place)
        ends = (self.kind(end.operands[place], (*way, loop, end)) for end in _exits(loop))
        return _all_of((begins, *ends))


class _Follower(_Walk):
    """A carried value that is chosen by the tests of an extreme."""

    def follows(self, value: Value, way: _Way) -> bool:
        """Whether a value is the carried one, or chosen so; its leaves are those of its leader."""
        if value in self.at_start:
            self.leaves.append((*way, self.at_start[value]))
            return True
        made = self.definitions.get(value)
        if made is None or value not in self.grown:
            return False
        if made.op is control.FOR:
            place = made.results.index(value)
            self.enter(made, place)
            return self.follows(made.operands[3 + place], (*way, made)) and all(
                self.follows(end.operands[place], (*way, made, end)) for end in _exits(made)
            )
        if choice := self.choice(made, value):
            return self._is_chosen(*choice, way)
        if made.op is not control.IF or made.operands[0] in self.grown:
            return False
        given = (pair for block in made.blocks for pair in _given(made, block, value))
        return all(self.follows(v, (*way, end)) for end, v in given)

    def _is_chosen(self, condition: Value, then: Value, other: Value, way: _Way) -> bool:
        test = self.test(condition) if condition in self.grown else None
        if test in self.extremes and then not in self.grown and other in self.at_start:
            self.leaves.append((*way, False, test, self.at_start[other]))
            return True
        if condition in self.grown and test not in self.extremes:
            return False
        arms = (then, (*way, condition, True)), (other, (*way, condition, False))
        return all([self.follows(*arm) for arm in arms])


class _Put(_Walk):
    """A carried value that stays, or is put: then what it was before has no part in it."""

    def puts(self, value: Value) -> bool:
        """Whether a value is the carried one, or knows of none."""
        if value in self.at_start or value not in self.grown:
            return True
        made = self.definitions.get(value)
        if made is None:
            return False
        if made.op is control.FOR:
            place = made.results.index(value)
            self.enter(made, place)
            ends = (end.operands[place] for end in _exits(made))
            return self.puts(made.operands[3 + place]) and all(map(self.puts, ends))
        if choice := self.choice(made, value):
            condition, *arms = choice
            return condition not in self.grown and all(map(self.puts, arms))
        if made.op is not control.IF or made.operands[0] in self.grown:
            return False
        return all(self.puts(v) for block in made.blocks for _, v in _given(made, block, value))


def _given(region: Instr, block: Block, result: Value) -> Iterator[tuple[Instr, Value]]:
    """Yield the exits in a block of a region, and what they give a result of it."""
    place = region.results.index(result)
    for instr in walk(block):
        if instr.target is not None and instr.target.label is region.label:
            yield instr, instr.operands[place]


def _ends(loop: Instr) -> Iterator[Instr]:
    """Yield the ends of iterations of a loop."""
    return (instr for instr in walk(loop.blocks[0]) if is_next(instr, loop))


def _exits(loop: Instr) -> Iterator[Instr]:
    """Yield the ends of iterations of a loop, and what leaves it."""
    return (
        i for i in walk(loop.blocks[0]) if i.target is not None and i.target.label is loop.label
    )


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
