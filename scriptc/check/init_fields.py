"""Which fields an `__init__` sets, and those whose first value stands in the body of the class.

    class Counter:
        total = 0
        def add(self, n):
            self.total += n

What no method sets is a constant of the class.  What some method sets is a field, and each object
starts with the value of the class: `__init__` begins with `self.total = 0`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import FunctionType
from typing import cast

from scriptc.check.container_classes import ITEMS, container_of
from scriptc.check.desugar import kept_properties as desugar_kept_properties
from scriptc.check.desugar.inits import init_of
from scriptc.check.members import Member, bases_of, find_member
from scriptc.check.refusals import refuse
from scriptc.check.scopes import (
    assigned_fields,
    fields_assigned_in,
    plain_function,
    unsure_parts,
    walk,
)
from scriptc.syntax import nodes as n
from scriptc.syntax.functions import decorated_span
from scriptc.values import dataclass_members
from scriptc.values.class_attributes import changing_attributes, functions_in, stores
from scriptc_runtime.errors import Source

GETTER, SETTER = "@getter", "@setter"
MADE = "@made"  # the object of a base whose fields the `__init__` of a class takes
_PARTS = {"getter": "fget", "setter": "fset"}
# Parses a function.
Parse = Callable[[FunctionType], tuple[Source, n.FunctionDef]]
_SCALARS = (bool, int, float, str, type(None))


def called_methods(live: type, node: n.FunctionDef, parse: Parse) -> Iterator[FunctionType]:
    """Yield the methods of the object that a constructor calls, and those that these call."""
    return _called_in(live, node.body, owner_of(node), parse)


def _called_in(
    live: type, nodes: Iterable[n.Node], owner: str, parse: Parse, *, inits: bool = True
) -> Iterator[FunctionType]:
    """Yield the methods that a part of a constructor calls, with `inits` those of bases, too."""
    init = find_member(live, "__init__")
    waiting = [(nodes, owner, init.owner if init else live)]
    seen: set[n.FunctionDef] = set()
    while waiting:
        body, owner, around = waiting.pop()
        for inner in walk(body):
            member = _called_member(live, inner, owner, around)
            function = plain_function(member.value) if member else None
            if member is None or function is None:
                continue
            if function.__name__ == "__init__":
                if not (inits and used_anew(live, member.owner, parse)):
                    continue  # an object of the base is made for its fields
                function = init_of(member.owner, None) or function
            _, found = parse(function)
            if found not in seen:
                seen.add(found)
                waiting.append((found.body, owner_of(found), member.owner))
                yield function


def _called_member(live: type, node: n.Node, owner: str, around: type) -> Member | None:
    """Return the method that a call in a constructor, or in a method of `around`, is one of."""
    match node:
        case n.Call(func=n.Attribute(value=n.Name(id=name), attr=attr)) if name == owner:
            return find_member(live, attr)
        case n.Call(func=n.Attribute(value=n.Call(func=n.Name(id="super"), args=()), attr=attr)):
            return find_member(live, attr, around)
        case _:
            return None


def used_anew(live: type, base: type, parse: Parse) -> str | None:
    """Return what the `__init__` of a base uses of its object, and a class defines anew.

    A method or a constant, also one that an `__init__` further up uses, which that of the base may
    call; or the class itself.
    """
    if container_of(base):
        return ITEMS
    for cls in bases_of(base):
        init = init_of(cls, None) if "__init__" in vars(cls) else None
        if init is None:
            continue
        _, node = parse(init)
        functions = _called_in(cls, node.body, owner_of(node), parse, inits=False)
        for definition in (node, *(parse(function)[1] for function in functions)):
            for name in _used_in(definition):
                if name in _OF_CLASS or not _is_same(
                    find_member(live, name), find_member(cls, name)
                ):
                    return name
    return None


# What tells the class of an object.
_OF_CLASS = ("type", "isinstance", "__class__")


def _used_in(node: n.FunctionDef) -> Iterator[str]:
    """Yield the attributes of its object that a method uses, and what it asks for its class."""
    owner = owner_of(node)
    for inner in walk(node.body):
        match inner:
            case n.Attribute(value=n.Name(id=name), attr=attr) if name == owner:
                yield attr.partition("@")[0]
            case n.Call(func=n.Name(id="type" | "isinstance" as asked), args=(n.Name(id=name), *_)):
                if name == owner:
                    yield asked
            case n.Attribute(value=n.Call(func=n.Name(id="super")), attr=attr) if (
                attr != "__init__"
            ):
                yield attr
            case _:
                pass


def _is_same(one: Member | None, other: Member | None) -> bool:
    return one is other or (one is not None and other is not None and one.value is other.value)


def fields_set_in(live: type, nodes: Iterable[n.Node], owner: str, parse: Parse) -> frozenset[str]:
    """Return `owner.field` for each field that a part of a constructor assigns, calls included."""
    found = set(assigned_fields(nodes, owner))
    for function in _called_in(live, nodes, owner, parse):
        _, definition = parse(function)
        fields = fields_assigned_in(definition, owner_of(definition))
        found |= {f"{owner}.{field}" for field in fields}
    return frozenset(found)


def fields_in_cells(live: type, node: n.FunctionDef, parse: Parse) -> frozenset[str]:
    """Return the fields that need a cell in a constructor, as methods set them, as variables do."""
    functions = [node, *(parse(function)[1] for function in called_methods(live, node, parse))]
    found: set[str] = set()
    for definition in functions:
        for part in unsure_parts(definition.body):
            found |= fields_set_in(live, part, owner_of(definition), parse)
    return frozenset(f"{owner_of(node)}.{name.partition('.')[2]}" for name in found)


def fields_of_init(live: type, node: n.FunctionDef, parse: Parse) -> Sequence[str]:
    """Return the fields that a constructor and the methods that it calls assign."""
    found = fields_assigned_in(node, owner_of(node))
    for function in called_methods(live, node, parse):
        _, definition = parse(function)
        found += fields_assigned_in(definition, owner_of(definition))
    return list(dict.fromkeys(found))


def owner_of(node: n.FunctionDef) -> str:
    """Return what a method calls its object."""
    return node.args.args[0].arg if node.args.args else "self"


def method_of(live: type, name: str) -> FunctionType | None:
    """Return the method of a class, or of a base, None where it has none.

    With `SETTER` or `GETTER` behind the name of a property, that is what it is set and read by.
    """
    plain, at, kind = name.partition("@")
    member = find_member(live, plain)
    if member is None:
        return None
    if not at:
        return plain_function(member.value)
    is_property = isinstance(member.value, property)
    return plain_function(getattr(member.value, _PARTS[kind], None)) if is_property else None


def first_values(live: type) -> Mapping[str, object]:
    """Return the fields of a class that start with a value of the class, with those values."""
    written = [_written(cls) for cls in bases_of(live)]
    stored = {name for cls in written for name in _stored_by(cls)}
    for cls in written:
        _refuse_two_places(cls)
    found: dict[str, object] = {}
    for name in sorted(stored):
        owner = next((cls for cls in written if name in vars(cls)), None)
        if (
            owner is not None
            and dataclass_members.FIELDS not in vars(owner)
            and type(vars(owner)[name]) in _SCALARS
        ):
            found[name] = vars(owner)[name]
    kept = (
        desugar_kept_properties.kept_field(name)
        for cls in written
        for name, _ in desugar_kept_properties.kept_properties(cls)
    )
    held = container_of(live)
    return {**({ITEMS: held} if held else {}), **found, **dict.fromkeys(kept)}


def _refuse_two_places(cls: type) -> None:
    """Refuse an attribute that is stored in objects and in their class."""
    changing = changing_attributes(cls)
    for function, of_class in functions_in(cls) if changing else ():
        for name in changing.intersection(stored_in(function, of_class=of_class)):
            what = f"{name!r} of class {cls.__name__} is stored in the class and in objects"
            raise refuse("class-field", what, "two names for the two", decorated_span(function))


def _written(cls: type) -> type:
    """Return a class as it was written: a scripted one has descriptors for its fields."""
    found: object = vars(cls).get("python")
    return found if isinstance(found, type) else cls


def _stored_by(cls: type) -> Iterator[str]:
    """Yield the attributes that the methods of a class set, of whatever object."""
    for function, of_class in functions_in(cls):
        yield from stored_in(function, of_class=of_class)


def stored_in(function: FunctionType, *, of_class: bool = False) -> Iterator[str]:
    """Yield the attributes that a function sets, of whatever object; those of classes are none."""
    return (name for name, owner in stores(function, of_class) if owner is None)


def with_first_values(live: type, node: n.FunctionDef, late: Sequence[str] = ()) -> n.FunctionDef:
    """Return an `__init__` that sets the fields that start with a value of the class.

    The `late` ones, which a method sets later, start with None.
    """
    values = {**first_values(live), **dict.fromkeys(late)}
    if not values or not node.args.args:
        return node
    owner, lo, hi = node.args.args[0].arg, node.body[0].lo, node.body[0].hi
    first = [
        n.Assign(
            lo,
            hi,
            (n.Attribute(lo, hi, n.Name(lo, hi, owner), name),),
            _first_value(lo, hi, value),
        )
        for name, value in values.items()
    ]
    fields = {field: getattr(node, field) for field in n.field_names(node)}
    fields["body"] = (*first, *node.body)
    return n.FunctionDef(node.lo, node.hi, *fields.values())


def _first_value(lo: int, hi: int, value: object) -> n.Expression:
    if value is dict:
        return n.Dict(lo, hi, (), ())
    if value is list:
        return n.List(lo, hi, ())
    return n.Constant(lo, hi, cast("int | float | str | bool | None", value), None)
