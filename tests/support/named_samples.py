"""Sample operands of ops on members of enumerations and named tuples."""

from collections.abc import Iterator

from scriptc_runtime.ops import named
from scriptc_runtime.types import FLOAT, INT, STR, NamedType, TupleType
from tests.support.sample_operands import Sample, given, sample


def named_samples() -> Iterator[Sample]:
    """Members of enumerations, and named tuples."""
    color = NamedType("Color", INT, "Enum", ("RED", 1, "BLUE", "b"))
    point = NamedType("Point", TupleType((FLOAT, STR)), "NamedTuple", ("x", "name"))
    yield sample(named.NAMED, 1, type=color)
    yield sample(named.NAMED, given(lambda: (1.5, "a"), point.base), type=point)
    yield sample(named.PLAIN, given(lambda: 1, color))
    yield sample(named.PLAIN, given(lambda: (1.5, "a"), point))
