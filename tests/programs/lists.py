"""What Python's lists and tuples can do."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic
# ruff: noqa: RUF005, RUF060

import numpy as np

from tests.programs import Case


def repeated(n):
    rows = [[0] * n] * 2
    for row in rows:
        row.append(1)
    return [0] * n, n * [1.5], (1, 2) * 2, 0 * (1,), rows


def joined(xs, n):
    ys = xs + [n]
    zs = [] + ys + []
    ys.append(n)
    return list(xs), ys, zs, (1, 2.5) + (n,)


def filled_with_floats(n):
    x = [0] * n
    for i in range(n):
        x[i] += i / 2  # pyright: ignore[reportArgumentType, reportCallIssue] -- from a literal
    m = [[0 for _ in range(n)] for _ in range(n)]
    for i in range(n):
        for j in range(n):
            m[i][j] += i * 0.5 + j  # pyright: ignore[reportArgumentType, reportCallIssue]
    return x[1:], m


def methods(n):
    x = list(range(n))
    x.insert(1, 99)
    x.insert(-1, 98)
    x.insert(100, 97)
    x.insert(-100, 96)
    x.extend([5, 6])
    x.extend((7, n))
    x.extend(x)
    x.reverse()
    x.remove(6)
    y = x.copy()
    y.sort()
    y.append(-1)
    z = x[:]
    z.clear()
    return x, y, z, x.index(99), x.index(5, 3), x.count(5), len(z)


def where(xs, x, start, stop):
    return xs.index(x, start, stop)


def taken_out(xs, x):
    ys = list(xs)
    ys.remove(x)
    return ys


def in_place(n):
    x = [1]
    y = x
    y += [2]
    y *= 2
    x = x + [n]
    rows = [[1], [2]]
    first = rows[0]
    rows[0] += [n, n]
    rows[1] *= n
    return x, y, rows, first


def slices(n, a, b, c):
    x = list(range(n))
    return x[a:b], x[a:], x[:b], x[::c], x[a:b:c], x[b:a:-1]


def set_slices(n, a, b):
    x = [i for i in range(n)]
    x[a:b] = [7, 8, 9]
    y = x[:]
    y[1:2] = []
    z = x[:]
    z[b:a] = (1, 2)
    z[:0] = [5, 6]
    x[1:1] = x
    return x, y, z


def set_every(n, c):
    x = [0] * n
    x[::c] = [1, 2]
    return x


def removed(n, a, b, c):
    x = list(range(n))
    del x[a:b:c]
    y = list(range(n))
    del y[a], y[-1]
    unused = n
    del unused
    return x, y


def sieve(n):
    s = [True] * (n + 1)
    s[0:2] = [False, False]
    for i in range(2, int(n**0.5) + 1):
        if s[i]:
            s[i * i :: i] = [False] * len(s[i * i :: i])
    return [i for i in range(n + 1) if s[i]]


def orders(xs):
    return sorted(xs), sorted(xs, reverse=True), sorted([(x % 3, x) for x in xs])


def stable(n):
    pairs = [(i * 7 % 3, i) for i in range(n)]
    keyed = sorted([(a, -b) for a, b in pairs], reverse=True)
    words = sorted(["b", "a", "ab", ""])
    keyed.sort()
    return keyed, words


def new_lists(x, n):
    return list(x), sorted(x), [list(r) for r in x.reshape(2, -1)], list((1, n)), list(i for i in x)


def member(x, n):
    return (
        x in (1, 2, 3),
        x not in [1, 5],
        x in range(0, 10, 2),
        x in range(9, n, -3),
        x in (),
        x in (1.0, "a", None, 7),
        x in np.array([1.5, 2.0, 7.0]),
        (x, 1) in [(2, 1), (3, 4)],
    )


def compared(x, y):
    return (
        (x, 1) < (2, y),
        (x, y) == (2, 2),
        (x, y, 1) != (x, y),
        (x, (y, "a")) >= (x, (y, "b")),
        [x] == [y],
        [x, y] < [y, x],
        [x, y] <= [x],
        [x] >= [x],
        (x,) == [x],
        [[x], [y]] == [[y], [x]],
        (1, 2) < (1, 2, 3),
        () == (),
    )


def shapes(a, b):
    if a.shape != b.shape:
        return 0
    return 1 if a.shape == (2, 2) else 2


def backwards(n):
    out = []
    for i in reversed(range(n)):
        out.append(i)
    for v in reversed(out):
        out.append(v)
    for i in reversed(range(1, n, 2)):
        out.append(i)
    for t in reversed((1, n)):
        out.append(t)
    for i, v in enumerate(reversed(np.arange(3))):
        out.append(i * int(v))
    for a, b in zip(reversed(out), range(n), strict=False):
        out[b] = a
    return out


def shrinks_backwards(n):
    xs = list(range(n))
    seen = []
    for x in reversed(xs):
        seen.append(x)
        if x % 2:
            xs.pop()
            xs.pop()
    return seen, xs


def boards(n):
    board = [[0] * n for _ in range(n)]
    board[0][1] = 5
    copy = [row[:] for row in board]
    copy[0][0] = 1
    board += [[n] * n]
    return board, copy, board[1:] == copy[1:]


def queue(n):
    todo = [(0, n)]
    total = 0
    while todo:
        a, b = todo.pop(0)
        total += a * b
        if b > 1:
            todo += [(a + 1, b - 1)]
    return total


def written(xs, n):
    xs.append(n)
    xs[0] = 7
    return 10 // n


def sorted_in_place(xs):
    xs.sort()
    return xs


def quicksort(xs, low, high):
    if low < high:
        pivot, i = xs[high], low
        for j in range(low, high):
            if xs[j] < pivot:
                xs[i], xs[j] = xs[j], xs[i]
                i += 1
        xs[i], xs[high] = xs[high], xs[i]
        quicksort(xs, low, i - 1)
        quicksort(xs, i + 1, high)
    return xs


def by_others(xs, ys):
    zs = sorted_in_place(xs)
    zs += ys
    quicksort(ys, 0, len(ys) - 1)
    ys.pop()
    return zs


def last_of_rows(rows):
    return sum(row[-1] for row in rows), [sorted(row) for row in rows]


def arrays_of_rows(x, ks):
    from math import sqrt

    nested = np.array([[sqrt(np.sum((r - c) ** 2)) for c in x] for r in x])
    pairs = np.array([(i, i * 2.5) for i in range(3)])
    rows = np.array([r * 2 for r in x])
    whole = np.asarray([[k, 2 * k] for k in ks], dtype=float)
    return nested, pairs, rows, whole, np.array(range(4)), np.array([[0] * k for k in ks])


def sums_of_arrays(x, n):
    total = 0
    for i in range(3):
        total += sum(np.ones(2) * j for j in range(i, n)).sum()  # pyright: ignore[reportAttributeAccessIssue] -- of no arrays
    rolled = sum(np.roll(x, i, 0) for i in (-1, 0, 1))
    return rolled, sum(x), sum([r for r in x]), sum(r * 2 for r in x if r[0] >= 0), total


def taken_at_once(n):
    x = [1]
    x.extend(range(n))
    x.extend(i * i for i in range(n))
    x.extend(reversed(x))
    x[1:2] = reversed(range(n))
    x[:0] = (i for i in range(2))
    y = sum((1, 2.5, n)), sum(range(n)), sum(a * b for a, b in zip(x, range(n), strict=False))
    return x, y, max(range(n)), sorted(range(n), reverse=True), float("inf"), float("-1.5")


def neighbours(board):
    return sum(
        np.roll(np.roll(board, i, 0), j, 1)
        for i in (-1, 0, 1)
        for j in (-1, 0, 1)
        if (i, j) != (0, 0)
    )


def breadth_first(edges, start):
    distance = [-1] * len(edges)
    distance[start] = 0
    queue = [start]
    while queue:
        u = queue.pop(0)
        for v in edges[u]:
            if distance[v] < 0:
                distance[v] = distance[u] + 1
                queue.append(v)
    return distance


def beside_arrays(x, n):
    total = x + [n, 2]
    total += (0.5, 1)
    return total, (1, n) * x, x > [1.5, 2], x == (n, n), np.all((1, n) == x), 2**x - [n, n]


SHARED = [3, 1, 2]


def joined_neighbours(adjacent):
    """Lists inside a list are read, and their numbers go into other lists."""
    order = [0]
    order.extend(adjacent[0])
    order += adjacent[-1]
    order.insert(1, adjacent[0][0])
    return order + adjacent[1]


def many_in_order(seed: int, size: int):
    xs, ys, words = [], [], []
    for i in range(size):
        seed = (seed * 1103515245 + 12345) % 2147483648
        xs.append(seed // 65536 % 50 - 25)
        ys.append(seed / 3.0 - 1e8)
        word = "ab\0é\u4e00😀"[seed // 4096 % 6] * (seed // 65536 % 5)
        words.append(word + str(i % 3) if i % 2 else word)
    down = sorted(xs, reverse=True), sorted(ys, reverse=True), sorted(words, reverse=True)
    words.sort()
    return sorted(xs), sorted(ys), words, down


CASES: list[Case] = [
    (many_in_order, [(1, 0), (2, 9), (3, 100), (4, 257)]),
    (joined_neighbours, [([[1, 2], [3], []],), ([[4], [5, 6]],)]),
    (written, [([1, 2], 5), ([1, 2], 0)]),
    (sorted_in_place, [([3, 1, 2],), ([2.5, 1.0],), ([(2, 1), (1, 5)],)]),
    (quicksort, [([3, 1, 9, 2, -1], 0, 4), ([1.5, 0.5], 0, 1)]),
    (by_others, [([3, 1], [7, 5]), (SHARED, SHARED)]),
    (arrays_of_rows, [(np.arange(6.0).reshape(3, 2), [2, 2]), (np.ones((1, 2)), [1, 2])]),
    (sums_of_arrays, [(np.arange(6).reshape(3, 2), 3), (np.ones((2, 2), dtype=np.bool_), 4)]),
    (taken_at_once, [(3,), (0,)]),
    (neighbours, [(np.arange(12).reshape(3, 4) % 2,)]),
    (breadth_first, [([[1, 2], [3], [3], []], 0), ([[], [0]], 1)]),
    (beside_arrays, [(np.array([3.0, 2.0]), 2), (np.ones((2, 2)), 1)]),
    (last_of_rows, [([[3, 1], [2, 5]],)]),
    (repeated, [(3,), (0,), (-1,)]),
    (joined, [([1], 2)]),
    (filled_with_floats, [(3,)]),
    (methods, [(5,), (0,)]),
    (where, [([3, 1, 3], 3, 0, 3), ([3, 1, 3], 3, 1, -1), ([3, 1], 3, -1, 5), ([1.5], 1.5, -9, 9)]),
    (taken_out, [([3, 1, 3], 3), ([1.5], 2.0), ([1.5], 1.5)]),
    (in_place, [(3,), (0,)]),
    (slices, [(5, 1, 4, 2), (5, -2, 9, -1), (5, 4, 1, -2), (2, 7, -7, 3), (3, 0, 2, 0)]),
    (set_slices, [(5, 1, 3), (5, 3, 1), (3, -1, 9), (2, -9, -1)]),
    (set_every, [(4, 2), (3, 2), (5, 2), (3, -2), (4, 0)]),
    (
        removed,
        [(6, 1, 5, 2), (6, 5, 0, -2), (6, 0, 6, 1), (3, 2, 1, 1), (1, 0, 0, 1), (6, 1, 2, 0)],
    ),
    (sieve, [(50,), (3,)]),
    (orders, [([3, 1, 2, 9, 4, 4],), ([2],)]),
    (stable, [(11,)]),
    (new_lists, [(np.array([3.0, 1.0, 2.0, 0.0]), 5), (np.array([[4], [2]]).ravel(), 1)]),
    (member, [(2, 0), (7, 0), (6, 4), (6, 9)]),
    (compared, [(1, 2), (2, 2), (3, 1)]),
    (shapes, [(np.ones((2, 2)), np.ones((2, 2))), (np.ones((2, 3)), np.ones((2, 2)))]),
    (backwards, [(5,), (1,)]),
    (shrinks_backwards, [(6,), (7,)]),
    (boards, [(3,)]),
    (queue, [(5,), (1,)]),
]
