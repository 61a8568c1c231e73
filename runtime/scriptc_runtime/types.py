"""The types of IR values.

    type = int | float | bool | complex | str | bytes | None          Python's own
         | bigint                                                     an int of any size
         | exception | exception_class | exception_args | traceback | held
         | generator | random_state | bit_generator                   NumPy's random numbers
         | python_random                                              a random.Random
         | b1 | i8 ... u64 | f16 f32 f64 | c64 c128                   NumPy's scalars
         | tensor<DTYPE, [DIM, ...]> | tuple<TYPE, ...> | tuple_of<TYPE> | list<TYPE>
         | optional<TYPE> | union<TYPE, TYPE, ...> | class<NAME> | cell<TYPE>
         | rec<TYPE, ..., rec0, ...>                   a union that stands in one of its members
         | dict<TYPE, TYPE> | set<TYPE> | frozenset<TYPE> | deque<TYPE>
         | defaultdict<TYPE, TYPE> | Counter<TYPE, TYPE> | OrderedDict<TYPE, TYPE>
         | defaultdict<TYPE, TYPE, TYPE>                              with a factory of its own
         | named<NAME, TYPE, "KIND", (LABEL, ...)>

Python's scalars are checked (overflow raises) and weak in promotion; NumPy's wrap and are strong.
They are distinct here as they are in NumPy: `a[i]` is an `f64`, never a `float`.
"""

import enum
from collections.abc import Iterator, Mapping
from typing import Union

import numpy as np

from scriptc_runtime.dims import Dim
from scriptc_runtime.record import record


class PyType(enum.Enum):
    """Types of values that are Python's objects; the value is the spelling in IR text."""

    __hash__ = object.__hash__  # types are looked up all the time: that of names is slower

    INT = "int"
    FLOAT = "float"
    BOOL = "bool"
    COMPLEX = "complex"
    STR = "str"
    BYTES = "bytes"
    NONE = "None"
    # An int of any size, where `scriptc.types.bigint` says so: the ints above have 64 bits.
    BIGINT = "bigint"
    EXCEPTION = "exception"
    # What `type(e)` and `e.args` are of an exception, and what `__exit__` is given as third.
    EXCEPTION_CLASS = "exception_class"
    EXCEPTION_ARGS = "exception_args"
    TRACEBACK = "traceback"
    HELD = "held"  # an argument of an exception: a list, an object, a function
    # NumPy's objects: np.random.Generator, np.random.RandomState, and np.random.PCG64 and its like.
    GENERATOR = "generator"
    RANDOM_STATE = "random_state"
    BIT_GENERATOR = "bit_generator"
    PYTHON_RANDOM = "python_random"  # Python's random.Random

    def __str__(self) -> str:
        return self.value

    __repr__ = __str__


class DType(enum.Enum):
    """NumPy's element types; as a type by itself it is the NumPy scalar."""

    __hash__ = object.__hash__

    B1 = "b1"
    I8 = "i8"
    I16 = "i16"
    I32 = "i32"
    I64 = "i64"
    U8 = "u8"
    U16 = "u16"
    U32 = "u32"
    U64 = "u64"
    F16 = "f16"
    F32 = "f32"
    F64 = "f64"
    C64 = "c64"
    C128 = "c128"

    def __str__(self) -> str:
        return self.value

    __repr__ = __str__

    @property
    def numpy(self) -> np.dtype[np.generic]:
        """The NumPy dtype with the same meaning."""
        return _NUMPY[self]

    @property
    def kind(self) -> str:
        """`b`, `i`, `u`, `f` or `c`, as in NumPy."""
        return "b" if self is DType.B1 else self.value[0]

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return 1 if self is DType.B1 else int(self.value[1:]) // 8


_NUMPY: Mapping[DType, np.dtype[np.generic]] = {
    d: np.dtype("?" if d is DType.B1 else f"{d.kind}{d.itemsize}") for d in DType
}
FROM_NUMPY: Mapping[np.dtype[np.generic], DType] = {n: d for d, n in _NUMPY.items()}


@record
class TensorType:
    """A NumPy array of `dtype`; sizes are symbols, so they are never part of a specialisation."""

    dtype: DType
    dims: tuple[Dim, ...] = ()

    @property
    def rank(self) -> int:
        """Number of axes."""
        return len(self.dims)

    def __str__(self) -> str:
        sizes = [str(dim) if dim.known else "..." for dim in self.dims]
        return f"{self.dtype}[{', '.join(sizes) or '()'}]"

    __repr__ = __str__

    # In annotations, where it stands for what type checkers see as a class: `f64[N] | None`.
    def __or__(self, other: object) -> object:
        return union(self, other)

    def __ror__(self, other: object) -> object:
        return union(other, self)


def union(first: object, second: object) -> object:
    """Return an annotation for values of either."""
    # Live objects are no types to a type checker.
    return Union[first, second]  # pyright: ignore # noqa: UP007


@record
class TupleType:
    """A tuple of fixed length."""

    items: tuple["Type", ...]

    def __str__(self) -> str:
        return f"tuple[{', '.join(map(str, self.items)) or '()'}]"

    __repr__ = __str__


@record
class ListType:
    """A list whose items all have one type; a tuple of any length, which nothing changes."""

    item: "Type"
    frozen: bool = False

    def __str__(self) -> str:
        return f"tuple[{self.item}, ...]" if self.frozen else f"list[{self.item}]"

    __repr__ = __str__

    @property
    def name(self) -> str:
        """What Python calls the class."""
        return "tuple" if self.frozen else "list"


@record
class OptionalType:
    """The tagged union of `item` and None."""

    item: "Type"

    def __str__(self) -> str:
        return f"{self.item} | None"

    __repr__ = __str__


@record
class UnionType:
    """The tagged union of several types, None among them; `unions.union_of` makes it."""

    members: tuple["Type", ...]

    def __str__(self) -> str:
        return " | ".join(map(str, self.members)) or "nothing"

    __repr__ = __str__

    @property
    def parts(self) -> tuple["Type", ...]:
        """What a walk of the type meets: of one that holds itself, all but that."""
        return self.members


@record(eq=False)
class ClassType:
    """An instance of a class declared in the module, or of one that inherits from it.

    `bases` are the classes that it inherits from, the nearest first, where that is known; the name
    alone says which type it is.
    """

    name: str
    bases: tuple[str, ...] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ClassType) and self.name == other.name

    def __hash__(self) -> int:
        return hash((ClassType, self.name))

    def __str__(self) -> str:
        return self.name

    __repr__ = __str__


@record
class DictType:
    """A dict: its keys all have one type, and so have its values.

    A `defaultdict` makes what is missing by the class of its values, as `int()` or `list()`, or
    calls its `factory`: an object of a class of functions, or of one of several.
    """

    key: "Type"
    value: "Type"
    kind: str = "dict"
    factory: "Type | None" = None

    def __str__(self) -> str:
        if self.kind == "Counter" and self.value is PyType.INT:
            return f"Counter[{self.key}]"
        made = "" if self.factory is None else f" with {self.factory}"
        return f"{self.kind}[{self.key}, {self.value}]{made}"

    __repr__ = __str__

    @property
    def name(self) -> str:
        """What Python calls the class."""
        return self.kind

    @property
    def entries(self) -> ListType:
        """Hash, key and value of each item in order of insertion, None where one was removed."""
        return ListType(OptionalType(TupleType((PyType.INT, self.key, self.value))))

    @property
    def index(self) -> ListType:
        """Places in `entries` by hash, -1 where there is none; empty for few items."""
        return ListType(DType.I32)

    @property
    def fields(self) -> Mapping[str, "Type"]:
        """What a dict is made of, by name.

        `used` is the number of items, `taken` that of the slots of the index that hold a place.
        """
        counts = {"used": PyType.INT, "taken": PyType.INT}
        held = {"entries": self.entries, "index": self.index, **counts}
        return held if self.factory is None else {**held, "factory": self.factory}


# What a label of a member or field may be: a name, or the value of a member.
Label = str | int | float | bool | None | tuple["Label", ...]


@record(exact=True)
class NamedType:
    """A value of `base` that belongs to a class of the user's, and leaves as an object of it.

    The `kind` is the name of the class of Python that it is made of. Of a NamedTuple the labels are
    the names of the fields. Of an enumeration they are name and value of each member, in turn: a
    member of Enum is its place among them, one of IntEnum, StrEnum, Flag or IntFlag is its value.
    """

    name: str
    base: "Type"
    kind: str
    labels: tuple[Label, ...]

    def __str__(self) -> str:
        return self.name

    __repr__ = __str__


@record
class SetType:
    """A set, whose items all have one type; a frozenset, which nothing changes."""

    item: "Type"
    frozen: bool = False

    def __str__(self) -> str:
        return f"{self.name}[{self.item}]"

    __repr__ = __str__

    @property
    def name(self) -> str:
        """What Python calls the class."""
        return "frozenset" if self.frozen else "set"

    @property
    def entries(self) -> ListType:
        """Hash and item of each, in any order."""
        return ListType(TupleType((PyType.INT, self.item)))

    @property
    def index(self) -> ListType:
        """A power of two of slots, or none: a place in `entries`, -1, or -2 if it was removed."""
        return ListType(DType.I32)

    @property
    def fields(self) -> Mapping[str, "Type"]:
        """What a set is made of, by name.

        `used` is the number of items, `fill` that of slots that are not -1, and `finger` is where
        `pop` looks first.
        """
        counts = dict.fromkeys(("used", "fill", "finger"), PyType.INT)
        return {"entries": self.entries, "index": self.index, **counts}


@record
class DequeType:
    """A deque, whose items all have one type."""

    item: "Type"

    def __str__(self) -> str:
        return f"deque[{self.item}]"

    __repr__ = __str__

    @property
    def name(self) -> str:
        """What Python calls the class."""
        return "deque"

    @property
    def fields(self) -> Mapping[str, "Type"]:
        """What a deque is made of, by name.

        Its items are those of `items` from `start` on; `limit` is how many it takes at most, -1 for
        any number, and `changes` counts what loops must not meet.
        """
        counts = dict.fromkeys(("start", "limit", "changes"), PyType.INT)
        return {"items": ListType(self.item)} | counts


@record
class CellType:
    """A mutable place for one value: a variable that outlives a `try`."""

    item: "Type"

    def __str__(self) -> str:
        return f"cell[{self.item}]"


SIGNED = (DType.I8, DType.I16, DType.I32, DType.I64)
UNSIGNED = (DType.U8, DType.U16, DType.U32, DType.U64)
COMPLEX_DTYPES = (DType.C64, DType.C128)
# NumPy's integers, all of which wrap around.
INTEGERS = (*SIGNED, *UNSIGNED)

Element = PyType | DType
Type = (
    PyType
    | DType
    | TensorType
    | TupleType
    | ListType
    | DictType
    | SetType
    | DequeType
    | OptionalType
    | UnionType
    | ClassType
    | NamedType
    | CellType
)
# What is made of lists and numbers by functions of the library.
Container = DictType | SetType | DequeType
DICT_KINDS = ("dict", "defaultdict", "Counter", "OrderedDict")

INT, FLOAT, BOOL, COMPLEX = PyType.INT, PyType.FLOAT, PyType.BOOL, PyType.COMPLEX
STR, BYTES, NONE, BIGINT = PyType.STR, PyType.BYTES, PyType.NONE, PyType.BIGINT
# What is kept as characters, which do not change: those of bytes are below 256.
TEXTS = (STR, BYTES)
EXCEPTION, HELD, TRACEBACK = PyType.EXCEPTION, PyType.HELD, PyType.TRACEBACK
EXCEPTION_CLASS, EXCEPTION_ARGS = PyType.EXCEPTION_CLASS, PyType.EXCEPTION_ARGS
# An exception, and what is said of one by the exception itself.
OF_EXCEPTIONS = (EXCEPTION, EXCEPTION_CLASS, EXCEPTION_ARGS)
GENERATOR, RANDOM_STATE = PyType.GENERATOR, PyType.RANDOM_STATE
BIT_GENERATOR, PYTHON_RANDOM = PyType.BIT_GENERATOR, PyType.PYTHON_RANDOM
PYTHON_NUMBERS = (BOOL, INT, FLOAT, COMPLEX)
# What random numbers are drawn from; and all whose values are one reference to Python's object.
RANDOM_SOURCES = (GENERATOR, RANDOM_STATE)
GIVEN_SOURCES = (*RANDOM_SOURCES, PYTHON_RANDOM)
REFERENCES = (*GIVEN_SOURCES, BIT_GENERATOR, HELD)


def is_complex(type_: "Type | None") -> bool:
    """Whether `type_` is a complex number, Python's or NumPy's."""
    return type_ is COMPLEX or type_ in COMPLEX_DTYPES


def part_of(complex_type: Element) -> Element:
    """Return what the real and the imaginary part of a complex number are."""
    parts: Mapping[Element, Element] = {
        COMPLEX: FLOAT,
        DType.C64: DType.F32,
        DType.C128: DType.F64,
    }
    return parts[complex_type]


def int_limits(dtype: DType) -> tuple[int, int]:
    """Return the least and the greatest value of an integer dtype."""
    bits = 8 * dtype.itemsize
    return (0, 2**bits - 1) if dtype.kind == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def holds_int(dtype: DType, number: int) -> bool:
    """Whether an integer dtype has a value for `number`."""
    least, greatest = int_limits(dtype)
    return least <= number <= greatest


# The dtype that a Python number has when nothing else decides (NEP 50).
DEFAULT_DTYPE: Mapping[PyType, DType] = {
    BOOL: DType.B1,
    INT: DType.I64,
    FLOAT: DType.F64,
    COMPLEX: DType.C128,
}


def element_of(type_: "Type") -> Element | None:
    """Return what one element of a scalar or a tensor is, None for other types."""
    if isinstance(type_, TensorType):
        return type_.dtype
    return type_ if isinstance(type_, DType) or type_ in PYTHON_NUMBERS else None


def all_parts(type_: "Type") -> Iterator["Type"]:
    """Yield a type and all that it is made of."""
    yield type_
    for part in parts_of(type_):
        yield from all_parts(part)


def parts_of(type_: "Type") -> tuple["Type", ...]:
    """Return the types that `type_` is made of, one level down."""
    match type_:
        case TupleType(items):
            return items
        case UnionType():
            return type_.parts
        case ListType(item) | OptionalType(item) | CellType(item) | SetType(item) | DequeType(item):
            return (item,)
        case NamedType(base=base):
            return (base,)
        case DictType(key, value, _, factory):
            return (key, value) if factory is None else (key, value, factory)
        case TensorType() | ClassType() | PyType() | DType():
            return ()


def holds_array(type_: "Type") -> bool:
    """Return whether values of `type_` are arrays or hold some; fields of objects do not count."""
    return isinstance(type_, TensorType) or any(map(holds_array, parts_of(type_)))


def holds_list(type_: "Type") -> bool:
    """Return whether values of `type_` are lists or containers, or hold some."""
    return isinstance(type_, ListType | Container) or any(map(holds_list, parts_of(type_)))


def holds_container(type_: "Type") -> bool:
    """Return whether values of `type_` are containers or hold some."""
    return isinstance(type_, Container) or any(map(holds_container, parts_of(type_)))


def holds_class(type_: "Type") -> bool:
    """Return whether values of `type_` are objects of the user's classes or hold some."""
    return isinstance(type_, ClassType) or any(map(holds_class, parts_of(type_)))


def holds_source(type_: "Type") -> bool:
    """Return whether values of `type_` are what random numbers are drawn from, or hold some."""
    return type_ in GIVEN_SOURCES or any(map(holds_source, parts_of(type_)))


def is_number(type_: "Type") -> bool:
    """Whether `type_` is a Python number or a NumPy scalar."""
    return isinstance(type_, DType) or type_ in PYTHON_NUMBERS


_COUNTED = frozenset({*TEXTS, BIGINT, *OF_EXCEPTIONS, *REFERENCES})


def is_counted(type_: "Type") -> bool:
    """Whether values of `type_` own memory that must be retained and released."""
    match type_:
        case PyType():  # what most values are
            return type_ in _COUNTED
        case DType():
            return False
        case TensorType() | ListType() | ClassType() | CellType():
            return True
        case DictType() | SetType() | DequeType():
            return True
        case TupleType(items) | UnionType(items):
            return any(map(is_counted, items))
        case OptionalType(item) | NamedType(base=item):
            return is_counted(item)


def is_mutable(type_: "Type") -> bool:
    """Whether values of `type_` are what can change, or hold some: of texts only counts do."""
    match type_:
        case PyType():
            return type_ in _COUNTED and type_ is not BIGINT and type_ not in TEXTS
        case TupleType() | UnionType() | OptionalType() | ListType(frozen=True):
            return any(map(is_mutable, parts_of(type_)))
        case _:
            return is_counted(type_)


def is_tuple_of(type_: Type) -> bool:
    """Whether `type_` is that of tuples of any length."""
    return isinstance(type_, ListType) and type_.frozen


def is_hashable(type_: Type) -> bool:
    """Whether values can be keys: real numbers, texts, tuples and frozensets of them."""
    if isinstance(type_, TupleType | UnionType | OptionalType) or is_tuple_of(type_):
        return all(map(is_hashable, parts_of(type_)))
    if isinstance(type_, SetType):
        return type_.frozen
    if isinstance(type_, NamedType):
        return is_hashable(type_.base)
    if isinstance(type_, DType):
        return type_.kind != "c"
    return type_ in (INT, BIGINT, FLOAT, BOOL, STR, BYTES, NONE)


def substitute_dims(type_: "Type", bindings: Mapping[str, Dim]) -> "Type":
    """Replace the symbols in every dim of `type_`; symbols without a binding become `?`."""
    match type_:
        case TensorType(dtype, dims):
            return TensorType(dtype, tuple(d.substitute(bindings) for d in dims))
        case TupleType(items):
            return TupleType(tuple(substitute_dims(item, bindings) for item in items))
        case ListType(item, frozen):
            return ListType(substitute_dims(item, bindings), frozen)
        case DictType(key, value, kind, factory):
            key, value = (substitute_dims(part, bindings) for part in (key, value))
            return DictType(key, value, kind, factory)
        case DequeType(item):
            return DequeType(substitute_dims(item, bindings))
        case OptionalType(item):
            return OptionalType(substitute_dims(item, bindings))
        case CellType(item):
            return CellType(substitute_dims(item, bindings))
        case UnionType(members) if type_.parts is members:
            return UnionType(tuple(substitute_dims(member, bindings) for member in members))
        case UnionType() | SetType() | NamedType() | ClassType() | PyType() | DType():
            return type_  # arrays in it have no sizes that are known


def assignable(source: "Type", target: "Type") -> bool:
    """Whether a `source` may stand where a `target` is declared: equal, or a dim becomes `?`.

    Lists and cells must be equal: through the more general type, an item of another size could
    be put in that the more special one promises not to hold.
    """
    match source, target:
        case TensorType(dtype, dims), TensorType(other, targets):
            same_rank = dtype is other and len(dims) == len(targets)
            return same_rank and all(
                d == t or not t.known for d, t in zip(dims, targets, strict=True)
            )
        case TupleType(items), TupleType(targets):
            return len(items) == len(targets) and all(map(assignable, items, targets))
        case OptionalType(item), OptionalType(target_item):
            return assignable(item, target_item)
        case _:
            return source == target
