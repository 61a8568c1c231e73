"""Constants that Python calls equal, and that are not one: 0.0 and -0.0, 1 and 1.0 and True."""

# Without annotations the types come from the call.
# pyright: basic

import importlib
import math
import pkgutil
import re
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import scriptc
import scriptc_runtime
from scriptc import script
from scriptc.check.library.standard import standard_function
from scriptc.passes.cse import key_of
from scriptc.passes.decompose import BodyRequest
from scriptc_runtime.bits import bits_of, same_bits
from scriptc_runtime.ir import make
from scriptc_runtime.ops import data
from scriptc_runtime.text.attributes import attr_text
from scriptc_runtime.text.reader import read_module
from scriptc_runtime.text.writer import write_module

NUMBERS: tuple[Any, ...] = (
    *(0, 0.0, -0.0, False, 1, 1.0, True, math.inf, -math.inf, math.nan, None, "0", "0.0", b"0"),
    *(complex(a, b) for a in (0.0, -0.0, 1.0) for b in (0.0, -0.0)),
    *(kind(v) for v in (0.0, -0.0, 1.0) for kind in (np.float64, np.float32, np.float16)),
    *(np.complex128(complex(a, b)) for a in (0.0, -0.0) for b in (0.0, -0.0)),
    *(np.int64(0), np.uint8(0), np.bool_(False), np.complex64(1), np.longdouble(0)),
)
# In these a constant stands inside of something else that is compared.
AROUND: Any = [
    lambda v: v,
    lambda v: (v,),
    lambda v: (1, ("a", v)),
    lambda v: frozenset({v}),
    lambda v: {"value": v},
]
# What a record that is compared by its fields may not hold, unless it is exact.
_HOLDS_CONSTANTS = re.compile(r"\b(float|complex|object|Any|Scalar|Attrs?|Constants?|FieldValue)\b")


@pytest.mark.parametrize("around", AROUND)
def test_constants_are_one_only_where_type_and_bits_are(around: Any) -> None:
    for first, second in combinations(NUMBERS, 2):
        assert not same_bits(around(first), around(second)), (first, second)
    for value in NUMBERS:
        assert same_bits(around(value), around(value))


def test_nan_is_one_constant() -> None:
    assert same_bits(math.nan, -float("nan"))
    assert hash(bits_of((math.nan, 1))) == hash(bits_of((float("nan"), 1)))
    assert same_bits(np.float32("nan"), np.float32("nan"))
    assert not same_bits(complex(math.nan, 0.0), complex(math.nan, -0.0))


def _records() -> Iterator[type]:
    for package in (scriptc_runtime, scriptc):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if found.name.endswith("__main__"):
                continue
            for value in vars(importlib.import_module(found.name)).values():
                is_record = isinstance(value, type) and "__match_args__" in vars(value)
                if is_record and value.__module__ == found.name and "__slots__" in vars(value):
                    yield value


def test_every_record_that_holds_constants_compares_them_exactly() -> None:
    checked = 0
    for found in _records():
        if found.__eq__ is object.__eq__ or found.__eq__ is tuple.__eq__:
            continue
        annotations = vars(found).get("__annotations__", {}).values()
        if _HOLDS_CONSTANTS.search(" ".join(map(str, annotations))):
            checked += 1
            assert found.__eq__.__name__ == "exact_eq", f"{found.__module__}.{found.__name__}"
    assert checked > 10


def test_every_constant_has_a_key_and_a_text_of_its_own() -> None:
    plain = [v for v in NUMBERS if isinstance(v, bool | int | float | complex | str | None)]
    plain = [v for v in plain if not isinstance(v, np.generic)]
    keys = {key_of(make(data.CONST, (), {"value": v})) for v in plain}
    texts = {attr_text(v) for v in plain}
    assert len(keys) == len(texts) == len(plain)


def test_text_keeps_the_bits_of_complex_constants() -> None:
    for a, b in ((0.0, -0.0), (-0.0, 1.0), (math.inf, -0.0), (-0.0, math.nan)):
        text = (
            "func @f() -> complex {\n"
            f"  %0 = const [value={attr_text(complex(a, b))}] : complex\n"
            "  exit @return %0\n}\n"
        )
        read = read_module(text, "x")
        constant = read.functions["f"].body.body[0].attrs["value"]
        assert same_bits(constant, complex(a, b))
        assert read_module(write_module(read), "x").functions


def test_library_functions_are_told_apart_by_the_bits_of_their_constants() -> None:
    values = (0, 0.0, -0.0, False, (0.0,), (-0.0,), 0j, complex(-0.0, 0.0))
    found = {id(standard_function("arrays", "clip", (("X", v),))) for v in values}
    requests = {BodyRequest("arrays", "clip", (), (("X", v),)) for v in values}
    assert len(found) == len(requests) == len(values)


def _complex_zeros():
    return (
        complex(0.0, 1.0),
        complex(-0.0, 1.0),
        1j,
        -complex(-0.0, -1.0),
        complex(0.0, -0.0),
        complex(-0.0, 0.0),
    )


def _zeros(x):
    return math.copysign(x, 0.0), math.copysign(x, -0.0), (0.0, -0.0), (-0.0, 0.0)


def _kinds():
    return 1, 1.0, True, (1, 1.0), (True, 1), 1 + 0j, 0, 0.0, False, -0.0


def _chosen(c):
    p = (0.0, 1) if c else (-0.0, 1)
    q = complex(0.0, 1.0) if c else complex(-0.0, 1.0)
    r = 0.0 if c else -0.0
    return p, q, math.copysign(1.0, r)


def _in_loops(n):
    total = 0.0
    for i in range(n):
        total += math.copysign(1.0, 0.0 if i % 2 else -0.0)
    return total, n * complex(0.0, 1.0), n * complex(-0.0, 1.0)


def _picked(x):
    y = x[np.copysign(x, 0.0) > 0]
    x[np.copysign(x, -0.0) > 0] = 9.0
    return y, x


def _stored(x):
    # The places where it is stored are not those that are picked.
    x[np.copysign(x, -0.0) >= 0] = x[np.copysign(x, 0.0) >= 0][: len(x[np.copysign(x, -0.0) >= 0])]
    return x


def _of_two(a, b):
    return math.copysign(1.0, a), math.copysign(1.0, b), a, b


def _called():
    return _of_two(0.0, -0.0), _of_two(-0.0, 0.0), _of_two(0, 0.0), _of_two(True, 1)


def _array(x):
    return (
        x + complex(0.0, 1.0),
        x + complex(-0.0, 1.0),
        np.copysign(x.real, -0.0),
        x * 0.0,
        x * -0.0,
    )


CALLS: Any = [
    (_complex_zeros, ()),
    (_zeros, (2.0,)),
    (_kinds, ()),
    (_chosen, (True,)),
    (_chosen, (False,)),
    (_in_loops, (5,)),
    (_picked, (np.array([1.0, -1.0, 0.0]),)),
    (_stored, (np.array([1.0, -1.0, 0.0]),)),
    (_called, ()),
    (_array, (np.array([complex(-0.0, -0.0), 1 - 2j]),)),
]


@pytest.mark.parametrize("backend", ["llvm", "interp"])
@pytest.mark.parametrize(("function", "arguments"), CALLS, ids=lambda v: getattr(v, "__name__", ""))
def test_programs_with_such_constants(function: Any, arguments: Any, backend: str) -> None:
    def copies() -> list[Any]:
        return [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]

    expected = function(*copies())
    # As text: equal to Python is not the same.
    assert repr(script(function, backend=backend)(*copies())) == repr(expected)


_OUTSIDE: Any = 0.0


def _outside(x):
    return x * 1, _OUTSIDE, math.copysign(1.0, _OUTSIDE)


@pytest.mark.parametrize("backend", ["llvm", "interp"])
def test_a_global_is_bound_anew_wherever_its_bits_or_its_type_change(
    monkeypatch: pytest.MonkeyPatch, backend: str
) -> None:
    found = script(_outside, backend=backend)
    for value in (0.0, -0.0, 0, False, True, 1, 1.0, math.nan, np.float32(0), np.float32(-0.0)):
        monkeypatch.setattr(f"{__name__}._OUTSIDE", value)
        assert repr(found(3)) == repr(_outside(3))


def _read_in(x, axis: Any = 0):
    return np.sum(x, axis=axis)


def test_deciding_arguments_are_told_apart_by_type() -> None:
    x = np.arange(6.0).reshape(2, 3)
    found = script(_read_in)
    for axis in (0, 1, (0, 1), (0,), -1, None):
        assert repr(found(x, axis)) == repr(_read_in(x, axis))
