"""Which members of a class `dataclasses` has made: they have no text, and no file."""

from collections.abc import Callable
from types import FunctionType
from typing import Optional, Protocol

FIELDS = "__dataclass_fields__"
# What the name of the file begins with that stands for the text of what it has made.
MADE_FILE = "<dataclass "


class DataclassField(Protocol):
    """What `dataclasses` knows of a field: its module, which has the class, is late to load."""

    name: str
    type: object
    init: bool
    default: object
    default_factory: object


def is_missing(value: object) -> bool:
    """Whether a default, or a factory, is not given."""
    return type(value).__name__ == "_MISSING_TYPE"


def is_made_by_dataclasses(cls: type, name: str, function: Callable[..., object]) -> bool:
    """Whether a function that a class has under a name is the work of `dataclasses`.

    Not by its file, "<string>": it is that of every function from `exec` and `python -c` as well.
    """
    # Its `__repr__` stands in a function that ends recursion.
    code = getattr(getattr(function, "__wrapped__", function), "__code__", None)
    # The function inside of which `dataclasses` defines all that it makes.
    made = f"__create_fn__.<locals>.{name}"
    return FIELDS in vars(cls) and getattr(code, "co_qualname", None) == made


def is_field(told: object) -> bool:
    """Whether what `dataclasses` knows of a name is a field: no ClassVar, no InitVar."""
    return str(getattr(told, "_field_type", "_FIELD")) == "_FIELD"


def is_factory(default: object) -> bool:
    """Whether the default of a parameter stands for what a factory makes."""
    return type(default).__name__ == "_HAS_DEFAULT_FACTORY_CLASS"


def with_none(init: FunctionType) -> FunctionType:
    """Return an `__init__` whose parameters with factories have None for their default."""
    code, values = init.__code__, init.__defaults__ or ()
    positional = code.co_varnames[: code.co_argcount]
    given = dict(zip(positional[len(positional) - len(values) :], values, strict=True))
    given |= init.__kwdefaults__ or {}
    made_there = [name for name, value in given.items() if is_factory(value)]
    if not made_there:
        return init
    defaults = tuple(None if is_factory(value) else value for value in values)
    copy = FunctionType(code, init.__globals__, init.__name__, defaults, init.__closure__)
    keywords = (init.__kwdefaults__ or {}).items()
    copy.__kwdefaults__ = {k: None if is_factory(v) else v for k, v in keywords}
    copy.__annotations__ = dict(init.__annotations__)
    for name in made_there:
        copy.__annotations__[name] = or_none(copy.__annotations__[name])
    copy.__qualname__, copy.__module__ = init.__qualname__, init.__module__
    return copy


def or_none(annotation: object) -> object:
    """Return an annotation that takes None besides."""
    if isinstance(annotation, str):
        return f"({annotation}) | None"
    return Optional[annotation]  # noqa: UP045 -- of a live object
