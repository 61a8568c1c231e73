"""`hash()` of every kind of value, and what can be a key.

A number, a text and a tuple of these have an op. A tuple with other items has the hash that CPython
makes of theirs, and an object that of its class: what `__hash__` gives, that of the fields of a
dataclass, or where the object is.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import partial

from scriptc.check import dataclass_protocols, protocols
from scriptc.check.checked import CheckedClass, Computation, Convert, Literal
from scriptc.check.context import Context
from scriptc.check.conversion import converted
from scriptc.check.dispatch import Case
from scriptc.check.function_classes import is_of_module, number_of
from scriptc.check.library.standard import is_standard, standard_function
from scriptc.check.member_choices import by_member
from scriptc.check.members import find_member
from scriptc.check.named import enumerations
from scriptc.check.named_types import is_index_part
from scriptc.check.refusals import refuse
from scriptc.syntax.nodes import Node
from scriptc_runtime.named_classes import PLAIN_ENUM
from scriptc_runtime.ops import bigints, containers, data
from scriptc_runtime.recursive_types import RecursiveUnion
from scriptc_runtime.types import (
    BIGINT,
    BOOL,
    INT,
    NONE,
    STR,
    ClassType,
    DequeType,
    DictType,
    ListType,
    NamedType,
    OptionalType,
    PyType,
    SetType,
    TupleType,
    Type,
    UnionType,
    all_parts,
    is_hashable,
    is_tuple_of,
    parts_of,
)
from scriptc_runtime.unions import members_of

_KINDS = OptionalType | UnionType | TupleType
_WITHOUT = ListType | DictType | SetType | DequeType  # a hash


def may_be_key(context: Context, type_: Type, around: tuple[Type, ...] = ()) -> bool:
    """Whether values of a type can be keys of dicts, and items of sets.

    `around` are the types with themselves in tuples that it is a part of: their hashes have no end.
    """
    if isinstance(type_, RecursiveUnion):
        if type_ in around:
            return False
        around = (*around, type_)
    if isinstance(type_, ClassType):
        function = context.function_called(type_.name)
        return function is None or is_of_module(function)
    if is_index_part(type_):
        return False  # whether slices have hashes differs by version
    if isinstance(type_, OptionalType | UnionType):
        # The others raise TypeError, as they do in CPython.
        found = [m for m in members_of(type_) if not isinstance(m, _WITHOUT) or is_tuple_of(m)]
        return bool(found) and all(may_be_key(context, m, around) for m in found)
    if isinstance(type_, TupleType | NamedType) or is_tuple_of(type_):
        return all(may_be_key(context, part, around) for part in parts_of(type_))
    return is_hashable(type_)


def hash_of(context: Context, at: Node, value: Computation) -> Computation:
    """Return the hash of a value, as CPython has it."""
    match value.type:
        case NamedType():
            return _of_named(context, at, value, value.type)
        case ClassType():
            return _of_object(context, at, value)
        case OptionalType() | UnionType():
            found = by_member(context, at, value, partial(hash_of, context, at))
            assert found is not None  # all of them are ints
            return found
        case PyType.BIGINT:
            return context.apply(at, bigints.BIGINT_HASH, value)
        case SetType(frozen=True) | ListType(frozen=True):
            is_set = isinstance(value.type, SetType)
            place = ("hash_sets", "frozenset_hash") if is_set else ("hashes", "items_hash")
            return _standard(context, at, place[1], value, file=place[0])
        case TupleType(items) if not containers.has_hash(value.type):
            parts = [
                context.apply(at, data.ITEM, value, index=place) for place in range(len(items))
            ]
            codes = [hash_of(context, at, part) for part in parts]
            return _standard(context, at, "tuple_hash", context.apply(at, data.TUPLE, *codes))
        case DequeType():
            return _standard(context, at, "unhashable", Literal("collections.deque", STR))
        case ListType() | DictType() | SetType() as type_:
            name = "list" if isinstance(type_, ListType) else type_.name
            return _standard(context, at, "unhashable", Literal(name, STR))
        case type_ if containers.has_hash(type_):
            return context.apply(at, containers.HASH, value)
        case type_:
            context.fail(
                "argument",
                f"hash: {type_} has no hash in scripts",
                at,
                instead="numbers, strings, tuples, frozensets and objects have",
            )


def place_of(context: Context, at: Node, value: Computation) -> Computation:
    """Return what `id()` gives of an object: a number that no other object has meanwhile."""
    match value.type:
        case ClassType():
            return context.apply(at, containers.HASH, value)
        case OptionalType() | UnionType():
            found = by_member(context, at, value, partial(place_of, context, at))
            assert found is not None  # all of them are ints
            return found
        case type_ if type_ is NONE:
            return context.apply(at, containers.HASH, value)
        case type_:
            context.fail(
                "argument",
                f"id: {type_} has no identity in scripts",
                at,
                why="a copy of it may stand for it; objects of classes have one",
                instead="compare with ==, or keep a number with it",
            )


def require_shared(
    given: Sequence[Type], result: Type, classes: Mapping[str, CheckedClass]
) -> None:
    """Refuse keys that come from Python, and items of sets that go there, with another hash there.

    Those are objects whose hash is where they are, and flags: of these compiled code hashes the
    number.
    """
    found = [pair for type_ in given for pair in _keys_in(type_)]
    found += [pair for pair in _keys_in(result) if pair[1]]
    for key, of_set in found:
        parts = list(all_parts(key))
        names = [part.name for part in parts if isinstance(part, ClassType)]
        has_flags = any(isinstance(p, NamedType) and p.kind == "Flag" for p in parts)
        # Those of dicts that have an op are hashed anew.
        differs = has_flags and (of_set or not containers.has_hash(key))
        if differs or any(_is_by_place(classes[name].live) for name in names):
            raise refuse(
                "dict",
                f"{key} is a key, or an item of a set, of what passes between Python and a script",
                "a number or a name as the key",
                None,
                "it has another hash in Python than in compiled code",
            )


def _keys_in(type_: Type) -> Iterator[tuple[Type, bool]]:
    """Yield the types of keys in a type, and whether they are items of a set."""
    if isinstance(type_, SetType):
        yield type_.item, True
    if isinstance(type_, DictType):
        yield type_.key, False
    for part in parts_of(type_):
        yield from _keys_in(part)


def _is_by_place(live: type) -> bool:
    return find_member(live, "__hash__") is None


def _standard(
    context: Context, at: Node, name: str, value: Computation, *, file: str = "hashes"
) -> Computation:
    return context.call(at, standard_function(file, name), (value,))


def _of_named(context: Context, at: Node, value: Computation, type_: NamedType) -> Computation:
    """Return the hash of a member or a named tuple: of a member of Enum it is that of its name."""
    found = protocols.called(context, at, "__hash__", value)
    if found is not None:
        return found
    if is_index_part(type_):
        instead = "a tuple of the bounds"
        context.fail("argument", "hash: that of a slice differs by version", at, instead=instead)
    if type_.kind == "Flag" and not is_standard(context.function):
        instead = "hash(flag.value)"
        context.fail("argument", "hash: that of a flag differs by process", at, instead=instead)
    if type_.kind == PLAIN_ENUM:
        return context.apply(at, containers.HASH, enumerations.name_of(context, at, value))
    return hash_of(context, at, Convert(value, type_.base))


def _of_object(context: Context, at: Node, owner: Computation) -> Computation:
    assert isinstance(owner.type, ClassType)
    if function := context.function_called(owner.type.name):
        return Literal(number_of(function), INT)
    possible = context.possible_classes(at, owner.type.name)

    def written() -> Computation:
        found = protocols.by_class(context, at, "__hash__", owner, _made(context, at), _told)
        assert found is not None  # each class says something
        return found

    if not any(map(hashed_fields, possible)):
        return written()
    return dataclass_protocols.once(context, at, "__hash__", (owner,), written)


def _told(live: type) -> Hashable:
    """Return what tells classes apart by their hashes."""
    member = find_member(live, "__hash__")
    # Of a dataclass the text is that of all classes that it is written into.
    return None if member is None else (id(member.value), tuple(hashed_fields(live) or ()))


def _made(context: Context, at: Node) -> Callable[[Case], Computation]:
    def made(case: Case) -> Computation:
        fields = hashed_fields(case.live)
        if fields is not None:
            _, whole = dataclass_protocols.tuple_of(context, at, case.owner, fields)
            return hash_of(context, at, whole)
        member = find_member(case.live, "__hash__")
        if member is not None and member.value is None:
            return _standard(context, at, "unhashable", Literal(case.live.__name__, STR))
        found = protocols.call_in(context, at, "__hash__", case, ())
        if found is None:
            return context.apply(at, containers.HASH, case.owner)
        coded = None
        if set(members_of(found.type)) <= {INT, BOOL, BIGINT}:
            coded = by_member(context, at, found, coded_one) or coded_one(found)
        if coded is None:
            message = f"__hash__ returns {found.type}, not int"
            context.fail("result", message, at, instead="an int, such as hash((self.x, self.y))")
        return coded

    def coded_one(code: Computation) -> Computation:
        if code.type is BIGINT:
            return _standard(context, at, "any_object_hash", code)
        return _standard(context, at, "object_hash", converted(code, INT))

    return made


def hashed_fields(live: type) -> list[str] | None:
    """Return the fields that the hash of a dataclass is of; None where it has another."""
    return dataclass_protocols.fields_told(live, "__hash__", _counts)


def _counts(told: object) -> bool:
    own = getattr(told, "hash", None)
    return bool(getattr(told, "compare", True) if own is None else own)
