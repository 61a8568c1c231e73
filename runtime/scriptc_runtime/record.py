"""Data classes that are cheap to define: a start of scriptc defines a hundred of them.

`dataclass(frozen=True, slots=True)` writes and compiles the source of six methods: 0.5 ms a class
at import, and a constructor four times slower than plain assignment. A record has the same fields,
slots, equality, hash, `repr` and `__match_args__`. Its constructor is compiled after a few
instances, the other methods are shared, and who may assign to a field is left to the type checker.
"""

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from types import CodeType, FunctionType
from typing import Any, TypeVar, cast, dataclass_transform, overload

from scriptc_runtime.bits import bits_of, same_bits

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
    *,
    frozen: bool = True,
    eq: bool = True,
    kw_only: bool = False,
    exact: bool = False,
    weakly: bool = False,
) -> Callable[[type[T]], type[T]]: ...


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(
    cls: type[T] | None = None,
    /,
    *,
    frozen: bool = True,
    eq: bool = True,
    kw_only: bool = False,
    exact: bool = False,
    weakly: bool = False,
) -> type[T] | Callable[[type[T]], type[T]]:
    """Make a class a record: its annotated names become slots and parameters of its constructor.

    `frozen=False` allows assignment, and takes the hash; `eq=False` compares by identity, and
    `exact=True` constants in fields bit for bit, and `weakly=True` allows weak references. A record
    may derive from a class with slots, not from another record.
    """

    def convert(cls: type[T]) -> type[T]:
        comparisons = _comparisons(tuple(cls.__annotations__), frozen, exact) if eq else {}
        return _convert(cls, comparisons, kw_only, ("__weakref__",) if weakly else ())

    return convert if cls is None else convert(cls)


def replace(instance: T, **changes: object) -> T:
    """Return a copy of a record with some fields changed."""
    made = type(instance)
    names, values = _fields(made)
    return made(**{**dict(zip(names, values(instance), strict=True)), **changes})


def _convert(
    cls: type[T], comparisons: dict[str, object], kw_only: bool, more: tuple[str, ...]
) -> type[T]:
    names = tuple(cls.__annotations__)
    # Slots must be known when a class is made, so it is made a second time.
    namespace = {k: v for k, v in vars(cls).items() if k not in ("__dict__", "__weakref__")}
    defaults = {name: namespace.pop(name) for name in names if name in namespace}
    namespace["__match_args__"] = names
    namespace["__slots__"] = (*names, *more)
    namespace.setdefault("__init__", _first_init(names, defaults, kw_only))
    namespace.setdefault("__repr__", _repr)
    namespace |= comparisons
    made = type(cls)(cls.__name__, cls.__bases__, namespace)
    return cast(type[T], made)


@cache
def _fields(record_type: type) -> tuple[tuple[str, ...], Callable[[object], tuple[object, ...]]]:
    """Return the names of the fields of a record, and what reads them all at once."""
    names = _names(record_type)
    if len(names) > 1:
        return names, cast("Callable[[object], tuple[object, ...]]", attrgetter(*names))
    return names, lambda instance: tuple(getattr(instance, name) for name in names)


def _names(record_type: type) -> tuple[str, ...]:
    return cast(tuple[str, ...], getattr(record_type, "__match_args__"))  # noqa: B009 (no type says so)


def _first_init(
    names: tuple[str, ...], defaults: dict[str, object], kw_only: bool
) -> Callable[..., None]:
    """Return a constructor that takes its time, and puts a compiled one in its place soon.

    Most records have few instances: it takes as long to compile one as to make a hundred so.
    """
    left = _MADE_SLOWLY

    def __init__(self: object, *args: object, **kwargs: object) -> None:
        nonlocal left
        left -= 1
        given = {**dict(zip(() if kw_only else names, args, strict=False)), **kwargs}
        fits = len(given) == len(args) + len(kwargs) and {*given, *defaults} == {*names}
        if left < 0 or not fits:
            compiled = _make_init(names, defaults, kw_only)
            # Another thread may have been here first.
            for cls in type(self).__mro__:
                if vars(cls).get("__init__") is __init__:
                    cls.__init__ = compiled  # pyright: ignore[reportAttributeAccessIssue]
            compiled(self, *args, **kwargs)
            return
        for name, value in {**defaults, **given}.items():
            setattr(self, name, value.make() if isinstance(value, _Made) else value)

    return __init__


_MADE_SLOWLY = 8


def _make_init(
    names: tuple[str, ...], defaults: dict[str, object], kw_only: bool
) -> Callable[..., None]:
    made = tuple(i for i, n in enumerate(names) if isinstance(defaults.get(n), _Made))
    # Constructors of as many fields, of which the same are made, differ in names alone.
    code = _assignments(len(names), made)
    own = dict(zip(code.co_varnames[1:], names, strict=True))
    own_names = tuple(own.get(name, name) for name in code.co_names)
    code = code.replace(co_varnames=("self", *names), co_names=own_names)
    if kw_only:
        code = code.replace(co_argcount=1, co_kwonlyargcount=len(names))
    known = {"type": type, "Made": _Made}
    assign = FunctionType(code, known, "__init__", None if kw_only else tuple(defaults.values()))
    assign.__kwdefaults__ = defaults if kw_only else None
    return assign


@cache
def _assignments(count: int, made: tuple[int, ...]) -> CodeType:
    """Return the code of a constructor of so many fields, which makes defaults of some."""
    names = [f"field{i}" for i in range(count)]
    values = [
        f"{name}.make() if type({name}) is Made else {name}" if i in made else name
        for i, name in enumerate(names)
    ]
    lines = [f"    self.{n} = {v}" for n, v in zip(names, values, strict=True)] or ["    pass"]
    scope: dict[str, Any] = {}
    exec(f"def __init__({', '.join(('self', *names))}):\n" + "\n".join(lines), scope)
    return cast(CodeType, scope["__init__"].__code__)


def _comparisons(names: tuple[str, ...], hashable: bool, exact: bool) -> dict[str, object]:
    if not names:
        return {}
    key = attrgetter(*names)

    def __eq__(self: object, other: object) -> bool:
        return key(self) == key(other) if type(self) is type(other) else NotImplemented

    def __hash__(self: object) -> int:
        return hash(key(self))

    def exact_eq(self: object, other: object) -> bool:
        return same_bits(key(self), key(other)) if type(self) is type(other) else NotImplemented

    def exact_hash(self: object) -> int:
        return hash(bits_of(key(self)))

    equal, hashed = (exact_eq, exact_hash) if exact else (__eq__, __hash__)
    return {"__eq__": equal, "__hash__": hashed if hashable else None}


def _repr(self: object) -> str:
    fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in _names(type(self)))
    return f"{type(self).__name__}({fields})"
