"""Places in the source that machine code names by a number.

Code knows neither files nor lines: it returns a site, and the table beside the object says what
that is. An edit above a function then changes the table only, and the object is used again.
"""

from collections.abc import Sequence

from scriptc_runtime.record import record

# What is added to the numbers of sites: zero, but for instances of library functions.
FIRST_SITE = "sc_first_site"
_FIRST_OF_INSTANCES = 1 << 24  # no program has as many of its own


@record
class Frame:
    """One line of a traceback."""

    function: str
    file: str
    line: int


@record
class Site:
    """A place that can raise: its frames, innermost first, and the message of what it raises.

    There are several frames where calls were inlined. Each {} of the message stands for a number
    that code stores in the context.
    """

    frames: tuple[Frame, ...]
    message: str = ""


class SiteTable:
    """The sites of one object by their numbers, and those of the instances that any may call."""

    def __init__(self, own: Sequence[Site]) -> None:
        self._own = own

    def __getitem__(self, number: int) -> Site:
        if number < _FIRST_OF_INSTANCES:
            return self._own[number]
        return _OF_INSTANCES[number - _FIRST_OF_INSTANCES]


_OF_INSTANCES: list[Site] = []  # all that are loaded in this process


def number_sites(sites: Sequence[Site]) -> int:
    """Return the number of the first of the sites of instances, which follow each other."""
    first = _FIRST_OF_INSTANCES + len(_OF_INSTANCES)
    _OF_INSTANCES.extend(sites)
    return first
