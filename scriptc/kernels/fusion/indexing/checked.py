"""Opens checked indexing into tests, unchecked access, and views with known bounds."""

from collections.abc import Callable, Mapping, Sequence
from typing import cast

from scriptc.analysis.affine import Affine
from scriptc.analysis.remarks import Bytes, Kind, Message, Topic, remark
from scriptc.kernels.builder import Code
from scriptc.kernels.checked_reads import position
from scriptc.kernels.fusion.build import Context, require_declared, sized_axes
from scriptc.kernels.fusion.indexing.put_at import open_put_at
from scriptc.kernels.fusion.indexing.put_masked import open_put_masked, require_mask
from scriptc.kernels.fusion.indexing.reshape import open_reshape, open_set_shape
from scriptc.kernels.fusion.nodes import Axes, Axis
from scriptc.kernels.fusion.sizes import Sizes
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.ops import arrays, low, picking, reshaping
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import NONE, DType, TensorType

MADE = Message("fuse", Topic.MEMORY, Kind.NOTE, "a new array of {bytes}")

Opener = Callable[[Context, Instr], Value | None]


def _index(context: Context, instr: Instr) -> Value:
    code = context.code.at(instr.loc)
    array = context.array(instr.operands[0])
    return code.op(low.LOAD, array, *_positions(context, code, array, instr.operands[1:]))


def _set_index(context: Context, instr: Instr) -> None:
    code = context.code.at(instr.loc)
    base, value, *index = instr.operands
    array = context.array(base)
    places = _positions(context, code, array, index)
    code.builder.effect(low.STORE, array, context.scalar(value), *places, loc=instr.loc)


def _positions(context: Context, code: Code, array: Value, index: Sequence[Value]) -> list[Value]:
    axes = context.axes(array)
    return [position(code, context.scalar(v), i, axes[i].size) for i, v in enumerate(index)]


def _view(context: Context, instr: Instr) -> Value:
    code = context.code.at(instr.loc)
    array = context.array(instr.operands[0])
    numbers = view_numbers(context, instr, context.axes(array))
    type_ = instr.result.type
    assert isinstance(type_, TensorType)
    view = code.subview(array, str(instr.attrs["axes"]), numbers, type_)
    starts = slice_starts(context, instr, type_.rank)
    if starts is not None:
        context.slices(view, array, starts)
    return view


def slice_starts(context: Context, view: Instr, rank: int) -> tuple[int, ...] | None:
    """Return where the slices of a view start; None where that is not known, or steps are not one.

    They start there where they have an element at all.
    """
    if set(str(view.attrs["axes"])) != {"s"}:
        return None
    parts = view.operands[1:]
    starts: list[int] = []
    for start, step in zip(parts[::3], parts[2::3], strict=True):
        number = 0 if start.type is NONE else context.number(start)
        if step.type is not NONE or number is None or number < 0:
            return None
        starts.append(number)
    return (*starts, *[0] * (rank - len(starts)))


def view_numbers(context: Context, instr: Instr, sizes: Axes) -> list[Value]:
    """Return the numbers that `subview` takes for a view of an array of such sizes."""
    code = context.code.at(instr.loc)
    operands = iter(instr.operands[1:])
    letters = instr.attrs["axes"]
    assert isinstance(letters, str)
    numbers: list[Value] = []
    counts: list[Value] = []  # of elements of the slices
    axis = 0
    for letter in letters:
        if letter == "i":
            index = context.scalar(next(operands))
            numbers.append(position(code, index, axis, sizes[axis].size))
        elif letter == "s":
            parts = [next(operands) for _ in range(3)]
            numbers += _part(context, code, parts, sizes[axis])
            if _expected_count(context, parts) == 1:
                code.expect_one(numbers[-2])
            counts.append(numbers[-2])
        axis += letter != "n"
    if "dims" in instr.attrs:
        known = [context.sizes.number(count) for count in counts]
        require_declared(code, instr, counts, known)
    return numbers


def _part(context: Context, code: Code, parts: Sequence[Value], axis: Axis) -> Sequence[Value]:
    """Return start, count and step of a slice; the same values for the same part of a size."""
    sizes, size = context.sizes, axis.size
    ints = [None if p.type is NONE else sizes.whole(code, context.scalar(p)) for p in parts]

    def numbers() -> Sequence[Value]:
        known = _constant_slice(context, code, parts, axis)
        known = known or _placed_slice(code, sizes, ints, size)
        known = known or _known_slice(context, code, parts, size)
        return known or _slice(code, sizes, ints, size)

    return sizes.once(("slice", size, *ints), numbers)


def _constant_slice(
    context: Context, code: Code, parts: Sequence[Value], axis: Axis
) -> list[Value] | None:
    """Return start, count and step where all are known: `[:2]` or `[::-1]` of an axis of three."""
    given = [None if p.type is NONE else context.number(p) for p in parts]
    is_known = all(n is not None or p.type is NONE for n, p in zip(given, parts, strict=True))
    if not is_known or not axis.dim.is_constant or given[2] == 0:
        return None
    places = range(*slice(*given).indices(axis.dim.constant))
    count = context.sizes.constant(code, len(places))
    return [code.number(places.start), count.size, code.number(places.step)]


def _expected_count(context: Context, parts: Sequence[Value]) -> int | None:
    """Return how many elements a slice has unless it is cut short: 1 of `[3:4]`."""
    start, stop, step = parts
    if step.type is not NONE or stop.type is NONE:
        return None
    first = 0 if start.type is NONE else context.number(start)
    last = context.number(stop)
    return None if first is None or last is None or first < 0 else last - first


def _placed_slice(
    code: Code, sizes: Sizes, parts: Sequence[Value | None], size: Value
) -> list[Value] | None:
    """Return start, count and step where both bounds are within the axis, whatever its size is."""
    start, stop, step = parts
    whole = sizes.forms.of(size)
    first = Affine(0) if start is None else _place(sizes, start, whole)
    last = whole if stop is None else _place(sizes, stop, whole)
    if step is not None or first is None or last is None:
        return None
    return [sizes.value(code, first), sizes.count(code, last.plus(first, -1)), code.number(1)]


def _place(sizes: Sizes, bound: Value, whole: Affine) -> Affine | None:
    """Return where a bound of a slice is, if it is neither before the axis nor behind it."""
    place = sizes.forms.of(bound)
    if place.is_constant and place.constant < 0:
        place = whole.plus(place)
    inside = sizes.forms.is_natural(place) and sizes.forms.is_natural(whole.plus(place, -1))
    return place if inside else None


def _known_slice(
    context: Context, code: Code, parts: Sequence[Value], size: Value
) -> list[Value] | None:
    """Return start, count and step of `[2:]`, `[1:-1]` and the like: bounds told from their ends.

    However it is written, what leaves out as many elements has the same value as its count, so
    nothing has to be compared when such parts meet.
    """
    start, stop, step = parts
    first = 0 if start.type is NONE else context.number(start)
    last = 0 if stop.type is NONE else context.number(stop)
    if step.type is not NONE or first is None or last is None:
        return None
    if first < 0 or last > 0 or (last == 0 and stop.type is not NONE):
        return None
    begin = code.op(e.MINIMUM, code.number(first), size) if first else code.number(0)
    return [begin, context.sizes.rest(code, size, first - last), code.number(1)]


def _slice(code: Code, sizes: Sizes, parts: Sequence[Value | None], size: Value) -> list[Value]:
    """Return start, count and step of a slice, as slice.indices() clamps them."""
    start, stop, step = parts
    if start is None and stop is None and step is None:
        return [code.number(0), size, code.number(1)]
    zero, one = code.number(0), code.number(1)
    if step is None:
        first = zero if start is None else _clamped(code, start, zero, size, size)
        last = size if stop is None else _clamped(code, stop, zero, size, size)
        return [first, sizes.at_least_none(code, code.op(e.SUB, last, first)), one]
    code.require(code.test(e.NE, step, zero), "ValueError", "slice step cannot be zero")
    down = code.test(e.LT, step, zero)
    minus_one = code.number(-1)
    lowest = code.select(down, minus_one, zero)
    highest = code.select(down, code.op(e.SUB, size, one), size)
    first = code.select(down, highest, lowest)
    if start is not None:
        first = _clamped(code, start, lowest, highest, size)
    last = code.select(down, lowest, highest)
    if stop is not None:
        last = _clamped(code, stop, lowest, highest, size)
    # count = ceil((last - first) / step), at least 0; floor division of the negation rounds up.
    span = code.op(e.SUB, first, last)
    count = code.op(e.NEG, code.op(e.FLOORDIV, span, step))
    return [first, sizes.at_least_none(code, count), step]


def _clamped(code: Code, value: Value, lowest: Value, highest: Value, size: Value) -> Value:
    """Return a bound of a slice counted from the start and held between two ends."""
    negative = code.test(e.LT, value, code.number(0))
    counted = code.select(negative, code.op(e.ADD, value, size), value)
    return code.op(e.MINIMUM, code.op(e.MAXIMUM, counted, lowest), highest)


def _transpose(context: Context, instr: Instr) -> Value:
    array = context.array(instr.operands[0])
    sizes = [a.size for a in context.axes(array)]
    order = instr.attrs["order"]
    assert isinstance(order, tuple)
    return context.code.at(instr.loc).transposed(array, sizes, cast("tuple[int, ...]", order))


def _dim(context: Context, instr: Instr) -> Value:
    axis = instr.attrs["axis"]
    assert isinstance(axis, int)
    size = context.node(instr.operands[0]).axes[axis].size
    return context.sizes.to_int(context.code.at(instr.loc), size)


def _empty(context: Context, instr: Instr) -> Value:
    axes = sized_axes(context, instr, instr.operands)
    assert isinstance(instr.result.type, TensorType)
    type_ = TensorType(instr.result.type.dtype, tuple(a.dim for a in axes))
    if axes:
        remark(MADE, instr.loc, bytes=Bytes(type_.dtype, type_.dims))
    return context.code.at(instr.loc).new_array(type_, [a.size for a in axes])


def _compress(context: Context, instr: Instr) -> Value:
    """Copy what the mask picks: each element goes to the next free place, and stays if picked.

    The loop ends with the last one that is picked, so nothing is written over it.
    """
    code = context.code.at(instr.loc)
    x, mask = (context.array(v) for v in instr.operands)
    size = context.axes(x)[0].size
    assert isinstance(instr.result.type, TensorType)
    remark(MADE, instr.loc, bytes=Bytes(instr.result.type.dtype, instr.result.type.dims))
    require_mask(code, context.axes(x), context.axes(mask))

    def picked(i: Value) -> Value:
        return code.cast(code.op(low.LOAD, mask, i), DType.I64)

    count = code.reduce("sum", size, picked)
    assert isinstance(instr.result.type, TensorType)
    out = code.new_array(instr.result.type, [count])

    def store(i: Value, place: Value) -> Value:
        code.builder.effect(low.STORE, out, code.op(low.LOAD, x, i), place, loc=code.loc)
        return code.op(e.ADD, place, picked(i))

    code.search(size, code.number(0), count, store)
    return out


OPENERS: Mapping[OpDef, Opener] = {
    arrays.INDEX: _index,
    arrays.SET_INDEX: _set_index,
    arrays.VIEW: _view,
    arrays.TRANSPOSE: _transpose,
    arrays.DIM: _dim,
    arrays.EMPTY: _empty,
    picking.COMPRESS: _compress,
    picking.PUT_AT: open_put_at,
    picking.PUT_MASKED: open_put_masked,
    reshaping.RESHAPE: open_reshape,
    reshaping.SET_SHAPE: open_set_shape,
}
