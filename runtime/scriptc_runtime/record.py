"""Data classes that are cheap to define: a start of scriptc defines a hundred of them.

`dataclass(frozen=True, slots=True)` writes and compiles the source of six methods: 0.5 ms a class
at import, and a constructor four times slower than plain assignment. A record has the same fields,
slots, equality, hash, `repr` and `__match_args__`. Its constructor is compiled with the first
instance, the other methods are shared, and who may assign to a field is left to the type checker.
"""

from collections.abc import Callable
from operator import attrgetter
from typing import Any, TypeVar, cast, dataclass_transform, overload

T = TypeVar("T")


class _Made:
    """The default of a field that each instance makes for itself."""

    def __init__(self, make: Callable[[], object]) -> None:
        self.make = make


def field(*, default_factory: Callable[[], T]) -> T:
    """Give a field of a record a default that is made anew for each instance."""
    return cast(T, _Made(default_factory))


@overload
def record(cls: type[T], /) -> type[T]: ...


@overload
def record(
    *, frozen: bool = True, eq: bool = True, kw_only: bool = False
) -> Callable[[type[T]], type[T]]: ...


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(
    cls: type[T] | None = None, /, *, frozen: bool = True, eq: bool = True, kw_only: bool = False
) -> type[T] | Callable[[type[T]], type[T]]:
    """Make a class a record: its annotated names become slots and parameters of its constructor.

    `frozen=False` allows assignment, and takes the hash; `eq=False` compares by identity. A record
    may derive from a class with slots, not from another record.
    """

    def convert(cls: type[T]) -> type[T]:
        return _convert(cls, hashable=frozen, by_value=eq, kw_only=kw_only)

    return convert if cls is None else convert(cls)


def replace(instance: T, **changes: object) -> T:
    """Return a copy of a record with some fields changed."""
    fields = {name: getattr(instance, name) for name in _names(type(instance))}
    return type(instance)(**{**fields, **changes})


def _convert(cls: type[T], *, hashable: bool, by_value: bool, kw_only: bool) -> type[T]:
    names = tuple(cls.__annotations__)
    # Slots must be known when a class is made, so it is made a second time.
    namespace = {k: v for k, v in vars(cls).items() if k not in ("__dict__", "__weakref__")}
    defaults = {name: namespace.pop(name) for name in names if name in namespace}
    namespace["__slots__"] = namespace["__match_args__"] = names
    namespace.setdefault("__init__", _first_init(names, defaults, kw_only))
    namespace.setdefault("__repr__", _repr)
    if by_value and names:
        namespace |= _comparisons(names, hashable)
    made = type(cls)(cls.__name__, cls.__bases__, namespace)
    return cast(type[T], made)


def _names(record_type: type) -> tuple[str, ...]:
    return cast(tuple[str, ...], getattr(record_type, "__match_args__"))  # noqa: B009 (no type says so)


def _first_init(
    names: tuple[str, ...], defaults: dict[str, object], kw_only: bool
) -> Callable[..., None]:
    """Return a constructor that replaces itself by a compiled one when it is first called."""

    def __init__(self: object, *args: object, **kwargs: object) -> None:
        compiled = _compile_init(names, defaults, kw_only)
        # Another thread may have been here first.
        for cls in type(self).__mro__:
            if vars(cls).get("__init__") is __init__:
                cls.__init__ = compiled  # pyright: ignore[reportAttributeAccessIssue]
        compiled(self, *args, **kwargs)

    return __init__


def _compile_init(
    names: tuple[str, ...], defaults: dict[str, object], kw_only: bool
) -> Callable[..., None]:
    scope: dict[str, Any] = {}
    params = ["self", *(["*"] if kw_only else [])]
    body: list[str] = []
    for name in names:
        default = defaults.get(name)
        value = name
        if isinstance(default, _Made):
            scope[f"_make_{name}"] = default.make
            default, value = None, f"_make_{name}() if {name} is None else {name}"
        scope[f"_default_{name}"] = default
        params.append(f"{name}=_default_{name}" if name in defaults else name)
        body.append(f"    self.{name} = {value}")
    # Nothing but names of fields goes into the text, as in `dataclass` and `namedtuple`.
    exec(f"def __init__({', '.join(params)}):\n" + "\n".join(body or ["    pass"]), scope)
    return cast("Callable[..., None]", scope["__init__"])


def _comparisons(names: tuple[str, ...], hashable: bool) -> dict[str, object]:
    key = attrgetter(*names)

    def __eq__(self: object, other: object) -> bool:
        return key(self) == key(other) if type(self) is type(other) else NotImplemented

    def __hash__(self: object) -> int:
        return hash(key(self))

    return {"__eq__": __eq__, "__hash__": __hash__ if hashable else None}


def _repr(self: object) -> str:
    fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in _names(type(self)))
    return f"{type(self).__name__}({fields})"
