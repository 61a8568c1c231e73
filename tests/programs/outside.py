"""What programs read of the module around them: lists, enumerations, attributes of objects."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import enum
import typing
from types import SimpleNamespace

import numpy as np

from tests.programs import Case

PRIMES = [2, 3, 5]
STEPS = [(0, 1), (1, 0), (0, -1), (-1, 0)]
ROWS = [[1, 2], [3]]
WEIGHTS = [0.5, 1.5]
ARRAYS = [np.zeros(3), np.ones(3)]
WORDS = ["a", "b"]


class Color(enum.IntEnum):
    RED = 1
    GREEN = 2


class Mode(enum.Enum):
    FAST = "fast"


SETTINGS = SimpleNamespace(rate=2.5, inner=SimpleNamespace(count=3))


def first_of(xs):
    return xs[0] + len(STEPS)


def lists(n):
    total = 0
    for prime in PRIMES:
        total += prime
    for dx, dy in STEPS:
        total += dx * n + dy
    for row in ROWS:
        for number in row:
            total += number

    def inside(k):
        return PRIMES[k] + ROWS[0][1]

    picked = np.arange(10)[PRIMES]
    made = sorted(PRIMES), PRIMES + PRIMES, list(PRIMES), PRIMES[1:], [p * 2 for p in PRIMES]
    return total, STEPS[n], 3 in PRIMES, first_of(PRIMES), inside(n), picked, made, WORDS[-1]


def shown(rows: list[list[int]], n):
    print(rows[n], rows)
    return f"{rows[0]} {ROWS}", str(ROWS[n]), f"{rows!r}"


def numbers(n):
    return np.array(WEIGHTS), max(WEIGHTS), ARRAYS[0] + ARRAYS[n % 2], ROWS[0].copy()


def members(n):
    grid = np.zeros(3, np.int64)
    grid[1] = Color.GREEN
    total = n + Color.RED
    if n == Color.GREEN:
        total += 10
    return total, grid, int(Color.GREEN), Color.RED.value, Color.RED.name, Mode.FAST.value


def attributes(n):
    return SETTINGS.rate * n, SETTINGS.inner.count + n


def together(a: list[int], x):
    total = 0
    for i, number in zip(a, x, strict=True):
        print(i, number)
        total += i * number
    else:
        print("all")
    for i, number, place in zip(a, x, range(2), strict=True):
        print(i, number, place)
    for place, (i, _) in enumerate(zip(a, x, strict=True)):
        if place == 1:
            break
        print(i)
    return total, [i * number for i, number in zip(a, x, strict=True)]


def by_key(x):
    numbers = [3, 1, 2]
    return (
        min(range(len(numbers)), key=lambda i: numbers[i]),
        max(range(len(x)), key=lambda i: -x[i]),
        max((v * v for v in numbers), key=lambda v: -v),
        max(zip(numbers, x, strict=False), key=lambda pair: pair[1]),
        min(enumerate(numbers), key=lambda pair: pair[1]),
    )


joined, listed = "".join, ", ".join
halves = "a-b-c".split
AnyCounter = typing.Counter


def methods_of_constants(words):
    return (
        joined(words),
        listed(word + "!" for word in words),
        joined(map(str.upper, words)),
        list(map(joined, [words, words[::-1]])),
        sorted([words, words[::-1]], key=listed),
        (halves("-"), halves("-", 1), halves(sep="-", maxsplit=1)),
    )


def names_of_typing(words):
    counts, of_length = AnyCounter(words), typing.DefaultDict(list)  # noqa: UP006
    for word in words:
        of_length[len(word)].append(word)
    queue = typing.Deque(words)  # noqa: UP006
    queue.appendleft("first")
    ordered = typing.OrderedDict((word, len(word)) for word in words)
    return counts, dict(of_length), list(queue), ordered, isinstance(counts, typing.Counter)


class Term:
    def __init__(self, value):
        self.value = value


KINDS = (int, float, complex)
TERMS = (Term, *KINDS)
NESTED = (int, (Term, list))


def is_term(x):
    return isinstance(x, TERMS)


def classes_in_tuples(values):
    return (
        [isinstance(x, KINDS) for x in values],
        [is_term(x) for x in values],
        is_term(Term(3)),
        isinstance(Term(3), KINDS),
        [isinstance(x, NESTED) for x in values],
        isinstance([1], NESTED),
        isinstance(Term(3), NESTED),
    )


CASES: list[Case] = [
    (lists, [(0,), (2,), (3,)]),
    (shown, [([[1, 2], []], 1), ([[3], [4, 5], [6]], 0)]),
    (numbers, [(0,), (1,)]),
    (members, [(2,), (3,)]),
    (attributes, [(2,)]),
    (together, [([1, 2], np.array([3.0, 4.0])), ([1], np.array([3.0, 4.0]))]),
    (together, [([1, 2, 3], np.array([3.0, 4.0])), ([1, 2, 3], np.array([3.0, 4.0, 5.0]))]),
    (by_key, [(np.array([2.0, 1.0, 5.0]),), (np.zeros(0),)]),
    (methods_of_constants, [(["b", "a"],)]),
    (names_of_typing, [(["ab", "b", "ab"],)]),
    (classes_in_tuples, [([1, "a", 2.5],), ([1, 2],)]),
]
