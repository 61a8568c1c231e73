"""Tables in two parts: what most programs need, and what is loaded with the first of the rest."""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class TableInParts(Mapping[K, V]):
    """A table that loads the modules of its seldom entries when one of them is asked for."""

    def __init__(self, usual: Mapping[K, V], load_seldom: Callable[[], Mapping[K, V]]) -> None:
        self._usual = usual
        self._load_seldom = load_seldom

    @cached_property
    def _seldom(self) -> Mapping[K, V]:
        return self._load_seldom()

    def __getitem__(self, key: K) -> V:
        return self._usual[key] if key in self._usual else self._seldom[key]

    def __iter__(self) -> Iterator[K]:
        return iter({**self._usual, **self._seldom})

    def __len__(self) -> int:
        return len({**self._usual, **self._seldom})
