"""Operands for the ops on lists."""

from collections.abc import Iterator

import numpy as np

from scriptc_runtime.ops import data, list_items, list_parts
from tests.support.sample_operands import NO_NUMBERS, NUMBERS, ROWS, Sample, given, sample


def list_samples() -> Iterator[Sample]:
    """Lists, of numbers and of arrays."""
    for items in (NUMBERS, NO_NUMBERS, ROWS):
        yield sample(data.LIST_LEN, items)
        for index in (0, -1, 5):
            yield sample(data.LIST_GET, items, index)
            yield sample(data.LIST_POP, items, index)
    for index in (0, -3, 3):
        yield sample(data.LIST_SET, NUMBERS, index, 9)
    yield sample(data.LIST_SET, ROWS, 0, given(lambda: np.ones(2)))
    for index in (0, 2, -1, 9, -9):
        yield from (sample(data.LIST_INSERT, x, index, 9) for x in (NUMBERS, NO_NUMBERS))
    yield sample(data.LIST_INSERT, ROWS, 0, given(lambda: np.ones(2)))
    for items in (NUMBERS, NO_NUMBERS):
        yield sample(data.LIST_EXTEND, items, NUMBERS)
        yield sample(data.LIST_EXTEND, NUMBERS, items)
    yield sample(data.LIST_EXTEND, ROWS, ROWS)
    for items in (NUMBERS, NO_NUMBERS, ROWS):
        for first, count in ((0, 2), (1, 99), (-1, 1), (9, 9), (1, -1)):
            yield sample(list_parts.LIST_ADD, items, items, first, count)
    for first, count in ((0, 2), (1, 99), (-1, 1), (9, 9), (1, -1)):
        yield sample(list_parts.LIST_REPLACE, NUMBERS, first, count, NO_NUMBERS)
        yield sample(list_parts.LIST_REPLACE, NO_NUMBERS, first, count, NUMBERS)
    yield from (sample(list_parts.LIST_FILL, NUMBERS, 7, count) for count in (-1, 0, 2, 99, 2**60))
    yield from (
        sample(list_parts.LIST_FILL, ROWS, given(lambda: np.ones(2)), count) for count in (0, 2)
    )
    for items in (NUMBERS, NO_NUMBERS):
        yield from (sample(data.LIST_ROOM, items, count) for count in (-1, 0, 2, 99, 2**60))
    yield sample(data.LIST_APPEND, NUMBERS, 4)
    yield sample(data.LIST_APPEND, ROWS, given(lambda: np.ones(2)))


def low_list_samples() -> Iterator[Sample]:
    """Low ops on several items of lists, within what they assume."""
    one, two, zero = np.int64(1), np.int64(2), np.int64(0)
    yield sample(list_items.LIST_MOVE, NUMBERS, zero, one, two)
    yield sample(list_items.LIST_MOVE, NO_NUMBERS, zero, zero, zero)
    yield sample(list_items.LIST_COPY, NUMBERS, one, NUMBERS, zero, two)
    yield sample(list_items.LIST_COPY, ROWS, zero, ROWS, zero, zero)
    for items in (NUMBERS, ROWS):
        yield sample(list_items.LIST_DROP, items, zero, zero)
    for first, count in ((one, one), (zero, two)):
        yield sample(list_items.LIST_PAD, NUMBERS, first, count, 7)
