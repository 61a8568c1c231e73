"""Copies of parts of a tree, in which variables have other names and nodes other places."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar, cast

from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import own_names

_Node = TypeVar("_Node", bound=n.Node)


def renamed(node: _Node, names: Mapping[str, str]) -> _Node:
    """Return a copy of `node` in which variables have the names that `names` gives them."""
    return copied(node, names, 0) if names else node


def copied(node: _Node, names: Mapping[str, str], shift: int) -> _Node:
    """Return a copy with other names, each node of it `shift` characters further on."""
    match node:
        case n.Name(id=name):
            return _copy(node, (names.get(name, name),), shift)
        case n.ListComp() | n.SetComp() | n.DictComp() | n.GeneratorExp():
            return cast("_Node", _copied_comprehension(node, names, shift))
        case n.Lambda():
            own = {arg.arg for arg in n.children(node.args) if isinstance(arg, n.arg)}
            inner = {name: new for name, new in names.items() if name not in own}
            fields = copied(node.args, names, shift), copied(node.body, inner, shift)
            return _copy(node, fields, shift)
        case n.ExceptHandler(type=type_, name=name, body=body):
            caught = copied(type_, names, shift) if type_ else None
            kept = names.get(name, name) if name else None
            return _copy(node, (caught, kept, _copied_field(body, names, shift)), shift)
        case n.MatchAs() | n.MatchStar() | n.MatchMapping():
            return cast("_Node", _copied_capture(node, names, shift))
        case n.AnnAssign(target=target, annotation=written, value=value):
            # An annotation names no variables.
            given = copied(value, names, shift) if value else None
            parts = copied(target, names, shift), copied(written, {}, shift), given, node.simple
            return _copy(node, parts, shift)
        case n.BinOp():
            chain = node.chain()
            made = copied(chain[-1].left, names, shift)
            for link in reversed(chain):
                right = copied(link.right, names, shift)
                made = n.BinOp(link.lo + shift, link.hi + shift, made, link.op, right)
            return cast("_Node", made)
        case _:
            fields = [_copied_field(getattr(node, f), names, shift) for f in n.field_names(node)]
            return _copy(node, fields, shift)


def _copied_capture(
    node: n.MatchAs | n.MatchStar | n.MatchMapping, names: Mapping[str, str], shift: int
) -> n.Node:
    """Return a copy of a pattern that binds a name."""
    match node:
        case n.MatchAs(pattern=pattern, name=name):
            parts = (copied(pattern, names, shift) if pattern else None,)
        case n.MatchStar(name=name):
            parts = ()
        case n.MatchMapping(keys=keys, patterns=patterns, rest=name):
            parts = tuple(_copied_field(part, names, shift) for part in (keys, patterns))
    return _copy(node, (*parts, names.get(name, name) if name else None), shift)


def _copied_comprehension(
    node: n.ListComp | n.SetComp | n.DictComp | n.GeneratorExp, names: Mapping[str, str], shift: int
) -> n.Node:
    """Return a copy of a comprehension, whose own variables hide others of their names."""
    own = own_names(node)
    inner = {name: new for name, new in names.items() if name not in own}
    first = node.generators[0]
    source = copied(first.iter, names, shift)
    ifs = tuple(copied(test, inner, shift) for test in first.ifs)
    target = copied(first.target, inner, shift)
    first = _copy(first, (target, source, ifs, first.is_async), shift)
    generators = (first, *(copied(g, inner, shift) for g in node.generators[1:]))
    parts = [getattr(node, f) for f in n.field_names(node) if f != "generators"]
    return _copy(node, [*(copied(part, inner, shift) for part in parts), generators], shift)


def _copy(node: _Node, fields: Sequence[object], shift: int) -> _Node:
    # Classes of nodes differ in the number of their fields.
    make = cast("Callable[..., _Node]", type(node))
    return make(node.lo + shift, node.hi + shift, *fields)


def _copied_field(value: object, names: Mapping[str, str], shift: int) -> object:
    if isinstance(value, n.Node):
        return copied(value, names, shift)
    if isinstance(value, tuple):
        items = cast("tuple[object, ...]", value)
        return tuple(_copied_field(item, names, shift) for item in items)
    return value


def with_parts(
    node: _Node, parts: Mapping[n.Expression, n.Expression] | Mapping[n.Node, n.Node]
) -> _Node:
    """Return a copy in which other nodes stand in place of some."""
    given = cast("Mapping[n.Node, n.Node]", parts)

    def copied_chain(node: n.BinOp) -> n.Expression:
        chain = node.chain()
        made = cast("n.Expression", copy(chain[-1].left))
        for link in reversed(chain):
            right = cast("n.Expression", copy(link.right))
            whole = n.BinOp(link.lo, link.hi, made, link.op, right)
            made = cast("n.Expression", given.get(link, whole))
        return made

    def copy(value: object) -> object:
        if isinstance(value, tuple):
            return tuple(map(copy, cast("tuple[object, ...]", value)))
        if isinstance(value, n.Node) and value in given:
            return given[value]
        if isinstance(value, n.BinOp):
            return copied_chain(value)
        if not isinstance(value, n.Node):
            return value
        return _copy(value, [copy(getattr(value, f)) for f in n.field_names(value)], 0)

    return cast("_Node", copy(node))
