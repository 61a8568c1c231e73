"""`"{} of {}".format(*xs)`, where the format says how many items of a list are asked for.

"{} of {}".format(replacement(xs, 0, 0), replacement(xs, 1, 0))
"""

import string
from collections.abc import Iterator

from scriptc.check.bindings import Static
from scriptc.check.context import Context
from scriptc.syntax import nodes as n
from scriptc_runtime.types import STR

# What the item of a list is called by.
REPLACEMENT = "replacement@star"


def filled(context: Context, node: n.Call, callee: Static, star: n.Starred) -> n.Expression | None:
    """Return a call of `format` with an item for each place; None for any other call."""
    if callee.receiver is None or callee.value != "format" or node.args[-1] is not star:
        return None
    _, receiver = callee.receiver
    known = receiver.known
    if receiver.type is not STR or known is None or not isinstance(known.value, str):
        return None
    before = len(node.args) - 1
    count = max(_places(known.value), default=-1) + 1 - before
    lo, hi = node.lo, node.hi

    def item(place: int) -> n.Expression:
        numbers = (n.Constant(lo, hi, number, None) for number in (place, before))
        return n.Call(lo, hi, n.Name(lo, hi, REPLACEMENT), (star.value, *numbers), ())

    items = tuple(item(place) for place in range(count))
    return n.Call(lo, hi, node.func, (*node.args[:-1], *items), node.keywords)


def _places(text: str) -> Iterator[int]:
    """Yield the number of each place of a format that stands for an argument by position."""
    taken = 0
    waiting = [text]
    for part in waiting:
        for _, place, spec, _ in string.Formatter().parse(part):
            if place is None:
                continue
            first = place.partition(".")[0].partition("[")[0]
            if not first:
                yield taken
                taken += 1
            elif first.isdecimal():
                yield int(first)
            waiting += [spec] if spec else []
