"""Functions that take any number of values: each number of them is compiled for itself."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic, reportArgumentType=false

import functools
import math

import numpy as np

from tests.programs import Case


def total(*values: float):
    result = 0.0
    for value in values:
        result += value
    return result


def mean_of(first, *rest):
    result = first
    for value in rest:
        result = result + value
    return result / (1 + len(rest))


def scaled(first, second=2, *more, factor=1):
    return (first + second + len(more)) * factor


def passed_on(*values):
    return scaled(*values)


def applied(function, *values):
    return function(*values)


def zeros(*shape):
    return np.zeros(shape)


def fill(*lists):
    for each in lists:
        each.append(1)
    return len(lists)


def declared_items(a, b):
    return total(a, b), total(1, 2, 3), total()


def arrays_and_numbers(x, k):
    return mean_of(x), mean_of(x, x + 1), mean_of(x, k), mean_of(k)


def defaults_between(a, b, c):
    pair = (b, c)
    return (
        passed_on(a),
        passed_on(a, b),
        passed_on(a, b, c),
        scaled(a, b, c, c, factor=10),
        scaled(a, *pair),
        scaled(a, factor=b),
    )


def functions(a, b):
    return applied(math.sin, a), applied(lambda x, y: x * y, a, b), applied(scaled, b, b)


def inside(a, b, c):
    def added(*values):
        result = a
        for value in values:
            result += value
        return result

    largest = lambda *values: max(values)  # noqa: E731
    return added(), added(b), added(b, c), largest(a, b), largest(b, c, a)


def shapes(a, b):
    return zeros(a, b), zeros(a), zeros()


def lists(a):
    xs, ys = [a], [a, a]
    return fill(xs, ys), fill(), xs, ys


class Tally:
    def __init__(self, *values: float):
        self.sum = 0.0
        for value in values:
            self.sum += value

    def add(self, *values: float):
        for value in values:
            self.sum += value
        return self.sum


def objects(a, b):
    tally = Tally(a, b)
    return tally.add(), tally.add(b, a), Tally().sum


def sum_of_rest(*values):
    if len(values) == 0:
        return 0
    return values[0] + sum_of_rest(*values[1:])


def parts_passed(a, b):
    every = (a, b, a + b, 4)
    reversed_ones = [*every[::-1], *every[-2:]]
    return sum_of_rest(*every), scaled(*every[1:]), scaled(*every[:1], *every[2:]), reversed_ones


def largest_or_none_given(*values):
    if not values:
        return -1
    return max(values)


def third_or_last(*values):
    if len(values) > 2:
        return values[2]
    return values[len(values) - 1] if values else 0


def guarded(a, b):
    here = max((a, b)) if (a, b) else 0
    return largest_or_none_given(), largest_or_none_given(a, b), third_or_last(), here


def guarded_items(a, b):
    while (a, b) and a < b:
        a += 1
    return third_or_last(a), third_or_last(a, b), third_or_last(a, b, 7), a if not () else b


def retried(times):
    """Return what decorates methods: their objects are the first of what `*args` takes."""

    def decorated(function):
        @functools.wraps(function)
        def call(*args, **kwargs):
            for turn in range(times):
                try:
                    return function(*args, **kwargs)
                except ValueError:
                    if turn == times - 1:
                        raise
            return None

        return call

    return decorated


class Flaky:
    def __init__(self, limit: int):
        self.limit = limit
        self.calls = 0

    @retried(3)
    def ask(self, more, *, factor=1):
        self.calls += 1
        if self.calls < self.limit:
            raise ValueError(f"call {self.calls}")
        return self.calls * factor + more

    def count(*args):
        for _ in range(2):
            return len(args)

    def size(self, *sides):
        return sum(sides) + self.limit


class Calm(Flaky):
    @retried(2)
    def ask(self, more, *, factor=1):
        return factor - more

    def size(self, *sides):
        return len(sides)


def decorated_methods(limit):
    flaky = Flaky(limit)
    return flaky.ask(5, factor=10), flaky.calls, flaky.count(), flaky.count(1, 2)


def of_several_classes(limit):
    found = [Flaky(limit), Calm(limit)]
    found.append(found[0])
    return [one.size(1, 2) for one in found], [one.size() for one in found]


CASES: list[Case] = [
    (decorated_methods, [(1,), (3,), (4,)]),
    (of_several_classes, [(1,), (7,)]),
    (guarded, [(1, 2), (3, -1)]),
    (parts_passed, [(1, 2), (3, -1)]),
    (guarded_items, [(1, 2), (3, -1)]),
    (declared_items, [(1, 2.0), (0.5, -0.0)]),
    (arrays_and_numbers, [(np.arange(3.0), 2.0), (np.zeros(0), 1)]),
    (defaults_between, [(3, 4, 5), (1.5, 2, 3)]),
    (functions, [(0.5, 2)]),
    (inside, [(3, 4, 5), (1.0, 0.5, -2.0)]),
    (shapes, [(2, 3), (0, 1)]),
    (lists, [(1,)]),
    (objects, [(1.0, 2.0), (1, 2)]),
]
