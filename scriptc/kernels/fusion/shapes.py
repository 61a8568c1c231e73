"""Index spaces of arrays in memory, how many elements they have, and how messages show them."""

from collections.abc import Sequence

from scriptc.kernels.code import Code
from scriptc.kernels.fusion.nodes import Axes, Axis
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


def count_of(code: Code, axes: Sequence[Axis]) -> Value:
    """Return the number of elements of a space."""
    total = code.number(1)
    for axis in axes:
        total = code.op(e.MUL, total, axis.size)
    return total


def shape_text(space: Axes) -> tuple[str, list[Value]]:
    """Return a shape as the text of a message, and the sizes for it."""
    inner = ",".join("{}" for _ in space)
    return f"({inner}{',' if len(space) == 1 else ''})", [a.size for a in space]


def shapes_text(spaces: Sequence[Axes]) -> tuple[str, list[Value]]:
    """Return the shapes of operands as the text of a message, and the sizes for it."""
    texts = [shape_text(space) for space in spaces]
    values = [v for _, vs in texts for v in vs]
    if len(values) > MOST_NUMBERS:
        return "that differ", []
    return " ".join(text for text, _ in texts) + " ", values
