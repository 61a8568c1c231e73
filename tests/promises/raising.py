"""Functions that raise, at places that a traceback must name: no line may be moved alone."""

# Without annotations the types come from the call.
# pyright: basic

from collections.abc import Iterator
from typing import Any

import numpy as np


def inner(a, i):
    return a[i] * 2.0


def middle(a, count):
    total = 0.0
    for k in range(count):
        total += inner(a, k)
    return total


def outer(a, count):
    return 1.0 + middle(
        a,
        count,
    )


def down(n):
    if n == 0:
        return 1 // n
    return down(n - 1) + 1


def even(n: int) -> int:
    if n <= 0:
        raise RuntimeError(f"end at {n}")
    return odd(n - 1)


def odd(n: int) -> int:
    return even(n - 1)


def item_of_list(n):
    items = [1, 2]
    items.append(n)
    return picked(items, n)


def picked(items, n):
    return items[n]


def popped(n):
    items = [n]
    items.pop()
    return items.pop()


def position_of_largest(x):
    return np.argmax(x)


def largest(x):
    return np.max(x)


def divided(a, b):
    return a / b


def remainder(a, b):
    return a % b


def power(a, b):
    return a**b


def shifted(a, b):
    return a << b


def converted(x):
    return int(x)


def added(a, b):
    return a + b


def filled(a, count):
    for i in range(count):
        a[i] = i + 1.0
    return a


def claimed(n):
    assert n > 3, f"n is {n}"
    return n


def raised_again(n):
    try:
        return deeper(n)
    except ValueError:
        raise


def cleaned_up(n):
    x = 0
    try:
        deeper(n)
    finally:
        x = n
    return x


def replaced(n):
    try:
        deeper(n)
    except ValueError:
        raise KeyError("other")  # noqa: B904
    return n


def deeper(n):
    raise ValueError(f"deep {n}")


def chosen(a, i):
    return a[0] if a[i] > 0.0 else a[i + 1]


def condition(a):
    while a[int(a[0])] > 0.0:
        a[0] += 1.0
    return a


class Bounded:
    def __init__(self, limit):
        if limit < 0:
            raise ValueError("a limit below zero")
        self.limit = limit

    def check(self, n):
        return self.passed(n)

    def passed(self, n):
        if n > self.limit:
            raise OverflowError(f"{n} is above {self.limit}")
        return n


def bounded(limit, n):
    return Bounded(limit).check(n)


# Loops over arrays. Each leaves the array as it was when the exception came.


def scaled_up_to(a, b, count):
    for i in range(count):
        a[i] = b[i] * 2.0


def shifted_by(a, step, count):
    for i in range(count):
        a[i + step] = a[i] + 1.0


def backwards(a, count):
    for i in range(count, -1, -1):
        a[i] += 1.0


def every_row(m, count):
    for i in range(m.shape[0]):
        for j in range(count):
            m[i, j] = i * 10.0 + j


def gathered(a, where):
    for i in range(where.shape[0]):
        a[where[i]] += 1.0


def counted_until(a, limit):
    for i in range(a.shape[0]):
        a[i] = i
        if a[i] >= limit:
            raise StopIteration(f"at {i}")


def swapped_until(a, b, count):
    i = 0
    while i < count:
        a[i], b[i] = b[i], a[i]
        i += 1


def added_rows(m, rows):
    for i in range(rows):
        m[i] += m[i - 1]


def written_whole_then_raised(a, n):
    a[1:] = a[:-1] * 2.0
    a[n] = -1.0
    a += 1.0


def in_a_part(a, count):
    part = a[1::2]
    for i in range(count):
        part[i] = -1.0


def nan() -> float:
    return float("nan")


Z3, Z4 = np.zeros(3), np.zeros(4)
TRACES: list[tuple[Any, tuple[Any, ...]]] = [
    (inner, (Z3, 5)),
    (outer, (Z3, 5)),
    (down, (5,)),
    (even, (4,)),
    (item_of_list, (7,)),
    (popped, (1,)),
    (position_of_largest, (np.zeros(0),)),
    (largest, (np.zeros(0),)),
    (divided, (1.0, 0.0)),
    (divided, (1, 0)),
    (remainder, (1, 0)),
    (remainder, (1.0, 0.0)),
    (power, (0.0, -1.0)),
    (shifted, (1, -1)),
    (converted, (nan(),)),
    (converted, (float("inf"),)),
    (added, (Z3, Z4)),
    (filled, (Z3, 5)),
    (claimed, (2,)),
    (raised_again, (1,)),
    (cleaned_up, (1,)),
    (replaced, (1,)),
    (chosen, (Z3, 5)),
    (chosen, (Z3, 2)),
    (condition, (np.array([2.0, 1.0, 1.0]),)),
    (bounded, (-1, 2)),
    (bounded, (1, 2)),
]


def _arrays():
    """Six numbers in every layout, to be taken apart by the loops below."""
    base = np.arange(24.0)
    yield "whole", base[:6].copy()
    yield "strided", base[::4]
    yield "negative", base[5::-1]
    yield "middle", base[8:14]


def _matrices():
    yield "C", np.zeros((3, 4))
    yield "F", np.zeros((4, 3)).T
    yield "strided", np.zeros((6, 8))[::2, ::2]
    yield "turned", np.zeros((3, 4))[::-1, ::-1]


def loops() -> Iterator[tuple[str, Any, tuple[Any, ...]]]:
    """Yield a name, a function and its arguments; arrays may be views of larger ones."""
    for name, a in _arrays():
        yield f"scaled_up_to {name}", scaled_up_to, (a, np.ones(9), 8)
        yield f"scaled_up_to {name} short", scaled_up_to, (a, np.ones(4), 6)
        yield f"scaled_up_to {name} itself", scaled_up_to, (a, a, 7)
        yield f"shifted_by {name}", shifted_by, (a, 2, 6)
        yield f"shifted_by {name} back", shifted_by, (a, -9, 6)
        yield f"backwards {name}", backwards, (a, 6)
        yield f"backwards {name} fits", backwards, (a, 5)
        yield f"gathered {name}", gathered, (a, np.array([0, -1, 5, -6, 6, 1]))
        yield f"counted {name}", counted_until, (a, 3.0)
        yield f"swapped {name}", swapped_until, (a, np.ones(4), 9)
        yield f"written whole {name}", written_whole_then_raised, (a, 6)
        yield f"part {name}", in_a_part, (a, 5)
    for name, m in _matrices():
        yield f"every_row {name}", every_row, (m, 5)
        yield f"added_rows {name}", added_rows, (m + 1.0, 5)
