"""`print`: to sys.stdout, sys.stderr, or what has a method `write`."""

from collections.abc import Mapping

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Literal, Select
from scriptc.check.context import operand
from scriptc.check.library.call import Library, LibraryCall, standard_stream
from scriptc.check.numpy import dtype_objects
from scriptc.check.operators import truth_or_presence
from scriptc.check.python import text
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import data
from scriptc_runtime.types import STR, ClassType

# What print puts between and after texts.
_AROUND: Mapping[str, str] = {"sep": " ", "end": "\n"}
_WRITTEN_TO = "sys.stdout, sys.stderr, or an object of a class that has a method write"
_OPTIONS = (*_AROUND, "file", "flush")


def text_of(call: LibraryCall, name: str, conversion: str, at: n.Node) -> Computation:
    """Return an argument as a text."""
    known = dtype_objects.text_of(call.values[name], conversion)
    if known is not None:
        return known
    return text.format_value(call.context, at, call.operand(name), "", conversion)


def _print(call: LibraryCall) -> Typed:
    call.is_plain = False
    texts = [
        text_of(call, name, "s", call.nodes[name]) for name in call.values if name not in _OPTIONS
    ]
    around = [_text_around(call, name, default) for name, default in _AROUND.items()]
    file = call.values["file"] if call.is_given("file") else None
    if isinstance(file, Typed):
        return _written(call, file, around, texts)
    if not any(call.is_given(name) for name in _OPTIONS):
        return call.apply(data.PRINT, *texts)
    stream = Literal(_stream(call) if file else "stdout", STR)
    return call.apply(data.PRINT_WITH, *around, stream, _flushing(call), *texts)


def _text_around(call: LibraryCall, name: str, default: str) -> Computation:
    if not call.is_given(name):
        return Literal(default, STR)
    value = call.operand(name)
    if value.type is not STR:
        call.refuse(f"{name} must be None or a string, not {value.type}", call.nodes[name])
    return value


def _stream(call: LibraryCall) -> str:
    """Return which of Python's streams is named: a program may bind it to another file later."""
    node = call.nodes["file"]
    if isinstance(node, n.Attribute) and standard_stream(call.context, node):
        return node.attr
    call.refuse(
        "what is no object of the program is not written to",
        node,
        _WRITTEN_TO,
    )


def _flushing(call: LibraryCall) -> Computation:
    """Return a text that says whether the stream is flushed."""
    if not call.is_given("flush"):
        return Literal("", STR)
    flush = truth_or_presence(call.context, call.nodes["flush"], call.operand("flush"))
    return Select(flush, Literal("flush", STR), Literal("", STR), STR)


def _written(
    call: LibraryCall, file: Typed, around: list[Computation], texts: list[Computation]
) -> Typed:
    """Return the calls of the method `write` of an object."""
    at = call.nodes["file"]
    if not isinstance(file.type, ClassType):
        call.refuse(f"file must have a method write, not be {file.type}", at, _WRITTEN_TO)
    if call.is_given("flush"):
        message = "flush is not built for objects of the program"
        call.refuse(message, call.nodes["flush"], "leave it out, and call its flush() after print")
    listed = call.context.apply(call.node, data.LIST, *texts, item=STR)
    whole = operand(at, file)
    return call.result(call.standard("texts", "print_to", whole, *around, listed))


PRINT = Library("print", ("value",), 1, _print, variadic=True, options=_OPTIONS)
