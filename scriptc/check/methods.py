"""Methods of lists and arrays."""

import difflib
from collections.abc import Mapping

from scriptc.check import (
    complex_numbers,
    numpy_functions,
    numpy_joining,
    numpy_making,
    numpy_picking,
    numpy_placing,
    numpy_reductions,
    numpy_shapes,
    numpy_sorting,
    numpy_ufuncs,
)
from scriptc.check.bindings import Typed, merge
from scriptc.check.checked import Literal
from scriptc.check.context import EMPTY_LIST, Context
from scriptc.check.library import Library, LibraryCall
from scriptc.check.operators import INDEX_TYPES, converted
from scriptc.check.subscripts import fit_item, refuse_borrowed
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import data
from scriptc_runtime.types import (
    INT,
    NONE,
    DType,
    ListType,
    OptionalType,
    TensorType,
    Type,
    is_number,
)


def _append(call: LibraryCall) -> Typed:
    context = call.context
    base, value = call.typed("list"), call.typed("value")
    refuse_borrowed(context, call.node, base, "written to")
    refuse_borrowed(context, call.nodes["value"], value, "stored")
    if base.open_list is not None:
        _learn(call, base, value)
    if base.type == EMPTY_LIST:
        context.facts.types[call.node] = NONE
        return Typed(NONE, context.span(call.node))
    assert isinstance(base.type, ListType)
    item = fit_item(context, call.node, call.operand("value"), base.type.item, value)
    return call.apply(data.LIST_APPEND, call.operand("list"), item)


def _learn(call: LibraryCall, base: Typed, value: Typed) -> None:
    """Note for the next pass what the list holds besides what is known already."""
    assert base.open_list is not None
    items = call.context.learned.items
    known = items.get(base.open_list)
    merged = value if known is None else merge(known, value)
    if merged is None:
        assert known is not None
        call.context.refuse_merge(
            f"the list holds {known.type} and cannot take {value.type}",
            call.nodes["value"],
            known,
            value,
            why="all items of a list have one type",
        )
    items[base.open_list] = merged


def _pop(call: LibraryCall) -> Typed:
    base = call.typed("list")
    refuse_borrowed(call.context, call.node, base, "written to")
    index = call.operand("index") if "index" in call.values else Literal(-1, INT)
    if index.type not in INDEX_TYPES:
        call.refuse(f"the index must be int, not {index.type}", call.nodes["index"])
    return call.apply(data.LIST_POP, call.operand("list"), converted(index, INT))


ARRAY_METHODS: Mapping[str, Library] = {
    **numpy_functions.ARRAY_METHODS,
    **numpy_reductions.METHODS,
    **numpy_shapes.METHODS,
    **numpy_joining.METHODS,
    **numpy_making.METHODS,
    **numpy_picking.METHODS,
    **numpy_placing.METHODS,
    **numpy_sorting.METHODS,
    **numpy_ufuncs.METHODS,
}
SCALAR_METHODS: Mapping[str, Library] = {
    **complex_numbers.METHODS,
    **numpy_ufuncs.METHODS,
    **{name: numpy_making.METHODS[name] for name in ("item",)},
}
LIST_METHODS: Mapping[str, Library] = {
    "append": Library("list.append", ("list", "value"), 2, _append),
    "pop": Library("list.pop", ("list", "index"), 1, _pop),
}


def find(context: Context, node: n.Call, type_: Type, name: str) -> Library:
    """Return the method `name` of values of `type_`, or refuse."""
    methods: Mapping[str, Library] = {}
    if isinstance(type_, ListType):
        methods = LIST_METHODS
    elif isinstance(type_, TensorType):
        methods = ARRAY_METHODS
    elif isinstance(type_, DType):
        methods = SCALAR_METHODS
    elif is_number(type_):
        methods = complex_numbers.METHODS
    if name in methods:
        return methods[name]
    close = difflib.get_close_matches(name, methods, 1)
    instead = f"it has {', '.join(methods)}" if methods else "write it with operators or loops"
    if isinstance(type_, OptionalType):
        instead = "test `is not None` first"
    if close:
        instead = f"did you mean {close[0]!r}?"
    context.fail(
        "unknown-method", f"{type_} has no method {name!r} in scripts", node.func, instead=instead
    )
