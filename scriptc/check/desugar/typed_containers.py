"""Typed lists and dicts of Numba's: a list or dict is what they are without it.

List.empty_list(numba.types.intp)   []
List(xs)                            [*xs]
Dict.empty(unicode_type, float64)   {}
"""

from collections.abc import Mapping

from scriptc.check.bindings import Static, Typed
from scriptc.check.context import Context
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.types import BOOL, COMPLEX, FLOAT, INT, STR, DictType, ListType, Type

# By module and name, what a call makes, and how many types it is given.
_MAKERS: Mapping[tuple[object, object], tuple[type, int]] = {
    ("numba.typed.typedlist", "List"): (list, 0),
    ("numba.typed.typedlist", "List.empty_list"): (list, 1),
    ("numba.typed.typeddict", "Dict"): (dict, 0),
    ("numba.typed.typeddict", "Dict.empty"): (dict, 2),
}
# By the class of one of Numba's types, the type that Python has of what a container gives.
_TYPES: Mapping[str, Type] = {
    **{"Integer": INT, "IntegerLiteral": INT, "Float": FLOAT, "Boolean": BOOL},
    **{"Complex": COMPLEX, "UnicodeType": STR},
}


def check_typed(
    context: Context, node: n.Call, callee: object, expected: Type | None
) -> Typed | None:
    """Check a call that makes a typed list or dict; None for other calls."""
    live = getattr(callee, "__func__", callee)
    place = (getattr(live, "__module__", None), getattr(live, "__qualname__", None))
    maker, count = _MAKERS.get(place, (None, 0))
    if maker is None:
        return None
    most = 1 if maker is list and not count else count
    if node.keywords or not count <= len(node.args) <= most:
        what = f"{place[1]}() is given no capacity, nor more than {most} arguments, in scripts"
        context.fail("call-arity", what, node, instead="drop the rest")
    types = [_type_named(context, argument) for argument in node.args[:count]]
    if len(types) == 1 and types[0] is not None:
        expected = ListType(types[0])
    elif len(types) == 2 and types[0] is not None and types[1] is not None:
        expected = DictType(types[0], types[1])
    key = node, ("typed container",)
    plain = context.learned.spreads.get(key)
    if plain is None:
        plain = context.learned.spreads[key] = _plain(node, maker, count)
    value = context.typed(plain, expected)
    context.facts.expanded[node] = Expansion((), plain, frozenset())
    context.facts.types[node] = value.type
    return value


def _plain(node: n.Call, maker: type, count: int) -> n.Expression:
    at = node.lo, node.hi
    if maker is dict:
        return n.Dict(*at, (), ())
    items = () if count else tuple(n.Starred(a.lo, a.hi, a) for a in node.args)
    return n.List(*at, items)


def _type_named(context: Context, node: n.Expression) -> Type | None:
    """Return what a type of Numba's is here; None for one that what is put in has to tell."""
    found = context.expression(node)
    live = found.value if isinstance(found, Static) else None
    return _TYPES.get(type(live).__name__)
