"""Members of enumerations that are written down."""

import enum

from scriptc.check import class_tests
from scriptc.check.bindings import Static
from scriptc.check.context import Context
from scriptc.syntax import nodes as n


def class_of(context: Context, node: n.Expression) -> type[enum.Enum] | None:
    """Return the enumeration that something may be a member of: `Color` of `Color.RED`."""
    base = node.value if isinstance(node, n.Attribute) else None
    if class_tests.is_made(context, base):
        return None  # a field of the object that a constructor makes
    found = context.expression(base) if isinstance(base, n.Name | n.Attribute) else None
    owner = found.value if isinstance(found, Static) else None
    return owner if isinstance(owner, type) and issubclass(owner, enum.Enum) else None
