"""The classes of `collections`, and the plain lists and dicts that their objects are made of."""

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Protocol, cast

from scriptc_runtime.types import (
    BIGINT,
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    STR,
    Container,
    DequeType,
    DictType,
    DType,
    ListType,
    SetType,
    TupleType,
    Type,
)

Plain = dict[object, object] | list[object]
Factory = Callable[[], object]

BUILTIN: Mapping[str, type] = {"dict": dict, "set": set, "frozenset": frozenset}
CLASSES: Mapping[str, type] = {
    "deque": deque,
    "defaultdict": defaultdict,
    "Counter": Counter,
    "OrderedDict": OrderedDict,
}
_FACTORIES: Mapping[str, type] = {
    **{cls.__name__: cls for cls in (bool, int, float, complex, str, list, dict, set, frozenset)},
    "tuple": tuple,
    **CLASSES,
}
# Of NumPy's numbers, by their kind: what is added to Python's 0.0 is one of them.
_OF_NUMPY: Mapping[str, str] = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}
_DICTS: Sequence[type] = (dict, defaultdict, Counter, OrderedDict)
NESTED = "defaultdict."


def factory_name(held: Type) -> str:
    """Return the class, as `int`, that makes what a defaultdict of such values lacks.

    Of defaultdicts it is `defaultdict.` and what makes their own values.  It is "" where there is
    none: an object that nothing is said of, for example.
    """
    match held:
        case DictType(_, _, "defaultdict", factory) if factory is not None:
            return ""
        case DictType(_, value, "defaultdict"):
            inner = factory_name(value)
            return inner and NESTED + inner
        case DictType() | SetType() | DequeType():
            return held.name
        case ListType(frozen=False):
            return "list"
        case TupleType(()) | ListType():
            return "tuple"
        case DType():
            return _OF_NUMPY[held.kind]
        case _ if held is BIGINT:
            return str(INT)
        case _:
            return str(held) if held in (INT, FLOAT, BOOL, COMPLEX, STR) else ""


def factory_named(name: str) -> Factory | None:
    """Return the factory with a name that `factory_name` gives, None for ""."""
    if not name:
        return None
    if name.startswith(NESTED):
        inner = factory_named(name.removeprefix(NESTED))
        return cast(Factory, partial(cast(type, defaultdict), inner))
    return _FACTORIES[name]


def has_factory(value: object, name: str) -> bool:
    """Whether a defaultdict has this factory; none has what has no name."""
    found: object = cast("defaultdict[object, object]", value).default_factory
    if name.startswith(NESTED) and isinstance(found, partial):
        made: partial[object] = cast("partial[object]", found)
        inner = factory_named(name.removeprefix(NESTED))
        return made.func is defaultdict and made.args == (inner,) and not made.keywords
    return bool(name) and found is factory_named(name)


def class_of(type_: Container) -> type:
    """Return the class of Python's whose objects are values of this type."""
    return BUILTIN.get(type_.name) or CLASSES[type_.name]


def label_of(type_: Container) -> str:
    """Return what values of a type are called in the interpreter: no class of users is called so.

    That of a defaultdict says what it makes.
    """
    if type_.name not in CLASSES:
        return type_.name
    made = ""
    if isinstance(type_, DictType) and type_.kind == "defaultdict":
        made = f".{factory_name(type_.value)}"
    return f"collections.{type_.name}{made}"


def is_dict(cls: object) -> bool:
    """Whether a class is that of dicts, or one of `collections` that has a type of its own."""
    return any(cls is one for one in _DICTS)


def annotation_of(kind: str, first: object, *rest: object) -> object:
    """Return `kind[first, ...]` of a class of dicts or of deques, as an annotation says it."""
    cls: object = dict if kind == "dict" else CLASSES[kind]
    parts = (first, *rest) if rest and cls is not Counter else first
    return cast(_Generic, cls)[parts]


class _Generic(Protocol):
    def __getitem__(self, key: object) -> object: ...


def fits(type_: Container, value: object) -> bool:
    """Whether an object of a class of `collections` is one of this type, but for its items."""
    if type(value) is not CLASSES[type_.name]:
        return False
    if isinstance(type_, DictType) and type_.kind == "defaultdict":
        return type_.factory is None and has_factory(value, factory_name(type_.value))
    return True


def plain_of(value: object) -> Plain:
    """Return the items of an object of `collections`: a new list or dict."""
    if isinstance(value, deque):
        return list(cast("deque[object]", value))
    return dict(cast("dict[object, object]", value))


def limit_of(value: object) -> int:
    """Return how many items a deque takes at most, -1 for any number."""
    limit = cast("deque[object]", value).maxlen
    return -1 if limit is None else limit


def deque_of(parts: list[object]) -> deque[object]:
    """Return a deque of items, behind which stand the place of the first one and the limit."""
    limit, start = cast(int, parts.pop()), cast(int, parts.pop())
    return deque(parts[start:], None if limit < 0 else limit)


def dict_made(name: str, factory: str, items: dict[object, object]) -> object:
    """Return an object of a class of dicts, by the names of class and factory, with these items."""
    if name == "defaultdict":
        return defaultdict(factory_named(factory), items)
    return CLASSES[name](items)
