"""Typed lists of Numba's, which need not be there: a class of that name stands in.

The functions have no annotations: that is what the tests are about.
"""

# pyright: basic

from collections.abc import Iterable, Iterator, MutableSequence
from typing import Any, cast

import numpy as np
import pytest

from scriptc import ScriptError, script


class List(MutableSequence[Any]):
    """Stands for the class of Numba's: its module and its names are."""

    def __init__(self, items: Iterable[Any] = ()) -> None:
        self._items = list(items)

    @classmethod
    def empty_list(cls, item_type: object) -> "List":
        """Return an empty list."""
        del item_type
        return cls()

    def __getitem__(self, place: Any) -> Any:
        return self._items[place]

    def __setitem__(self, place: Any, value: Any) -> None:
        self._items[place] = value

    def __delitem__(self, place: Any) -> None:
        del self._items[place]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def insert(self, index: int, value: Any) -> None:
        """Put an item in front of another."""
        self._items.insert(index, value)


List.__module__ = "numba.typed.typedlist"
cast(Any, List.empty_list).__func__.__module__ = "numba.typed.typedlist"


class Integer:
    """Stands for the class of Numba's types of integers."""


INTP = Integer()


@pytest.mark.parametrize("backend", ["llvm", "interp"])
def test_typed_lists_are_passed_in_and_written_to(backend: str) -> None:
    def total(xs):
        seen = 0
        for x in xs:
            seen += x
        xs.append(seen)
        return seen, xs

    values = List([1, 2, 3])
    found, same = script(total, backend=backend)(values)
    assert (found, same is values, list(values)) == (6, True, [1, 2, 3, 6])
    assert script(total, backend=backend)([4]) == (4, [4, 4])

    rows = List([np.arange(3.0), np.ones(2)])

    def doubled(xs):
        for x in xs:
            x *= 2.0
        return len(xs)

    assert script(doubled, backend=backend)(rows) == 2
    assert rows[0].tolist() == [0.0, 2.0, 4.0]


@pytest.mark.parametrize("backend", ["llvm", "interp"])
def test_typed_lists_of_scripts_are_lists(backend: str) -> None:
    def made(n):
        places = List.empty_list(INTP)
        rows = List()
        for i in range(n):
            places.append(i)
            rows.append(np.arange(i) * 0.5)
        return places, len(rows), List.empty_list(INTP), List(places)

    assert script(made, backend=backend)(2) == ([0, 1], 2, [], [0, 1])
    assert script(made, backend=backend)(0) == ([], 0, [], [])


def test_more_arguments_are_refused() -> None:
    def made():
        return List.empty_list(INTP, 5)  # pyright: ignore[reportCallIssue]

    with pytest.raises(ScriptError, match="no capacity"):
        script(made)()
