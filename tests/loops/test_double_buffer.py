"""Loops that copy an array and write it anew: two arrays change places where nobody can tell."""

# What the calls give is compared as it is.
# pyright: basic

import ctypes
import os
import random
import sys
import warnings

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

from scriptc import script
from scriptc.scripted_function import store_of
from scriptc.types import B, C, M, N, f64
from tests.support.live_source import live_module

# Sizes that are not known to be equal are what this is about.
pytestmark = pytest.mark.filterwarnings("ignore::scriptc.SizeWarning")


def relaxed(p: f64[N, M], b: f64[B, C], n: int, d: float):
    for _ in range(n):
        old = p.copy()
        p[1:-1, 1:-1] = (old[1:-1, 2:] + old[2:, 1:-1]) / d - b[1:-1, 1:-1]
        p[1:-1, -1] = old[1:-1, 0] + old[2:, -1]
        p[1:-1, 0] = old[1:-1, 1] - old[1:-1, -1]
        p[-1, :] = p[-2, :]
        p[0, :] = p[1, :]


def watched(p: f64[N, M], b: f64[B, C], n: int, d: float):
    """Carries a number, and reads the array when all of it is written."""
    change = 0.0
    for k in range(n):
        old = p.copy()
        p[1:-1] = old[2:] * 0.5 + b[1:-1] * k / d
        change = change + np.sum(p - old)
    return change


def shifted(p: f64[N, M], b: f64[B, C], n: int, d: float):
    """What is read of the array is about to be written: it has to be what the last round left."""
    for _ in range(n):
        old = p.copy()
        p[1:] = old[:-1] + b[1:] / d
        p[:-1] = p[1:] - old[1:]


def moving(p: f64[N, M], b: f64[B, C], n: int, d: float):
    """Other rounds write other elements."""
    for k in range(n):
        old = p.copy()
        p[k:] = old[: p.shape[0] - k] / d + b[k:]


def choosing(p: f64[N, M], b: f64[B, C], n: int, d: float):
    for k in range(n):
        old = p.copy()
        if k % 2:
            p[1:] = old[:-1] / d + b[1:]


def growing(p: f64[N, M], b: f64[B, C], n: int, d: float):
    """The copy is written as well."""
    for _ in range(n):
        old = p.copy()
        old[0] = 1.0
        p[1:] = old[:-1] / d + b[1:]


SAFE, OTHERS = (relaxed, watched), (shifted, moving, choosing, growing)
COMPILED = {f: script(f) for f in (*SAFE, *OTHERS)}


def outcome(function, p, b, n, d=3.0):
    """Return what a call gives, and what it leaves in its arrays."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            given = function(p, b, n, d)
        result = repr(0.0 if given is None else float(given))
    except (ValueError, IndexError, ZeroDivisionError) as error:
        result = type(error)
    return result, p.tobytes(), b.tobytes()


def grid(*shape):
    return np.random.default_rng(7).integers(-8, 9, shape) / 4.0


def test_arrays_change_places_where_they_may() -> None:
    p, b = grid(5, 5), grid(5, 5)
    for function, compiled in COMPILED.items():
        compiled(p.copy(), b, 2, 4.0)
        assert ("either" in compiled.dump("low")) == (function in SAFE), function


@pytest.mark.sampled(5)
@pytest.mark.parametrize("function", [*SAFE, *OTHERS])
@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (1, 1), (2, 2), (2, 5), (3, 3), (4, 2), (9, 20)])
def test_every_number_of_rounds(function, shape) -> None:
    for n in (0, 1, 2, 3, 6):
        mine, theirs = ((grid(*shape), grid(*shape)[::-1].copy()) for _ in range(2))
        got = outcome(COMPILED[function], *mine, n, 4.0)
        assert got == outcome(function, *theirs, n, 4.0), n


def layouts():
    """Yield pairs of arrays that lie in memory in some way or other."""
    wide = grid(12, 30)
    yield wide[:7, :9], wide[5:, 20:29]
    yield wide[:7, ::3], wide[:7, 1::3]
    yield wide.T[:9, :7], wide[3:12, 5:12]
    yield wide[::-1][:7, :9], wide[:7, :9]
    yield wide[:7, :9], wide[1:8, :9]  # overlap
    yield wide[:7, :9], wide[:7, :9]
    yield as_strided(wide, (7, 9), (8, 8)), grid(7, 9)  # indices of one element
    yield as_strided(wide, (7, 9), (16, 8)), grid(7, 9)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("function", [*SAFE, *OTHERS])
def test_every_layout(function) -> None:
    for mine, theirs in zip(layouts(), layouts(), strict=True):
        for n in (1, 2, 5):
            got = outcome(COMPILED[function], *mine, n, 4.0)
            assert got == outcome(function, *theirs, n, 4.0)


@pytest.mark.parametrize("function", SAFE)
def test_what_was_written_before_an_exception_stays(function) -> None:
    for b, d in ((grid(6, 4), 4.0), (grid(5, 5), 0.0)):
        for n in (0, 1, 3):
            got = outcome(COMPILED[function], grid(5, 5), b.copy(), n, d)
            assert got == outcome(function, grid(5, 5), b.copy(), n, d)


def test_the_second_array_is_given_back() -> None:
    support = store_of(os.environ["SCRIPTC_CACHE_DIR"]).support
    live = ctypes.c_int64.from_address(support["sc_live_blocks"])
    COMPILED[relaxed](grid(5, 5), grid(5, 5), 3, 4.0)
    before = live.value
    for b, d, n in ((grid(5, 5), 4.0, 3), (grid(6, 4), 4.0, 3), (grid(5, 5), 0.0, 2)):
        outcome(COMPILED[relaxed], grid(5, 5), b, n, d)
    assert live.value == before


# Random loops: what they write and read, and when.

_SLICES, _INDICES = ("1:-1", "1:", ":-1", ":", "2:", ":-2", "0:2"), ("0", "-1", "1", "-2")


def draw(rng: random.Random) -> str:
    lines = ["from scriptc.types import B, C, M, N, f64", ""]
    lines += [
        "def f(p: f64[N, M], b: f64[B, C], n: int):",
        "    for k in range(n):",
        "        old = p.copy()",
    ]
    for _ in range(rng.randint(1, 4)):
        kinds = [rng.choice((_SLICES, _SLICES, _INDICES)) for _ in range(2)]
        target, first, second = (", ".join(map(rng.choice, kinds)) for _ in range(3))
        read = rng.choice(("old", "old", "b", "p"))
        more = rng.choice((f" + p[{second}]", f" - old[{target}] * k", ""))
        lines.append(f"        p[{target}] = {read}[{rng.choice((first, target))}] * 0.5{more}")
    if rng.random() < 0.2:
        lines.append("        b[0, 0] += 1.0")
    return "\n".join([*lines, "    return p", ""])


def run_random(count: int, seed: int) -> tuple[int, int]:
    """Compare random loops with NumPy; return how many there were, and how many were exchanged."""
    exchanged = 0
    for number in range(seed, seed + count):
        text = draw(random.Random(number))
        function = live_module(text, f"loop{number}.py").f
        compiled = script(function)
        for shape in ((5, 5), (3, 3), (2, 4), (1, 2), (7, 6)):
            for n in (1, 2, 3):
                results = []
                for f in (compiled, function):
                    p, b = grid(*shape), grid(*shape)
                    try:
                        f(p, b, n)
                        raised = None
                    except (ValueError, IndexError) as error:
                        raised = type(error)
                    results.append((p.tobytes(), b.tobytes(), raised))
                assert results[0] == results[1], f"{number}: {shape}, {n} rounds\n{text}"
        exchanged += "either" in compiled.dump("low")
    return count, exchanged


def test_random_loops() -> None:
    count, exchanged = run_random(12, 40)
    assert 0 < exchanged < count


if __name__ == "__main__":
    sys.stdout.write(f"{run_random(*map(int, sys.argv[1:]))}\n")
