"""Attributes of instructions as text."""

import math

from scriptc_runtime.ops.opdef import Attr
from scriptc_runtime.plain_json import write_json
from scriptc_runtime.text.type_text import ir_text


def attr_text(attr: Attr) -> str:
    """Return an attribute in the form the reader takes back to the same bits."""
    match attr:
        case bool():
            return "true" if attr else "false"
        case None:
            return "none"
        case int():
            return str(attr)
        case float():
            return "nan" if math.isnan(attr) else repr(attr)
        case complex():
            return f"complex({attr_text(attr.real)}, {attr_text(attr.imag)})"
        case str():
            return write_json(attr)
        case tuple():
            return f"({', '.join(map(attr_text, attr))}{',' if len(attr) == 1 else ''})"
        case _:
            return ir_text(attr)
