"""Fields that have other types in other objects of a class, or in its base."""

from typing import NoReturn

from scriptc.check.bindings import Typed, merge_types
from scriptc.check.checked import CheckedClass
from scriptc.check.context import Context
from scriptc.check.outside_makers import is_rebuilding
from scriptc.check.refusals import refuse
from scriptc_runtime.errors import Span, TypeCheckError
from scriptc_runtime.types import ClassType, Type, all_parts

# Why a field that has another type in other objects is refused.
ONE_TYPE = "all instances of a class have fields of the same types"


def refuse_other_type(
    live: type, owner: type, name: str, types: tuple[Type, Type], merged: Typed, context: Context
) -> NoReturn:
    """Refuse a field that has another type in other objects, of a class or of a base, its owner.

    The next check may make objects of several classes in place of the one.
    """
    type_, known = types
    where = "other instances" if owner is live else f"instances of {owner.__name__}"
    holds_objects = any(isinstance(part, ClassType) for t in types for part in all_parts(t))
    is_last = context.learned.may_unite  # a union would have held both
    if is_last and not holds_objects and not is_rebuilding(context.function):
        context.rounds.split.note(live)
    context.fail(
        "class-field",
        f"the field {name!r} is {type_} here, and {known} in {where}",
        merged.span,
        why=ONE_TYPE,
        instead=f"annotate it in the class body: {merge_types(known, type_) or known}",
    )


def require_types_of_base(found: CheckedClass, base: CheckedClass) -> None:
    """Refuse a class whose fields have other types than those of its base."""
    for name, type_ in base.fields.items():
        own = found.fields[name]
        if own != type_:
            raise other_than_base(found.live, name, own, base.live, type_, None)


def other_than_base(
    live: type, name: str, type_: Type, base: type, known: Type, span: Span | None
) -> TypeCheckError:
    """Return the refusal of another type of a field than a base has."""
    what = f"the field {name!r} of class {live.__name__} is {type_}"
    message = f"{what}, and {known} in {base.__name__}, its base"
    both = merge_types(known, type_) or type_
    return refuse("class-field", message, f"annotate it in {base.__name__}: {both}", span)
