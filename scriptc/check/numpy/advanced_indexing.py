"""Indexing by arrays: masks and integers, read and written, as NumPy places the picked axes.

The basic parts of a subscript make a view first.  Of that view the axes that arrays pick from are
turned to the front: `take` reads and `put_at` writes rows.
"""

from collections.abc import Sequence
from typing import cast

import numpy as np

from scriptc.check.checked import After, Apply, Check, Computation, Convert, Literal
from scriptc.check.context import Context
from scriptc.check.conversion import converted
from scriptc.check.indices import Pick, Picking
from scriptc.check.library.call import LibraryCall
from scriptc.check.numpy import array_parts, sequences
from scriptc.check.numpy import reductions as numpy_reductions
from scriptc.syntax import nodes as n
from scriptc_runtime.dims import ONE
from scriptc_runtime.ops import arrays, elementwise, reductions
from scriptc_runtime.ops import picking as picking_ops
from scriptc_runtime.types import INT, NONE, DType, TensorType


def place_of(context: Context, node: n.Expression) -> LibraryCall:
    """Return the place of a subscript as that of a call: indexing by arrays is library code."""
    return LibraryCall(context, n.Call(node.lo, node.hi, node, (), ()), "indexing")


def listed(context: Context, item: n.List) -> tuple[Computation, tuple[n.Expression, ...]]:
    """Return a list written in place as an array of its numbers, and what is evaluated for it."""
    call = place_of(context, item)
    call.evaluate_display("index", item)
    dtype = None if call.parts else DType.I64
    return sequences.array_of(call, call.displays["index"], item, dtype), tuple(call.parts)


def picked(call: LibraryCall, picking: Picking) -> Computation:
    """Return a new array of what is picked."""
    if _is_one_mask(picking):
        return _compressed(call, picking)
    x, checks, indices, axes = _prepared(call, picking)
    crossed = _crossed_lists(call, indices)
    if crossed:
        rows = call.context.apply(
            call.node, picking_ops.OUTER_TAKE, x, *crossed, axis=axes, full=False
        )
        rows = After(tuple(checks), rows, rows.type) if checks else rows
        return _placed(call, rows, len(crossed), _first_place(picking))
    spread = _spread_indices(call, indices)
    flat = [_flat(call, index) for index in spread]
    rows = call.context.apply(call.node, picking_ops.TAKE, x, *flat, axis=axes)
    if checks:
        rows = After(tuple(checks), rows, rows.type)
    if numpy_reductions.rank_of(spread[0]) != 1:
        rest = array_parts.sizes_of(call, x)[len(flat) :]
        rows = array_parts.reshaped(
            call, rows, [*array_parts.sizes_of(call, spread[0]), *rest], dense=True
        )
    return _placed(call, rows, numpy_reductions.rank_of(spread[0]), _first_place(picking))


def put(call: LibraryCall, picking: Picking, value: Computation, kind: str = "put") -> Computation:
    """Return the computation that writes `value`, of the dtype of the array, to what is picked.

    It is combined with what is there if that is the `kind`, one of `put_at`.
    """
    if kind == "put" and _is_one_mask(picking) and not isinstance(value.type, TensorType):
        return _filled(call, picking, value)
    checks: list[Computation] = []
    if _is_one_mask(picking) and isinstance(value.type, TensorType) and value.type.rank == 1:
        if kind == "put" and numpy_reductions.rank_of(
            picking.picks[0].index
        ) == numpy_reductions.rank_of(picking.view):
            return _put_elements(call, picking, value)
        checks += _count_checks(call, picking, value)
    x, more, indices, axes = _prepared(call, picking)
    spread = _spread_indices(call, indices)
    flat = [_flat(call, index) for index in spread]
    if _first_place(picking) or numpy_reductions.rank_of(spread[0]) != 1:
        value = _in_front(call, picking, value, x, spread)
    attrs = {"axis": axes, "kind": kind}
    stored = Apply(picking_ops.PUT_AT, (x, value, *flat), attrs, NONE)
    return After((*checks, *more, stored), Literal(None, NONE), NONE)


def update(call: LibraryCall, picking: Picking, value: Computation, ufunc: np.ufunc) -> Computation:
    """Return the computation that combines what is picked with values, which another dtype has."""
    x, more, indices, axes = _prepared(call, picking)
    for axis, index in enumerate(indices):
        inside = (
            _flat(call, index),
            array_parts.size_of(call, x, axis),
            array_parts.number(axes[axis]),
        )
        more.append(call.standard("picking", "require_indices", *inside))
    spread = _spread_indices(call, indices)
    values = _in_front(call, picking, value, x, spread)
    flat = [_flat(call, index) for index in spread]
    stored = call.standard("picking", f"update{len(flat)}", x, values, *flat, ufunc=ufunc)
    return After(tuple(more), stored, stored.type)


def _in_front(
    call: LibraryCall,
    picking: Picking,
    value: Computation,
    x: Computation,
    spread: Sequence[Computation],
) -> Computation:
    """Return values that NumPy lays out as the result of a picking, with the picks as one axis."""
    rest = array_parts.sizes_of(call, x)[len(spread) :]
    place, rank = _first_place(picking), numpy_reductions.rank_of(spread[0])
    sizes = [*rest[:place], *array_parts.sizes_of(call, spread[0]), *rest[place:]]
    whole = array_parts.empty(call, numpy_reductions.dtype_of(value), sizes)
    values = array_parts.written(call, whole, whole, value)
    if place:
        order = [*range(place, place + rank), *range(place), *range(place + rank, len(sizes))]
        values = call.context.apply(call.node, arrays.TRANSPOSE, values, order=tuple(order))
    if rank != 1:
        count = array_parts.size_of(call, _flat(call, spread[0]), 0)
        values = array_parts.reshaped(call, values, [count, *rest])
    return values


def nonzero(call: LibraryCall, mask: Computation) -> list[Computation]:
    """Return for each axis the indices at which a mask is true, in C order."""
    flat = (
        array_parts.reshaped(call, mask, [array_parts.number(-1)], dense=True)
        if numpy_reductions.rank_of(mask) != 1
        else mask
    )
    apply, at = call.context.apply, call.node
    places = apply(at, picking_ops.PLACES, flat)
    found: list[Computation] = []
    for axis in range(numpy_reductions.rank_of(mask)):
        behind: Computation = array_parts.number(1)
        for other in range(axis + 1, numpy_reductions.rank_of(mask)):
            behind = array_parts.times(call, behind, array_parts.size_of(call, mask, other))
        index: Computation = places
        if axis + 1 < numpy_reductions.rank_of(mask):
            index = apply(at, elementwise.FLOORDIV, index, converted(behind, DType.I64))
        if axis:
            size = converted(array_parts.size_of(call, mask, axis), DType.I64)
            index = apply(at, elementwise.MOD, index, size)
        found.append(index)
    return found


def count_of(call: LibraryCall, mask: Computation) -> Computation:
    """Return how often a mask is true, as an int."""
    apply = call.context.apply
    count = apply(call.node, reductions.SUM, mask, axis=None, keepdims=False)
    return Convert(count, INT)


def _is_one_mask(picking: Picking) -> bool:
    return len(picking.picks) == 1 and picking.picks[0].is_mask


def _first_place(picking: Picking) -> int:
    """Return before which of the other axes NumPy puts the picked ones."""
    return 0 if picking.apart else picking.picks[0].place


def _axes_of(pick: Pick) -> int:
    return numpy_reductions.rank_of(pick.index) if pick.is_mask else 1


def _front(call: LibraryCall, picking: Picking) -> Computation:
    """Return the view with the axes that are picked from in front."""
    chosen = [p.place + i for p in picking.picks for i in range(_axes_of(p))]
    rest = [a for a in range(numpy_reductions.rank_of(picking.view)) if a not in chosen]
    order = (*chosen, *rest)
    if order == tuple(range(len(order))):
        return picking.view
    return call.context.apply(call.node, arrays.TRANSPOSE, picking.view, order=order)


def _prepared(
    call: LibraryCall, picking: Picking
) -> tuple[Computation, list[Computation], list[Computation], tuple[int, ...]]:
    """Return the array with the picked axes in front, what to check of masks, and the indices.

    The last are the axes that exceptions name.
    """
    checks: list[Computation] = []
    indices: list[Computation] = []
    axes: list[int] = []
    for pick in picking.picks:
        axes += range(pick.axis, pick.axis + _axes_of(pick))
        if pick.is_mask:
            checks += _mask_checks(call, picking, pick)
            indices += nonzero(call, pick.index)
        elif len(picking.picks) == 1 and numpy_reductions.dtype_of(pick.index) is not DType.U64:
            indices.append(pick.index)
        else:
            indices.append(converted(pick.index, DType.I64))
    return _front(call, picking), checks, indices, tuple(axes)


def _mask_checks(call: LibraryCall, picking: Picking, pick: Pick) -> list[Computation]:
    return [
        call.standard(
            "picking",
            "require_axis",
            array_parts.size_of(call, picking.view, pick.place + i),
            array_parts.size_of(call, pick.index, i),
            array_parts.number(pick.axis + i),
        )
        for i in range(numpy_reductions.rank_of(pick.index))
    ]


def _count_checks(call: LibraryCall, picking: Picking, value: Computation) -> list[Computation]:
    (pick,) = picking.picks
    if numpy_reductions.rank_of(pick.index) != numpy_reductions.rank_of(picking.view):
        return []
    count = count_of(call, pick.index)
    given = array_parts.size_of(call, value, 0)
    check = call.standard("picking", "require_count", given, count)
    return [*_mask_checks(call, picking, pick), check]


def _crossed_lists(call: LibraryCall, indices: Sequence[Computation]) -> list[Computation]:
    """Return the lists of places that indices are, each along an axis of its own in their order.

    There are none where they may be anything else: `x[i[:, None], j]` crosses, `x[i, j]` does not.
    """
    found: list[Computation] = []
    for own, index in enumerate(indices):
        dims = cast(TensorType, index.type).dims
        place = own - (len(indices) - len(dims))
        others = [dim for axis, dim in enumerate(dims) if axis != place]
        if len(indices) == 1 or not 0 <= place < len(dims) or any(d != ONE for d in others):
            return []
        letters = "".join("s" if axis == place else "i" for axis in range(len(dims)))
        items = [*[array_parts.number(0)] * place, *array_parts.WHOLE]
        items += [array_parts.number(0)] * (len(dims) - place - 1)
        found.append(index if letters == "s" else array_parts.view(call, index, letters, *items))
    return found


def _flat(call: LibraryCall, index: Computation) -> Computation:
    return (
        index
        if numpy_reductions.rank_of(index) == 1
        else array_parts.reshaped(call, index, [array_parts.number(-1)], dense=True)
    )


def _spread_indices(call: LibraryCall, indices: Sequence[Computation]) -> list[Computation]:
    """Return the arrays of indices broadcast together; IndexError where they do not fit."""
    if len(indices) == 1:
        return list(indices)
    apply, at = call.context.apply, call.node
    zero: Computation = Literal(0, DType.I64)
    total: Computation | None = None
    for index in indices:
        nothing = apply(at, elementwise.MUL, index, zero)
        total = nothing if total is None else _fitting(call, total, nothing)
    assert total is not None
    return [apply(at, elementwise.ADD, total, index) for index in indices]


def _fitting(call: LibraryCall, first: Computation, second: Computation) -> Computation:
    """Return the sum of two arrays of indices after comparing their sizes."""
    apply, at = call.context.apply, call.node
    checked = second
    for back in range(
        1, min(numpy_reductions.rank_of(first), numpy_reductions.rank_of(second)) + 1
    ):
        one = array_parts.size_of(call, first, numpy_reductions.rank_of(first) - back)
        other = array_parts.size_of(call, second, numpy_reductions.rank_of(second) - back)
        fits = apply(at, elementwise.EQ, one, other)
        for size in (one, other):
            single = apply(at, elementwise.EQ, size, array_parts.number(1))
            fits = apply(at, elementwise.OR, fits, single)
        message = (
            "shape mismatch: indexing arrays could not be broadcast together with shapes "
            "that differ"
        )
        checked = Check(fits, "IndexError", message, checked, checked.type)
    return apply(at, elementwise.ADD, first, checked)


def _compressed(call: LibraryCall, picking: Picking) -> Computation:
    """Return the rows for which the one mask is true."""
    (pick,) = picking.picks
    x = _front(call, picking)
    depth = numpy_reductions.rank_of(pick.index)
    rest = array_parts.sizes_of(call, x)[depth:]
    mask = pick.index
    if depth != 1:
        mask = array_parts.reshaped(call, mask, [array_parts.number(-1)], dense=True)
        x = array_parts.reshaped(call, x, [array_parts.size_of(call, mask, 0), *rest])
    if rest:
        out = array_parts.empty(
            call, numpy_reductions.dtype_of(x), [count_of(call, pick.index), *rest]
        )
        rows = call.standard("picking", "compress_rows", out, x, mask)
    else:
        rows = call.context.apply(call.node, picking_ops.COMPRESS, x, mask)
        if depth == 1 and pick.axis == 0:
            return rows  # it compares the sizes itself
    # The check comes before the shapes meet.
    checks = _mask_checks(call, picking, pick)
    return _placed(call, After(tuple(checks), rows, rows.type), 1, _first_place(picking))


def _put_elements(call: LibraryCall, picking: Picking, value: Computation) -> Computation:
    """Return the writing of one value for each element for which the one mask is true."""
    (pick,) = picking.picks
    effect = Apply(picking_ops.PUT_MASKED, (picking.view, pick.index, value), {}, NONE)
    checks = _mask_checks(call, picking, pick)
    return After((*checks, effect), Literal(None, NONE), NONE)


def _filled(call: LibraryCall, picking: Picking, value: Computation) -> Computation:
    """Return the writing of one value to where the one mask is true: a choice for each element."""
    (pick,) = picking.picks
    x, depth = picking.view, numpy_reductions.rank_of(pick.index)
    behind = numpy_reductions.rank_of(x) - pick.place - depth
    mask = pick.index
    if behind:
        mask = array_parts.view(call, mask, "s" * depth + "n" * behind, *array_parts.WHOLE * depth)
    chosen = call.context.apply(call.node, elementwise.WHERE, mask, value, x)
    effect = Apply(arrays.ASSIGN, (x, chosen), {}, NONE)
    checks = _mask_checks(call, picking, pick)
    return After((*checks, effect), Literal(None, NONE), NONE)


def _placed(call: LibraryCall, value: Computation, rank: int, place: int) -> Computation:
    """Return an array whose first `rank` axes go before axis `place` of the others."""
    if place == 0:
        return value
    others = list(range(rank, numpy_reductions.rank_of(value)))
    order = (*others[:place], *range(rank), *others[place:])
    return call.context.apply(call.node, arrays.TRANSPOSE, value, order=order)
