"""Structured arrays: fields, records as views of their places, new ones, and what they refuse."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

BODY = np.dtype([("x", "f8"), ("v", "f8"), ("n", "i8")])
# Of several widths, with room between the fields, and with an array in each record.
POINT = np.dtype([("id", "i4"), ("place", "f8", (3,)), ("weight", "f4"), ("on", "?")], align=True)


def bodies(count):
    made = np.zeros(count, BODY)
    made["x"] = np.arange(count) * 1.5 - 1
    made["v"] = 0.25
    made["n"] = np.arange(count)[::-1]
    return made


def points(count):
    made = np.zeros(count, POINT)
    made["id"] = range(count)
    made["place"] = np.arange(3.0 * count).reshape(count, 3)
    made["weight"] = 0.5
    made["on"][::2] = True
    return made


def measured(p):
    return len(p), p.shape, p.size, p.ndim, p.dtype.names, isinstance(p, np.ndarray)


def moved(p, dt):
    p["x"] += p["v"] * dt
    p["v"] *= 0.5
    return p["x"].sum(), p["n"].max(initial=-1), p


def by_index(p):
    for i in range(len(p)):
        p[i]["x"] = p["x"][i] * 2 + i
        p[i]["n"] += 1
    return p[-1]["x"], p[len(p) - 1]["n"]


def by_record(p):
    total = np.float64(0)
    for r in p:
        if r["n"] == 1:
            continue
        total += r["x"] * r["n"]
        r["v"] = total
        r["n"] -= 1
    return total


def counted(p):
    places = [i * r["x"] for i, r in enumerate(p)]
    return places, [a["n"] + b["x"] for a, b in zip(p, p[::-1], strict=True)]


def views(p, i):
    r, part = p[i], p[1:3]
    p["x"][i] = 100.0
    part["n"] = -1
    return r["x"], r, part, p[p["x"] > 0], p[::-1], p[np.array([0, -1])]


def largest(p):
    best = p[0]
    for r in p[1:]:
        if r["x"] > best["x"]:
            best = r
    best["v"] = 9.0
    return best


def taken_apart(p):
    x, v, n = p[1]
    x += 1
    return x + v, n, p[1]["x"]


def stored(p):
    p[0] = (7.0, 8, 9)
    p[1] = p[2]
    p[3:] = (1, 2, 3)
    p[2:3] = p[0]
    p[p["n"] < 1] = 5
    p["n"] = p["n"][::-1]
    return p


def swapped(p):
    p[0], p[1] = p[1], p[0]
    return p


def made(n):
    a = np.zeros(n, dtype=BODY)
    a["x"] = np.linspace(0, 1, n)
    b = np.ones((2, n), BODY)
    b[0] = a
    b[1, 1:] = a[0]
    c = np.empty(n, BODY)
    c[:] = b[1]
    return a, b, b[1, 0], b[:, 0], c, a.copy()


def of_one_memory(n):
    a = np.zeros(n, BODY)
    a["x"] = np.arange(n) * 1.5
    last = a[-1]
    last["n"] = 3
    return a, a["x"], a[1:], a[0], last, np.ones((2, n), POINT), np.zeros(n, PACKED)


def of_tuples(n):
    rows = [(i * 0.5, i, i * i) for i in range(n)]
    one = (0.5, 1.5, 2)
    whole = np.array([(1, 2.5, 3), (4.0, 5, n), one], dtype=BODY)
    return whole, np.array(rows, dtype=BODY), np.array([(i, 1.5) for i in range(n)], dtype=PACKED)


def joined(p, q):
    return np.concatenate([p, q[1:], p]), np.concatenate((q, np.ones(2, BODY)))


def of_that_shape(p):
    p["n"] = 4
    copies = p.copy(), np.array(p)
    p["n"] = 5
    return np.zeros_like(p), np.ones_like(p), np.empty_like(p).shape, copies, len(p[0])


def picked(p):
    rows, some = p[[0, 2]], p[p["n"] > 1]
    rows["x"][0] = 77.0
    some["v"] = 5.0
    return rows, some, p[np.array([1, 1])], p[1:][::-1], p


def of_written_dtypes(n):
    made = np.zeros(n, dtype=[("x", float), ("k", np.int64), ("p", "f8", (2,))])
    made["x"], made["p"][:, 1] = np.arange(n), 2.0
    pair = np.dtype([("i", np.int32), ("x", np.float64)], align=True)
    pairs = np.array([(i, float(i)) for i in range(n)], dtype=pair)
    return made, pairs, pair.itemsize


def only_inside(n):
    p = np.zeros(n, BODY)
    p["v"] = 1.5
    for _ in range(3):
        p["x"] += p["v"] * 0.5
        for i in range(n):
            p["v"][i] -= p["x"][i] * 0.25
            p[i]["n"] += i
    heavy = p[p["n"] > 3]
    return p["x"].sum(), heavy["v"].sum(), len(heavy)


def of_a_union(n):
    u = np.zeros(n, UNION)
    u["x"][0] = 1.5
    u["bits"][1] = 3
    return u["bits"].sum(), u["x"][1]


def chosen(p, q, first):
    r = p if first else q
    r["x"] += 1
    return r, None if first else r[0]


def of_places(q):
    total = 0.0
    for r in q:
        if r["on"]:
            total += r["place"] @ r["place"] * r["weight"]
        r["place"][0] = -1
        r["place"] *= 2
    q[1]["place"] = np.array([9.0, 8.0, 7.0])
    q["place"][2] += 0.5
    return total, q["place"].sum(axis=0), q[2]["place"], q[0]["id"], q


def of_two_dtypes(p, q):
    p[0] = q[1]
    p[1:3] = q[:2]
    return p, p["x"] + q["x"]


def named(p):
    return [p[name].sum() for name in ("x", "v")]


class Cloud:
    def __init__(self, p):
        self.p = p

    def step(self, dt):
        self.p["x"] += self.p["v"] * dt
        return self

    def heaviest(self):
        return self.p[np.argmax(self.p["n"])]


def kept_in_an_object(p):
    cloud = Cloud(p).step(2.0).step(1.0)
    return cloud.heaviest(), cloud.p["x"].sum()


def out_of_bounds(p, i):
    return p[i]["x"]


PACKED = np.dtype([("x", "f8"), ("n", "i4")])
UNION = np.dtype({"names": ["x", "bits"], "formats": ["f8", "i8"], "offsets": [0, 0]})
NARROW = np.zeros(4, [("x", "f4"), ("v", "f4"), ("n", "i4")])

CASES: list[Case] = [
    (measured, [(bodies(5),), (bodies(0),), (bodies(6).reshape(2, 3),), (points(3)[::-2],)]),
    (moved, [(bodies(5), 0.5), (bodies(0), 1.0), (bodies(8)[::-3], 2.0)]),
    (by_index, [(bodies(4),), (bodies(9)[1::3],)]),
    (by_record, [(bodies(6),), (bodies(0),), (bodies(6)[::-1],)]),
    (counted, [(bodies(5),), (bodies(1),)]),
    (views, [(bodies(5), 2), (bodies(5), -1), (bodies(5), 5)]),
    (largest, [(bodies(5),), (bodies(1),)]),
    (taken_apart, [(bodies(5),), (bodies(1),)]),
    (stored, [(bodies(6),), (bodies(12)[::2],)]),
    (swapped, [(bodies(3),)]),
    (made, [(4,), (2,)]),
    (of_one_memory, [(4,), (1,)]),
    (of_tuples, [(4,), (0,)]),
    (joined, [(bodies(3), bodies(4)), (bodies(1)[::-1], bodies(1))]),
    (of_that_shape, [(bodies(3),), (bodies(4)[::-2],)]),
    (picked, [(bodies(4),)]),
    (of_written_dtypes, [(3,)]),
    (of_a_union, [(3,)]),
    (only_inside, [(5,), (0,)]),
    (chosen, [(bodies(2), bodies(3), True), (bodies(2), bodies(3), False)]),
    (of_places, [(points(4),), (points(9)[::-2],)]),
    (of_two_dtypes, [(bodies(4), NARROW), (bodies(4), bodies(4))]),
    (named, [(bodies(4),)]),
    (kept_in_an_object, [(bodies(4),)]),
    (out_of_bounds, [(bodies(4), 3), (bodies(4), 4), (bodies(0), 0)]),
]
