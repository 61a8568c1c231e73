"""Hashes of what is made of several values, and of objects, in the script language.

Sources: CPython, Objects/tupleobject.c (xxHash by Yann Collet, reduced to what a lane needs) and
Objects/typeobject.c.
"""

import numpy as np


def tuple_hash(codes) -> int:
    """Return the hash of a tuple whose items have these hashes."""
    total = np.uint64(2870177450012600261)
    for code in codes:
        total += _bits(code) * np.uint64(14029467366897019727)
        total = (total << np.uint64(31)) | (total >> np.uint64(33))
        total *= np.uint64(11400714785074694791)
    total += np.uint64(len(codes)) ^ np.uint64(2870177450012600261 ^ 3527539)
    if total == np.uint64(0xFFFFFFFFFFFFFFFF):
        return 1546275796
    return _signed(total)


def items_hash(items) -> int:
    """Return the hash of a tuple of any length."""
    return tuple_hash([hash(item) for item in items])


def object_hash(code: int) -> int:
    """Return the hash of an object whose `__hash__` gives `code`: -1 stands for an error."""
    return -2 if code == -1 else code


def any_object_hash(code) -> int:
    """Return the hash of an object whose `__hash__` gives an int of any size.

    One that a word holds is not reduced, as the hash of that int would be.
    """
    if -9223372036854775807 - 1 <= code <= 9223372036854775807:
        return object_hash(int(np.int64(code)))
    return hash(code)


def unhashable(name: str) -> int:
    """Say that values of a class have no hash.  Raises TypeError."""
    if name:
        raise TypeError(f"unhashable type: '{name}'")
    return 0


def object_text(about: str, code: int) -> str:
    """Return what Python shows of an object whose class says nothing: where it is."""
    bits = _bits(code)
    return f"<{about} object at 0x{_signed((bits << np.uint64(4)) | (bits >> np.uint64(60))):x}>"


def _bits(code: int) -> np.uint64:
    top = np.uint64(0x8000000000000000) if code < 0 else np.uint64(0)
    return np.uint64(code & 0x7FFFFFFFFFFFFFFF) | top


def _signed(bits: np.uint64) -> int:
    low = int(bits & np.uint64(0x7FFFFFFFFFFFFFFF))
    return low - 0x7FFFFFFFFFFFFFFF - 1 if bits >> np.uint64(63) else low
