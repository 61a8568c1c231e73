"""Arguments in memory between unreadable pages, where `SCRIPTC_GUARD` asks for it."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from scriptc.backends.llvm.loading.guarded_arrays import guarded_copy
from scriptc.options import from_environment, guard_of_process
from scriptc.scripted_function import store_of


def guarded(values: Sequence[Any]) -> list[Any]:
    """Return values with the arrays in them copied there; an array that comes twice stays one."""
    return _Guarding().items(values) if guard_of_process() else list(values)


class _Guarding:
    def __init__(self) -> None:
        self._support = store_of(from_environment().cache_dir).support
        self._copies: dict[int, Any] = {}

    def items(self, values: Sequence[Any]) -> list[Any]:
        return [self._value(value) for value in values]

    def _value(self, value: Any) -> Any:
        if type(value) in (list, tuple):
            kind, items = cast("type[Any]", type(value)), cast("Sequence[Any]", value)
            return self._once(items, lambda: kind(self.items(items)))
        if type(value) is np.ndarray:
            array = cast("np.ndarray[Any, Any]", value)
            return self._once(array, lambda: guarded_copy(array, self._support))
        return value

    def _once(self, value: Any, made: Any) -> Any:
        if id(value) not in self._copies:
            self._copies[id(value)] = made()
        return self._copies[id(value)]
