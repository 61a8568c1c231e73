"""Facts: what is known of integers where a walk stands, and what a condition adds to it.

    if a < b:                          a <= b - 1 in its arm
        if b < n: ...                  and a <= n - 2 in this one

What is learned is noted, to be undone where what it holds in ends. See `ranges`.
"""

from collections.abc import Mapping

from scriptc.analysis import intervals as iv
from scriptc.analysis.intervals import ANY, Fact, Key
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.ops import control, data
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import INT, DType

# By how much the left side of a comparison that holds, or that does not, is less than the right.
_ORDERS: Mapping[tuple[OpDef, bool], tuple[bool, int]] = {
    (e.LT, True): (False, -1),
    (e.GE, False): (False, -1),
    (e.LE, True): (False, 0),
    (e.GT, False): (False, 0),
    (e.GT, True): (True, -1),
    (e.LE, False): (True, -1),
    (e.GE, True): (True, 0),
    (e.LT, False): (True, 0),
}


def is_integer(value: Value) -> bool:
    """Whether facts are kept of a value."""
    return value.type is INT or value.type is DType.I64


class Facts:
    """The facts where a walk stands."""

    def __init__(self, definitions: Mapping[Value, Instr]) -> None:
        self._definitions = definitions
        self._now: dict[Value, Fact] = {}
        # What was known of a value as it was computed, for tests of it after its block has ended.
        self._made: dict[Value, Fact] = {}
        self._trail: list[tuple[Value, Fact | None]] = []
        self._keyed: dict[Value, tuple[Fact, Fact]] = {}  # a fact, and the same with the value

    def root(self, value: Value) -> Value:
        """Return the value that `value` is a conversion of: int and i64 hold the same numbers."""
        while (found := self._definitions.get(value)) is not None and found.op is e.CAST:
            (source,) = found.operands
            if not (is_integer(value) and is_integer(source)):
                break
            value = source
        return value

    def of(self, value: Value) -> Fact:
        """Return what is known of a value, which is a key of its own."""
        found = self._definitions.get(value)
        root = value
        if found is not None and found.op is e.CAST:
            root = self.root(value)
            found = self._definitions.get(root)
        fact = self.known(root)
        # The number says it all; keys are few.
        is_number = found is not None and found.op is data.CONST
        if is_number:
            return fact
        before, keyed = self._keyed.get(root, (None, fact))
        if before is not fact:
            keyed = iv.itself(root, fact)
            self._keyed[root] = fact, keyed
        return keyed

    def known(self, root: Value) -> Fact:
        """Return what has been learned of a value that is no conversion."""
        fact = self._now.get(root)
        return self._made.get(root, ANY) if fact is None else fact

    def learn(self, value: Value, fact: Fact) -> None:
        """Note what is known of a value from here on, and no more what was."""
        if is_integer(value):
            before = self._now.get(value)
            if before is None:
                self._made[value] = fact
            self._trail.append((value, before))
            self._now[value] = fact

    def narrow(self, key: Key, fact: Fact) -> None:
        """Note what is known besides of a value that has been learned of."""
        if isinstance(key, Value):
            root = self.root(key)
            if root in self._now:
                self.learn(root, iv.meet(self._now[root], fact))

    @property
    def mark(self) -> int:
        """How much has been learned so far, to `undo` what comes."""
        return len(self._trail)

    def narrowed_since(self, mark: int) -> Mapping[Value, Fact]:
        """Return what is known now of the values of which something was known before."""
        known = (value for value, before in self._trail[mark:] if before is not None)
        return {value: self._now[value] for value in known}

    def undo(self, mark: int) -> None:
        """Forget what has been learned since."""
        while len(self._trail) > mark:
            value, before = self._trail.pop()
            if before is None:
                del self._now[value]
            else:
                self._now[value] = before

    def at_most(self, a: Value, b: Value, offset: int) -> None:
        """Narrow by `a <= b + offset`, and what is known to be under `a` and over `b` with them."""
        first, second = self.of(a), self.of(b)
        for key, by in first.below.items():
            above = iv.shifted(second.above, offset - by)
            self.narrow(key, Fact(high=second.high + offset - by, above=above))
        for key, by in second.above.items():
            below = iv.shifted(first.below, -offset - by)
            self.narrow(key, Fact(low=first.low - offset - by, below=below))

    def assume(self, value: Value, truth: bool) -> None:
        """Narrow by a bool that is known to be `truth`."""
        found = self._definitions.get(value)
        if found is None:
            return
        first = found.operands[0] if found.operands else None
        if found.op is e.CAST and first is not None:
            self._assume_cast(first, truth)
        elif found.op is e.NOT and first is not None:
            self.assume(first, not truth)
        elif (found.op is e.AND and truth) or (found.op is e.OR and not truth):
            for operand in found.operands:
                self.assume(operand, truth)
        elif found.op is control.IF:
            self._assume_choice(found, found.results.index(value), truth)
        elif found.op in e.COMPARISONS and all(map(is_integer, found.operands)):
            self._assume_order(found, truth)

    def _assume_cast(self, source: Value, truth: bool) -> None:
        if not is_integer(source):
            self.assume(source, truth)
        elif truth:
            self._apart(source, iv.number(0))
        else:
            self.narrow(source, iv.number(0))

    def _assume_choice(self, choice: Instr, index: int, truth: bool) -> None:
        """Narrow by `a and b`, an `if` of which one arm gives a constant."""
        ways: list[tuple[bool, Value]] = []
        for arm, block in zip((True, False), choice.blocks, strict=True):
            last = block.body[-1]
            if any(i.blocks for i in block.body) or not last.target:
                return
            if last.target.label is not choice.label:
                continue
            given = self._definitions.get(last.operands[index])
            if given is None or given.op is not data.CONST or given.attrs["value"] is truth:
                ways.append((arm, last.operands[index]))
        if len(ways) == 1:
            ((arm, given),) = ways
            self.assume(choice.operands[0], arm)
            self.assume(given, truth)

    def _assume_order(self, test: Instr, truth: bool) -> None:
        a, b = test.operands
        if (test.op, truth) in ((e.EQ, True), (e.NE, False)):
            self.at_most(a, b, 0)
            self.at_most(b, a, 0)
        elif test.op in (e.EQ, e.NE):
            self._apart(a, self.of(b))
            self._apart(b, self.of(a))
        else:
            swapped, offset = _ORDERS[test.op, truth]
            self.at_most(*((b, a) if swapped else (a, b)), offset)

    def _apart(self, value: Value, other: Fact) -> None:
        """Narrow a value that differs from a constant at an end of its range."""
        fact = self.of(value)
        if other.is_constant and other.low == fact.low:
            self.narrow(value, Fact(low=fact.low + 1))
        elif other.is_constant and other.low == fact.high:
            self.narrow(value, Fact(high=fact.high - 1))
