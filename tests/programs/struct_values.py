"""Numbers as bytes and bytes as numbers: `struct` with constant formats."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import math
import struct

from tests.programs import Case

HEADER = "<4sHBx"


def packed(a, b, c, d):
    return struct.pack("<bHiq", a, b, c, d), struct.pack(">BhIL", abs(a), b, c, d)


def packed_natively(a, b, c, d):
    return struct.pack("bHlQ", a, b, c, d), struct.pack("!2h 0i", a, a), struct.calcsize("bHlQ2x")


def floats(x):
    narrow = struct.pack("<d", x), struct.pack(">f", x), struct.pack("=e", x / 1e4)
    return narrow, struct.unpack("<d", struct.pack("<d", x)), struct.unpack(">f", narrow[1])


def wide(x, y):
    return struct.pack("<f", x) + struct.pack("<e", y)


def parts(a, b, c):
    made = struct.pack("3sc?xB", a, b, c, True)
    return made, struct.unpack("3sc?xB", made), struct.pack(""), struct.unpack("", b"")


def unpacked(b):
    return struct.unpack("<bHiq", b)


def unpacked_from(b, offset):
    return struct.unpack_from("<HB", b, offset), struct.unpack_from(">h", b)


def caught(b):
    try:
        (x,) = struct.unpack("<I", b)
    except struct.error as e:
        return str(e), type(e).__name__, isinstance(e, ValueError)
    return str(x), "", False


def records(items: list[tuple[bytes, int, int]]):
    out = b""
    for name, count, flag in items:
        out += struct.pack(HEADER, name, count, flag)
    size = struct.calcsize(HEADER)
    found = []
    for at in range(0, len(out), size):
        name, count, flag = struct.unpack_from(HEADER, out, at)
        found.append((name.rstrip(b"\x00").decode("ascii"), count, flag))
    return out, found


FLOATS = (0.0, -0.0, 1.5, -2.25, math.inf, -math.inf, math.nan, 1e-8, 5e-324, 3e38, 1e-40)
CASES: list[Case] = [
    (packed, [(1, 2, 3, 4), (-1, 32767, 2**31 - 1, 2**32 - 1), (128, 0, 0, 0), (0, -1, 0, 0)]),
    (packed, [(0, 0, 2**31, 0), (0, 65536, 0, 0), (-129, 0, 0, 0)]),
    (packed_natively, [(1, 2, 3, 4), (0, 0, -(2**63), -1), (5, 65535, -1, 2**63 - 1)]),
    (floats, [(x,) for x in FLOATS]),
    (wide, [(1e39, 0.0), (0.0, 65520.0), (-0.0, 65504.0), (math.nan, -1e-8)]),
    (parts, [(b"ab", b"c", 0), (b"abcdef", b"\xff", 7), (b"", b"", 1), (b"", b"xy", 1)]),
    (unpacked, [(bytes(range(15)),), (b"\xff" * 15,), (b"short",), (b"",)]),
    (unpacked_from, [(b"abcdef", at) for at in (0, 3, 4, -3, -6, -7, -1, 9)]),
    (caught, [(b"\x01\x02\x03\x04",), (b"abc",)]),
    (records, [([(b"ab", 1, 2), (b"toolong", 65535, 255)],), ([(b"", 65536, 0)],)]),
]
