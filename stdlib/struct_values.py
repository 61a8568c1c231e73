"""Values of `struct`: numbers as bytes, and bytes as numbers."""

import math
import struct

import numpy as np

from scriptc_runtime import unsafe


def start_of(data: bytes, offset: int, size: int) -> int:
    """Return where bytes are read from.  Raises struct.error."""
    length = len(data)
    start = offset
    if start < 0:
        if start + size > 0:
            raise struct.error(f"not enough data to unpack {size} bytes at offset {offset}")
        if start + length < 0:
            raise struct.error(f"offset {offset} out of range for {length}-byte buffer")
        start += length
    if length - start < size:
        text = f"unpack_from requires a buffer of at least {size + start} bytes for unpacking "
        text += f"{size} bytes at offset {start} (actual buffer size is {length})"
        raise struct.error(text)
    return start


def bytes_at(data: bytes, place: int, size: int) -> bytes:
    """Return a part of bytes."""
    return data[place : place + size]


def truth_at(data: bytes, place: int, size: int) -> bool:
    """Return whether a byte is not zero."""
    return data[place] != 0


def whole_at(data: bytes, place: int, size: int, big: bool, signed: bool) -> int:
    """Return the int that some bytes are.  Raises OverflowError beyond 64 bits."""
    text = unsafe.bytes_text(data)
    bits = np.int64(0)
    for i in range(size):
        code = ord(text[place + (i if big else size - 1 - i)])
        bits = bits << np.int64(8) | np.int64(code)
    found = int(bits)
    if signed and size < 8:
        half = 1 << (8 * size - 1)
        return (found ^ half) - half
    if not signed and found < 0:
        raise OverflowError("integer result does not fit in 64 bits")
    return found


def bytes_of(value: int, size: int, big: bool) -> bytes:
    """Return the lowest bytes of an int."""
    found: list[np.uint8] = []
    rest = value
    for _ in range(size):
        found.append(np.uint8(rest & 255))
        rest >>= 8
    if big:
        found.reverse()
    return unsafe.bytes_of(found)


def fitted(data: bytes, size: int) -> bytes:
    """Return bytes of a size: cut, or with zeros behind."""
    return data[:size].ljust(size, b"\x00")


def one_byte(data: bytes, message: str) -> bytes:
    """Return bytes that are one.  Raises struct.error."""
    if len(data) != 1:
        raise struct.error(message)
    return data


def _float_of(bits: int, places: int, powers: int) -> float:
    """Return the float that bits are: so many of the fraction, and of the power of two."""
    fraction = bits & ((1 << places) - 1)
    power = (bits >> places) & ((1 << powers) - 1)
    most = (1 << powers) - 1
    lowest = 2 - (1 << (powers - 1)) - places
    if power == most:
        size = math.inf if fraction == 0 else math.nan
    elif power == 0:
        size = math.ldexp(float(fraction), lowest)
    else:
        size = math.ldexp(float(fraction | 1 << places), power - 1 + lowest)
    return -size if bits >> (places + powers) & 1 else size


def float_of_64(bits: int) -> float:
    """Return the float of 64 bits."""
    return _float_of(bits, 52, 11)


def float_of_32(bits: int) -> float:
    """Return the float of 32 bits."""
    return _float_of(bits, 23, 8)


def float_of_16(bits: int) -> float:
    """Return the float of 16 bits."""
    return _float_of(bits, 10, 5)


def _bits_of(value: float, places: int, powers: int) -> int:
    """Return the bits of a float that has an exact form of so many."""
    negative = math.copysign(1.0, value) < 0.0
    size = abs(value)
    most = (1 << powers) - 1
    lowest = 2 - (1 << (powers - 1)) - places
    if math.isnan(value):
        found = most << places | 1 << (places - 1)
    elif math.isinf(value):
        found = most << places
    else:
        fraction, exponent = math.frexp(size)
        power = exponent - 1 - places - lowest + 1
        if size == 0.0:
            found = 0
        elif power <= 0:
            found = int(math.ldexp(size, -lowest))
        else:
            found = int(math.ldexp(fraction, places + 1)) + ((power - 1) << places)
    if not negative:
        return found
    if places == 52:
        return found + (-9223372036854775807 - 1)
    return found | 1 << (places + powers)


def bits_of_64(value: float) -> int:
    """Return the 64 bits of a float, as an int with a sign."""
    return _bits_of(value, 52, 11)


def bits_of_32(value: float) -> int:
    """Return the 32 bits of a float.  Raises OverflowError."""
    rounded = float(np.float32(value))
    if math.isinf(rounded) and not math.isinf(value):
        raise OverflowError("float too large to pack with f format")
    return _bits_of(rounded, 23, 8)


def bits_of_16(value: float) -> int:
    """Return the 16 bits of a float.  Raises OverflowError."""
    rounded = float(np.float16(value))
    if math.isinf(rounded) and not math.isinf(value):
        raise OverflowError("float too large to pack with e format")
    return _bits_of(rounded, 10, 5)
