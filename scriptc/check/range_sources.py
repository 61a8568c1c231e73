"""What loops count, over `range(...)` too: machine numbers, where these reach all that it does."""

from collections.abc import Sequence

from scriptc.check import bigints, operators
from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Literal, LongRangeSource, RangeSource
from scriptc.check.context import Context
from scriptc.check.conversion import converted
from scriptc.check.library.standard import standard_function
from scriptc.syntax import nodes as n
from scriptc_runtime.types import BIGINT, INT
from scriptc_runtime.values import INT_MAX, INT_MIN

Side = tuple[Typed, Computation]


def range_source(
    context: Context, node: n.Call, bounds: Sequence[Side]
) -> RangeSource | LongRangeSource:
    """Return what a loop counts with one, two or three bounds, each an int."""
    (stop_known, stop), *steps = (bounds[1], bounds[0], *bounds[2:]) if bounds[1:] else bounds
    long = any(value.type is BIGINT and not _is_written(known) for known, value in steps)
    start, step = (steps[at][1] if at < len(steps) else Literal(at, INT) for at in (0, 1))
    if not long:
        if stop.type is BIGINT and not _is_written(stop_known):
            # A loop that starts at a machine number does not get beyond the last one.
            stop = context.call(node, standard_function("bigint_math", "nearest_int"), (stop,))
        start, stop, step = (converted(bound, INT) for bound in (start, stop, step))
        return RangeSource(start, stop, step, INT)
    given = tuple(map(bigints.of_any_size, (start, stop, step)))
    count = context.call(node, standard_function("bigint_math", "range_length"), given)
    return LongRangeSource(given[0], given[2], converted(count, INT), BIGINT)


def numbered(context: Context, node: n.Node, start: Computation, place: int) -> Computation:
    """Return the number that `enumerate` gives with an item whose place is known."""
    if isinstance(start, Literal) and isinstance(start.value, int):
        return Literal(start.value + place, INT)
    span = context.span(node)
    sides = (Typed(INT, span), start), (Typed(INT, span), Literal(place, INT))
    return operators.binary(context, node, "+", *sides)


def _is_written(known: Typed) -> bool:
    """Whether an int is known, and 64 bits hold it."""
    value = known.known.value if known.known else None
    return isinstance(value, int) and INT_MIN <= value <= INT_MAX
