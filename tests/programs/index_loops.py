"""Loops over the indices of arrays, which are nested loops."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case


def leaves(a):
    total = 0
    for i, j in np.ndindex(a.shape):
        if a[i, j] == 5:
            continue
        total = total * 3 + i * 10 + j
        if a[i, j] == 9:
            break
    else:
        total = -total
    return total


def whole_tuples(a):
    out = np.zeros_like(a)
    for place, value in np.ndenumerate(a):
        out[place] = value * 2 + place[0]
        a[place] = 0
    return out, place


def rows(a):
    out = np.zeros(a.shape[:2])
    for k in np.ndindex(a.shape[:2]):
        out[k] = a[k].sum()
    return out


def sizes(n, m):
    total = 1
    for i, j, k in np.ndindex(n, m, 2):
        total = total * 2 + i + j + k
    return total


def one_size(n):
    return [i * i for (i,) in np.ndindex(n)]


def collected(n, a):
    """A comprehension is checked in rounds: the list says what it holds in the second."""
    return [k for k in np.ndindex(n, 2)], [(k, v) for k, v in np.ndenumerate(a)]


def several_ranks(a, b):
    total = 0
    for x in (a, b):
        for k in np.ndindex(x.shape):
            total = total * 3 + int(x[k]) + len(k)
    return total


def found(a):
    for place, value in np.ndenumerate(a):
        if value > 3:
            return place
    return (-1, -1)


def without_axes(a):
    rounds = 0
    for _ in np.ndindex(()):
        rounds += 1
        if a[0] == 0:
            continue
        if a[0] == 1:
            break
        rounds += 5
    for place, value in np.ndenumerate(np.array(2.5)):
        rounds += 100 * len(place) + int(value)
    return rounds


def nested_in_each_other(a):
    total = 0
    for i in range(3):
        for k in np.ndindex(a.shape):
            for m in np.ndindex(2):
                if m[0] == i:
                    break
                total += int(a[k]) * (i + 1)
            if total > 40:
                break
    return total


def rebound(a):
    """What is looped over is looked at once."""
    total = 0
    for _, value in np.ndenumerate(a):
        a = a[:1] * 2
        total += int(value) + a.size
    return total


GRID = np.arange(12).reshape(3, 4)


def of_stars(sizes):
    return [k for k in np.ndindex(*sizes)], [k for k in np.ndindex(2, *sizes)]


CASES: list[Case] = [
    (of_stars, [((2, 3),), ((1,),)]),
    (leaves, [(GRID,), (GRID + 20,), (GRID[:0],), (GRID.T,)]),
    (whole_tuples, [(GRID.copy(),), (GRID.astype(float).T.copy().T,), (np.arange(3.0)[::-1],)]),
    (rows, [(np.arange(24.0).reshape(2, 3, 4),), (np.zeros((2, 0, 4)),)]),
    (sizes, [(2, 3), (0, 3), (-1, 3), (2, -3)]),
    (one_size, [(4,), (0,), (-2,)]),
    (collected, [(3, GRID), (0, GRID[:, :0])]),
    (several_ranks, [(np.arange(3), GRID)]),
    (found, [(GRID,), (GRID * 0,), (GRID.astype(np.float32) / 3,)]),
    (without_axes, [(np.arange(3),), (np.arange(3) + 1,), (np.arange(3) + 2,)]),
    (nested_in_each_other, [(GRID,), (GRID[:1, :2],)]),
    (rebound, [(GRID.copy(),)]),
]
