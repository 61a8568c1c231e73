"""Ranges as values: what their methods and slices do."""

import numpy as np


def length(self) -> int:
    """Return how many items a range has."""
    if self.step > 0:
        if self.start >= self.stop:
            return 0
        return (self.stop - self.start - 1) // self.step + 1
    if self.start <= self.stop:
        return 0
    return (self.start - self.stop - 1) // (-self.step) + 1


def as_array(self):
    """Return the array that NumPy makes of the items."""
    return np.arange(self.start, self.stop, self.step)


def item(self, index: int) -> int:
    """Return an item, counted from the end where the index is negative."""
    place = index
    if place < 0:
        place += length(self)
    if place < 0 or place >= length(self):
        raise IndexError("range object index out of range")
    return self.start + place * self.step


def contains(self, value) -> bool:
    """Return whether a number is one of the items."""
    if not -(2.0**63) <= value < 2.0**63:  # no NaN and no infinity is an int
        return False
    whole = int(value)
    if whole != value:
        return False
    if self.step > 0:
        return self.start <= whole < self.stop and (whole - self.start) % self.step == 0
    return self.stop < whole <= self.start and (self.start - whole) % (-self.step) == 0


def index(self, value: int) -> int:
    """Return the place of an item."""
    if not contains(self, value):
        raise ValueError(f"{value} is not in range")
    return (value - self.start) // self.step


def count(self, value: int) -> int:
    """Return how often a number is an item."""
    return 1 if contains(self, value) else 0


def same(self, other):
    """Return whether two ranges have the same items."""
    if not isinstance(other, range):
        return NotImplemented
    size = length(self)
    if size != length(other):
        return False
    if size == 0:
        return True
    return self.start == other.start and (size == 1 or self.step == other.step)


def hash_of_items(self) -> int:
    """Return the hash of a range, which is that of all with the same items."""
    size = length(self)
    if size < 2:
        return hash((size, self.start if size else None, None))
    return hash((size, self.start, self.step))


def text(self) -> str:
    """Return what Python shows of a range."""
    if self.step == 1:
        return f"range({self.start}, {self.stop})"
    return f"range({self.start}, {self.stop}, {self.step})"


def sliced(self, lower, upper, step):
    """Return a slice, which is a range again."""
    size = length(self)
    pace = 1 if step is None else step
    if pace == 0:
        raise ValueError("slice step cannot be zero")
    least = 0 if pace > 0 else -1
    most = size if pace > 0 else size - 1
    begin = least if pace > 0 else most
    end = most if pace > 0 else least
    if lower is not None:
        begin = max(lower + size, least) if lower < 0 else min(lower, most)
    if upper is not None:
        end = max(upper + size, least) if upper < 0 else min(upper, most)
    return range(self.start + begin * self.step, self.start + end * self.step, self.step * pace)
