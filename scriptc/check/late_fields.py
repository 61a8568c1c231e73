"""Fields that methods set, or others, and `__init__` does not: an object has them from then on.

    class Layer:
        def __call__(self, x):
            self.x = x                  reading layer.x before raises AttributeError
            return x @ self.weights

In the object such a field holds None until it is set, so that it cannot be set to None.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from types import FunctionType

from scriptc.check import init_fields
from scriptc.check.bindings import Typed
from scriptc.check.checked import Arm, Check, CheckedClass, Computation, Convert
from scriptc.check.context import Context, operand
from scriptc.check.ends_here import EndsHere
from scriptc.check.generics import view_name
from scriptc.check.members import bases_of, class_type, exception_base, find_member
from scriptc.check.operators import presence
from scriptc.check.refusals import is_scripted
from scriptc.check.scopes import fields_assigned_in, plain_function
from scriptc.syntax import nodes as n
from scriptc_runtime.errors import Diagnostic, ScriptError, TypeCheckError
from scriptc_runtime.types import NONE
from scriptc_runtime.unions import members_of, without_none


def late_fields(
    live: type, names: Sequence[str], shown: Collection[str], parse: init_fields.Parse
) -> Sequence[str]:
    """Return the fields that methods of a class, or of its bases, set and that are not in `names`.

    `shown` are those that a scripted class shows Python as its members. Exceptions have none.
    """
    if exception_base(live):
        return ()
    found: dict[str, None] = {}
    for function in _methods(live):
        known = {*names, *found}
        if all(name in known for name in init_fields.stored_in(function)):
            continue
        # What is not called need not be in the language.
        with suppress(ScriptError):
            _, node = parse(function)
            found |= dict.fromkeys(fields_assigned_in(node, init_fields.owner_of(node)))
    own = (f for f in found if f not in names)
    return [f for f in own if f in shown or find_member(live, f) is None]


def _methods(live: type) -> Iterator[FunctionType]:
    for cls in bases_of(live):
        for member in vars(cls).values():
            # Below what decorates a method is another one, as of `contextlib.contextmanager`.
            below = (getattr(member, name, None) for name in ("fget", "fset", "__wrapped__"))
            for part in (member, *below):
                function = plain_function(part)
                if isinstance(function, FunctionType):
                    yield function


def late_field(
    context: Context, node: n.Attribute, declared: CheckedClass, field: Computation
) -> Computation:
    """Return the value of such a field; the run raises where it has none.

    What `__init__` of a base leaves unset stays so in the object that is made of its fields.
    """
    is_copied = isinstance(node.value, n.Name) and node.value.id == init_fields.MADE
    if is_copied or context.rounds.fields.may_be_none(declared.live, node.attr):
        return field
    message = f"{declared.name!r} object has no attribute {node.attr!r}"
    if field.type is NONE:
        raise _never_set(context, node, declared, message)
    type_ = without_none(field.type)
    is_set = presence(context, node, field)
    return Check(is_set, "AttributeError", message, Convert(field, type_), type_)


def _never_set(
    context: Context, node: n.Attribute, declared: CheckedClass, message: str
) -> TypeCheckError:
    """Return the refusal of a field that nothing sets; of Python's objects, reading it raises."""
    said = Diagnostic(
        "class-field",
        f"the field {node.attr!r} of {declared.name} has no value here",
        context.span(node),
        "no method that sets it is called in this program",
        f"set it in __init__: self.{node.attr} = None",
    )
    if not is_scripted(declared.live):
        return TypeCheckError(said)
    found = EndsHere(said)
    found.node, found.raised = node, Arm(NONE, None, "AttributeError", message)
    return found


def add_field(context: Context, target: n.Attribute, declared: CheckedClass, value: Typed) -> None:
    """See to it that a class has what the program sets of its objects: the next check knows it."""
    if target.attr in ("__class__", "__dict__"):
        context.fail(
            "class-field",
            f"{target.attr!r} of an object is assigned",
            target,
            why="of which class an object is, and which fields it has, is known before it runs",
            instead="a field that says which state it is in, or an object of the other class",
        )
    if declared.is_function and target.attr not in declared.names:
        context.fail(
            "class-field",
            f"{target.attr!r} of a function is assigned",
            target,
            why="functions that a script makes hold the variables that they have captured alone",
            instead="leave it out, or write a class with a method __call__",
        )
    if target.attr not in declared.names and may_be_set(declared.live, target.attr):
        context.tell_field(declared.name, target.attr, value)
        raise context.not_known_yet(target)


def may_be_set(live: type, name: str) -> bool:
    """Whether objects of a class can be without an attribute until somebody sets it."""
    bases = bases_of(live)
    if exception_base(live) or view_name(live) or any(map(is_scripted, bases)):
        return False
    return find_member(live, name) is None and not any("__slots__" in vars(cls) for cls in bases)


def require_value(
    context: Context, target: n.Attribute, declared: CheckedClass, value: Typed
) -> None:
    """Refuse None in a field that holds None as long as it is not set.

    Unless nothing reads it before, so that nothing needs to tell the two apart.
    """
    if target.attr in declared.late and NONE in members_of(value.type):
        if context.rounds.fields.note_none(declared.live, target.attr):
            return
        first = " before it needs its object" if declared.hands_on else ""
        context.fail(
            "class-field",
            f"the field {target.attr!r} may be set to None, and __init__ does not set it{first}",
            target,
            why="where a field is not set, its object holds None for it",
            instead=f"set it in __init__{first}, too: self.{target.attr} = None",
        )


def set_by_now(context: Context, node: n.Attribute, field: str) -> Typed | None:
    """Return a field that a constructor may have left unset; None for any other."""
    found = (context.env or {}).get(field)
    if context.constructs is None or not isinstance(found, Typed) or found.type is NONE:
        return None
    if NONE not in members_of(found.type):
        return None
    declared = context.class_named(class_type(context.constructs).name)
    if node.attr not in declared.late:
        return None
    name = n.Name(node.lo, node.hi, field)
    kept = context.learned.spreads.setdefault((node, (field,)), name)
    value = operand(kept, context.typed(kept))
    return context.record(node, [kept], late_field(context, node, declared, value))
