"""Elements at places that are computed, `x[index]`: in bounds, or IndexError before one is read."""

from collections.abc import Sequence

from scriptc.analysis.remarks import Kind, Message, Named, Topic, remark
from scriptc.kernels.builder import Code
from scriptc.kernels.fusion import nests, schedule, shapes
from scriptc.kernels.fusion.nodes import Node, Source
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops import low
from scriptc_runtime.reserved import SHARED_PREFIX
from scriptc_runtime.types import BOOL

PLACES = Message(
    "fuse",
    Topic.CHECKS,
    Kind.NOTE,
    "every index is checked before the first element of {array} is read",
)


def check_places(code: Code, source: Node, places: Sequence[Node], take: Instr) -> None:
    """Emit the test of all places, and what raises IndexError for the first that is none.

    The exception names one of those of `axis`: the axes of the array before parts of it were taken.
    """
    array = source.array if isinstance(source, Source) else take.operands[0]
    remark(PLACES, take.loc, array=Named(array, {}))
    axes = take.attrs["axis"]
    assert isinstance(axes, tuple)
    for axis, own, index in zip(axes, source.axes, places, strict=False):
        _check_list(code, index, own.size, axis)


def _check_list(code: Code, index: Node, size: Value, axis: object) -> None:
    if not (isinstance(index, Source) and code.has_functions):
        _check(code, index, size, axis)
        return

    def check(inner: Code, params: Sequence[Value]) -> None:
        array, limit = params
        _check(inner, Source(array, shapes.axes_of(inner, array)), limit, axis)

    counted = str(axis).replace("-", "last")  # a name has no sign
    name = f"{SHARED_PREFIX}places.{index.dtype}.{counted}"
    code.shared(name, (index.array, size), check)


def _check(code: Code, index: Node, size: Value, axis: object) -> None:
    first = code.op(e.NEG, size)

    def run(emitter: nests.NestEmitter) -> Sequence[Value]:
        def is_outside(number: Value) -> Value:
            place = code.to_i64(emitter.element(index, (number,)))
            above = code.op(e.GE, place, size)
            if index.dtype.kind == "u":
                return above
            return code.op(e.OR, code.op(e.LT, place, first), above)

        # One thread runs it: it is little beside reading the elements.
        return [code.reduce("max", index.axes[0].size, is_outside, parallel=False)]

    (outside,) = schedule.emit_versions(code, nests.Group([nests.Root(index, None)], (), []), run)

    def refuse() -> Sequence[Value]:
        _refuse(code, index, size, axis)
        return ()

    code.choose(code.builder.emit(e.CAST, outside, loc=code.loc, to=BOOL), refuse, lambda: ())


def _refuse(code: Code, index: Node, size: Value, axis: object) -> None:
    if isinstance(index, Source):
        array = index.array
    else:
        (array,) = schedule.materialise(code, [index], versions=False)
    first = code.op(e.NEG, size)

    def look(number: Value, state: Value) -> Value:
        place = code.to_i64(code.op(low.LOAD, array, number))
        inside = code.both([code.test(e.GE, place, first), code.test(e.LT, place, size)])
        message = f"index {{}} is out of bounds for axis {axis} with size {{}}"
        code.require(inside, "IndexError", message, place, size)
        return state

    code.scan(index.axes[0].size, code.number(0), look)
