"""Ops on bytes, which are kept as the text of the characters with these numbers is."""

from collections.abc import Callable, Sequence
from typing import cast

import numpy as np

from scriptc_runtime.ops.opdef import Attrs, Effects, OpDef, OpTypeError
from scriptc_runtime.types import BYTES, STR, DType, ListType, Type

# The encodings that there are, by the names that Python gives them, and what may be done with
# what one of them does not have.
ENCODINGS = ("utf-8", "ascii", "latin-1")
ERRORS = ("strict", "ignore", "replace")
ITEMS = ListType(DType.U8)


def _rule(operand: Type, result: Type) -> Callable[[Sequence[Type], Attrs], tuple[Type, ...]]:
    def infer(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
        if types[0] != operand:
            raise OpTypeError(f"expected {operand}, got {types[0]}")
        return (result,)

    return infer


def _coded(operand: Type, result: Type) -> Callable[[Sequence[Type], Attrs], tuple[Type, ...]]:
    rule = _rule(operand, result)

    def infer(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
        if attrs["encoding"] not in ENCODINGS or attrs["errors"] not in ERRORS:
            raise OpTypeError(f"no encoding {attrs['encoding']} with errors={attrs['errors']}")
        return rule(types, attrs)

    return infer


def _shares(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(aliases=frozenset({0}))


def _may_share(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(aliases=frozenset({0}), raises=True)


def _makes(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(allocates=True)


def _reads(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(reads=frozenset({0}), allocates=True)


def _may_make(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(allocates=True, raises=True)


def _text(x: bytes) -> str:
    return x.decode("latin-1")


def _of_text(x: str) -> bytes:
    if any(ord(char) > 255 for char in x):
        raise ValueError(NO_BYTE)
    return x.encode("latin-1")


def _items(x: bytes) -> list[np.uint8]:
    return list(map(np.uint8, x))


def _of_items(items: Sequence[np.uint8]) -> bytes:
    return bytes(map(int, items))


def _encoded(x: str, *, encoding: str, errors: str) -> bytes:
    return x.encode(encoding, errors)


def _decoded(x: bytes, *, encoding: str, errors: str) -> str:
    return x.decode(encoding, errors)


# No program of the language gets to see it: a file that is made up may.
NO_BYTE = "a character that is no byte"

BYTES_TEXT = OpDef(
    name="bytes_text",
    doc="The text of the characters that have these bytes as their numbers.",
    operands=("x",),
    infer=_rule(BYTES, STR),
    evaluate=_text,
    effects=_shares,
)
TEXT_BYTES = OpDef(
    name="text_bytes",
    doc="The bytes that are the numbers of the characters of a text.",
    operands=("x",),
    infer=_rule(STR, BYTES),
    evaluate=_of_text,
    effects=_may_share,
)
BYTES_ITEMS = OpDef(
    name="bytes_items",
    doc="A new list of the bytes.",
    operands=("x",),
    infer=_rule(BYTES, ITEMS),
    evaluate=_items,
    effects=_makes,
)
BYTES_OF = OpDef(
    name="bytes_of",
    doc="The bytes that a list holds.",
    operands=("items",),
    infer=_rule(ITEMS, BYTES),
    evaluate=cast("Callable[..., object]", _of_items),
    effects=_reads,
)
ENCODED = OpDef(
    name="encoded",
    doc="A text in an `encoding`; `errors` says what becomes of characters that it lacks.",
    operands=("x",),
    attrs=("encoding", "errors"),
    infer=_coded(STR, BYTES),
    evaluate=_encoded,
    effects=_may_make,
)
DECODED = OpDef(
    name="decoded",
    doc="The text that bytes are in an `encoding`; `errors` says what becomes of other bytes.",
    operands=("x",),
    attrs=("encoding", "errors"),
    infer=_coded(BYTES, STR),
    evaluate=_decoded,
    effects=_may_make,
)

OPS = (BYTES_TEXT, TEXT_BYTES, BYTES_ITEMS, BYTES_OF, ENCODED, DECODED)
