"""The standard library: functions of stdlib/, checked and lowered for the types that need them.

The files are read as text and compiled like a user's functions.  Nothing in them is executed:
a function object is made from its code, with the globals that its file would have.
"""

import linecache
from collections.abc import Mapping
from functools import cache, lru_cache
from types import CodeType, FunctionType

import numpy as np

from scriptc import resources
from scriptc.check.program import Root, check_program
from scriptc.lower.program import lower_program
from scriptc.passes.decompose import LIBRARY_PREFIX, BodyRequest
from scriptc_runtime import unsafe
from scriptc_runtime.ir import Block, Function, Instr, Module
from scriptc_runtime.ops import control
from scriptc_runtime.record import replace

_FILES = "<stdlib/"


def is_library_file(file: str) -> bool:
    """Whether a place in this file is one of the standard library, which users do not see."""
    return file.startswith(_FILES)


class StandardLibrary:
    """The bodies that one compilation asked for; see `passes.decompose.Library`."""

    def __init__(self) -> None:
        self._bodies: dict[BodyRequest, tuple[str, Mapping[str, Function]]] = {}

    def body(self, request: BodyRequest) -> tuple[str, Mapping[str, Function]]:
        """Return the name of the function and all functions it needs, itself included."""
        if request not in self._bodies:
            self._bodies[request] = self._compile(request, len(self._bodies))
        return self._bodies[request]

    def _compile(self, request: BodyRequest, number: int) -> tuple[str, Mapping[str, Function]]:
        module = _lowered(request)
        names = {name: f"{LIBRARY_PREFIX}{name}.{number}" for name in module.functions}
        functions = {names[n]: _renamed(f, names) for n, f in module.functions.items()}
        return names[next(iter(module.functions))], functions


# Most programs ask for the same few bodies.
@lru_cache(maxsize=256)
def _lowered(request: BodyRequest) -> Module:
    return lower_program(check_program([Root(_live_function(request), request.types)]))


def _live_function(request: BodyRequest) -> FunctionType:
    """Return the function with its constants bound, and the others of its file beside it."""
    file = f"{_FILES}{request.file}.py>"
    namespace: dict[str, object] = {
        "__name__": f"{LIBRARY_PREFIX}{request.file}",
        "__builtins__": __builtins__,
        "np": np,
        "unsafe": unsafe,
        **dict(request.constants),
    }
    for code in _function_codes(request.file, file):
        namespace[code.co_name] = FunctionType(code, namespace)
    function = namespace[request.function]
    assert isinstance(function, FunctionType)
    return function


@cache
def _function_codes(name: str, file: str) -> tuple[CodeType, ...]:
    text = resources.read_text("stdlib", f"{name}.py")
    # Where tracebacks and the parser look for the text of a file that is not on the disk.
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    module = compile(text, file, "exec", dont_inherit=True)
    return tuple(c for c in module.co_consts if isinstance(c, CodeType))


def _renamed(function: Function, names: Mapping[str, str]) -> Function:
    body = _renamed_block(function.body, names)
    return replace(function, name=names[function.name], body=body)


def _renamed_block(block: Block, names: Mapping[str, str]) -> Block:
    return Block(block.params, tuple(_renamed_instr(i, names) for i in block.body))


def _renamed_instr(instr: Instr, names: Mapping[str, str]) -> Instr:
    if instr.op is control.CALL:
        attrs = {**instr.attrs, "callee": names[str(instr.attrs["callee"])]}
        return replace(instr, attrs=attrs)
    if instr.blocks:
        return replace(instr, blocks=tuple(_renamed_block(b, names) for b in instr.blocks))
    return instr
