"""Tables of families, each of which is loaded with the first of its entries that is asked for."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")
Part = Callable[[], Mapping[K, V]]  # loads a module, and returns its entries


class TableOfFamilies(Mapping[K, V]):
    """A table in parts: where the entries of a family may stand is looked at in order.

    `usual` are the entries that most programs need.
    """

    def __init__(
        self,
        usual: Mapping[K, V],
        family_of: Callable[[K], str],
        parts: Mapping[str, Sequence[Part[K, V]]],
    ) -> None:
        self._usual = usual
        self._found = dict(usual)
        self._family_of = family_of
        self._parts = parts

    def __getitem__(self, key: K) -> V:
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._look_up(key)
        return found

    def _look_up(self, key: K) -> V:
        for part in self._parts.get(self._family_of(key), ()):
            entries = part()
            if key in entries:
                return entries[key]
        raise KeyError(key)

    def __iter__(self) -> Iterator[K]:
        parts = (part() for parts in self._parts.values() for part in parts)
        return iter({**self._usual, **{key: None for entries in parts for key in entries}})

    def __len__(self) -> int:
        return sum(1 for _ in self)
