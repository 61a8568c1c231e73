"""Operands for the ops on texts."""

from collections.abc import Iterator
from itertools import product

import numpy as np

from scriptc_runtime.ops import byte_strings, data, elementwise, texts
from scriptc_runtime.types import BYTES, STR, ListType
from tests.support.sample_operands import Sample, given, sample


def text_samples() -> Iterator[Sample]:
    """Characters, slices and searches of texts, with ends of places and wrong ones."""
    for text in ("", "aé", "x\u03c0\U0001f600x"):
        for op, index in product((texts.STR_GET, texts.STR_CODE), (0, -1, 2, -5)):
            yield sample(op, text, index)
        for bounds in ((0, 9, 1), (2**63 - 1, -(2**63), -1), (1, -1, 2), (0, 1, 0)):
            yield sample(texts.STR_SLICE, text, *bounds)
        for part, last in product(("", "x", "\u03c0"), (False, True)):
            yield sample(texts.STR_FIND, text, part, -3, 9, last=last)
        yield sample(texts.STR_JOIN, text, given(lambda: ["a", "\u03c0", ""], ListType(STR)))
        yield from (sample(texts.STR_REPEAT, text, count) for count in (-1, 0, 1, 2, 7))
        for op in (texts.ORD, texts.STR_IS_IDENTIFIER, texts.STR_TO_FLOAT):
            yield from (sample(op, given_) for given_ in (text, "7"))
        yield from (sample(texts.STR_CHANGED, text, kind=kind) for kind in texts.CHANGES)
    for value, spec in product((3, 1.5, "x", True, None), ("", "4", ".2f", "^9", "q")):
        for conversion in ("", "s", "r", "a"):
            yield sample(texts.FORMAT_BY, value, spec, conversion=conversion)
    for code in (0, 65, 0x1C5, 0x1F600, -1, 0x110000, 2**40):
        yield from (sample(op, code) for op in (texts.CHR, texts.CHAR_DECIMAL))
        yield from (sample(texts.CHAR_IS, code, kind=kind) for kind in texts.CLASSES)
    for make in (lambda: np.arange(3.0), lambda: np.zeros((2, 0), np.int8)):
        yield from (sample(texts.ARRAY_TEXT, make(), kind=kind) for kind in texts.SHOWN)
    yield from _blank_samples()
    yield from _bytes_samples()


def _blank_samples() -> Iterator[Sample]:
    """Blanks of all widths, alone and behind other characters."""
    for text, blanks in product(("", "a\xe9", "\u03c0"), ("", " \n", "\u2028")):
        for start, kind in product((-3, 0, 1, 99), texts.SCANS):
            yield sample(texts.STR_SCAN, text + blanks + "a", start, kind=kind)


def _bytes_samples() -> Iterator[Sample]:
    """Bytes, alone and among other types: of texts, of lists, in encodings."""
    rows = (b"", b"a", b"a\xe9\x00", b"plain")
    for row in rows:
        yield sample(byte_strings.BYTES_TEXT, row)
        yield sample(byte_strings.BYTES_ITEMS, row)
        numbers = given(lambda row=row: list(map(np.uint8, row)), byte_strings.ITEMS)
        yield sample(byte_strings.BYTES_OF, numbers)
        yield sample(data.CONCAT, row, b"x")
        yield sample(texts.STR_REPEAT, row, 3)
        yield sample(texts.STR_JOIN, row, given(lambda: [b"a", b"\xff"], ListType(BYTES)))
        yield sample(elementwise.LT, row, b"a\x7f")
    for text in ("", "a\xe9", "\u03c0x", "plain"):
        yield sample(byte_strings.TEXT_BYTES, text)
    for encoding, errors in product(byte_strings.ENCODINGS, byte_strings.ERRORS):
        how = {"encoding": encoding, "errors": errors}
        for text in ("a\xe9\u03c0", "\ud800"):
            yield sample(byte_strings.ENCODED, text, **how)
        for row in rows:
            yield sample(byte_strings.DECODED, row, **how)
