"""Every program of tests/programs does in the interpreter what it does in CPython."""

import contextlib
import copy
import importlib
import io
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pytest

from scriptc.check.checked import CheckedProgram
from scriptc.check.live_values import type_of
from scriptc.check.program import Root, check_program
from scriptc.lower.program import lower_program
from scriptc.specialise.parameter_types import is_open
from scriptc_runtime.interp.interpreter import Interpreter
from scriptc_runtime.values import Instance
from scriptc_runtime.verify.module import verify
from tests.guarded import guarded
from tests.outcomes import freeze
from tests.programs import Case

FOLDER = Path(__file__).parent / "programs"
Outcome = tuple[object, ...]


def _cases(name: str) -> Iterator[tuple[str, Callable[..., Any], tuple[Any, ...]]]:
    for path in sorted(FOLDER.glob("*.py")):
        module = importlib.import_module(f"tests.programs.{path.stem}")
        cases: Sequence[Case] = getattr(module, name, ())
        for function, calls in cases:
            for number, arguments in enumerate(calls):
                yield f"{path.stem}.{function.__name__}-{number}", function, arguments


CASES = list(_cases("CASES"))
MERGED = list(_cases("MERGED"))
# Messages are CPython's of one version.
SAME_MESSAGES = sys.version_info[:2] == (3, 11)
# `fail` has no room for all the sizes that NumPy's message lists.
SIZES = re.compile(r"( with shapes| with remapped shapes| input array).*")


def outcome(call: Callable[..., object], arguments: tuple[Any, ...]) -> Outcome:
    """Return what a call returns or raises, prints, and leaves in its arguments."""
    given = guarded(copy.deepcopy(arguments))
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), np.errstate(all="ignore"):
        try:
            ended: Outcome = ("returned", frozen(call(*given)))
        except Exception as error:
            message = SIZES.sub(r"\1", str(error)) if SAME_MESSAGES else ""
            ended = ("raised", type(error).__name__, message)
    return (*ended, printed.getvalue(), *map(frozen, given))


def frozen(value: object) -> object:
    """Return a value in a form to compare: instances by the values of their fields."""
    if isinstance(value, Instance):
        return {name: frozen(field) for name, field in value.fields.items()}
    return freeze(value)


def checked(function: FunctionType, arguments: tuple[Any, ...]) -> CheckedProgram:
    """Return the program of a function that is called with these arguments."""
    names = function.__code__.co_varnames
    types = [
        None
        if not is_open(function, n)
        and isinstance(a, float | int | None)
        and type(a) is not np.float64
        else type_of(a)
        for n, a in zip(names, arguments, strict=False)
    ]
    count = function.__code__.co_argcount + function.__code__.co_kwonlyargcount
    return check_program([Root(function, [*types, *[None] * (count - len(types))])])


def interpreted(function: FunctionType, arguments: tuple[Any, ...]) -> Callable[..., object]:
    """Return the function as the interpreter runs it for arguments of these types."""
    program = checked(function, arguments)
    module = lower_program(program)
    verify(module)
    root = program.functions[program.roots[0]]
    missing = len(root.params) - len(arguments)
    defaults = function.__defaults__ or ()
    rest = defaults[len(defaults) - missing :] if missing else ()
    captured = [c.value for c in root.captures]
    return lambda *given: Interpreter(module).call(root.name, [*given, *rest, *captured])


@pytest.mark.parametrize(("name", "function", "arguments"), CASES, ids=[c[0] for c in CASES])
def test_the_interpreter_does_what_cpython_does(
    name: str, function: FunctionType, arguments: tuple[Any, ...]
) -> None:
    run = interpreted(function, arguments)
    assert outcome(run, arguments) == outcome(function, arguments)


@pytest.mark.parametrize(("name", "function", "arguments"), MERGED, ids=[c[0] for c in MERGED])
def test_a_literal_that_takes_another_type_keeps_its_value(
    name: str, function: FunctionType, arguments: tuple[Any, ...]
) -> None:
    run = interpreted(function, arguments)
    assert run(*arguments) == function(*arguments)


def test_there_are_many_programs() -> None:
    assert len({function for _, function, _ in CASES}) >= 100
