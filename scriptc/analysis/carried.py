"""Values that are loop-carried: what to assume of them, and whether a walk has proven it.

A value that an iteration makes larger by at most s is at most start + s * iterations: the end of a
counter is proven by its step, where widening would have to give it up.
"""

from collections.abc import Sequence

from scriptc.analysis import intervals as iv
from scriptc.analysis.intervals import Fact
from scriptc_runtime.ir import Value
from scriptc_runtime.record import field, record, replace


@record
class Counting:
    """How often a counted loop runs at most, and its variable where that counts by ones."""

    iterations: int
    index: Value | None = None
    first: int = 0


@record
class Carried:
    """A value that is loop-carried: what it starts with, and what a walk assumes of it.

    `step` is not None where the assumed end rests on an iteration adding at most that much, and
    so does what is assumed of how it lies to the variable of the loop: `counted`.
    """

    param: Value
    start: Fact
    assumed: Fact
    step: int | None = None
    counted: iv.Offsets = field(default_factory=dict[iv.Key, int])

    def given_up(self) -> "Carried":
        """Return the value with nothing assumed."""
        return Carried(self.param, self.start, iv.ANY)


@record
class Iteration:
    """What a walk found: the start, what is loop-carried, and what an iteration adds."""

    fact: Fact
    growth: int | None

    def proves(self, carried: Carried) -> bool:
        """Whether what was assumed holds in each iteration."""
        fact, assumed = self.fact, carried.assumed
        if carried.step is not None and self.growth is not None and self.growth <= carried.step:
            fact = replace(fact, high=assumed.high, above={**fact.above, **carried.counted})
        return iv.implies(fact, assumed)


def found(carried: Carried, nexts: Sequence[Fact]) -> Iteration:
    """Return what the walk of a loop has found of one value."""
    steps = [fact.above.get(carried.param) for fact in nexts]
    known = [step for step in steps if step is not None]
    growth = max([0, *known]) if len(known) == len(steps) else None
    return Iteration(iv.joined([carried.start, *nexts]), growth)


def next_guess(carried: Carried, iteration: Iteration, counting: Counting | None) -> Carried:
    """Return what to assume in the next walk."""
    guess = replace(carried, assumed=iv.widened(carried.assumed, iteration.fact))
    growth, step = iteration.growth, carried.step
    if not growth or (step is not None and growth > step):
        return _by_steps(guess, None, counting)
    return _by_steps(guess, growth if step is None else step, counting)


def again(known: Carried, start: Fact, counting: Counting | None) -> Carried:
    """Return what to assume of a value of a loop that has been walked, with another start, before.

    A loop around it is walked several times: each loop in others would double the walks.
    """
    guess = replace(known, start=start, assumed=iv.join(known.assumed, start))
    return _by_steps(guess, known.step, counting)


def _by_steps(carried: Carried, step: int | None, counting: Counting | None) -> Carried:
    """Return the value with what follows from how often at most it grows by a step."""
    if step is None or counting is None:
        return replace(carried, step=None, counted={})
    high = carried.start.high + step * max(counting.iterations - 1, 0)
    counted: dict[iv.Key, int] = {}
    if counting.index is not None and step == 1:
        counted[counting.index] = carried.start.high - counting.first
    above = {**carried.assumed.above, **counted}
    assumed = replace(carried.assumed, high=high, above=above).clamped()
    return replace(carried, assumed=assumed, step=step, counted=counted)


def after(carried: Carried, iteration: Iteration, counting: Counting | None) -> Fact:
    """Return what holds of a carried value when the range has ended."""
    if carried.step is None or counting is None:
        return iteration.fact
    high = carried.start.high + carried.step * counting.iterations
    # What does not fit has raised by then.
    return Fact(iteration.fact.low, high, iteration.fact.below).clamped()
