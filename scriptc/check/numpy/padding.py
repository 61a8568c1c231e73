"""np.pad: rows before and behind each axis, in turn."""

from collections.abc import Mapping, Sequence

import numpy as np

from scriptc.check.array_parts import number, plus, sizes_of, view, written
from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Literal
from scriptc.check.library import Display, Library, LibraryCall, as_numpy, int_size
from scriptc.check.numpy.reductions import dtype_of, moved, moved_back, rank_of
from scriptc.check.operators import converted
from scriptc_runtime.ops import arrays
from scriptc_runtime.types import NONE, DType, TensorType

# What is put there: a constant, rows that are there already, what rows make, or a way to a value.
_COPIES = ("edge", "reflect", "symmetric", "wrap")
_FOLDS = ("maximum", "mean", "median", "minimum")
_MODES = ("constant", *_COPIES, *_FOLDS, "linear_ramp")
# Which argument goes with which modes.
_OWN = {"constant_values": ("constant",), "stat_length": _FOLDS, "end_values": ("linear_ramp",)}


def _pad(call: LibraryCall) -> Typed:
    value = call.array("array")
    mode = call.word("mode", *_MODES)
    for name, modes in _OWN.items():
        if name in call.values and mode not in modes:
            message = f"the mode {mode!r} takes no {name}"
            call.refuse(message, call.nodes[name], f"mode={modes[0]!r}, or leave it out")
    if call.is_given("reflect_type") and call.word("reflect_type", "even", "odd") == "odd":
        call.refuse("reflections with another sign are not built", call.nodes["reflect_type"])
    if mode == "constant" and not _has_rows(call, "constant_values"):
        return call.result(_around(call, value))
    if mode in ("mean", "linear_ramp") and dtype_of(value).kind not in "iuf":
        call.refuse(f"{mode} of {value.type} is not built", call.nodes["array"])
    if mode in _FOLDS and dtype_of(value).kind not in "iuf":
        call.refuse(f"{mode} of {value.type} is not built", call.nodes["array"])
    return call.result(_extended(call, value, mode))


def _has_rows(call: LibraryCall, name: str) -> bool:
    return name in call.values and (
        name in call.displays or not isinstance(as_numpy(call.operand(name)).type, DType)
    )


def _around(call: LibraryCall, value: Computation) -> Computation:
    """Return an array with one constant on all sides."""
    pairs = _pairs(call, "pad_width", rank_of(value), whole=True)
    own = sizes_of(call, value)
    sizes = [
        plus(call, plus(call, size, before), after)
        for size, (before, after) in zip(own, pairs, strict=True)
    ]
    dims = (None,) * len(sizes)
    fill = _constant(call, value)
    whole = call.context.apply(call.node, arrays.FULL, fill, *sizes, dims=dims)
    bounds = [
        bound
        for size, (before, _) in zip(own, pairs, strict=True)
        for bound in (before, plus(call, before, size), Literal(None, NONE))
    ]
    inner = view(call, whole, "s" * len(sizes), *bounds)
    return written(call, whole, inner, value)


def _constant(call: LibraryCall, value: Computation) -> Computation:
    if "constant_values" in call.values:
        return converted(call.numeric("constant_values"), dtype_of(value))
    zero: bool | int | float = {"b": False, "f": 0.0}.get(dtype_of(value).kind, 0)
    return Literal(zero, dtype_of(value))


def _extended(call: LibraryCall, value: Computation, mode: str) -> Computation:
    """Return an array with other rows before and behind each axis in turn."""
    rank, name = rank_of(value), _given_by(call, mode)
    widths = _pairs(call, "pad_width", rank, whole=True)
    values = _pairs(call, name, rank, whole=name == "stat_length") if name else None
    for axis, pair in enumerate(widths):
        rows = moved(call, value, axis, 0)
        ends: Sequence[Computation] = ()
        if values is not None:
            ends = values[axis]
            if mode == "constant":
                ends = [converted(end, dtype_of(value)) for end in ends]
        function = {"constant": "between", "linear_ramp": "ramped"}.get(mode, "folded")
        if mode in _COPIES:
            more = call.standard("curves", "padded", rows, *pair, number(axis), mode=mode)
        else:
            if mode in _FOLDS and not ends:
                ends = (number(-1), number(-1))  # all rows
            if mode == "linear_ramp" and not ends:
                ends = (number(0), number(0))
            constants = {"mode": mode, "axis": axis, "whole": dtype_of(value).kind in "iu"}
            more = call.standard("padding", function, rows, *pair, *ends, **constants)
        value = moved_back(call, more, 0, axis)
    return value


def _given_by(call: LibraryCall, mode: str) -> str | None:
    """Return the argument that says what is put there, None where that is not given."""
    names = [name for name, modes in _OWN.items() if mode in modes and call.is_given(name)]
    return names[0] if names else None


def _pairs(
    call: LibraryCall, name: str, rank: int, *, whole: bool
) -> list[tuple[Computation, Computation]]:
    """Return what an argument says for the two sides of each axis."""
    at = call.nodes[name]
    items = call.rows(name)
    rows = [call.leaves(item) for item in items]
    if len(rows) == 2 and not any(isinstance(item, Display) for item in items):
        rows = [[*rows[0], *rows[1]]]  # one pair, for all axes
    pairs: list[tuple[Computation, Computation]] = []
    for row in rows:
        if len(row) not in (1, 2) or any(isinstance(item.type, TensorType) for item in row):
            call.refuse(f"a number or a pair of them is needed for each axis in {name}", at)
        ends = [int_size(call, end, at) if whole else end for end in row]
        pairs.append((ends[0], ends[-1]))
    if len(pairs) == 1:
        pairs *= rank
    if len(pairs) != rank:
        call.refuse(f"{len(pairs)} pairs in {name} for an array with {rank} axes", at)
    return pairs


_NAMES = ("array", "pad_width", "mode", "constant_values", "stat_length", "end_values")
TABLE: Mapping[object, Library] = {
    np.pad: Library("np.pad", (*_NAMES, "reflect_type"), 2, _pad, displays=True),
}
