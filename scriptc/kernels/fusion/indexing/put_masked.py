"""Opens `put_masked`: a walk over the elements that takes the next value where the mask is true."""

from collections.abc import Sequence

from scriptc.kernels.builder import I64, Code
from scriptc.kernels.fusion import schedule
from scriptc.kernels.fusion.build import Context
from scriptc.kernels.fusion.indexing.masks import mask_mismatch
from scriptc.kernels.fusion.nodes import Axes, Map, Source
from scriptc_runtime.ir import Instr, Label, Value
from scriptc_runtime.ops import control, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.types import BOOL, TensorType

_COUNT = (
    "NumPy boolean array indexing assignment cannot assign {} input values to the {} output values "
    "where the mask is true"
)


def open_put_masked(context: Context, instr: Instr) -> None:
    """Emit the writing of values to the elements that a mask is true for."""
    code = context.code.at(instr.loc)
    target, mask, values = (context.array(v) for v in instr.operands)
    space = context.axes(target)
    require_mask(code, space, context.axes(mask))
    count = _count(code, mask, space, ())
    given = context.axes(values)[0].size
    single = code.test(e.EQ, given, code.number(1))
    fits = code.op(e.OR, single, code.test(e.EQ, given, count))
    code.require(fits, "ValueError", _COUNT, given, count)
    values, mask = (_apart(context, code, target, array) for array in (values, mask))
    step = code.select(single, code.number(0), code.number(1))
    _put(code, (target, mask, values), space, step, code.number(0), ())


def _apart(context: Context, code: Code, target: Value, array: Value) -> Value:
    """Return an array, or a copy where it may lie in what is written."""
    axes = context.axes(array)

    def copied() -> Sequence[Value]:
        assert isinstance(array.type, TensorType)
        copy = Map(None, {}, (Source(array, axes),), array.type.dtype, axes, code.loc)
        return schedule.materialise(code, [copy], versions=False)

    overlaps = code.op(low.MAY_OVERLAP, target, array)
    (result,) = code.choose(overlaps, copied, lambda: (array,))
    return result


def require_mask(code: Code, space: Axes, mask: Axes) -> None:
    """Check that a mask has the size of what it is for on every axis."""
    for axis, (own, other) in enumerate(zip(space, mask, strict=True)):
        if own.same(other):
            continue
        same = code.test(e.EQ, own.size, other.size)
        code.require(same, "IndexError", mask_mismatch(axis), own.size, other.size)


def _count(code: Code, mask: Value, space: Axes, index: Sequence[Value]) -> Value:
    if len(index) == len(space):
        return code.cast(code.op(low.LOAD, mask, *index), I64)
    size = space[len(index)].size
    return code.reduce("sum", size, lambda i: _count(code, mask, space, (*index, i)))


def _put(
    code: Code,
    arrays_: tuple[Value, Value, Value],
    space: Axes,
    step: Value,
    place: Value,
    index: Sequence[Value],
) -> Value:
    """Emit the walk over the axes from `index` on; return the place of the next value."""
    if len(index) < len(space):
        size = space[len(index)].size
        return code.scan(size, place, lambda i, p: _put(code, arrays_, space, step, p, (*index, i)))
    target, mask, values = arrays_
    chosen = code.builder.emit(e.CAST, code.op(low.LOAD, mask, *index), loc=code.loc, to=BOOL)
    label = Label("put")
    code.builder.open()
    value = code.op(low.LOAD, values, place)
    code.builder.effect(low.STORE, target, value, *index, loc=code.loc)
    code.builder.exit(label, code.op(e.ADD, place, step), loc=code.loc)
    put = code.builder.close()
    code.builder.open()
    code.builder.exit(label, place, loc=code.loc)
    left = code.builder.close()
    (after,) = code.builder.region(control.IF, (chosen,), (put, left), label, (I64,), code.loc)
    return after
