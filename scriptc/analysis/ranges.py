"""Ranges: what is known of every integer of a function, and so which checks cannot fail.

    for i in range(1, n):              1 <= i <= n - 1
        j = i // 2                     0 <= j <= i <= n - 1

One walk along the structure: a condition narrows what its arm may assume, the ways out of a region
are joined, and a loop is walked again, with bounds that move widened, until what is loop-carried is
what was assumed. Facts relate values to each other and to sizes of axes (see `intervals`), so that
an index is proven without knowing any size. The facts about an iteration are sound because the last
walk of its block assumed no more than that walk found.

Needs: valid IR, core or low.
Gives: for each instruction what its operands are known to be where it stands.
Does not: look into callees, memory or lists, or at floats that are loop-carried.
"""

from collections.abc import Callable, Mapping, Sequence, Set

from scriptc.analysis import facts as analysis_facts
from scriptc.analysis import intervals as iv
from scriptc.analysis.carried import (
    Carried,
    Counting,
    Iteration,
    after,
    again,
    found,
    next_guess,
)
from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.float_bounds import FloatBounds, is_double
from scriptc.analysis.intervals import ANY, Fact, Key
from scriptc_runtime.ir import Block, Function, Instr, Label, Value
from scriptc_runtime.ops import arrays, control, data, exact, list_items, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.record import field, record, replace
from scriptc_runtime.types import BOOL, INT, NONE, DType, ListType, TensorType, Type
from scriptc_runtime.values import INT_MAX

ADDS, SUBS, MULS = (
    (e.ADD, exact.EXACT_ADD),
    (e.SUB, exact.EXACT_SUB),
    (e.MUL, exact.EXACT_MUL, exact.SCALE),
)
# How often a loop is walked before whatever still moves is given up.
_ROUNDS = 4

_Transfer = Callable[[Fact, Fact], Fact]
_BINARY: Mapping[OpDef, _Transfer] = {
    **dict.fromkeys(ADDS, iv.plus),
    **dict.fromkeys(SUBS, iv.difference),
    **dict.fromkeys(MULS, iv.product),
    e.FLOORDIV: iv.quotient,
    e.MOD: iv.remainder,
    exact.EXACT_FLOORDIV: iv.quotient,
    exact.EXACT_MOD: iv.remainder,
    e.AND: iv.masked,
    e.OR: iv.united,
    e.XOR: iv.united,
    e.SHL: iv.raised,
    e.SHR: iv.lowered,
    e.MAXIMUM: iv.larger,
    e.MINIMUM: iv.smaller,
}
_UNARY: Mapping[OpDef, Callable[[Fact], Fact]] = {e.NEG: iv.negated, e.ABS: iv.absolute}
_LENGTHS = (data.LIST_LEN, data.STR_LEN, list_items.LIST_SIZE, list_items.LIST_CAPACITY)
# No processor has addresses of more bits.
_BYTES = Fact(0, 1 << 57)
_LOOPS = (control.FOR, control.WHILE, low.LOOP, low.REDUCE)


@record
class Seen:
    """What is known where an instruction stands: of its operands, and of its result unclamped."""

    operands: tuple[Fact, ...]
    exact: Fact = ANY


@record
class Ranges:
    """The facts about one function."""

    seen: Mapping[Instr, Seen]
    inside: Mapping[Instr, tuple[bool, ...]]  # whether an index is below the size of its axis
    decided: Mapping[Instr, bool]  # comparisons that come out one way only
    divides: Set[Instr]  # divisions of floats by what is not 0
    converts: Set[Instr]  # conversions of floats to int that give one


def ranges(function: Function) -> Ranges:
    """Analyse a function."""
    walker = _Walker(function)
    return Ranges(
        walker.seen, walker.inside, walker.decided, walker.floats.divides, walker.floats.converts
    )


@record(frozen=False, eq=False)
class _Region:
    """A region under way: what leaves it, and what goes to the next iteration."""

    mark: int
    exits: list[tuple[Fact, ...]] = field(default_factory=list[tuple[Fact, ...]])
    iterations: list[tuple[Fact, ...]] = field(default_factory=list[tuple[Fact, ...]])
    narrowed: Mapping[Value, Fact] = field(default_factory=dict[Value, Fact])


class _Walker:
    def __init__(self, function: Function) -> None:
        self.seen: dict[Instr, Seen] = {}
        self.inside: dict[Instr, tuple[bool, ...]] = {}
        self.decided: dict[Instr, bool] = {}
        self._definitions = definitions_of(function)
        self.floats = FloatBounds(self._definitions, self._of_integer)
        self._facts = analysis_facts.Facts(self._definitions)
        self._regions: dict[Label, _Region] = {}
        self._settled: dict[Instr, Sequence[Carried]] = {}  # what the last walks of loops assumed
        for param in function.params:
            self._facts.learn(param, ANY)
        self._block(function.body)

    # Blocks and regions.

    def _block(self, block: Block) -> None:
        for instr in block.body:
            if instr.target:
                self._exit(instr)
            elif instr.op in _LOOPS:
                self._loop(instr)
            elif instr.blocks:
                self._arms(instr)
            else:
                self._plain(instr)

    def _exit(self, instr: Instr) -> None:
        target = instr.target
        assert target is not None
        region = self._regions.get(target.label)
        if region is None:
            return
        facts = tuple(self._facts.of(v) for v in instr.operands)
        if target.next:
            region.iterations.append(facts)
            return
        region.exits.append(facts)
        if len(region.exits) == 1:
            region.narrowed = self._facts.narrowed_since(region.mark)

    def _open(self, instr: Instr) -> _Region:
        assert instr.label is not None
        region = self._regions[instr.label] = _Region(self._facts.mark)
        return region

    def _arms(self, instr: Instr) -> None:
        region = self._open(instr)
        outcome = self._outcome(instr.operands[0]) if instr.op is control.IF else None
        for truth, block in zip((True, False), instr.blocks, strict=False):
            if instr.op is control.IF:
                if outcome is not None and truth is not outcome:
                    continue  # the comparison becomes a constant, and the arm goes
                self._facts.assume(instr.operands[0], truth)
            self._block(block)
            self._facts.undo(region.mark)
        self._finish(instr, region)

    def _outcome(self, condition: Value) -> bool | None:
        """Return how a condition comes out where that has been decided."""
        found, negated = self._definitions.get(condition), False
        while found is not None and found.op in (e.CAST, e.NOT):
            negated ^= found.op is e.NOT
            found = self._definitions.get(found.operands[0])
        outcome = None if found is None else self.decided.get(found)
        return outcome if outcome is None else outcome ^ negated

    def _finish(self, instr: Instr, region: _Region) -> None:
        """Give the results what all ways out agree on; what the only way knew holds after it."""
        if len(region.exits) == 1:
            for value, fact in region.narrowed.items():
                self._facts.learn(value, fact)
        for index, result in enumerate(instr.results):
            facts = [exit[index] for exit in region.exits]
            self._facts.learn(result, iv.joined(facts) if facts else ANY)

    # Loops.

    def _loop(self, instr: Instr) -> None:
        (block,) = instr.blocks
        skipped = {control.FOR: 3, control.WHILE: 0}.get(instr.op, len(instr.operands))
        start = [self._facts.of(v) for v in instr.operands[skipped:]]
        params = block.params[len(block.params) - len(start) :]
        carried = [Carried(p, s, s) for p, s in zip(params, start, strict=True)]
        counting = self._counting(instr)
        if instr in self._settled:
            pairs = zip(self._settled[instr], start, strict=True)
            carried = [again(c, s, counting) for c, s in pairs]
        region, iterations = self._walk_loop(instr, carried)
        for attempt in range(_ROUNDS):
            if all(r.proves(c) for r, c in zip(iterations, carried, strict=True)):
                break
            if attempt == _ROUNDS - 1:
                carried = [c.given_up() for c in carried]
            else:
                pairs = zip(carried, iterations, strict=True)
                carried = [next_guess(c, r, counting) for c, r in pairs]
            region, iterations = self._walk_loop(instr, carried)
        self._settled[instr] = carried
        if instr.op is control.FOR:
            pairs = zip(carried, iterations, strict=True)
            region.exits.append(tuple(after(c, r, counting) for c, r in pairs))
        self._finish(instr, region)

    def _walk_loop(
        self, instr: Instr, carried: Sequence[Carried]
    ) -> tuple[_Region, Sequence[Iteration]]:
        region = self._open(instr)
        self._enter(instr, carried)
        self._block(instr.blocks[0])
        self._facts.undo(region.mark)
        return region, [found(c, [r[i] for r in region.iterations]) for i, c in enumerate(carried)]

    def _enter(self, instr: Instr, carried: Sequence[Carried]) -> None:
        (block,) = instr.blocks
        if instr.op is control.FOR:
            self._bound_variable(instr, block.params[0])
        elif instr.op is not control.WHILE:
            self._facts.learn(block.params[0], Fact(low=0))
            self._facts.at_most(block.params[0], instr.operands[0], -1)
        for value in carried:
            self._facts.learn(value.param, self._closed(value.assumed))

    def _closed(self, fact: Fact) -> Fact:
        """Add what follows from what is known of the values above."""
        above = fact.above
        for key, by in fact.above.items():
            if isinstance(key, Value):
                above = iv.tighter(above, iv.shifted(self._facts.known(key).above, by), min)
        return replace(fact, above=above)

    def _bound_variable(self, loop: Instr, index: Value) -> None:
        start, stop, step = loop.operands[:3]
        by = self._facts.of(step)
        self._facts.learn(index, ANY)
        if by.low >= 0:  # a step of 0 raises before the first iteration
            self._facts.at_most(start, index, 0)
            self._facts.at_most(index, stop, -1)
        elif by.high <= 0:
            self._facts.at_most(index, start, 0)
            self._facts.at_most(stop, index, -1)

    def _counting(self, loop: Instr) -> Counting | None:
        """Return how often a `for` runs."""
        if loop.op is not control.FOR:
            return None
        start, stop, step = (self._facts.of(v) for v in loop.operands[:3])
        if step.low >= 0:
            iterations = -((start.low - stop.high) // max(step.low, 1))
        elif step.high <= 0:
            iterations = -((stop.low - start.high) // max(-step.high, 1))
        else:
            return None
        by_one = step.low == step.high == 1
        index = loop.blocks[0].params[0] if by_one else None
        return Counting(max(iterations, 0), index, start.low)

    # Instructions.

    def _plain(self, instr: Instr) -> None:
        if instr.op in (arrays.INDEX, arrays.SET_INDEX):
            self._index(instr)
        if instr.op in (low.LOAD, low.STORE):
            index = instr.operands[1 if instr.op is low.LOAD else 2 :]
            self.seen[instr] = Seen(tuple(map(self._facts.of, index)))
        if instr.op in (arrays.EMPTY, arrays.FULL):
            self._sizes(instr)
        if instr.op in e.COMPARISONS and all(map(analysis_facts.is_integer, instr.operands)):
            self._compare(instr)
        if instr.op in e.COMPARISONS and any(map(is_double, instr.operands)):
            self._decide(instr, self.floats.outcome(instr))
        self.floats.learn(instr)
        if len(instr.results) == 1 and analysis_facts.is_integer(instr.results[0]):
            self._facts.learn(instr.results[0], self._computed(instr))

    def _computed(self, instr: Instr) -> Fact:
        op, result = instr.op, instr.results[0]
        if op is data.CONST:
            value = instr.attrs["value"]
            return iv.number(int(value)) if isinstance(value, int) else ANY
        if op in (arrays.DIM, low.SIZE):
            return self._size(instr.operands[0], instr.attrs["axis"])
        if op in _LENGTHS:
            return _length_of(instr.operands[0].type)
        if op in (e.CAST, exact.EXACT_INT):
            return self._converted(instr.operands[0], result.type)
        if op is low.SELECT:
            return iv.join(self._facts.of(instr.operands[1]), self._facts.of(instr.operands[2]))
        if op in _BINARY or op in _UNARY:
            whole = self._arithmetic(instr)
            # NumPy's integers wrap, Python's raise.
            return whole.clamped() if whole.fits or result.type is INT else ANY
        return ANY

    def _converted(self, source: Value, integer: Type) -> Fact:
        if is_double(source):
            return self.floats.whole(source, integer)
        return self._of_integer(source)

    def _of_integer(self, source: Value) -> Fact:
        if analysis_facts.is_integer(source):
            return self._facts.of(source)
        if source.type in (BOOL, DType.B1):
            return iv.TRUTH
        if isinstance(source.type, DType) and source.type.kind in "iu" and source.type.itemsize < 8:
            bits = 8 * source.type.itemsize
            if source.type.kind == "u":
                return Fact(0, 2**bits - 1)
            return Fact(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
        return ANY

    def _arithmetic(self, instr: Instr) -> Fact:
        facts = tuple(self._facts.of(v) for v in instr.operands)
        if instr.op in _UNARY:
            exact = _UNARY[instr.op](facts[0])
        elif _differs(instr, facts):
            exact = ANY
        else:
            exact = self._related(instr, _BINARY[instr.op](*facts))
        self.seen[instr] = Seen(facts, exact)
        return exact

    def _related(self, instr: Instr, fact: Fact) -> Fact:
        """Add what the definitions of the operands say, and let the keys bound the numbers."""
        if instr.op in ADDS:
            first, second = instr.operands
            for value, other in ((first, second), (second, first)):
                fact = self._cancelled(fact, value, other)
        elif instr.op in (e.FLOORDIV, exact.EXACT_FLOORDIV):
            fact = self._middle(fact, instr)
        least = [self._key(k).low + by for k, by in fact.below.items()]
        most = [self._key(k).high + by for k, by in fact.above.items()]
        return Fact(max([fact.low, *least]), min([fact.high, *most]), fact.below, fact.above)

    def _key(self, key: Key) -> Fact:
        return self._facts.known(key) if isinstance(key, Value) else Fact(low=0)

    def _cancelled(self, fact: Fact, value: Value, added: Value) -> Fact:
        """Return what is known of `value + added` where `value` is held by some `x - added`.

        What says that the sum fits 64 bits must come from elsewhere: so there are offsets alone.
        """
        added = self._facts.root(added)
        known = self._facts.of(value)
        for key, by in known.above.items():
            if (whole := self._taken_from(key, added)) is not None:
                above = iv.shifted(self._facts.of(whole).above, by)
                fact = replace(fact, above=iv.tighter(fact.above, above, min))
        for key, by in known.below.items():
            if (whole := self._taken_from(key, added)) is not None:
                below = iv.shifted(self._facts.of(whole).below, by)
                fact = replace(fact, below=iv.tighter(fact.below, below, max))
        return fact

    def _taken_from(self, key: Key, part: Value) -> Value | None:
        """Return x where `key` is `x - part`."""
        found = self._definitions.get(key) if isinstance(key, Value) else None
        if found is None or found.op not in SUBS or self._facts.root(found.operands[1]) is not part:
            return None
        exact = self.seen.get(found)
        wraps = found.results[0].type is DType.I64 and not (exact and exact.exact.fits)
        return None if wraps else found.operands[0]

    def _middle(self, fact: Fact, instr: Instr) -> Fact:
        """Return what is known of (a + b) // 2: it lies between them."""
        found = self._definitions.get(self._facts.root(instr.operands[0]))
        by_two = self._facts.of(instr.operands[1])
        if not by_two.low == by_two.high == 2 or found is None or found.op not in ADDS:
            return fact
        if found.results[0].type is not INT:
            return fact  # it may have wrapped
        for first, second in (found.operands, found.operands[::-1]):
            known, root = self._facts.of(first), self._facts.root(second)
            if root in known.above:  # a <= b + by
                by = known.above[root]
                over, under = self._facts.of(second), self._facts.of(first)
                fact = iv.meet(
                    fact,
                    Fact(
                        below=iv.shifted(under.below, -by // 2),
                        above=iv.shifted(over.above, by // 2),
                    ),
                )
        return fact

    def _compare(self, test: Instr) -> None:
        a, b = (self._facts.of(v) for v in test.operands)
        apart = iv.difference(a, b)
        outcome: bool | None = None
        if test.op in (e.EQ, e.NE):
            if apart.low > 0 or apart.high < 0:
                outcome = test.op is e.NE
            elif apart.low == apart.high == 0:
                outcome = test.op is e.EQ
        else:
            sign = 1 if test.op in (e.LT, e.LE) else -1
            least, most = sorted((sign * apart.low, sign * apart.high))
            strict = test.op in (e.LT, e.GT)
            if most < 0 or (most == 0 and not strict):
                outcome = True
            elif least > 0 or (least == 0 and strict):
                outcome = False
        self._decide(test, outcome)

    def _decide(self, test: Instr, outcome: bool | None) -> None:
        if outcome is None:
            self.decided.pop(test, None)
        else:
            self.decided[test] = outcome

    # Arrays.

    def _axis(self, array: Value, axis: int) -> tuple[Key | None, int]:
        """Return the size of an axis as a key and what is added to it; None for a number."""
        assert isinstance(array.type, TensorType)
        dim = array.type.dims[axis]
        if dim.is_constant:
            return None, dim.constant
        if dim.known and len(dim.terms) == 1 and dim.terms[0][1] == 1:
            return dim.terms[0][0], dim.constant
        return (array, axis), 0

    def _size(self, array: Value, axis: object) -> Fact:
        assert isinstance(axis, int)
        key, plus = self._axis(array, axis)
        if key is None:
            return iv.number(plus)
        return Fact(0, INT_MAX, {key: plus}, {key: plus})

    def _index(self, instr: Instr) -> None:
        array, *index = instr.operands
        if instr.op is arrays.SET_INDEX:
            index = index[1:]
        facts = tuple(self._facts.of(v) for v in index)
        sizes = [self._axis(array, axis) for axis in range(len(index))]
        self.seen[instr] = Seen(facts)
        self.inside[instr] = tuple(map(_is_below, facts, sizes))
        for value, (key, plus) in zip(index, sizes, strict=True):
            # It did not raise: from here on it is known to be in range.
            if key is None:
                self._facts.narrow(value, Fact(-plus, plus - 1))
            else:
                self._facts.narrow(value, Fact(-INT_MAX, INT_MAX - 1, {}, {key: plus - 1}))

    def _sizes(self, instr: Instr) -> None:
        """Note that a new array has the sizes it was made with, none of which is negative."""
        sizes = instr.operands[1:] if instr.op is arrays.FULL else instr.operands
        for axis, size in enumerate(sizes):
            self._facts.narrow(size, self._size(instr.results[0], axis))


def _length_of(type_: Type) -> Fact:
    """Return what is known of the length of a list or a text, whose items take a byte at least."""
    return Fact(low=0) if isinstance(type_, ListType) and type_.item is NONE else _BYTES


def _is_below(fact: Fact, size: tuple[Key | None, int]) -> bool:
    key, plus = size
    if key is None:
        return fact.high < plus
    return key in fact.above and fact.above[key] < plus


def _differs(instr: Instr, facts: Sequence[Fact]) -> bool:
    """Whether the op has a meaning beyond arithmetic here: by 0, NumPy's division gives 0."""
    if instr.result.type is INT and instr.op in (e.FLOORDIV, e.MOD, e.SHL, e.SHR):
        return False  # it raises
    if instr.op in (e.SHL, e.SHR):
        return facts[1].low < 0 or facts[1].high > 63
    divides = instr.op in (e.FLOORDIV, e.MOD, exact.EXACT_FLOORDIV, exact.EXACT_MOD)
    return divides and facts[1].low <= 0 <= facts[1].high


__all__ = ["ADDS", "MULS", "SUBS", "Ranges", "Seen", "ranges"]
