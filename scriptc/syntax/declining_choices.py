"""Choices between a value and NotImplemented, which no expression gives, as statements.

return x if c else NotImplemented           if c:
                                                return x
                                            else:
                                                return NotImplemented
"""

from scriptc.syntax import nodes as n
from scriptc.syntax.copies import with_parts


def with_declining_choices(node: n.FunctionDef) -> n.FunctionDef:
    """Return a function in which such choices are statements."""
    given: dict[n.Node, n.Node] = {}
    waiting: list[n.Node] = [node]
    while waiting:
        inner = waiting.pop()
        waiting += n.children(inner)
        if isinstance(inner, n.Return) and inner.value is not None and _declines(inner.value):
            given[inner] = _returned(inner, inner.value)
    return with_parts(node, given) if given else node


def _declines(value: n.Expression) -> bool:
    """Whether a choice may give NotImplemented."""
    if not isinstance(value, n.IfExp):
        return False
    sides = value.body, value.orelse
    return any(_is_not_implemented(side) or _declines(side) for side in sides)


def _is_not_implemented(value: n.Expression) -> bool:
    return isinstance(value, n.Name) and value.id == "NotImplemented"


def _returned(node: n.Return, value: n.Expression) -> n.Statement:
    if not _declines(value):
        return n.Return(node.lo, node.hi, value)
    assert isinstance(value, n.IfExp)
    sides = [(_returned(node, side),) for side in (value.body, value.orelse)]
    return n.If(node.lo, node.hi, value.test, *sides)
