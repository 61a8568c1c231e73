"""Calls small functions with arrays of every kind, as machine code and as plain Python.

    sweep.py FIRST STEP [all]

takes every STEP-th function from the FIRST on, and every third of the dtypes and ranks for it, or
all of them. Each case is announced before it runs, so that the last line tells which one ended the
process.
"""

# Without annotations the types come from the call.
# pyright: basic

import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from scriptc import script
from scriptc_runtime.errors import ScriptError


def elementwise(a, b):
    return a * 2 + b


def compared(a, b):
    return np.where(a < b, a, b)


def summed(a, b):
    return np.sum(a) + np.sum(b)


def summed_along(a, b):
    return np.sum(a, axis=0) + b[0]


def largest(a, b):
    return np.max(a), np.min(b)


def positions(a, b):
    return np.argmax(a), b[..., 0]


def averaged(a, b):
    return np.mean(a, axis=-1) - np.mean(b, axis=-1)


def dotted(a, b):
    return a @ b


def dotted_transposed(a, b):
    return a.T @ b


def viewed(a, b):
    return a[::-1], b[1:], a[..., None]


def transposed(a, b):
    return a.T, b.T.shape


def added_to(a, b):
    a += b
    return a


def copied_over(a, b):
    a[:] = b


def stencil(a, b):
    a[1:-1] = b[:-2] + b[2:]


def stencil_shifted(a, b):
    b[1:] = a[:-1]
    a[:-1] = b[1:]


def stencil_loop(a, b):
    for i in range(1, a.shape[0] - 1):
        a[i] = b[i - 1] + b[i + 1]


def counted(a, b):
    total = 0
    for _ in a:
        total += 1
    return total, a.shape, b.ndim, b.size


def swept(a, b):
    for i in range(a.shape[0]):
        a[i] = b[-i - 1]
    return np.abs(a)


def multiplied_in_place(a, b):
    a[...] = a @ b


def reversed_in_place(a, b):
    a[:] = a[::-1]
    b[::-1] = b


FUNCTIONS = (
    *(elementwise, compared, summed, summed_along, largest, positions, averaged, dotted),
    *(dotted_transposed, viewed, transposed, added_to, copied_over, stencil, stencil_shifted),
    *(stencil_loop, counted, swept, multiplied_in_place, reversed_in_place),
)


def _filled(shape: tuple[int, ...], dtype: Any = np.float64) -> Any:
    # Small whole numbers: every order of summation gives the same.
    size = int(np.prod(shape))
    return (np.arange(size) * 7 % 11 - 4).reshape(shape).astype(dtype)


def _read_only(array: Any) -> Any:
    array.flags.writeable = False
    return array


def _misaligned(shape: tuple[int, ...]) -> Any:
    data = np.zeros(8 * int(np.prod(shape)) + 1, np.uint8)
    view = data[1:].view(np.float64).reshape(shape)
    view[...] = _filled(shape)
    return view


def _window() -> Any:
    return np.lib.stride_tricks.as_strided(_filled((8,)), (4, 4), (8, 8), writeable=True)


def kinds() -> Iterator[tuple[str, Callable[[], tuple[Any, Any]]]]:
    """Yield what makes two arrays of each kind."""
    square, other = (4, 4), _filled((4, 4)) + 1.0
    yield "C", lambda: (_filled(square), other.copy())
    yield "F", lambda: (np.asfortranarray(_filled(square)), np.asfortranarray(other))
    yield "C and F", lambda: (_filled(square), np.asfortranarray(other))
    yield "strided", lambda: (_filled((8, 8))[::2, ::2], other.copy()[:, ::-1])
    yield "negative", lambda: (_filled(square)[::-1, ::-1], other.copy()[::-1])
    yield "vectors", lambda: (_filled((5,)), _filled((5,)) + 2.0)
    yield "strided vectors", lambda: (_filled((10,))[::2], _filled((5,))[::-1])
    yield "one element", lambda: (_filled((1,)), _filled((1,)))
    yield "no axes", lambda: (_filled(()), _filled(()))
    yield "empty", lambda: (_filled((0,)), _filled((0,)))
    yield "no rows", lambda: (_filled((0, 4)), _filled((0, 4)))
    yield "no columns", lambda: (_filled((4, 0)), _filled((4, 0)))
    yield "no columns and rows", lambda: (_filled((4, 0)), _filled((0, 4)))
    yield "row and column", lambda: (_filled((1, 4)), _filled((4, 1)))
    yield "matrix and vector", lambda: (_filled(square), _filled((4,)))
    yield "vector and matrix", lambda: (_filled((4,)), _filled(square))
    yield "three axes", lambda: (_filled((2, 3, 4)).transpose(2, 0, 1), _filled((4, 2, 3)))
    yield "other sizes", lambda: (_filled(square), _filled((3, 4)))
    yield "itself", lambda: (lambda a: (a, a))(_filled(square))
    yield "itself turned", lambda: (lambda a: (a, a.T))(_filled(square))
    yield "itself reversed", lambda: (lambda a: (a, a[::-1]))(_filled((6,)))
    yield "overlapping", lambda: (lambda a: (a[:-1], a[1:]))(_filled((7,)))
    yield "overlapping back", lambda: (lambda a: (a[1:], a[:-1]))(_filled((7,)))
    yield "overlapping rows", lambda: (lambda a: (a[:-1], a[1:]))(_filled((5, 4)))
    yield "overlapping strides", lambda: (lambda a: (a[:5], a[::2]))(_filled((10,)))
    yield "window", lambda: (_window(), other.copy())
    yield "read-only", lambda: (_read_only(_filled(square)), _read_only(other.copy()))
    yield "read-only second", lambda: (_filled(square), _read_only(other.copy()))
    yield "broadcast", lambda: (np.broadcast_to(_filled((4,)), square), other.copy())
    yield "broadcast second", lambda: (_filled(square), np.broadcast_to(_filled((4, 1)), square))
    yield "byte-swapped", lambda: (_filled(square, ">f8"), other.copy())
    yield "misaligned", lambda: (_misaligned(square), other.copy())
    yield "misaligned second", lambda: (_filled(square), _misaligned(square))
    yield "float32", lambda: (_filled(square, np.float32), other.astype(np.float32))
    yield "float32 and float64", lambda: (_filled(square, np.float32), other.copy())
    yield "int64", lambda: (_filled(square, np.int64), other.astype(np.int64))
    yield "int64 and float64", lambda: (_filled(square, np.int64), other.copy())
    yield "bool", lambda: (_filled(square) > 0, other > 0)
    yield "bool and int64", lambda: (_filled(square) > 0, other.astype(np.int64))
    yield "int32", lambda: (_filled(square, np.int32), other.astype(np.int32))
    yield "complex", lambda: (_filled(square, np.complex128), other.copy())
    yield "objects", lambda: (_filled(square).astype(object), other.copy())
    yield "list", lambda: ([1.0, 2.0], other.copy())
    yield "masked", lambda: (np.ma.masked_array(_filled(square)), other.copy())
    yield "none", lambda: (None, other.copy())


# Kinds that are compiled anew: their types are not those of the others.
OTHER_TYPES = (
    *("vectors", "no axes", "three axes", "matrix and vector", "vector and matrix", "float32"),
    *("float32 and float64", "int64", "int64 and float64", "bool", "bool and int64"),
)
# NumPy 2 copies between two overlapping rows that run in different directions as if they did not
# overlap; machine code takes a copy first.
DIFFER = {("swept", "itself turned")}


def cases(number: int, every: bool) -> Iterator[tuple[str, Callable[[], tuple[Any, Any]]]]:
    """Yield the kinds that a function is called with."""
    for name, make in kinds():
        if (FUNCTIONS[number].__name__, name) in DIFFER:
            continue
        if every or name not in OTHER_TYPES or (OTHER_TYPES.index(name) + number) % 3 == 0:
            yield name, make


def described(value: Any) -> Any:
    """A value with its types in a form to compare."""
    if isinstance(value, tuple):
        return tuple(map(described, value))
    if isinstance(value, np.ndarray):
        # The sign of a zero may depend on the order of a sum.
        return (value.dtype.str, value.shape, repr((value + 0).tolist()), value.flags.writeable)
    return (type(value).__name__, repr(value + 0 if isinstance(value, np.floating) else value))


def ending(call: Any, arguments: tuple[Any, ...]) -> tuple[Any, Any]:
    """What a call returns or raises, and what it leaves in its arguments."""
    try:
        result: Any = ("returned", described(call(*arguments)))
    except ScriptError as error:
        result = ("refused", str(error))
    except Exception as error:
        result = ("raised", type(error).__name__, str(error))
    return result, [described(a) for a in arguments]


def complaint(expected: Any, found: Any, given: Any) -> str:
    """What is wrong with what machine code did, empty where nothing is."""
    (ended, left), (native, native_left) = expected, found
    if native[0] == "refused":
        # The compiler says why, and nothing has been touched.
        return "" if native[1] and native_left == given else f"refused badly: {native}"
    if native == ended:
        return "" if native_left == left else f"left {native_left}, not {left}"
    if native[0] == "raised" and native[1] in ("TypeError", "ValueError"):
        named = "parameter 'a'" in native[2] or "parameter 'b'" in native[2]
        if named:
            return "" if native_left == given else f"refused, but wrote {native_left}"
        if native[:2] == ended[:2]:
            return ""  # messages of NumPy name sizes; classes are compared
    return f"{native}, not {ended}"


def main(first: int, step: int, every: bool) -> None:
    """Run the cases and print those that are wrong."""
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    same = refused = 0
    for number in range(first, len(FUNCTIONS), step):
        function = FUNCTIONS[number]
        scripted = script(function, backend="llvm")
        for name, make in cases(number, every):
            print(f"{function.__name__}: {name}", flush=True)
            given = [described(a) for a in make()]
            expected = ending(function, make())
            for _ in range(2):  # before and after CPython calls the code itself
                found = ending(scripted, make())
                if wrong := complaint(expected, found, given):
                    print(f"WRONG {function.__name__}: {name}: {wrong}")
                same += found[0] == expected[0]
                refused += found[0] != expected[0]
    print(f"{same} same, {refused} refused", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), "all" in sys.argv)
