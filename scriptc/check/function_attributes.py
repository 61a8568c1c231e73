"""Attributes of functions and classes that are objects: `[c.__name__ for c in (Circle, Disk)]`."""

from types import FunctionType
from typing import NoReturn, cast

from scriptc.check import dispatch
from scriptc.check.bindings import Static, Typed
from scriptc.check.checked import Computation, Literal
from scriptc.check.closures import Closure, Definition
from scriptc.check.context import Context, Value, operand
from scriptc.check.desugar.decorators import wrapping
from scriptc.check.function_classes import SELF, FunctionValue
from scriptc.check.members import find_member
from scriptc.check.outside import live_attribute
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import data
from scriptc_runtime.types import STR

_NAMES = ("__name__", "__qualname__")


def function_attribute(
    context: Context, node: n.Attribute, base: Typed, value: FunctionValue
) -> Value:
    """Return an attribute of what an object stands for."""
    if value.is_method:
        return _of_method(context, node, base, value)
    if isinstance(value.target, Closure):
        return _text(context, node, _name_of_nested(context, node, value.target))
    name = getattr(value.target, node.attr, None)
    if isinstance(node.value, n.Name):
        return live_attribute(context, node, Static(value.target, context.span(node.value)))
    if node.attr not in _NAMES or not isinstance(name, str):
        _refuse(context, node, str(getattr(value.target, "__name__", value.target)))
    return _text(context, node, name)


def nested_name(context: Context, node: n.Attribute, base: Static) -> Typed | None:
    """Check `f.__name__` of a nested function; None for an attribute of anything else."""
    if not isinstance(base.value, Closure | Definition):
        return None
    name = Literal(_name_of_nested(context, node, base.value), STR)
    return context.constant(node, name, Typed(STR, context.span(node)))


def _name_of_nested(context: Context, node: n.Attribute, value: Closure | Definition) -> str:
    name, definition = value.function.__name__, context.syntax_of(value.function)[1]
    if node.attr == "__name__" and wrapping(definition):
        wrapped = _wrapped(definition, value)
        if isinstance(wrapped, Closure | Definition):
            return _name_of_nested(context, node, wrapped)
        if isinstance(wrapped, FunctionType):
            return wrapped.__name__
    if node.attr != "__name__" or wrapping(definition):
        _refuse(context, node, name)
    return "<lambda>" if name == "lambda" else name


def _wrapped(definition: n.FunctionDef, value: Closure | Definition) -> object:
    """Return the function whose name `functools.wraps` gives to one; None where none is known."""
    match definition.decorator_list:
        case (n.Call(args=(n.Name(id=name),)),) if isinstance(value, Closure):
            return dict(value.fixed).get(name)
        case _:
            return None


def _of_method(context: Context, node: n.Attribute, base: Typed, value: FunctionValue) -> Typed:
    """Return the name of a method as the class has it of which the object is."""
    method = cast(str, value.target)
    if node.attr not in _NAMES:
        _refuse(context, node, method)
    whole, type_ = operand(node.value, base), value.fields[SELF]
    owner = context.apply(node, data.FIELD, whole, name=SELF, type=type_)
    found = dispatch.cases(context, node, owner, lambda live: _name(live, method, node.attr))
    names: list[Computation] = []
    for case in found:
        name = _name(case.live, method, node.attr)
        names.append(Literal(name, STR) if name is not None else _refuse(context, node, method))
    chosen = dispatch.chosen(context, node, owner, found, names, node.attr)
    return context.record(node, [node.value], chosen)


def _name(live: type, method: str, attr: str) -> str | None:
    member = find_member(live, method)
    function = member and member.value
    return getattr(function, attr) if isinstance(function, FunctionType) else None


def _text(context: Context, node: n.Attribute, text: str) -> Typed:
    return context.record(node, [node.value], Literal(text, STR))


def _refuse(context: Context, node: n.Attribute, name: str) -> NoReturn:
    context.fail(
        "unknown-attribute",
        f"{node.attr!r} of the function {name} is not built",
        node,
        why="of nested functions and methods, and where only the run knows which it is, a script "
        "reads their own names",
        instead="its __name__, or a text that is kept beside it",
    )
