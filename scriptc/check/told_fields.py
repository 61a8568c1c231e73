"""Fields of which an `__init__` does not say all: what the program puts in elsewhere says the rest.

    class Machine:
        def __init__(self):
            self.log = []           list[str], as fire() appends texts
            self.last = None        str | None, as fire() assigns one

        def fire(self, event: str):
            self.log.append(event)
            self.last = event

What is told makes the whole program be checked again with that type.
"""

from collections.abc import Iterator

from scriptc.check import declared_types, late_fields, outside
from scriptc.check.bindings import (
    Binding,
    Conflict,
    Maybe,
    Poisoned,
    Typed,
    forget_paths,
    united_types,
)
from scriptc.check.checked import CheckedClass, Computation, Stored
from scriptc.check.context import Context, UnknownTypeError
from scriptc.check.declared_displays import learn_declared
from scriptc.check.members import find_member
from scriptc.check.names import field_path, unites
from scriptc.check.open_parameters import leave_to_others, type_told
from scriptc.check.open_types import is_open
from scriptc.check.parameter_types import is_kept
from scriptc.check.refusals import is_scripted
from scriptc.check.told_items import learn_inferred
from scriptc.syntax import nodes as n
from scriptc_runtime.errors import TypeCheckError
from scriptc_runtime.record import replace
from scriptc_runtime.types import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    ClassType,
    DType,
    OptionalType,
    Type,
    UnionType,
)
from scriptc_runtime.unions import base_among, members_of, without_dims, without_none

_NUMBERS: frozenset[Type] = frozenset((BOOL, INT, FLOAT, COMPLEX))


def fields_at_end(context: Context, node: n.Node, head: n.Node) -> dict[str, Typed]:
    """Return the values of all fields where an `__init__` ends."""
    assert context.env is not None
    fields: dict[str, Typed] = {}
    for name in sorted(filter(context.is_field, context.locals)):
        binding, short = context.env.get(name), name.partition(".")[2]
        if isinstance(binding, Poisoned):
            raise UnknownTypeError
        if isinstance(binding, Typed) and is_open(binding.type):
            if short in context.inferred_fields and not is_open(context.inferred_fields[short]):
                raise context.not_known_yet(node)  # it is known in the next pass
            _leave_open(context, node, binding)
        is_late = not context.problems and _note_late(context, short, binding)
        if isinstance(binding, Maybe) and name in context.learned.cells and not is_late:
            binding = context.learned.cells[name]
            if binding is None:
                raise context.not_known_yet(node)
        if isinstance(binding, Conflict) and unites(context, name, binding.first, binding.second):
            raise context.not_known_yet(node)
        if not isinstance(binding, Typed):
            if context.problems:
                raise UnknownTypeError  # what is told already may be why
            context.fail(
                "class-field",
                f"the field {short!r} may have no value when __init__ ends",
                head,
                why="an instance has all its fields, each of one type",
                instead=f"assign self.{short} on every path of __init__",
            )
        fields[short] = binding
    return fields


def _note_late(context: Context, name: str, binding: Binding | None) -> bool:
    """Let a field be set later that some paths of an `__init__` leave unset, but not to None.

    Also one that a class without an `__init__` declares. Returns whether some paths set it.
    """
    owner = context.constructs
    if owner is None or not late_fields.may_be_set(owner, name):
        return False
    if binding is None and find_member(owner, "__init__") is None:
        context.rounds.fields.note_late(owner, name)
    value = binding.last if isinstance(binding, Maybe) else None
    if not isinstance(value, Typed) or NONE in members_of(value.type):
        return False
    context.rounds.fields.note_late(owner, name)
    return True


def _leave_open(context: Context, node: n.Node, value: Typed) -> None:
    """Let others say what a list holds."""
    if isinstance(value.type, OptionalType):
        return  # None, beside which others put lists
    if value.open_list is None:
        raise context.not_known_yet(node)
    leave_to_others(context, value)


def leave_open(context: Context, target: n.Attribute, value: Typed) -> None:
    """Let what follows say what a list holds that a field was given: it is read by its path."""
    assert context.env is not None
    _tell_beside_none(context, target, value)
    context.env = forget_paths(context.env, {target.attr})
    if path := field_path(context.env, target):
        context.env[path] = replace(value, is_path=True)


def _tell_beside_none(context: Context, target: n.Attribute, value: Typed) -> None:
    """Say that a field which holds None holds a list, too, of which nothing is known yet."""
    base = context.typed(target.value).type
    owner = context.class_named(base.name) if isinstance(base, ClassType) else None
    if owner is not None:
        late_fields.add_field(context, target, owner, value)
    held = owner and owner.fields.get(target.attr)
    if owner is not None and held is NONE:
        context.tell_field(owner.name, target.attr, replace(value, type=OptionalType(value.type)))
    elif isinstance(held, OptionalType):
        context.learn_items(value, Typed(held, value.span))


def narrow_field(context: Context, target: n.Attribute, value: Typed, type_: Type) -> None:
    """Note what is known of fields after one of them was written, maybe under another name."""
    assert context.env is not None
    context.env = forget_paths(context.env, {target.attr})
    path = field_path(context.env, target)
    if path and isinstance(type_, OptionalType) and not isinstance(value.type, OptionalType):
        held = NONE if value.type is NONE else type_.item
        context.env[path] = Typed(held, value.span, is_path=True)
    elif path and isinstance(type_, UnionType):
        held = base_among(value.type, type_.members) or without_dims(value.type)
        context.env[path] = Typed(held, value.span, is_path=True)


def tell_open_fields(context: Context) -> None:
    """Say what a function has put into fields that hold empty lists.

    The next check of the program knows it.
    """
    for owner, field, node, empty in _open_fields(context):
        told = type_told(context, (node, ()), empty)
        if not is_open(told):
            context.tell_field(owner, field, Typed(told, context.span(node)))


def refuse_open_fields(context: Context) -> None:
    """Refuse what needs to know what a field holds into which nothing is put."""
    if not (context.unknown or context.skipped):
        return
    outside.refuse_open_outside(context)
    for owner, field, node, _ in _open_fields(context):
        context.fail(
            "empty-list",
            f"nothing says what the field {field!r} of {owner} holds",
            node,
            why="its items have one type, told by what this program puts in",
            instead="annotate it in the class body",
        )


def _open_fields(context: Context) -> Iterator[tuple[str, str, n.Node, Type]]:
    """Yield the fields that hold empty lists as far as is known: class, name, place and type."""
    for name, node in context.learned.open_parameters.items():
        owner, _, field = ("", "", "") if name.startswith(outside.OUTSIDE) else name.partition(".")
        empty = context.class_named(owner).fields.get(field) if field else None
        if empty is not None and is_open(empty):
            yield owner, field, node, empty


def stored_in_field(
    context: Context, target: n.Attribute, declared: CheckedClass, value: Typed, type_: Type
) -> Computation:
    """Return a value as that of a field; one of another type says what the field is, too."""
    late_fields.require_value(context, target, declared, value)
    if learn_declared(context, value, without_none(type_)):
        raise context.not_known_yet(target)
    says_nothing = is_open(type_) or type_ is NONE
    # A number of NumPy stays one, as in variables: `self.last = 0.0` is an f64 then, too. Fields of
    # Python's objects stay floats.
    is_numpys = isinstance(value.type, DType) and not isinstance(type_, DType)
    is_numpys = is_numpys and not is_scripted(declared.live)
    if (says_nothing or is_numpys) and type_ != value.type and not is_open(value.type):
        context.tell_field(declared.name, target.attr, value)
    # An int stays one, where what the field holds is more than literals.
    held = without_none(type_)
    if {value.type, held} <= _NUMBERS and value.type != held:
        _tell_other(context, target, declared, value, type_)
    declared = context.class_named(declared.name)
    if target.attr in declared.outdated:
        raise context.not_known_yet(target)
    type_ = declared.fields.get(target.attr, type_)  # as it was told
    what = f"the field {target.attr!r}"
    try:
        return declared_types.store_as(context, target, value, Stored(value.type), type_, what)
    except TypeCheckError:
        _tell_other(context, target, declared, value, type_)
        raise


def bound_in_init(context: Context, target: n.Attribute, value: Typed) -> Typed:
    """Return what an `__init__` gives a field, as that holds it."""
    type_ = context.field_types.get(target.attr)
    inferred = context.inferred_fields.get(target.attr)
    if inferred is not None and learn_inferred(context, target, value, inferred):
        fits = united_types(inferred, value.type) == inferred or is_kept(value.type, inferred)
        type_ = inferred if fits else type_
    if type_ is None:
        return value
    what = f"the field {target.attr!r}"
    try:
        stored = declared_types.store_as(context, target, value, Stored(value.type), type_, what)
    except TypeCheckError:
        if context.constructs is not None:  # of a dict it may be told of which class it is
            context.tell_field(context.constructs.__name__, target.attr, value)
        raise
    context.facts.conversions[target] = stored
    return Typed(stored.type, value.span)


def _tell_other(
    context: Context, target: n.Attribute, declared: CheckedClass, value: Typed, type_: Type
) -> None:
    """Say that a field holds a value of another type, too; refuse it where a union would."""
    if context.tell_field(declared.name, target.attr, value):
        context.fail(
            "class-field",
            f"the field {target.attr!r} is {value.type} here, and {type_} elsewhere",
            target,
            why="a field has one type, or a union of some that tests tell apart",
            instead="annotate it in the class body, or convert the value",
        )
