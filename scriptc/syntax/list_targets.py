"""Lists as targets, which are tuples to all that follows.

[a, (b, [c])] = d           (a, (b, (c,))) = d
"""

from collections.abc import Iterator

from scriptc.syntax import nodes as n
from scriptc.syntax.copies import with_parts


def with_tuple_targets(node: n.FunctionDef) -> n.FunctionDef:
    """Return a function with tuples in place of the lists among its targets."""
    given = {target: _as_tuple(target) for target in _targets(node) if _has_list(target)}
    return with_parts(node, given) if given else node


def _targets(node: n.Node) -> Iterator[n.Expression]:
    """Yield all that is assigned to, or deleted, where it may be several."""
    waiting = [node]
    while waiting:
        inner = waiting.pop()
        waiting += n.children(inner)
        match inner:
            case n.Assign(targets=targets) | n.Delete(targets=targets):
                yield from targets
            case n.For(target=target) | n.comprehension(target=target):
                yield target
            case n.withitem(optional_vars=n.Expression() as target):
                yield target
            case _:
                pass


def _has_list(target: n.Expression) -> bool:
    match target:
        case n.List():
            return True
        case n.Tuple(elts=elts):
            return any(map(_has_list, elts))
        case n.Starred(value=value):
            return _has_list(value)
        case _:
            return False


def _as_tuple(target: n.Expression) -> n.Expression:
    match target:
        case n.List(elts=elts) | n.Tuple(elts=elts):
            return n.Tuple(target.lo, target.hi, tuple(map(_as_tuple, elts)))
        case n.Starred(value=value):
            return n.Starred(target.lo, target.hi, _as_tuple(value))
        case _:
            return target
