"""`*` in front of lists before other arguments, and in formats, which `%` fills from tuples, too.

The types come from the calls.
"""

# ruff: noqa: UP031
# pyright: basic, reportArgumentType=false, reportCallIssue=false

from tests.programs import Case


def formats(words, nums):
    out = []
    for _ in range(2):
        try:
            out.append("{} {}".format(*words) + "{1}{0}".format(*"ab"))
            out.append("{0}/{1}/{n}/{0!r}".format(*words, n=3))
            out.append("<{}: {:>{}}>".format("a", *nums))
        except IndexError as e:
            out.append(str(e))
    try:
        out.append("%s-%s" % tuple(words))
        out.append("%d %5.1f|%x" % tuple(x * 2 for x in nums))
        out.append("%s" % tuple(words[:1]))
        out.append("%*d" % tuple(nums[:2]))
    except TypeError as e:
        out.append(str(e))
    row = tuple(words)
    try:
        out.append("%s is %s!" % row)
    except TypeError as e:
        out.append(str(e))
    return out


def f(a, b, c):
    return a + 10 * b + 100 * c


def g(a, b=2, c=3):
    return a + 10 * b + 100 * c


def h(*args):
    return len(args), args[-1]


class P:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def m(self, a, b, c=0):
        return self.x + a * b + c


def tried(fn):
    try:
        return str(fn())
    except TypeError as e:
        return str(e)


def calls(xs: list[int], n: int):
    p = P(1, 2)
    return [
        tried(lambda: f(*xs, n)),
        tried(lambda: f(n, *xs, n)),
        tried(lambda: f(n, *xs)),
        tried(lambda: g(*xs, n)),
        tried(lambda: g(*xs)),
        tried(lambda: P(*xs, n).y),
        tried(lambda: p.m(*xs, n)),
        tried(lambda: f(*xs, n, n)),
        tried(lambda: f(*xs, n, n, n)),
        h(*xs, n),
        h(n, *xs, n),
    ]


CASES: list[Case] = [
    (formats, [(["a", "b"], [5, 6, 7]), (["a"], [5, 6]), (["a", "b", "c"], [1, 12, 3])]),
    (calls, [([], 4), ([1], 4), ([1, 2], 4), ([1, 2, 3], 5)]),
]
