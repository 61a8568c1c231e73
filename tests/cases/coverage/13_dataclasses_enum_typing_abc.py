"""dataclasses, enum, typing, abc"""


# dataclass with defaults and factories
from dataclasses import dataclass, field

@dataclass
class P:
        x: int
        y: int = 2
        zs: list[int] = field(default_factory=list)

def example():
    return (repr(P(1)), P(1) == P(1, 2))


# dataclass(frozen, order, kw_only, slots)
from dataclasses import dataclass

@dataclass(frozen=True, order=True)
class P:
        x: int

def example():
    return P(1) < P(2)


# hashes of dataclasses
from dataclasses import dataclass

@dataclass(frozen=True)
class P:
        x: int

def example():
    return hash(P(1)) == hash(P(1))


# replace, astuple, asdict, fields
from dataclasses import dataclass, replace, astuple, asdict

@dataclass
class P:
        x: int
        y: int

def example():
    p = P(1, 2)
    q = replace(p, x=5)
    return (astuple(q), asdict(p))


# Enum, IntEnum, StrEnum, auto
import enum

class C(enum.IntEnum):
    A = enum.auto()
    B = enum.auto()

def example():
    return (C.A.value, C(2).name, C["B"] > C.A, [c.name for c in C])


# Flag, IntFlag
import enum

class F(enum.IntFlag):
    A = 1
    B = 2

def example():
    return (F.A | F.B).value


# enumerations with a class of values
import enum

class C(float, enum.Enum):
    A = 1.5

def example():
    return C.A.value


# NamedTuple
from typing import NamedTuple

class P(NamedTuple):
    x: int
    y: int = 2

def example():
    return (P(1).y, P(1)._replace(x=3).x)


# Protocol, Generic, TypeVar
from typing import Generic, TypeVar

T = TypeVar("T")

class Box(Generic[T]):
    def __init__(self, held: T): self.held = held

def example():
    return (Box(1).held, Box("a").held)


# TypedDict
from typing import TypedDict

class T(TypedDict):
    x: int

def example():
    t: T = {"x": 1}
    return t["x"]


# Optional, Union, Literal, Final, cast
from typing import Optional, cast

def example():
    x: Optional[int] = 3
    return cast(int, x)


# NewType, Annotated
from typing import NewType

N = NewType("N", int)

def example():
    return N(3)


# ABC, abstractmethod
from abc import ABC, abstractmethod

class A(ABC):
    @abstractmethod
    def f(self) -> int: ...

class B(A):
    def f(self) -> int: return 2

def example():
    a: A = B()
    return a.f()
