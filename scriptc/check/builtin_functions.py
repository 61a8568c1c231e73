"""Python's builtin functions and those of `math`."""

import math
from collections.abc import Callable, Mapping

import numpy as np

from scriptc.check import operators
from scriptc.check.bindings import Known, Static, Typed, merge
from scriptc.check.checked import Apply, Check, Computation, Convert, Literal, Select
from scriptc.check.context import Context, operand
from scriptc.check.formats import format_value
from scriptc.check.library import Library, LibraryCall
from scriptc.check.operators import converted
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import arrays, data, elementwise
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    STR,
    ClassType,
    DType,
    ListType,
    OptionalType,
    PyType,
    TensorType,
    TupleType,
    Type,
    element_of,
    is_number,
)


def _len(call: LibraryCall) -> Typed:
    value = call.typed("x")
    whole = call.operand("x")
    match value.type:
        case PyType.STR:
            return call.apply(data.STR_LEN, whole)
        case ListType():
            return call.apply(data.LIST_LEN, whole)
        case TupleType(items):
            call.result(Literal(len(items), INT))
            return Typed(INT, call.context.span(call.node), known=Known(len(items)))
        case TensorType(_, dims) if dims:
            return call.apply(arrays.DIM, whole, axis=0)
        case _:
            call.refuse(f"{value.type} has no length", call.nodes["x"])


def _abs(call: LibraryCall) -> Typed:
    value = call.numeric("x")
    if element_of(value.type) is DType.B1:
        return call.result(value)
    return call.apply(elementwise.ABS, converted(value, INT) if value.type is BOOL else value)


def _scalar(call: LibraryCall) -> Computation:
    value = call.operand("x")
    if is_number(value.type):
        return value
    instead = "test `is not None` first" if isinstance(value.type, OptionalType) else ""
    call.refuse(f"x must be a number, not {value.type}", call.nodes["x"], instead)


def _int(call: LibraryCall) -> Typed:
    return call.result(to_int(_scalar(call)))


def to_int(value: Computation) -> Computation:
    """Return int(value): the cast from a Python float is the one that checks."""
    if isinstance(value.type, DType) and value.type.kind == "f":
        value = Convert(value, FLOAT)
    return converted(value, INT)


def _float(call: LibraryCall) -> Typed:
    return call.result(converted(_scalar(call), FLOAT))


def _bool(call: LibraryCall) -> Typed:
    whole = call.operand("x")
    return call.result(operators.truth_or_presence(call.context, call.node, whole))


def _str(call: LibraryCall) -> Typed:
    return call.result(format_value(call.context, call.node, call.operand("x"), "", "s"))


def _repr(call: LibraryCall) -> Typed:
    return call.result(format_value(call.context, call.node, call.operand("x"), "", "r"))


def _print(call: LibraryCall) -> Typed:
    texts = [
        format_value(call.context, call.nodes[name], call.operand(name), "", "s")
        for name in call.values
    ]
    return call.apply(data.PRINT, *texts)


def _extreme(symbol: str) -> Callable[[LibraryCall], Typed]:
    """Return the check of min or max of two values or more: the first of equal ones is kept."""

    def check(call: LibraryCall) -> Typed:
        names = list(call.values)
        if len(names) < 2:
            call.refuse(
                "only two values or more are built",
                instead="for an array use np.min or np.max, for a list a loop",
            )
        best, best_value = call.typed(names[0]), call.operand(names[0])
        for name in names[1:]:
            other, other_value = call.typed(name), call.operand(name)
            if not (is_number(best.type) and is_number(other.type)):
                call.refuse(f"no order between {best.type} and {other.type} is built")
            merged = merge(best, other)
            if merged is None:
                call.refuse(
                    f"the result is {best.type} or {other.type}",
                    call.nodes[name],
                    "convert one of them: float(x), int(x)",
                )
            sides = (other, other_value), (best, best_value)
            better = operators.comparison(call.context, call.node, symbol, *sides)
            better = operators.truth(call.context, call.node, better)
            type_ = merged.type
            chosen, kept = _as(other_value, type_), _as(best_value, type_)
            best, best_value = merged, Select(better, chosen, kept, type_)
        return call.result(best_value)

    return check


def _as(value: Computation, type_: Type) -> Computation:
    return value if value.type == type_ else Convert(value, type_)


def _loop_only(call: LibraryCall) -> Typed:
    call.refuse(
        "only a `for` loop can take it",
        instead=f"write for ... in {call.name}(...) where it is needed",
    )


def _math_argument(call: LibraryCall) -> tuple[Computation, Computation]:
    """Return the argument as a Python float, and as the NumPy scalar that the ops take."""
    value = converted(_scalar(call), FLOAT)
    return value, Convert(value, DType.F64)


def _test(call: LibraryCall, op: OpDef, *operands: Computation) -> Apply:
    return call.context.apply(call.node, op, *operands)


def _math_sqrt(call: LibraryCall) -> Typed:
    value, numpy = _math_argument(call)
    negative = _test(call, elementwise.LT, value, Literal(0.0, FLOAT))
    root = Convert(_test(call, elementwise.SQRT, numpy), FLOAT)
    valid = _test(call, elementwise.NOT, negative)
    return call.result(Check(valid, "ValueError", "math domain error", root, FLOAT))


def _math_log(call: LibraryCall) -> Typed:
    value, numpy = _math_argument(call)
    outside = _test(call, elementwise.LE, value, Literal(0.0, FLOAT))
    result = Convert(_test(call, elementwise.LOG, numpy), FLOAT)
    valid = _test(call, elementwise.NOT, outside)
    return call.result(Check(valid, "ValueError", "math domain error", result, FLOAT))


def _math_exp(call: LibraryCall) -> Typed:
    value, numpy = _math_argument(call)
    infinity = Literal(math.inf, FLOAT)
    result = Convert(_test(call, elementwise.EXP, numpy), FLOAT)
    finite = _test(call, elementwise.NE, result, infinity)
    allowed = _test(call, elementwise.EQ, value, infinity)
    valid = _test(call, elementwise.OR, finite, allowed)
    return call.result(Check(valid, "OverflowError", "math range error", result, FLOAT))


def _math_fabs(call: LibraryCall) -> Typed:
    value, _ = _math_argument(call)
    return call.apply(elementwise.ABS, value)


def _math_isnan(call: LibraryCall) -> Typed:
    value, _ = _math_argument(call)
    return call.apply(elementwise.NE, value, value)


def _one(name: str, check: Callable[[LibraryCall], Typed]) -> Library:
    return Library(name, ("x",), 1, check)


def _many(name: str, check: Callable[[LibraryCall], Typed]) -> Library:
    return Library(name, ("value",), 1, check, variadic=True)


TABLE: Mapping[object, Library] = {
    len: _one("len", _len),
    abs: _one("abs", _abs),
    int: _one("int", _int),
    float: _one("float", _float),
    bool: _one("bool", _bool),
    str: _one("str", _str),
    repr: _one("repr", _repr),
    print: _many("print", _print),
    min: _many("min", _extreme("<")),
    max: _many("max", _extreme(">")),
    range: _many("range", _loop_only),
    enumerate: _many("enumerate", _loop_only),
    zip: _many("zip", _loop_only),
    math.sqrt: _one("math.sqrt", _math_sqrt),
    math.log: _one("math.log", _math_log),
    math.exp: _one("math.exp", _math_exp),
    math.fabs: _one("math.fabs", _math_fabs),
    math.isnan: _one("math.isnan", _math_isnan),
}


def check_isinstance(context: Context, node: n.Call) -> Typed:
    """Check `isinstance(x, T)`, which is known once the types are."""
    if len(node.args) != 2 or node.keywords:
        context.fail("call-arity", "isinstance() takes two arguments", node)
    first, second = node.args
    value = context.typed(first)
    wanted = second.elts if isinstance(second, n.Tuple) else (second,)
    classes: list[object] = []
    for item in wanted:
        found = context.expression(item)
        if not isinstance(found, Static):
            context.fail("argument", "isinstance() takes classes", item)
        classes.append(found.value)
    if isinstance(value.type, OptionalType):
        if _matches(context, value.type.item, classes):
            present = context.apply(node, data.HAS_VALUE, operand(first, value))
            return context.record(node, [first], present)
        context.fail("optional", "this may be None", first, instead="test `is not None` first")
    known = _matches(context, value.type, classes)
    result = Typed(BOOL, context.span(node), known=Known(known))
    context.record(node, [first], Literal(known, BOOL))
    return result


def _matches(context: Context, type_: Type, classes: list[object]) -> bool:
    """Return whether values of `type_` are instances of one of `classes`."""
    match type_:
        case DType():
            live: type = type_.numpy.type
        case PyType() if type_ in _LIVE:
            live = _LIVE[type_]
        case ListType():
            live = list
        case TupleType():
            live = tuple
        case TensorType():
            live = np.ndarray
        case ClassType(name):
            live = context.class_named(name).live
        case _:
            return False
    return any(isinstance(c, type) and issubclass(live, c) for c in classes)


_LIVE: Mapping[Type, type] = {
    BOOL: bool,
    INT: int,
    FLOAT: float,
    STR: str,
    NONE: type(None),
}
