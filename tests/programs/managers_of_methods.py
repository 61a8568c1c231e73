"""`with` over methods and nested functions that `contextmanager` decorates.

These yield in conditions, return, or go on where the body is left, too.
"""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import contextlib
from contextlib import contextmanager, suppress

from tests.programs import Case


class BankError(Exception):
    code = 1


class Insufficient(BankError):
    code = 2

    def __init__(self, who, amount):
        super().__init__(f"{who} lacks {amount}")
        self.who = who
        self.amount = amount


class Bank:
    def __init__(self):
        self.accounts = {}
        self.failed = 0
        self.log = []
        self.depth = 0

    @contextmanager
    def transaction(self, *owners, label="x"):
        saved = {o: self.accounts[o] for o in owners}
        self.log.append(f"begin {label}")
        try:
            yield self
        except BankError as e:
            self.failed += e.code
            for owner, amount in saved.items():
                self.accounts[owner] = amount
            raise
        finally:
            self.last = sorted(owners)
            self.log.append("end " + ",".join(self.last))

    def transfer(self, a, b, amount):
        with self.transaction(a, b, label=f"{a}-{b}") as me:
            me.accounts[b] += amount
            if self.accounts[a] < amount:
                raise Insufficient(a, amount - self.accounts[a])
            self.accounts[a] -= amount

    @contextlib.contextmanager
    def indent(self, by=1):
        self.depth += by
        try:
            yield self.depth
        finally:
            self.depth -= by

    @staticmethod
    @contextmanager
    def tag(out, name):
        out.append(f"<{name}>")
        yield
        out.append(f"</{name}>")


def methods(n):
    bank = Bank()
    bank.accounts["ann"] = 10
    bank.accounts["bob"] = 5
    for _ in range(n):
        with suppress(BankError):
            bank.transfer("ann", "bob", 4)
    with bank.indent() as one, bank.indent(by=n) as two:
        bank.log.append(f"{one} {two} {bank.depth}")
    out = []
    with Bank.tag(out, "p"), bank.tag(out, "q"):
        out.append("x")
    return bank.accounts, bank.failed, bank.log, bank.depth, bank.last, out


def nested(n):
    log = []

    @contextmanager
    def local(k):
        log.append(f"in {k}")
        try:
            yield k * 2
        except ValueError as e:
            log.append(f"caught {e}")
        finally:
            log.append("out")

    with local(n) as value:
        log.append(str(value))
        if n > 1:
            raise ValueError("v")
    return log


@contextmanager
def maybe(log, ok):
    if ok:
        log.append("yes")
        yield 1
    else:
        yield 0
    log.append("after")


@contextmanager
def returning(log, ok):
    if not ok:
        yield None
        return
    log.append("begin")
    try:
        yield log
    except KeyError:
        log.append("swallowed")
        return
    log.append("commit")


@contextmanager
def around(log, depth):
    with maybe(log, depth > 1):
        try:
            yield depth
        finally:
            log.append(f"left {depth}")


@contextmanager
def wrong(log, times):
    for _ in range(times):
        try:
            yield len(log)
        except ValueError:
            log.append("goes on")


def in_conditions(n):
    log = []
    with maybe(log, n > 0) as x:
        log.append(str(x))
    with returning(log, n > 1) as y:
        log.append(str(y is None))
        if n == 3:
            raise KeyError("x")
    for k in range(n):
        with maybe(log, k > 0):
            if k == 1:
                continue
            log.append("k")
    return log


def raised(n):
    log = []
    try:
        with maybe(log, n > 1), around(log, n):
            if n == 2:
                raise IndexError("from inside")
            log.append(str(1 // n))
    except (IndexError, ZeroDivisionError) as e:
        log.append(f"{type(e).__name__} {e}")
    return log


def left(n):
    log = []

    def found():
        for k in range(5):
            with maybe(log, k % 2 == 0):
                if k == n:
                    return k
        return -1

    return found(), log


def yields_too_often(n):
    log = []
    with wrong(log, n) as size:
        log.append(str(size))
        if n > 1:
            raise ValueError("x")
    return log


CASES: list[Case] = [
    (methods, [(4,), (1,)]),
    (nested, [(1,), (2,)]),
    (in_conditions, [(n,) for n in range(4)]),
    (raised, [(n,) for n in range(4)]),
    (left, [(0,), (3,), (9,)]),
    (yields_too_often, [(n,) for n in range(3)]),
]
