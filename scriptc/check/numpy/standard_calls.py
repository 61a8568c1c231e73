"""Functions of NumPy that a function of `stdlib/` computes whole: rows that tell the arguments.

A row says how each argument is read.  What is a computation becomes an operand, in this order;
what is a constant of the call, such as an axis, is bound by name in the file of the function.
"""

from collections.abc import Callable

import numpy as np

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Literal
from scriptc.check.conversion import converted
from scriptc.check.library.call import Library, LibraryCall, as_numpy, int_size
from scriptc.check.numpy import reductions
from scriptc_runtime.ops.opdef import Attr
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import FLOAT, NONE, DType, TensorType, element_of

# An operand, or a constant.
Given = Computation | Attr
Checker = Callable[[LibraryCall], Typed]


@record(eq=False)
class Argument:
    """One argument: how it is read, and what stands for it where it is not given."""

    name: str
    read: Callable[[LibraryCall, str], Given]
    default: Given = None
    required: bool = True


def table_row(public: str, file: str, function: str, *arguments: Argument) -> Library:
    """Return the row of a function of NumPy that is one of `stdlib/FILE.py`."""
    names = tuple(argument.name for argument in arguments)
    required = sum(argument.required for argument in arguments)
    check = computed_by(file, function, *arguments)
    return Library(f"np.{public}", names, required, check, displays=True)


def computed_by(file: str, function: str, *arguments: Argument) -> Checker:
    """Return the check of a call that a function of `stdlib/FILE.py` computes."""

    def check(call: LibraryCall) -> Typed:
        operands: list[Computation] = []
        constants: dict[str, Attr] = {}
        for argument in arguments:
            given = call.is_given(argument.name)
            if argument.required and not given:
                at = call.nodes[argument.name]
                call.refuse(f"{argument.name} must not be None", at, "give it a value")
            value = argument.read(call, argument.name) if given else argument.default
            if isinstance(value, Computation):
                operands.append(value)
            else:
                constants[argument.name] = value
        return call.result(call.standard(file, function, *operands, **constants))

    return check


_NOTHING = Literal(None, NONE)


def optional(argument: Argument, default: Given = _NOTHING) -> Argument:
    """Return an argument that need not be given."""
    return replace(argument, default=default, required=False)


def array(name: str, *ranks: int, kinds: str = "biufc") -> Argument:
    """Return an argument that is an array with so many axes, of these kinds of dtypes."""

    def read(call: LibraryCall, name: str) -> Given:
        value = call.array(name)
        if ranks and reductions.rank_of(value) not in ranks:
            axes = " or ".join(map(str, ranks))
            call.refuse(f"an array with {axes} axes is needed", call.nodes[name])
        return _of_kind(call, name, value, kinds)

    return Argument(name, read)


def _of_kind(call: LibraryCall, name: str, value: Computation, kinds: str) -> Computation:
    if reductions.dtype_of(value).kind not in kinds or reductions.dtype_of(value) is DType.F16:
        call.refuse(f"{value.type} is not built here", call.nodes[name], "convert it before")
    return value


def line(name: str, kinds: str = "biufc") -> Argument:
    """Return an argument whose elements are taken as one axis."""

    def read(call: LibraryCall, name: str) -> Given:
        return reductions.flattened(call, _of_kind(call, name, call.array(name), kinds))

    return Argument(name, read)


def floats(name: str, *ranks: int, kinds: str = "biuf") -> Argument:
    """Return an argument that is an array, of float64 where it held integers."""
    plain = array(name, *ranks, kinds=kinds)

    def read(call: LibraryCall, name: str) -> Given:
        value = plain.read(call, name)
        assert isinstance(value, Computation)
        return converted(value, DType.F64) if reductions.dtype_of(value).kind in "biu" else value

    return Argument(name, read)


def numbers(name: str, kinds: str = "biuf") -> Argument:
    """Return an argument that is a number or an array, of float64 where it held integers."""

    def read(call: LibraryCall, name: str) -> Given:
        value = _of_kind(call, name, as_numpy(call.numeric(name)), kinds)
        return converted(value, DType.F64) if reductions.dtype_of(value).kind in "biu" else value

    return Argument(name, read)


def whole(name: str) -> Argument:
    """Return an argument that is an int."""

    def read(call: LibraryCall, name: str) -> Given:
        return int_size(call, call.operand(name), call.nodes[name])

    return Argument(name, read)


def real(name: str) -> Argument:
    """Return an argument that is one number, as Python's float."""

    def read(call: LibraryCall, name: str) -> Given:
        value = call.operand(name)
        kind = element_of(value.type)
        unfit = kind is None or (isinstance(kind, DType) and kind.kind == "c")
        if unfit or isinstance(value.type, TensorType):
            message = f"{name} must be a real number, not {value.type}"
            call.refuse(message, call.nodes[name], "give one int or float: x[0], z.real")
        return converted(value, FLOAT)

    return Argument(name, read)


def flag(name: str, *, default: bool = False) -> Argument:
    """Return an argument that is True or False when the program is compiled."""
    return Argument(name, LibraryCall.flag, default, required=False)


def constant(name: str, default: int | None = None) -> Argument:
    """Return an argument that is an int known when the program is compiled."""

    def read(call: LibraryCall, name: str) -> Given:
        return call.constant_int(name, 0)

    return Argument(name, read, default, required=default is None)


def choice(name: str, *words: str) -> Argument:
    """Return an argument that is one of these words, the first of them where it is not given."""

    def read(call: LibraryCall, name: str) -> Given:
        return call.word(name, *words)

    return Argument(name, read, words[0], required=False)


def axis_of(name: str, default: int | None = None) -> Argument:
    """Return the argument `axis`, one constant axis of the array of this name or None."""

    def read(call: LibraryCall, _: str) -> Given:
        return reductions.one_axis(call, reductions.rank_of(call.array(name)))

    return Argument("axis", read, default, required=False)


def fitting(name: str, target: str) -> Argument:
    """Return an argument that is put into an array: an array of its dtype."""

    def read(call: LibraryCall, name: str) -> Given:
        return call.as_array(stored_in(call, name, reductions.dtype_of(call.array(target))))

    return Argument(name, read)


def stored_in(call: LibraryCall, name: str, dtype: DType) -> Computation:
    """Return what is put into an array of a dtype that holds it."""
    value = call.numeric(name)
    own = element_of(as_numpy(value).type)
    assert isinstance(own, DType)
    if not np.can_cast(own.numpy, dtype.numpy, "same_kind"):
        call.refuse(
            f"{value.type} does not fit into an array of {dtype}",
            call.nodes[name],
            "convert it before: x.astype(...)",
        )
    return converted(value, dtype)
