"""Values of several types: what a variable, a list or a result has, told apart by tests."""

# Variables of several types are what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case


def either(n, x):
    y = n
    if n < 0:
        y = x
    return y


def results(n):
    if n == 0:
        return None
    if n == 1:
        return 5
    if n == 2:
        return "abc"
    return (n, 2.5) if n == 3 else n > 9


def told_apart(x: int | str, y: "str | float | None" = None):
    size = x + 1 if isinstance(x, int) else len(x)
    if y is None:
        return size
    if isinstance(y, str):
        return y + "!"
    return y * 2


def items(n):
    xs = [1, "a", 2.5, None, True, [n]]
    found = []
    for x in xs:
        if isinstance(x, bool):
            found.append(1)
        elif isinstance(x, int):
            found.append(x * 20)
        elif isinstance(x, (str, list)):
            found.append(len(x) if isinstance(x, str) else 10 * len(x))
        elif x is not None:
            found.append(int(x * 2000))
        else:
            found.append(0)
    return found, xs[n]


def appended(xs: list[int | str]):
    xs.append("a")
    xs.append(3)
    size = 0
    for x in xs:
        if isinstance(x, str):
            size += len(x)
        else:
            size += 100 * x
    return size


def grown(n):
    xs = []
    for i in range(n):
        if i % 3 == 0:
            xs.append(i)
        elif i % 3 == 1:
            xs.append(i / 2)
        else:
            xs.append("x" * i)
    return xs


def values(d: dict[str, int | str], key):
    v = d[key]
    if isinstance(v, int):
        return v
    return len(v)


def made(n):
    d = {"a": n, "b": "xyz"}
    d["c"] = n / 2
    return d


def truth(xs):
    count = 0
    for x in xs:
        if x:
            count += 1
        if not x and not isinstance(x, str):
            count += 100
    return count


def pairs(n):
    rows = [(n, 1.5), ("a", n)]
    for first, second in rows:
        if isinstance(first, str) and isinstance(second, int):
            return rows, first * second
    return rows, ""


def until(n):
    x = None
    while x is None or isinstance(x, str):
        if x is None:
            x = "begun"
        elif n > 0:
            x = x + "."
            n -= 1
        else:
            x = len(x)
    return x


def asserted(n, x):
    y = n if n > 0 else x
    assert isinstance(y, int), "no int"
    return y + 1


def arrays(n, x):
    y = x if n == 0 else x[0] if n == 1 else "none"
    if isinstance(y, np.ndarray):
        return y * 2, y
    if isinstance(y, str):
        return y
    return y + 1


def shared(n):
    """Lists in unions are the lists themselves."""
    own = [1, 2]
    x = own if n else "text"
    if isinstance(x, list):
        x.append(3)
    return own, x


def left_half_way(n):
    x = n
    try:
        if n > 1:
            x = "one"
        if n > 2:
            x = 1.5
            raise ValueError("raised")
    except ValueError:
        return x, 1
    return x


def several(n, kind):
    if kind == 0:
        return n
    if kind == 1:
        return "abc"
    if kind == 2:
        return [n, n]
    if kind == 3:
        return (n, "q")
    if kind == 4:
        return {"q": n}
    return (1, 2, n) if kind == 5 else None if kind == 6 else n == 3 if kind == 7 else n / 2


def matched(n, kind):
    match several(n, kind):
        case None:
            return "none"
        case True:
            return "true"
        case int(k) if k > 2:
            return k + 1
        case "abc":
            return "the text"
        case str():
            return "other"
        case [_, b]:
            return b
        case [_, *rest]:
            return rest
        case {"q": held}:
            return held * 100
        case float(f) if f > 1:
            return f
    return "?"


def told_by_class(n, kind):
    y = several(n, kind)
    if type(y) is int:
        return y * 100
    if type(y) is str:
        return y
    if isinstance(y, dict):
        return y["q"]
    if type(y) is not float and y is not None:
        return 0
    return y


def equal_to_text(n, kind):
    y = several(n, kind)
    if y == "abc":
        return y + "!"  # pyright: ignore[reportOperatorIssue]
    if y == 3:
        return 7
    if isinstance(y, (list, tuple)):
        return y[0]
    if y and not isinstance(y, dict):
        return y * 2
    return "" if y != "abc" else y + "?"  # pyright: ignore[reportOperatorIssue]


class Token:
    value: int | str | None

    def __init__(self, value: int | str | None, mark=None):
        self.value = value
        self.mark = mark

    def size(self):
        if self.value is None:
            return -1
        if isinstance(self.value, int):
            return self.value
        return len(self.value)


def fields(n):
    first, second, third = Token(n), Token("abc"), Token(None)
    sizes = [first.size(), second.size(), third.size()]
    first.value = "hello!"
    third.value = first.value
    if isinstance(third.value, str):
        third.value = third.value + "?"
    sizes += [first.size(), second.size(), third.size()]
    return sizes, first.value, third.value


OF_KINDS = (several, matched, told_by_class, equal_to_text)
X = np.array([1.5, -2.0])


def indices_of_several_types(a, c, n):
    """An index is an int, one of an array, or of another dtype."""
    head = -2
    for i in range(n):
        if c[i] > 2:
            head = c[i]
        elif c[i] > 1:
            head = i
        a[head] += 1.0
    if n > 3:
        head = np.uint16(1)
    xs = [1, 2, 3]
    return a, a[head], a[head:], a[: head - 1], xs[head - 1]


CASES: list[Case] = [
    (
        indices_of_several_types,
        [
            (np.zeros(5), np.array([1, 3, 2, 4, 0]), 4),
            (np.zeros(5), np.array([1, 3, 2, 4, 0]), 2),
            (np.zeros(5), np.array([3]), 0),
            (np.zeros(3), np.array([9]), 1),
        ],
    ),
    (either, [(1, 2.5), (-1, 2.5), (-1, "a"), (-1, None), (1, (1, 2)), (-1, X), (2, [1.5])]),
    (results, [(n,) for n in (0, 1, 2, 3, 4, 10)]),
    (told_apart, [(1,), ("abc",), (1, "q"), ("é", 2.5), (2, 3)]),
    (items, [(n,) for n in range(6)]),
    (appended, [([1, "bc"],), (["x"] * 3 + [7],)]),
    (grown, [(0,), (1,), (2,), (9,)]),
    (values, [({"a": 1, "b": "xyz"}, "a"), ({"a": 1, "b": "xyz"}, "b"), ({"a": 1}, "b")]),
    (made, [(3,), (-1,)]),
    (truth, [([0, "", None, 0.0, 1, "a", -0.5],), ([None, "x", ()],), ([(1,), 0, "q"],)]),
    (pairs, [(2,), (0,)]),
    (until, [(0,), (3,)]),
    (asserted, [(1, "a"), (0, 2.5), (0, "a")]),
    (arrays, [(0, X), (1, X), (2, X)]),
    (shared, [(0,), (1,)]),
    (left_half_way, [(1,), (2,), (3,)]),
    (fields, [(7,)]),
    *((f, [(n, kind) for n in (3, 1) for kind in range(9)]) for f in OF_KINDS),
]
