"""`prange`: a range whose rounds may run in any order, and several at once."""


def prange(start: int, stop: int | None = None, step: int = 1, /) -> range:
    """Return `range(start, stop, step)`, or `range(start)`; in a script its rounds run in parallel.

    The program promises that no round reads or writes an element that another one writes. Variables
    belong to the round that assigns them, but for sums and the like, which a loop grows by
    `s += x` (or `-= *= &= |= ^=`), `s = min(s, x)` or `s = max(s, x)` alone.
    """
    return range(start) if stop is None else range(start, stop, step)
