"""What is said of values of two types that do not become one: why, and the way out."""

from scriptc.check.bindings import Typed, gives_way, represents
from scriptc_runtime.promotion import promote, promote_weak
from scriptc_runtime.types import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    INTEGERS,
    DType,
    Element,
    PyType,
    TensorType,
    Type,
    element_of,
)


def lost_literal(first: Typed, second: Typed) -> tuple[str, str] | None:
    """Return why a literal of one value does not give way to the other, and the way out."""
    for one, other in ((first, second), (second, first)):
        lost = [v for v in one.literals if not represents(other.type, v)]
        if lost and gives_way(one.type, other.type):
            type_ = other.type
            name = numpy_name(type_) if isinstance(type_, DType) else str(type_)
            why = f"no {type_} is exactly {lost[0]!r}, so the literal keeps its type"
            if type_ in INTEGERS:
                return why, "make an int of the other value: int(x)"
            return why, f"round it yourself: {name}({lost[0]!r})"
    return None


def way_to_merge(first: Type, second: Type) -> str:
    """Return how values of two types that do not merge become values of one type."""
    one, two = element_of(first), element_of(second)
    if one is None or two is None:
        return "make both values of one type"
    if isinstance(first, TensorType) and isinstance(second, TensorType):
        if first.rank != second.rank:
            return "give both as many axes: x[None, :], x.reshape(...), or put them into a tuple"
        return (
            f"convert one of the arrays: x.astype({numpy_name(promote(first.dtype, second.dtype))})"
        )
    if isinstance(first, TensorType) or isinstance(second, TensorType):
        return "make an array of the number: np.full(shape, x)"
    return f"convert one of the values: {_conversion(one, two)}(x)"


def _conversion(first: Element, second: Element) -> str:
    """Return what makes numbers of two types ones of the type that NumPy computes with."""
    if isinstance(first, PyType) and isinstance(second, PyType):
        return str(max(first, second, key=(BOOL, INT, FLOAT, COMPLEX).index))
    if isinstance(first, PyType):
        first, second = second, first
    assert isinstance(first, DType)
    both = promote_weak(first, second) if isinstance(second, PyType) else promote(first, second)
    python = {DType.F64: FLOAT, DType.I64: INT, DType.C128: COMPLEX}
    return str(python[both]) if both in python else numpy_name(both)


def numpy_name(dtype: DType) -> str:
    """Return the scalar type of a dtype as programs write it."""
    return f"np.{dtype.numpy.name}" if dtype is not DType.B1 else "np.bool_"
