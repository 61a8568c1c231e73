"""Whole numbers, each once: those that lie close together, and those that do not."""

# Without annotations the types come from the call.
# pyright: basic

import numpy as np

from tests.programs import Case


def once(a):
    return np.unique(a)


RNG = np.random.default_rng(31)
TYPES = (np.int64, np.int32, np.int16, np.int8, np.uint8, np.uint16, np.uint32, np.uint64)
CLOSE = [RNG.integers(3, 90, 200).astype(t) for t in TYPES]
ENDS = [np.array([np.iinfo(t).max, np.iinfo(t).min, 1, 0, 1], t) for t in TYPES]
NEAR_ENDS = [np.iinfo(np.int64).min + RNG.integers(0, 50, 100), 2**63 - 1 - RNG.integers(0, 9, 99)]
CASES: list[Case] = [
    (once, [(a,) for a in (*CLOSE, *ENDS, *NEAR_ENDS)]),
    (once, [(CLOSE[0][::-3],), (CLOSE[1].reshape(20, 10).T,), (CLOSE[2][:0],), (CLOSE[0][:1],)]),
    (once, [(np.array([True, False, True]),), (np.full((2, 3), -7),)]),
]
