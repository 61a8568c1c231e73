"""Forms of calls that other people's programs are full of: no argument, an order, a place."""

import operator
import sys
from typing import NamedTuple

import numpy as np

from tests.programs import Case

# The types come from the calls.
# pyright: basic, reportCallIssue=false, reportArgumentType=false
# pyright: reportAttributeAccessIssue=false


class Found(NamedTuple):
    where: float
    steps: int
    best: object


def made_of_nothing(n):
    total = 0 + n
    return total, 0.0, "", False, 0j, tuple(), np.uint16(), np.float32(), np.bool_()


def truth_values(a: bool, n: int):
    mixed = a
    if n > 3:
        mixed = n
    told = (a is True, a is not False, mixed is True, mixed is not False, mixed is a)
    return told, (n > 2) is (n > 1), n is True, [x is True for x in (a, n > 1)], np.bool_(a) is True


def constants_imported_inside(x):
    from math import pi
    from math import tau as turn
    from string import digits

    from numpy import inf, newaxis

    return x[:, newaxis] * pi, turn, digits, inf


def ranges_of_a_dtype(n):
    return np.arange(0, n, 1, np.int32), np.arange(0.0, 2.0, 0.5, np.float64)


def arrays_of_another_dtype(x):
    return np.int8(x), np.float32(x), np.bool_(x), np.int64(x), np.complex64(x)


def stored_whichever_it_is(x, n, k):
    value = 0.5
    if n > 2:
        value = n
    elif n > 1:
        value = x[0] * 2
    x[k] = value
    x[k + 1] += value
    filled = np.full(2, value)
    x[3:] = value
    return x, filled, np.array([value, 1.0])


def changed_whichever_it_is(x, n):
    value = 0.5
    if n > 1:
        value = n
    x[-n:] += value
    x *= value + 1
    x[:2] -= x[0] if n > 1 else value
    several = [1.0, x[0]]
    numbers = [n, 1.5, x[1]]
    typed = np.array(numbers, dtype=np.float32), np.array([value], dtype=np.int64)
    return x, np.array(several), np.array([value, 2.5]), np.array((value, 1j)), *typed


def shapes_in_arrays(x):
    one = np.empty(1, np.int32)
    one[0] = x.size
    two = np.array([3, 2])
    return x.reshape(one), np.reshape(x, two), np.zeros(two), np.full(one, 2.0), tuple(two)


def arrays_shown(x, y):
    print(x, x + 1, y, sep=" | ")
    changed = x + x
    shown = str(changed)
    changed[0] = 7
    print(changed[::2], y[:0])
    both = f"{x} and {y!r}", f"{x} {y!a}"
    return shown, repr(changed), both, [str(x), str(y[::-1])], str([x, y]), str((x, 1))


def long_arrays_shown(n):
    x = np.zeros(n)
    for i in range(n):
        x[i] = i / 3
    return str(x), repr(x.reshape(-1, 2)), str(x.sum(keepdims=True)), ascii(x > 1), str(np.array(n))


def lengths(x, order):
    whole, kept = np.linalg.norm(x, ord=order), np.linalg.norm(x - 1, order, 0, True)
    return np.round(whole, 6), np.round(kept, 6)


def lengths_of_rows(x, order):
    rows, columns = np.linalg.norm(x, order, axis=1), np.linalg.norm(x.T, order, -1, True)
    return np.round(rows, 6), np.round(columns, 6)


def of_a_version(n: int):
    n += sys.version_info > (4, 0)
    return n, sys.version_info[:2] < (4, 0), sys.version_info[0]


def compared_with_none(n: int, text: str):
    nothing = None
    other = None
    told = nothing == other, nothing != other, nothing == n, n != nothing
    return told, text == nothing, nothing == 2.5, [n] != nothing, (n,) == nothing


def record_of_a_search(n: int, x):
    if n > 2:
        return Found(1.5, n, x)
    return Found(x[0], n, x[::2])


def found(n: int, x):
    record = record_of_a_search(n, x)
    return float(record.where), record.steps, record.best.sum()


def made_in_columns(x, n):
    zeros = np.zeros((n, 3), np.int32, "F")
    zeros[1, 2] = 4
    empty = np.empty((n, 3, 2), order="F")
    empty[:] = 2
    like = np.zeros_like(x, order="F"), np.ones_like(x, shape=(2, n), dtype=np.int8)
    more = np.full_like(x, 7, order="C"), np.empty_like(x, order="K").shape, np.eye(3, order="F")
    return zeros, np.ones((n, 2), order="C"), empty, np.full((n, 2), 3.5, order="F"), *like, *more


def copied_in_columns(x):
    made = np.array(x, order="F"), np.array(x, copy=True, order="C", ndmin=3), x.copy("C")
    taken = np.asarray(x, order="F"), np.asarray(x, np.float32, "C"), np.asfortranarray(x)
    copies = x.copy(order="F"), np.copy(x, order="F"), x.astype(np.float32, order="F")
    return *made, *taken, *copies, x.astype(np.int64, copy=False), np.ascontiguousarray(x)


def written_through(x):
    columns = np.asarray(x, order="F")
    columns[0, 0] = 100
    rows = np.asarray(x, order="C")
    rows[0, 1] = 101
    same = np.asfortranarray(x)
    same[1, 0] = 102
    kept = np.asarray(x, order="K")
    kept[1, 1] = 103
    return x, np.asarray(x, copy=True)


def hermitian(x):
    waves = x * 1j + 2
    both = (
        np.fft.hfft(waves),
        np.fft.hfft(x),
        np.fft.hfft(waves, 7),
        np.fft.hfft(waves, norm="ortho"),
    )
    return *both, np.fft.ihfft(x), np.fft.ihfft(x, 5, norm="forward"), np.fft.ihfft(x, n=2)


def of_other_sizes(x, n):
    two = np.fft.fft2(x, (2, 5)), np.fft.rfft2(x, s=(4, n)), np.fft.irfft2(x, s=(n, 4))
    more = np.fft.ifftn(x, (3, 2), (1, 0)), np.fft.fftn(x, (2,), (0,))
    return *two, *more, np.fft.rfftn(x, (n, 3), (0, 1), norm="ortho")


def updates_by_name(x, xs, n, y):
    grown = list(xs)
    both = operator.iconcat(grown, [7])
    operator.iadd(grown, [8])
    changed = operator.imul(x, 2)
    bits = operator.iand(n, 6), operator.ior(n, 8), operator.ixor(n, 1)
    moved = operator.ilshift(n, 1), operator.irshift(n, 1), operator.imod(n, 3)
    parts = operator.itruediv(n, 2), operator.ifloordiv(n, 2), operator.ipow(y, 2)
    return grown, both, x, changed, bits, moved, parts, operator.isub(y, 1), operator.iadd(n, 2)


def joined_by_name(a, b):
    return operator.iconcat(a, b), operator.concat(a, b)


_TABLE = np.arange(6.0).reshape(2, 3)
_LINE = np.arange(4.0)
CASES: list[Case] = [
    (made_of_nothing, [(3,)]),
    (truth_values, [(True, 1), (True, 7), (False, 3), (False, 2)]),
    (constants_imported_inside, [(_LINE,)]),
    (ranges_of_a_dtype, [(5,), (0,)]),
    (arrays_of_another_dtype, [(_LINE,), (np.arange(6).reshape(2, 3),)]),
    (
        stored_whichever_it_is,
        [(np.arange(5).astype(t), n, 1) for t in (float, int, bool, np.float32) for n in (1, 2, 3)],
    ),
    (changed_whichever_it_is, [(np.arange(3.0), 1), (np.arange(4.0), 2)]),
    (
        lengths,
        [
            (x, order)
            for x in (_LINE, np.array([3 + 4j, 0]))
            for order in (2.0, 1.0, 3.0, np.inf, -np.inf, 0, 2, 3, -1)
        ]
        + [(_LINE.astype(np.float32) - 2, order) for order in (1.0, np.inf, -np.inf, 0)],
    ),
    (lengths_of_rows, [(_TABLE - 2, order) for order in (2.0, 1, 0.5, np.inf)]),
    (of_a_version, [(1,)]),
    (compared_with_none, [(1, "a")]),
    (shapes_in_arrays, [(_TABLE,)]),
    (
        arrays_shown,
        [
            (np.arange(4.0), np.arange(6).reshape(2, 3)),
            (np.arange(3, dtype=np.float32) / 3, np.array([1 + 2j, 3])),
            (np.arange(3, dtype=np.uint8), np.array([True, False])),
        ],
    ),
    (long_arrays_shown, [(6,), (3000,)]),
    (found, [(1, _LINE), (5, _LINE)]),
    (made_in_columns, [(_TABLE, 4)]),
    (
        copied_in_columns,
        [(_TABLE,), (_TABLE.T,), (_TABLE[:, ::2],), (np.asfortranarray(_TABLE),)],
    ),
    (
        written_through,
        [(_TABLE,), (np.asfortranarray(_TABLE),), (np.arange(12.0).reshape(3, 4).T[::2],)],
    ),
    (hermitian, [(_LINE,), (_LINE.astype(np.float32),)]),
    (of_other_sizes, [(_TABLE, 5), (_TABLE, 2), (_TABLE.astype(np.float32), 3)]),
    (updates_by_name, [(_LINE, [1, 2], 5, 2.5)]),
    (joined_by_name, [("a", "bc"), ((1,), (2.5, "x")), (_LINE, _LINE)]),
]
