"""What stands outside of a script and changes there: the value that it has, and gets.

A call is handed a list that holds the value; when the call ends, what is in the list then is its
new value.
"""

import re
from itertools import count
from typing import cast

_COUNT = re.compile(r"count\((-?\d+)(?:, (-?\d+))?\)")


class OutsidePlace:
    """Something that has a name and a value, and belongs to an object."""

    __slots__ = ("live", "name")

    def __init__(self, live: object, name: str) -> None:
        self.live = live
        self.name = name

    def __eq__(self, other: object) -> bool:
        """Whether both are the same place of the same object."""
        return isinstance(other, OutsidePlace) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[int, str]:
        return id(self.live), self.name

    @property
    def current(self) -> object:
        """The value that it has now.  Raises KeyError where there is none."""
        raise NotImplementedError

    def set(self, value: object) -> None:
        """Let it have another value."""
        raise NotImplementedError


class OutsideCount(OutsidePlace):
    """The next number of an `itertools.count` of ints."""

    __slots__ = ()

    def __init__(self, live: object) -> None:
        super().__init__(live, "count")

    @property
    def current(self) -> int:
        """The number that comes next."""
        return _numbers(self.live)[0]

    @property
    def step(self) -> int:
        """What one number is more than the one before."""
        return _numbers(self.live)[1]

    def set(self, value: object) -> None:
        """Take as many numbers as were taken in the call."""
        first, step = _numbers(self.live)
        for _ in range((cast(int, value) - first) // step if step else 0):
            next(cast("count[int]", self.live))


def _numbers(counter: object) -> tuple[int, int]:
    """Return the next number, and the step."""
    # Its text says them without taking a number; Python 3.14 copies and pickles none.
    found = _COUNT.fullmatch(repr(counter))
    assert found is not None
    return int(found[1]), int(found[2] or 1)


def is_count(value: object) -> bool:
    """Whether something is an `itertools.count` of ints."""
    kind = type(value)
    return kind is count and _COUNT.fullmatch(repr(value)) is not None
