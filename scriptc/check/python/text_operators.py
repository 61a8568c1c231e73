"""Operators of texts and bytes: `+`, `*`, `%` and `in`."""

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Literal
from scriptc.check.context import Context
from scriptc.check.conversion import converted
from scriptc.check.library.standard import standard_function
from scriptc.check.python import percent_formats
from scriptc.syntax.nodes import Node
from scriptc_runtime.ops import data, elementwise, texts
from scriptc_runtime.types import BIGINT, BOOL, BYTES, INT, STR, TEXTS, is_number

Side = tuple[Typed, Computation]


def binary(context: Context, at: Node, symbol: str, left: Side, right: Side) -> Computation | None:
    """Return `left symbol right`; None where it is no operator of texts."""
    (_, lhs), (_, rhs) = left, right
    if lhs.type in TEXTS and rhs.type is lhs.type and symbol == "+":
        return context.apply(at, data.CONCAT, lhs, rhs)
    if lhs.type is STR and symbol == "%":
        if left[0].known is None and is_number(rhs.type) and context.arms_around > 1:
            # Of rows whose fields are texts and numbers: the remainder is meant, `row["n"] % 2`.
            return context.call(at, standard_function("str_forms", "unknown_format"), (lhs,))
        return percent_formats.percent(context, at, left[0], rhs)
    text, count = (lhs, rhs) if lhs.type in TEXTS else (rhs, lhs)
    if symbol != "*" or text.type not in TEXTS or count.type not in (INT, BIGINT, BOOL):
        return None
    repeated = standard_function("sequences", "repeated_text")
    return context.call(at, repeated, (text, converted(count, INT)))


def contains(context: Context, at: Node, left: Side, right: Side) -> Computation | None:
    """Return `left in right`; None where it is no search of a text."""
    (_, part), (_, whole) = left, right
    if whole.type is STR and part.type is STR:
        end = context.apply(at, data.STR_LEN, whole)
        place = context.apply(at, texts.STR_FIND, whole, part, Literal(0, INT), end, last=False)
        return context.apply(at, elementwise.GE, place, Literal(0, INT))
    if whole.type is BYTES and (part.type is BYTES or is_number(part.type)):
        return context.call(at, standard_function("byte_searches", "contains"), (whole, part))
    return None
