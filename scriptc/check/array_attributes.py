"""Attributes of arrays: their sizes, and what NumPy's arrays have besides."""

from collections.abc import Mapping
from typing import NoReturn

from scriptc.check.bindings import Known, Static, Typed
from scriptc.check.checked import Computation, Literal
from scriptc.check.context import Context, Value, operand
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import arrays, data, elementwise, reshaping
from scriptc_runtime.types import INT, DType, OptionalType, TensorType, Type

_OUTSIDE = "read it outside, and pass in what the script needs of it"
# What NumPy's array objects have besides, with the reason why arrays of scripts do not.
_OF_OBJECTS: Mapping[str, tuple[str, str]] = {
    "base": (
        "a view keeps its memory alive, not the array that it was made from",
        "np.shares_memory(x, y) outside; in the script x.copy() where its own memory is needed",
    ),
    "flags": ("how an array lies in memory is no part of its value", _OUTSIDE),
    "strides": ("how an array lies in memory is no part of its value", _OUTSIDE),
    "data": ("a script has no buffers and no addresses", _OUTSIDE),
    "ctypes": ("a script has no buffers and no addresses", _OUTSIDE),
    "device": ("a script runs where its arrays are", _OUTSIDE),
}


_OF_NUMBERS = ("itemsize", "nbytes", "ndim", "shape", "size")


def array_attribute(
    context: Context, node: n.Attribute, base: Typed, type_: TensorType | DType
) -> Value:
    """Return what `x.name` of an array is, or of a number of NumPy's, which is like one."""
    if isinstance(type_, TensorType):
        return _of_array(context, node, base, type_)
    if node.attr == "T":
        return context.record(node, [node.value], operand(node.value, base))
    if node.attr in _OF_NUMBERS:
        return _of_array(context, node, base, TensorType(type_, ()))
    return Static(node.attr, context.span(node), (node.value, base))


def _of_array(context: Context, node: n.Attribute, base: Typed, type_: TensorType) -> Value:
    whole = operand(node.value, base)
    match node.attr:
        case "shape":
            sizes = [context.apply(node, arrays.DIM, whole, axis=a) for a in range(type_.rank)]
            return context.record(node, [node.value], context.apply(node, data.TUPLE, *sizes))
        case "ndim":
            value = Typed(INT, context.span(node), known=Known(type_.rank))
            if isinstance(node.value, n.Name):
                return context.constant(node, Literal(type_.rank, INT), value)
            context.record(node, [node.value], Literal(type_.rank, INT))
            return Typed(INT, context.span(node))
        case "size":
            size = _element_count(context, node, whole, type_)
            return context.record(node, [node.value], size)
        case "itemsize" if isinstance(node.value, n.Name):
            value = Typed(INT, context.span(node), known=Known(type_.dtype.itemsize))
            return context.constant(node, Literal(type_.dtype.itemsize, INT), value)
        case "nbytes":
            size = _element_count(context, node, whole, type_)
            item = Literal(type_.dtype.itemsize, INT)
            return context.record(
                node, [node.value], context.apply(node, elementwise.MUL, size, item)
            )
        case "mT" if type_.rank > 1:
            order = (*range(type_.rank - 2), type_.rank - 1, type_.rank - 2)
            turned = context.apply(node, arrays.TRANSPOSE, whole, order=order)
            return context.record(node, [node.value], turned)
        case "T":
            order = tuple(reversed(range(type_.rank)))
            turned = context.apply(node, arrays.TRANSPOSE, whole, order=order)
            return context.record(node, [node.value], turned)
        case name if name in _OF_OBJECTS:
            why, instead = _OF_OBJECTS[name]
            message = f"{name!r} of an array cannot be read in scripts"
            context.fail("unknown-attribute", message, node, why=why, instead=instead)
        case _:
            return Static(node.attr, context.span(node), (node.value, base))


def _element_count(
    context: Context, node: n.Attribute, whole: Computation, type_: TensorType
) -> Computation:
    size: Computation = Literal(1, INT)
    for axis in range(type_.rank):
        extent = context.apply(node, arrays.DIM, whole, axis=axis)
        product = context.apply(node, elementwise.MUL, size, extent)
        size = extent if axis == 0 else product
    return size


def refuse_assignment(context: Context, target: n.Attribute, type_: Type) -> NoReturn:
    """Refuse `x.attribute = value` where `x` is no object of a class."""
    ways = {
        **dict.fromkeys(("real", "imag"), f"write its elements: z.{target.attr}[...] = value"),
        "dtype": "y = x.astype(...), which converts; x.view(...) outside, and pass that in",
        "shape": "give the array a name, and set the shape of that: y = ...; y.shape = ...",
    }
    if isinstance(type_, OptionalType):
        message = f"{target.attr!r} of what may be None is updated"
        context.fail("optional", message, target, instead="test `is not None` first")
    of_arrays = ways.get(target.attr, "write its elements, x[...] = value, or use a variable")
    context.fail(
        "assignment",
        f"{target.attr!r} of {type_} is not assigned in scripts",
        target,
        why="only objects of classes have fields",
        instead=of_arrays if isinstance(type_, TensorType) else "use a variable",
    )


def flat_of(context: Context, node: n.Expression) -> Typed | None:
    """Check `x.flat` where its elements are read one by one, None for anything else.

    Elsewhere it is refused: written to, it would have to be a view, which there is not of each x.
    """
    if not isinstance(node, n.Attribute) or node.attr != "flat":
        return None
    base = context.expression(node.value)
    if not isinstance(base, Typed) or not isinstance(base.type, TensorType):
        return None
    whole, all_of_them = operand(node.value, base), Literal(-1, INT)
    line = context.apply(node, reshaping.RESHAPE, whole, all_of_them, dims=(None,), dense=True)
    return context.record(node, [node.value], line)
