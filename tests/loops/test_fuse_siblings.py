"""Folds and loops by strips: each has the bits that it has alone, for all layouts and threads."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from scriptc import script
from scriptc.kernels.loops.fuse_siblings import STRIP, fuse_siblings
from scriptc_runtime.ir import Function
from scriptc_runtime.ops import low
from scriptc_runtime.text.reader import read_module
from tests.support.outcomes import freeze
from tests.support.support_code import pool

Array = NDArray[Any]
SIZES = (1, STRIP - 1, STRIP, STRIP + 1, 65535, 65536, 65537, 3 * 65536 + 5)
DTYPES = ("f8", "f4", "i8", "c16")
LAYOUTS: Mapping[str, Callable[[Array], Array]] = {
    "whole": lambda a: a,
    "every_second": lambda a: np.repeat(a, 2)[::2],
    "backwards": lambda a: a[::-1],
}


def sums(x):
    return np.sum(x), np.sum(x * x), np.sum(x * 3)


def sum_of(x):
    return np.sum(x)


def sum_of_squares(x):
    return np.sum(x * x)


def sum_of_triples(x):
    return np.sum(x * 3)


def extremes(x):
    return np.max(x), np.sum(x), np.min(x), np.prod(x), x * 3


def largest(x):
    return np.max(x)


def smallest(x):
    return np.min(x)


def product(x):
    return np.prod(x)


def triples(x):
    return x * 3


def exponentials(x):
    y = np.exp(-np.abs(x))
    return np.sum(y), np.sum(y * x)


def sum_of_exponentials(x):
    return np.sum(np.exp(-np.abs(x)))


def weighted_exponentials(x):
    return np.sum(np.exp(-np.abs(x)) * x)


TOGETHER: Sequence[tuple[Callable[..., Any], Sequence[Callable[..., Any]]]] = [
    (sums, (sum_of, sum_of_squares, sum_of_triples)),
    (extremes, (largest, sum_of, smallest, product, triples)),
    (exponentials, (sum_of_exponentials, weighted_exponentials)),
]


def numbers(count: int, dtype: str) -> Array:
    """Return numbers whose sum depends on the order, some of them zeros of either sign."""
    rng = np.random.default_rng(count)
    found = rng.standard_normal(count) * np.exp(4 * rng.standard_normal(count))
    found[::7] = -0.0
    if dtype == "c16":
        return found + 1j * rng.standard_normal(count)
    return found.astype(dtype)


@pytest.mark.parametrize(("together", "alone"), TOGETHER)
@pytest.mark.parametrize("dtype", DTYPES)
def test_folds_have_the_bits_that_they_have_alone(together, alone, dtype, thorough: bool) -> None:
    if dtype[0] in "ci" and together is not sums:
        return  # complex numbers have no order, and few powers
    joined, apart = script(together), [script(each) for each in alone]
    for size in SIZES if thorough else SIZES[3:7:3]:
        for change in LAYOUTS.values():
            x = change(numbers(size, dtype))
            expected = [freeze(each(x)) for each in apart]
            assert list(map(freeze, joined(x))) == expected
            for threads in (2, 3):
                with pool(threads, everything=True):
                    assert list(map(freeze, joined(x))) == expected


@pytest.mark.parametrize("columns", [1, 3, 300, 70000])
@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_folds_of_rows_have_the_bits_that_they_have_alone(columns: int, dtype: str) -> None:
    x = numbers(3 * 70000, dtype).reshape(-1, columns)
    joined, apart = (
        script(sums),
        [script(each) for each in (sum_of, sum_of_squares, sum_of_triples)],
    )
    for y in (x, x[:, ::-1], np.asfortranarray(x), x[::2]):
        expected = [freeze(each(y)) for each in apart]
        for threads in (1, 2, 3):
            with pool(threads, everything=True):
                assert list(map(freeze, joined(y))) == expected


@pytest.mark.parametrize("size", [0, 1, 70000])
def test_what_is_not_a_number_is_found_beside_others(size: int) -> None:
    x = numbers(size + 1, "f8")
    x[size // 2] = np.nan
    result = script(extremes)(x)
    assert all(np.isnan(v) for v in result[:4])
    assert freeze(result[4]) == freeze(x * 3)


def siblings(between: str, second: str = "%x") -> str:
    """Return a module with two folds and something between them; the second reads `second`."""
    return f"""\
func @f(%x: tensor<f64, [N]>, %y: tensor<f64, [N]>, %one: f64) -> f64 file="a.py" {{
  %n = size %x [axis=0] : i64
  %zero = const [value=0, dtype=i64] : i64
  %first = reduce @L0 %n [kind="sum"] : f64 {{(%i: i64)
    %a = load %x, %i : f64
    exit @L0.next %a
  }}
{between}\
  %second = reduce @L1 %n [kind="sum"] : f64 {{(%j: i64)
    %b = load {second}, %j : f64
    exit @L1.next %b
  }}
  %sum = add %first, %second : f64
  exit @return %sum
}}
"""


def fused(text: str) -> Function:
    return fuse_siblings(read_module(text)).functions["f"]


def loops_of(function: Function) -> int:
    return sum(i.op in (low.LOOP, low.REDUCE) for i in function.body.body)


def are_fused(text: str) -> bool:
    return loops_of(fused(text)) == 1


STORED = """\
  loop @L2 %n [parallel=true] {{(%k: i64)
    %c = load %x, %k : f64
    store {array}, %c, {place}
    exit @L2.next
  }}
"""
FRESH = "  %z = new_array %n [type=tensor<f64, [N]>] : tensor<f64, [N]>\n"


def test_what_only_computes_may_stand_between() -> None:
    assert are_fused(siblings(""))
    assert are_fused(siblings("  %other = add %one, %one : f64\n"))
    assert are_fused(siblings("  %other = add %one, %first : f64\n"))


def test_what_has_effects_may_not_stand_between() -> None:
    assert not are_fused(siblings("  store %x, %one, %zero\n"))
    assert not are_fused(siblings("  %other = load %y, %zero : f64\n  store %y, %other, %zero\n"))


def test_a_fold_that_needs_another_one_stays_behind_it() -> None:
    needed = siblings("").replace("%b = load %x, %j", "%b = add %first, %first")
    assert not are_fused(needed)


def test_a_long_row_of_folds_is_several_loops() -> None:
    fold = """\
  %r{0} = reduce @R{0} %n [kind="sum"] : f64 {{{{(%i{0}: i64)
    %a{0} = load %y, %i{0} : f64
    %b{0} = mul %a{0}, %a{0} : f64
    exit @R{0}.next %b{0}
  }}}}
"""
    rows = siblings(
        "".join(fold.format(k) for k in range(30)).replace("{{", "{").replace("}}", "}")
    )
    assert loops_of(fused(rows)) == 2


def test_what_is_stored_may_be_read_at_the_same_element_alone() -> None:
    assert are_fused(siblings(FRESH + STORED.format(array="%z", place="%k"), "%z"))
    anywhere = siblings(FRESH + STORED.format(array="%z", place="%zero"), "%z")
    assert loops_of(fused(anywhere)) == 2  # the last fold stays apart


def test_arrays_that_may_overlap_are_not_read_beside_stores() -> None:
    text = siblings(STORED.format(array="%y", place="%k"))
    assert loops_of(fused(text)) == 3
