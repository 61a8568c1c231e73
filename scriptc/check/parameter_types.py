"""The one place that says which type a parameter has: what is declared of it, and what it is given.

Calls from Python and calls inside of a program ask here alike.
"""

from scriptc.check.checked import Computation
from scriptc.check.library.static_arguments import may_decide
from scriptc.check.named_types import plain_type
from scriptc.syntax import nodes as n
from scriptc_runtime.ops.classes import classes_widened
from scriptc_runtime.types import (
    BIGINT,
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    ClassType,
    DequeType,
    DictType,
    DType,
    ListType,
    NamedType,
    OptionalType,
    PyType,
    SetType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    holds_list,
    is_number,
    parts_of,
)
from scriptc_runtime.unions import base_among, members_of, union_of

# What stays as it is where a Python number is declared: NumPy's scalar of the same kind.
_KEPT = {(FLOAT, DType.F64), (INT, DType.I64), (BOOL, DType.B1), (COMPLEX, DType.C128), (INT, BOOL)}
# What is converted without a change of value.
_EXACT = {
    (INT, BOOL),
    (FLOAT, BOOL),
    (DType.F64, FLOAT),
    (DType.C128, COMPLEX),
    (DType.I64, INT),
    (DType.I64, BOOL),
    (DType.B1, BOOL),
    (INT, BIGINT),  # raises where 64 bits do not hold it
    (FLOAT, BIGINT),  # raises where a float does not
}


def parameter_type(declared: Type, given: Type) -> Type | None:
    """Return the type of a parameter declared so in a call that gives it `given`, None for none."""
    if isinstance(given, ClassType) and specialised(given, declared) == declared:
        return given  # an object of a class that inherits from what is declared
    return specialised(given, declared_for(declared, given))


def is_kept(given: Type, declared: Type) -> bool:
    """Whether `given` is NumPy's scalar of the Python number that is declared."""
    return (declared, given) in _KEPT


def specialised(given: Type, declared: Type) -> Type | None:
    """Return the type that a parameter declared so has for a value of `given`, None for none."""
    match declared, given:
        case _ if given == declared or is_kept(given, declared):
            return given
        case (UnionType(), _) | (_, UnionType()):
            return _specialised_union(given, declared)
        case ClassType(name), ClassType(bases=bases):
            return declared if name in bases else None
        case PyType() | DType(), PyType() | DType():
            exact = (declared, given) in _EXACT or (given is INT and declared in (BIGINT, FLOAT))
            return declared if exact else None
        case DictType(), DictType() if _is_dict_of(declared, given):
            return given
        case TensorType(dtype, dims), TensorType(other, sizes):
            return declared if dtype is other and len(dims) == len(sizes) else None
        case OptionalType(), _:
            return _specialised_optional(given, declared)
        case _, NamedType():
            return _specialised_named(given, declared)
        case TupleType(items), TupleType(others) if len(items) == len(others):
            inner = [specialised(o, i) for i, o in zip(items, others, strict=True)]
            known = tuple(i for i in inner if i is not None)
            return TupleType(known) if len(known) == len(items) else None
        case _:
            return _specialised_lengths(given, declared)


def _specialised_union(given: Type, declared: Type) -> Type | None:
    if isinstance(given, UnionType) and is_number(declared) and all(map(is_number, given.members)):
        taken = {specialised(member, declared) for member in given.members}
        return given if taken == {INT, BOOL} else declared if taken == {declared} else None
    if isinstance(given, TupleType):
        wider = next((m for m in members_of(declared) if _is_wider_tuple(m, given)), None)
        if wider is not None:
            return wider
    # What has fewer members stays so in a call, and an object of a class that inherits from one.
    is_heir = base_among(given, members_of(declared)) is not None
    return given if is_heir or union_of((declared, given)) == declared else None


def _is_wider_tuple(type_: Type, given: TupleType) -> bool:
    """Whether a tuple holds the items of another one as they are, some as members of unions."""
    if not isinstance(type_, TupleType) or len(type_.items) != len(given.items) or type_ == given:
        return False
    pairs = zip(type_.items, given.items, strict=True)
    return all(one == two or union_of((one, two)) == one for one, two in pairs)


def _is_dict_of(declared: DictType, given: DictType) -> bool:
    """Whether a dict is one of what is declared: annotations do not name factories."""
    if isinstance(declared.value, DictType) and isinstance(given.value, DictType):
        is_alike = declared.value == given.value or _is_dict_of(declared.value, given.value)
    else:
        is_alike = _specialised_lengths(given.value, declared.value) == given.value
    is_kind = declared.kind in ("dict", given.kind) and declared.factory in (None, given.factory)
    return is_alike and declared.key == given.key and is_kind


def _is_held(items: Type, declared: Type) -> bool:
    """Whether items stay as they are in a container that is declared so: ints do beside floats."""
    members = members_of(items)  # none of what says nothing yet
    kept = [one for one in members if one == declared or is_kept(one, declared)]
    beside = {INT} if declared is FLOAT and kept else set[Type]()
    return bool(kept) and {*members}.difference(kept) <= beside


def _specialised_lengths(given: Type, declared: Type) -> Type | None:
    """Return a type of containers in which tuples have one length, where any is declared."""
    if isinstance(declared, ListType) and declared.frozen and isinstance(given, TupleType):
        fits = all(_specialised_lengths(item, declared.item) == item for item in given.items)
        return given if fits else None
    if _is_held(given, declared):
        return given
    if not isinstance(given, ListType | DictType | SetType | DequeType | TupleType):
        return None
    if type(given) is not type(declared) or len(parts_of(given)) != len(parts_of(declared)):
        return None
    if getattr(given, "name", "") != getattr(declared, "name", ""):
        return None
    inner = map(_specialised_lengths, parts_of(given), parts_of(declared))
    return given if list(inner) == list(parts_of(given)) else None


def _specialised_optional(given: Type, declared: OptionalType) -> Type | None:
    if given is NONE:
        return declared
    if isinstance(given, OptionalType):
        inner = specialised(given.item, declared.item)
        # Behind the wrapping numbers alone are converted.
        return OptionalType(inner) if inner and _unconverted(inner, given.item) else None
    inner = specialised(given, declared.item)
    return OptionalType(inner) if inner else None


def _specialised_named(given: NamedType, declared: Type) -> Type | None:
    if isinstance(declared, NamedType):
        same = declared.name == given.name and specialised(given.base, declared.base)
        return declared if same == declared.base else None
    # A member of IntEnum where an int is declared stays one, as a named tuple does.
    is_plain = plain_type(given) is not given and specialised(given.base, declared) == given.base
    return given if is_plain else None


def declared_for(declared: Type, given: Type) -> Type:
    """Return what is declared of a parameter that is given a value of type `given`.

    `axis: int | None` is one of the two in each call: its value may decide on types then.
    """
    if not isinstance(declared, OptionalType):
        return declared
    if not (may_decide(declared.item) or holds_list(declared.item)):
        return declared
    if given is NONE:
        return NONE
    fits = not isinstance(given, OptionalType) and specialised(given, declared.item)
    return declared.item if fits else declared


def _unconverted(first: Type, second: Type) -> bool:
    widened = classes_widened(second, first) is not None
    return widened or is_number(first) == is_number(second)


def place_of(value: Computation, node: n.Node) -> n.Node:
    """Return where a value of a call stands: the call itself for what is computed."""
    place: object = getattr(value, "node", node)
    return place if isinstance(place, n.Node) else node
