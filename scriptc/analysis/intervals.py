"""What is known of an integer: its least and greatest value, and how it lies to other values.

    fact = low .. high, and for some keys  key + a <= value <= key + b

A key is another value of the function, or the size of an axis. Everything is arithmetic of whole
numbers, so a fact about a result says at once whether the result fits 64 bits.
"""

from collections.abc import Callable, Mapping, Sequence

from scriptc_runtime.ir import Value
from scriptc_runtime.record import record, replace
from scriptc_runtime.values import INT_MAX, INT_MIN

# A value, the name of a dim, or an axis of an array whose dim has no name.
Key = Value | str | tuple[Value, int]
Offsets = Mapping[Key, int]

# So many keys are kept for each side: what a bounds check asks for is among the nearest.
MAX_KEYS = 12
_NONE: Offsets = {}


@record
class Fact:
    """`low <= value <= high`, and `key + below[key] <= value <= key + above[key]`."""

    low: int = INT_MIN
    high: int = INT_MAX
    below: Offsets = _NONE
    above: Offsets = _NONE

    @property
    def is_constant(self) -> bool:
        """Whether only one number is possible."""
        return self.low == self.high

    def clamped(self) -> "Fact":
        """Return what holds once the value is known to fit 64 bits."""
        if self.low >= INT_MIN and self.high <= INT_MAX:
            return self
        return replace(self, low=max(self.low, INT_MIN), high=min(self.high, INT_MAX))

    @property
    def fits(self) -> bool:
        """Whether 64 bits hold every value."""
        return self.low >= INT_MIN and self.high <= INT_MAX


ANY = Fact()
TRUTH = Fact(0, 1)


def number(value: int) -> Fact:
    """Return the fact about a constant."""
    return Fact(value, value)


def shifted(offsets: Offsets, by: int) -> Offsets:
    """Return the offsets of a value that is `by` larger."""
    return {key: offset + by for key, offset in offsets.items()} if by else offsets


def tighter(first: Offsets, second: Offsets, better: Callable[[int, int], int]) -> Offsets:
    """Return what two sets of offsets say together, as many as are kept."""
    if not second:
        return first
    if not first:
        return second
    merged = dict(first)
    for key, offset in second.items():
        if key in merged:
            merged[key] = better(merged[key], offset)
        elif len(merged) < MAX_KEYS:
            merged[key] = offset
    return merged


def meet(first: Fact, second: Fact) -> Fact:
    """Return what holds where both facts do."""
    return Fact(
        max(first.low, second.low),
        min(first.high, second.high),
        tighter(first.below, second.below, max),
        tighter(first.above, second.above, min),
    )


def join(first: Fact, second: Fact) -> Fact:
    """Return what holds where one of two facts does."""
    return Fact(
        min(first.low, second.low),
        max(first.high, second.high),
        {k: min(o, second.below[k]) for k, o in first.below.items() if k in second.below},
        {k: max(o, second.above[k]) for k, o in first.above.items() if k in second.above},
    )


def joined(facts: Sequence[Fact]) -> Fact:
    """Return what holds where one of some facts does; there must be one."""
    total = facts[0]
    for fact in facts[1:]:
        total = join(total, fact)
    return total


def implies(stronger: Fact, weaker: Fact) -> bool:
    """Whether whatever `weaker` says follows from `stronger`."""
    return (
        stronger.low >= weaker.low
        and stronger.high <= weaker.high
        and all(stronger.below.get(k, o - 1) >= o for k, o in weaker.below.items())
        and all(stronger.above.get(k, o + 1) <= o for k, o in weaker.above.items())
    )


def itself(value: Value, fact: Fact) -> Fact:
    """Return `fact` with the value as a key of its own: v <= v + 0."""
    return Fact(fact.low, fact.high, {**fact.below, value: 0}, {**fact.above, value: 0})


def plus(a: Fact, b: Fact) -> Fact:
    """Return what is known of a + b; `a` and `b` have themselves as keys."""
    return Fact(
        a.low + b.low,
        a.high + b.high,
        tighter(shifted(a.below, b.low), shifted(b.below, a.low), max),
        tighter(shifted(a.above, b.high), shifted(b.above, a.high), min),
    )


def difference(a: Fact, b: Fact) -> Fact:
    """Return what is known of a - b: a key of both drops out."""
    low, high = a.low - b.high, a.high - b.low
    for key, offset in b.above.items():
        if key in a.below:
            low = max(low, a.below[key] - offset)
    for key, offset in b.below.items():
        if key in a.above:
            high = min(high, a.above[key] - offset)
    return Fact(low, high, shifted(a.below, -b.high), shifted(a.above, -b.low))


def product(a: Fact, b: Fact) -> Fact:
    """Return what is known of a * b."""
    corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    below: Offsets = _NONE
    if a.low >= 1 and b.low >= 1:  # neither factor is larger than the product
        below = tighter(a.below, b.below, max)
    return Fact(min(corners), max(corners), below)


def quotient(a: Fact, b: Fact) -> Fact:
    """Return what is known of a // b, where b is not zero."""
    divisors = [d for d in (b.low, b.high, -1, 1) if b.low <= d <= b.high and d]
    if not divisors:
        return ANY
    corners = [x // y for x in (a.low, a.high) for y in divisors]
    above: Offsets = _NONE
    if a.low >= 0 and b.low >= 1:
        above = a.above
    return Fact(min(corners), max(corners), _NONE, above)


def remainder(a: Fact, b: Fact) -> Fact:
    """Return what is known of a % b, where b is not zero."""
    if b.low >= 0:
        high = b.high - 1
        above = shifted(b.above, -1)
        if a.low >= 0:
            high, above = min(high, a.high), tighter(above, a.above, min)
        return Fact(0, high, _NONE, above)
    if b.high <= 0:
        return Fact(b.low + 1, 0)
    return Fact(min(b.low + 1, 0), max(b.high - 1, 0))


def masked(a: Fact, b: Fact) -> Fact:
    """Return what is known of a & b."""
    masks = [f for f in (a, b) if f.low >= 0]
    if not masks:
        return ANY
    # It is at most what it is masked by, and at most what that is held by.
    above = tighter(masks[0].above, masks[-1].above, min)
    return Fact(0, min(f.high for f in masks), _NONE, above)


def united(a: Fact, b: Fact) -> Fact:
    """Return what is known of a | b and of a ^ b."""
    if a.low < 0 or b.low < 0:
        return ANY
    return Fact(0, (1 << max(a.high, b.high).bit_length()) - 1)


def raised(a: Fact, b: Fact) -> Fact:
    """Return what is known of a << b, where b is not negative."""
    least, most = max(b.low, 0), min(max(b.high, 0), 64)
    return product(a, Fact(1 << min(least, 64), 1 << most))


def lowered(a: Fact, b: Fact) -> Fact:
    """Return what is known of a >> b, where b is not negative."""
    counts = [min(max(c, 0), 64) for c in (b.low, b.high)]
    corners = [x >> c for x in (a.low, a.high) for c in counts]
    above = a.above if a.low >= 0 else _NONE
    return Fact(min(corners), max(corners), _NONE, above)


def negated(a: Fact) -> Fact:
    """Return what is known of -a."""
    return Fact(-a.high, -a.low)


def absolute(a: Fact) -> Fact:
    """Return what is known of abs(a)."""
    if a.low >= 0:
        return a
    return Fact(0 if a.high >= 0 else -a.high, max(-a.low, a.high))


def larger(a: Fact, b: Fact) -> Fact:
    """Return what is known of the larger of two."""
    both = join(a, b)
    below = tighter(a.below, b.below, max)
    return Fact(max(a.low, b.low), max(a.high, b.high), below, both.above)


def smaller(a: Fact, b: Fact) -> Fact:
    """Return what is known of the smaller of two."""
    both = join(a, b)
    above = tighter(a.above, b.above, min)
    return Fact(min(a.low, b.low), min(a.high, b.high), both.below, above)


def widened(old: Fact, new: Fact) -> Fact:
    """Return a guess that holds for longer: bounds that moved go to 0, 1 or out of the way."""
    low = old.low
    if new.low < low:
        low = next((t for t in _FLOORS if t <= new.low), INT_MIN)
    high = old.high if new.high <= old.high else INT_MAX
    return Fact(
        low,
        high,
        {k: o for k, o in old.below.items() if new.below.get(k, o - 1) >= o},
        {k: o for k, o in old.above.items() if new.above.get(k, o + 1) <= o},
    )


_FLOORS: Sequence[int] = (1, 0, -1)
