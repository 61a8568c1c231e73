"""Lists that came in as parameters: what scripts may not do to them."""

from collections.abc import Iterable, Sequence
from typing import NoReturn

from scriptc.check.bindings import (
    CAPTURED,
    KEYWORDS,
    NESTED,
    OUTSIDE_FUNCTIONS,
    OUTSIDE_OBJECTS,
    Typed,
)
from scriptc.check.checked import CheckedClass
from scriptc.check.context import Context
from scriptc.check.library.standard import is_standard
from scriptc.check.outside_makers import is_rebuilding
from scriptc.check.refusals import is_scripted
from scriptc.syntax import nodes as n
from scriptc.values.dataclass_members import MADE_FILE
from scriptc_runtime.errors import Diagnostic, Note, TypeCheckError
from scriptc_runtime.record import replace
from scriptc_runtime.types import (
    ClassType,
    Container,
    DictType,
    ListType,
    SetType,
    TupleType,
    Type,
    all_parts,
    holds_list,
)

_IN_A_FIELD = "kept in a field"
_IN_AN_EXCEPTION = "kept in a field of an exception"
# Objects may share a list with Python, exceptions may not: they leave with what they hold.
BY_EXCEPTION = Note("an exception that leaves the call holds copies of the lists in its fields")


def lent(context: Context, name: str, type_: Type) -> str | None:
    """Return what marks the value of a parameter that is the caller's list."""
    if is_standard(context.function) or not isinstance(type_, ListType | Container):
        return None
    held = type_.value if isinstance(type_, DictType) else type_.item
    if isinstance(type_, SetType | ListType) and type_.frozen:
        return name + NESTED if isinstance(type_, ListType) and holds_list(held) else None
    return name + NESTED if holds_list(held) else name


def refuse_borrowed(context: Context, at: n.Node, value: Typed, what: str) -> None:
    """Refuse to change or keep a list that came in as a parameter, where the caller would not see.

    When a call from Python ends, the caller's lists get what was written to their copies, and where
    one leaves it is the caller's own: so it may be written and kept wherever no object has it that
    outlives the call.
    """
    name = value.borrowed
    if name is None:
        return
    if name.startswith(OUTSIDE_OBJECTS):
        if is_rebuilding(context.function):
            return
        _refuse_of_objects(context, at, value, what)
    if name.startswith(CAPTURED):
        _use_captured(context, at, value, what)
        return
    if name == KEYWORDS:
        _refuse_keywords(context, at, what)
        return
    _note(context, name.removesuffix(NESTED), what)
    if not context.is_root or what in ("returned", "written to"):
        return
    diagnostic = _kept(context, at, value, what)
    if what == _IN_AN_EXCEPTION:
        raise TypeCheckError(replace(diagnostic, notes=(BY_EXCEPTION,)))
    if what == _IN_A_FIELD:
        raise TypeCheckError(diagnostic)
    context.given_lists.placed.append((diagnostic, value.type))


def refuse_kept(context: Context, target: n.Attribute, value: Typed) -> None:
    """Refuse that an object keeps what the caller has, if it may outlive the call."""
    if value.borrowed is None:
        return
    owner = context.constructs
    if owner is None or not (isinstance(target.value, n.Name) and target.value.id == context.owner):
        base = context.typed(target.value).type
        owner = context.class_named(base.name).live if isinstance(base, ClassType) else None
    what = "put into an object"
    if owner is None or _outlives(owner):
        is_exception = owner is not None and issubclass(owner, BaseException)
        what = _IN_AN_EXCEPTION if is_exception else _IN_A_FIELD
    refuse_borrowed(context, target, value, what)


def require_not_kept(
    placed: Sequence[tuple[Diagnostic, Type]], classes: Iterable[CheckedClass]
) -> None:
    """Refuse that lists of Python's are put where an object may get them that outlives the call."""
    if not placed:
        return
    outliving = [cls for cls in classes if _outlives(cls.live)]
    kept = _held_by(outliving)
    by_exceptions = _held_by([cls for cls in outliving if issubclass(cls.live, BaseException)])
    for diagnostic, type_ in placed:
        if type_ in by_exceptions:
            raise TypeCheckError(replace(diagnostic, notes=(BY_EXCEPTION,)))
        if type_ in kept:
            raise TypeCheckError(diagnostic)


def note_parts(context: Context, at: n.Node, name: str, type_: Type) -> None:
    """Note the lists in tuples that a parameter of a call by Python holds: nothing else tells."""
    if not context.is_root:
        return
    for tuple_type in all_parts(type_):
        if isinstance(tuple_type, TupleType) or (
            isinstance(tuple_type, ListType) and tuple_type.frozen
        ):
            for part in all_parts(tuple_type):
                if _is_changeable(part):
                    value = Typed(part, context.span(at), borrowed=name + NESTED)
                    placed = _kept(context, at, value, _IN_A_FIELD), part
                    context.given_lists.placed.append(placed)


def _is_changeable(type_: Type) -> bool:
    is_frozen = isinstance(type_, ListType | SetType) and type_.frozen
    return isinstance(type_, ListType | DictType | SetType) and not is_frozen


def _held_by(classes: Iterable[CheckedClass]) -> set[Type]:
    """Return the types of all that objects of some classes hold."""
    types = [type_ for cls in classes for type_ in cls.fields.values()]
    return {part for type_ in types for part in all_parts(type_)}


def _outlives(cls: type) -> bool:
    """Whether objects of a class outlive a call: Python holds them, or catches them."""
    return is_scripted(cls) or issubclass(cls, BaseException)


def _kind(type_: Type) -> str:
    return type_.name if isinstance(type_, Container) else "list"


def _note(context: Context, parameter: str, what: str) -> None:
    """Note what a function does with a list that it is given, for those that call it."""
    if what == "returned":
        context.given_lists.lends = True
    elif what == "written to":
        context.given_lists.written.add(parameter)
    else:
        context.given_lists.kept[parameter] = what


def _use_captured(context: Context, at: n.Node, value: Typed, what: str) -> None:
    """Note or refuse what is done with a container outside that holds no objects."""
    if (value.borrowed or "").startswith(OUTSIDE_FUNCTIONS):
        if what == "written to":
            _refuse_of_functions(context, at, value)
    elif what not in ("returned", "written to"):
        _place_captured(context, at, value, what)


def _place_captured(context: Context, at: n.Node, value: Typed, what: str) -> None:
    """Note that a container outside is put somewhere; refuse it where an object may outlive it."""
    name, kind = (value.borrowed or "").removeprefix(CAPTURED), _kind(value.type)
    diagnostic = Diagnostic(
        "captured-value",
        f"the global {kind} {name!r}, or one in it, cannot be {what}",
        context.span(at),
        "an object that outlives the call would have a copy, which Python would not see",
        f"a copy of its own: {name}.copy(), or {kind}(...) of one in it",
    )
    if what in (_IN_A_FIELD, _IN_AN_EXCEPTION):
        raise TypeCheckError(diagnostic)
    context.given_lists.placed.append((diagnostic, value.type))


def _refuse_of_objects(context: Context, at: n.Node, value: Typed, what: str) -> NoReturn:
    kind = _kind(value.type)
    context.fail(
        "captured-value",
        f"a {kind} outside that holds objects cannot be {what}",
        at,
        why="Python has other objects than the call, which makes some that are like them",
        instead=f"a copy of its own, {kind}(...) of it, or a {kind} that the script makes",
    )


def _refuse_of_functions(context: Context, at: n.Node, value: Typed) -> NoReturn:
    name = (value.borrowed or "").removeprefix(OUTSIDE_FUNCTIONS)
    context.fail(
        "captured-value",
        f"the table of functions {name!r} outside cannot be written to",
        at,
        why="which functions it holds is known before the program runs, and compiled in",
        instead=f"fill it before the first call, or write to a copy: dict({name})",
    )


def _refuse_keywords(context: Context, at: n.Node, what: str) -> None:
    if what != "returned":
        context.fail(
            "list-parameter",
            f"the dict of the arguments that `**` took cannot be {what}",
            at,
            why="it is made where it is asked for, so it would be seen once",
            instead="a dict of its own, dict(kwargs)",
        )


def _kept(context: Context, at: n.Node, value: Typed, what: str) -> Diagnostic:
    """Return what is said where an object that outlives the call may get what the caller has."""
    name, kind = value.borrowed or "", _kind(value.type)
    plain, is_part = name.removesuffix(NESTED), name.endswith(NESTED)
    instead = f"put a copy there: {'.copy() of it' if is_part else f'{plain}.copy()'}"
    if context.source.file.startswith(MADE_FILE) and not is_part:
        instead = (
            f"an __init__ in the class, with self.{plain} = list({plain}); a tuple; or a"
            " default_factory, and a method that puts the items in"
        )
    return Diagnostic(
        "list-parameter",
        f"{f'a {kind} in the parameter' if is_part else f'the {kind} parameter'} {plain!r}"
        f" cannot be {what}",
        context.span(at),
        f"in Python it would be the caller's own {kind}, and an object that outlives the call would"
        " have a copy",
        instead,
    )
