"""Members of enumerations: those of `IntEnum` are ints to a script."""

import enum

from scriptc.check.bindings import Static
from scriptc.check.context import Context
from scriptc.syntax import nodes as n

# What a member does as a number or a text; the class of an enumeration sets the others itself.
_OPERATORS = (set(vars(int)) | {"__format__", "__repr__", "__str__"}) - {
    "__doc__",
    "__getnewargs__",
    "__new__",
    "from_bytes",
}


def number_of(context: Context, node: n.Expression, member: enum.IntEnum | enum.IntFlag) -> int:
    """Return the int that a member is.  Refuses members that compute otherwise than an int."""
    kind = type(member)
    instead = f"its number: {kind.__name__}.{member.name}.value"
    if isinstance(member, enum.IntFlag):
        context.fail(
            "captured-value",
            f"{kind.__name__}.{member.name} is a member of an IntFlag, which is no int",
            node,
            why="its operators keep to the bits that the class has: ~ of it is not negative",
            instead=instead,
        )
    own = sorted(name for name in _OPERATORS if _of(kind, name) is not _of(enum.IntEnum, name))
    if own:
        context.fail(
            "captured-value",
            f"members of {kind.__name__} are no ints: it has {', '.join(own)} of its own",
            node,
            why="operators and texts of members are those of ints to a script",
            instead=instead,
        )
    return int(member)


def class_of(context: Context, node: n.Expression) -> type[enum.Enum] | None:
    """Return the enumeration that something may be a member of: `Color` of `Color.RED`."""
    base = node.value if isinstance(node, n.Attribute) else None
    found = context.expression(base) if isinstance(base, n.Name | n.Attribute) else None
    owner = found.value if isinstance(found, Static) else None
    return owner if isinstance(owner, type) and issubclass(owner, enum.Enum) else None


def refuse_repr(context: Context, node: n.Expression) -> None:
    """Refuse repr() of what is written down as a member: it is not that of its number."""
    if class_of(context, node) is not None:
        message = "repr() of a member of an enumeration is not built"
        context.fail("format", message, node, instead="its name, Color.RED.name, or its number")


def _of(kind: type, name: str) -> object:
    return getattr(kind, name, None)
