"""Targets that take arrays and lists apart, and arrays whose shape is set."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case


def two(a):
    x, y = a
    return x, y


def three(a):
    x, y, z = a
    return z, y, x


def one(a):
    (x,) = a
    return x


def rows_are_views(a):
    first, second = a
    first[0] = second[1]
    return a


def swapped(a):
    a[0], a[1] = a[1], a[0]
    x, y = a[:2]
    x, y = y, x
    return x, y


def into_elements(a, b):
    b[1], b[0] = a
    return b


def read_before_written(a):
    a[1], a[0] = a
    return a


def nested(a, n):
    (x, y), z = a, n
    return x + z, y


def chained(a):
    x, y = b = a
    return x, y, b


def grids(n, m):
    i, j = np.mgrid[0:n, 0:m]
    return i * 10 + j


def in_a_loop(a):
    total = 0.0
    for row in a:
        x, y = row
        total += x * y
    return total


def of_pairs(a):
    total = a[0, 0] * 0
    for x, y in a:
        total += x - y
    return total


def listed(n):
    items = [n, n + 1]
    x, y = items
    return x, y


def listed_three(n):
    items = [n, n + 1]
    x, y, z = items
    return x, y, z


def caught(a):
    try:
        x, y = a
    except ValueError as error:
        return str(error)
    return f"{x} {y}"


def set_shape(n, m):
    a = np.arange(n * m)
    a.shape = n, m
    b = a * 2
    b.shape = -1
    return a, b


def set_shapes_in_a_chain(n, m):
    i, j = np.mgrid[0:n, 0:m]
    c = i + j * 1j
    i.shape = j.shape = c.shape = n * m
    i[0] = 7
    return i, j, c, c.shape


def set_shape_of_a_view(n, k):
    a = np.arange(n * n).reshape(n, n)
    b = a[:, ::2]
    c = a[:2]
    c.shape = k
    b.shape = (n, -1, 1)
    c[0] = 100
    b[1, 0, 0] = 50
    return a, b, c


def set_shape_needs_a_copy(n):
    a = np.zeros((n, n + 1)).T
    a.shape = n * (n + 1)
    return a


def set_shape_is_caught(a, n):
    b = a.T
    try:
        b.reshape(n)[0] = 9
    except ValueError:
        return "wrong size"
    except AttributeError:
        return "no view"
    return "fine"


def set_shape_in_an_arm(p, n):
    a = np.zeros(n * n)
    if p:
        b = a + 1
        b.shape = n, n
        a = b[0] * 1
    return a


def compacted(n, rounds):
    i, j = np.mgrid[0:n, 0:n]
    found = np.zeros((n, n), np.int64)
    z = i * 3 - j
    i.shape = j.shape = z.shape = n * n
    for k in range(rounds):
        if not len(z):
            break
        np.multiply(z, 2, z)
        out = abs(z) > 20
        found[i[out], j[out]] = k + 1
        np.logical_not(out, out)
        z = z[out]
        i, j = i[out], j[out]
    return found.T


def made_tuples(a, n: int):
    shape = tuple(a.shape)
    t = tuple([n, 2.5, "x"])
    b, c = tuple((n, n + 1))
    return shape, t, b, c, np.zeros(tuple([2, n])), tuple(shape[1:]) == shape


def first_and_rest(a):
    x, *y = a
    return x, y


def rest_between(a):
    x, *y, z = a
    *u, v = a
    return x, y, z, u, v


def rests_in_a_loop(n):
    sums = [0]
    for x, *y in ((1, 2, 3), (4, 5, n)):
        sums += [x, *(y[0], y[1])]
    first, *_ = 1, 2, n
    return sums, first


def added(a, b, c):
    return a + 2 * b + 3 * c


def spread(t, u):
    lists = [*t, *u], (*t, *u), sum((*t, *u)), max(*t), min(*u)
    print(*t, *u, sep=",")
    return lists, added(*t), added(1, *u), added(*(3, 4), c=5)


def spread_shapes(x):
    more = np.zeros((*x.shape, 2)), np.ones([1, *x.shape]), x.reshape(*x.shape, 1)
    return more, (*x.shape, 5), [*x.shape], np.broadcast_to(x, (2, *x.shape))


def _doubled(v):
    return v * 2


def mapped(x, y, a):
    x, y, z = map(np.radians, [x, y, 90.0])
    b, c = map(_doubled, (a, x))
    (d,) = map(len, (a,))
    b[0] = 7.0
    return x, y, z, b, c, d


def mapped_in_a_loop(a):
    out = []
    for row in a:
        low, high = row
        low, high = map(np.abs, (low, high))
        out.append(high - low)
    return np.array(out)


def starred_indices(x, place):
    pair = (1, 2)
    table = {(1, 2, 3): 5}
    x[*pair] = 9.0
    x[0, *place] += 1.0
    return x[*pair], x[(*place,)], table[1, *(2, 3)], x[*pair[:1]], x[1, *pair[1:]]


CASES: list[Case] = [
    (starred_indices, [(np.arange(6.0).reshape(2, 3), (1,))]),
    (mapped, [(1.0, np.arange(3.0), np.ones(2)), (np.float32(2), -1.5, np.arange(4.0)[::-2])]),
    (mapped_in_a_loop, [(np.arange(8.0).reshape(4, 2) - 3,)]),
    (first_and_rest, [((1, 2, 3),), ([1.5, 2.5],), ([1],), (np.arange(4),), (np.arange(0.0),)]),
    (first_and_rest, [(np.arange(8.0).reshape(4, 2),), (np.arange(6)[::-2],), (((1, 2), 3),)]),
    (rest_between, [((1, 2, 3, 4),), ([1, 2, 3],), ([1],), (np.arange(4.0),), (np.arange(1),)]),
    (rests_in_a_loop, [(6,)]),
    (spread, [((1, 2, 3), (4, 5)), ((0.5, 1.5, 2.0), (3.25, 4.5))]),
    (spread_shapes, [(np.arange(6).reshape(2, 3),), (np.zeros(0),)]),
    (made_tuples, [(np.ones((2, 3)), 4)]),
    (two, [(np.array([1.5, 2]),), (np.arange(6).reshape(2, 3),), (np.arange(3),), (np.arange(1),)]),
    (two, [(np.zeros((2, 0)),), (np.zeros((0, 2)),), (np.arange(4)[::-2],), ((1, 2.5),)]),
    (two, [(np.arange(8.0).reshape(2, 2, 2).T,), (np.array([True, False]),)]),
    (three, [(np.arange(3, dtype=np.int8),), (np.arange(2),), (np.ones((3, 1), complex),)]),
    (one, [(np.arange(1),), (np.arange(2),), (np.zeros((1, 3)),), (np.arange(0),)]),
    (rows_are_views, [(np.arange(4.0).reshape(2, 2),), (np.arange(6).reshape(3, 2).T,)]),
    (swapped, [(np.arange(4.0),), (np.arange(3),)]),
    (into_elements, [(np.arange(2.0), np.zeros(3)), (np.arange(3.0), np.zeros(3))]),
    (read_before_written, [(np.arange(2.0),), (np.arange(2, dtype=np.uint8),)]),
    (nested, [(np.arange(2.0), 4), (np.arange(4).reshape(2, 2), 1)]),
    (chained, [(np.arange(2.0),)]),
    (grids, [(2, 3), (0, 2)]),
    (in_a_loop, [(np.arange(6.0).reshape(3, 2),), (np.arange(6.0).reshape(2, 3),)]),
    (of_pairs, [(np.arange(6.0).reshape(3, 2),), (np.arange(6).reshape(2, 3),)]),
    (listed, [(1,), (2.5,)]),
    (listed_three, [(1,)]),
    (caught, [(np.arange(2),), (np.arange(3),), (np.arange(1),)]),
    (set_shape, [(2, 3), (0, 3), (1, 1)]),
    (set_shapes_in_a_chain, [(2, 3), (3, 1)]),
    (set_shape_of_a_view, [(4, 8), (4, 7), (3, 6)]),
    (set_shape_needs_a_copy, [(2,), (1,), (0,)]),
    (
        set_shape_is_caught,
        [(np.arange(8.0).reshape(4, 2), 8), (np.arange(4), 5), (np.arange(4), 4)],
    ),
    (set_shape_in_an_arm, [(True, 2), (False, 2)]),
    (compacted, [(4, 3), (4, 9), (0, 2), (1, 1)]),
]
