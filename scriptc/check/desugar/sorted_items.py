"""`sorted(d.items())`: no two keys are equal, so that no values are compared."""

from scriptc.check.bindings import Static
from scriptc.check.context import Context
from scriptc.syntax import nodes as n
from scriptc_runtime.types import STR, DictType, Type, is_number

_PAIR = "pair@"


def by_keys_alone(context: Context, node: n.Call) -> n.Call:
    """Return a call of `sorted` that orders the items of a dict by their keys.

    Values that are numbers or texts are compared as fast; of others not all have an order.
    """
    is_keyed = any(keyword.arg == "key" for keyword in node.keywords)
    source = node.args[0]
    if is_keyed or not (isinstance(source, n.Call) and isinstance(source.func, n.Attribute)):
        return node
    if source.func.attr != "items" or source.args or source.keywords:
        return node
    found = context.callee(source)
    receiver = found.receiver if isinstance(found, Static) else None
    if receiver is None or not _is_of_others(receiver[1].type):
        return node
    lo, hi = node.lo, node.hi
    first = n.Constant(lo, hi, 0, None)
    key = n.Subscript(lo, hi, n.Name(lo, hi, _PAIR), first)
    arguments = n.arguments(lo, hi, (), (n.arg(lo, hi, _PAIR, None),), None, (), (), None, ())
    by_key = n.keyword(lo, hi, "key", n.Lambda(lo, hi, arguments, key))
    return n.Call(lo, hi, node.func, node.args, (*node.keywords, by_key))


def _is_of_others(type_: Type) -> bool:
    is_dict = isinstance(type_, DictType)
    return is_dict and not (is_number(type_.value) or type_.value is STR)
