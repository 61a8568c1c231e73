"""Methods of lists, containers and texts as functions: `key=xs.index` is `lambda x: xs.index(x)`.

What the variable holds must not change later: Python has bound the method to the value.
"""

from scriptc.check.bindings import Typed
from scriptc.check.context import Context, Value
from scriptc.check.function_values import is_changed_later
from scriptc.syntax import nodes as n
from scriptc_runtime.types import STR, DictType, ListType, SetType

_WITHOUT_ARGUMENTS = frozenset({"clear", "copy", "pop", "popitem", "reverse", "sort"})
_OF_LOOPS = frozenset({"items", "keys", "values"})
_ITEM = "item@"


def bound_method(context: Context, node: n.Attribute, base: Typed) -> Value | None:
    """Return a method that is not called where it stands; None for what is no method of these."""
    owner = node.value
    cls = _class_of(base)
    if (
        cls is None
        or node.attr in _OF_LOOPS
        or not isinstance(owner, n.Name)
        or owner.id not in context.locals
    ):
        return None
    if owner.id in context.shared or owner.id in context.learned.cells:
        return None
    if not callable(getattr(cls, node.attr, None)) or is_changed_later(context, node, owner.id):
        return None
    return context.expression(context.learned.spreads.setdefault((node, ()), _function(node)))


def _class_of(base: Typed) -> type | None:
    match base.type:
        case ListType(frozen=frozen):
            return tuple if frozen else list
        case DictType():
            return dict
        case SetType(_, frozen):
            return frozenset if frozen else set
        case type_:
            return str if type_ is STR else None


def _function(node: n.Attribute) -> n.Lambda:
    lo, hi = node.lo, node.hi
    names = () if node.attr in _WITHOUT_ARGUMENTS else (_ITEM,)
    parameters = tuple(n.arg(lo, hi, name, None) for name in names)
    owner, given = n.Name(lo, hi, _name(node)), tuple(n.Name(lo, hi, name) for name in names)
    call: n.Expression = n.Call(lo, hi, n.Attribute(lo, hi, owner, node.attr), given, ())
    if node.attr == "__getitem__":
        call = n.Subscript(lo, hi, owner, given[0])
    if node.attr == "__contains__":
        call = n.Compare(lo, hi, given[0], ("in",), (owner,))
    return n.Lambda(lo, hi, n.arguments(lo, hi, (), parameters, None, (), (), None, ()), call)


def _name(node: n.Attribute) -> str:
    assert isinstance(node.value, n.Name)
    return node.value.id
