"""Tuples of classes: as defaults, arguments, variables, globals and attributes of classes.

The types come from the calls.
"""

# pyright: basic, reportCallIssue=false

import functools

from tests.programs import Case


def retry(times, on=(ValueError,)):
    def decorate(fn):
        @functools.wraps(fn)
        def wrapper(*args):
            last = None
            for attempt in range(1, times + 1):
                try:
                    return fn(*args, attempt)
                except on as e:
                    last = e
            raise RuntimeError(f"gave up after {times}: {last}")

        return wrapper

    return decorate


def safe(f, x, errors=(KeyError, IndexError), default=-1):
    try:
        return f(x)
    except errors:
        return default


def kind(x, types=(int, float)):
    return isinstance(x, types)


def retried(n):
    @retry(3)
    def flaky(k, attempt):
        if attempt < k:
            raise ValueError(f"attempt {attempt}")
        return attempt * 10

    @retry(2, on=(KeyError, ValueError))
    def flaky2(k, attempt):
        if attempt < k:
            raise KeyError(f"attempt {attempt}")
        return attempt * 10

    out = []
    try:
        out.append(flaky(2))
        out.append(flaky2(2))
        out.append(flaky(n))
        msg = ""
    except RuntimeError as e:
        msg = str(e)
    d = {1: 2}
    return (
        out,
        msg,
        flaky.__name__,
        safe(lambda k: d[k], n),
        safe(lambda k: [1, 2][k], n, (IndexError,), default=0),
        kind(n),
        kind("x"),
    )


TRANSIENT = (KeyError, ValueError)


class NetError(Exception):
    pass


class Timeout(NetError):
    pass


class Retrier:
    RETRY = (NetError, OSError)

    def __init__(self, times, errors=(Timeout,)):
        self.times = times
        self.log = []

    def run(self, f):
        for k in range(self.times):
            try:
                return f(k)
            except self.RETRY as e:
                self.log.append(f"{type(e).__name__}")
            except TRANSIENT as e:
                self.log.append(repr(e))
        return None


def named(n):
    r = Retrier(n)

    def f(k):
        if k == 0:
            raise Timeout("t")
        if k == 1:
            raise KeyError("k")
        if k == 2:
            raise ZeroDivisionError
        return k

    errors = (ZeroDivisionError, NetError)
    try:
        v = r.run(f)
    except errors:
        v = -1
    return v, r.log


CASES: list[Case] = [
    (retried, [(9,), (1,)]),
    (named, [(2,), (4,)]),
]
