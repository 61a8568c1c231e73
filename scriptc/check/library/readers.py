"""How an argument of a library function is read: what the annotation of the parameter stands for.

`float`, `int` and `bool` are numbers of Python's, to which others are converted; `x: float | None`
may be None as well. Those of `unsafe` are constants: the call says them when it is compiled.
"""

from collections.abc import Callable, Mapping

import numpy as np

from scriptc.check import bigints
from scriptc.check.borrowed_lists import refuse_borrowed
from scriptc.check.checked import Computation, Constant, Literal
from scriptc.check.conversion import converted
from scriptc.check.library.call import LibraryCall
from scriptc_runtime.record import record
from scriptc_runtime.types import (
    BIGINT,
    BOOL,
    BYTES,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    STR,
    DType,
    OptionalType,
    TensorType,
    is_complex,
    is_number,
)


@record(eq=False)
class Reader:
    """What makes an operand, or a constant, of an argument."""

    read: Callable[[LibraryCall, str], Computation | Constant]
    displays: bool = False  # whether a list written in place says what an array is made of
    is_constant: bool = False
    consumes: bool = False  # whether it takes all items of what only a loop can take


def reader_of(annotation: str) -> Reader:
    """Return the reader that an annotation stands for."""
    base = annotation.removesuffix(" | None")
    return READERS[base] if base == annotation else _optional(READERS[base])


def _optional(reader: Reader) -> Reader:
    def read(call: LibraryCall, name: str) -> Computation | Constant:
        return reader.read(call, name) if call.is_given(name) else Literal(None, NONE)

    return Reader(read, reader.displays)


def number(call: LibraryCall, name: str = "x") -> Computation:
    """Return an argument that must be one number."""
    value = call.scalar(name)
    complex_ = value.type is COMPLEX or (isinstance(value.type, DType) and value.type.kind == "c")
    if (is_number(value.type) and not complex_) or value.type is BIGINT:
        return value
    instead = "test `is not None` first" if isinstance(value.type, OptionalType) else ""
    if isinstance(value.type, TensorType):
        function = call.name.rpartition(".")[2]
        numpys = f"np.{function}(x), which takes arrays"
        is_numpys = hasattr(np, function) and not call.name.startswith("np.")
        instead = numpys if is_numpys else "a loop over the elements"
    call.refuse(f"{name} must be a number, not {value.type}", call.nodes[name], instead)


def real(call: LibraryCall, name: str = "x") -> Computation:
    """Return an argument that must be one number, as a float."""
    return converted(number(call, name), FLOAT)


def whole(call: LibraryCall, name: str) -> Computation:
    """Return an argument that must be an int."""
    value = number(call, name)
    of_numpy = isinstance(value.type, DType) and value.type.kind in "iu"
    if value.type in (INT, BOOL, BIGINT) or of_numpy:
        return converted(value, INT)
    call.refuse(f"{name} must be an int, not {value.type}", call.nodes[name])


def _any_size(call: LibraryCall, name: str) -> Computation:
    value = call.operand(name)
    return bigints.of_any_size(value if value.type is BIGINT else whole(call, name))


def _string(call: LibraryCall, name: str) -> Computation:
    value = call.operand(name)
    if value.type is not STR:
        optional = isinstance(value.type, OptionalType)
        instead = "test `is not None` first" if optional else "convert it: str(x)"
        call.refuse(f"{name} must be a str, not {value.type}", call.nodes[name], instead)
    return value


def _bytes(call: LibraryCall, name: str) -> Computation:
    value = call.operand(name)
    if value.type is not BYTES:
        call.refuse(f"{name} must be bytes, not {value.type}", call.nodes[name], "x.encode()")
    return value


def _truth(call: LibraryCall, name: str) -> Computation:
    value = call.operand(name)
    if value.type is not BOOL:
        call.refuse(f"{name} must be a bool, not {value.type}", call.nodes[name], f"{name}=True")
    return value


def _floats(call: LibraryCall, name: str) -> Computation:
    """Return a list or an array of real numbers, which a loop can run over."""
    item = call.one_by_one(name)
    if not is_number(item) or is_complex(item):
        call.refuse(f"the items must be numbers, not {item}", call.nodes[name])
    return call.operand(name)


def _axis(call: LibraryCall, name: str) -> Constant:
    """Return the constant `axis` of the array that was read first, counted from the front.

    A tuple of one axis is that axis.
    """
    assert call.rank is not None
    axis = call.axis(call.rank)
    return axis[0] if isinstance(axis, tuple) and len(axis) == 1 else axis


def _out(call: LibraryCall, name: str) -> Constant:
    """Return what the body sees of an array that the call writes the result to: nothing."""
    return None


def _constant_int(call: LibraryCall, name: str) -> Constant:
    return call.constant_int(name, 0)


def _list(call: LibraryCall, name: str) -> Computation:
    # What it holds may be known in a later pass alone.
    call.context.require_items(call.node, call.typed(name))
    return call.operand(name)


def written_list(call: LibraryCall, name: str) -> Computation:
    """Return a list that a function writes to."""
    refuse_borrowed(call.context, call.node, call.typed(name), "written to")
    return _list(call, name)


READERS: Mapping[str, Reader] = {
    "": Reader(LibraryCall.operand),
    "float": Reader(real),
    "int": Reader(whole),
    "unsafe.AnySize": Reader(_any_size),
    "bool": Reader(_truth),
    "str": Reader(_string),
    "bytes": Reader(_bytes),
    "Iterable[float]": Reader(_floats, consumes=True),
    "list": Reader(_list),
    "unsafe.Written": Reader(written_list),
    "np.ndarray": Reader(LibraryCall.array, displays=True),
    "ArrayLike": Reader(LibraryCall.numeric, displays=True),
    "unsafe.Out": Reader(_out, is_constant=True),
    "unsafe.Axis": Reader(_axis, is_constant=True),
    "unsafe.Whole": Reader(_constant_int, is_constant=True),
    "unsafe.Flag": Reader(LibraryCall.flag, is_constant=True),
}
