"""What a device computes has the bits of machine code, element by element."""

# Without annotations the types come from the call, which is what these functions are about.
# pyright: basic

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from scriptc import prange, script
from scriptc.backends.cuda.emulator import Schedule
from scriptc.backends.llvm.rules import device as rules
from tests.support.device_calls import driver

_RNG = np.random.default_rng(18)


def same_bits(found: Any, expected: Any) -> bool:
    """Whether arrays, or tuples of them, are equal to the bit; NaN is NaN whatever its bits."""
    if isinstance(expected, tuple):
        return len(found) == len(expected) and all(map(same_bits, found, expected))
    found, expected = np.asarray(found), np.asarray(expected)
    if found.dtype != expected.dtype or found.shape != expected.shape:
        return False
    if expected.dtype.kind == "c":
        return same_bits((found.real, found.imag), (expected.real, expected.imag))
    equal = found == expected
    if expected.dtype.kind == "f":
        equal &= np.signbit(found) == np.signbit(expected)
        equal |= np.isnan(found) & np.isnan(expected)
    return bool(equal.all())


def exponentials(x):
    return np.exp(x), np.exp2(x), np.expm1(x), np.sinh(x), np.cosh(x), np.tanh(x)


def logarithms(x):
    return np.log(x), np.log2(x), np.log10(x), np.log1p(x)


def inverses(x):
    return np.arcsinh(x), np.arccosh(x), np.arctanh(x), np.arcsin(x), np.arccos(x), np.arctan(x)


def angles(x):
    return np.sin(x), np.cos(x), np.tan(x)


def roots(x):
    return np.sqrt(x), np.cbrt(x), 1.0 / x, x**2, x**3, x**8, x**0.5, x**-1.0


def rounded(x):
    return np.floor(x), np.ceil(x), np.trunc(x), np.rint(x), np.sign(x), np.abs(x), -x


def of_two(x, y):
    return np.arctan2(x, y), np.hypot(x, y), x**y, np.copysign(x, y), x * y + x


def remainders(x, y):
    return np.fmod(x, y), x % y, x // y, x / y


def of_complex(x, y):
    return x + y, x - y, x * y, x / y, np.abs(x), np.conj(x), -x


def complex_functions(x):
    return np.exp(x), np.log(x), np.log2(x), np.log10(x), np.sqrt(x), np.exp2(x)


def complex_angles(x):
    return np.sin(x), np.cos(x), np.tan(x), np.sinh(x), np.cosh(x), np.tanh(x)


def complex_inverses(x):
    return np.arcsin(x), np.arccos(x), np.arctan(x), np.arcsinh(x), np.arccosh(x), np.arctanh(x)


OF_COMPLEX = (complex_functions, complex_angles, complex_inverses)
OF_ONE = (exponentials, logarithms, inverses, angles, roots, rounded)
OF_TWO = (of_two, remainders)


def hard(dtype: str, count: int = 300) -> Any:
    """Return numbers of every size, and those where functions change their ways."""
    kind = np.dtype(dtype).type(0).real.dtype
    info = np.finfo(kind)
    sizes = np.exp(_RNG.uniform(np.log(float(info.tiny)), np.log(float(info.max)) * 0.99, count))
    numbers = [
        sizes * _RNG.choice([-1.0, 1.0], count),
        _RNG.standard_normal(count) * np.exp(_RNG.standard_normal(count) * 4),
        _RNG.uniform(-1, 1, count),
        1 + _RNG.standard_normal(count) * 1e-6,
        np.arange(-40, 40) * np.pi / 2,
        np.arange(-20, 20) / 2,
    ]
    ends = [0.0, 1.0, float(info.tiny), float(info.smallest_subnormal), float(info.max), np.inf]
    edges = [*ends, 88.8, 104.0, 709.8, 745.2, 2.0**15, 2.0**45, 2.0**63, np.nan]
    with np.errstate(over="ignore"):
        parts = np.concatenate([*numbers, edges, np.negative(edges)]).astype(kind)
    if np.dtype(dtype).kind != "c":
        return parts
    return (_RNG.permutation(parts) + 1j * _RNG.permutation(parts)).astype(dtype)


def calls() -> Iterator[tuple[Callable[..., Any], tuple[Any, ...]]]:
    for dtype in ("f8", "f4", "f2"):
        x = hard(dtype)
        yield from ((function, (x,)) for function in OF_ONE)
        yield from ((function, (x, _RNG.permutation(x))) for function in OF_TWO)
    for dtype in ("c16", "c8"):
        with np.errstate(invalid="ignore"):
            x = hard(dtype)
        yield of_complex, (x, _RNG.permutation(x))
        yield from ((function, (x,)) for function in OF_COMPLEX)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("function", "arguments"), list(calls()), ids=lambda value: getattr(value, "__name__", "")
)
def test_functions_have_the_bits_of_machine_code(
    function: Callable[..., Any], arguments: tuple[Any, ...]
) -> None:
    expected = script(function)(*arguments)
    assert same_bits(script(function, backend="cuda")(*arguments), expected)


def of_rows(x):
    return np.sum(x, axis=-1), np.mean(x * x, axis=-1, keepdims=True), np.var(x, axis=-1)


def of_casts(x):
    return np.sum(x, axis=-1, dtype=np.float64), np.prod(x * 0.01 + 1.0, axis=-1), np.sum(x > 0, -1)


def of_masks(x):
    return np.sum(x, axis=-1, where=x > 0.1), np.nansum(x, axis=-1)


def of_middles(x):
    parts = x.reshape((len(x), -1, 1))
    return np.sum(parts, axis=1), np.mean(parts * 0.3, axis=1)


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def each_row(x):
    totals = np.zeros(len(x), x.dtype)
    for i in range(len(x)):
        totals[i] = np.sum(x[i]) + np.sum(x[i] * x[0])
    return totals


def in_prange(x):
    totals = np.zeros(len(x))
    for i in prange(len(x)):
        total = 0.0
        for j in range(x.shape[1]):
            total += x[i, j]
        totals[i] = total
    return totals


def of_all(x):
    return np.sum(x), np.mean(x), np.sum(x * 0.7 - 0.1), np.prod(x * 0.01 + 1.0)


def in_layouts(a: Any) -> Iterator[Any]:
    yield a
    yield np.asfortranarray(a)
    yield np.repeat(a, 2, -1)[..., ::2]
    yield np.ascontiguousarray(a[..., ::-1])[..., ::-1]


def numbers(shape: tuple[int, ...], dtype: str) -> Any:
    a = _RNG.standard_normal(shape) * np.exp(_RNG.standard_normal(shape))
    return a.astype(dtype)


ROWS = (of_rows, of_casts, of_masks, of_middles, softmax, each_row, in_prange)
LENGTHS = (*range(1, 10), 31, 32, 33, 63, 64, 65, 127, 130, 1000, 1023, 1024, 1025, 2049, 5000)


@pytest.mark.sampled(7)
@pytest.mark.parametrize("dtype", ["f8", "f4"])
@pytest.mark.parametrize("function", ROWS)
def test_sums_of_rows_have_the_bits_of_machine_code(
    function: Callable[..., Any], dtype: str
) -> None:
    machine, device = script(function), script(function, backend="cuda")
    for length in LENGTHS:
        for x in in_layouts(numbers((3, length), dtype)):
            assert same_bits(device(x), machine(x)), (length, x.strides)


@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_sums_of_vectors_have_the_bits_of_machine_code(dtype: str) -> None:
    machine, device = script(of_all), script(of_all, backend="cuda")
    for length in (0, *LENGTHS[::4], 65535, 65536, 65537, 300_001):
        for x in in_layouts(numbers((length,), dtype)):
            assert same_bits(device(x), machine(x)), (length, x.strides)


def of_axes(x):
    e = np.exp(x - x.max(axis=(1, 2), keepdims=True))
    return (
        e / e.sum(axis=(1, 2), keepdims=True),
        np.sum(x, axis=(1, 2)),
        np.prod(x + 1, axis=(1, 2)),
    )


def of_whole(x):
    return np.sum(x), np.mean(x * x), np.sum(np.where(x > 0, x, 0.5 * x))


SHAPES = (5, 6, 7), (40, 50, 60), (3, 4, 1000), (2000, 3, 2), (3, 0, 2), (0, 4, 4), (70, 1, 300)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("dtype", ["f8", "f4"])
@pytest.mark.parametrize("function", [of_axes, of_whole])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_sums_of_several_axes_have_the_bits_of_machine_code(
    function: Callable[..., Any], dtype: str
) -> None:
    machine, device = script(function), script(function, backend="cuda")
    for shape in SHAPES:
        if function is of_axes and 0 in shape:
            continue
        for x in (*in_layouts(numbers(shape, dtype)), numbers(shape, dtype)[:, ::-1]):
            assert same_bits(device(x), machine(x)), (shape, x.strides)


@pytest.mark.parametrize("schedule", Schedule)
@pytest.mark.parametrize("blocks", [8, 1056])  # of a device of one multiprocessor, and of many
def test_neither_schedules_nor_multiprocessors_change_bits(
    schedule: Schedule, blocks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, "MAX_BLOCKS", blocks)
    rows, whole = script(of_rows, backend="cuda"), script(of_all, backend="cuda")
    x, y = numbers((40, 2500), "f4"), numbers((700_001,), "f8")
    driver().play(schedule)
    try:
        found = rows(x), whole(y)
    finally:
        driver().play(Schedule.FORWARD)
    assert same_bits(found, (script(of_rows)(x), script(of_all)(y)))
