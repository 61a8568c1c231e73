"""Texts and bytes as iterables: taken apart by targets, put into lists, sets and deques."""

# Without annotations the types come from the call, which is what these programs are about.
# ruff: noqa: B007, F841, B905, RUF005, RUF059 -- how people write it
# pyright: basic, reportArgumentType=false, reportOptionalSubscript=false, reportOptionalMemberAccess=false
# pyright: reportAttributeAccessIssue=false, reportOperatorIssue=false, reportCallIssue=false
# pyright: reportOptionalOperand=false, reportReturnType=false, reportGeneralTypeIssues=false, reportOptionalIterable=false

from tests.programs import Case


def pair(n):
    a, b = "xy"
    return b, a


def in_loops(n):
    return [x + y for x, y in ["ab", "cd"]]


def put_into_a_slice(n):
    buf = ["a", "b", "c"]
    buf[1:1] = "XY"
    return buf


def extended(n):
    buf = ["a"]
    buf.extend("zz")
    return buf


def added(n):
    buf = ["a"]
    buf += "!"
    buf += "xyz"
    return buf


def too_many(n):
    a, b = "xyz"


def counted(n):
    s = "x" * n
    a, b = s
    return a


def too_few(n):
    s = "x" * (n - 2)
    a, b = s
    return a


def with_stars(n):
    a, *b = "hello"
    *c, d = "hello"
    e, *f, g = "h" * n
    return a, b, c, d, e, f, g


def too_few_with_stars(n):
    a, *b, c = "x" * (n - 2)
    return a


def words(n):
    out = []
    for a, b in ["ab", "cd", "ef"]:
        out.append(a + b * 2)
    return out


def one_is_short(n):
    out = []
    for a, b in ["ab", "c"]:
        out.append(a)
    return out


def nested(n):
    out = {}
    for (a, b), c in [("ab", 1), ("cd", 2)]:
        out[a] = b * c
    return out


def in_comprehensions(n):
    return (
        {a: b for a, b in ["ab", "cd"]},
        {a + b for a, b in ["ab"]},
        list((a, b) for a, b in ("xy", "zw")),
    )


def beyond_ascii(n):
    (a, b) = "xy"
    (c, d) = "é€"
    return a + b + c + d


def of_bytes(n):
    a, b = b"xy"
    return a, b


def beside_others(n):
    out = []
    for i, (a, b) in enumerate(["ab", "cd"]):
        out.append((i, a, b))
    for (a, b), (c, d) in zip(["ab"], ["cd"]):
        out.append((1, a + c, b + d))
    return out


def slices(n):
    buf = list("abc")
    buf[0:2] = "Z"
    buf[:] = buf[::-1]
    buf[len(buf) :] = "end"
    return buf


def into_nothing(n):
    buf = []
    buf += "ab"
    buf.extend("cd")
    return buf


def of_digits(n):
    out = []
    out.extend(c for c in "abc")
    out.extend(str(n))
    out += str(n * 11)
    return out


class B:
    def __init__(self):
        self.buf = []
        self.pos = 0

    def put(self, s):
        self.buf[self.pos : self.pos] = s
        self.pos += len(s)

    def add(self, s):
        self.buf.extend(s)

    def add2(self, s):
        self.buf += s


def fields(n):
    b = B()
    b.put("ab")
    b.pos = 1
    b.put("XY")
    b.add("zz")
    b.add2("!")
    return b.buf, "".join(b.buf)


def in_turn(n):
    x = y = ""
    for s in ["ab", "cd"]:
        x, y = s
    return x, y


def keys(n):
    d = {"ab": 1, "cd": 2}
    return [(a, b, v) for (a, b), v in d.items()], [a for a, b in d], sorted(b + a for a, b in d)


def grids(n):
    grid = ["#.", ".#"]
    (a, b), (c, d) = grid
    return a, b, c, d


def of_maps(n):
    a, b = map(int, "12")
    x, y, z = (int(c) for c in "123")
    return a + b, x * y * z


def of_sorted(n):
    a, b = sorted("yx")
    (p, q), r = "ab", 1
    return a, b, p, q, r


def of_parts(n):
    first, second = input_line(n).split()
    (h, m) = first
    return h, m, second


def input_line(n):
    return "ab 3"


def swapped(n):
    s, t = "ab"
    s, t = t, s
    return s + t


def arguments(n):
    def pair(a, b):
        return b + a

    return pair(*"xy")


def deques_and_sets(n):
    from collections import deque

    q = deque("ab")
    q.extend("cd")
    q += "e"
    q.extendleft("xy")
    s = set("ab")
    s.update("cd")
    s |= set("e")
    return list(q), sorted(s), list("ab") + ["c"], [*"ab", *"cd"], tuple("xy")


def messages(n):
    buf = [1]
    try:
        a, b, c = "xy"
    except ValueError as e:
        r1 = str(e)
    try:
        a, b = ""
    except ValueError as e:
        r2 = str(e)
    try:
        a, *b, c = "x"
    except ValueError as e:
        r3 = str(e)
    try:
        a, b = "x" * n
    except ValueError as e:
        r4 = str(e)
    return r1, r2, r3, r4


def tables(n):
    swaps = "ab"
    left = right = ""
    left, right = swaps
    table = [["x", "y"], ["z", "w"]]
    table[0] += "q"
    table[1].extend("rs")
    table[0][1:2] = "mn"
    return left, right, table


def every_second(n):
    buf = list("abcdef")
    buf[::2] = "XYZ"
    return buf


def every_second_of_too_few(n):
    buf = list("abcdef")
    buf[::2] = "XY"
    return buf


def rests(n):
    xs = [["a", "b"], ["c"]]
    for a, *rest in ["abc", "d"]:
        xs.append(rest)
    return xs


def dicts(n):
    m = dict(["ab", "cd"])
    return m


def operations(n):
    ops = ["+x", "-y"]
    total = 0
    for op, name in ops:
        total += 1 if op == "+" else -2
    return total, [name for _, name in ops]


def bytes_into_lists(n):
    xs = [1]
    xs[0:0] = b"ab"
    xs += b"c"
    xs.extend(b"d")
    return xs


def bytes_with_stars(n):
    a, *b = b"abc"
    return a, b


def may_be_none(n):
    t = "ab" if n > 2 else None
    a, b = t
    return a + b


def is_none(n):
    t = "ab" if n > 5 else None
    a, b = t
    return a + b


def of_characters(n):
    for a, b in "ab":
        return a


def alone(n):
    for (a,) in "ab":
        n = a
    return n


def of_zips(n):
    out = []
    for a, b in zip("ab", ["cd", "ef"]):
        c, d = b
        out.extend((a, c, d))
    out += (x for x in "gh")
    out += reversed("ab")
    out += map(str.upper, "ab")
    return out


def wide_characters(n):
    x = "naïve€"
    a, b, c, *d, e = x
    buf = list("x")
    buf[1:] = x[::-1]
    return a, b, c, d, e, buf


class T:
    pair = "xy"

    def __init__(self):
        self.a, self.b = self.pair
        self.c, self.d = "zw"


def in_classes(n):
    t = T()
    t.a, t.b = t.b + t.a
    xs = [0, 0]
    ys = ["", ""]
    ys[0], ys[1] = "pq"
    return t.a, t.b, t.c, t.d, ys


def of_items(n):
    buf = list("abc")
    buf[1:2] = buf[0]
    buf += buf[1]
    buf.extend(buf[2] * 2)
    return buf


def of_choices(n):
    buf = list("abc")
    buf.extend("ab" if n > 2 else "c")
    word = "".join(buf)
    a, b = word[:2]
    return a, b, word


def joined(n):
    xs = []
    for w in ["ab", "cd"]:
        xs += w
        xs.append(",")
    return "".join(xs)


def of_dicts(n):
    d = {}
    for w in ["ab", "cd"]:
        d.setdefault(w[0], []).extend(w)
        d[w[0]] += "!"
    return d


CASES: list[Case] = [
    (pair, [(3,)]),
    (in_loops, [(3,)]),
    (put_into_a_slice, [(3,)]),
    (extended, [(3,)]),
    (added, [(3,)]),
    (too_many, [(3,)]),
    (counted, [(2,), (3,)]),
    (too_few, [(3,), (4,)]),
    (with_stars, [(2,), (3,)]),
    (too_few_with_stars, [(3,), (4,)]),
    (words, [(3,)]),
    (one_is_short, [(3,)]),
    (nested, [(3,)]),
    (in_comprehensions, [(3,)]),
    (beyond_ascii, [(3,)]),
    (of_bytes, [(3,)]),
    (beside_others, [(3,)]),
    (slices, [(3,)]),
    (into_nothing, [(3,)]),
    (of_digits, [(3,)]),
    (fields, [(3,)]),
    (in_turn, [(3,)]),
    (keys, [(3,)]),
    (grids, [(3,)]),
    (of_maps, [(3,)]),
    (of_sorted, [(3,)]),
    (of_parts, [(3,)]),
    (swapped, [(3,)]),
    (arguments, [(3,)]),
    (deques_and_sets, [(3,)]),
    (messages, [(3,)]),
    (tables, [(3,)]),
    (every_second, [(3,)]),
    (every_second_of_too_few, [(3,)]),
    (rests, [(3,)]),
    (dicts, [(3,)]),
    (operations, [(3,)]),
    (bytes_into_lists, [(3,)]),
    (bytes_with_stars, [(3,)]),
    (may_be_none, [(3,)]),
    (is_none, [(3,)]),
    (of_characters, [(3,)]),
    (alone, [(3,)]),
    (of_zips, [(3,)]),
    (wide_characters, [(3,)]),
    (in_classes, [(3,)]),
    (of_items, [(3,)]),
    (of_choices, [(3,), (1,)]),
    (joined, [(3,)]),
    (of_dicts, [(3,)]),
]
