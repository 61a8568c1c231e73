"""Methods of dicts that are short for loops, and one that gives an iterator.

d.update(pairs, a=1)    dict@ = d; for key@, value@ in pairs: dict@[key@] = value@; dict@["a"] = 1
counter.elements()      iter(list@), of the list of all elements
"""

from scriptc.check.bindings import Fixed, Static, Typed
from scriptc.check.context import Context, UnknownTypeError
from scriptc.check.desugar.comprehensions import as_loops
from scriptc.check.desugar.made_collections import require_simple
from scriptc.check.desugar.made_containers import (
    as_mapping,
    is_container,
    require_one_way,
)
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion
from scriptc.syntax.made_containers import updated
from scriptc_runtime.types import DictType


def check_dict_call(context: Context, node: n.Call, name: str, receiver: Typed) -> Typed | None:
    """Check such a call; None for any other."""
    assert isinstance(node.func, n.Attribute)
    if not isinstance(receiver.type, DictType):
        return None
    is_counter = receiver.type.kind == "Counter"
    if name == "elements" and is_counter and not (node.args or node.keywords):
        return _elements(context, node, node.func)
    if name != "update" or len(node.args) > 1 or any(k.arg is None for k in node.keywords):
        return None
    if not node.keywords and (is_counter or _is_dict(context, node)):
        return None
    require_simple(context, [k.value for k in node.keywords if node.args])
    base = node.func.value

    def at_once(part: n.Expression) -> bool:
        return is_counter or _is_one(context, part)

    def expand() -> Expansion:
        args = tuple(as_mapping(context, arg) for arg in node.args)
        plain = n.Call(node.lo, node.hi, node.func, args, node.keywords)
        return updated(plain, base, at_once)

    value = as_loops(context, node, expand)
    require_one_way(context, node.args)
    return value


def _is_dict(context: Context, node: n.Call) -> bool:
    return len(node.args) != 1 or _is_one(context, node.args[0])


def _is_one(context: Context, node: n.Expression) -> bool:
    """Whether an expression is a dict that stands for itself."""
    return is_container(context, node) and isinstance(context.typed(node).type, DictType)


def _elements(context: Context, node: n.Call, func: n.Attribute) -> Typed:
    if context.env is None:
        raise UnknownTypeError
    name = "iter@elements"
    context.locals |= {name}
    context.env[name] = Fixed(Static(iter, context.span(node)))

    def expand() -> Expansion:
        lo, hi = node.lo, node.hi
        items = n.Name(lo, hi, f"elements@{lo}:{hi}")
        whole = n.Call(lo, hi, n.Attribute(lo, hi, func.value, "@elements"), (), ())
        start = n.Assign(lo, hi, (items,), whole)
        made = n.Call(lo, hi, n.Name(lo, hi, name), (items,), ())
        return Expansion((start,), made, frozenset((items.id,)))

    return as_loops(context, node, expand)
