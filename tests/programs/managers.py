"""`with`: what is entered and left, and how, also by exceptions and jumps."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic
# ruff: noqa: B022, E721, SIM117

import contextlib
import types
from contextlib import suppress

import numpy as np

from tests.programs import Case


class Log:
    def __init__(self):
        self.all: list[str] = []

    def append(self, text: str):
        self.all.append(text)


class Guard:
    def __init__(self, log: Log, name: str, swallow: bool):
        self.log = log
        self.name = name
        self.swallow = swallow

    def __enter__(self):
        self.log.append("enter " + self.name)
        return self

    def __exit__(self, kind, error, traceback):
        if kind is None:
            self.log.append("leave " + self.name)
        else:
            self.log.append(f"leave {self.name} by {kind.__name__}: {error}")
        if traceback is not None:
            self.log.append("traceback")
        return self.swallow


class Counter:
    def __init__(self):
        self.n = 0

    def __enter__(self):
        return 5

    def __exit__(self, *rest):
        self.n += 1


class Annotated:
    def __init__(self):
        self.seen = ""

    def __enter__(self) -> "Annotated":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: types.TracebackType | None,
    ) -> bool:
        if kind is None:
            self.seen += "fine"
        elif issubclass(kind, (ValueError, KeyError)):
            self.seen += kind.__name__ + str(kind)
            return True
        if error is not None:
            self.seen += str(error) + repr(error)
        if isinstance(error, ArithmeticError):
            self.seen += "arithmetic"
        if kind is ZeroDivisionError or kind == OverflowError:
            self.seen += "zero"
        if error:
            self.seen += "true"
        if traceback:
            self.seen += "traceback"
        return False


class Truthy:
    def __init__(self):
        self.seen = ""

    def __enter__(self):
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, traceback) -> int:
        if error:
            self.seen += type(error).__name__
        return 1 if isinstance(error, ValueError) else 0


class Raising:
    def __init__(self, where: str):
        self.where = where

    def __enter__(self):
        if self.where == "enter":
            raise ValueError("enter")
        return self

    def __exit__(self, kind, error, traceback):
        if self.where == "exit":
            raise LookupError("exit")


def fails(kind):
    if kind == 1:
        raise ValueError("v")
    if kind == 2:
        raise KeyError("k")
    if kind == 3:
        return 1 // 0
    if kind == 4:
        raise RuntimeError
    return 0


def several(k):
    log = Log()
    x = 1
    with Guard(log, "a", k == 1) as g, Guard(log, "b", k == 2):
        x = 2
        if k == 5:
            return log.all, x
        log.append(g.name)
        x = 10 // (k - 2) // (k - 1)
    log.append(str(x))
    return log.all, x


def in_parentheses(k):
    log = Log()
    with (
        Guard(log, "a", True) as a,
        Guard(log, "b", False) as b,
    ):
        log.append(a.name + b.name)
        fails(k)
    return log.all


def jumps(k):
    counter = Counter()
    total = 0
    for i in range(k):
        with counter as v:
            if i == 1:
                continue
            if i == 4:
                break
            total += v
    try:
        with counter:
            total += 1 // (k - 2)
    except ZeroDivisionError:
        total += 1000
    return total, counter.n


def kept_after(k):
    with Counter() as v:
        y = v // k
    return y, v


def perhaps_unset(k):
    with suppress(ZeroDivisionError):
        y = 1 // k
    return y


def of_contextlib(k):
    with contextlib.suppress(ZeroDivisionError, KeyError):
        k = 10 // k
    with contextlib.suppress():
        k += 1
    with contextlib.nullcontext(k) as z, contextlib.nullcontext():
        q = z + 1
    return q


def annotated(k):
    g = Annotated()
    try:
        with g:
            fails(k)
    except Exception as e:
        return g.seen + "/" + repr(e)
    return g.seen


def truthy(k):
    g = Truthy()
    with g, Truthy() as h:
        fails(k)
    return g.seen + h.seen


def raising(where, k):
    with Raising(where):
        fails(k)
    return where


def raised_around(where, k):
    try:
        return raising(where, k)
    except Exception as e:
        context = e.__context__
        return repr(e) if context is None else repr(e) + repr(context)


def beside_arrays(x, k):
    counter = Counter()
    with counter, np.errstate(divide="ignore"):
        y = 1.0 / x
        y[0] = k
    return y, counter.n


def targets(k):
    xs = [0, 0]
    with Counter() as xs[1]:
        xs[0] += k
    return xs


def in_finally(k):
    log = Log()
    try:
        with Guard(log, "a", False):
            try:
                fails(k)
            finally:
                log.append("finally")
    except Exception as e:
        log.append(repr(e))
    else:
        log.append("else")
    return log.all


def one_again(k):
    guard = Counter()
    with guard:
        with guard:
            k += 1
    return guard.n, k


NUMBERS = [(k,) for k in range(6)]


def many_in_a_row(word, n):
    """What lives meanwhile is released where any of them raises."""
    log, texts = Log(), [word * n]
    try:
        with Guard(log, "a", False) as a:
            texts.append(a.name + word)
        rows = [[n, len(texts)], [n]]
        with Guard(log, "b", n > 1) as b, Guard(log, b.name + "b", False) as c:
            log.append(c.name + str(10 // (n - 2)))
            rows[0].append(n)
        objects = [Guard(log, word, False), c]
        with Guard(log, "d", False):
            texts.append(str(rows[1][n]))
            objects.append(Guard(log, "e", False))
        with objects[-1]:
            rows.append([int(word)])
    except (ValueError, ZeroDivisionError, IndexError) as error:
        log.append(f"{type(error).__name__}: {error}")
    return log.all, texts


CASES: list[Case] = [
    (many_in_a_row, [("x", 0), ("y", 1), ("z", 2), ("7", 0), ("8", 3)]),
    (several, NUMBERS),
    (in_parentheses, NUMBERS),
    (jumps, NUMBERS),
    (kept_after, NUMBERS),
    (perhaps_unset, NUMBERS),
    (of_contextlib, NUMBERS),
    (annotated, NUMBERS),
    (truthy, NUMBERS),
    (raising, [(w, k) for w in ("enter", "exit", "no") for k in (0, 1)]),
    (raised_around, [(w, k) for w in ("enter", "exit", "no") for k in (0, 1)]),
    (beside_arrays, [(np.array([0.0, 2.0]), 3)]),
    (targets, NUMBERS),
    (in_finally, NUMBERS),
    (one_again, NUMBERS),
]
