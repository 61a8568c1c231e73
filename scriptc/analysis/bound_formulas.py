"""Bounds: how large an int becomes at most, in terms of what a loop is given.

    |x| <= 3 * |n| + |m|               Bound(by=3 * |n| + |m|)
    |x| <= |s| + |m|, or |x| <= |n|    Bound(by=|m|, base=s, other=|n|)

Formulas are put together here and computed when the program runs. The base is a value that goes
of a loop, of which an iteration adds to what was there, or starts anew.
"""

from collections.abc import Callable, Mapping, Sequence

from scriptc_runtime.ir import Value
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.record import record


@record(exact=True)
class Number:
    """A formula: a number that is not negative."""

    value: float


@record(eq=False)
class Size:
    """A formula: the magnitude of an int from before the loop."""

    value: Value


@record(eq=False)
class Combined:
    """A formula: `add`, `mul` or `maximum` of two."""

    op: OpDef
    first: "Formula"
    second: "Formula"


Formula = Number | Size | Combined
ZERO, ONE = Number(0.0), Number(1.0)
_FOLDED: Mapping[OpDef, Callable[[float, float], float]] = {
    e.ADD: lambda a, b: a + b,
    e.MUL: lambda a, b: a * b,
    e.MAXIMUM: max,
}


def combined(op: OpDef, first: Formula, second: Formula) -> Formula:
    """Return the sum, product or maximum of two formulas."""
    if isinstance(first, Number) and isinstance(second, Number):
        return Number(_FOLDED[op](first.value, second.value))
    if first is second and op is e.MAXIMUM:
        return first
    for one, other in ((first, second), (second, first)):
        if one == ZERO:
            return ZERO if op is e.MUL else other
        if one == ONE and op is e.MUL:
            return other
    return Combined(op, first, second)


@record
class Bound:
    """A magnitude: at most that of `base`, if any, and `by`; or at most `other`."""

    by: Formula
    base: Value | None = None
    other: Formula = ZERO


def added(first: Bound, second: Bound) -> Bound | None:
    """Return what holds of the sum of two values; at most one of them has a base."""
    if first.base is not None and second.base is not None:
        return None
    base, plain = (second, first) if second.base is not None else (first, second)
    if plain.other != ZERO:
        return None
    by = combined(e.ADD, base.by, plain.by)
    other = base.other if base.other == ZERO else combined(e.ADD, base.other, plain.by)
    return Bound(by, base.base, other)


def joined(bounds: Sequence[Bound | None]) -> Bound | None:
    """Return what holds of whichever of some values there is; at most one of them has a base."""
    total: Bound | None = None
    for bound in bounds:
        if bound is None:
            return None
        total = bound if total is None else _either(total, bound)
        if total is None:
            return None
    return total


def grown(
    param: Value, start: Bound | None, after: Bound, iterations: Formula | None
) -> Bound | None:
    """Return how large a value becomes that is loop-carried, from what an iteration makes of it."""
    if start is None or after.base not in (param, None):
        return None
    if after.base is None:
        return _either(start, Bound(after.by))
    if after.by == ZERO:
        return _either(start, Bound(after.other))
    if iterations is None:
        return None
    reset = start if after.other == ZERO else _either(start, Bound(after.other))
    return None if reset is None else added(reset, Bound(combined(e.MUL, iterations, after.by)))


def _either(first: Bound, second: Bound) -> Bound | None:
    if first.base is second.base:
        by = combined(e.MAXIMUM, first.by, second.by)
        return Bound(by, first.base, combined(e.MAXIMUM, first.other, second.other))
    if first.base is not None and second.base is not None:
        return None
    based, plain = (first, second) if first.base is not None else (second, first)
    other = combined(e.MAXIMUM, based.other, plain.by)
    return Bound(based.by, based.base, other)
