"""What ways out of a function release, in orders for which they share code.

Many raise, or return early, each with all that lives to release: code for each of them would grow
with the square of the function.
"""

from collections.abc import Mapping, Sequence

from scriptc_runtime.ir import Block, Label
from scriptc_runtime.ops import low
from scriptc_runtime.types import EXCEPTION, Type

Held = tuple[Type, tuple[str, ...]]  # a value that must be released
# So many releases stand where the function returns; more are in code that returns share.
_FEW = 8


def releases_at_end(block: Block, returns: Label) -> int:
    """Return how many releases stand before the return that ends a block; 0 for a few."""
    *others, end = block.body
    if end.target is None or end.target.label is not returns:
        return 0
    count = 0
    while count < len(others) and others[-1 - count].op is low.RELEASE:
        count += 1
    return count if count > _FEW else 0


def shared_order(
    released: Sequence[Held], known: Mapping[tuple[str, Held], str], handler: str
) -> Sequence[Held]:
    """Return values with those last of which more are released in that order already.

    They come with those last that live longest, which others release where values die one by one.
    Where more and more live, the oldest are what all release.
    """
    if len(released) <= _FEW or any(type_ is EXCEPTION for type_, _ in released):
        return released
    oldest_last = sorted(released, key=_number, reverse=True)
    return max(released, oldest_last, key=lambda order: _known_end(order, known, handler))


def _number(held: Held) -> int:
    """Return the number of a value: later ones have greater numbers."""
    return max((int(c[2:]) for c in held[1] if c.startswith("%v") and c[2:].isdigit()), default=0)


def _known_end(order: Sequence[Held], known: Mapping[tuple[str, Held], str], handler: str) -> int:
    after: str | None = handler
    for count, held in enumerate(reversed(order)):
        after = known.get((after, held))
        if after is None:
            return count
    return len(order)
