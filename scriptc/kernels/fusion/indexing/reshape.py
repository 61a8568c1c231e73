"""Opens `reshape`: the sizes are checked, then it is a view or a copy, as the strides decide."""

from collections.abc import Sequence
from typing import cast

from scriptc.kernels.builder import Code
from scriptc.kernels.fusion import schedule, shapes
from scriptc.kernels.fusion.build import Context, require_declared
from scriptc.kernels.fusion.nodes import Axes, Map, Source
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops import reshaping
from scriptc_runtime.ops.low import MOST_NUMBERS
from scriptc_runtime.record import record
from scriptc_runtime.types import TensorType

_NO_VIEW = (
    "Incompatible shape for in-place modification. Use `.reshape()` to make a copy with the "
    "desired shape."
)


def _asked(context: Context, instr: Instr) -> tuple[Value, Sequence[Value], TensorType]:
    """Return the array, and the sizes and type that it is asked to have."""
    array = context.array(instr.operands[0])
    type_ = instr.result.type
    assert isinstance(type_, TensorType)
    return array, asked_sizes(context, instr, context.axes(array)), type_


def asked_sizes(context: Context, instr: Instr, axes: Axes) -> list[Value]:
    """Return the sizes that an array of such axes is asked to have; ValueError for others."""
    code, asked = context.code.at(instr.loc), instr.operands[1:]
    sizes = [context.sizes.whole(code, context.scalar(v)) for v in asked]
    known = [context.number(v) for v in asked]
    require_declared(code, instr, sizes, known)
    unknown = [
        None
        if (number is not None and number >= 0) or context.sizes.is_size(size)
        else code.test(e.LT, size, code.number(0))
        for size, number in zip(sizes, known, strict=True)
    ]
    itemsize = cast(TensorType, instr.result.type).dtype.itemsize
    return _completed(code, shapes.count_of(code, axes), sizes, unknown, known, itemsize)


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
        axes = shapes.axes_of(code, array)
        copy = Map(None, {}, (Source(array, axes),), array.type.dtype, axes, code.loc)
        (made,) = schedule.materialise(code, [copy], versions=False)
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
    code: Code,
    count: Value,
    sizes: Sequence[Value],
    unknown: Sequence[Value | None],
    known: Sequence[int | None],
    itemsize: int,
) -> list[Value]:
    """Return sizes whose product is `count`, the unknown one filled in; ValueError without any.

    `unknown` has, for each that may be the one, whether it is.
    """
    zero, one = code.number(0), code.number(1)
    own = [
        size if test is None else code.select(test, one, size)
        for size, test in zip(sizes, unknown, strict=True)
    ]
    product = _product(code, own, count, itemsize, (zero, one))
    good = _is_count(code, product, count)
    tests = [t for t in unknown if t is not None]
    if not tests:
        _require(code, good, count, sizes, known)
        return list(sizes)
    number = zero
    for test in tests:
        number = code.op(e.ADD, number, code.select(test, one, zero))
    message = "can only specify one unknown dimension"
    code.require(code.test(e.LE, number, one), "ValueError", message)
    rest = code.op(e.FLOORDIV, count, product.total)
    whole = code.test(e.EQ, code.op(e.MUL, rest, product.total), count)
    divides = code.both([product.fits, product.some, whole])
    _require(code, code.select(code.test(e.EQ, number, one), divides, good), count, sizes, known)
    return [
        size if test is None else code.select(test, rest, size)
        for size, test in zip(sizes, unknown, strict=True)
    ]


@record(eq=False)
class _Product:
    """The product of the sizes that are known, if it `fits`; `some` if none of them is 0."""

    total: Value
    fits: Value
    empty: Value  # whether there is no element to be given another shape
    none: Value
    some: Value


def _product(
    code: Code, sizes: Sequence[Value], count: Value, itemsize: int, ints: tuple[Value, Value]
) -> _Product:
    """Emit the product of sizes for an array of `count` elements; `ints` are 0 and 1."""
    zero, one = ints
    empty = code.test(e.EQ, count, zero)
    # Of an array without elements any size may be asked for that NumPy can describe.
    most = code.select(empty, code.number(shapes.MOST_BYTES // itemsize), count)
    total, fits = shapes.product_up_to(code, sizes, most)
    none = code.test(e.EQ, one, zero)
    for size in sizes:
        none = code.op(e.OR, none, code.test(e.EQ, size, zero))
    return _Product(total, fits, empty, none, code.op(e.NOT, none))


def _is_count(code: Code, product: _Product, count: Value) -> Value:
    """Emit whether an array of `count` elements can have the sizes of a product."""
    same = code.op(e.AND, product.some, code.test(e.EQ, product.total, count))
    return code.op(e.AND, product.fits, code.select(product.empty, product.none, same))


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
