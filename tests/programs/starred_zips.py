"""zip(*rows) and zip(*pair): in loops, in calls that take all items, and kept."""

# Without annotations the types come from the call, which is what these programs are about.
# ruff: noqa: B007, B905, RUF005 -- how people write it
# pyright: basic, reportArgumentType=false, reportOptionalSubscript=false, reportOptionalMemberAccess=false
# pyright: reportAttributeAccessIssue=false, reportOperatorIssue=false, reportCallIssue=false
# pyright: reportOptionalOperand=false, reportReturnType=false

import numpy as np

from tests.programs import Case


def of_a_pair(n):
    t = ([1, 2], [3, 4])
    return [a + b for a, b in zip(*t)]


def of_nonzero(n):
    x = np.array([[1, 0], [0, 1]])
    return [(int(i), int(j)) for i, j in zip(*np.nonzero(x))]


def of_where(n):
    x = np.array([[1, 0], [0, 1]])
    out = []
    for i, j in zip(*np.where(x > 0)):
        out.append(i + j)
    return out


def two():
    return [1, 2], [3, 4]


def of_a_call(n):
    return [a + b for a, b in zip(*two())]


def listed(n):
    return list(zip(*two()))


def summed(n):
    m = [[1, 2, 3], [4, 5, 6]]
    return list(map(sum, zip(*m)))


def as_lists(n):
    m = [[1, 2, 3], [4, 5, 6]]
    return list(map(list, zip(*m)))


def in_a_comprehension(n):
    m = [[1, 2, 3], [4, 5, 6]]
    return [list(c) for c in zip(*m)]


def sorted_columns(n):
    m = [[3, 2, 1], [4, 5, 6]]
    return sorted(zip(*m))


def keyed(n):
    pairs = [("a", "b"), ("c", "d")]
    return dict(zip(*pairs))


def greatest(n):
    m = [[1, 2, 3], [4, 5, 6]]
    out = []
    for row in map(max, zip(*m)):
        out.append(row)
    return out


def of_several_types(n):
    t = ([1, 2], "ab", (1.5, 2.5))
    return list(zip(*t))


def of_three(n):
    t = ([1, 2], [3, 4], [5, 6])
    out = []
    for a, b, c in zip(*t):
        out.append(a * b * c)
    return out


def counted(n):
    for i, (a, b) in enumerate(zip(*two())):
        n += i * a * b
    return n


def folded(n):
    return sum(a * b for a, b in zip(*two()))


def of_generators(n):
    g = ((x * 2 for x in [1, 2]), [3, 4])
    return [a + b for a, b in zip(*g)]


def collected(n):
    m = [[1, 2, 3], [4, 5, 6]]
    return [sum(c) for c in zip(*m)], [max(c) for c in zip(*m)], tuple(zip(*m)), set(zip(*m))


def turned(n):
    m = [[1, 2, 3], [4, 5, 6]]
    return [list(r) for r in zip(*m[::-1])]


def common_start(n):
    words = ["abc", "abd"]
    out = ""
    for cs in zip(*words):
        if len(set(cs)) > 1:
            break
        out += cs[0]
    return out


def extremes(n):
    m = [[1, 2, 3], [4, 5, 6]]
    return max(zip(*m)), min(map(sum, zip(*m))), any(map(all, zip(*m)))


def spread_again(n):
    m = [[1, 2, 3], [4, 5, 6]]
    return [[*c] for c in zip(*m)], list(reversed(list(zip(*m)))), len(list(zip(*m)))


def unpacked(n):
    m = [[1, 2], [3, 4]]
    a, b = zip(*m)
    (c, d), (e, f) = zip(*m)
    return a, b, c + d + e + f


def of_matrices(n):
    m = np.arange(6).reshape(2, 3)
    return [int(a + b) for a, b in zip(*m)]


def strictly(n):
    m = [[1, 2], [3]]
    return list(zip(*m, strict=True))


def grown(n):
    m = []
    for i in range(n):
        m.append([i, i + 1])
    return list(zip(*m)), [list(c) for c in zip(*m)]


def mapped(n):
    m = [[1, 2, 3], [4, 5, 6]]
    return (
        list(map(lambda c: c[0] + c[1], zip(*m))),
        list(filter(lambda c: c[0] > 1, zip(*m))),
        ["".join(map(str, c)) for c in zip(*m)],
    )


def paired(n):
    m = [[1, 2, 3], [4, 5, 6]]
    return (
        [[r[i] for r in m] for i in range(3)] == [list(c) for c in zip(*m)],
        list(map(tuple, zip(*m))),
        list(enumerate(zip(*m))),
    )


def of_arguments(n):
    def f(*rows):
        return [sum(c) for c in zip(*rows)]

    return f([1, 2], [3, 4])


def kept_pair(n):
    x = ([1, 2], [3, 4])
    it = zip(*x)
    return next(it), list(it)


def kept_rows(n):
    m = [[1, 2, 3], [4, 5, 6]]
    it = zip(*m)
    return next(it), list(it)


class P:
    def __init__(self):
        self.t = ([1, 2], [3, 4])
        self.m = [[1, 2], [3, 4]]

    def go(self):
        return [a - b for a, b in zip(*self.t)], [list(c) for c in zip(*self.m)]


def of_fields(n):
    return P().go()


def of_sorted(n):
    a, b = zip(*sorted(zip([3, 1], ["x", "y"])))
    return a, b


def of_displays(n):
    for a, b in zip(*([1, 2], [3, 4])):
        n += a * b
    return n


def of_lists(n):
    xs, ys = [1, 2], [3, 4]
    return [a + b for a, b in zip(*[xs, ys])], [a + b for a, b in zip(*(xs, ys))]


def of_triangles(n):
    out = []
    for i, j in zip(*np.tril_indices(3)):
        out.append((int(i), int(j)))
    return out


def taken_twice(n):
    m = [[1, 2], [3, 4]]
    it = zip(*m)
    return list(it), list(it)


def changed_before(n):
    m = [[1, 2], [3, 4]]
    it = zip(*m)
    m[0][0] = 9
    m.append([5, 6])
    return list(it)


def left_early(n):
    m = [[1, 2], [3, 4]]
    it = zip(*m)
    for a in it:
        break
    return list(it)


def strict_sums(n):
    m = [[1, 2], [3]]
    return [sum(c) for c in zip(*m, strict=True)]


def changed_meanwhile(n):
    m = [[1, 2], [3, 4]]
    out = []
    for c in zip(*m):
        m[1][1] = 7
        out.append(c)
    return out


def joined(n):
    m = [[1, 2], [3, 4]]
    return bool(zip(*[[]])), list(zip(*m)) + [(1, 2)]


CASES: list[Case] = [
    (of_a_pair, [(3,)]),
    (of_where, [(3,)]),
    (of_a_call, [(3,)]),
    (listed, [(3,)]),
    (summed, [(3,)]),
    (as_lists, [(3,)]),
    (in_a_comprehension, [(3,)]),
    (sorted_columns, [(3,)]),
    (keyed, [(3,)]),
    (greatest, [(3,)]),
    (of_several_types, [(3,)]),
    (of_three, [(3,)]),
    (counted, [(3,)]),
    (folded, [(3,)]),
    (of_generators, [(3,)]),
    (collected, [(3,)]),
    (grown, [(3,)]),
    (mapped, [(3,)]),
    (paired, [(3,)]),
    (of_arguments, [(3,)]),
    (kept_pair, [(3,)]),
    (kept_rows, [(3,)]),
    (of_fields, [(3,)]),
    (of_sorted, [(3,)]),
    (of_displays, [(3,)]),
    (of_lists, [(3,)]),
    (of_triangles, [(3,)]),
    (taken_twice, [(3,)]),
    (changed_before, [(3,)]),
    (left_early, [(3,)]),
    (strict_sums, [(3,)]),
    (changed_meanwhile, [(3,)]),
    (joined, [(3,)]),
    (of_nonzero, [(3,)]),
    (turned, [(3,)]),
    (common_start, [(3,)]),
    (extremes, [(3,)]),
    (spread_again, [(3,)]),
    (unpacked, [(3,)]),
    (of_matrices, [(3,)]),
    (strictly, [(3,)]),
]
