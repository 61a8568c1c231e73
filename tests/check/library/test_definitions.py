"""Library functions that are a `def`: their parameters are the real ones, refusals have a place."""

import importlib.util
import inspect
import math
import traceback
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from scriptc import ScriptError, script
from scriptc.check.library.definitions import Definition
from scriptc.check.library.readers import reader_of
from scriptc.check.library.standard import annotations_of
from scriptc.check.numpy.table import TABLE
from scriptc.check.python.lists.methods import METHODS
from scriptc.check.python.table import TABLE as PYTHONS
from scriptc.types import M, N, f64
from scriptc_runtime import unsafe

STDLIB = Path(__file__).parents[3] / "stdlib"
# Of functions without a signature, what the documentation of Python says.
DOCUMENTED: Mapping[str, str] = {
    **{
        f"time.{name}{unit}": "()"
        for name in ("monotonic", "perf_counter", "process_time", "time")
        for unit in ("", "_ns")
    },
    "time.sleep": "(secs, /)",
    "math.gcd": "(*integers)",
    "math.hypot": "(*coordinates)",
    "math.lcm": "(*integers)",
    **{
        f"{cls}.{name}": "(self, sub, start=None, end=None, /)"
        for cls in ("str", "bytes")
        for name in ("count", "find", "index", "rfind", "rindex")
    },
    **dict.fromkeys(
        ("str.startswith", "bytes.startswith"), "(self, prefix, start=None, end=None, /)"
    ),
    **dict.fromkeys(("str.endswith", "bytes.endswith"), "(self, suffix, start=None, end=None, /)"),
    "str.maketrans": "(x, y=None, z=None, /)",
    "bytes.hex": "(self, sep=None, bytes_per_sep=1)",
    **dict.fromkeys(
        (
            f"bytes.{name}"
            for name in (
                *("capitalize", "isalnum", "isalpha", "isascii", "isdigit", "islower", "isspace"),
                *("istitle", "isupper", "lower", "swapcase", "title", "upper"),
            )
        ),
        "(self, /)",
    ),
}
# Parameters of the real function that are not built. What stands behind one goes by name alone.
NOT_BUILT: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("np.nansum", "np.nanprod"), ("dtype", "out", "initial", "where")),
    **dict.fromkeys(("np.nanmax", "np.nanmin"), ("out", "initial", "where")),
    "np.nanmean": ("dtype", "out", "where"),
    "random.choices": ("cum_weights",),
    "random.sample": ("counts",),
    "random.seed": ("version",),
    **dict.fromkeys(("np.nanvar", "np.nanstd"), ("dtype", "out", "where", "mean", "correction")),
}


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


def _built(real: inspect.Signature, left_out: tuple[str, ...]) -> Iterator[inspect.Parameter]:
    """Yield the parameters of the real function that scripts have."""
    no_value = inspect.signature(np.mean).parameters["keepdims"].default  # False, where not given
    behind = False
    for parameter in real.parameters.values():
        if parameter.name in left_out:
            behind = True
            continue
        if parameter.default is no_value:
            parameter = parameter.replace(default=False)
        by_name = behind and parameter.kind is parameter.POSITIONAL_OR_KEYWORD
        yield parameter.replace(kind=parameter.KEYWORD_ONLY) if by_name else parameter


def _shown(parameters: Iterable[inspect.Parameter]) -> list[tuple[str, str, str]]:
    return [(p.name, p.kind.name, repr(p.default)) for p in parameters]


@pytest.mark.parametrize(("entry", "live"), DEFINITIONS)
def test_a_definition_has_the_parameters_of_the_real_function(
    entry: Definition, live: object
) -> None:
    function = getattr(stdlib(entry.file), entry.name.rpartition(".")[2])
    own = inspect.signature(function).parameters.values()
    real = _built(_real(entry.name, live), NOT_BUILT.get(entry.name, ()))
    assert _shown(own) == _shown(real)


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
    assert len(DEFINITIONS) >= 30
    assert NOT_BUILT.keys() <= {entry.name for entry, _ in _definitions()}


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


def power(x: float, y: float) -> float:
    return 1.0 + math.pow(x, y)


@pytest.mark.parametrize(
    ("x", "y", "kind"),
    [(-1.0, 0.5, ValueError), (0.0, -1.0, ValueError), (9.0, 1e9, OverflowError)],
)
def test_what_a_definition_raises_is_raised_by_the_line_of_the_user(
    x: float, y: float, kind: type[Exception]
) -> None:
    with pytest.raises(kind, match=r"math (domain|range) error") as caught:
        script(power)(x, y)
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert {frame.filename for frame in frames} == {__file__}
    assert frames[-1].line == "return 1.0 + math.pow(x, y)"


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
