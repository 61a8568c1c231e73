"""Which attributes objects of a class have: fields, and the members of the class and its bases."""

from collections.abc import Mapping
from types import FunctionType

from scriptc.check.context import Context
from scriptc.check.function_classes import functions_in
from scriptc.check.members import PROPERTIES, bases_of
from scriptc.check.scopes import plain_function
from scriptc_runtime.record import record
from scriptc_runtime.types import NONE, Type
from scriptc_runtime.unions import members_of


@record(eq=False)
class Attribute:
    """What objects of a class have under a name: a field, or a member of a class."""

    is_function: bool  # or may be one
    is_property: bool = False
    is_late: bool = False
    is_stored: bool = False
    is_read: bool = False  # it is a property without a setter


def attributes_of(context: Context, live: type) -> Mapping[str, Attribute]:
    """Return the attributes of the objects of a class, but for those that all objects have."""
    declared = context.class_named(live.__name__)
    found: dict[str, Attribute] = {}
    for name in declared.names:
        type_ = declared.fields.get(name, NONE)
        is_late = name in declared.late
        found[name] = Attribute(_may_be_function(context, type_), is_late=is_late, is_stored=True)
    for cls in bases_of(live):
        written: object = vars(cls).get("python")
        for name, member in vars(written if isinstance(written, type) else cls).items():
            if name not in found and not _is_of_all(name):
                found[name] = _of_member(member)
    return found


def _is_of_all(name: str) -> bool:
    return (name.startswith("__") and name.endswith("__")) or name == "_abc_impl"


def _of_member(member: object) -> Attribute:
    is_property = isinstance(member, PROPERTIES)
    is_read = isinstance(member, property) and member.fset is None
    is_function = isinstance(member, staticmethod | classmethod | FunctionType)
    return Attribute(
        is_function or plain_function(member) is not None,
        is_property=is_property,
        is_stored=is_property and not is_read,
        is_read=is_read,
    )


def _may_be_function(context: Context, type_: Type) -> bool:
    return any(functions_in(member, context.function_called) for member in members_of(type_))
