"""`array.array`: arrays of numbers of one kind."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import array
import struct
from array import array as made_of

from tests.programs import Case


def floats(n):
    x = array.array("d", [1, 2]) * 2
    x[0] = n
    x.append(2.5)
    y = x
    y += made_of("d", [n])
    z = x[1:3]
    for i, v in enumerate(z):
        z[i] = v + 1
    z.reverse()
    z.extend([1, 2])
    found = z == x, len(z), sum(x), max(x), 2.5 in x, x.index(2.5), z.count(2.0), z.pop(), z.pop(0)
    return x.tolist(), list(y), list(z), repr(z), found, x.typecode, list(made_of("f", [0.1, n]))


def ints(n):
    x = made_of("i", range(n))
    x.insert(0, 7)
    wrong = []
    for code in "bBhHiI":
        for value in (-(2**40), -1, 2**40):
            try:
                found = _of_kind(code, value)
                wrong.append(f"{code} {found}")
            except OverflowError as error:
                wrong.append(f"{code} {error}")
    try:
        x[9]
    except IndexError as error:
        wrong.append(str(error))
    try:
        x[9] = 1
    except IndexError as error:
        wrong.append(str(error))
    try:
        x.remove(99)
    except ValueError as error:
        wrong.append(str(error))
    x.remove(7)
    rows = [made_of("B", [0]) * n for _ in range(2)]
    rows[1][n - 1] = 255
    alike = made_of("d", [0, 1]) == made_of("i", [0, 1]), made_of("l") == x
    return wrong, list(x), [list(row) for row in rows], alike, x.itemsize, [v * 2 for v in x]


def _of_kind(code, value):
    match code:
        case "b":
            return made_of("b", [value])[0]
        case "B":
            return made_of("B", [value])[0]
        case "h":
            return made_of("h", [value])[0]
        case "H":
            return made_of("H", [value])[0]
        case "i":
            return made_of("i", [value])[0]
        case _:
            return made_of("I", [value])[0]


def of_bytes(n):
    floats = (
        list(made_of("d", struct.pack("<2d", 1.5, -0.0))),
        list(made_of("f", struct.pack("<f", 0.1))),
    )
    ints = [list(made_of("i", struct.pack("<2i", -5, n))), list(made_of("b", b"\xff\x01"))]
    ints += [list(made_of("H", bytearray(b"\xff\xff"))), list(made_of("q", b"\xff" * 8))]
    try:
        made_of("i", b"abc")
    except ValueError as error:
        return floats, ints, str(error)
    return floats, ints, ""


def in_place(n):
    x, z = made_of("d", [1.0, n, True, 2**60 + 1]), made_of("i", [1, n])
    y, w = x, z
    x *= 2
    z *= 2
    w += made_of("i", [n])
    return list(y), list(z), x == y


def classes(n):
    x, y, z = made_of("d", [1.0]), made_of("i", [1]), bytearray(b"a")
    of_arrays = type(x) is made_of, type(y) is made_of, isinstance(y, made_of), type(x) is list
    of_bytes = type(z) is bytearray, type(z) is bytes, isinstance(z, (int, bytearray))
    one = z if n > 1 else None
    return of_arrays, of_bytes, len(one) if type(one) is bytearray else -1


CASES: list[Case] = [
    (classes, [(1,), (2,)]),
    (floats, [(3,), (-1,)]),
    (ints, [(3,), (2,)]),
    (of_bytes, [(7,)]),
    (in_place, [(3,)]),
]
