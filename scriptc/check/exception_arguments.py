"""`e.args[i]`: what an argument is, the places where exceptions are made say.

    raise ValueError("too many", 3)       e.args[0] is a str, e.args[1] an int

The run finds which of several types it has.  What no place says is a text, as the messages of
what scripts raise by themselves are.
"""

from collections.abc import Callable, Sequence
from functools import partial

from scriptc.check.bindings import Typed
from scriptc.check.checked import Check, Computation, Convert, Literal, Select
from scriptc.check.context import Context, operand
from scriptc.check.members import is_users
from scriptc.check.wider_types import wider_type
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import data, exceptions
from scriptc_runtime.types import INT, NONE, STR, ClassType, TupleType, Type
from scriptc_runtime.unions import members_of, union_of


def check_argument(context: Context, node: n.Subscript, base: Typed) -> Typed:
    """Check `e.args[i]`."""
    index = context.typed(node.slice)
    place = index.literals[0] if index.literals else None
    known = place if type(place) is int and place >= 0 else None
    whole, number = operand(node.value, base), operand(node.slice, index)
    found = _of_told(context, node, whole, number, _classes(context, node.value), known)
    return context.record(node, [node.value, node.slice], found)


def any_argument(context: Context, at: n.Node, args: Computation, place: int) -> Computation:
    """Return the argument at a place of any exception."""
    return _of_told(context, at, args, Literal(place, INT), (BaseException,), place)


def _of_told(
    context: Context,
    at: n.Node,
    args: Computation,
    index: Computation,
    classes: Sequence[type],
    place: int | None,
) -> Computation:
    """Return an argument at a place, or any, as what the places where it is given say."""
    told = list(context.rounds.arguments.of(classes, place))
    read = [t for t in told if _is_read(t)]
    held: list[Type] = [t for t in told if exceptions.is_held(t)]
    if not {*read, *held} - {NONE} or not all(_says_all(live) for live in classes):
        read.append(STR)
    whole = _whole(context, at, (*read, *held))
    if not held:
        return _argument(context, at, args, index, whole)
    found: Computation | None = None
    if read:
        plain = _argument(context, at, args, index, _whole(context, at, read))
        found = _as(plain, whole)
    return _by_held_type(context, at, args, index, held, lambda v: _as(v, whole), found)


def _as(value: Computation, type_: Type) -> Computation:
    return value if value.type == type_ else Convert(value, type_)


def _by_held_type(
    context: Context,
    at: n.Node,
    args: Computation,
    index: Computation,
    held: Sequence[Type],
    compute: Callable[[Computation], Computation],
    found: Computation | None,
) -> Computation:
    """Return what is computed of an argument that is of one of several types, or else `found`."""
    for type_ in held:
        value = compute(context.apply(at, exceptions.HELD_ARGUMENT, args, index, type=type_))
        if found is None:
            found = value
            continue
        is_it = context.apply(at, exceptions.ARGUMENT_IS, args, index, type=type_, path=())
        found = Select(is_it, value, found, value.type)
    assert found is not None  # as there are types
    return found


def argument_text(
    context: Context, at: n.Node, args: Computation, index: Computation, kind: str
) -> Computation:
    """Return what `str` or `repr` gives of an argument of any exception."""
    told = context.rounds.arguments.of((BaseException,), None)
    held: list[Type] = [t for t in told if exceptions.is_held(t)]
    plain = context.apply(at, exceptions.ARGUMENT_TEXT, args, index, kind=kind)

    def text_of(value: Computation) -> Computation:
        return context.text(at, value, kind[0])

    return _by_held_type(context, at, args, index, held, text_of, plain)


def _says_all(live: type) -> bool:
    """Whether all arguments of exceptions of a class are told.

    Scripts raise others by themselves, but for KeyError, whose keys are told.
    """
    return is_users(live) or issubclass(live, KeyError)


def _whole(context: Context, at: n.Node, told: Sequence[Type]) -> Type:
    """Return the type of what is of one of several types."""
    found: Type | None = union_of(told)
    if found is None:
        found = told[0]
        for type_ in told[1:]:
            wider = wider_type(found, type_, (), (), may_unite=True, stays=True)
            if wider is None:
                found = None
                break
            found = wider
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
        return (context.class_named(value.type.name).live,)
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
