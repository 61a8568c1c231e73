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


CASES: list[Case] = [
    (new_types, [(3,)]),
    (constants, [(["a"], 2)]),
    (literals, [("a",), ("b",)]),
    (never, [(Color.RED,), (Color.GREEN,)]),
    (overloads, [(1,)]),
    (for_checkers, [(1,)]),
]
