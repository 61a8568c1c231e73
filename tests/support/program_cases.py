"""The programs of tests/programs with their calls, and what each way to run one makes of a call."""

import contextlib
import copy
import importlib
import io
import re
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import FunctionType
from typing import Any, cast

import numpy as np

from scriptc import script
from scriptc.check.checked import CheckedProgram
from scriptc.check.live_values import type_of
from scriptc.check.program import check_program
from scriptc.check.roots import Root
from scriptc.lower.program import lower_program
from scriptc.specialise.arguments import is_open
from scriptc.specialise.interpreted import interpreted as converted
from scriptc.values.kinds import Parameter, classes_in, key_of
from scriptc.values.outside_places import ObjectField, OutsidePlace
from scriptc_runtime.containers import container_of, is_container, plain_of
from scriptc_runtime.interp.interpreter import Interpreter
from scriptc_runtime.ir import Module
from scriptc_runtime.raised_objects import leaving, made
from scriptc_runtime.records import fields_opened
from scriptc_runtime.types import Container, Type, holds_container
from scriptc_runtime.values import EXCEPTION_FIELD, Instance
from scriptc_runtime.verify.module import verify
from tests.programs import Case
from tests.support.guarded import guarded
from tests.support.outcomes import freeze, lineage

FOLDER = Path(__file__).parents[1] / "programs"
Outcome = tuple[object, ...]
# Messages are CPython's of one version.
SAME_MESSAGES = sys.version_info[:2] == (3, 11)
# `fail` has no room for all the sizes that NumPy's message lists.
SIZES = re.compile(r"( with shapes| with remapped shapes| input array).*")


@dataclass(frozen=True, slots=True)
class Program:
    """A function of tests/programs, and the arguments of its calls."""

    name: str
    function: Callable[..., Any]
    calls: Sequence[tuple[Any, ...]]

    @property
    def is_about_arrays(self) -> bool:
        """Whether loops of it can be shared among threads."""
        arrays = (isinstance(a, np.ndarray) for arguments in self.calls for a in arguments)
        return "np" in as_function(self.function).__code__.co_names or any(arrays)


@dataclass(frozen=True, slots=True)
class _Lowered:
    """Core IR with the function that is called, and the arguments that no call gives.

    `named` are the enumerations and the classes of named tuples.
    """

    module: Module
    name: str
    rest: Sequence[object]
    params: Sequence[Parameter]
    named: Mapping[str, type]


def as_function(function: Callable[..., Any]) -> FunctionType:
    """Return a callable of tests/programs as what it is: type checkers bind fields of its type."""
    return cast("FunctionType", function)


def _programs(name: str) -> Iterator[Program]:
    for path in sorted(FOLDER.glob("*.py")):
        module = importlib.import_module(f"tests.programs.{path.stem}")
        cases: Sequence[Case] = getattr(module, name, ())
        for function, calls in cases:
            yield Program(f"{path.stem}.{function.__name__}", function, calls)


PROGRAMS = list(_programs("CASES"))
# Programs in which a literal takes another type: what they print of it differs.
MERGED = list(_programs("MERGED"))


def outcome(call: Callable[..., object], arguments: tuple[Any, ...]) -> Outcome:
    """Return what a call returns or raises, prints, and leaves in its arguments."""
    given = guarded(copy.deepcopy(arguments))
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), np.errstate(all="ignore"):
        try:
            ended: Outcome = ("returned", frozen(call(*given)))
        except Exception as error:
            message = SIZES.sub(r"\1", str(error)) if SAME_MESSAGES else ""
            ended = ("raised", lineage(error), message)
    return (*ended, printed.getvalue(), *map(frozen, given))


def frozen(value: object) -> object:
    """Return a value in a form to compare: instances by the values of their fields."""
    if isinstance(value, Instance):
        return {name: frozen(field) for name, field in value.fields.items()}
    return freeze(value)


@lru_cache(maxsize=1)  # the calls of a program come one after the other; its code is freed then
def scripted(function: Callable[..., Any]) -> Callable[..., object]:
    """Return the same script for all calls, so that its specialisations take turns."""
    return script(function, backend="llvm")


def checked(function: Callable[..., Any], arguments: tuple[Any, ...]) -> CheckedProgram:
    """Return the program of a function that is called with these arguments."""
    plain = as_function(function)
    return check_program([Root(plain, _types(plain, arguments), classes=_classes(arguments))])


def call_types(program: Program, arguments: tuple[Any, ...]) -> list[Type | None]:
    """Return the types by which a call finds its machine code; None stands for a default's."""
    return _types(as_function(program.function), arguments)


def interpreted(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Callable[..., object]:
    """Return the function as the interpreter runs it for arguments of these types."""
    plain = as_function(function)
    types = tuple(_types(plain, arguments))
    lowered = _lowered(plain, types, len(arguments), _classes(arguments))
    module, name, rest = lowered.module, lowered.name, [*map(_held, lowered.rest)]

    def made_of(owner: Instance, base: BaseException) -> BaseException:
        shown = {n: _seen(v) for n, v in owner.fields.items() if n != EXCEPTION_FIELD}
        return made(plain.__globals__[owner.class_name], base, shown, _given)

    def call(*given: object) -> object:
        run = leaving(Interpreter(module).call, made_of, _given)
        return _seen(run(name, [*map(_held, given), *rest]))

    def call_of_converted(*given: object) -> object:
        interpreter = leaving(Interpreter(module).call, made_of, _given)
        run = converted(
            name,
            lambda values: interpreter(name, values),
            lowered.params,
            module.functions[name].result,
            {},
            lowered.named,
        )
        return run([*fields_opened(given), *lowered.rest])

    whole = lowered.named or any(holds_container(p.type) for p in lowered.params)
    return call_of_converted if whole else call


def _given(type_: Type, value: object) -> object:
    """Return what Python sees of a value that an exception holds."""
    return _seen(value)


def _classes(arguments: tuple[Any, ...]) -> tuple[type, ...]:
    """Return the classes of the user's that arguments are of."""
    given = fields_opened(arguments)
    return tuple(dict.fromkeys(cls for a in given for cls in classes_in(key_of(a))))


def _held(value: object) -> object:
    """Return an argument as the interpreter has it: dicts are entries there."""
    is_held = isinstance(value, dict | set | frozenset | deque) and len(cast("Sized", value)) > 0
    value = cast(object, value)
    type_ = type_of(value) if is_held else None
    if isinstance(type_, Container):
        return container_of(type_, value, lambda _, part: _held(part))
    return value


def _seen(value: Any) -> object:
    """Return a result as Python has it."""
    if isinstance(value, Instance) and is_container(value):
        return plain_of(value, _seen)
    if isinstance(value, list):
        return list(map(_seen, cast("list[object]", value)))
    if isinstance(value, tuple):
        return tuple(map(_seen, cast("tuple[object, ...]", value)))
    return cast(object, value)


def _types(function: FunctionType, arguments: tuple[Any, ...]) -> list[Type | None]:
    names = function.__code__.co_varnames
    types = [
        None
        if not is_open(function, n)
        and (isinstance(a, float | int | None) or _is_empty(a) or _is_of_any_size(function, n))
        and type(a) is not np.float64
        else type_of(a)
        for n, a in zip(names, fields_opened(arguments), strict=False)
    ]
    count = function.__code__.co_argcount + function.__code__.co_kwonlyargcount
    return [*types, *[None] * (count - len(types))]


def _is_of_any_size(function: FunctionType, name: str) -> bool:
    """Whether the annotation of a parameter has to say that ints are of any size: no value does."""
    return "bigint" in repr(function.__annotations__.get(name))


def _is_empty(value: object) -> bool:
    return type(value) in (list, dict, set) and not value


def _current(captured: object) -> object:
    """Return what a call is handed of what is captured."""
    if isinstance(captured, OutsidePlace):
        return [captured.current]
    return captured.current if isinstance(captured, ObjectField) else captured


@lru_cache(maxsize=8)
def _lowered(
    function: FunctionType,
    types: tuple[Type | None, ...],
    given: int,
    classes: tuple[type, ...],
) -> _Lowered:
    program = check_program([Root(function, types, classes=classes)])
    module = lower_program(program)
    verify(module)
    root = program.functions[program.roots[0]]
    missing = len(root.params) - given
    defaults = function.__defaults__ or ()
    rest = defaults[len(defaults) - missing :] if missing else ()
    params = [Parameter(p.name, p.type) for p in (*root.params, *root.captures)]
    captured = (c.value for c in root.captures)
    held = map(_current, captured)
    others = [*rest, *held]
    return _Lowered(module, root.name, others, params, program.named)
