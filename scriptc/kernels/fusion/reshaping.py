"""Opens `reshape`: the sizes are checked, then it is a view or a copy, as the strides decide."""

from collections.abc import Sequence

from scriptc.kernels.code import Code
from scriptc.kernels.fusion.build import Context, require_declared
from scriptc.kernels.fusion.nodes import Map, Source
from scriptc.kernels.fusion.schedule import materialise
from scriptc.kernels.fusion.shapes import axes_of, count_of
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops import reshaping
from scriptc_runtime.ops.low import MOST_NUMBERS
from scriptc_runtime.types import TensorType

_NO_VIEW = (
    "Incompatible shape for in-place modification. Use `.reshape()` to make a copy with the "
    "desired shape."
)


def _asked(context: Context, instr: Instr) -> tuple[Value, Sequence[Value], TensorType]:
    """Return the array, and the sizes and type that it is asked to have."""
    code = context.code.at(instr.loc)
    base, *asked = instr.operands
    array = context.array(base)
    sizes = [context.sizes.whole(code, context.scalar(v)) for v in asked]
    known = [context.number(v) for v in asked]
    require_declared(code, instr, sizes, known)
    type_ = instr.result.type
    assert isinstance(type_, TensorType)
    return array, _completed(code, count_of(code, context.axes(array)), sizes, known), type_


def open_reshape(context: Context, instr: Instr) -> Value:
    """Return the array in its other shape."""
    code = context.code.at(instr.loc)
    array, sizes, type_ = _asked(context, instr)
    if code.is_dense(array):
        return code.reshaped(array, sizes, type_, dense=True)
    dense = bool(instr.attrs["dense"])
    can = code.builder.emit(reshaping.CAN_RESHAPE, array, *sizes, loc=code.loc, dense=dense)

    def copied() -> Sequence[Value]:
        assert isinstance(array.type, TensorType)
        axes = axes_of(code, array)
        copy = Map(None, {}, (Source(array, axes),), array.type.dtype, axes, code.loc)
        (made,) = materialise(code, [copy], versions=False)
        return (code.reshaped(made, sizes, type_, dense=True),)

    def seen() -> Sequence[Value]:
        return (code.reshaped(array, sizes, type_, dense=dense),)

    (result,) = code.choose(can, seen, copied)
    return result


def open_set_shape(context: Context, instr: Instr) -> Value:
    """Return a view in the other shape, after the check that strides can describe it."""
    code = context.code.at(instr.loc)
    array, sizes, type_ = _asked(context, instr)
    if code.is_dense(array):
        return code.reshaped(array, sizes, type_, dense=True)
    can = code.builder.emit(reshaping.CAN_RESHAPE, array, *sizes, loc=code.loc, dense=False)
    code.require(can, "AttributeError", _NO_VIEW)
    return code.reshaped(array, sizes, type_, dense=False)


def _completed(
    code: Code, count: Value, sizes: Sequence[Value], known: Sequence[int | None]
) -> list[Value]:
    """Return sizes whose product is `count`, the unknown one filled in; ValueError without any.

    Products are compared by division: sizes that a caller asks for may be too large to multiply.
    """
    zero, one = code.number(0), code.number(1)
    unknown = [
        None if n is not None and n >= 0 else code.test(e.LT, s, zero)
        for s, n in zip(sizes, known, strict=True)
    ]
    empty = code.test(e.EQ, count, zero)
    total, fits, none = one, None, None
    for size, is_unknown in zip(sizes, unknown, strict=True):
        own = size if is_unknown is None else code.select(is_unknown, one, size)
        vanishes = code.test(e.EQ, own, zero)
        within = code.test(e.LE, total, code.op(e.FLOORDIV, count, own))
        total = code.op(e.MUL, total, own)
        fits = within if fits is None else code.op(e.AND, fits, within)
        none = vanishes if none is None else code.op(e.OR, none, vanishes)
    tests = [t for t in unknown if t is not None]
    if not tests:
        _require(code, _exact(code, count, total, empty, fits, none), count, sizes, known)
        return list(sizes)
    number = zero
    for test in tests:
        number = code.op(e.ADD, number, code.select(test, one, zero))
    message = "can only specify one unknown dimension"
    code.require(code.test(e.LE, number, one), "ValueError", message)
    some = code.test(e.EQ, number, one)
    rest = code.op(e.FLOORDIV, count, total)
    whole = code.test(e.EQ, code.op(e.MUL, rest, total), count)
    missing = none if none is not None else code.test(e.EQ, one, zero)
    divides = code.op(e.AND, whole, code.op(e.NOT, missing))
    exact = _exact(code, count, total, empty, fits, none)
    _require(code, code.select(some, divides, exact), count, sizes, known)
    return [
        size if test is None else code.select(test, rest, size)
        for size, test in zip(sizes, unknown, strict=True)
    ]


def _exact(
    code: Code, count: Value, total: Value, empty: Value, fits: Value | None, none: Value | None
) -> Value:
    """Whether the product of all sizes is `count`."""
    same = code.test(e.EQ, total, count)
    if fits is None or none is None:
        return same
    # A product that fits cannot have wrapped around; that of an array without elements vanishes.
    return code.select(empty, none, code.op(e.AND, fits, same))


def _require(
    code: Code, good: Value, count: Value, sizes: Sequence[Value], known: Sequence[int | None]
) -> None:
    shown = ["newaxis" if n is not None and n < 0 else "{}" for n in known]
    values = [s for s, text in zip(sizes, shown, strict=True) if text == "{}"]
    message = "cannot reshape array of size {} into shape"
    if len(values) >= MOST_NUMBERS:
        code.require(good, "ValueError", message, count)
        return
    comma = "," if len(sizes) == 1 else ""
    code.require(good, "ValueError", f"{message} ({','.join(shown)}{comma})", count, *values)
