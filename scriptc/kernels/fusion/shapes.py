"""Index spaces of arrays in memory, how many elements they have, and how messages show them."""

from collections.abc import Sequence

from scriptc.kernels.builder import Code
from scriptc.kernels.fusion.nodes import Axes, Axis
from scriptc_runtime.ir import Value
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.low import MOST_NUMBERS
from scriptc_runtime.types import TensorType

MOST_BYTES = 2**63 - 1  # of an array, as NumPy says
TOO_BIG = (
    "array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum possible size."
)


def axes_of(code: Code, array: Value) -> Axes:
    """Return the axes of an array in memory."""
    assert isinstance(array.type, TensorType)
    sizes = [code.size(array, i) for i in range(array.type.rank)]
    dims = array.type.dims
    return tuple(Axis(s, d, code.seems_one(s)) for s, d in zip(sizes, dims, strict=True))


def count_of(code: Code, axes: Sequence[Axis]) -> Value:
    """Return the number of elements of a space, which is that of an array that there is."""
    total = code.number(1)
    for axis in axes:
        total = code.op(e.MUL, total, axis.size)
    return total


def product_up_to(code: Code, sizes: Sequence[Value], most: Value) -> tuple[Value, Value]:
    """Return the product of sizes, and whether it is at most `most`; it is meaningless if not.

    Sizes of 0 do not count. Whoever asks for sizes may ask for some that are too large to multiply,
    so each product is foreseen by a division. It is of use where no size is negative.
    """
    total, fits = code.number(1), code.test(e.LE, code.number(1), most)
    for size in sizes:
        own = code.op(e.MAXIMUM, size, code.number(1))
        fits = code.op(e.AND, fits, code.test(e.LE, own, code.op(e.FLOORDIV, most, total)))
        total = code.op(e.MUL, total, own)
    return total, fits


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
