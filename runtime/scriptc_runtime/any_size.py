"""The name of ints of any size, in annotations and as a function."""

from typing import Any

from scriptc_runtime.types import PyType


class bigint(int):
    """An int of any size, in annotations; called, an int of Python's, which a script has as one."""

    scalar_type = PyType.BIGINT

    def __new__(cls, *given: Any) -> int:  # pyright: ignore[reportIncompatibleMethodOverride] -- there are no objects of it
        """Return `int(*given)`."""
        return int(*given)
