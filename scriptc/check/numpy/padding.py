"""np.pad: a larger array, and rows written before and behind each axis in turn."""

from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np

from scriptc.check.bindings import Typed
from scriptc.check.checked import After, Apply, Computation, Literal
from scriptc.check.conversion import converted
from scriptc.check.library.call import Library, LibraryCall, int_size
from scriptc.check.numpy import array_parts, reductions, sequences
from scriptc_runtime.ops import arrays
from scriptc_runtime.promotion import promote
from scriptc_runtime.types import NONE, DType, TensorType

_Pair = tuple[Computation, Computation]
_Slice = tuple[Computation, Computation, Computation]

# What rows make is put there, or else a constant, rows that are there already, or a way to a value.
_FOLDS = ("maximum", "mean", "median", "minimum")
_FUNCTIONS = {
    "constant": "between",
    "edge": "edged",
    "linear_ramp": "ramped",
    "reflect": "reflected",
    "symmetric": "reflected",
    "wrap": "wrapped",
    **dict.fromkeys(_FOLDS, "folded"),
}
# Which argument goes with which modes.
_OWN = {"constant_values": ("constant",), "stat_length": _FOLDS, "end_values": ("linear_ramp",)}


def _pad(call: LibraryCall) -> Typed:
    value = call.array("array")
    mode = call.word("mode", *_FUNCTIONS)
    for name, modes in _OWN.items():
        if name in call.values and mode not in modes:
            message = f"the mode {mode!r} takes no {name}"
            call.refuse(message, call.nodes[name], f"mode={modes[0]!r}, or leave it out")
    kind = reductions.dtype_of(value).kind
    if kind not in "iuf" and (mode in _FOLDS or mode == "linear_ramp"):
        call.refuse(f"{mode} of {value.type} is not built", call.nodes["array"])
    odd = call.is_given("reflect_type") and call.word("reflect_type", "even", "odd") == "odd"
    if odd and kind == "b":
        message = f"reflections of {value.type} with another sign are not built"
        call.refuse(message, call.nodes["reflect_type"])
    pairs = _pairs(call, "pad_width", reductions.rank_of(value), whole=True)
    own = array_parts.sizes_of(call, value)
    grown = [
        call.standard("padding", "grown", size, *pair, axis=axis, mode=mode)
        for axis, (size, pair) in enumerate(zip(own, pairs, strict=True))
    ]
    out = array_parts.empty(call, reductions.dtype_of(value), grown)
    bounds = _bounds(call, pairs, own)
    inner = array_parts.view(call, out, "s" * len(own), *chain(*bounds))
    call.context.check_op(call.node, arrays.ASSIGN, inner, value)
    effects: list[Computation] = [Apply(arrays.ASSIGN, (inner, value), {}, NONE)]
    ends = _ends(call, mode, value)
    constants: dict[str, bool | str] = {"mode": mode, "whole": kind in "iu", "odd": odd}
    for axis, pair in enumerate(pairs):
        # Of later axes, what is padded is not there yet.
        later = [array_parts.WHOLE] * (axis + 1) + bounds[axis + 1 :]
        rows = reductions.moved(
            call, array_parts.view(call, out, "s" * len(own), *chain(*later)), axis, 0
        )
        given = ends[axis] if ends else ()
        function = "folded_ends" if given and mode in _FOLDS else _FUNCTIONS[mode]
        effects.append(call.standard("padding", function, rows, *pair, *given, **constants))
    return call.result(After(tuple(effects), out, out.type))


def _bounds(call: LibraryCall, pairs: Sequence[_Pair], own: Sequence[Computation]) -> list[_Slice]:
    """Return the slices of the elements that are there already."""
    return [
        (before, array_parts.plus(call, before, size), Literal(None, NONE))
        for size, (before, _) in zip(own, pairs, strict=True)
    ]


def _ends(call: LibraryCall, mode: str, value: Computation) -> Sequence[_Pair]:
    """Return the numbers that a mode takes for the two sides of each axis."""
    rank, name = reductions.rank_of(value), _given_by(call, mode)
    if name == "stat_length":
        return _pairs(call, name, rank, whole=True)
    if mode not in ("constant", "linear_ramp"):
        return ()
    pairs = (
        _pairs(call, name, rank, whole=False)
        if name
        else [(array_parts.number(0), array_parts.number(0))] * rank
    )
    dtype = reductions.dtype_of(value)
    if mode == "linear_ramp":
        dtype = _ramp_dtype(call, dtype, name)
    return [(converted(first, dtype), converted(last, dtype)) for first, last in pairs]


def _ramp_dtype(call: LibraryCall, own: DType, name: str | None) -> DType:
    """Return the dtype that ramps are computed in.

    NumPy makes an array of the numbers.  Takes it one or two of them they are of its dtype, but
    otherwise Python's again.
    """
    if name is None:
        return DType.F64
    leaves = [leaf for row in call.rows(name) for leaf in call.leaves(row)]
    ends = sequences.dtype_of_all(call, leaves, call.nodes[name])
    shape = call.displays[name].shape() if name in call.displays else None
    if ends.kind not in "biuf":
        call.refuse(f"{name} of {ends} is not built", call.nodes[name])
    weak = len(leaves) > 2 or shape == (2, 1)
    if own.kind == "f":
        return own if weak else promote(own, ends)
    return DType.F64 if weak or ends.kind != "f" else promote(own, ends)


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
    if len(rows) == 2 and not any(map(call.is_row, items)):
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
