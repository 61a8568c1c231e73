"""Values as text: f-strings, str(), print()."""

from scriptc.check.checked import Computation
from scriptc.check.context import Context
from scriptc.syntax.nodes import Node
from scriptc_runtime.ops import control, data
from scriptc_runtime.types import EXCEPTION, STR, DType, PyType


def format_value(
    context: Context, at: Node, value: Computation, spec: str = "", conversion: str = ""
) -> Computation:
    """Return `value` as text, as format() gives it."""
    if value.type is EXCEPTION:
        if conversion in ("r", "a"):
            context.fail("format", "repr() of an exception is not built yet", at)
        value = context.apply(at, control.EXCEPTION_TEXT, value)
    if value.type is STR and not spec and conversion in ("", "s"):
        return value
    if not isinstance(value.type, PyType | DType):
        context.fail(
            "format",
            f"formatting {value.type} is not built yet",
            at,
            instead="format its numbers one by one",
        )
    return context.apply(at, data.FORMAT, value, spec=spec, conversion=conversion)
