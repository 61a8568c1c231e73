"""Lambdas as scripts, and as functions that scripts call."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from scriptc import script
from scriptc_runtime.errors import TypeCheckError

# What is given comes from the calls; a lambda with a name is what is tested.
# pyright: basic
# ruff: noqa: E731

half = lambda x: x / 2
one_more, doubled = script(lambda x: x + 1.0), script(lambda x: x * 2.0)
size, above = script(lambda x: x if x > 0 else -x), script(lambda x: x if x > 1 else 1)
by_three, by_four = (lambda x, k=3: x * k), (lambda x, k=4: x * k)


def uses(x):
    return half(x) + by_three(x) * 10 + by_four(x, k=5) * 100


def shifted(f: Callable[[Any], Any]) -> Callable[..., Any]:
    return script(lambda x: f(x) + 1)


@pytest.mark.parametrize("backend", ["llvm", "interp"])
def test_lambdas_are_compiled_with_the_script(backend: str, monkeypatch: Any) -> None:
    scripted = script(uses, backend=backend)
    assert scripted(3) == uses(3)
    np.testing.assert_array_equal(scripted(np.arange(3)), uses(np.arange(3)))
    monkeypatch.setattr("tests.check.test_closures.half", lambda x: x * 7)
    assert scripted(3) == uses(3)


def test_lambdas_of_one_line_are_told_apart() -> None:
    assert [size(-3), above(-3), size(5), above(5)] == [3, 1, 5, 5]
    assert one_more(3.0) == 4.0
    assert doubled(3.0) == 6.0


def test_a_function_around_a_script_gives_it_functions() -> None:
    assert shifted(lambda x: x * 5)(2) == 11
    assert shifted(script(uses))(2) == uses(2) + 1
    assert shifted(np.sqrt)(4.0) == 3.0
    each = [script(lambda x, k=k: x + k) for k in range(3)]
    assert [f(1) for f in each] == [1, 2, 3]


def test_a_function_as_an_argument_is_compiled_into_the_script() -> None:
    apply = script(lambda f, x: f(x))
    for function in (uses, script(uses), np.sqrt, half):
        assert apply(function, 2.0) == function(2.0)


def test_a_method_as_an_argument_is_refused_with_the_way_out() -> None:
    apply = script(lambda f, x: f(x))
    with pytest.raises(TypeCheckError, match=r"'f' .* is a function .*\n.*\n.*def make\(f\)"):
        apply(np.arange(3).repeat, 2)


def test_functions_that_are_made_for_each_call_share_their_code() -> None:
    @script
    def applied(f, x):
        return f(x) + 1.0

    for i in range(100):
        assert applied(lambda y: 2.0 * y, float(i)) == 2.0 * i + 1.0
    assert len(applied.seen) == 1
    assert len(applied._records) < 100
    assert len(applied._older) == 1
