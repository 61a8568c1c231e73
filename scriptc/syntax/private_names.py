"""Private names: `self.__x` inside of a class C is `self._C__x`, as Python compiles it."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from scriptc.syntax import nodes as n
from scriptc.syntax.copies import with_parts

_Function = TypeVar("_Function", n.FunctionDef, n.Lambda)


def with_private_names(node: _Function, qualified: str) -> _Function:
    """Return a function of a class with the names that its attributes have; others stay.

    `qualified` is the name of the function, with those of the classes and functions around it.
    """
    found = [part for part in _walk(node) if isinstance(part, n.Attribute) and _is_private(part)]
    cls = _class_around(qualified).lstrip("_") if found else ""
    if not cls:
        return node
    given: dict[n.Expression, n.Expression] = {}
    for part in sorted(found, key=lambda part: part.hi - part.lo):  # what stands in another first
        value = with_parts(n.Expr(part.lo, part.hi, part.value), given).value
        given[part] = n.Attribute(part.lo, part.hi, value, f"_{cls}{part.attr}")
    return with_parts(node, given)


def _is_private(node: n.Attribute) -> bool:
    return node.attr.startswith("__") and not node.attr.endswith("__")


def _class_around(qualified: str) -> str:
    """Return the class whose body holds a function; no name where none does."""
    parts: Sequence[str] = ()
    for names in reversed(qualified.split(".<locals>.")):
        parts = names.split(".")
        if len(parts) > 1:
            return parts[-2]
    return ""


def _walk(root: n.Node) -> Iterator[n.Node]:
    pending = [root]
    while pending:
        node = pending.pop()
        yield node
        pending += n.children(node)
