"""`prange`: a range whose iterations may run in any order, and several at once."""


def prange(start: int, stop: int | None = None, step: int = 1, /) -> range:
    """Return `range(start, stop, step)`, or `range(start)`, whose iterations run in parallel.

    The program promises that no iteration reads or writes an element that another one writes.
    Variables belong to the iteration that assigns them, but for sums and the like, which a loop
    grows by `s += x` (or `-= *= &= |= ^=`), `s = min(s, x)` or `s = max(s, x)` alone.
    """
    return range(start) if stop is None else range(start, stop, step)


def is_prange(live: object) -> bool:
    """Whether this is `prange`, or Numba's, which promises the same; Numba is not imported."""
    place = getattr(live, "__module__", None), getattr(live, "__qualname__", None)
    return live is prange or place == ("numba.misc.special", "prange")
