"""What machine code knows of a class of exceptions: Python's class, and how its fields are read."""

import ctypes
from collections.abc import Mapping
from typing import cast

from scriptc_runtime.raised_objects import stand_in
from scriptc_runtime.record import record


@record(eq=False)
class RaisedClass:
    """A class of exceptions, by its name, the names of its fields, and the code that reads them."""

    line: tuple[str, ...]  # its name, and those of the classes that it inherits from
    fields: tuple[str, ...]
    address: int
    known: type | None  # where this process has it

    def live(self, exception: BaseException) -> type[BaseException]:
        """Return Python's class; `exception` is of the built-in class that it derives from."""
        if self.known is not None:
            return cast("type[BaseException]", self.known)
        return stand_in(self.line, type(exception))

    def fields_of(self, block: int) -> Mapping[str, object]:
        """Return the fields of an object."""
        values = _READ(self.address)(block)
        return dict(zip(self.fields, values, strict=True))


_READ = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p)


def described(text: str, given: Mapping[str, object], loaded: Mapping[str, int]) -> RaisedClass:
    """Return the class that the key of an object names: symbol, names, and names of fields."""
    symbol, line, *fields = text.split()
    names = tuple(line.split(":"))
    known = given.get(f"class {names[0]}")
    live = known if isinstance(known, type) else None
    return RaisedClass(names, tuple(fields), loaded[symbol], live)
