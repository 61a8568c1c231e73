"""Ops on texts, which do not change: what methods of str are made of, in `stdlib/texts.py`."""

import operator
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import cast

from scriptc_runtime.ops.opdef import Attrs, Effects, OpDef, OpTypeError
from scriptc_runtime.types import (
    BOOL,
    BYTES,
    FLOAT,
    INT,
    STR,
    DType,
    ListType,
    PyType,
    TensorType,
    Type,
)

# What methods of str make of a text, by name.
CHANGES: Mapping[str, Callable[[str], str]] = {
    "capitalize": str.capitalize,
    "casefold": str.casefold,
    "lower": str.lower,
    "swapcase": str.swapcase,
    "title": str.title,
    "upper": str.upper,
}
# What methods of str say of one character.
CLASSES: Mapping[str, Callable[[str], bool]] = {
    "alpha": str.isalpha,
    "decimal": str.isdecimal,
    "digit": str.isdigit,
    "lower": str.islower,
    "numeric": str.isnumeric,
    "printable": str.isprintable,
    "space": str.isspace,
    "title": lambda char: unicodedata.category(char) == "Lt",
    "upper": str.isupper,
}
# What ends a line.
BREAKS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
# What is looked for in a text.
SCANS: Mapping[str, Callable[[str], bool]] = {
    "blank": str.isspace,
    "ink": lambda char: not char.isspace(),
    "break": lambda char: char in BREAKS,
}


def _expect(types: Sequence[Type], *wanted: Type) -> None:
    if list(types) != list(wanted):
        found = ", ".join(map(str, types))
        raise OpTypeError(f"expected {', '.join(map(str, wanted))}, got {found}")


def _rule(result: Type, *operands: Type) -> Callable[[Sequence[Type], Attrs], tuple[Type, ...]]:
    def infer(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
        _expect(types, *operands)
        return (result,)

    return infer


def _kind_of(
    kinds: Mapping[str, object], result: Type, *operands: Type
) -> Callable[[Sequence[Type], Attrs], tuple[Type, ...]]:
    def infer(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
        _expect(types, *operands)
        if attrs["kind"] not in kinds:
            raise OpTypeError(f"no {attrs['kind']} of a text")
        return (result,)

    return infer


def _raises(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(raises=True)


def _makes(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(allocates=True)


def _may_make(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(allocates=True, raises=True)


def _joins(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(reads=frozenset({1}), allocates=True)


def _joined(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    kind = BYTES if types[0] is BYTES else STR
    given = types[1] if len(types) == 2 else None
    _expect(types, kind, ListType(kind, isinstance(given, ListType) and given.frozen))
    return (kind,)


def _repeated(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    kind = BYTES if types[0] is BYTES else STR
    _expect(types, kind, INT)
    return (kind,)


def _evaluate_repeat(x: str, count: int) -> str:
    return x * count  # of bytes, too


def _evaluate_join(x: str, parts: Sequence[str]) -> str:
    return x.join(parts)  # of bytes, too


def _code(x: str, index: int) -> int:
    return ord(x[index])


def _slice(x: str, start: int, stop: int, step: int) -> str:
    return x[start:stop:step]


def _find(x: str, part: str, start: int, stop: int, *, last: bool) -> int:
    return x.rfind(part, start, stop) if last else x.find(part, start, stop)


def scanned(x: str, start: int, *, kind: str) -> int:
    """Return the first place from `start` on with a character of a kind, the length at the end."""
    wanted = SCANS[kind]
    return next((i for i in range(max(start, 0), len(x)) if wanted(x[i])), len(x))


def _changed(x: str, *, kind: str) -> str:
    return CHANGES[kind](x)


def _is(code: int, *, kind: str) -> bool:
    return 0 <= code < 0x110000 and CLASSES[kind](chr(code))


def _decimal(code: int) -> int:
    return unicodedata.decimal(chr(code), -1) if 0 <= code < 0x110000 else -1


def _format(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    if not isinstance(types[0], PyType | DType) or types[1] is not STR:
        raise OpTypeError(f"formatting {types[0]} by {types[1]} is not built")
    return (STR,)


def _formatted(x: object, spec: str, *, conversion: str) -> str:
    shown: Mapping[str, Callable[[object], object]] = {"s": str, "r": repr, "a": ascii}
    return format(shown[conversion](x) if conversion else x, spec)


# What Python shows of an array, by name.
SHOWN: Mapping[str, Callable[[object], str]] = {"str": str, "repr": repr}


def _array(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    if not isinstance(types[0], TensorType) or attrs["kind"] not in SHOWN:
        raise OpTypeError(f"no {attrs['kind']} of {types[0]}")
    return (STR,)


def _array_text(x: object, *, kind: str) -> str:
    return SHOWN[kind](x)


def _reads_array(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(reads=frozenset({0}), allocates=True, raises=True)


FORMAT_BY = OpDef(
    name="format_by",
    doc="`x` as text, as format() gives it: `conversion` is '', 's', 'r' or 'a'.",
    operands=("x", "spec"),
    attrs=("conversion",),
    infer=_format,
    evaluate=_formatted,
    effects=_may_make,
)
ARRAY_TEXT = OpDef(
    name="array_text",
    doc="What NumPy shows of an array: `kind` is str or repr.",
    operands=("x",),
    attrs=("kind",),
    infer=_array,
    evaluate=_array_text,
    effects=_reads_array,
)
STR_GET = OpDef(
    name="str_get",
    doc="The character at `index`, negative ones counted from the end.",
    operands=("x", "index"),
    infer=_rule(STR, STR, INT),
    evaluate=cast("Callable[[str, int], str]", operator.getitem),
    effects=_may_make,
)
STR_CODE = OpDef(
    name="str_code",
    doc="The number of the character at `index`.",
    operands=("x", "index"),
    infer=_rule(INT, STR, INT),
    evaluate=_code,
    effects=_raises,
)
ORD = OpDef(
    name="ord",
    doc="The number of a character: a text of length 1.",
    operands=("x",),
    infer=_rule(INT, STR),
    evaluate=ord,
    effects=_raises,
)
CHR = OpDef(
    name="chr",
    doc="The character with a number.",
    operands=("code",),
    infer=_rule(STR, INT),
    evaluate=chr,
    effects=_may_make,
)
STR_SLICE = OpDef(
    name="str_slice",
    doc="`x[start:stop:step]`.",
    operands=("x", "start", "stop", "step"),
    infer=_rule(STR, STR, INT, INT, INT),
    evaluate=_slice,
    effects=_may_make,
)
STR_FIND = OpDef(
    name="str_find",
    doc="The first or the last place of `part` in `x[start:stop]`, -1 where there is none.",
    operands=("x", "part", "start", "stop"),
    attrs=("last",),
    infer=_rule(INT, STR, STR, INT, INT),
    evaluate=_find,
)
STR_SCAN = OpDef(
    name="str_scan",
    doc="The first place from `start` on of a `blank`, another character (`ink`), or the end of a "
    "line (`break`); else the length.",
    operands=("x", "start"),
    attrs=("kind",),
    infer=_kind_of(SCANS, INT, STR, INT),
    evaluate=scanned,
)
STR_JOIN = OpDef(
    name="str_join",
    doc="Strings of a list, or of a tuple of any length, joined in order, `x` between each two.",
    operands=("x", "parts"),
    infer=_joined,
    evaluate=_evaluate_join,
    effects=_joins,
)
STR_REPEAT = OpDef(
    name="str_repeat",
    doc="A string as often as `count` says, one behind the other.",
    operands=("x", "count"),
    infer=_repeated,
    evaluate=_evaluate_repeat,
    effects=_makes,
)
STR_CHANGED = OpDef(
    name="str_changed",
    doc="What the method of str that `kind` names makes of a text: `upper`, `title`.",
    operands=("x",),
    attrs=("kind",),
    infer=_kind_of(CHANGES, STR, STR),
    evaluate=_changed,
    effects=_makes,
)
CHAR_IS = OpDef(
    name="char_is",
    doc="Whether the character with a number is of a `kind`: `alpha`, `upper`.",
    operands=("code",),
    attrs=("kind",),
    infer=_kind_of(CLASSES, BOOL, INT),
    evaluate=_is,
)
CHAR_DECIMAL = OpDef(
    name="char_decimal",
    doc="Which decimal digit the character with a number is, -1 if it is none.",
    operands=("code",),
    infer=_rule(INT, INT),
    evaluate=_decimal,
)
STR_IS_IDENTIFIER = OpDef(
    name="str_is_identifier",
    doc="Whether a text is a name as Python has them.",
    operands=("x",),
    infer=_rule(BOOL, STR),
    evaluate=str.isidentifier,
)
STR_TO_FLOAT = OpDef(
    name="str_to_float",
    doc="The float that a text says.",
    operands=("x",),
    infer=_rule(FLOAT, STR),
    evaluate=float,
    effects=_raises,
)

OPS = (
    FORMAT_BY,
    ARRAY_TEXT,
    STR_GET,
    STR_CODE,
    ORD,
    CHR,
    STR_SLICE,
    STR_FIND,
    STR_SCAN,
    STR_JOIN,
    STR_REPEAT,
    STR_CHANGED,
    CHAR_IS,
    CHAR_DECIMAL,
    STR_IS_IDENTIFIER,
    STR_TO_FLOAT,
)
