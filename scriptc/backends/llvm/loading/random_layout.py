"""Where NumPy's random generators keep what compiled code uses, and the C functions they call.

A generator object holds a copy of its `bitgen_t` (a state and the functions that advance it, which
NumPy documents), the lock that its methods take, and, if it is a RandomState, what the polar method
has left over. Where in the object they stand is nobody's promise, so they are looked for in real
objects: each is a word that can be told from all others.

Annotations are strings: `np.random.Generator` would make NumPy load all of it at each start.
"""

import ctypes
import struct
from collections.abc import Sequence
from functools import cache
from typing import Any, cast

import numpy as np

from scriptc.backends.llvm.loading.heap_types import LayoutError
from scriptc_runtime.types import GENERATOR, RANDOM_STATE

# Fields of a bitgen_t, in bytes from its start.
BITS_STATE, BITS_DOUBLE = 0, 24
_BITS_WORDS = 5

LAYOUT_SYMBOL = "sc_random_layout"
# The places of byte offsets in the table behind the symbol.
BITS_AT = {GENERATOR: 0, RANDOM_STATE: 2}
LOCK_AT = {GENERATOR: 1, RANDOM_STATE: 3}
POLAR_AT = 4
BINOMIAL_AT = 5

_CAPSULE_POINTER = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)


@cache
def random_layout() -> ctypes.Array[ctypes.c_int64]:
    """Return the byte offsets of the fields.  Raises LayoutError."""
    bits = np.random.MT19937(1)
    found: list[int] = []
    for source in (np.random.Generator(bits), np.random.RandomState(bits)):
        words = _words(source)
        at = place_of(words, _bits_of(bits))
        found += [at, place_of(words, [id(bits.lock)])]
    found.append(place_of(words, [id(source) + at]))
    found.append(_binomial_place(np.random.Generator(bits)))
    return (ctypes.c_int64 * len(found))(*found)


def _binomial_place(source: "np.random.Generator") -> int:
    """Return where a generator keeps what it has learned of a binomial distribution."""
    trials, chance = 10, 0.25
    source.binomial(trials, chance)
    (bits,) = struct.unpack("Q", struct.pack("d", chance))
    # Behind a flag.
    return place_of(_words(source), [bits, trials]) - 8


def _words(value: object) -> Sequence[int]:
    count = type(value).__basicsize__ // 8
    return list((ctypes.c_uint64 * count).from_address(id(value)))


def _bits_of(bits: "np.random.BitGenerator") -> Sequence[int]:
    pointer = _CAPSULE_POINTER(("PyCapsule_GetPointer", ctypes.pythonapi))
    address = pointer(bits.capsule, b"BitGenerator")
    return list((ctypes.c_uint64 * _BITS_WORDS).from_address(address))


def place_of(words: Sequence[int], wanted: Sequence[int]) -> int:
    """Return where the only row of words like the wanted ones stands.  Raises LayoutError."""
    places = [
        at
        for at in range(len(words) - len(wanted) + 1)
        if list(words[at : at + len(wanted)]) == list(wanted)
    ]
    if len(places) != 1:
        raise LayoutError(f"NumPy {np.__version__} keeps generators in a way that is not known")
    return 8 * places[0]


def distribution_address(symbol: str) -> int | None:
    """Return the address of a function of NumPy's C API for random numbers, if it can be found."""
    library = _library()
    try:
        return library and ctypes.addressof(ctypes.c_char.in_dll(library, symbol))
    except ValueError:
        return None


@cache
def _library() -> ctypes.CDLL | None:
    # NumPy's manual opens this file in the same way, for cffi.
    generator: Any = vars(np.random).get("_generator")
    file = cast("str | None", getattr(generator, "__file__", None))
    return ctypes.CDLL(file) if file else None


def layout_address() -> int:
    """Return the address of the table of byte offsets."""
    return ctypes.addressof(random_layout())
