"""An `object()` that stands for a parameter which a call does not give."""

# Functions without annotations.
# pyright: basic

from tests.programs import Case

MISSING = object()
OTHER = object()


def first_of(xs, default=MISSING):
    for x in xs:
        return x
    if default is MISSING:
        raise ValueError("nothing there")
    return default


def folded(function, xs, start=MISSING):
    items = iter(xs)
    if start is MISSING:
        start = next(items)
    for x in items:
        start = function(start, x)
    return start


def handed_on(xs, default=MISSING):
    return first_of(xs, default)


def several(x=MISSING, *, y=OTHER):
    return x is MISSING, MISSING is y, y is not OTHER, x is OTHER, x is None


class Settings:
    UNSET = object()

    def __init__(self, values):
        self.values = values

    def get(self, key, default=UNSET):
        if key in self.values:
            return self.values[key]
        if default is not self.UNSET:
            return default
        raise KeyError(key)


def firsts(n: int):
    return first_of([n]), first_of([], n), first_of([], None), handed_on([], n), handed_on([n])


def not_given(n: int):
    return handed_on([n][n:])


def folds(n: int):
    return folded(lambda a, b: a + b, [1, 2, n]), folded(lambda a, b: a * b, [n], 10)


def told_apart(n: int):
    return several(), several(n), several(OTHER), several(None, y=n), several(y=MISSING)


def of_a_class(key: str):
    settings = Settings({"a": 1})
    return settings.get("a"), settings.get(key, 5), settings.get(key)


CASES: list[Case] = [
    (firsts, [(3,)]),
    (not_given, [(0,), (1,)]),
    (folds, [(3,)]),
    (told_apart, [(3,)]),
    (of_a_class, [("a",), ("b",)]),
]
