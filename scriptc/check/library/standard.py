"""Functions of the standard library as live functions: what `stdlib/` says, ready to be checked.

The files are read as text, and of that only the functions that a program calls are parsed. Nothing
in them is executed: a function object has the globals of its file, and code that nothing runs.
"""

import heapq
import linecache
import math
import re
import struct
from collections import Counter
from collections.abc import Mapping
from functools import cache, lru_cache
from types import CodeType, FunctionType

import numpy as np

from scriptc import resources
from scriptc.parallel import prange
from scriptc.syntax import nodes as n
from scriptc.syntax.lexer import tokenize_definition
from scriptc.syntax.parser import parse_tokens
from scriptc_runtime import unsafe
from scriptc_runtime.errors import Source
from scriptc_runtime.ops.opdef import Attr
from scriptc_runtime.record import record

_FILES = "<stdlib/"
_TAKING_ONE = (f"{_FILES}iterators.py>", f"{_FILES}generators.py>")
_DEFINITION = re.compile(r"^def (\w+)", re.MULTILINE)
# Annotations of parameters for whose values a body is checked.
_CONSTANTS = ("unsafe.Flag", "unsafe.Whole", "unsafe.Axis", "unsafe.Out")
# What is bound by name: a constant, or a function or a class that the body calls.
Constant = Attr | np.ufunc | type
Constants = tuple[tuple[str, Constant], ...]


def is_library_file(file: str) -> bool:
    """Whether a place in this file is one of the standard library, which users do not see."""
    return file.startswith(_FILES)


def is_standard(function: FunctionType) -> bool:
    """Whether a live function is one of the standard library."""
    return is_library_file(function.__code__.co_filename)


def takes_all(function: FunctionType) -> bool:
    """Whether a function takes all items of an argument at once; iterators do not."""
    return is_standard(function) and function.__code__.co_filename not in _TAKING_ONE


@record(exact=True)
class _File:
    """A file of `stdlib/`, with constants of its module bound by name."""

    name: str
    constants: Constants


def standard_function(file: str, name: str, constants: Constants = ()) -> FunctionType:
    """Return a function of `stdlib/FILE.py` with constants of its module bound by name.

    It is one object for one request: functions are specialised by identity.
    """
    function = _namespace(_File(file, constants))[name]
    assert isinstance(function, FunctionType)
    return function


def standard_functions(file: str) -> dict[str, FunctionType]:
    """Return all functions of `stdlib/FILE.py`, by name."""
    namespace = _namespace(_File(file, ()))
    return {name: value for name, value in namespace.items() if isinstance(value, FunctionType)}


def standard_definition(function: FunctionType) -> tuple[Source, n.FunctionDef]:
    """Return the file and the definition of a function of the standard library."""
    code = function.__code__
    return _definition(code.co_filename, code.co_name, code.co_firstlineno)


def standard_defaults(function: FunctionType) -> dict[str, object]:
    """Return the defaults of the parameters of a function, by name."""
    args = standard_definition(function)[1].args
    placed = (*args.posonlyargs, *args.args)
    last = placed[len(placed) - len(args.defaults) :]
    found = {a.arg: _value(default) for a, default in zip(last, args.defaults, strict=True)}
    named = zip(args.kwonlyargs, args.kw_defaults, strict=True)
    return found | {a.arg: _value(default) for a, default in named if default}


def annotations_of(function: FunctionType) -> Mapping[str, str]:
    """Return the annotation of each parameter, "" where there is none."""
    source, node = standard_definition(function)
    args = node.args
    found: dict[str, str] = {}
    for a in (*args.posonlyargs, *args.args, *args.kwonlyargs, *filter(None, (args.vararg,))):
        found[a.arg] = source.text[a.annotation.lo : a.annotation.hi] if a.annotation else ""
    return found


@cache
def constant_parameters(function: FunctionType) -> frozenset[str]:
    """Return the parameters of a function of the standard library that stand for constants."""
    if function.__globals__.get(function.__name__) is not function:
        return frozenset()  # it is a function inside of another one
    written = annotations_of(function)
    return frozenset(name for name, annotation in written.items() if annotation in _CONSTANTS)


def _value(default: n.Expression) -> object:
    """Return a default, which is a constant, or a tuple of such."""
    match default:
        case n.Constant(value=value):
            return value
        case n.UnaryOp(op="-", operand=n.Constant(value=int() | float() as value)):
            return -value
        case n.Tuple(elts=items):
            return tuple(map(_value, items))
        case _:
            raise AssertionError("a default in the standard library is no constant")


# One for all functions of a file, so that what two of them call is one function.
@lru_cache(maxsize=256)
def _namespace(asked: _File) -> dict[str, object]:
    namespace: dict[str, object] = {
        "__name__": f"stdlib.{asked.name}",
        "__builtins__": __builtins__,
        "Counter": Counter,
        "heapq": heapq,
        "math": math,
        "np": np,
        "prange": prange,
        "struct": struct,
        "unsafe": unsafe,
        "ON_DEVICE": False,
        **dict(asked.constants),
    }
    for code in _codes(asked.name):
        namespace[code.co_name] = FunctionType(code, namespace)
    return namespace


@cache
def _codes(file: str) -> tuple[CodeType, ...]:
    """Return code for each function of a file: its name and place alone."""
    text, path = _source(file).text, f"{_FILES}{file}.py>"
    codes: list[CodeType] = []
    line, before = 1, 0
    for found in _DEFINITION.finditer(text):
        line, before = line + text.count("\n", before, found.start()), found.start()
        name = found[1]
        codes.append(_NOTHING.replace(co_name=name, co_filename=path, co_firstlineno=line))
    return tuple(codes)


def _nothing() -> None:
    pass


_NOTHING = _nothing.__code__


@cache
def _source(file: str) -> Source:
    text, path = resources.read_text("stdlib", f"{file}.py"), f"{_FILES}{file}.py>"
    # Where tracebacks look for the text of a file that is not on the disk.
    linecache.cache[path] = (len(text), None, text.splitlines(keepends=True), path)
    return Source(path, text)


# The text does not change while a process runs.
@cache
def _definition(path: str, name: str, line: int) -> tuple[Source, n.FunctionDef]:
    source = _source(path.removeprefix(_FILES).removesuffix(".py>"))
    tokens = tokenize_definition(source, source.offset(line, 1))
    node = parse_tokens(source, tokens, "func_input")
    assert isinstance(node, n.FunctionDef)
    assert node.name == name
    return source, node
