"""The programs that the benchmark of whole arrays runs give what NumPy gives, whoever runs them.

Sums, products and functions such as `exp` are within their bounds, and the rest is equal. Machine
code runs with one thread, and with loops that threads share however short they are.
"""

import ast
import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from scriptc import script
from tests.benchmarks.array_programs import suite
from tests.benchmarks.array_programs.program import Program
from tests.benchmarks.array_programs.suite import PROGRAMS
from tests.benchmarks.bytes_moved import moved
from tests.support.outcomes import freeze
from tests.support.support_code import pool

# Relative to the greatest element of a result.
BOUNDS = {"float64": 1e-12, "float32": 2e-5}
CACHE = 1 << 20
JAX_FORMS = Path(suite.__file__).with_name("jax_forms.py")


def arguments(program: Program) -> tuple[Any, ...]:
    return program.inputs("tiny", np.random.default_rng(1))


def results(value: object) -> Sequence[object]:
    return cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,)


def assert_alike(found: object, wanted: object) -> None:
    for ours, theirs in zip(results(found), results(wanted), strict=True):
        assert type(ours) is type(theirs)
        mine, other = np.asarray(ours), np.asarray(theirs)
        assert (mine.dtype, mine.shape) == (other.dtype, other.shape)
        if mine.dtype.kind == "f":
            bound = BOUNDS[mine.dtype.name] * np.max(np.abs(other))
            np.testing.assert_allclose(mine, other, rtol=0.0, atol=bound)
        else:
            np.testing.assert_array_equal(mine, other)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_the_interpreter_gives_what_numpy_gives(program: Program) -> None:
    given = arguments(program)
    before = freeze(given)
    assert_alike(script(program.function, backend="interp")(*given), program.function(*given))
    assert freeze(given) == before


@pytest.mark.sampled(2)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_machine_code_gives_what_numpy_gives(program: Program) -> None:
    given = arguments(program)
    wanted, before = program.function(*given), freeze(given)
    compiled = cast("Callable[..., object]", script(program.function, backend="llvm"))
    alone = compiled(*given)
    assert_alike(alone, wanted)
    with pool(2, everything=True):
        shared = compiled(*given)
    assert freeze(shared) == freeze(alone)
    assert freeze(given) == before


def test_there_are_forty_programs_with_names_of_their_own() -> None:
    assert len({program.name for program in PROGRAMS}) == len(PROGRAMS) == 40


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_small_arguments_fit_into_a_cache(program: Program) -> None:
    small = program.inputs("small", np.random.default_rng(1))
    assert sum(np.asarray(argument).nbytes for argument in small) < CACHE
    assert program.large > 4 * program.small


def test_a_form_for_jax_has_the_name_and_parameters_of_its_program() -> None:
    """JAX is not installed here: what it computes is compared by the benchmark."""
    tree = ast.parse(JAX_FORMS.read_text(encoding="utf-8"))
    forms = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    assert forms
    for form in forms:
        parameters = inspect.signature(suite.program(form.name).function).parameters
        assert [argument.arg for argument in form.args.args] == list(parameters)


def test_annotations_stand_in_about_half_of_the_programs() -> None:
    annotated = sum(bool(program.function.__annotations__) for program in PROGRAMS)
    assert 15 <= annotated <= 25


def scaled(x: Any, y: Any) -> Any:
    return np.exp(np.concatenate((x * 2.0, y)))


def columns(x: Any, y: Any) -> Any:
    return np.stack((x, y[:16]), axis=1)


@pytest.mark.parametrize(
    ("function", "moved_bytes", "least"),
    [
        (scaled, 2 * (128 + 256), 2 * (128 + 256)),
        (columns, 2 * 256, 2 * 256),
    ],
)
def test_bytes_are_counted_once_in_each_kernel(
    function: Callable[..., Any], moved_bytes: int, least: int
) -> None:
    found = moved("f", function, (np.arange(16.0), np.arange(32.0)))
    assert (found.moved, found.least) == (moved_bytes, least)
