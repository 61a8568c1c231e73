"""Subclasses of np.ndarray that scripts take for arrays, and those they do not.

A subclass may give operators, subscripts and methods another meaning: of matrices `*` is the
product, masked arrays leave elements out, arrays with units keep units. One that changes nothing of
what arrays compute, np.memmap above all, is the array that it is.
"""

from itertools import takewhile
from operator import is_
from typing import cast

import numpy as np

Array = np.ndarray[tuple[int, ...], np.dtype[np.generic]]

# What a class may have of its own: how it is made, kept, copied and shown.
_HARMLESS = frozenset(
    f"__{name}__"
    for name in (
        *("new", "init", "del", "doc", "module", "dict", "weakref", "slots", "annotations"),
        *("repr", "str", "format", "dir", "sizeof", "init_subclass", "class_getitem"),
        *("reduce", "reduce_ex", "getstate", "setstate", "copy", "deepcopy"),
        *("array_finalize", "array_priority"),
    )
)
_MEANINGS = frozenset(dir(np.ndarray)) - _HARMLESS


def is_plain_array(cls: type) -> bool:
    """Whether objects of a class are arrays with the meaning that np.ndarray gives everything."""
    if cls is np.ndarray:
        return True
    if not issubclass(cls, np.ndarray):
        return False
    own = takewhile(lambda base: base is not np.ndarray, cls.__mro__)
    # What a memmap has of its own is its file.
    return all(base is np.memmap or _MEANINGS.isdisjoint(vars(base)) for base in own)


class PlainArrays:
    """Arrays that stand for objects of subclasses in a script, and what each of them stands for."""

    __slots__ = ("_given",)

    def __init__(self) -> None:
        # By the identity of the array, which is kept here.
        self._given: dict[int, tuple[Array, object]] = {}

    def plain(self, given: object) -> Array:
        """Return an object of a plain subclass as the array that scripts are given."""
        for array, known in self._given.values():
            if known is given:
                return array
        array = cast(Array, given).view(np.ndarray)
        self._given[id(array)] = array, given
        return array

    def taken(self, value: object) -> object:
        """Return an argument with arrays in place of objects of plain subclasses, in tuples too."""
        kind = type(value)
        if kind is tuple:
            items = cast("tuple[object, ...]", value)
            taken = tuple(map(self.taken, items))
            return items if all(map(is_, taken, items)) else taken
        return self.plain(value) if kind is not np.ndarray and is_plain_array(kind) else value

    def given_back(self, value: object) -> object:
        """Return what a script gave with the caller's own objects; of a list the items are put."""
        if not self._given:
            return value
        if type(value) is tuple:
            given = cast("tuple[object, ...]", value)
            items = list(map(self.given_back, given))
            return given if all(map(is_, items, given)) else tuple(items)
        if type(value) is list:
            items = cast("list[object]", value)
            items[:] = map(self.given_back, items)
            return items
        found = self._given.get(id(value))
        return value if found is None else found[1]
