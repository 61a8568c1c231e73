"""Exceptions as values: made by their class, asked for what they are, say, and come from."""

from collections.abc import Sequence

from scriptc.check import exception_kinds
from scriptc.check.bindings import Known, Static, Typed
from scriptc.check.checked import Computation, Convert, Literal, Select
from scriptc.check.context import Context, Value, operand
from scriptc.check.members import class_type, common_base, exception_base, is_users
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import data, elementwise, exceptions
from scriptc_runtime.types import (
    BOOL,
    EXCEPTION,
    EXCEPTION_CLASS,
    NONE,
    STR,
    ClassType,
    OptionalType,
)

_CLASSES = (EXCEPTION_CLASS, OptionalType(EXCEPTION_CLASS))
_OLDER = {"__cause__": "cause", "__context__": "context"}


def check_made(context: Context, node: n.Call, cls: type[BaseException]) -> Typed:
    """Check `ValueError(...)`, an exception that is not raised yet."""
    kind = exception_kinds.kind_of(context, node.func, cls)
    if node.keywords:
        context.fail(
            "exception-value",
            f"{kind} takes no keyword arguments in scripts",
            node.keywords[0],
            instead="give it all that it says by position",
        )
    given: list[Computation] = []
    for argument in node.args:
        value = context.typed(argument)
        given.append(exception_kinds.argument_of(context, argument, value, kind, len(given)))
    made = context.apply(node, exceptions.NEW_EXCEPTION, *given, kind=kind)
    return context.record(node, node.args, made)


def check_attribute(context: Context, node: n.Attribute, base: Typed) -> Value:
    """Check an attribute of an exception, or of the class of one."""
    whole = operand(node.value, base)
    if isinstance(base.type, ClassType):
        whole = exception_kinds.exception_in(context, node, whole)
    if base.type is EXCEPTION_CLASS:
        if node.attr in ("__name__", "__qualname__"):
            return context.record(node, [node.value], _text(context, node, whole, "name"))
    else:
        found = _of_exception(context, node, whole)
        if found is not None:
            return context.record(node, [node.value], found)
    context.fail(
        "unknown-attribute",
        f"{base.type} has no attribute {node.attr!r} that can be read in scripts",
        node,
        instead="str(e), e.args, type(e).__name__, e.__cause__ and e.__context__ can; more of it "
        "has an exception of a class of your own",
    )


def _of_exception(context: Context, node: n.Attribute, whole: Computation) -> Computation | None:
    if node.attr == "args":
        return context.apply(node, exceptions.ABOUT_EXCEPTION, whole, kind="args")
    if node.attr == "__class__":
        return context.apply(node, exceptions.ABOUT_EXCEPTION, whole, kind="class")
    if node.attr == "__traceback__":
        return context.apply(node, exceptions.EXCEPTION_TRACEBACK, whole)
    if node.attr == "__context__" and len(context.handled) > 1:
        context.fail(
            "exception-value",
            "the context of an exception is asked for while another one is being handled around",
            node,
            why="an exception gets it when it leaves the handler of the other one",
            instead="ask after that handler, or raise it `from` the other and ask for __cause__",
        )
    if node.attr in _OLDER:
        return context.apply(node, exceptions.OLDER_EXCEPTION, whole, kind=_OLDER[node.attr])
    return None


def _text(context: Context, at: n.Node, whole: Computation, kind: str) -> Computation:
    return context.apply(at, exceptions.EXCEPTION_TEXT, whole, kind=kind)


def check_type(context: Context, node: n.Call) -> Typed | None:
    """Check `type(e)` of an exception; None where it is of something else."""
    if len(node.args) != 1 or node.keywords:
        return None
    value = context.expression(node.args[0])
    if not isinstance(value, Typed):
        return None
    whole: Computation = operand(node.args[0], value)
    if isinstance(value.type, ClassType):
        if not exception_base(context.class_named(value.type.name).live):
            return None
        whole = exception_kinds.exception_in(context, node, whole)
    elif value.type is not EXCEPTION:
        return None
    found = context.apply(node, exceptions.ABOUT_EXCEPTION, whole, kind="class")
    return context.record(node, node.args, found)


def check_issubclass(context: Context, node: n.Call, classes: Sequence[type]) -> Typed | None:
    """Check `issubclass(type(e), ...)` or `issubclass(A, B)`; None for anything else."""
    value = context.expression(node.args[0])
    if isinstance(value, Static) and value.receiver is None and isinstance(value.value, type):
        try:
            known = issubclass(value.value, tuple(classes))
        except TypeError:  # a protocol says nothing of classes
            return None
        typed = Typed(BOOL, context.span(node), known=Known(known))
        return context.constant(node, Literal(known, BOOL), typed)
    if not isinstance(value, Typed) or value.type is not EXCEPTION_CLASS:
        return None
    return context.record(node, [node.args[0]], is_one_of(context, node, value, classes))


def check_exception_test(
    context: Context, node: n.Call, value: Typed, classes: Sequence[type]
) -> Typed:
    """Check `isinstance(e, ...)`; where it holds for objects of one class, `e` is one of them."""
    context.facts.instances.pop(node, None)
    common = common_base(classes)
    if common is not None:
        context.facts.instances[node] = (class_type(common),)
    return context.record(node, [node.args[0]], is_one_of(context, node, value, classes))


def is_one_of(context: Context, node: n.Call, value: Typed, classes: Sequence[type]) -> Computation:
    """Return whether an exception is one of some classes: only the run knows."""
    whole: Computation = operand(node.args[0], value)
    present = _present(context, node, whole)
    whole = _held(whole)
    result: Computation = Literal(any(issubclass(BaseException, c) for c in classes), BOOL)
    for cls in classes:
        if issubclass(cls, BaseException) and cls is not BaseException:
            test = _is_of(context, node, whole, cls)
            result = context.apply(node, elementwise.OR, result, test)
    return result if present is None else Select(present, result, Literal(False, BOOL), BOOL)


def _is_of(context: Context, node: n.Call, whole: Computation, cls: type) -> Computation:
    if is_users(cls):
        names = exception_kinds.names_below(context, cls, node.args[1])
        return context.apply(node, exceptions.IS_OBJECT, whole, classes=names)
    kind = exception_kinds.kind_of(context, node.args[1], cls)
    return context.apply(node, exceptions.IS_EXCEPTION, whole, kind=kind)


def _present(context: Context, at: n.Node, whole: Computation) -> Computation | None:
    """Return whether an optional value is there, None where it always is."""
    is_optional = isinstance(whole.type, OptionalType)
    return context.apply(at, data.HAS_VALUE, whole) if is_optional else None


def _held(whole: Computation) -> Computation:
    return Convert(whole, whole.type.item) if isinstance(whole.type, OptionalType) else whole


def check_same_class(context: Context, node: n.Compare) -> Typed | None:
    """Check `type(e) is ValueError` or `==`; None where no side is the class of an exception."""
    if len(node.ops) != 1 or node.ops[0] not in ("is", "is not", "==", "!="):
        return None
    sides = (node.left, node.comparators[0])
    if not any(isinstance(side, n.Call | n.Attribute | n.Name) for side in sides):
        return None
    if any(isinstance(side, n.Constant) for side in sides):
        return None
    values = [context.expression(side) for side in sides]
    if _is_none_and_class(*values):
        # An `__exit__` that is called without an exception.
        known = Literal(node.ops[0] in ("is not", "!="), BOOL)
        typed = Typed(BOOL, context.span(node), known=Known(known.value))
        return context.constant(node, known, typed)
    if not any(isinstance(v, Typed) and v.type in _CLASSES for v in values):
        return None
    texts = [_name_of(context, s, v) for s, v in zip(sides, values, strict=True)]
    if None in texts:
        return None
    left, right = (text for text in texts if text is not None)
    span = context.span(node)
    symbol = "==" if node.ops[0] in ("is", "==") else "!="
    same = context.compared(node, symbol, (Typed(STR, span), left), (Typed(STR, span), right))
    for side, value in zip(sides, values, strict=True):
        if isinstance(value, Typed) and isinstance(value.type, OptionalType):
            present = context.apply(node, data.HAS_VALUE, operand(side, value))
            same = Select(present, same, Literal(symbol == "!=", BOOL), BOOL)
    parts = [s for s, v in zip(sides, values, strict=True) if isinstance(v, Typed)]
    return context.record(node, parts, same)


def _is_none_and_class(*values: Value) -> bool:
    """Whether None is compared with a class of exceptions."""
    found = (v.value for v in values if isinstance(v, Static))
    classes = [live for live in found if isinstance(live, type)]
    nothing = [v for v in values if isinstance(v, Typed) and v.type is NONE]
    return bool(nothing) and any(issubclass(live, BaseException) for live in classes)


def _name_of(context: Context, node: n.Expression, value: Value) -> Computation | None:
    """Return a class by its full name, None where a value is no class."""
    if isinstance(value, Static):
        live = value.value
        if not isinstance(live, type):
            return None
        if is_users(live):
            return Literal(live.__name__, STR)  # as the text of such a class has it
        return Literal(f"{live.__module__}.{live.__qualname__}", STR)
    if value.type not in _CLASSES:
        return None
    return _text(context, node, _held(operand(node, value)), "class")
