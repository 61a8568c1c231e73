"""The types of random programs, and what a program has declared so far."""

from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple


class Kind(NamedTuple):
    """A type: `list` with its item, `dict` with key and value, `object` with its class."""

    name: str
    parts: tuple["Kind", ...] = ()
    owner: str = ""

    @property
    def annotation(self) -> str:
        """How the source says it."""
        inner = [part.annotation for part in self.parts]
        match self.name:
            case "optional":
                return f"{inner[0]} | None"
            case "union":
                return " | ".join(inner)
            case "object" | "enum":
                return self.owner
            case "function":
                return f"Callable[[{', '.join(inner[1:])}], {inner[0]}]"
            case _:
                return f"{self.name}[{', '.join(inner)}]" if inner else self.name


INT, FLOAT, BOOL, STR = Kind("int"), Kind("float"), Kind("bool"), Kind("str")
SCALARS = (INT, FLOAT, BOOL, STR)


def list_of(item: Kind) -> Kind:
    return Kind("list", (item,))


def dict_of(key: Kind, value: Kind) -> Kind:
    return Kind("dict", (key, value))


def set_of(item: Kind) -> Kind:
    return Kind("set", (item,))


def tuple_of(*items: Kind) -> Kind:
    return Kind("tuple", items)


def optional(kind: Kind) -> Kind:
    return Kind("optional", (kind,))


def union(*kinds: Kind) -> Kind:
    return Kind("union", kinds)


def object_of(name: str) -> Kind:
    return Kind("object", owner=name)


def function_of(result: Kind, *parameters: Kind) -> Kind:
    return Kind("function", (result, *parameters))


class Function(NamedTuple):
    """A function or method that may be called; the last `defaults` parameters may be left out."""

    name: str
    parameters: tuple[tuple[str, Kind], ...]
    result: Kind
    defaults: int = 0
    is_generator: bool = False


@dataclass
class Class:
    """A class: its own and inherited fields and methods."""

    name: str
    fields: dict[str, Kind]
    parameters: tuple[tuple[str, Kind], ...]
    methods: dict[str, Function] = field(default_factory=dict[str, Function])
    base: "Class | None" = None
    is_frozen: bool = False
    has_order: bool = False
    is_error: bool = False

    def inherits(self, name: str) -> bool:
        """Whether it is the class of that name, or has it among its bases."""
        return self.name == name or (self.base is not None and self.base.inherits(name))


@dataclass
class Declared:
    """What a program has declared, in the order in which it did."""

    classes: dict[str, Class] = field(default_factory=dict[str, Class])
    enums: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    functions: list[Function] = field(default_factory=list[Function])

    @property
    def errors(self) -> list[Class]:
        """The classes of exceptions."""
        return [c for c in self.classes.values() if c.is_error]

    @property
    def plain(self) -> list[Class]:
        """The classes of other objects."""
        return [c for c in self.classes.values() if not c.is_error]


@dataclass
class Scope:
    """The variables that a statement may use, and those of them that it must leave as they are."""

    variables: dict[str, Kind]
    fixed: set[str] = field(default_factory=set[str])
    depth: int = 1
    loops: int = 0  # around the statement
    can_break: bool = False
    result: Kind | None = None
    is_generator: bool = False
    can_yield: bool = False
    has_walrus: bool = True

    def inside(self, *fixed: str) -> "Scope":
        """Return the scope of a block, whose new variables are its own."""
        return Scope(
            dict(self.variables),
            self.fixed | set(fixed),
            self.depth + 1,
            self.loops,
            self.can_break,
            self.result,
            self.is_generator,
            self.can_yield,
            self.has_walrus,
        )


def random_kind(random: Random, declared: Declared, depth: int = 2) -> Kind:
    """Draw a type for a variable, parameter or result."""
    number = random.random()
    if depth == 0 or number < 0.45:
        return random.choice((INT, INT, FLOAT, BOOL, STR, STR))
    if number < 0.62:
        return list_of(random_kind(random, declared, depth - 1))
    if number < 0.72:
        return dict_of(hashable(random), random_kind(random, declared, depth - 1))
    if number < 0.77:
        return set_of(hashable(random))
    if number < 0.86:
        return tuple_of(*(random_kind(random, declared, depth - 1) for _ in range(2)))
    if depth < 2:  # a list of floats is none of floats and None
        return STR
    if number < 0.93:
        return optional(random.choice((INT, STR, FLOAT)))
    if number < 0.95:
        return union(INT, STR)
    return random_named(random, declared) or INT


def random_named(random: Random, declared: Declared) -> Kind | None:
    """Draw a class or an enumeration of the program, None where there is none."""
    named = [object_of(c.name) for c in declared.plain]
    named += [Kind("enum", owner=name) for name in declared.enums]
    return random.choice(named) if named else None


def hashable(random: Random) -> Kind:
    """Draw what keys of dicts and items of sets can be."""
    return random.choice((INT, INT, STR, STR, tuple_of(INT, STR)))
