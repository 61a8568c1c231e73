"""Tuples of one type, indexed by a number that is known when the program runs."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case


def size(a):
    total = 1
    for k in range(a.ndim):
        total *= a.shape[k]
    return total


def of_arrays(nodes, i):
    chosen = nodes[i]
    chosen[0] = 7.5
    nodes[i - 1][-1] = 2.5
    return chosen.sum(), len(nodes[i - 1])


def of_numbers(i):
    return (1.5, 2.5, 3.5)[i]


def of_texts(i):
    names = ("a", "b")
    return names[i] + names[-i]


def of_truths(n):
    flags = (n > 1, n > 2)
    return [flags[k % 2] for k in range(n)]


def array_itself(nodes, i):
    return nodes[i]


def caught(i):
    try:
        return (1, 2)[i]
    except IndexError:
        return -1


def in_a_loop(nodes, x):
    """The nearest point of a grid."""
    place = 0
    for k in range(len(nodes)):
        found = np.searchsorted(nodes[k], x)
        place = place * len(nodes[k]) + min(int(found), len(nodes[k]) - 1)
    return place


TURNS = ((0, 1), (1, 0), (0, -1))
POINTS = (((0.5, "a"), 1), ((2.5, "b"), 2))


def of_tuples(i):
    dy, dx = TURNS[i]
    local = ((1, "a"), (2, "b"), (3, "c"))
    return dy, dx, local[i], TURNS[i][1], POINTS[i % 2][0][0], POINTS[i % 2]


def walked(n):
    place, turn = (0, 0), 0
    for k in range(n):
        dy, dx = TURNS[turn]
        place = (place[0] + dy * k, place[1] + dx)
        turn = (turn + k) % len(TURNS)
    return place


NODES = (np.arange(3.0), np.arange(5.0)[::-2], np.zeros(2))
CASES: list[Case] = [
    (size, [(np.zeros((2, 3, 4)),), (np.zeros((2, 0)),)]),
    (of_arrays, [(NODES, 0), (NODES, 2), (NODES, -3), (NODES, 3), (NODES, -4)]),
    (of_numbers, [(0,), (-3,), (2,), (-4,), (3,), (np.int64(1),), (np.uint8(2),)]),
    (of_texts, [(0,), (1,), (2,)]),
    (of_tuples, [(0,), (-3,), (2,), (-4,), (3,), (np.int64(1),)]),
    (walked, [(0,), (9,)]),
    (of_truths, [(2,), (3,), (0,)]),
    (array_itself, [(NODES, 1), (NODES, -1)]),
    (caught, [(1,), (2,)]),
    (in_a_loop, [((np.linspace(0, 1, 9), np.linspace(0, 2, 7)), 0.3), (NODES[::2], 5.0)]),
]
