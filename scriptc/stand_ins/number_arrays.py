"""`array.array`: numbers of one kind, which a letter says; one class for floats, one for ints."""

# Types come from the calls, as in any program.
# pyright: basic

# No base in common: a class that has one is not split by what its objects hold.

import struct

import numpy as np


def _size_of(code: str) -> int:
    """Return how many bytes an int of a kind takes."""
    if code in "bB":
        return 1
    if code in "hH":
        return 2
    return 4 if code in "iI" else 8


def _name_of(code: str) -> str:
    if code in "bB":
        return "signed char" if code == "b" else "unsigned byte integer"
    if code in "hH":
        return "signed short integer" if code == "h" else "unsigned short"
    return "signed integer" if code == "i" else "unsigned int"


def _fitting(code: str, x: int) -> int:
    """Return an int that a kind holds.  Raises OverflowError."""
    if code in "lq":
        return x
    if code in "ILQ" and x < 0:
        kind = "int to unsigned" if code == "Q" else "value to unsigned int"
        raise OverflowError(f"can't convert negative {kind}")
    if code in "LQ":
        return x
    # As in CPython, which reads them as wider ones first.
    if code == "b" and not -(2**15) <= x < 2**15:
        code = "h"
    if code == "H" and not -(2**31) <= x < 2**31:
        code = "i"
    bits = 8 * _size_of(code)
    least, most = (0, 2**bits - 1) if code in "BHI" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    if x > most:
        raise OverflowError(f"{_name_of(code)} is greater than maximum")
    if x < least:
        raise OverflowError(f"{_name_of(code)} is less than minimum")
    return x


def _parts_of(data, size: int):
    """Yield the bytes of each number.  Raises ValueError."""
    if len(data) % size != 0:
        raise ValueError("bytes length not a multiple of item size")
    for place in range(0, len(data), size):
        yield bytes(data[place : place + size])


def _float_in(code: str, part: bytes) -> float:
    """Return the float that bytes are of."""
    return struct.unpack("<f", part)[0] if code == "f" else struct.unpack("<d", part)[0]


class FloatArray:
    """An array of the kinds f and d."""

    def __init__(self, typecode: str, initializer=()):
        self.typecode = typecode
        self.itemsize = 4 if typecode == "f" else 8
        self._items: list[float] = []
        if isinstance(initializer, (bytes, bytearray)):
            for part in _parts_of(initializer, self.itemsize):
                self._items.append(_float_in(typecode, part))
        else:
            for x in initializer:
                self._items.append(self._fit(x))

    def _fit(self, x) -> float:
        number = float(x * 1.0)  # no text is one
        return float(np.float32(number)) if self.typecode == "f" else number

    def _like(self, items: list[float]) -> "FloatArray":
        made = FloatArray(self.typecode)
        made._items = items
        return made

    def append(self, x) -> None:
        """Add a number at the end."""
        self._items.append(self._fit(x))

    def extend(self, xs) -> None:
        """Add numbers at the end."""
        for x in xs:
            self._items.append(self._fit(x))

    def fromlist(self, xs) -> None:
        """Add the numbers of a list at the end."""
        self.extend(xs)

    def insert(self, i: int, x) -> None:
        """Put a number in front of the item at a place."""
        self._items.insert(i, self._fit(x))

    def pop(self, i: int = -1) -> float:
        """Remove an item and return it.  Raises IndexError."""
        if not self._items:
            raise IndexError("pop from empty array")
        return self._items.pop(i)

    def remove(self, x) -> None:
        """Remove the first item that equals a number.  Raises ValueError."""
        for i, item in enumerate(self._items):
            if item == x:
                self._items.pop(i)
                return
        raise ValueError("array.remove(x): x not in array")

    def index(self, x) -> int:
        """Return the place of the first item that equals a number.  Raises ValueError."""
        for i, item in enumerate(self._items):
            if item == x:
                return i
        raise ValueError("array.index(x): x not in array")

    def count(self, x) -> int:
        """Return how many items equal a number."""
        return sum(1 for item in self._items if item == x)

    def reverse(self) -> None:
        """Turn the items round."""
        self._items.reverse()

    def tolist(self) -> list[float]:
        """Return a list of the items."""
        return self._items.copy()

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self):
        return iter(self._items)

    def __contains__(self, x) -> bool:
        return x in self._items

    def __getitem__(self, i):
        if isinstance(i, slice):
            return self._like(self._items[i])
        if not -len(self._items) <= i < len(self._items):
            raise IndexError("array index out of range")
        return self._items[i]

    def __setitem__(self, i: int, x) -> None:
        if not -len(self._items) <= i < len(self._items):
            raise IndexError("array assignment index out of range")
        self._items[i] = self._fit(x)

    def __add__(self, other: "FloatArray") -> "FloatArray":
        return self._like(self._items + other._items)

    def __iadd__(self, other: "FloatArray") -> "FloatArray":
        self._items.extend(other._items)
        return self

    def __imul__(self, n: int) -> "FloatArray":
        self._items *= n
        return self

    def __mul__(self, n: int) -> "FloatArray":
        return self._like(self._items * n)

    def __rmul__(self, n: int) -> "FloatArray":
        return self._like(self._items * n)

    def __eq__(self, other) -> bool:
        if isinstance(other, (FloatArray, IntArray)):
            return self._items == other._items
        return NotImplemented

    def __repr__(self) -> str:
        if not self._items:
            return f"array('{self.typecode}')"
        return f"array('{self.typecode}', {self._items})"


class IntArray:
    """An array of the kinds b, h, i, l, q and their capitals."""

    def __init__(self, typecode: str, initializer=()):
        self.typecode = typecode
        self.itemsize = _size_of(typecode)
        self._items: list[int] = []
        if isinstance(initializer, (bytes, bytearray)):
            for part in _parts_of(initializer, self.itemsize):
                self._items.append(int.from_bytes(part, "little", signed=typecode in "bhilq"))
        else:
            for x in initializer:
                self._items.append(self._fit(x))

    def _fit(self, x: int) -> int:
        return _fitting(self.typecode, x)

    def _like(self, items: list[int]) -> "IntArray":
        made = IntArray(self.typecode)
        made._items = items
        return made

    def append(self, x) -> None:
        """Add a number at the end."""
        self._items.append(self._fit(x))

    def extend(self, xs) -> None:
        """Add numbers at the end."""
        for x in xs:
            self._items.append(self._fit(x))

    def fromlist(self, xs) -> None:
        """Add the numbers of a list at the end."""
        self.extend(xs)

    def insert(self, i: int, x) -> None:
        """Put a number in front of the item at a place."""
        self._items.insert(i, self._fit(x))

    def pop(self, i: int = -1) -> int:
        """Remove an item and return it.  Raises IndexError."""
        if not self._items:
            raise IndexError("pop from empty array")
        return self._items.pop(i)

    def remove(self, x) -> None:
        """Remove the first item that equals a number.  Raises ValueError."""
        for i, item in enumerate(self._items):
            if item == x:
                self._items.pop(i)
                return
        raise ValueError("array.remove(x): x not in array")

    def index(self, x) -> int:
        """Return the place of the first item that equals a number.  Raises ValueError."""
        for i, item in enumerate(self._items):
            if item == x:
                return i
        raise ValueError("array.index(x): x not in array")

    def count(self, x) -> int:
        """Return how many items equal a number."""
        return sum(1 for item in self._items if item == x)

    def reverse(self) -> None:
        """Turn the items round."""
        self._items.reverse()

    def tolist(self) -> list[int]:
        """Return a list of the items."""
        return self._items.copy()

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self):
        return iter(self._items)

    def __contains__(self, x) -> bool:
        return x in self._items

    def __getitem__(self, i):
        if isinstance(i, slice):
            return self._like(self._items[i])
        if not -len(self._items) <= i < len(self._items):
            raise IndexError("array index out of range")
        return self._items[i]

    def __setitem__(self, i: int, x) -> None:
        if not -len(self._items) <= i < len(self._items):
            raise IndexError("array assignment index out of range")
        self._items[i] = self._fit(x)

    def __add__(self, other: "IntArray") -> "IntArray":
        return self._like(self._items + other._items)

    def __iadd__(self, other: "IntArray") -> "IntArray":
        self._items.extend(other._items)
        return self

    def __imul__(self, n: int) -> "IntArray":
        self._items *= n
        return self

    def __mul__(self, n: int) -> "IntArray":
        return self._like(self._items * n)

    def __rmul__(self, n: int) -> "IntArray":
        return self._like(self._items * n)

    def __eq__(self, other) -> bool:
        if isinstance(other, (FloatArray, IntArray)):
            return self._items == other._items
        return NotImplemented

    def __repr__(self) -> str:
        if not self._items:
            return f"array('{self.typecode}')"
        return f"array('{self.typecode}', {self._items})"
