"""Runs functions of IR as machine code, through their entries, and in the interpreter."""

import copy
import ctypes
import inspect
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, cast

import numpy as np

from scriptc.backends.llvm.backend import compile_module
from scriptc.backends.llvm.entry.entry import EntrySpec, ParameterSpec
from scriptc.backends.llvm.loading import elfload, symbols
from scriptc.backends.llvm.loading.callable import (
    CallableBody,
    install,
    make_callable_type,
    prepare,
)
from scriptc.backends.llvm.loading.machine_code import SupportCode, load_compiled
from scriptc.backends.llvm.support import assemble
from scriptc.cache.support_code import part_object
from scriptc_runtime.interp.interpreter import Interpreter
from scriptc_runtime.ir import Block, ClassDecl, Function, Module
from scriptc_runtime.ops.opdef import Level
from scriptc_runtime.record import replace
from scriptc_runtime.verify.module import verify

Native = Any  # what is called from tests has any arguments and any result


class SlowPathTaken(Exception):
    """No compiled code took the arguments."""


@cache
def callable_type() -> type[CallableBody]:
    return make_callable_type("TestFunction", CallableBody)


@cache
def loaded_support() -> Mapping[str, int]:
    code = elfload.load(assemble.support_object(callable_type()), symbols.resolve)
    return SupportCode(code, part_object)


def live_blocks() -> int:
    return ctypes.c_int64.from_address(loaded_support()["sc_live_blocks"]).value


def refuse(*args: object, **kwargs: object) -> object:
    raise SlowPathTaken(args)


def spec_of(function: Function, writes: Sequence[str] = (), converts: bool = False) -> EntrySpec:
    return EntrySpec(
        function.name,
        tuple(
            ParameterSpec(p.name, p.type, writes=p.name in writes, converts=converts)
            for p in function.params
        ),
    )


def natives(
    functions: Sequence[Function],
    *,
    writes: Sequence[str] = (),
    converts: bool = False,
    classes: Mapping[str, ClassDecl] | None = None,
    objects: Mapping[str, object] | None = None,
    check: bool = True,
) -> dict[str, Native]:
    """Compile functions into one object and return a Python callable for each."""
    # A body has no parameters of its own: those of the function are borrowed.
    functions = [replace(f, body=Block((), f.body.body)) for f in functions]
    module = Module({f.name: f for f in functions}, classes or {})
    if check:
        verify(module, level=Level.LOW)
    specs = [spec_of(f, writes, converts) for f in functions]
    loaded = load_compiled(compile_module(module, specs), loaded_support(), objects)
    result: dict[str, Native] = {}
    for index, function in enumerate(functions):
        instance = callable_type()(_named(function.name), refuse)
        parameters = [
            inspect.Parameter(p.name, inspect.Parameter.POSITIONAL_OR_KEYWORD)
            for p in function.params
        ]
        prepare(instance, refuse, parameters, loaded_support())
        loaded.connect(index, callable_type(), 0)
        install(instance, 0, loaded.addresses[index])
        instance.__dict__["held"] = loaded
        result[function.name] = instance
    return result


def native(function: Function, **options: Any) -> Native:
    return natives([function], **options)[function.name]


def _named(name: str) -> Any:
    def placeholder() -> None: ...

    placeholder.__name__ = name
    return placeholder


def outcome(function: Any, *args: object) -> tuple[object, ...]:
    """Return the type and bits of a result, or the class and message of an exception."""
    try:
        result = function(*args)
    except Exception as error:
        return ("raised", type(error), str(error))
    return described(result)


def described(value: object) -> tuple[object, ...]:
    match value:
        case float() if value != value:
            return (type(value), "nan")
        case np.floating() if value != value:
            return (type(value), "nan")
        case np.ndarray():
            array = cast("np.ndarray[Any, Any]", value)
            return (array.dtype, array.shape, repr(array.tolist()))
        case tuple() | list():
            items = cast("tuple[object, ...]", value)
            return (type(items), *map(described, items))
        case _:
            return (type(value), repr(value))


def interpreted(function: Function, *args: object, module: Module | None = None) -> Any:
    module = module or Module({function.name: function})
    return Interpreter(module).call(function.name, copy.deepcopy(args))
