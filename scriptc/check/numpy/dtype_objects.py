"""Dtypes as live objects: `x.dtype`, `np.dtype(...)`, their comparison, and the limits of numbers.

They are constants of a specialisation: nothing of them is left when the program runs.
"""

from collections.abc import Callable, Mapping
from typing import cast

import numpy as np

from scriptc.check.bindings import Known, Static, Typed
from scriptc.check.checked import Literal
from scriptc.check.context import Context
from scriptc.syntax import nodes as n
from scriptc_runtime.types import BOOL, FROM_NUMPY, STR, DType

NumPyDType = np.dtype[np.generic]


def _limits_of_ints(dtype: NumPyDType) -> object:
    return np.iinfo(dtype.char)


def _limits_of_floats(dtype: NumPyDType) -> object:
    return np.finfo(dtype.char)


def _itself(dtype: NumPyDType) -> object:
    return dtype


# What a call of NumPy's gives for a dtype.
MAKERS: Mapping[object, Callable[[NumPyDType], object]] = {
    np.dtype: _itself,
    np.iinfo: _limits_of_ints,
    np.finfo: _limits_of_floats,
}


def dtype_of(context: Context, node: n.Attribute, dtype: DType) -> Static:
    """Check `x.dtype`, of an array or a NumPy scalar."""
    base = node.value
    while isinstance(base, n.Attribute):
        base = base.value
    if not isinstance(base, n.Name):
        context.fail(
            "unsupported",
            "the dtype of an expression that must be computed is not built",
            node,
            why="a dtype is a constant, so what it is asked of would never run",
            instead="give the array a name first: y = x + 1; y.dtype",
        )
    return Static(dtype.numpy, context.span(node))


def check_function(context: Context, node: n.Call, function: object) -> Static | Typed:
    """Check `np.dtype(x)` and the like, and `np.issubdtype(x.dtype, kind)`."""
    if function is np.issubdtype:
        return _check_relation(context, node)
    if function is np.dtype and node.args and isinstance(node.args[0], n.List):
        return _written_dtype(context, node)
    if len(node.args) != 1 or node.keywords:
        context.fail("call-arity", "this takes one argument in scripts: a dtype", node)
    dtype = _meant(context, node.args[0])
    try:
        made = MAKERS[function](dtype.numpy)
    except ValueError as error:
        context.fail("dtype", str(error), node, instead="np.iinfo is for ints, np.finfo for floats")
    return Static(made, context.span(node))


def _check_relation(context: Context, node: n.Call) -> Typed:
    """Return whether a dtype is of a kind, which is known when the program is compiled."""
    if len(node.args) != 2 or node.keywords:
        context.fail("call-arity", "this takes two arguments in scripts", node)
    dtype = _meant(context, node.args[0])
    kind = context.expression(node.args[1])
    wanted = kind.value if isinstance(kind, Static) else None
    if not isinstance(wanted, type) and dtype_named(wanted) is None:
        context.fail(
            "dtype", "this is no kind of dtypes", node.args[1], instead="write np.floating"
        )
    is_kind = np.issubdtype(dtype.numpy, wanted)  # pyright: ignore[reportArgumentType]
    value = Typed(BOOL, context.span(node), known=Known(is_kind))
    return context.constant(node, Literal(is_kind, BOOL), value)


def _written_dtype(context: Context, node: n.Call) -> Static:
    aligned = False
    for keyword in node.keywords:
        given = keyword.value.value if isinstance(keyword.value, n.Constant) else None
        if keyword.arg != "align" or not isinstance(given, bool):
            context.fail("call-arity", "np.dtype takes a list and `align` in scripts", node)
        aligned = given
    if len(node.args) != 1:
        context.fail("call-arity", "np.dtype takes a list and `align` in scripts", node)
    assert isinstance(node.args[0], n.List)
    return of_fields(context, node.args[0], aligned=aligned)


def of_fields(context: Context, node: n.List, *, aligned: bool = False) -> Static:
    """Return the dtype that a list of fields is written for, as in `[("x", float), ("n", "i4")]`.

    A field is a name, what stands for a dtype and, if it has axes, their sizes.
    """
    try:
        made = np.dtype([_field(context, field) for field in node.elts], align=aligned)
    except (TypeError, ValueError) as error:
        context.fail("dtype", str(error), node, why="so NumPy says")
    return Static(made, context.span(node))


def _field(context: Context, node: n.Expression) -> tuple[str, NumPyDType, tuple[int, ...]]:
    parts = list(node.elts) if isinstance(node, n.Tuple) else []
    name = parts[0].value if parts and isinstance(parts[0], n.Constant) else None
    sizes = parts[2:]
    if sizes and isinstance(sizes[0], n.Tuple):
        sizes = sizes[0].elts
    shape = [size.value if isinstance(size, n.Constant) else None for size in sizes]
    if len(parts) not in (2, 3) or not isinstance(name, str) or not all(map(_is_size, shape)):
        context.fail(
            "dtype",
            "a field of a structured array is written as a name, a dtype and sizes",
            node,
            instead='write ("x", np.float64), or ("x", np.float64, (3,))',
        )
    return name, _meant(context, parts[1]).numpy, tuple(cast("list[int]", shape))


def _is_size(value: object) -> bool:
    return type(value) is int and value >= 0


def text_of(value: Static | Typed, conversion: str) -> Literal | None:
    """Return what str() gives of a dtype object, or repr(); None for any other value."""
    dtype = value.value if isinstance(value, Static) else None
    if not isinstance(dtype, np.dtype):
        return None
    dtype = cast(NumPyDType, dtype)
    return Literal(repr(dtype) if conversion in ("r", "a") else str(dtype), STR)


def comparison(context: Context, node: n.Compare) -> Typed | None:
    """Check `x.dtype == np.float32`; None where no dtype is compared."""
    sides = (node.left, *node.comparators)
    if len(sides) != 2 or node.ops[0] not in ("==", "!="):
        return None
    if not any(isinstance(side, n.Attribute) and side.attr == "dtype" for side in sides):
        return None
    if not any(isinstance(context.expression(side), Static) for side in sides):
        return None
    first, second = (_meant(context, side) for side in sides)
    same = (first is second) is (node.ops[0] == "==")
    value = Typed(BOOL, context.span(node), known=Known(same))
    return context.constant(node, Literal(same, BOOL), value)


def _meant(context: Context, node: n.Expression) -> DType:
    value = context.expression(node)
    if isinstance(value, Typed):
        dtype = dtype_named(value.known.value) if value.known else None
    else:
        dtype = dtype_named(value.value)
    if dtype is not None:
        return dtype
    context.fail(
        "dtype", "this is no dtype of numbers", node, instead="write np.float64, or x.dtype"
    )


def dtype_named(value: object) -> DType | None:
    """Return the dtype that a live object or a text stands for, as NumPy reads them."""
    if isinstance(value, np.dtype):
        return FROM_NUMPY.get(cast("np.dtype[np.generic]", value))
    if isinstance(value, type) and value in _DTYPE_OF:
        return FROM_NUMPY.get(_DTYPE_OF[value])
    if isinstance(value, str):
        try:
            return FROM_NUMPY.get(np.dtype(value))
        except TypeError:
            return None
    return None


# Abstract classes of NumPy's, such as np.integer, are no dtypes.
_DTYPE_OF: Mapping[type, np.dtype[np.generic]] = {
    **{np.dtype(code).type: np.dtype(code) for code in "?" + np.typecodes["AllInteger"]},
    **{np.dtype(code).type: np.dtype(code) for code in np.typecodes["AllFloat"]},
    **{kind: np.dtype(kind) for kind in (float, int, bool, complex)},
}
