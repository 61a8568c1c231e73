"""Samples of the ops that containers are made of."""

from collections.abc import Iterator

import numpy as np

from scriptc_runtime.ops import containers, tuples
from scriptc_runtime.types import FLOAT, INT, STR, DequeType, DictType, ListType, SetType, TupleType
from tests.support.sample_operands import Sample, given, sample


def container_samples() -> Iterator[Sample]:
    """Containers as they are made, and hashes of what can be a key."""
    for values in ([1, 2], []):
        yield sample(tuples.TUPLE_OF, given(lambda values=values: list(values), ListType(INT)))
    yield sample(tuples.TUPLE_OF, given(lambda: ["a"], ListType(STR)))
    made = DictType(INT, STR)
    entries = given(lambda: [(1, 1, "a"), None], made.entries)
    for used in (1, 0):
        yield sample(
            containers.CONTAINER, entries, given(lambda: [], made.index), used, 0, type=made
        )
    numbers = SetType(INT)
    # A slot that is free, one that is taken, one that was, and free ones.
    slots = given(lambda: [np.int32(i) for i in (-1, 0, -2, -1, -1, -1, -1, -1)], numbers.index)
    entry = given(lambda: [(1, 1)], numbers.entries)
    yield sample(containers.CONTAINER, entry, slots, 1, 2, 0, type=numbers)
    for kind in ("defaultdict", "Counter", "OrderedDict"):
        held = DictType(STR, INT, kind)
        items = given(lambda: [(1, "a", 2)], held.entries)
        yield sample(containers.CONTAINER, items, given(lambda: [], held.index), 1, 0, type=held)
    for start, limit in ((0, -1), (1, 5)):
        items = given(lambda: [1.5, 2.5], ListType(FLOAT))
        yield sample(containers.CONTAINER, items, start, limit, 0, type=DequeType(FLOAT))
    for key in (0, -1, 2**61 - 1, -(2**63), True, 1.5, -0.0, float("inf"), "text", None):
        yield sample(containers.HASH, key)
    yield sample(containers.HASH, given(lambda: (1, "a", 2.5), TupleType((INT, STR, FLOAT))))
    for number in (np.int8(-1), np.uint64(2**64 - 1), np.float32(0.1), np.bool_(True)):
        yield sample(containers.HASH, number)
