"""Formats that are objects outside, `struct.Struct`: their methods, size and format.

The types come from the calls.
"""

# pyright: basic

import struct

from tests.programs import Case

HEADER = struct.Struct("<4sHHI")
POINT = struct.Struct(">hh")


class Writer:
    FMT = "<IB"

    def __init__(self):
        self.parts = []

    def add(self, k, v):
        self.parts.append(struct.pack(self.FMT, k, v))

    def data(self):
        body = b"".join(self.parts)
        return HEADER.pack(b"DATA", 1, len(self.parts), len(body)) + body


def read(data):
    magic, version, count, size = HEADER.unpack(data[: HEADER.size])
    if magic != b"DATA":
        raise ValueError(f"bad magic {magic!r}")
    out = []
    off = HEADER.size
    for _ in range(count):
        k, v = struct.unpack_from(Writer.FMT, data, off)
        out.append((k, v))
        off += struct.calcsize(Writer.FMT)
    return version, size, out


def written_and_read(n):
    w = Writer()
    for i in range(n):
        w.add(i * 1000, i)
    data = w.data()
    pts = b"".join(POINT.pack(i, -i) for i in range(3))
    it = [POINT.unpack_from(pts, 4 * i) for i in range(3)]
    h = HEADER.unpack_from(data, 0)
    return data, read(data), it, h, HEADER.size, HEADER.format


def wrong(n):
    found = []
    for value in (n, 70000, -1):
        try:
            found.append(str(POINT.pack(value, 0)))
        except struct.error as e:
            found.append(str(e))
    try:
        POINT.unpack(b"abc")
    except struct.error as e:
        found.append(str(e))
    return found


def made_inside(n):
    s = struct.Struct("<Hi")
    pair = struct.Struct(">2B")
    packed = s.pack(n, 2) + pair.pack(1, 2)
    each = [struct.Struct("<d").pack(i / 2) for i in range(n)]
    return packed, s.size, s.unpack(packed[: s.size]), pair.unpack_from(packed, 6), s.format, each


CASES: list[Case] = [(made_inside, [(3,)]), (written_and_read, [(3,), (0,)]), (wrong, [(1,)])]
