"""Methods of lists, containers and texts as functions: `key=xs.index` is `lambda x: xs.index(x)`.

What the variable holds must not change later: Python has bound the method to the value.
"""

from collections.abc import Mapping
from types import BuiltinMethodType
from typing import cast

from scriptc.check import builtin_methods, function_values
from scriptc.check.bindings import Typed
from scriptc.check.context import Context, Value
from scriptc.syntax import nodes as n
from scriptc.syntax.copies import copied

# How many arguments methods take that always take as many.
_COUNTS: Mapping[str, int] = {
    **dict.fromkeys(("clear", "copy", "popitem", "popleft", "reverse"), 0),
    **dict.fromkeys(("add", "append", "appendleft", "discard", "extend", "extendleft"), 1),
    **dict.fromkeys(("join", "remove", "__contains__", "__getitem__"), 1),
    "insert": 2,
}
_ITEM, _REST, _NAMED = "item@", "rest@", "named@"


def bound_method(context: Context, node: n.Attribute, base: Typed) -> Value | None:
    """Return a method that is not called where it stands; None for what is no method of these."""
    if not builtin_methods.has_method(base, node.attr) or not is_steady(context, node):
        return None
    assert isinstance(node.value, n.Name)
    made = as_function(node, node.value)
    # The same one in each check of the program: objects of it are of one class then.
    return context.expression(context.rounds.spreads.setdefault((node, ("bound",)), made))


def method_of_constant(context: Context, node: n.Expression, method: BuiltinMethodType) -> Value:
    """Return a method of a text or a number that a name outside stands for: `", ".join`."""
    held = n.Constant(node.lo, node.hi, cast("str | int | float", method.__self__), None)
    made = as_function(n.Attribute(node.lo, node.hi, held, method.__name__), held)
    return context.expression(context.rounds.spreads.setdefault((node, ("bound",)), made))


def is_steady(context: Context, node: n.Attribute) -> bool:
    """Whether it is a method of a variable that holds one value from here on."""
    owner = node.value
    if not isinstance(owner, n.Name) or owner.id not in context.locals:
        return False
    if owner.id in context.shared or owner.id in context.learned.cells:
        return False
    return not function_values.is_changed_later(context, node, owner.id)


def as_function(node: n.Attribute, held: n.Expression, count: int | None = None) -> n.Lambda:
    """Return a function that calls a method of what is held, of so many arguments if it is told."""
    lo, hi = node.lo, node.hi
    count = _COUNTS.get(node.attr) if count is None else count
    if count is None:
        return _of_any_arguments(node, held)
    names = tuple(f"{_ITEM}{place or ''}" for place in range(count))
    parameters = tuple(n.arg(lo, hi, name, None) for name in names)
    held, given = copied(held, {}, 0), tuple(n.Name(lo, hi, name) for name in names)
    call: n.Expression = n.Call(lo, hi, n.Attribute(lo, hi, held, node.attr), given, ())
    if node.attr == "__getitem__" and count == 1:
        call = n.Subscript(lo, hi, held, given[0])
    if node.attr == "__contains__" and count == 1:
        call = n.Compare(lo, hi, given[0], ("in",), (held,))
    return n.Lambda(lo, hi, n.arguments(lo, hi, (), parameters, None, (), (), None, ()), call)


def _of_any_arguments(node: n.Attribute, held: n.Expression) -> n.Lambda:
    lo, hi = node.lo, node.hi
    rest, named = (n.arg(lo, hi, name, None) for name in (_REST, _NAMED))
    given = n.Starred(lo, hi, n.Name(lo, hi, _REST))
    by_name = n.keyword(lo, hi, None, n.Name(lo, hi, _NAMED))
    method = n.Attribute(lo, hi, copied(held, {}, 0), node.attr)
    call = n.Call(lo, hi, method, (given,), (by_name,))
    return n.Lambda(lo, hi, n.arguments(lo, hi, (), (), rest, (), (), named, ()), call)
