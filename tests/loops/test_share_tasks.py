"""Tasks of a stretch: what runs side by side, what stays in its order, and what exceptions come."""

import threading
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from scriptc import script
from scriptc.check.roots import Root
from scriptc.driver import to_core, to_low
from scriptc.options import Options
from scriptc_runtime.dims import symbol
from scriptc_runtime.ir import Module, walk
from scriptc_runtime.ops import low
from scriptc_runtime.types import INT, DType, TensorType
from tests.support.support_code import live_blocks, pool, regions

# Scripts without annotations.
# pyright: basic

ROWS = [TensorType(DType.F64, (symbol(name),)) for name in "NMK"]
PLACES = TensorType(DType.I64, (symbol("P"),))


def scan(x):
    y = np.empty(len(x))
    total = 0.0
    for i in range(len(x)):
        total = total * 0.5 + np.sqrt(x[i])
        y[i] = total
    return y


def picks(x, places):
    y = np.empty(len(places))
    total = 0.0
    for i in range(len(places)):
        total = total * 0.5 + np.sqrt(x[places[i]])
        y[i] = total
    return y


def two(x, y):
    return scan(x), scan(y)


def three(x, y, z):
    a, b = scan(x), scan(y)
    both = scan(a[: len(b)] + b[: len(a)])
    return a, both, scan(z)


def sorts(x, y):
    """Of one size, so that a test of one vector would be one of the other."""
    return np.sort(x), np.sort(y)


def printing(x, y):
    a = scan(x)
    print(len(a))
    return a, scan(y)


def drawing(x, y, seed):
    rng = np.random.default_rng(seed)
    a = scan(x) + rng.random()
    return a, scan(y) + rng.random()


def in_place(x, y):
    for i in range(1, len(x)):
        x[i] = x[i - 1] * 0.5 + np.sqrt(x[i])
    for i in range(1, len(y)):
        y[i] = y[i - 1] * 0.5 + np.sqrt(y[i])


def chained(x, y):
    a = scan(x)
    for i in range(1, min(len(a), len(y))):
        a[i] = a[i - 1] * 0.5 + np.sqrt(y[i])
    return a


def after_a_test(x, places):
    a = picks(x, places)
    b = np.empty(len(places))
    for i in range(1, len(places)):
        b[i] = b[i - 1] * 0.5 + x[places[i]]
    return a, b


def picks_of_both(x, y, places, others):
    return picks(x, places), picks(y, others)


def interleaved(x, y, places, others, far):
    """What raises in the second piece stands between what raises in the first one."""
    a = picks(x, places)
    b = picks(y, others)
    c = picks(a, far)
    return a, b, c


def pick_and_write(x, y, places):
    """What is printed of z stands before both pieces, so z is there whatever they do."""
    z = y + 1.0
    print(z[0])
    a = picks(x, places)
    for i in range(1, len(z)):
        z[i] = z[i - 1] * 0.5 + np.sqrt(z[i])
    return a, z[-1]


def read_and_write(x, y):
    z = y + 1.0
    print(z[0])
    a = scan(x)
    for i in range(1, len(z)):
        z[i] = z[i - 1] * 0.5 + np.sqrt(z[i])
    return a, z[-1]


def curves(x, y, z):
    """Launches alone, of which none is much work."""
    a = np.max(np.exp(np.sqrt(x)) * np.log(x + 2.0))
    b = np.max(np.exp(np.sqrt(y)) * np.log(y + 3.0))
    c = np.max(np.exp(np.sqrt(z)) * np.log(z + 4.0))
    return a, b, c


def lowered(function: Callable[..., Any], *types: Any) -> Module:
    options = Options()
    return to_low(to_core([Root(function, types)], options).module, options)


def tasks_of(function: Callable[..., Any], *types: Any) -> list[int]:
    """Return how many tasks each stretch of a function has."""
    module = lowered(function, *types)
    found = []
    for instr in (i for f in module.functions.values() for i in walk(f.body)):
        if instr.op is low.LAUNCH and instr.attrs.get("tasks"):
            (loop,) = (
                i
                for i in module.functions[str(instr.attrs["callee"])].body.body
                if i.op is low.LOOP
            )
            found.append(sum(bool(i.blocks) for i in loop.blocks[0].body))
    return found


def test_independent_scans_are_tasks() -> None:
    assert tasks_of(two, *ROWS[:2]) == [2]


def test_sorts_of_vectors_are_tasks() -> None:
    assert tasks_of(sorts, ROWS[0], ROWS[0]) == [2]


def test_what_comes_after_both_does_not_keep_the_third_one_from_being_a_task() -> None:
    assert tasks_of(three, *ROWS) == [3]


@pytest.mark.parametrize("function", [printing, in_place, chained, after_a_test])
def test_what_depends_on_each_other_stays_in_its_order(function: Callable[..., Any]) -> None:
    types = ROWS[:2] if function is not after_a_test else [ROWS[0], PLACES]
    assert tasks_of(function, *types) == []


def test_random_numbers_are_drawn_in_their_order() -> None:
    assert tasks_of(drawing, *ROWS[:2], INT) == []


def test_what_others_see_is_not_written_beside_what_may_raise() -> None:
    assert tasks_of(pick_and_write, *ROWS[:2], PLACES) == []
    assert tasks_of(read_and_write, *ROWS[:2]) == [2]


LONG = np.abs(np.sin(np.arange(20_000.0)))
GOOD = np.arange(5000) * 7 % 20_000
BAD, WORSE = GOOD.copy(), GOOD.copy()
BAD[4321], WORSE[3] = 20_001, -20_002


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_tasks_give_the_same_bits_for_any_number_of_threads(threads: int) -> None:
    compiled = script(two)
    with pool(1):
        expected = compiled(LONG, LONG[::-1])
    before = regions()
    with pool(threads):
        found = compiled(LONG, LONG[::-1])
    assert regions() - before == (threads > 1)
    for a, b, c in zip(found, expected, two(LONG, LONG[::-1]), strict=True):
        assert a.tobytes() == b.tobytes() == c.tobytes()


def test_short_ones_are_not_handed_over() -> None:
    compiled = script(two)
    with pool(2):
        before = regions()
        compiled(LONG[:100], LONG[:50])
        assert regions() == before


def test_small_launches_are_handed_over_together() -> None:
    compiled = script(curves)
    with pool(1):
        expected = compiled(LONG[:9000], LONG[1:9000], LONG[2:9000])
    with pool(2):
        before = regions()
        assert compiled(LONG[:9000], LONG[1:9000], LONG[2:9000]) == expected
        assert regions() == before + 1


def test_one_long_task_beside_a_short_one_is_not_handed_over() -> None:
    compiled = script(two)
    with pool(2):
        before = regions()
        compiled(LONG, LONG[:50])
        assert regions() == before


@pytest.mark.parametrize(
    ("first", "second"), [(GOOD, BAD), (BAD, GOOD), (BAD, WORSE), (WORSE, BAD)]
)
def test_the_first_exception_of_the_program_is_raised_at_its_line(
    first: np.ndarray, second: np.ndarray
) -> None:
    assert tasks_of(picks_of_both, *ROWS[:2], PLACES, TensorType(DType.I64, (symbol("Q"),))) == [2]
    compiled = script(picks_of_both)
    held = live_blocks()
    lines, messages = [], []
    for function, everything in ((picks_of_both, False), (compiled, False), (compiled, True)):
        with pool(2, everything=everything), pytest.raises(IndexError) as caught:
            # Of other sizes: a test of a size would be one of both.
            function(LONG, LONG[1:], first, second[1:])
        frames = traceback.extract_tb(caught.value.__traceback__)
        lines.append([(f.name, f.lineno) for f in frames if f.filename == __file__][1:])
        messages.append(str(caught.value))
        del caught
    assert lines[0] == lines[1] == lines[2]
    assert len(set(messages)) == 1
    assert live_blocks() == held


@pytest.mark.parametrize("places", [GOOD, BAD])
def test_an_exception_between_those_of_another_piece_comes_first(places: np.ndarray) -> None:
    sizes = [TensorType(DType.I64, (symbol(name),)) for name in "PQR"]
    assert tasks_of(interleaved, *ROWS[:2], *sizes) == [2]
    compiled = script(interleaved)
    messages = []
    for function in (interleaved, compiled):
        with pool(2, everything=True), pytest.raises(IndexError) as caught:
            function(LONG, LONG[1:], places, WORSE[1:], np.full(3000, 5001))
        messages.append(str(caught.value))
    assert messages[0] == messages[1]


def test_callers_in_two_threads_of_python_both_have_their_results() -> None:
    compiled = script(two)
    expected = [a.tobytes() for a in two(LONG, LONG[::-1])]
    compiled(LONG, LONG)
    wrong: list[object] = []

    def call() -> None:
        for _ in range(50):
            found = [a.tobytes() for a in compiled(LONG, LONG[::-1])]
            if found != expected:
                wrong.append(found)

    with pool(2):
        callers = [threading.Thread(target=call) for _ in range(2)]
        for caller in callers:
            caller.start()
        for caller in callers:
            caller.join()
    assert not wrong
