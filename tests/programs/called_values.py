"""Calls of what fields and items hold, objects of several classes among it; `callable`."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic, reportArgumentType=false, reportCallIssue=false, reportAttributeAccessIssue=false
# pyright: reportOptionalMemberAccess=false, reportOptionalCall=false

import numpy as np

from tests.programs import Case


class Scaled:
    def __init__(self, k):
        self.k = k

    def __call__(self, x, y=None):
        return self.k * x if y is None else self.k * x + y


class Shifted:
    def __call__(self, x, y=None):
        if y is None:
            return x + 1
        raise ValueError(f"no {y}")


class Both:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def __call__(self, x, y=None):
        return self.a(x, y) + self.b(x, y)


def nested(n):
    tree = Both(Both(Scaled(n), Shifted()), Scaled(3))
    return tree(2), tree(2.5)


def of_arrays(n):
    tree = Both(Scaled(n), Both(Shifted(), Scaled(1)))
    return tree(np.arange(3.0))


def one_raises(n):
    tree = Both(Both(Scaled(n), Scaled(1)), Shifted())
    return tree.a(2, 5), tree(2, n)


class Holder:
    def __init__(self, inner=None):
        self.inner = inner
        self.of_key = {}

    def run(self, x):
        return self.inner(x)


def may_be_none(n):
    holders = [Holder(Scaled(2)), Holder(Both(Scaled(1), Shifted())), Holder()]
    return [h.run(n) for h in holders[:2]], holders[n].run(4)


def in_a_dict(n):
    holder = Holder()
    holder.of_key["a"] = Scaled(n)
    holder.of_key["b"] = Both(Scaled(1), Shifted())
    return [holder.of_key[key](n) for key in sorted(holder.of_key)]


def replaced(replacement, words):
    parts = []
    for word in words.split():
        parts += ["<", replacement(word) if callable(replacement) else replacement, ">"]
    return "".join(parts)


def by_text_or_function(words):
    n = len(words)
    return (
        replaced("#", words),
        replaced(str.upper, words),
        replaced(lambda w: w * 2, words),
        replaced(lambda w: w + str(n), words),
    )


def is_called(value):
    return callable(value)


def kinds_of_functions(n):
    def inner():
        return n

    def calls_itself(k):
        return 0 if k == 0 else is_called(calls_itself) + calls_itself(k - 1)

    return (
        [is_called(lambda x: x), is_called(lambda: n), is_called(inner), is_called(calls_itself)],
        [callable(inner), callable(n), callable("x".upper)],
        [
            is_called(len),
            is_called(int),
            is_called(Scaled),
            is_called(Scaled(1)),
            is_called(Holder()),
        ],
        calls_itself(2),
        inner(),
    )


CASES: list[Case] = [
    (nested, [(3,), (0,)]),
    (of_arrays, [(3.0,)]),
    (one_raises, [(3,)]),
    (may_be_none, [(0,), (1,), (2,)]),
    (in_a_dict, [(3,)]),
    (by_text_or_function, [("a b c",), ("",)]),
    (kinds_of_functions, [(3,)]),
]
