"""What is known of a value or a variable at one place of a function, and how two paths join."""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from types import EllipsisType

import numpy as np

from scriptc.check.checked import Scalar
from scriptc.syntax.nodes import Expression, Node
from scriptc_runtime.bits import bits_of, same_bits
from scriptc_runtime.dims import merge as merge_dims
from scriptc_runtime.errors import Span
from scriptc_runtime.named_classes import NAMED_TUPLE
from scriptc_runtime.record import record, replace
from scriptc_runtime.recursive_types import has_one_list, item_alone
from scriptc_runtime.types import (
    BIGINT,
    BOOL,
    COMPLEX,
    COMPLEX_DTYPES,
    FLOAT,
    INT,
    INTEGERS,
    NONE,
    ClassType,
    DType,
    ListType,
    NamedType,
    OptionalType,
    PyType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    holds_int,
    is_tuple_of,
    parts_of,
)
from scriptc_runtime.unions import members_of, union_of

# What follows the name of a list parameter that holds lists: these are not written back.
NESTED = "[]"
# What precedes the name of a global list: a script reads it alone.
CAPTURED = "global "
# The same of one that holds objects of classes without @script.
OUTSIDE_OBJECTS = f"{CAPTURED}objects "
# The same of a dict or tuple of functions, which each function makes that reads it.
OUTSIDE_FUNCTIONS = f"{CAPTURED}functions "
# What stands for the owner of a dict that `**kwargs` is: it is made anew where it is asked for.
KEYWORDS = "keywords "
# An empty list display, in one iteration of the unrolled loops around it.
ListKey = tuple[Node, tuple[int, ...]]
# What the program writes down: a scalar, or a display of such values.
LiteralValue = Scalar | tuple["LiteralValue", ...]


@record(exact=True)
class Known:
    """A value that is the same in every run: a scalar, or a captured tuple of scalars."""

    value: Scalar | tuple[Scalar, ...]
    is_computed: bool = False  # it decides nothing of a function: `f(n - 1)` would be one for each


@record
class HeldBy:
    """The field, or the declared display, that a list is in, so deep in others: it may be told."""

    owner: str
    name: str
    depth: int = 0
    display: ListKey | None = None


@record(exact=True)
class Typed:
    """A value of `type`; `span` is where that type came from.

    It is one of the `literals`, where there are any, which give way to the type they are merged
    with.  `borrowed` names the list parameter the value is, or, with `NESTED` after it, is part of,
    as of a list of lists.  `open_list` is the display whose item type follows from what is put in.
    What `is_path` is no variable but a field, as `self.left.weight`, whose value is known not to be
    None, or to be None, until it is written.  `length` is the number of items of a list, where that
    is known.  `unites`: it is what a variable of several types holds, whose literals keep theirs.
    `held_by` is the field that a list or container is in.
    """

    type: Type
    span: Span
    literals: tuple[LiteralValue, ...] = ()
    known: Known | None = None
    borrowed: str | None = None
    open_list: ListKey | None = None
    is_path: bool = False
    length: int | None = None
    unites: bool = False
    held_by: HeldBy | None = None

    @property
    def literal(self) -> bool:
        """Whether the program writes the value down."""
        return bool(self.literals)


@record(exact=True)
class Static:
    """A live object that is no value of the language: a module, a function, a class, a dtype."""

    value: object
    span: Span
    receiver: "tuple[Node, Typed] | None" = None  # of a bound method, whose name is `value`


@record(eq=False)
class LazyGenerator:
    """What a variable stands for."""

    variable: str
    items: Expression

    @property
    def __name__(self) -> str:
        """The variable: refusals call the generator by it."""
        return self.variable


@record
class KeptSlice:
    """A slice with constant bounds that a variable stands for."""

    lower: int | None
    upper: int | None
    step: int | None = None


@record
class KeptIndex:
    """A tuple that holds such slices: an index that a variable stands for."""

    parts: tuple[KeptSlice | int | EllipsisType | None, ...]


@record
class KeptKeywords:
    """What `**kwargs` took: names, each with the variable that has its value here."""

    held: tuple[tuple[str, str], ...]


Kept = KeptSlice | KeptIndex | KeptKeywords


@record
class Maybe:
    """A variable that some path to here leaves without a value."""

    last: "Typed | Conflict | Poisoned | OfRound | Fixed"


@record
class Conflict:
    """A variable that has one type on one path and another type on another."""

    first: Typed
    second: Typed


@record
class Poisoned:
    """A variable whose type is unknown because of an error already reported, or not yet found."""

    is_unknown: bool = False  # it is the latter


@record
class OfRound:
    """A variable that each iteration of a `prange` has for itself, where it has no value yet."""


@record
class Fixed:
    """A variable that stands for a live object, such as a function; None where for several."""

    static: Static | None


Binding = Typed | Maybe | Conflict | Poisoned | OfRound | Fixed
Environment = dict[str, Binding]


def merge(first: Typed, second: Typed) -> Typed | None:
    """Return what is known of a value that is one of two; None where their types do not merge."""
    if first.type == second.type:
        return replace(
            first,
            literals=_either(first, second),
            known=first.known if first.known == second.known else None,
            borrowed=lender((first, second)),
            open_list=first.open_list or second.open_list,
            length=first.length if first.length == second.length else None,
            unites=first.unites or second.unites,
        )
    if first.unites or second.unites:
        return unite(first, second)
    type_ = merge_types(first.type, second.type, first.literals, second.literals)
    if type_ is None:
        return None
    literals = () if NONE in (first.type, second.type) else _either(first, second)
    origin = first if type_ == first.type else second
    return Typed(type_, origin.span, literals, None, lender((first, second)))


def unite(first: Typed, second: Typed) -> Typed | None:
    """Return what is known of a value that is one of two, of any types; None where no union is."""
    type_ = united_types(first.type, second.type)
    if type_ is None:
        return None
    made = Typed(type_, first.span, (), None, lender((first, second)), unites=True)
    display = first.open_list or second.open_list
    return replace(made, open_list=display if display and has_one_list(type_) else None)


def united_types(first: Type, second: Type) -> Type | None:
    """Return the type that holds values of both as they are; None where there is none."""
    if first == second or item_alone(second) == first:
        return first
    if item_alone(first) == second:
        return second
    if named := _named_tuples(first, second):
        return _as_record(named[0], united_types(named[0].base, named[1].base))
    if not (isinstance(first, TupleType) and isinstance(second, TupleType)):
        return _union(first, second)
    if len(first.items) != len(second.items):
        return _union(first, second)
    items = [united_types(a, b) for a, b in zip(first.items, second.items, strict=True)]
    known = tuple(item for item in items if item is not None)
    return TupleType(known) if len(known) == len(items) else None


def _union(first: Type, second: Type) -> Type | None:
    """Return a union: tuples of many lengths in it are one of any length."""
    members = _of_common_bases((*members_of(first), *members_of(second)))
    tuples = [member for member in members if isinstance(member, TupleType) or is_tuple_of(member)]
    lengths = {len(part.items) if isinstance(part, TupleType) else -1 for part in tuples}
    if len(lengths) > 1 and (len(lengths) > _MOST_LENGTHS or -1 in lengths):
        found = any_length(*tuples)
        is_plain = found is not None and not isinstance(found.item, UnionType)
        if found and (is_plain or -1 in lengths or len(lengths) > _MOST_LENGTHS_OF_SEVERAL):
            return union_of((found, *(member for member in members if member not in tuples)))
    return union_of(members) or _union_of_tuples(members)


def _of_common_bases(members: Sequence[Type]) -> Sequence[Type]:
    """Return members of a union in which objects that have a base in common are of that base."""
    found: dict[int, Type] = {}
    # By the name of each class that a member is of: no two members share one.
    places: dict[str, int] = {}
    for number, member in enumerate(members):
        both = member
        if isinstance(both, ClassType):
            line = (both.name, *both.bases)
            for place in sorted({places[name] for name in line if name in places}):
                known = found[place]
                assert isinstance(known, ClassType)
                base = _merge_classes(known, both)
                if base is not None:
                    both = base
                    del found[place]
                    for name in (known.name, *known.bases):
                        del places[name]
            places.update(dict.fromkeys((both.name, *both.bases), number))
        found[number] = both
    return tuple(found.values())


def _union_of_tuples(members: Sequence[Type]) -> Type | None:
    """Return a union in which tuples of one length are one, whose items are of either's types."""
    found: dict[int, Type] = {}
    for tuple_ in (member for member in members if isinstance(member, TupleType)):
        known = found.get(len(tuple_.items), tuple_)
        both = united_types(known, tuple_)
        if both is None:
            return None
        found[len(tuple_.items)] = both
    others = (member for member in members if not isinstance(member, TupleType))
    return union_of((*others, *found.values())) if found else None


# So many lengths of tuples a union has: of more, and of one type, a tuple of any length is made.
_MOST_LENGTHS = 2
_MOST_LENGTHS_OF_SEVERAL = 5


def any_length(*types: Type) -> ListType | None:
    """Return the type of tuples of any length that hold the items of all; None where none is."""
    item: Type | None = None
    for type_ in types:
        if not (isinstance(type_, TupleType) or is_tuple_of(type_)):
            return None
        for part in parts_of(type_):
            both = part if item is None else united_types(item, part)
            if both is None or (both != part and is_tuple_of(type_)):
                return None
            item = both
    # All items of one of any length are there already, and stay what they are.
    if item is None or any(is_tuple_of(t) and parts_of(t) != (item,) for t in types):
        return None
    return ListType(item, frozen=True)


def _named_tuples(first: Type, second: Type) -> tuple[NamedType, NamedType] | None:
    """Return both if they are named tuples of one class, whose fields may be of other types."""
    if not (isinstance(first, NamedType) and isinstance(second, NamedType)):
        return None
    if first.kind != NAMED_TUPLE or replace(first, base=second.base) != second:
        return None
    return first, second


def _as_record(model: NamedType, items: Type | None) -> NamedType | None:
    """Return the type of objects of a class of named tuples with fields of other types."""
    return None if items is None else replace(model, base=items)


def unite_all(values: Sequence[Typed]) -> Typed | None:
    """Return what is known of a value that is one of several, none of which gives way."""
    found: Typed | None = None
    for value in values:
        found = value if found is None else unite(found, value)
        if found is None:
            return None
    return found


def lender(values: Iterable[Typed]) -> str | None:
    """Return the list of Python's that one of several values is part of: the strictest one."""
    names = [value.borrowed for value in values if value.borrowed]
    return max(names, key=_strictness, default=None)


def _strictness(name: str) -> tuple[bool, bool]:
    return name.startswith(CAPTURED), name.endswith(NESTED)


def _either(first: Typed, second: Typed) -> tuple[LiteralValue, ...]:
    """Return the literals that one of two values may be, none where one is no literal."""
    if not (first.literals and second.literals):
        return ()
    both = (*first.literals, *second.literals)
    # -0.0 and 0 are literals of their own.
    return tuple({bits_of(value): value for value in both}.values())


def merge_types(
    first: Type,
    second: Type,
    first_literals: Sequence[LiteralValue] = (),
    second_literals: Sequence[LiteralValue] = (),
) -> Type | None:
    """Return the type that holds values of both; literals give way.  None where there is none."""
    match first, second:
        case _ if first == second:
            return first
        case TensorType(dtype, dims), TensorType(other, others):
            if dtype is not other or len(dims) != len(others):
                return None
            return TensorType(dtype, tuple(map(merge_dims, dims, others)))
        case (TupleType(), TupleType()) | (NamedType(), NamedType()):
            return _merge_tuples(first, second, first_literals, second_literals)
        case (ListType(frozen=True), TupleType()) | (TupleType(), ListType(frozen=True)):
            return any_length(first, second)
        case (UnionType(), _) | (_, UnionType()):
            whole = _union(first, second)
            return whole if whole in (first, second) else None
        case (OptionalType(item), other) | (other, OptionalType(item)):
            return _merge_optional(item, other)
        case (PyType.NONE, other) | (other, PyType.NONE):
            return OptionalType(other)
        case ClassType(), ClassType():
            return _merge_classes(first, second)
        case _:
            return _merge_numbers(first, second, first_literals, second_literals)


def _merge_tuples(
    first: Type,
    second: Type,
    first_literals: Sequence[LiteralValue],
    second_literals: Sequence[LiteralValue],
) -> Type | None:
    """Return the type of tuples, or of named ones of one class, whose items all merge."""
    if named := _named_tuples(first, second):
        one, two = named
        return _as_record(one, merge_types(one.base, two.base, first_literals, second_literals))
    if not (isinstance(first, TupleType) and isinstance(second, TupleType)):
        return None
    if len(first.items) != len(second.items):
        return None
    merged = [
        merge_types(a, b, items_at(first_literals, i), items_at(second_literals, i))
        for i, (a, b) in enumerate(zip(first.items, second.items, strict=True))
    ]
    known = tuple(item for item in merged if item is not None)
    return TupleType(known) if len(known) == len(merged) else None


def _merge_classes(first: ClassType, second: ClassType) -> ClassType | None:
    """Return the nearest class that both inherit from, None where there is none."""
    line = (first.name, *first.bases)
    others = (second.name, *second.bases)
    place = next((i for i, name in enumerate(line) if name in others), None)
    return None if place is None else ClassType(line[place], line[place + 1 :])


def items_at(literals: Sequence[LiteralValue], index: int) -> tuple[LiteralValue, ...]:
    """Return what stands at `index` of each display."""
    return tuple(value[index] for value in literals if isinstance(value, tuple))


def displays_of(values: Sequence[Typed]) -> tuple[LiteralValue, ...]:
    """Return tuples in which each literal of each item occurs; none where an item has none."""
    if not all(value.literals for value in values):
        return ()
    count = max((len(value.literals) for value in values), default=1)
    rows = [[v.literals[min(i, len(v.literals) - 1)] for v in values] for i in range(count)]
    return tuple(map(tuple, rows))


def _merge_optional(item: Type, other: Type) -> Type | None:
    if other is NONE:
        return OptionalType(item)
    inner = other.item if isinstance(other, OptionalType) else other
    merged = merge_types(item, inner)
    # A wrapped number is not converted behind the wrapping.
    return OptionalType(merged) if merged and not _converts(item, merged) else None


def _converts(source: Type, target: Type) -> bool:
    return not isinstance(source, TensorType | TupleType | ClassType) and source != target


_NUMPY_OF: Mapping[Type, DType] = {
    BOOL: DType.B1,
    FLOAT: DType.F64,
    COMPLEX: DType.C128,
}


def _merge_numbers(
    first: Type,
    second: Type,
    first_literals: Sequence[LiteralValue],
    second_literals: Sequence[LiteralValue],
) -> Type | None:
    pairs = ((first, second, first_literals), (second, first, second_literals))
    for one, other, literals in pairs:
        if literals and gives_way(one, other) and all(represents(other, v) for v in literals):
            return other
    for one, other, _ in pairs:
        if _NUMPY_OF.get(one) is other:
            return other
        if one is INT and other in (DType.I64, BIGINT):
            return INT if other is DType.I64 else BIGINT
    return None


def gives_way(literal: Type, other: Type) -> bool:
    """Whether a literal number takes the type that it is merged with."""
    numeric = isinstance(other, DType) and other is not DType.B1
    if literal in (INT, BIGINT):
        return other in (FLOAT, COMPLEX) or numeric
    if literal is FLOAT:
        return other is COMPLEX or (numeric and other not in INTEGERS)
    return literal is COMPLEX and other in COMPLEX_DTYPES


def represents(type_: Type, value: LiteralValue) -> bool:
    """Whether a number of `type_` is exactly `value`."""
    match value, type_:
        case bool() | None | str(), _:
            return True
        case tuple(), TupleType(items):
            return all(map(represents, items, value))
        case tuple(), _:
            return all(represents(type_, item) for item in value)
        case int() | float(), PyType.FLOAT | PyType.COMPLEX:
            return value != value or float(value) == value
        case int(), DType() if type_ in INTEGERS:
            return holds_int(type_, value)
        case float(), DType() if type_ in INTEGERS:
            return value.is_integer() and holds_int(type_, int(value))
        case complex(), DType() if type_.kind != "c":
            return False
        case int() | float() | complex(), DType():
            with np.errstate(all="ignore"):
                # As Python's number: NumPy would compare in its own type.
                return value != value or type_.numpy.type(value).item() == value
        case _:
            return True


def join_binding(first: Binding | None, second: Binding | None) -> Binding:
    """Return what is known of a variable where two paths meet; None stands for unbound."""
    if isinstance(first, OfRound) or isinstance(second, OfRound):
        return OfRound()
    if isinstance(first, Fixed) or isinstance(second, Fixed):
        return _same_object(first, second)
    if first is None or second is None:
        present = second if first is None else first
        assert present is not None
        return present if isinstance(present, Maybe) else Maybe(present)
    if isinstance(first, Maybe) or isinstance(second, Maybe):
        one = first.last if isinstance(first, Maybe) else first
        two = second.last if isinstance(second, Maybe) else second
        joined = join_binding(one, two)
        assert not isinstance(joined, Maybe)
        return Maybe(joined)
    # A conflict is what the user must hear of, whatever else went wrong.
    if isinstance(first, Conflict):
        return first
    if isinstance(second, Conflict):
        return second
    if isinstance(first, Poisoned) or isinstance(second, Poisoned):
        return _beside_poisoned(first, second)
    return merge(first, second) or Conflict(first, second)


def _beside_poisoned(first: Binding, second: Binding) -> Binding:
    # `node = node.best()` goes on with the object that `node` was before, where what the method
    # gives is not known yet: what the rest of the loop does with it may tell.
    known, other = (second, first) if isinstance(first, Poisoned) else (first, second)
    is_object = isinstance(known, Typed) and isinstance(known.type, ClassType)
    return known if is_object and isinstance(other, Poisoned) and other.is_unknown else Poisoned()


def _same_object(first: Binding | None, second: Binding | None) -> Binding:
    one = first.static if isinstance(first, Fixed) else None
    two = second.static if isinstance(second, Fixed) else None
    if one is None or two is None:
        return Fixed(None)
    return Fixed(one if same_bits(one.value, two.value) else None)


def join(first: Environment | None, second: Environment | None) -> Environment | None:
    """Return the variables where two paths meet; None stands for a path that does not end."""
    if first is None or second is None:
        return second if first is None else first
    joined: Environment = {}
    for name in [*first, *(name for name in second if name not in first)]:
        one, two = first.get(name), second.get(name)
        if one is two and one is not None:
            joined[name] = one
        elif not (_is_path(one) or _is_path(two)):
            joined[name] = join_binding(one, two)
        elif isinstance(one, Typed) and isinstance(two, Typed) and one.type == two.type:
            joined[name] = one
    return joined


def forget_paths(env: Environment, parts: AbstractSet[str] | None = None) -> Environment:
    """Return the variables, without the fields that have one of `parts` in their path.

    None drops all fields.
    """
    return {
        name: binding
        for name, binding in env.items()
        if not _is_path(binding) or (parts is not None and parts.isdisjoint(name.split(".")))
    }


def _is_path(binding: Binding | None) -> bool:
    return isinstance(binding, Typed) and binding.is_path


def same_types(first: Environment, second: Environment) -> bool:
    """Whether nothing that typing depends on differs."""
    return first.keys() == second.keys() and all(
        _shape(first[name]) == _shape(second[name]) for name in first
    )


def _shape(binding: Binding) -> object:
    match binding:
        case Typed():
            literals = bits_of(binding.literals)
            return binding.type, literals, binding.known, binding.borrowed, binding.open_list
        case Maybe(last):
            return "maybe", _shape(last)
        case Conflict():
            return "conflict"
        case Poisoned():
            return "poisoned"
        case OfRound():
            return "of an iteration"
        case Fixed(static):
            return "fixed", static and id(static.value)
