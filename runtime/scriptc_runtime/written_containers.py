"""What a caller's list or container becomes when a script has written to the copy of it.

The object stays the one that it is, and loops over it go on as they would in CPython: items of a
dict that are not touched keep their places, and a set gets the table of the script's.
"""

from collections import deque
from itertools import islice
from typing import cast

from scriptc_runtime.bits import same_bits
from scriptc_runtime.containers import swap_tables


def put_back(held: object, new: object) -> None:
    """Give `held` what `new`, of the same class, holds, in the same order."""
    match held:
        case dict():
            _put_items(cast("dict[object, object]", held), cast("dict[object, object]", new))
        case deque():
            items = cast("deque[object]", held)
            items.clear()
            items.extend(cast("deque[object]", new))
        case set():
            _put_table(cast("set[object]", held), cast("set[object]", new))
        case _:  # a list, or what scripts take for one
            cast("list[object]", held)[:] = cast("list[object]", new)


def _put_items(held: dict[object, object], new: dict[object, object]) -> None:
    # What a script does to a dict leaves some of its keys in their order, and adds others at the
    # end: a key that stands elsewhere was removed before.
    old, place = list(held), 0
    is_plain = type(held) is dict  # Counter.update adds counts, and others keep an order of theirs
    if is_plain and old == list(islice(new, len(old))) and set(map(type, new)) in ({int}, {str}):
        held.update(new)
        return
    for key, value in new.items():
        while place < len(old) and not same_bits(old[place], key):
            del held[old[place]]
            place += 1
        place += 1
        held[key] = value
    for key in old[place:]:
        del held[key]


def _put_table(held: set[object], new: set[object]) -> None:
    if not swap_tables(held, new):
        held.clear()
        held |= new
