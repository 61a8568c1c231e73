"""Quotients by one number have NumPy's bits, though some of them are written without a division."""

# What the calls give is compared as it is.
# pyright: basic

import numpy as np

from scriptc import script
from scriptc.types import N, f64


@script
def quotients(x: f64[N], d: float, e: float):
    return x / d, x / e


def check(x, *divisors) -> None:
    """Compare the quotients by some numbers, each as the first and as the second one."""
    for d in map(float, divisors):
        with np.errstate(all="ignore"):
            want = x / np.float64(d)
        for got in (quotients(x, d, 7.0)[0], quotients(x, 7.0, d)[1]):
            both_none = np.isnan(got) & np.isnan(want)
            same = (got.view(np.int64) == want.view(np.int64)) | both_none
            assert same.all(), (d, x[~same][:3], got[~same][:3], want[~same][:3])


def test_half_of_the_quotients_are_written_without_a_division() -> None:
    text = quotients.dump("llvm")
    assert "@llvm.fma.v8f64" in text


def divisors(rng):
    """Numbers whose inverses are hard to round, and others."""
    ends = [1.0 + k * 2.0**-52 for k in (0, 1, 2, 3)] + [2.0 - k * 2.0**-52 for k in (1, 2, 3, 4)]
    thirds = [3.0, 5.0, 0.1, 1 / 3, 9.0, 2.0 / 120, 1e-5]
    return [*ends, *thirds, *(rng.uniform(1, 2, 30) * 2.0 ** rng.integers(-290, 290, 30))]


def test_quotients_of_any_mantissa() -> None:
    rng = np.random.default_rng(1)
    for d in divisors(rng):
        near = np.float64(d)
        mantissas = rng.integers(1 << 52, 1 << 53, 4000).astype(np.float64)
        # Quotients that lie close to the middle between two numbers.
        products = near * (rng.integers(1 << 52, 1 << 53, 2000) + 0.5) * 2.0**-52
        around = products + np.spacing(products) * rng.integers(-2, 3, products.size)
        multiples = near * rng.integers(-99, 99, 100)
        below = np.nextafter(near, 0) * np.ones(20)
        check(np.concatenate([mantissas, around, multiples, below, -mantissas]), d)


def test_quotients_of_any_exponent() -> None:
    rng = np.random.default_rng(2)
    x = rng.uniform(1, 2, 4200) * 2.0 ** (np.arange(4200) % 2098 - 1074)
    x[::7] *= -1
    check(x, 3.0, 0.7, 1e-88, 1e88, 2.0**-300, 2.0**300, 1e-91, 1e91, 5e-324, 1e308, -3.0, -0.7)
    tiny = np.arange(200) * 5e-324
    check(np.concatenate([tiny, -tiny, np.nextafter(np.inf, 0) - tiny]), 3.0, 1.0, 2.0, 0.5, 1e-9)


def test_quotients_of_what_is_no_number() -> None:
    strange = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -2.5, 5e-324, -1e308]
    x = np.resize(np.array(strange), 8 * len(strange) + 3)
    check(x, 3.0, -3.0, *strange)
    check(np.repeat([0.0, -0.0], 20), 3.0, -3.0, *strange)


def test_rows_of_several_vectors_meet_strange_elements_anywhere() -> None:
    rng = np.random.default_rng(3)
    for _ in range(40):
        x = rng.normal(size=60)
        x[rng.integers(0, 60, 3)] = rng.choice([np.inf, np.nan, 1e-310, -0.0, 1e300], 3)
        check(x, rng.uniform(0.1, 9), 1e-250)


def by_an_element(a, b):
    b -= a / a[:1, :1]
    b /= a / a[:1, :1]
    return b


def test_a_divisor_that_a_round_reads_is_not_read_before() -> None:
    a = np.arange(1.0, 101.0).reshape(10, 10)
    assert np.array_equal(script(by_an_element)(a, a * 3), by_an_element(a, a * 3))
    same, other = a.copy(), a.copy()
    with np.errstate(all="ignore"):
        by_an_element(same, same)
    script(by_an_element)(other, other)
    assert np.array_equal(same, other, equal_nan=True)
