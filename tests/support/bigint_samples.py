"""Operands for the ops on ints of any size: both signs, on both sides of a word and of a limb."""

from collections.abc import Iterator
from itertools import product

import numpy as np

from scriptc_runtime.ops import bigints
from scriptc_runtime.ops.bigints import LIMBS, SMALL
from scriptc_runtime.types import BIGINT
from tests.support.sample_operands import Operand, Sample, given, sample

_SHORT = (0, 1, -1, 10, -SMALL, SMALL - 1)
_LONG = (SMALL, -SMALL - 1, 2**63, 2**64 - 1, -(2**64), 3**90, -(7**60), 2**128 - 2**64)
_SHIFTS = (bigints.BIGINT_SHL, bigints.BIGINT_SHR)
_OF_INTS = (bigints.BIGINT_OF, bigints.BIGINT_OF_TEXT, bigints.BIGINT_OF_FLOAT)


def _of(number: int) -> Operand:
    return given(lambda: number, BIGINT)


def bigint_samples() -> Iterator[Sample]:
    """Every op on numbers of each kind."""
    for number in (0, -5, 2**62, -(2**63)):
        yield sample(bigints.BIGINT_OF, number)
    for text, base in (("0", 10), ("-9" * 3, 10), ("f" * 40, 16), ("0b11", 0), ("1", 40)):
        yield sample(bigints.BIGINT_OF_TEXT, text, base)
    for number in (0.0, -2.5, 1e30, float("inf"), float("nan")):
        yield sample(bigints.BIGINT_OF_FLOAT, number)
    others = (bigints.BIGINT_INT, bigints.BIGINT_TRUTH, *bigints.LIBRARY_OPS)
    for op in others:
        if op in _OF_INTS:
            continue
        if op in _SHIFTS:
            pairs = product((*_SHORT, *_LONG), (0, 1, 64, 130, -1))
            yield from (sample(op, _of(x), count) for x, count in pairs)
        elif op is bigints.BIGINT_POW:
            pairs = product((0, -3, 2**64), (0, 1, 9, -1))
            yield from (sample(op, _of(x), _of(y)) for x, y in pairs)
        elif op is bigints.BIGINT_POW_MOD:
            rows = product((0, -3, 2**64 + 1), (0, 7, 2**65, -1), (0, 1, -10, 7**40))
            yield from (sample(op, *map(_of, row)) for row in rows)
        else:
            rows = product((*_SHORT, *_LONG), repeat=len(op.operands))
            yield from (sample(op, *map(_of, row)) for row in rows)
    yield sample(bigints.BIGINT_FLOAT, _of(2**2000))
    yield from _low_samples()


def _low_samples() -> Iterator[Sample]:
    for number in (*_SHORT, *_LONG):
        yield sample(bigints.BIGINT_IS_SMALL, _of(number))
    yield from (sample(bigints.BIGINT_SMALL, _of(number)) for number in _SHORT)
    for op in (bigints.BIGINT_LIMBS, bigints.BIGINT_NEGATIVE):
        yield from (sample(op, _of(number)) for number in _LONG)
    for negative in (False, True):
        limbs = given(lambda: [np.uint64(0), np.uint64(2**64 - 1)], LIMBS)
        yield sample(bigints.BIGINT_MADE, limbs, negative)
    for x, y in product((0, 1, 2**64 - 1, 2**33 + 7), repeat=2):
        yield sample(bigints.HIGH_PRODUCT, np.uint64(x), np.uint64(y))
