"""Tuples of several lengths: tests of `len`, targets, and stars tell them apart."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic, reportAssignmentType=false

from tests.programs import Case


def put(key, value):
    return f"{key}={value}"


def commands(n):
    found = []
    for command in [("put", "a", n), ("get", "a"), ("stop",), ("put", "b", n + 1)]:
        if len(command) == 3:
            found.append(put(*command[1:]))
        elif len(command) > 1:
            name, key = command
            found.append(name + key)
        else:
            found.append(command[0])
    return found


def without_one(rows):
    found = []
    for row in rows:
        if len(row) != 2:
            continue
        key, value = row
        found.append((value, key))
        found.append((len(row) >= 2, row[1]))
    return found


def taken(rows):
    """What has another length raises where it is taken apart."""
    found = []
    for row in rows:
        try:
            key, value = row
            found.append((key, value))
        except ValueError as error:
            found.append((str(error), 0))
    return found


def loops(k):
    rows = [("a", 1), ("b", 2, 3), ("c",)]
    found = []
    for key, value in rows[:k]:
        found.append((key, value))
    return found


def perhaps(k):
    row = [("a", 1), None, ("b",)][k]
    key, value = row
    return key * value


def with_none_of_them(k):
    rows = [(), (1,), (1, "a")]
    chosen = (1, 2) if k == 0 else (1, 2, 3) if k == 1 else ()
    a, b = chosen
    return len(rows), [len(row) for row in rows], a + b


def the_only_one(k):
    (a,) = () if k == 0 else (k,)
    return a


def with_rests(n):
    ops = [("get", "a"), ("put", "a", n), ("put", "b", 2, 3), ("get", "b")]
    out = []
    d = {}
    for op, key, *rest in ops:
        if op == "put":
            d[key] = rest[0]
        out.append((op, key, rest, len(rest), d.get(key)))
    for first, *mid, last in [(1, 2), (1, 2, n), (n, 5, 6, 7)]:
        out.append(("x", str(last), mid, first, None))
    res = []
    for item in [(1, 2, 3), (1,), (4, 5)]:
        try:
            a, b, *c = item
            res.append((a, b, c))
        except ValueError as e:
            res.append((0, 0, [len(str(e))]))
    for cmd, *args in [("a",), ("b", 1), ("c", 1, n)]:
        res.append((len(cmd), sum(args), args))
    return out, res


CASES: list[Case] = [
    (with_rests, [(1,), (7,)]),
    (with_none_of_them, [(0,), (1,), (2,)]),
    (the_only_one, [(0,), (1,)]),
    (commands, [(1,)]),
    (without_one, [([("a", 1), ("b",), ("c", 2)],)]),
    (taken, [([("a", 1), ("b",), ("c", 2)],)]),
    (loops, [(1,), (2,)]),
    (perhaps, [(0,), (1,), (2,)]),
]
