"""`e.args[i]`: what an argument is, the places where exceptions are made say.

    raise ValueError("too many", 3)       e.args[0] is a str, e.args[1] an int

The run finds which of several types it has.  What no place says is a text, as the messages of
what scripts raise by themselves are.
"""

from collections.abc import Sequence
from functools import partial

from scriptc.check.bindings import Typed
from scriptc.check.checked import Check, Computation, Convert, Literal, Select
from scriptc.check.context import Context, operand
from scriptc.check.members import exception_base
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import data, exceptions
from scriptc_runtime.types import INT, NONE, STR, ClassType, TupleType, Type
from scriptc_runtime.unions import members_of, union_of


def check_argument(context: Context, node: n.Subscript, base: Typed) -> Typed:
    """Check `e.args[i]`."""
    index = context.typed(node.slice)
    place = index.literals[0] if index.literals else None
    known = place if type(place) is int and place >= 0 else None
    type_ = _type_of(context, node, _classes(context, node.value), known)
    whole, number = operand(node.value, base), operand(node.slice, index)
    found = _argument(context, node, whole, number, type_)
    return context.record(node, [node.value, node.slice], found)


def any_argument(context: Context, at: n.Node, args: Computation, place: int) -> Computation:
    """Return the argument at a place of any exception."""
    type_ = _type_of(context, at, (BaseException,), place)
    return _argument(context, at, args, Literal(place, INT), type_)


def _type_of(context: Context, at: n.Node, classes: Sequence[type], place: int | None) -> Type:
    """Return the type of an argument at a place, or of any: a union where there are several."""
    told = [t for t in context.rounds.arguments.of(classes, place) if _is_read(t)]
    if set(told) <= {NONE} or not all(issubclass(live, KeyError) for live in classes):
        told.append(STR)
    found = union_of(told)
    if found is None:
        listed = " and ".join(sorted(map(str, told)))
        context.fail(
            "exception-value",
            f"this argument of an exception may be {listed}",
            at,
            why="no two tuples of one length are told apart",
            instead="str(e), or a class of exceptions of your own with a field for it",
        )
    return found


def _classes(context: Context, args: n.Expression) -> Sequence[type]:
    """Return the classes of which the exception may be whose arguments are asked for."""
    if not isinstance(args, n.Attribute):
        return (BaseException,)
    value = context.typed(args.value)
    if isinstance(value.type, ClassType):
        base = exception_base(context.class_named(value.type.name).live)
        return (base or BaseException,)
    name = args.value.id if isinstance(args.value, n.Name) else ""
    caught = next((c for variable, c in reversed(context.handled) if variable == name), ())
    return caught or (BaseException,)


def _is_read(type_: Type) -> bool:
    if isinstance(type_, TupleType):
        return all(_is_read(member) for item in type_.items for member in members_of(item))
    return type_ is NONE or type_ in exceptions.ARGUMENTS


def _argument(
    context: Context,
    at: n.Node,
    args: Computation,
    index: Computation,
    type_: Type,
    path: tuple[int, ...] = (),
) -> Computation:
    """Return an argument of an exception, or what it holds at a path, as a value of a type."""
    # None is looked for, as all that it is not the others raise for.
    *others, last = sorted(members_of(type_), key=lambda member: member is not NONE)
    read = partial(_read, context, at, args, index, path)
    found = Convert(read(last), type_) if others else read(last)
    for member in others:
        is_it = context.apply(at, exceptions.ARGUMENT_IS, args, index, type=member, path=path)
        found = Select(is_it, Convert(read(member), type_), found, type_)
    return found


def _read(
    context: Context,
    at: n.Node,
    args: Computation,
    index: Computation,
    path: tuple[int, ...],
    type_: Type,
) -> Computation:
    if type_ is NONE:
        return Literal(None, NONE)
    if isinstance(type_, TupleType):
        items = (
            _argument(context, at, args, index, item, (*path, k))
            for k, item in enumerate(type_.items)
        )
        found = context.apply(at, data.TUPLE, *items)
        is_it = context.apply(at, exceptions.ARGUMENT_IS, args, index, type=type_, path=path)
        return Check(is_it, "TypeError", exceptions.OTHER_ARGUMENT, found, type_)
    return context.apply(at, exceptions.EXCEPTION_ARGUMENT, args, index, type=type_, path=path)
