"""`a + b` of lists that hold items of different types: what holds both is a list of a union."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic, reportArgumentType=false, reportOperatorIssue=false

from tests.programs import Case


def rows(n: int):
    found = [(k, "a" * k, 0.5 * k) for k in range(n)]
    table = [("number", "text", "half")] + found  # noqa: RUF005 -- how people write it
    widths = [max(len(str(row[i])) for row in table) for i in range(3)]
    return table, widths, found


def in_a_row(n: int):
    numbers, words, nothing = [1] * n, ["x"], [None]
    whole = numbers + words + nothing + [2.5] + numbers
    numbers.append(3)
    whole.append(7)
    return whole, numbers, words, ([1] if n else []) + words


def changed(n: int):
    both = [1, 2] + ["x"] * n
    both.append(None if n else 3)
    both += [None]
    return both, len(both), "x" in both, both.count(None)


def _plus(first, second):
    return first + second


def by_a_function(n: int):
    pairs = _plus([(1, 2)], [("a", n)])
    return _plus([n], ["x"]), pairs, _plus([n], [2]), _plus(["x"], [None] * n)


def _grown(xs):
    xs.append(2)
    return ["a"]


def _popped(xs):
    return [str(xs.pop())]


def changed_meanwhile(n):
    """Both sides are computed before the items are taken."""
    xs, ys = [n], [n, n]
    zs = [n] + ["a"] + _popped([n])  # noqa: RUF005 -- as above
    return xs + _grown(xs), ys + _popped(ys), zs


CASES: list[Case] = [
    (changed_meanwhile, [(3,)]),
    (rows, [(3,), (0,)]),
    (in_a_row, [(0,), (2,)]),
    (changed, [(0,), (2,)]),
    (by_a_function, [(3,)]),
]
