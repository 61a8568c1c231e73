"""Functions of `struct`, of constant formats: each value is read, and written, where it stands."""

import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from scriptc.check.bindings import Known, Typed
from scriptc.check.checked import Check, Computation, Literal
from scriptc.check.constants import of_bytes
from scriptc.check.conversion import converted
from scriptc.check.library.call import Library, LibraryCall
from scriptc.check.operators import truth
from scriptc_runtime.ops import data, elementwise
from scriptc_runtime.record import record
from scriptc_runtime.types import BOOL, BYTES, FLOAT, INT, STR, DType, is_complex, is_number
from scriptc_runtime.values import INT_MAX, INT_MIN

_FORMAT = re.compile(r"\s*(\d*)(.)\s*", re.S)
_REAL = {"e": DType.F16, "f": DType.F32, "d": DType.F64}
_ERROR = "error"  # the name of struct.error


@record
class _Part:
    """One value of a format: the letter, where its bytes begin, and how many there are."""

    code: str
    offset: int
    size: int


@record
class _Format:
    """A format, and its values in order."""

    text: str
    order: str
    size: int
    parts: tuple[_Part, ...]

    @property
    def is_big(self) -> Literal:
        """Whether the first byte of a number is its highest, as a constant."""
        return Literal(self.order in (">", "!"), BOOL)


def _format(call: LibraryCall, name: str) -> _Format:
    """Return the format that an argument is, a constant."""
    known, at = call.typed(name).known, call.nodes[name]
    if known is None or not isinstance(known.value, str):
        call.refuse("the format must be a constant string", at, '"<IH", or one name for it')
    call.drop(name)
    text = known.value
    try:
        size = struct.calcsize(text)
    except struct.error as error:
        call.refuse(f"the format is wrong: {error}", at)
    order = text[:1] if text[:1] in tuple("@=<>!") else "@"
    letters = text[text[:1] == order :]
    if wrong := next((c for c in letters if c in "pP"), None):
        call.refuse(f"the letter {wrong!r} of a format is not built", at)
    return _Format(text, order, size, tuple(_parts(order, letters)))


def _parts(order: str, letters: str) -> Iterator[_Part]:
    before = order
    for found in _FORMAT.finditer(letters):
        count, code = found.groups()
        times = 1 if code == "s" else int(count or 1)
        whole = f"{count}s" if code == "s" else code
        if not times:
            before += f"0{code}"
        for _ in range(times):
            size = struct.calcsize(order + whole)
            before += whole
            if code != "x":
                yield _Part(code, struct.calcsize(before) - size, size)


# ------------------------------------------------------------------------------------------ reading


def _calcsize(call: LibraryCall) -> Typed:
    size = _format(call, "format").size
    found = Typed(INT, call.context.span(call.node), known=Known(size))
    call.result(Literal(size, INT))
    return found


def _unpack(call: LibraryCall) -> Typed:
    format_ = _format(call, "format")
    whole = _bytes(call, "buffer")
    values = _values(call, format_, whole, Literal(0, INT))
    length = call.context.apply(call.node, data.STR_LEN, whole)
    fits = call.context.apply(call.node, elementwise.EQ, length, Literal(format_.size, INT))
    message = f"unpack requires a buffer of {format_.size} bytes"
    return call.result(Check(fits, _ERROR, message, values, values.type))


def _unpack_from(call: LibraryCall) -> Typed:
    format_ = _format(call, "format")
    whole = _bytes(call, "buffer")
    offset: Computation = Literal(0, INT)
    if "offset" in call.values:
        offset = _whole(call, "offset")
    start = call.standard("struct_values", "start_of", whole, offset, Literal(format_.size, INT))
    return call.result(_values(call, format_, whole, start))


def _bytes(call: LibraryCall, name: str) -> Computation:
    value = call.operand(name)
    if value.type is not BYTES:
        call.refuse(f"it takes bytes, not {value.type}", call.nodes[name], "bytes(x)")
    return value


def _values(
    call: LibraryCall, format_: _Format, whole: Computation, start: Computation
) -> Computation:
    values = [_read(call, format_, part, whole, start) for part in format_.parts]
    return call.context.apply(call.node, data.TUPLE, *values)


def _read(
    call: LibraryCall, format_: _Format, part: _Part, whole: Computation, start: Computation
) -> Computation:
    place = call.context.apply(call.node, elementwise.ADD, start, Literal(part.offset, INT))
    given = (whole, place, Literal(part.size, INT))
    if part.code in ("s", "c"):
        return call.standard("struct_values", "bytes_at", *given)
    if part.code == "?":
        return call.standard("struct_values", "truth_at", *given)
    signed = Literal(part.code.islower(), BOOL)
    bits = call.standard("struct_values", "whole_at", *given, format_.is_big, signed)
    if part.code in _REAL:
        return call.standard("struct_values", f"float_of_{8 * part.size}", bits)
    return bits


# ------------------------------------------------------------------------------------------ writing


def _pack(call: LibraryCall) -> Typed:
    first, *names = call.values
    format_ = _format(call, first)
    if len(names) != len(format_.parts):
        call.refuse(
            f"the format has {len(format_.parts)} places, and there are {len(names)} values",
            call.nodes[names[-1] if names else first],
            "a value for each place",
        )
    pieces: list[Computation] = []
    at = 0
    for part, name in zip(format_.parts, names, strict=True):
        pieces += _zeros(call, part.offset - at)
        pieces.append(_written(call, format_, part, name))
        at = part.offset + part.size
    pieces += _zeros(call, format_.size - at)
    if not pieces:
        return call.result(of_bytes(call.context, call.node, b""))
    return call.apply(data.CONCAT, *pieces)


def _zeros(call: LibraryCall, count: int) -> Sequence[Computation]:
    return [of_bytes(call.context, call.node, bytes(count))] if count else []


def _written(call: LibraryCall, format_: _Format, part: _Part, name: str) -> Computation:
    size = Literal(part.size, INT)
    match part.code:
        case "s":
            return call.standard("struct_values", "fitted", _bytes(call, name), size)
        case "c":
            value = _bytes(call, name)
            message = Literal(_message(format_, part, b""), STR)
            return call.standard("struct_values", "one_byte", value, message)
        case "?":
            value = truth(call.context, call.node, call.operand(name))
            whole = converted(value, INT)
            return call.standard("struct_values", "bytes_of", whole, size, format_.is_big)
        case code if code in _REAL:
            value = _real(call, name)
            bits = call.standard("struct_values", f"bits_of_{8 * part.size}", value)
            return call.standard("struct_values", "bytes_of", bits, size, format_.is_big)
        case _:
            value = _checked(call, format_, part, _whole(call, name))
            return call.standard("struct_values", "bytes_of", value, size, format_.is_big)


def _whole(call: LibraryCall, name: str) -> Computation:
    value = call.operand(name)
    narrow = isinstance(value.type, DType) and value.type.kind in "iu"
    if value.type not in (INT, BOOL) and not (narrow and value.type is not DType.U64):
        call.refuse(f"it takes an int, not {value.type}", call.nodes[name], "int(x)")
    return converted(value, INT)


def _real(call: LibraryCall, name: str) -> Computation:
    value = call.operand(name)
    if not is_number(value.type) or is_complex(value.type):
        call.refuse(f"it takes a float, not {value.type}", call.nodes[name], "float(x)")
    return converted(value, FLOAT)


def _checked(call: LibraryCall, format_: _Format, part: _Part, value: Computation) -> Computation:
    """Return an int after a test of its range, with what CPython says outside of it."""
    bits = 8 * part.size
    signed = part.code.islower()
    least, most = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    apply = call.context.apply
    if least > INT_MIN:
        fits = apply(call.node, elementwise.GE, value, Literal(least, INT))
        value = Check(fits, _ERROR, _message(format_, part, least - 1), value, INT)
    if most < INT_MAX:
        fits = apply(call.node, elementwise.LE, value, Literal(most, INT))
        value = Check(fits, _ERROR, _message(format_, part, most + 1), value, INT)
    return value


def _message(format_: _Format, part: _Part, wrong: object) -> str:
    """Return what CPython says of a value that does not fit."""
    try:
        struct.pack(format_.order + part.code, cast(int, wrong))
    except struct.error as error:
        return str(error)
    raise AssertionError(f"{wrong!r} fits")


TABLE: Mapping[object, Library] = {
    struct.calcsize: Library("struct.calcsize", ("format",), 1, _calcsize),
    struct.unpack: Library("struct.unpack", ("format", "buffer"), 2, _unpack),
    struct.unpack_from: Library(
        "struct.unpack_from", ("format", "buffer", "offset"), 2, _unpack_from
    ),
    struct.pack: Library("struct.pack", ("value",), 1, _pack, variadic=True),
}
