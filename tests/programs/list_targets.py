"""Lists as targets, which unpack as tuples do."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from tests.programs import Case


def both(n):
    return [n, n + 1]


def targets(rows):
    [a, (b, [c, *d])] = rows
    out = [x + y for [x, y] in [(1, 2), (3, 4)]]
    for [p, q] in [[1, 2], [3, 4]]:
        out.append(p * q)
    total = 0.0
    for i, ([x, y], m) in enumerate([([1.0, 2.0], 3), ([4.0, 5.0], 6)]):
        out.append(i + m)
        total += x + y
    [u, v] = [w, z] = 1, 2
    [one] = [5]
    [f, g] = both(1)
    firsts = lambda: [k for [k] in [[1], [2]]]  # noqa: E731

    def inner():
        [h, j] = 3, 4
        return h + j

    del [one, u]  # pyright: ignore
    return a, b, c, d, out, total, v, w, z, f, g, firsts(), inner()


def wrong(rows):
    for [a, b] in rows:
        return a + b
    return 0


CASES: list[Case] = [
    (targets, [((1, (2, (3, 4, 5))),)]),
    (wrong, [([[1, 2]],), ([[1]],), ([[1, 2, 3]],)]),
]
