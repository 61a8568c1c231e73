"""f-strings: each value becomes a text before the next one is evaluated.

f"{xs} {xs.pop()}"      the text of all of xs, then what pop() gives
"""

from collections.abc import Sequence

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Literal
from scriptc.check.context import Context, operand
from scriptc.check.numpy import dtype_objects
from scriptc.check.present import present_shown
from scriptc.check.python import text as python_text
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import data
from scriptc_runtime.types import STR, DType, PyType, Type


def check_joined(context: Context, node: n.JoinedStr, _: Type | None) -> Typed:
    """Check an f-string."""
    parts: list[n.Expression] = []
    texts: list[Computation] = []
    for place, value in enumerate(node.values):
        match value:
            case n.Constant(value=str(text)):
                texts.append(Literal(text, STR))
            case n.FormattedValue():
                made, text = _formatted(context, value)
                if made and _may_change(context, value, node.values[place + 1 :]):
                    piece = _piece(context, value)
                    text = operand(piece, context.record(piece, made, text))
                    made = [piece]
                parts += made
                texts.append(text)
            case _:
                raise AssertionError(value)
    return context.record(node, parts, context.apply(node, data.CONCAT, *texts))


def _formatted(context: Context, value: n.FormattedValue) -> tuple[list[n.Expression], Computation]:
    """Return the text of a value, and what is evaluated for it."""
    inner = value.value
    conversion = "" if value.conversion < 0 else chr(value.conversion)
    found = context.expression(inner)
    known = dtype_objects.text_of(found, conversion)
    if known is not None and value.format_spec is None:
        return [], known
    typed = present_shown(context, value, context.as_typed(inner, found))
    parts = [inner]
    spec = _spec(context, value.format_spec, parts)
    whole = operand(inner, typed)
    return parts, python_text.format_by(context, inner, whole, spec, conversion)


def _spec(context: Context, spec: n.JoinedStr | None, parts: list[n.Expression]) -> Computation:
    """Return the format of a value; one that is computed is a part of the text itself."""
    given = spec.values if spec else ()
    constants = [v.value for v in given if isinstance(v, n.Constant) and isinstance(v.value, str)]
    if spec is None or len(constants) == len(given):
        return Literal("".join(constants), STR)
    parts.append(spec)
    return operand(spec, context.typed(spec))


def _may_change(context: Context, value: n.FormattedValue, later: Sequence[n.Expression]) -> bool:
    """Whether what is evaluated later may change the text of a value, as it holds others."""
    if isinstance(context.facts.types.get(value.value), PyType | DType):
        return False
    return any(
        not isinstance(part.value, n.Name | n.Constant)
        for part in later
        if isinstance(part, n.FormattedValue)
    )


def _piece(context: Context, value: n.FormattedValue) -> n.Expression:
    """Return what stands for the text of a value: the same node in all passes."""
    made = n.JoinedStr(value.lo, value.hi, (value,))
    return context.learned.spreads.setdefault((value, ("text",)), made)
