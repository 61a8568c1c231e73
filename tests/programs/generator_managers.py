"""`with` over generators with `contextlib.contextmanager`: what they see, catch and do last."""

import contextlib
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from tests.programs import Case

# The types come from the calls.
# pyright: basic
# ruff: noqa: PT017, SIM117


class Wrong(ValueError):
    pass


class Log:
    def __init__(self):
        self.all: list[str] = []


@contextmanager
def asserts_raises(kind: type, part: str = "") -> Iterator[None]:
    try:
        yield
    except BaseException as e:
        assert type(e) is kind, f"{e!r} is not a {kind.__name__}"
        assert part in str(e), f"{e} has no {part!r}"
    else:
        raise AssertionError(f"no {kind.__name__}")


@contextmanager
def noted(log, name, n=1):
    log.all.append("in " + name)
    try:
        yield n * 2
    finally:
        log.all.append("out " + name)


@contextlib.contextmanager
def around(log):
    log.all.append("before")
    yield
    log.all.append("after")


@contextmanager
def turned(x):
    x += 1
    try:
        with contextlib.suppress(KeyError):
            yield x
    except IndexError as e:
        raise Wrong(f"turned: {e}") from e


def of_kinds(xs: list[int], i: int):
    with asserts_raises(IndexError):
        xs[i]
    with asserts_raises(ValueError, "substring"):
        "abc".index("x")
    with asserts_raises(Wrong, part="bad"):
        if i > 7:
            raise ValueError("bad")
        raise Wrong("very bad")
    return Wrong.__name__, i


def several(xs: list[int], i: int):
    log = Log()
    found = 0
    try:
        with noted(log, "x", i) as k, noted(log, "y") as j, around(log):
            found = xs[k] + j
    except IndexError as e:
        log.all.append(str(e))
    return log.all, found


def jumps(n: int):
    log = Log()
    for i in range(n):
        with noted(log, str(i)) as k:
            if i == 1:
                continue
            if i == 3:
                break
            if n == 2:
                return log.all
            log.all.append(f"body {k}")
    return log.all


def one_in_another(k: int):
    log = Log()
    with around(log):
        with noted(log, "inner", n=k):
            with around(log):
                log.all.append("body")
    return log.all


def caught_by_the_generator(x, k: int):
    found = 0.0
    try:
        with turned(x) as y:
            found = y[k]
            if k == 1:
                raise KeyError(k)
            found += y.sum()
    except Wrong as e:
        return str(e), repr(e.__cause__), x.sum()
    return "", found, x.sum()


CASES: list[Case] = [
    (of_kinds, [([1], 4), ([1] * 9, 4), ([1], 8)]),
    (several, [([1, 2, 3], 1), ([1, 2, 3], 4)]),
    (jumps, [(n,) for n in range(1, 6)]),
    (one_in_another, [(3,)]),
    (caught_by_the_generator, [(np.arange(3.0), k) for k in (0, 1, 7)]),
]
