"""Formats: `%`, `format`, `format_map`, and texts of arrays."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic
# ruff: noqa: UP031, UP032

import numpy as np

from tests.programs import Case


class Money:
    def __init__(self, cents):
        self.cents = cents

    def __format__(self, spec):
        return f"<{spec}:{self.cents}>"

    def __str__(self):
        return f"{self.cents / 100:.2f}"


def nested(x, s, w):
    print("{:>{}}|{:{p}}|{:*^{w}}".format(s, w, x, s, p=".2f", w=w + 4))
    return "{0:{1}}|{0!r:>{1}}|{0}".format(s, w), "{:{}{}{}}".format(w, "*", ">", 8)


def parts(m, xs):
    money = Money(m)
    print(
        "{p.cents:>5} {p} {p!s:>7}".format(p=money),
        f"{money:abc}",
        format(money, "q"),
        f"{money:{m}}",
    )
    return "{0[0]} {0[1]:03d} {1.cents}".format(xs, money), "{:5.1f}".format(m), "%s" % money


def by_name(d):
    print("{a} {b:>4} {a!r}".format_map(d), "%(a)d and %(b)5.1f %(a)s%%" % d)
    return "{c}".format_map(d)


def stars(n, w):
    return "%*d|%-*d|%*s" % (w, n, w, n, w, "ab"), "%.*f|%*.*e" % (w, 2.5, 9, 2, 1.25)


def letters(n, s):
    print("%x %o %X %#x %#o %#X %08x %-6x| %+x" % (n, n, n, n, n, n, n, n, n))
    print("%r %a %5.2s %-4s|" % (s, s, s, s), "%#g %#.0f" % (2.0, 3.0))
    return "%c%c" % (65, "z"), "%3c|%-3c|" % ("a", 98)


def one_char(c):
    return "%c" % c


def converted(xs, t, d, x):
    print(f"{xs!s:>12}|{t!r:<12}|{d!s:^12}|{None!s:>6}|{True!s:>6}|{x!r:>20}|{Money(5)!s:>6}")
    return "{!s:>12}".format(xs), "%12s|" % xs, f"{xs!s:>{len(xs) + 10}}"


def arrays(x, y):
    print(x, y, x[:1], repr(x), [x], (y, 1))
    text = ""
    for i in range(2):
        z = x + i
        text += f"{z} {z.T!r}\n"
    return text, str(x > 1), "%s|%r" % (x[1:], y), "{}".format(y), f"{y!s:>30}", str(x.sum())


def tables(s):
    print(s.translate(str.maketrans("ab", "xy", "c")), s.translate({97: None, 98: "q"}))
    upper = str.maketrans({"a": "A", "b": "bb"})
    return s.translate(upper), s.translate(str.maketrans({97: 98})), len(upper)


def wrong_table(key):
    return "abc".translate(str.maketrans({key: "x"}))


def one_of(k, text):
    if k == 0:
        return len(text)
    if k == 1:
        return text
    if k == 2:
        return [k, 5]
    if k == 3:
        return (k, text)
    return None if k == 4 else 2.5


def of_unions(k, spec):
    x = one_of(k, "abc")
    return format(x, spec), f"{x:{spec}}", "{:{}}".format(x, spec)


def by_constants(k, w):
    x, done = one_of(k, "abc"), []
    try:
        return f"{x:>6}|{done.append(1)}", f"{x!r:>8}|{x!s:<8}|", "{:^7}".format(x), f"{x:>{w}}"
    except TypeError as error:
        return str(error), str(done), "", ""


CASES: list[Case] = [
    (of_unions, [(k, spec) for k in range(6) for spec in ("", ">5", "d", ".1f", "q")]),
    (by_constants, [(k, 7) for k in range(6)]),
    (nested, [(2.5, "ab", 6), (-0.0, "", 1), (1e9, "\u00e9", 0)]),
    (parts, [(250, [1, 2]), (7, [0, -5])]),
    (by_name, [({"a": 1, "b": 2, "c": 3},), ({"a": 1, "b": 2},)]),
    (stars, [(3, 5), (-3, -6), (0, 0)]),
    (letters, [(255, "x'y"), (0, "\u00e9\u03c0"), (-10, "")]),
    (one_char, [(97,), (0x110000,), (-1,), ("a",), ("ab",), ("",)]),
    (converted, [([1, 2], (1, "a"), {1: 2}, 1.5)]),
    (
        arrays,
        [
            (np.arange(3.0), np.arange(4).reshape(2, 2)),
            (np.ones((2, 2), np.float32), np.array([True])),
        ],
    ),
    (arrays, [(np.zeros(2000), np.array([1 + 2j, np.nan]))]),
    (tables, [("aabbcc",), ("",), ("x\u03c0c",)]),
    (wrong_table, [("a",), ("ab",), ("",)]),
]
