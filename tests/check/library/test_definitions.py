"""Library functions that are a `def`: their parameters are the real ones, refusals have a place."""

import importlib.util
import inspect
import math
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from scriptc import ScriptError, script
from scriptc.check.calls import PYTHONS
from scriptc.check.library.definitions import Definition
from scriptc.check.library.readers import reader_of
from scriptc.check.library.standard import annotations_of
from scriptc.check.numpy.table import TABLE
from scriptc.check.python.lists.methods import METHODS
from scriptc.types import M, N, f64
from scriptc_runtime import unsafe

STDLIB = Path(__file__).parents[3] / "stdlib"
# Of functions without a signature, what the documentation of Python says.
DOCUMENTED: Mapping[str, str] = {
    "math.gcd": "(*integers)",
    "math.hypot": "(*coordinates)",
    "math.lcm": "(*integers)",
}
# What a `def` has in another way, and why.
DIFFERENT: Mapping[str, str] = {}


@cache
def stdlib(file: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"stdlib_{file}", STDLIB / f"{file}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _definitions() -> Iterator[tuple[Definition, object]]:
    for function, entry in (*PYTHONS.items(), *TABLE.items()):
        if isinstance(entry, Definition):
            yield entry, function
    for name, method in METHODS.items():
        if isinstance(method, Definition):
            yield method, getattr(list, name)


DEFINITIONS = [pytest.param(entry, live, id=entry.name) for entry, live in _definitions()]


def _real(name: str, live: Any) -> inspect.Signature:
    if name in DOCUMENTED:
        made: dict[str, Any] = {}
        exec(f"def real{DOCUMENTED[name]}: pass", {"inf": math.inf}, made)
        return inspect.signature(made["real"])
    return inspect.signature(live)


def _shape(signature: inspect.Signature) -> list[tuple[str, object, str]]:
    no_value = inspect.signature(np.mean).parameters["keepdims"].default  # for "not given"
    found: list[tuple[str, object, str]] = []
    for parameter in signature.parameters.values():
        # The object of a method stands for itself.
        default = None if parameter.default is no_value else parameter.default
        found.append((parameter.name, parameter.kind, repr(default)))
    return found


@pytest.mark.parametrize(("entry", "live"), DEFINITIONS)
def test_a_definition_has_the_parameters_of_the_real_function(
    entry: Definition, live: object
) -> None:
    function = getattr(stdlib(entry.file), entry.name.rpartition(".")[2])
    own, real = _shape(inspect.signature(function)), _shape(_real(entry.name, live))
    assert (own == real) is not (entry.name in DIFFERENT), (own, real)


@pytest.mark.parametrize(("entry", "live"), DEFINITIONS)
def test_what_the_checker_reads_is_what_python_reads(entry: Definition, live: object) -> None:
    function = getattr(stdlib(entry.file), entry.name.rpartition(".")[2])
    parameters = inspect.signature(function).parameters
    defaults = {n: p.default for n, p in parameters.items() if p.default is not p.empty}
    assert set(entry.names) == set(parameters)
    assert repr(dict(entry.signature.defaults)) == repr(defaults)
    for annotation in annotations_of(entry.function).values():
        reader_of(annotation)


def test_there_are_definitions() -> None:
    assert len(DEFINITIONS) >= 15
    assert set(DIFFERENT) <= {entry.name for entry, _ in _definitions()}


# ---------------------------------------------------------------------------------------- refusals


def apart(x: f64[N, M], y: f64[N]):
    return y[0] + math.dist(y, x)


def test_what_a_live_arm_refuses_is_refused_at_the_argument_of_the_call() -> None:
    with pytest.raises(ScriptError) as caught:
        script(apart)(np.ones((2, 2)), np.ones(2))
    (problem,) = caught.value.diagnostics
    assert problem.code == "argument"
    assert problem.message == (
        "math.dist: q must hold the coordinates of one point, not be f64[N, M]"
    )
    assert problem.span is not None
    assert problem.span.source.file == __file__
    assert problem.span.source.text[problem.span.lo : problem.span.hi] == "x"
    assert problem.instead == "a tuple, a list or an array with one axis"


def test_under_cpython_it_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="not like this"):
        unsafe.refuse("not like this", "another way")


def too_many(x: float) -> bool:
    return math.isclose(x, x, 0.5)  # pyright: ignore[reportCallIssue, reportUnknownVariableType]


def misnamed(x: float) -> bool:
    return math.isclose(x, x, rel=0.5)  # pyright: ignore[reportCallIssue, reportUnknownVariableType]


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (too_many, "math.isclose() takes at most 2 positional arguments, but 3 are given"),
        (misnamed, "math.isclose() has no parameter 'rel'"),
    ],
)
def test_arguments_are_bound_as_those_of_scripts_are(function: Any, message: str) -> None:
    with pytest.raises(ScriptError) as caught:
        script(function)(1.0)
    (problem,) = caught.value.diagnostics
    assert (problem.code, problem.message) == ("call-arity", message)
