"""Methods of sets with `*` in front of what has as many items as the run says.

s.update(*xs)         set@ = s; for other@ in xs: set@.update(other@)
s.union(*xs)          set@ = s.copy(); and then likewise
s.intersection(*xs)   set@ = s.copy(); for other@ in xs: set@ = set@.intersection(other@)
"""

from scriptc.check.bindings import Typed
from scriptc.check.context import Context
from scriptc.check.desugar.comprehensions import as_loops
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.types import SetType

_METHODS = ("update", "union", "intersection")


def check_method(context: Context, node: n.Call) -> Typed | None:
    """Check the call of a method with stars; None for any other call."""
    func = node.func
    if not isinstance(func, n.Attribute) or func.attr not in _METHODS or node.keywords:
        return None
    base = context.expression(func.value)
    if not (isinstance(base, Typed) and isinstance(base.type, SetType)) or base.type.frozen:
        return None
    return as_loops(context, node, lambda: _expansion(node, func))


def _expansion(node: n.Call, func: n.Attribute) -> Expansion:
    lo, hi = node.lo, node.hi
    total, item = (n.Name(lo, hi, f"{name}@{lo}:{hi}") for name in ("set", "other"))
    makes = func.attr != "update"
    start = _called(func.value, "copy") if makes else func.value
    body: list[n.Statement] = [n.Assign(lo, hi, (total,), start)]
    for given in node.args:
        starred = isinstance(given, n.Starred)
        found = _called(total, _CHANGING.get(func.attr, func.attr), item if starred else given)
        change: n.Statement = n.Expr(lo, hi, found)
        if func.attr not in _CHANGING:
            change = n.Assign(lo, hi, (total,), found)
        body.append(n.For(lo, hi, item, given.value, (change,), (), False) if starred else change)
    result = total if makes else n.Constant(lo, hi, None, None)
    return Expansion(tuple(body), result, frozenset((total.id, item.id)))


# What changes a set as the method of that name would.
_CHANGING = {"update": "update", "union": "update"}


def _called(owner: n.Expression, name: str, *given: n.Expression) -> n.Call:
    lo, hi = owner.lo, owner.hi
    return n.Call(lo, hi, n.Attribute(lo, hi, owner, name), given, ())
