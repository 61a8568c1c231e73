"""Operations on values of several types that no test has told apart."""

# Variables of several types are what these programs are about.
# pyright: basic

import math

import numpy as np

from tests.programs import Case


def arithmetic(n, x, first):
    y = n if first else x
    z = y + 1
    return z, y * 2.5, y / n, -y, y < 3, y == n, y == 2.5, y**2, n - y, 10 // y, abs(y), int(y)


def two_unions(a, b, first):
    x = a if first else b
    y = b if first else a
    return x + y, x * y, x < y, [x, y], (x + y) * (x - y)


def compound(balance, rate, months):
    for _ in range(months):
        balance = balance + balance * rate
    return balance


def added_up(xs, start):
    total = start
    count = 0
    for x in xs:
        total += x
        count += x > 1
    return total, count


def doubled(n, text):
    y = n if n > 0 else text
    return y * 2, y * n


def joined(n, text):
    y = n if n > 0 else text
    return y + 1


def minus(n, text):
    return -(n if n > 0 else text)


def bits(n, text):
    return (n if n > 0 else text).bit_length()


def several(n, kind):
    return n if kind == 0 else "abc" if kind == 1 else [n, n] if kind == 2 else None


def length(n, kind):
    return len(several(n, kind))  # pyright: ignore[reportArgumentType]


def first(n, kind):
    y = several(n, kind)
    return y[0] if not isinstance(y, str) else y  # pyright: ignore[reportOptionalSubscript]


def compared(n, kind):
    y = several(n, kind)
    z = several(n, 3 - kind)
    return y == "abc", y == 3, y != [3, 3], y in [1, 2, 3], y != "abc", y == z, y is None, bool(y)


def shown(n, kind):
    y = several(n, kind)
    print(y, "and", [y, 1.5])
    return str(y), f"<{y}>", repr(y), str([y, "q"])


def ordered(n, text):
    y = n if n > 0 else text
    return y < 5


def in_place(a, b):
    xs = [a, b]
    xs[0] += b
    xs[1] *= a
    d = {"a": a, "b": b}
    d["a"] += b
    return xs, d


class Account:
    balance: int | str | float

    def __init__(self, balance):
        self.balance = balance

    def pay(self, amount):
        self.balance += amount
        return self.balance


class Sums:
    def __init__(self, start):
        self.total = start
        self.seen = [start]

    def add(self, x):
        self.total += x
        self.seen.append(x)
        return self.total


def fields(a, b, first):
    account, sums = Account(a), Sums(a if first else b)
    paid = account.pay(b), sums.add(a), sums.add(b)
    return paid, account.balance, sums.total, sums.seen


def passed_on(a, b, first):
    x = a if first else b
    return scaled(x, 2), scaled(x, by=x)


def scaled(x, by):
    return x * by + 1


class Square:
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side * self.side


class Word:
    def __init__(self, text):
        self.text = text
        self.side = len(text)

    def area(self):
        return self.text + "!"


def of_classes(n, text):
    found = []
    for shape in [Square(n), Word(text)]:
        found.append((shape.area(), shape.side))
    return found


def largest(n, x):
    found = max(n, x), min(x, n), sum([n, x]), max([n, x]), min([x, n]), sum([n, x], 10)
    return found, sorted([x, n, n * 2])


def sorted_list(n, x):
    xs = [n, x, n * 2]
    xs.sort()
    ys = [n, "a"]
    return xs, xs.index(n), ys.index("a"), xs.count(x), n in ys, ys == [n, "a"], xs[::-1]


def grown_list(n, x):
    zs = [n, "a"] * 2
    zs.extend([x, None])
    zs.insert(0, x)
    last = zs.pop()
    texts = {str(y): y for y in zs}
    return zs, last, texts, [y for y in zs if not isinstance(y, str)]


def as_truth(n, x):
    y = n if n > 1 else x
    return y or "zero", y and n, not y, y if y else None


def until_large(n, x):
    y: int | float = n
    while y < 10:
        y = y * x if y > 3 else y + 1
    return y, round(y), y // 2, y % 3, divmod(y, 2), int(y), float(y), bool(y), abs(-y)


def best_of(xs):
    best = None
    for x in xs:
        if best is None or x > best:
            best = x
    return best


def recursive(n):
    def inner(k):
        if k == 0:
            return "zero"
        return 1.5 if k == 1 else inner(k - 2)

    return inner(n), inner(n + 1)


def caught(n):
    try:
        y = n if n > 2 else "abc"
        z = y + 1  # pyright: ignore[reportOperatorIssue]
    except TypeError as error:
        return str(error)
    return z


def of_arrays(x, n):
    y = x if n > 1 else x[0] if n == 1 else n
    return y * 2, y + 0.5


class Scaler:
    def __init__(self):
        self.size = 1.5

    def fit(self, x):
        self.scale = 2 * x


class Projection:
    kind = "linear"

    def __init__(self, size):
        self.size = size

    def fit(self, x):
        self.ratio = x

    def turned(self, by=1):
        return self.size + by


def stage(steps, name):
    for known, step in steps:
        if known == name:
            return step
    raise KeyError(name)


def of_one_class(name, x):
    """What only one of the classes has: a field, one that comes later, a method, a constant."""
    steps = [("scale", Scaler()), ("turn", Projection(2))]
    for _, step in steps:
        step.fit(x)
    found = stage(steps, name)
    told = [found.size]
    try:
        told.append(found.scale)
    except AttributeError as e:
        told.append(str(e))
    try:
        told.append(found.turned(3))
    except AttributeError as e:
        told.append(str(e))
    try:
        told.append(found.kind)
    except AttributeError as e:
        told.append(str(e))
    return told, found.ratio


class Table:
    def __init__(self, columns):
        self.columns = {name: np.asarray(column) for name, column in columns.items()}

    def column(self, name):
        return self.columns[name]

    def centred(self, name):
        x = self.columns[name].astype(float)
        x -= x.mean()
        return x


def of_columns(n):
    """Methods of arrays of several dtypes, wherever these are read from."""
    table = Table({"whole": np.arange(n), "part": np.arange(n) / 2})
    most = table.columns["whole"].max()
    first, last = table.column("part").min(), table.columns.pop("part").max()
    total = table.column("whole").sum().item() + 1
    held = [np.arange(n), np.ones(n)]
    for i in range(2):
        mean = held[i].mean()
    sums = [x.sum() for x in held]
    largest = max(x.max() for x in held)
    return most, first, last, total, mean, sums, largest, table.centred("whole")


def _either(n: int, is_int: bool):
    return n if is_int else n + 0.5


def long_chains(n: int):
    """Each operator of a chain is looked at once for each pair of members."""
    a, b, c = _either(n, n > 1), _either(n, n > 2), _either(n, n > 3)
    total = a + b + c + a + b + c + a + b + c + a + b + c + a - b - c - a - b - c
    apart = (a - b) ** 2 + (b - c) ** 2 + (c - a) ** 2 + (a - c) ** 2 + (b - a) ** 2
    return total, apart, (a * b * c * a * b * c * a) / 7, a + b > c + a, math.sqrt(apart + a * a)


class _Plain:
    def __init__(self, value):
        self.value = value


class _Signed(_Plain):
    def __neg__(self):
        return _Signed(-self.value)


class _Other:
    def __init__(self, value):
        self.value = value


def negated(n):
    found = []
    for x in [n, 2.5, _Other(3), _Signed(4), "a"]:
        try:
            y = -x
            found.append(str(y.value) if isinstance(y, _Signed) else str(y))
        except TypeError as error:
            found.append(str(error))
    return found


X = np.array([1.5, -2.0])
KINDS = [(3, kind) for kind in range(4)]
CASES: list[Case] = [
    (long_chains, [(1,), (2,), (3,), (4,)]),
    (arithmetic, [(1, 2.5, False), (1, 2.5, True), (3, 0.5, False)]),
    (two_unions, [(1, 2.5, False), (1, 2.5, True), (7, -0.0, True)]),
    (compound, [(100, 0.05, 3), (100, 0.05, 0)]),
    (added_up, [([1.5, 2.5], 2), ([1, 2.5], 2), ([1, True, 2.5], 0.5), ([1.5], 2**63 - 1)]),
    (doubled, [(3, "ab"), (0, "ab"), (-1, "ab")]),
    (joined, [(3, "ab"), (0, "ab")]),
    (minus, [(3, "ab"), (0, "ab")]),
    (bits, [(3, "ab"), (0, "ab")]),
    (length, KINDS),
    (first, KINDS),
    (compared, KINDS),
    (shown, KINDS),
    (ordered, [(3, "ab"), (0, "ab")]),
    (in_place, [(1, 2.5), (2.5, 1)]),
    (fields, [(1, 2.5, False), (1, 2.5, True)]),
    (passed_on, [(3, 2.5, False), (3, 2.5, True)]),
    (of_classes, [(3, "ab")]),
    (largest, [(1, 2.5), (1, 0.5), (1, 1.0)]),
    (sorted_list, [(1, 2.5), (1, 0.5), (1, 1.0)]),
    (grown_list, [(1, 2.5), (1, 1.0)]),
    (as_truth, [(0, 0.0), (2, 1.5), (1, 0.5)]),
    (until_large, [(0, 1.5), (2, 2.5), (20, 0.5)]),
    (best_of, [([1, 2.5, 0],), ([3, 2.5],)]),
    (recursive, [(4,), (5,)]),
    (caught, [(4,), (1,)]),
    (of_one_class, [("turn", 0.5), ("scale", 0.5), ("none", 0.5)]),
    (of_columns, [(4,), (1,)]),
    (negated, [(1,)]),
    (of_arrays, [(X, 0), (X, 1), (X, 2)]),
]
