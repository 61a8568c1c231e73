"""Tuples of any length: made of lists, joined, sliced, compared, hashed, shown."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic
# ruff: noqa: RUF005, RUF007, B905 -- how people write it

from tests.programs import Case


def made(xs, text, rows):
    t = tuple(xs)
    return (
        t,
        tuple(x * 2 for x in xs),
        tuple(text),
        tuple(sorted(set(xs))),
        tuple(range(len(xs))),
        tuple(tuple(row) for row in rows),
        tuple(map(str, xs)),
        tuple({1: "a"}.items()),
        list(t),
    )


def parts(xs, i):
    t = tuple(xs)
    return t[i], t[-1], t[1:], t[:i], t[::-1], t[i:100], len(t), xs[0] in t, 99 in t, bool(t[:0])


def joined(xs, k):
    t = tuple(xs)
    t += (k,)
    u = t + tuple(xs) + ()
    return (k, *(1, 2)) + t, u, t * 2, k * t, () + t, t * 0, (1, 2) * k, [0] + list(t)


def grown(n):
    t = ()
    for i in range(n):
        t = t + (i,)
    return t


def compared(xs, ys):
    t, u = tuple(xs), tuple(ys)
    return (
        t == u,
        t != u,
        t < u,
        t <= u,
        t > u,
        t >= u,
        t == (1, 2),
        t > (1, 2),
        t == xs,
        t == (),
        t in [u, t],
        t == (1.0, 2.0),
        sorted([u, t, t[1:]]),
        max(t, u),
    )


def searched(xs, k):
    t = tuple(xs)
    return t.count(k), t.index(k), t.index(k, 1), min(t), max(t), sum(t), any(t), all(t)


def unpacked(xs):
    a, b, *rest = tuple(xs)
    first, *_, last = tuple(xs)
    x, y, z = tuple(xs)
    return a, b, rest, first, last, x, y, z


def keys(words):
    groups = {}
    for word in words:
        groups.setdefault(tuple(sorted(word)), []).append(word)
    seen = {tuple(word) for word in words}
    return groups, ("a", "b") in groups, ("a",) in groups, tuple("ab") in seen, sorted(seen)


def hashes(xs, words):
    t = tuple(xs)
    return (
        hash(t) == hash((1, 2)),
        hash(tuple(words)) == hash(("a", "b")),
        hash((t, 1)) == hash(((1, 2), 1)),
        hash(t[:0]) == hash(()),
        hash(t),
    )


def shown(xs, words):
    t, w = tuple(xs), tuple(words)
    print(t, w)
    return str(t), repr(w), f"{t} {t[:1]} {t[:0]}", f"{[t, t]} {(t, 1)}", str({t: w})


def looped(rows):
    out = []
    for i, row in enumerate(map(tuple, rows)):
        for x in row:
            out.append((i, x))
    for row in reversed([tuple(r) for r in rows]):
        out.extend(zip(row, row[1:]))
    return out


def given(t: tuple[int, ...], rows: list[tuple[int, ...]]):
    out = {}
    for row in rows:
        out[row + t] = len(row)
    return out, t + t[:1], rows[0], sum(sum(row) for row in rows)


def lengths(rows):
    return [x for row in rows for x in row], [len(row) for row in rows], rows[0], rows[-1] < rows[0]


def either(flag, xs):
    t = tuple(xs) if flag else ()
    u = () if flag else (1, 2)
    v = None if flag else tuple(xs)
    return t, u + t, v, v is None, len(t), t or "none", isinstance(t, tuple), type(t) is tuple


def of_objects(n):
    points = tuple(Point(i, -i) for i in range(n))
    return sum(p.x for p in points), [p.y for p in points], len(points), Kept(range(n)).items


class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y


class Kept:
    def __init__(self, items):
        self.items = tuple(items)


def fields(n):
    kept = Kept([1, 2])
    for i in range(n):
        kept.items += (i,)
    kept.items = kept.items[:1] + kept.items
    return kept.items


def matched(xs):
    match tuple(xs):
        case ():
            return "none"
        case (x,):
            return f"one {x}"
        case (x, *rest):
            return f"{x} and {rest}"


def computed_places(i, j):
    t = (1, "a", 2.5)
    u = (10, 20, 30)
    return t[i], u[i:j], u[j:], u[i], [x for x in t]


def lists_inside(rows):
    t = tuple(rows)
    t[0].append(7)
    return t, rows, len(t)


def late(n):
    seen = set()
    state = (0,)
    while state not in seen:
        seen.add(state)
        state = tuple((x + 1) % n for x in state) + ((len(state),) if len(state) < 2 else ())
    return state, len(seen)


def walked(grid):
    out = []

    def walk(i, path):
        if i == len(grid):
            out.append(path)
            return
        for x in grid[i]:
            walk(i + 1, path + (x,))

    walk(0, ())
    return out


def permuted(items):
    if len(items) <= 1:
        return [tuple(items)]
    out = []
    for i, item in enumerate(items):
        for rest in permuted(items[:i] + items[i + 1 :]):
            out.append((item,) + rest)
    return out


SQUARES = tuple(row + column for row in "ABCDEFGHI" for column in "123456789")
NUMBERS = tuple(range(100))
MIXED = tuple(i if i % 2 else str(i) for i in range(80))
PAIRS = tuple((i, str(i)) for i in range(70))


def of_many_items(k):
    total = 0
    for x in NUMBERS:
        if x == k:
            break
        total += x
    else:
        total = -1
    return total, k in NUMBERS, f"A{k}" in SQUARES, "A1" not in SQUARES


def many_in_comprehensions(text):
    return (
        {square: len(text) for square in SQUARES},
        [x for x in MIXED if x != text],
        [b for a, b in PAIRS if len(b) > 1 and a % 9 == 0],
        all(s in SQUARES for s in SQUARES),
        len([1 for _ in zip(SQUARES, NUMBERS)]),
    )


CASES: list[Case] = [
    (made, [([1, 2, 2], "abc", [[1], [2, 3]])]),
    (parts, [([1, 2, 3], 1), ([1, 2, 3], 5), (["a", "b"], -2)]),
    (joined, [([1, 2], 3)]),
    (grown, [(0,), (5,)]),
    (compared, [([1, 2], [1, 2, 3]), ([2], [1, 2, 3])]),
    (searched, [([1, 2, 1], 1), ([1, 2], 5)]),
    (unpacked, [([1, 2, 3],), ([1, 2],)]),
    (keys, [(["ab", "ba", "c"],)]),
    (hashes, [([1, 2], ["a", "b"])]),
    (shown, [([1, 2], ["a"])]),
    (looped, [([[1, 2, 3], [4]],)]),
    (given, [((1, 2), [(1,), (2, 3), ()])]),
    (lengths, [([(1,), (2, 3), (4, 5, 6)],), ([(1,), (2, 3)],)]),
    (either, [(True, [1, 2]), (False, [1, 2])]),
    (of_objects, [(3,)]),
    (fields, [(3,)]),
    (matched, [([1],), ([1, 2, 3],)]),
    (computed_places, [(1, 2), (3, 3)]),
    (lists_inside, [([[1], [2, 3]],)]),
    (late, [(3,)]),
    (walked, [(["ab", "cd"],)]),
    (permuted, [([1, 2, 3],)]),
    (of_many_items, [(5,), (200,)]),
    (many_in_comprehensions, [("4",), ("ab",)]),
]
