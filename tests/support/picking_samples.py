"""Sample operands of ops that pick elements, write to places, and combine what comes so far."""

from collections.abc import Iterator
from itertools import product

import numpy as np

from scriptc_runtime.dims import UNKNOWN
from scriptc_runtime.ops import picking, scans
from scriptc_runtime.types import DType, TensorType
from tests.support.sample_operands import MATRIX, TURNED, VECTOR, Operand, Sample, given, sample

NO_PLACES = given(lambda: np.zeros(0, np.int64))


def picking_samples() -> Iterator[Sample]:
    """Elements that masks and indices pick."""
    for size in (0, 3, 4):
        mask = given(lambda size=size: np.arange(size) % 2 == 0, TensorType(DType.B1, (UNKNOWN,)))
        yield sample(picking.COMPRESS, VECTOR, mask)
        yield sample(picking.PLACES, mask)
        for given_values in (0, 1, 2):
            values = given(lambda n=given_values: np.arange(float(n)))
            yield sample(picking.PUT_MASKED, VECTOR, mask, values)
        yield sample(picking.COMPRESS, given(lambda: np.arange(6.0)[::-2]), mask)
    long = given(lambda: np.arange(200) % 3 == 0, TensorType(DType.B1, (UNKNOWN,)))
    yield sample(picking.PLACES, long)
    yield from tally_samples()
    for places in ([0, 2, -1], [2, 2, 0], [], [0, 3], [0]):
        index = given(lambda p=places: np.array(p, np.int64))
        for kind in ("put", *picking.COMBINED):
            for value in (VECTOR, np.float64(0.5)):
                yield sample(picking.PUT_AT, VECTOR, value, index, axis=(0,), kind=kind)
            for value in (VECTOR, MATRIX, np.float64(0.5)):
                yield sample(picking.PUT_AT, MATRIX, value, index, axis=(0,), kind=kind)
            yield sample(picking.PUT_AT, MATRIX, VECTOR, index, index, axis=(0, 1), kind=kind)
        yield sample(picking.TAKE, MATRIX, index, axis=(0,))
        yield sample(picking.TAKE, MATRIX, index, index, axis=(0, 1))
        yield from crossing_samples(index)
    for places in ([0, 2, -1], [], [-3, 1], [0, 3], [-4]):
        for dtype in (np.int64, np.uint8, np.int16):
            if min(places, default=0) >= 0 or dtype is not np.uint8:
                index = given(lambda p=places, d=dtype: np.array(p, d))
                yield sample(picking.TAKE, VECTOR, index, axis=(0,))
    yield sample(picking.TAKE, VECTOR, given(lambda: np.array([5])), axis=(2,))


def crossing_samples(index: Operand) -> Iterator[Sample]:
    """What stands where two lists of places cross."""
    for other, full in product((index, NO_PLACES), (True, False)):
        yield sample(picking.OUTER_TAKE, MATRIX, index, other, axis=(0, 1), full=full)
        yield sample(picking.OUTER_TAKE, MATRIX, other, index, axis=(1, 0), full=full)


def tally_samples() -> Iterator[Sample]:
    """What is added to elements."""
    ones = given(lambda: np.zeros(4, np.int64))
    for places in ([0, 2, 2], []):
        index = given(lambda p=places: np.array(p, np.int64))
        few = given(lambda p=places: np.array(p, np.uint8))
        yield sample(picking.TALLY, ones, few, np.int64(3))
        yield sample(picking.TALLY, VECTOR, index, np.float64(0.1))
        yield sample(picking.TALLY, VECTOR, index, given(lambda p=places: np.arange(len(p)) / 3))
    for places, kind in product(([0, 2, -1, 2], []), picking.COMBINED):
        index = given(lambda p=places: np.array(p, np.int64))
        values = given(lambda p=places: np.arange(len(p)) / 3)
        for target in (VECTOR, MATRIX):
            yield sample(picking.COMBINE, target, index, values, kind=kind)


def scan_samples() -> Iterator[Sample]:
    """What elements come to so far."""
    numbers = given(lambda: np.arange(40).reshape(20, 2) % 7 - 3)
    for kind, last in product(scans.COMBINED, (False, True)):
        for x in (VECTOR, MATRIX, TURNED, numbers, given(lambda: np.zeros((0, 3)))):
            yield sample(scans.SCAN, x, kind=kind, last=last)
