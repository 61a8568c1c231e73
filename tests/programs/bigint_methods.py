"""Methods that give ints of any size: `__hash__`, `__int__`, `__index__`."""

from scriptc.types import bigint
from tests.programs import Case


class Number:
    def __init__(self, size: bigint):
        self.size: bigint = size

    def __hash__(self):
        return self.size

    def __eq__(self, other: object):
        return isinstance(other, Number) and self.size == other.size

    def __int__(self):
        return self.size

    def __index__(self):
        return self.size


class Whole:
    def __init__(self, size: bigint):
        self.size: bigint = size

    def __hash__(self):
        return self.size > 5 or self.size

    def __index__(self):
        return self.size


def hashed(size: bigint):
    found = {Number(size): 1, Number(size + 1): 2, Number(-size): 3}
    return hash(Number(size)), found[Number(size + 1)], Number(size) in found, hash(Whole(size))


def asked_for_numbers(size: bigint):
    return int(Number(size)), int(Whole(size)), float(Whole(size)), int(Number(size)) + 1


def as_index(place: bigint):
    return ["a", "b", "c"][Whole(place)], [1, 2, 3, 4][Number(place) : 3]


SIZES = [0, 1, -1, 7, 2**61 - 1, 2**62, 2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 10**30, -(10**30)]

CASES: list[Case] = [
    (hashed, [(size,) for size in SIZES]),
    (asked_for_numbers, [(size,) for size in SIZES]),
    (as_index, [(0,), (2,), (-1,)]),
]
