"""Annotations that say less than a type: of parameters, results and variables."""

# Annotations that are wrong, or say little, are what these programs are about.
# pyright: basic, reportOperatorIssue=false, reportArgumentType=false
# pyright: reportAssignmentType=false, reportInvalidTypeForm=false, reportReturnType=false
# pyright: reportRedeclaration=false
# pyright: reportCallIssue=false, reportAttributeAccessIssue=false
# ruff: noqa: UP006, UP007, UP035, UP045, E731

import numbers
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import (
    Annotated,
    Any,
    Final,
    List,
    Literal,
    NewType,
    Optional,
    Protocol,
    SupportsFloat,
    Tuple,
    TypeVar,
    Union,
)

import numpy as np
import numpy.typing as npt

from scriptc.types import N, f64
from tests.programs import Case

Array = np.ndarray
FloatArray = npt.NDArray[np.float64]
Vector = np.ndarray[Any, np.dtype[np.float64]]
Number = Union[int, float, complex]
Count = NewType("Count", int)
T = TypeVar("T")


class HasLength(Protocol):
    def __len__(self) -> int: ...


def doubled(x: np.ndarray) -> np.ndarray:
    return x * 2


def typed(x: FloatArray, y: npt.NDArray[Any], z: Vector) -> npt.NDArray[np.float32]:
    return x + y * z


def alike(x: npt.ArrayLike, y: object, z: Any) -> object:
    return x, y + z


def text(x: "np.ndarray", y: "Optional['Array']" = None, z: Optional["np.ndarray"] = None):
    if y is None:
        return x, z
    return x + y, z


def several(x: np.ndarray | float, y: Number, z: Union[f64[N], f64[N, N]]) -> float | np.ndarray:
    return x * y + z


def items(xs: Sequence[float], ys: Iterable[int], zs: list, ws: List[Any], vs: Tuple):
    total = 0
    for x in xs:
        total += x
    for y in ys:
        total += y
    return total, zs[0], ws[0], vs[0], len(vs)


def parts(pair: tuple[np.ndarray, float], row: tuple[int, ...]) -> tuple[np.ndarray, ...]:
    return pair[0] * pair[1], pair[0][row[0] :], pair[0]


def classes(a: numbers.Real, b: np.floating[Any], c: np.number, d: SupportsFloat, e: Hashable):
    return a + b, c * 2, d, e


def variables(x, n):
    y: np.ndarray = x * 2
    y = y.sum()
    z: Any
    z = n
    row: Final[np.ndarray] = x[:n]
    first: int | float = n
    for _ in range(3):
        first += 1
        y: npt.NDArray[np.int64] = y + first
    return y, z, row, first


def mixed(
    x: Annotated[np.ndarray, "of any size"], mode: Literal["up", "down"], k: Count, t: T
) -> T:
    size: HasLength = x
    return (t + k if mode == "up" else t - k) * len(size)


def applied(f: Callable[[float], float], g: Callable, x: HasLength) -> np.ndarray:
    h: Callable[..., Any] = lambda v: f(v) - g(v)
    return h(x)


def passes_functions(x: np.ndarray) -> np.ndarray:
    def inner(t: np.ndarray, *rest: np.ndarray, k: int | float = 3) -> np.ndarray:
        u: np.ndarray = t * k
        return u + len(rest)

    other: Callable[[np.ndarray], np.ndarray] = inner
    return applied(np.sin, lambda t: t * 2, x) + applied(other, doubled, x) + inner(x, x, k=0.5)


def written(x: np.ndarray, value: Any) -> None:
    x[1:]: np.ndarray = x[:-1]
    x[0]: Any = value


def reshaped(n: int) -> np.ndarray:
    x: np.ndarray = np.arange(n * 2.0)
    x.shape = (n, 2)
    return x


def recursive(n: object) -> "Array | int":
    return 1 if n <= 1 else n * recursive(n - 1)


X = np.array([1.0, -2.0, 0.5])
X32 = X.astype(np.float32)
I = np.array([3, -1, 4])  # noqa: E741
A = np.array([[1.0, 2.0], [0.5, -0.0], [np.nan, np.inf]])
FIXED = X.copy()
FIXED.flags.writeable = False
NOTHING = np.zeros(0)
CASES: list[Case] = [
    (doubled, [(X,), (X32,), (I,), (A,), (A.T,), (NOTHING,), (FIXED,), (2,), (-0.0,), (True,)]),
    (doubled, [(np.float32(1.5),), (1j,), (X[::-1],), ("ab",)]),
    (typed, [(X, X, X), (X32, I, X), (A, 2, A), (1, 2.0, X32), (NOTHING, 1, NOTHING)]),
    (alike, [(X, 1, 2.5), (3, X, X32), ("a", True, I), ((1, 2.0), 1, 2)]),
    (text, [(X,), (X, X), (X, None, X), (X32, X, I), (NOTHING, NOTHING)]),
    (several, [(X, 2, X), (1.5, 2, X), (X[:2], 0.5, A[:2]), (1, 2, 3), (X32, 1j, X32)]),
    (items, [([1.0, 2.0], [3], [X], ["a"], (1, 2)), ((1.0, 2), (3,), [1], [2.5], ("a",))]),
    (items, [(X, I, [True], [1j], (X, 1))]),
    (parts, [((X, 2.0), (1, 2)), ((I, 2), (0,)), ((A, 0.5), (5,))]),
    (classes, [(1, 2.0, 3, 4.0, "a"), (X, X32, I, A, 1), (0.5, np.float32(1), np.int8(7), 1, 2)]),
    (variables, [(X, 2), (I, 0), (X32, 5), (NOTHING, 1)]),
    (mixed, [(X, "up", 2, 1.5), (A, "down", 3, X), (NOTHING, "up", 1, 7)]),
    (passes_functions, [(X,), (X32,), (A,), (NOTHING,)]),
    (written, [(X, 7.0), (I, 2), (X32, 0.5), (NOTHING, 1.0)]),
    (reshaped, [(0,), (1,), (3,)]),
    (recursive, [(0,), (5,), (3.5,)]),
]
