"""What may be None, used without a test: where it is None, the run raises what CPython does."""

# Variables that may be None are what these programs are about.
# pyright: basic, reportOptionalMemberAccess=false, reportOptionalOperand=false
# pyright: reportOptionalSubscript=false, reportArgumentType=false, reportOperatorIssue=false

import math
from typing import Optional

from tests.programs import Case


class Node:
    next: Optional["Node"]

    def __init__(self, value: int, next: Optional["Node"] = None):
        self.value = value
        self.next = next
        self.items: list[int] = []

    def doubled(self) -> int:
        return 2 * self.value


def chain(count: int) -> Node | None:
    return None if count == 0 else Node(count, chain(count - 1))


def number(n: int) -> int | None:
    return None if n == 0 else n


def text(n: int) -> str | None:
    return None if n == 0 else "o" * n


def numbers(n: int) -> list[int] | None:
    return None if n == 0 else list(range(n))


def attributes(n):
    node = chain(n)
    first = node.value
    return first + node.next.value + node.value


def methods(n):
    node = chain(n)
    return node.doubled() + node.next.doubled()


def writes(n):
    node = chain(n)
    node.value = 5
    node.next.value += 7
    node.next.value = node.next.value * 2
    return node.value, node.next.value


def nothing_is_kept(n):
    chain(n).value = 3
    return n


def deep(n):
    return chain(n).next.next.value


def appended(n):
    node = chain(n)
    node.items.append(4)
    xs = numbers(n)
    xs.append(3)
    return node.items, xs


def rounds(n):
    node = chain(n)
    total = 0
    for i in range(3):
        node.value += i
        total += node.value
        node = node.next
    return total, node is None


def arithmetic(a, b):
    x, y = number(a), number(b)
    return x + y * 2, -x


def augmented(n):
    x = number(n)
    x += 1
    return x


def of_items(n, k):
    xs = numbers(n)
    xs[0] = 4
    xs[1] += 4
    return xs, xs[k], len(xs)


def of_functions(n):
    x = number(n)
    return str(x), f"{x}", x in (1, 2), x in {2, 3}, abs(x), math.sqrt(x)


def ordered(n):
    return number(n) < 3


def equal(n):
    x = text(n)
    found = [x == "o", x != "o", x == x, x == None, x == text(n)]  # noqa: E711
    if x == "oo":
        return found, len(x)
    return found, 0


def tests(a, b):
    found = []
    if text(a) == "o":
        found.append(1)
    if number(a) in [1, 2] or text(b) in ("ooo",):
        found.append(2)
    if number(a) == 1 and number(b) != 2:
        found.append(3)
    n, m = chain(a), chain(b)
    k = n
    if n is m:
        found.append(4)
    if n is k and n is not m:
        found.append(5)
    return found


class Filter:
    gain: float | None

    def __init__(self, gain: float | None):
        self.gain = gain

    def reset(self):
        self.gain = None


def reset(x: float, again: bool):
    kept = Filter(x)
    if kept.gain is not None:
        if again:
            kept.reset()
        return x * kept.gain
    return x


def in_a_chain(n, k):
    x = number(k)
    ok = 0 < n < 3 < x + 1
    return (ok, -1) if x is None else (ok, x)


def changed_by_a_call(n):
    x = n if n else None

    def changed():
        nonlocal x
        x = 100
        return 1

    return x + changed()


COUNTS = [(0,), (1,), (2,), (3,)]
PAIRS = [(0, 0), (0, 1), (1, 0), (1, 1), (2, 3)]


class Slot:
    """A key, or None."""

    def __init__(self, key):
        self.key = key


def keys_that_may_be_none(n):
    counts = {1: 2, 3: 4}
    empty, full = Slot(None), Slot(n)
    tests = full.key in counts, empty.key in counts, empty.key not in counts
    found = counts[full.key]
    del counts[full.key]
    try:
        counts[empty.key] -= 1
    except KeyError as error:
        return tests, found, counts, repr(error)
    return tests, found, counts, ""


def raised_with_none(key):
    if key is None:
        raise KeyError(key)
    try:
        raise ValueError(None)
    except ValueError as error:
        return repr(error), len(error.args)


def _plus(value):
    return value + 1


class Plus:
    def __init__(self, value):
        self.value = value + 1


def given_to_functions(n: int):
    found = []
    for x in [n, None, n + 1]:
        try:
            found.append(str(_plus(x)))
        except TypeError as e:
            found.append(str(e))
        try:
            found.append(str(Plus(x).value))
        except TypeError as e:
            found.append(str(e))
    return found


def extremes(n: int):
    found = []
    for x in [n, None]:
        for y in [2, None]:
            try:
                found.append(f"{min(x, y)} {max(x, y)}")
            except TypeError as e:
                found.append(str(e))
    return found


def indices(n: int):
    xs = [n, 2]
    found = []
    for x in [1, "a", None]:
        for whole in range(3):
            try:
                item = xs[x] if whole == 0 else [xs, xs][1][x] if whole == 1 else (7, 8)[x]
                found.append(str(item))
            except TypeError as e:
                found.append(str(e))
    return found


def names_of_classes(n: int):
    values = [n, "a", None, 2.5, (n, n)]
    some = [n, None]
    names = [type(x).__name__ for x in values]
    return names, [type(some[i]).__name__ for i in range(2)], type(some[1]) is type(None)


class Branch:
    def __init__(self, n: int):
        self.items = [n]
        self.nodes = None

    def grow(self, n: int):
        self.nodes = [Branch(n), Branch(n + 1), Branch(n + 2)]


def deleted(n: int, grows: bool):
    branch = Branch(n)
    if grows:
        branch.grow(n)
    found = []
    try:
        del branch.nodes[-1]
    except TypeError as error:
        found.append(str(error))
    try:
        branch.nodes[n - 1 : n] = [Branch(7), Branch(8)]
    except TypeError as error:
        found.append(str(error))
    try:
        del branch.nodes[:1]
        found.append(str(len(branch.nodes)))
    except TypeError as error:
        found.append(str(error))
    return found


CASES: list[Case] = [
    (deleted, [(1, True), (1, False)]),
    (given_to_functions, [(1,)]),
    (extremes, [(1,), (3,)]),
    (indices, [(1,)]),
    (names_of_classes, [(1,)]),
    (keys_that_may_be_none, [(1,), (2,)]),
    (raised_with_none, [(1,), (None,)]),
    (attributes, COUNTS),
    (methods, COUNTS),
    (writes, COUNTS),
    (nothing_is_kept, COUNTS),
    (deep, COUNTS),
    (appended, COUNTS),
    (rounds, COUNTS),
    (arithmetic, PAIRS),
    (augmented, COUNTS),
    (of_items, [(0, 0), (1, 0), (2, 1), (3, 9)]),
    (of_functions, COUNTS),
    (ordered, COUNTS),
    (equal, COUNTS),
    (tests, PAIRS),
    (in_a_chain, [(-1, 0), (1, 0), (1, 5), (5, 0)]),
    (changed_by_a_call, [(5,)]),
    (reset, [(2.0, False), (2.0, True)]),
]
