"""Branches that choose between integers, which become conditional moves."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic
# ruff: noqa: SIM108, B905

import numpy as np

from tests.programs import Case


def crc(data, poly):
    rest = 0xFFFF
    for byte in data:
        byte = 0xFF & byte
        for _ in range(8):
            if (rest & 1) ^ (byte & 1):
                rest = (rest >> 1) ^ poly
            else:
                rest >>= 1
            byte >>= 1
    return rest


def crc_step(data, poly):
    rest = 0xFFFF
    for byte in data:
        rest ^= int(byte)
        for _ in range(8):
            low = rest & 1
            rest >>= 1
            if low:
                rest ^= poly
    return rest


def wrapping(x, step):
    state = x[0]
    for item in x:
        if state & item:
            state = (state - item) ^ step
        else:
            state = state - item
    return state


def reduced(x, modulus):
    total = 0
    for item in x:
        total += int(item)
        if total >= modulus:
            total -= modulus
    return total


def pair(x, y):
    up = down = 0
    for first, second in zip(x, y):
        a, b = int(first), int(second)
        if (up ^ a) & b & 1:
            up, down = up + down, down ^ a
        else:
            up, down = up, down | b
        up &= 0xFFFF
        down &= 0xFFFF
    return up, down


def two_new(n, key):
    state = key
    for i in range(n):
        if state & 1:
            state = (state ^ key) & 0xFFFFFF
        else:
            state = (state >> 1) + i
    return state


def halves(n, key):
    total = 0
    for i in range(n):
        if i < n // 2:
            total = (total ^ i) & 0xFFFFFF
        else:
            total = (total | 5) ^ key
    return total


def overflows(n, start):
    total = start
    for i in range(n):
        if total & 1:
            total = total + i
        else:
            total = total - (total - 1)
        total = total * 3
    return total


def least(x):
    """Keeps the old value in nearly all rounds."""
    found = x[0]
    for item in x:
        if item < found:
            found = item
    return found


def place(x, key):
    """A step of a binary search waits for memory."""
    low, high = 0, len(x)
    while low < high:
        middle = (low + high) // 2
        if x[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low


BYTES = np.arange(0, 256, 7, dtype=np.uint8)
INTS = np.array([3, -1, 2**62, -(2**63), 7, 0, 12345], dtype=np.int64)
CASES: list[Case] = [
    (crc, [(BYTES, 0x8408), (BYTES[::-2], -1), (BYTES[:0], 5), (BYTES.astype(np.int64), 0x8408)]),
    (crc_step, [(BYTES, 0xA001), (BYTES.astype(np.int32), 0), (BYTES[::3], -(2**63))]),
    (
        wrapping,
        [(INTS, np.int64(9)), (BYTES[1:], np.uint8(77))],
    ),
    (reduced, [(BYTES, 1000), (BYTES, 1), (INTS[:4], 5)]),
    (pair, [(INTS, INTS[::-1]), (BYTES, BYTES + np.uint8(1))]),
    (two_new, [(40, 77), (0, 3), (9, -5)]),
    (least, [(INTS,), (BYTES,)]),
    (place, [(BYTES, np.uint8(70)), (BYTES, np.uint8(255)), (INTS[:0], np.int64(3))]),
    (halves, [(20, 77), (0, 3), (9, -5)]),
    (overflows, [(10, 1), (100, 2**60), (3, -(2**62))]),
]
