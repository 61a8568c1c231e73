"""Generator functions that loops, comprehensions and builtin functions take items from."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import math
from collections.abc import Iterator

import numpy as np

from tests.programs import Case

LIMIT = 50


def squares(n):
    for i in range(n):
        yield i * i


def evens(xs, *, start: float = 0.5):
    """Yield several times, and stop early."""
    yield start
    for x in xs:
        if x > 100:
            return
        if x % 2 == 0:
            yield float(x)
    yield -1.0


def count(first=3):
    while True:
        yield first
        first += 1


def both(n):
    yield from range(n)
    yield from squares(n)
    yield from (i * LIMIT for i in (n, n + 1))


def checked(xs: list[float]) -> Iterator[float]:
    for x in xs:
        try:
            found = math.sqrt(x)
        except ValueError as error:
            found = float(len(str(error)))
        yield found


def total(n: int):
    result = 0
    for x in squares(n):
        result += x
    return result


def taken_in_all_ways(xs: list[int]):
    out = []
    for e in evens(xs):
        if e == 4.0:
            continue
        if e == 8.0:
            break
        out.append(e)
    else:
        out.append(99.0)
    again = [y for y in evens(xs) if y]
    return (
        *(out, list(evens(xs, start=3.0)), again, sorted(evens(xs), reverse=True)),
        *(sum(y for y in evens(xs)), sum(evens(xs)), sum(evens(xs), 0.5), max(evens(xs))),
        *(any(y > 3 for y in evens(xs)), any(evens(xs)), all(evens(xs)), min(evens(xs))),
        {k: k * 2 for k in evens(xs)},
    )


def one_in_another(n: int):
    for i in count():
        for j in count(i):
            if j > n:
                break
            if j == i + 2:
                continue
            if i * j > LIMIT:
                return i, j
    return 0, 0


def left_through_finally(n: int):
    log = []
    for i in count(n):
        try:
            if i == n + 2:
                continue
            if i == n + 4:
                break
            log.append(i)
        finally:
            log.append(-i)
    return log


def delegated(n: int):
    return [x for x in both(n)], list(both(n)), sum(both(n))


class Bag:
    def __init__(self, n: int):
        self.xs = [float(i) for i in range(n)]

    def each(self, least: float):
        for x in self.xs:
            if x >= least:
                yield x, 1

    def twice(self, least: float):
        for x, one in self.each(least):
            yield 2 * x + one

    @staticmethod
    def down(n: int):
        while n:
            yield n
            n -= 1


def methods(n: int):
    bag = Bag(n)
    result = 0.0
    for x, one in bag.each(2.0):
        result += x * one
    return result, list(bag.twice(1.0)), [i for i in bag.down(n)], list(Bag.down(2))


def nested(n: int):
    m = n + 1

    def pairs(k):
        for i in range(k):
            yield i, m

    found = [a * b for a, b in pairs(n)]
    m = 10
    return found, list(pairs(2))


def rows_of(x: np.ndarray):
    def rows(scale=2):
        for r in x:
            yield r * scale

    result = 0.0
    for r in rows():
        result += r.sum()
    for r in rows(3):
        result += r[0]
    return result


def raising(n):
    for i in range(n):
        if i == 3:
            raise ValueError(f"no {i}")
        yield i


def caught(n: int):
    seen = []
    try:
        for i in raising(n):
            seen.append(i)
    except ValueError as error:
        return seen, str(error)
    return seen, ""


def raised_by_the_consumer(xs: list[float]):
    seen = []
    for x in checked(xs):
        if x > 10:
            raise KeyError(x)
        seen.append(x)
    return seen


def changed_meanwhile(xs: list[int]):
    ys = xs[:]

    def items():
        yield from ys

    for y in items():
        if len(ys) < 9:
            ys.append(y + 1)
    return ys


def of_expressions(n: int):
    seen = []
    for x in (i * j for i in range(n) for j in range(i) if j != 1):
        if x == 6:
            continue
        if x > 9:
            break
        seen.append(x)
    else:
        seen.append(-1)
    return seen


def words(texts: list[str]):
    for text in texts:
        yield text
        yield text + "!"


def shouted(texts: list[str]):
    most = ""
    for word in words(texts):
        if word > most:
            most = word
    return most, [w + "?" for w in words(texts)]


CASES: list[Case] = [
    (total, [(0,), (10,)]),
    (taken_in_all_ways, [([1, 2, 4, 5, 8, 9, 10],), ([1, 2, 200, 4],), ([1],)]),
    (one_in_another, [(20,), (60,)]),
    (left_through_finally, [(3,)]),
    (delegated, [(0,), (4,)]),
    (methods, [(0,), (6,)]),
    (nested, [(0,), (4,)]),
    (rows_of, [(np.ones((3, 4)),)]),
    (caught, [(2,), (5,)]),
    (raised_by_the_consumer, [([1.0, -1.0, 4.0],), ([1.0, 4.0, 1.0],), ([1.0, 400.0],)]),
    (changed_meanwhile, [([1, 2],)]),
    (of_expressions, [(3,), (4,), (9,)]),
    (shouted, [(["a", "b"],)]),
]
