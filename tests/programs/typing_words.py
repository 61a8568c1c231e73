"""What `typing` has for type checkers alone: aliases, new types, constants, overloads."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import enum
import typing
from typing import (
    TYPE_CHECKING,
    Annotated,
    Final,
    Literal,
    NewType,
    TypeAlias,
    TypedDict,
    assert_never,
    overload,
)

from tests.programs import Case

UserId = NewType("UserId", int)
Names: TypeAlias = list[str]
LIMIT: Final = 3


class Color(enum.Enum):
    RED = 1
    GREEN = 2


def new_types(x: UserId) -> UserId:
    return UserId(x + 1)


def constants(xs: Names, y: Annotated[int, "metres"]) -> int:
    z: Final = 3
    w: Final[int] = 4
    return len(xs) + y + z + w + LIMIT


def literals(x: Literal["a", "b"]) -> Literal[1, 2]:
    return 1 if x == "a" else 2


def never(c: Color) -> int:
    match c:
        case Color.RED:
            return 1
        case Color.GREEN:
            return 2
        case _:
            assert_never(c)


@overload
def same(x: int) -> int: ...
@overload
def same(x: str) -> str: ...
def same(x):
    return x


def overloads(n: int):
    return same(n), same("a")


def for_checkers(x: int) -> int:
    if TYPE_CHECKING:
        y = 5
    else:
        y = 6
    if typing.TYPE_CHECKING:
        return 0
    return y + x


class Movie(TypedDict):
    name: str
    year: int


class Options(TypedDict, total=False):
    depth: int


def shown(movie: Movie) -> str:
    return f"{movie['name']} {movie['year']}"


def typed_dicts(name):
    one: Movie = {"name": name, "year": 3}
    movies: list[Movie] = [one, Movie(name="b", year=1)]
    movies.append({"name": "c", "year": 2})
    options: Options = {}
    options["depth"] = len(name)
    ordered = sorted(movies, key=lambda movie: movie["year"])
    return ordered, shown(one), shown(Movie(name="d", year=2)), options, one["year"] + 1


CASES: list[Case] = [
    (typed_dicts, [("a",)]),
    (new_types, [(3,)]),
    (constants, [(["a"], 2)]),
    (literals, [("a",), ("b",)]),
    (never, [(Color.RED,), (Color.GREEN,)]),
    (overloads, [(1,)]),
    (for_checkers, [(1,)]),
]
