"""Bytes: their methods, items and slices, what makes them, and texts in an encoding."""

import codecs
from collections.abc import Mapping

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Literal
from scriptc.check.context import Context, operand
from scriptc.check.conversion import converted
from scriptc.check.indices import as_int
from scriptc.check.library.call import Library, LibraryCall
from scriptc.check.library.definitions import Definition, Entry
from scriptc.check.library.standard import standard_function
from scriptc.check.operators import INDEX_TYPES
from scriptc.check.python import byte_arrays
from scriptc.check.python.strings import SEARCHES, sliced
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import byte_strings, texts
from scriptc_runtime.types import (
    BOOL,
    BYTES,
    INT,
    STR,
    DType,
    ListType,
    TensorType,
    TupleType,
    Type,
)


def standard(context: Context, at: n.Node, name: str, *operands: Computation) -> Computation:
    """Return a call of a function of `stdlib/byte_searches.py`."""
    return context.call(at, standard_function("byte_searches", name), operands)


def part(context: Context, node: n.Subscript, base: Typed, slice_: n.Expression) -> Typed:
    """Check `b[i]`, an int, and `b[i:j:k]`."""
    whole = operand(node.value, base)
    if not isinstance(slice_, n.Slice):
        index = as_int(context, node.slice, context.typed(node.slice))
        found = standard(context, node, "get", whole, index)
        return context.record(node, [node.value, node.slice], found)
    text = context.apply(node, byte_strings.BYTES_TEXT, whole)
    parts, found = sliced(context, node, text, slice_)
    made = context.apply(node, byte_strings.TEXT_BYTES, found)
    return context.record(node, [node.value, *parts], made)


def _join(call: LibraryCall) -> Typed:
    at = call.nodes["iterable"]
    match call.typed("iterable").type:
        case ListType(item) if item is BYTES:
            parts = call.operand("iterable")
        case TupleType(items) if all(item is BYTES for item in items):
            parts = call.list_of("iterable", BYTES)
        case other:
            call.refuse(f"{other} is no list of bytes", at, "a list: sep.join([...])")
    return call.apply(texts.STR_JOIN, call.operand("self"), parts)


# ---------------------------------------------------------------------------------------- encodings


def _encode(call: LibraryCall) -> Typed:
    encoding, errors = _how(call)
    return call.apply(byte_strings.ENCODED, call.operand("self"), encoding=encoding, errors=errors)


def _decode(call: LibraryCall) -> Typed:
    encoding, errors = _how(call)
    given = call.operand("self")
    if byte_arrays.is_byte_array(given.type):
        given = byte_arrays.bytes_of(call.context, call.node, given)
    return call.apply(byte_strings.DECODED, given, encoding=encoding, errors=errors)


def _how(call: LibraryCall) -> tuple[str, str]:
    """Return the encoding and what becomes of errors, which are constants."""
    found = _constant(call, "encoding", "utf-8")
    known = {codecs.lookup(name).name: name for name in byte_strings.ENCODINGS}
    try:
        encoding = known.get(codecs.lookup(found).name)
    except LookupError:
        encoding = None
    if encoding is None:
        instead = f"one of {', '.join(byte_strings.ENCODINGS)}"
        call.refuse(f"the encoding {found!r} is not built", call.nodes["encoding"], instead)
    errors = _constant(call, "errors", "strict")
    if errors not in byte_strings.ERRORS:
        instead = f"one of {', '.join(byte_strings.ERRORS)}"
        call.refuse(f"errors={errors!r} is not built", call.nodes["errors"], instead)
    return encoding, errors


def _constant(call: LibraryCall, name: str, default: str) -> str:
    if name not in call.values:
        return default
    known = call.typed(name).known
    if known is None or not isinstance(known.value, str):
        call.refuse(f"{name} must be a constant string", call.nodes[name], f'{name}="{default}"')
    call.drop(name)
    return known.value


# ------------------------------------------------------------------------------------------- makers


def _bytes(call: LibraryCall) -> Typed:
    return call.result(_made(call))


def _bytearray(call: LibraryCall) -> Typed:
    return call.result(byte_arrays.made(call.context, call.node, _made(call)))


def _made(call: LibraryCall) -> Computation:
    """Check `bytes(...)`: of nothing, a count, a text with an encoding, or of numbers."""
    if "source" not in call.values:
        return empty(call.context, call.node)
    value, at = call.typed("source"), call.nodes["source"]
    if value.type is STR:
        if "encoding" not in call.values:
            call.refuse("a str needs an encoding", at, 'x.encode("utf-8")')
        encoding, errors = _how(call)
        given, how = call.operand("source"), {"encoding": encoding, "errors": errors}
        return call.context.apply(call.node, byte_strings.ENCODED, given, **how)
    if "encoding" in call.values or "errors" in call.values:
        call.refuse("an encoding goes with a str", at, "leave it out")
    return _of_source(call, value.type)


def _of_source(call: LibraryCall, type_: Type) -> Computation:
    given = call.operand("source")
    if type_ is BYTES:
        return given
    if byte_arrays.is_byte_array(type_):
        return byte_arrays.bytes_of(call.context, call.node, given)
    if type_ in INDEX_TYPES:
        return call.standard("byte_forms", "of_count", converted(given, INT))
    match type_:
        case ListType(item) if _is_whole(item):
            call.context.require_items(call.nodes["source"], call.typed("source"))
            return call.standard("byte_forms", "of_items", given, _names(call))
        case TensorType(DType.U8, dims) if len(dims) == 1:
            return call.standard("byte_forms", "of_items", given, _names(call))
        case TupleType(items) if all(map(_is_whole, items)):
            return call.standard(
                "byte_forms", "of_items", call.list_of("source", INT), _names(call)
            )
        case _:
            instead = "a count, or a list of ints: bytes([1, 2])"
            call.refuse(f"no bytes are made of {type_}", call.nodes["source"], instead)


def _names(call: LibraryCall) -> Computation:
    """Return what the message calls items that are none."""
    return Literal("bytes" if call.name == "bytes" else "byte", STR)


def _is_whole(type_: Type) -> bool:
    return type_ in (INT, BOOL) or (isinstance(type_, DType) and type_.kind in "iu")


def empty(context: Context, at: n.Node) -> Computation:
    """Return no bytes."""
    return context.apply(at, byte_strings.TEXT_BYTES, Literal("", STR))


def _methods(file: str, *names: str) -> Mapping[str, Entry]:
    return {name: Definition(f"bytes.{name}", file) for name in names}


_FORMS = (
    "capitalize",
    "center",
    "expandtabs",
    "hex",
    "isalnum",
    "isalpha",
    "isascii",
    "isdigit",
    "islower",
    "isspace",
    "istitle",
    "isupper",
    "ljust",
    "lower",
    "rjust",
    "swapcase",
    "title",
    "translate",
    "upper",
    "zfill",
)
METHODS: Mapping[str, Entry] = {
    **_methods("byte_searches", *SEARCHES),
    **_methods("byte_forms", *_FORMS),
    "decode": Library("bytes.decode", ("self", "encoding", "errors"), 1, _decode),
    "join": Library("bytes.join", ("self", "iterable"), 2, _join, consumes=True),
}
OF_ARRAYS: Mapping[str, Entry] = {"decode": METHODS["decode"]}
OF_STR: Mapping[str, Entry] = {
    "encode": Library("str.encode", ("self", "encoding", "errors"), 1, _encode),
}
OF_INT: Mapping[str, Entry] = {
    "to_bytes": Definition("int.to_bytes", "byte_forms", any_size="bigint_bytes")
}
# What functions of the classes themselves stand for: bytes.lower(b), key=bytes.lower.
STATIC: Mapping[object, Entry] = {
    bytes: Library("bytes", ("source", "encoding", "errors"), 0, _bytes, consumes=True),
    bytearray: Library("bytearray", ("source", "encoding", "errors"), 0, _bytearray, consumes=True),
    bytes.fromhex: Definition("bytes.fromhex", "byte_forms"),
    bytes.maketrans: Definition("bytes.maketrans", "byte_forms"),
    int.from_bytes: Definition("int.from_bytes", "byte_forms", any_size="bigint_bytes"),
    **{vars(bytes)[name]: method for name, method in METHODS.items()},
}
