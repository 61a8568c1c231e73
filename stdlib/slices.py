"""Slices as values: what their methods do."""

import numpy as np


def same(self, other) -> bool:
    """Return whether two slices have the same bounds."""
    if not isinstance(other, slice):
        return False
    return (self.start, self.stop, self.step) == (other.start, other.stop, other.step)


def text(self) -> str:
    """Return what Python shows of a slice."""
    return f"slice({self.start!r}, {self.stop!r}, {self.step!r})"


def ellipsis_text(self) -> str:
    """Return what Python shows of `...`."""
    return "Ellipsis"


def indices(self, length: int) -> tuple[int, int, int]:
    """Return the bounds that a slice has for so many items."""
    if not isinstance(length, int | np.integer):
        name = type(length).__name__
        raise TypeError(f"'{name}' object cannot be interpreted as an integer")
    size = int(length)
    if size < 0:
        raise ValueError("length should not be negative")
    pace = 1
    if self.step is not None:
        pace = self.step
    if pace == 0:
        raise ValueError("slice step cannot be zero")
    least = 0 if pace > 0 else -1
    most = size if pace > 0 else size - 1
    begin = least if pace > 0 else most
    end = most if pace > 0 else least
    lower = self.start
    upper = self.stop
    if lower is not None:
        begin = max(lower + size, least) if lower < 0 else min(lower, most)
    if upper is not None:
        end = max(upper + size, least) if upper < 0 else min(upper, most)
    return (begin, end, pace)
