"""Loops whose ints are bounded by formulas: the same results, and OverflowError where it was."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from scriptc import script
from scriptc.check.roots import Root
from scriptc.driver import check_and_lower, to_low
from scriptc.options import Options
from scriptc_runtime.ir import Function, walk
from scriptc_runtime.ops import control, exact
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.types import INT

# Scripts without annotations.
# pyright: basic

MOST = 2**63 - 1


def squares(n, m):
    s = m
    for i in range(n):
        s += i * i
    return s


def sums(n, m):
    s = 0
    for i in range(m, n):
        s += i
    return s


def nested(n, m):
    s, k = 0, 0
    for i in range(n):
        t = 0
        for j in range(i, m):
            t += i * j - 3
            k += 1
        s -= t
    return s, k


def powers(n, m):
    total = 0
    for i in range(1, n):
        b, p, r = i % m, 65537, 1
        while p > 0:
            if p & 1:
                r = r * b % m
            b = b * b % m
            p >>= 1
        total += r
    return total


def restarted(n, m):
    longest, run, total = 0, 0, 0
    for i in range(n):
        if i % 7 == m % 7:
            run = m
        else:
            run += 2
        longest = max(longest, run)
        total -= -run
    return longest, run, total


def upwards(n, m):
    i, s = m, 0
    while i < n:
        s += i
        i += 1
    return i, s


def downwards(n, m):
    s = 0
    while n > m:
        if n % 3 == 0:
            n -= 1
            continue
        n -= 1
        s ^= n
        s += n & 255
    return n, s


def steps(n, m):
    i, s = 0, 1
    while i <= n:
        s += i * m
        i += 3
    return i, s


def doubled(n, m):
    s = 1
    for _ in range(n):
        s = s + s + m
    return s


def fibonacci(n, m):
    a, b = 0, m
    for _ in range(n):
        a, b = b, a + b
    return a


def horner(n, m):
    h = 7
    for i in range(n):
        h = (h * 31 + i) % m
    return h


def left(n, m):
    s = 0
    for i in range(n):
        s += i * m
        if s > 1000:
            break
    else:
        s = -s
    return s, n


def moved_end(n, m):
    i, s = 0, 0
    while i < n:
        s += i
        n -= m % 2
        i += 1
    return i, n, s


def bits(n, m):
    s = 0
    for i in range(n):
        s += (i ^ m) - (i | m) + (~i & m) + abs(i - m) + min(i, m) + (i << 2) + (m >> 1)
    return s


def ones(n, m):
    s = 0
    for i in range(n):
        x = abs(i * 37 + m)
        while x:
            x &= x - 1
            s += 1
    return s


def digits(n, m):
    s, k = 0, 0
    for i in range(n):
        x = i * m
        while x > 0:
            s += x & 1
            x >>= 2
            k += 1
        y = abs(m) + i
        while y != 0:
            s = s * 3 % 1009 + y % 10
            y //= 10
    return s, k


def left_early(n, m):
    x = n * n
    k = 0
    while x:
        if k == m:
            break
        x = (x - 1) & x
        k += 1
    return x, k


PROGRAMS = (
    squares, sums, nested, powers, restarted, upwards, downwards, steps, doubled, fibonacci, horner,
    left, moved_end, bits, ones, digits, left_early,
)  # fmt: skip
SMALL = [(0, 1), (1, 1), (7, 3), (40, 5), (9, -4), (-3, 2), (25, 100), (13, -13), (60, 2)]
ENDS = [
    (3, MOST), (3, -MOST - 1), (1, MOST), (0, MOST), (2, MOST - 1), (30, MOST // 200),
    (5, 2**62), (5, 2**61), (9, -(2**62)), (64, 2**57), (20, 3037000500),
]  # fmt: skip


def outcome(function: Callable[..., Any], *arguments: int) -> object:
    try:
        return function(*arguments)
    except (OverflowError, ZeroDivisionError) as error:
        return type(error)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_bounded_loops_do_what_python_does(function: Callable[..., Any]) -> None:
    scripted = script(function)
    for n, m in SMALL:
        assert outcome(scripted, n, m) == outcome(function, n, m), (n, m)


CLOSE = (squares, powers, restarted, doubled, fibonacci, horner, left, bits, ones, digits)


@pytest.mark.parametrize("function", CLOSE, ids=lambda f: f.__name__)
def test_near_the_ends_they_do_what_the_interpreter_does(function: Callable[..., Any]) -> None:
    scripted, interpreted = script(function), script(function, backend="interp")
    numbers = random.Random(5)
    drawn = [(numbers.randrange(70), numbers.randrange(-(2**63), 2**63)) for _ in range(6)]
    drawn += [(numbers.randrange(70), 1 << numbers.randrange(63)) for _ in range(12)]
    for n, m in (*ENDS, *drawn):
        assert outcome(scripted, n, m) == outcome(interpreted, n, m), (n, m)


def test_sums_overflow_where_they_do() -> None:
    scripted = script(squares)
    assert scripted(3_000_000, 0) == sum(i * i for i in range(3_000_000))
    with pytest.raises(OverflowError):
        scripted(3_100_000, 0)
    with pytest.raises(OverflowError):
        scripted(10, MOST - 284)
    assert scripted(10, MOST - 285) == MOST


def lowered(function: Callable[..., Any]) -> Function:
    core = check_and_lower([Root(function, [INT, INT])])
    return to_low(core.module, Options()).functions[core.root.name]


FREED = (squares, sums, nested, powers, restarted, upwards, horner, ones)


@pytest.mark.parametrize("function", FREED, ids=lambda f: f.__name__)
def test_a_version_has_no_test_for_overflow(function: Callable[..., Any]) -> None:
    tested = {e.ADD, e.SUB, e.MUL, e.NEG, exact.SCALE}
    freed = [
        i
        for i in walk(lowered(function).body)
        if i.op in (control.FOR, control.WHILE)
        and not any(j.op in tested and j.result.type is INT for j in walk(i.blocks[0]))
    ]
    assert freed


@pytest.mark.parametrize("function", [upwards, downwards], ids=lambda f: f.__name__)
def test_a_while_that_counts_is_a_for(function: Callable[..., Any]) -> None:
    ops = {i.op for i in walk(lowered(function).body)}
    assert control.FOR in ops
    assert control.WHILE not in ops


@pytest.mark.parametrize("function", [doubled, fibonacci], ids=lambda f: f.__name__)
def test_what_grows_with_itself_keeps_its_tests(function: Callable[..., Any]) -> None:
    loops = [i for i in walk(lowered(function).body) if i.op is control.FOR]
    assert len(loops) == 1
