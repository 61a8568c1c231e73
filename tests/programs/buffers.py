"""Arrays made in loops: some live for a part of a round, some go on, some are held by others."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

A = np.arange(12.0).reshape(3, 4)
V = np.array([1.0, -2.0, 0.5, 4.0])
EMPTY = np.zeros((0, 4))


def copied_each_round(a, n):
    old = np.empty_like(a)
    for _ in range(n):
        old = a.copy()
        a[1:, 1:] = old[:-1, :-1] + old[1:, 1:]
        a[0, :] = a[-1, :]
    return a


def copied_and_used_after(a, n):
    old = np.empty_like(a)
    old[:] = -1.0
    for _ in range(n):
        old = a.copy()
        a += old[0, 1]
    return old + a


def growing_rows(a):
    out = np.zeros(a.shape[1] + 1)
    for i in range(a.shape[1] + 1):
        part = np.sqrt(a[0, :i])
        out[: part.size] += np.flip(part)
    return out


def shrinking_rows(v, n):
    total = 0.0
    while n > 0:
        row = np.zeros(n)
        row[: v.size] = v[:n]
        total += np.sum(row * row)
        n -= 1
    return total


def two_at_once(v, n):
    x = v * 1.0
    y = v + 1.0
    for k in range(n):
        x, y = y * 0.5, x + k
    return x, y


def inner_goes_round(v, n):
    total = np.zeros(v.size)
    for k in range(n):
        x = v * k
        for _ in range(k):
            x = x + 1.0
        total += x
    return total


def one_of_two(v, n):
    total = np.zeros(v.size)
    for k in range(n):
        x = v * 2.0 if k % 2 == 0 else v + k
        y = np.exp(x) * 0.0 + x
        total += y * x
    return total


def held_by_a_list(v, n):
    rows = [v]
    for k in range(n):
        rows.append(v * k)
    total = np.zeros(v.size)
    for row in rows:
        total = total * 2.0 + row
    return total


def returned_from_inside(v, n):
    for k in range(n):
        row = np.exp(v) * 0.0 + v * k
        if np.sum(row) > 4.0:
            return row
    return v


def scaled(row, k):
    return row if k == 1 else row * k


def through_a_function(v, n):
    total = np.zeros(v.size)
    for k in range(n):
        row = v + k
        total += scaled(row, k)[::-1]
    return total


def raises_half_way(v, n):
    total = np.zeros(v.size)
    for k in range(n):
        row = v * k
        total += row
        total[k] += row[k]
    return total


def caught_half_way(v, n):
    total = np.zeros(v.size)
    for k in range(n):
        try:
            row = v * k
            total[k] += row[k]
        except IndexError:
            total += np.sqrt(np.abs(v + k))
    return total


def view_lives_on(a, n):
    last = a[0]
    for k in range(n):
        last = (a * k)[1]
    return last


def matrices(a, n):
    total = np.zeros((3, 3))
    for k in range(n):
        square = a @ np.transpose(a)
        total += square @ square * k
    return total


def kept_after_a_while(numbers, n):
    kept = []
    last = np.zeros(3)
    for _ in range(n):
        w = np.ones(3)
        for number in numbers:  # a while, of which the number of the round is no result
            w += number
        kept.append(w)
        last = w
    return kept, last


def orthogonal(vectors):
    basis = [vectors[0] * 1.0]
    best = np.zeros(vectors.shape[1])
    for v in vectors:
        w = v.copy()
        k = 0
        while k < len(basis):
            w -= (v @ basis[k]) * basis[k]
            k += 1
        if w.sum() > best.sum():
            best = w
        basis.append(w)
    return basis, best


CASES: list[Case] = [
    (kept_after_a_while, [([1.0, 2.0], 3), ([1.0], 1), ([0.5], 0)]),
    (orthogonal, [(np.eye(3) + 1.0,), (A * 0.5,)]),
    (copied_each_round, [(A, 3), (A, 0), (EMPTY, 0), (A[::-1, ::-1], 2)]),
    (copied_and_used_after, [(A, 3), (A, 0)]),
    (growing_rows, [(A,), (np.tile(A, (1, 200)),)]),
    (shrinking_rows, [(np.zeros(0), 3)]),
    (two_at_once, [(V, 0), (V, 1), (V, 5), (np.tile(V, 500), 4)]),
    (inner_goes_round, [(V, 4), (np.tile(V, 300), 3)]),
    (one_of_two, [(V, 5), (np.tile(V, 300), 3)]),
    (held_by_a_list, [(V, 5), (V, 0)]),
    (returned_from_inside, [(V, 5), (V, 1), (np.tile(V, 300), 5)]),
    (through_a_function, [(V, 4), (np.tile(V, 300), 3)]),
    (raises_half_way, [(V, 3), (V, 6)]),
    (caught_half_way, [(V, 6), (np.tile(V, 200), 3)]),
    (view_lives_on, [(A, 3), (A, 0)]),
    (matrices, [(A, 3)]),
]
