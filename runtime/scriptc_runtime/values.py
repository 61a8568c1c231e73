"""What the interpreter computes with, beside Python's and NumPy's own values."""

import builtins
import struct
from collections.abc import Mapping

import numpy as np

INT_MIN, INT_MAX = -(2**63), 2**63 - 1
UINT_MAX = 2**64 - 1  # of a u64

# The exception classes of Python that a script can raise and catch. Each stands before those that
# derive from it, and these follow it at once: back ends number them.
_BUILTIN = """
    BaseException GeneratorExit KeyboardInterrupt SystemExit
    Exception
        ArithmeticError FloatingPointError OverflowError ZeroDivisionError
        AssertionError AttributeError BufferError EOFError
        ImportError ModuleNotFoundError
        LookupError IndexError KeyError
        MemoryError
        NameError UnboundLocalError
        OSError
            BlockingIOError ChildProcessError
            ConnectionError BrokenPipeError ConnectionAbortedError ConnectionRefusedError
                ConnectionResetError
            FileExistsError FileNotFoundError InterruptedError IsADirectoryError
            NotADirectoryError PermissionError ProcessLookupError TimeoutError
        ReferenceError
        RuntimeError NotImplementedError RecursionError
        StopAsyncIteration StopIteration
        SyntaxError IndentationError TabError
        SystemError TypeError
        error
        ValueError
            UnicodeError UnicodeDecodeError UnicodeEncodeError UnicodeTranslateError
            LinAlgError
        Warning BytesWarning DeprecationWarning EncodingWarning FutureWarning ImportWarning
            PendingDeprecationWarning ResourceWarning RuntimeWarning SyntaxWarning UnicodeWarning
            UserWarning
"""
# Those that are no builtins: of NumPy, and `struct.error`.
OF_MODULES: Mapping[str, type[BaseException]] = {
    "LinAlgError": np.linalg.LinAlgError,
    "error": struct.error,
}
# By name; nothing else is looked up.
EXCEPTIONS: Mapping[str, type[BaseException]] = {
    name: OF_MODULES.get(name) or getattr(builtins, name) for name in _BUILTIN.split()
}


# What an object of a class of exceptions has besides its fields: the one of a built-in class, with
# its arguments, which the built-in `__init__` makes.
EXCEPTION_FIELD = "__exception__"


class Cell:
    """A mutable place for one value, which may be unset."""

    __slots__ = ("_value", "is_set")

    def __init__(self, *value: object) -> None:
        self.is_set = bool(value)
        self._value: object = value[0] if value else None

    @property
    def value(self) -> object:
        """The value; meaningful only where `is_set`."""
        return self._value

    @value.setter
    def value(self, value: object) -> None:
        self.is_set, self._value = True, value

    def get(self, name: str, free: bool = False) -> object:
        """Return the value.  Raises UnboundLocalError, or NameError, in CPython's words."""
        if not self.is_set and free:
            raise NameError(
                f"cannot access free variable '{name}' where it is not associated with a value "
                "in enclosing scope"
            )
        if not self.is_set:
            raise UnboundLocalError(
                f"cannot access local variable '{name}' where it is not associated with a value"
            )
        return self._value


class Instance:
    """An object of a scripted class: its class's name and its fields."""

    __slots__ = ("class_name", "fields")

    def __init__(self, class_name: str, fields: dict[str, object]) -> None:
        self.class_name = class_name
        self.fields = fields


def length_of_range(start: int, stop: int, step: int) -> int:
    """Return how many items range(start, stop, step) has, which len() refuses to tell of many."""
    forth, back = (stop - start, step) if step > 0 else (start - stop, -step)
    return max(0, (forth + back - 1) // back)


def checked_int(value: int) -> int:
    """Return `value`.  Raises OverflowError where 64 bits do not hold it: scripts' ints are i64."""
    if INT_MIN <= value <= INT_MAX:
        return value
    raise OverflowError("integer result does not fit in 64 bits")
