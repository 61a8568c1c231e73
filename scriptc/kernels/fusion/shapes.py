"""Index spaces of array values, and the checks that broadcasting needs.

Checks are emitted where the source has the operation, before anything of it is computed, so an
exception comes where NumPy raises it however late the nest runs.
"""

from collections.abc import Sequence

from scriptc.kernels.code import Code
from scriptc.kernels.fusion.nodes import Axes, Axis
from scriptc_runtime.dims import broadcast
from scriptc_runtime.ir import Value
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.low import MOST_NUMBERS
from scriptc_runtime.types import TensorType


def axes_of(code: Code, array: Value) -> Axes:
    """Return the axes of an array in memory."""
    assert isinstance(array.type, TensorType)
    sizes = [code.size(array, i) for i in range(array.type.rank)]
    dims = array.type.dims
    return tuple(Axis(s, d, code.seems_one(s)) for s, d in zip(sizes, dims, strict=True))


def broadcast_axes(code: Code, spaces: Sequence[Axes]) -> Axes:
    """Return the space of operands broadcast together; ValueError where they do not fit."""
    result: Axes = ()
    conditions: list[Value] = []
    for space in spaces:
        result = _merge(code, result, space, conditions)
    if conditions:
        text, values = _shapes_text(spaces)
        message = f"operands could not be broadcast together with shapes {text}"
        code.require(code.both(conditions), "ValueError", message, *values)
    return result


def require_fits(code: Code, source: Axes, target: Axes) -> None:
    """Check that `source` broadcasts to exactly `target`; ValueError in NumPy's words if not."""
    conditions: list[Value] = []
    for own, other in zip(reversed(source), reversed(target), strict=False):
        if own.is_one or own.same(other):
            continue
        equal = code.test(e.EQ, own.size, other.size)
        one = code.test(e.EQ, own.size, code.number(1))
        conditions.append(code.op(e.OR, equal, one))
    if conditions:
        first, values = _shape_text(source)
        second, others = _shape_text(target)
        message = "could not broadcast input array"
        if len(values) + len(others) <= MOST_NUMBERS:
            message += f" from shape {first} into shape {second}"
            code.require(code.both(conditions), "ValueError", message, *values, *others)
        else:
            code.require(code.both(conditions), "ValueError", message)


def count_of(code: Code, axes: Sequence[Axis]) -> Value:
    """Return the number of elements of a space."""
    total = code.number(1)
    for axis in axes:
        total = code.op(e.MUL, total, axis.size)
    return total


def _merge(code: Code, first: Axes, second: Axes, conditions: list[Value]) -> Axes:
    long, short = (first, second) if len(first) >= len(second) else (second, first)
    head = long[: len(long) - len(short)]
    pairs = zip(long[len(head) :], short, strict=True)
    return (*head, *(_merge_axis(code, a, b, conditions) for a, b in pairs))


def _merge_axis(code: Code, first: Axis, second: Axis, conditions: list[Value]) -> Axis:
    if first.same(second) or second.is_one:
        return first
    if first.is_one:
        return second
    one = code.number(1)
    first_is_one = code.test(e.EQ, first.size, one)
    second_is_one = code.test(e.EQ, second.size, one)
    equal = code.test(e.EQ, first.size, second.size)
    conditions.append(code.op(e.OR, equal, code.op(e.OR, first_is_one, second_is_one)))
    dim, _ = broadcast(first.dim, second.dim)
    if dim.is_constant:
        return Axis(code.number(dim.constant), dim)
    both = first.seems_one and second.seems_one
    return Axis(code.select(first_is_one, second.size, first.size), dim, both)


def _shape_text(space: Axes) -> tuple[str, list[Value]]:
    inner = ",".join("{}" for _ in space)
    return f"({inner}{',' if len(space) == 1 else ''})", [a.size for a in space]


def _shapes_text(spaces: Sequence[Axes]) -> tuple[str, list[Value]]:
    texts = [_shape_text(space) for space in spaces]
    values = [v for _, vs in texts for v in vs]
    if len(values) > MOST_NUMBERS:
        return "that differ", []
    return " ".join(text for text, _ in texts) + " ", values
