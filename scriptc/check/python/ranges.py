"""Ranges as values: objects of a class with three ints, whose methods are in `stdlib/ranges.py`.

A loop over one is a loop over its bounds.
"""

from functools import cache

from scriptc.check.bindings import Typed
from scriptc.check.checked import Check, Computation, Literal
from scriptc.check.context import Context, operand
from scriptc.check.conversion import converted
from scriptc.check.library.standard import standard_function
from scriptc.check.operators import INDEX_TYPES
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.ops import data, elementwise
from scriptc_runtime.types import INT, ClassType

NAME = "range"
_FIELDS = ("start", "stop", "step")
# By a name that no program has.
_SLICED = "sliced@"
_METHODS = {
    "__len__": "length",
    "__getitem__": "item",
    "__contains__": "contains",
    "__eq__": "same",
    "__hash__": "hash_of_items",
    "__repr__": "text",
    "index": "index",
    "count": "count",
    _SLICED: "sliced",
}


@cache
def live_class() -> type:
    """Return the class that ranges are objects of in a program."""
    methods = {name: standard_function("ranges", known) for name, known in _METHODS.items()}
    return type(NAME, (), {**methods, "python": range})


def is_range(value: Typed) -> bool:
    """Whether a value is a range."""
    return value.type == ClassType(NAME)


def check_range(context: Context, node: n.Call) -> Typed:
    """Check `range(...)` where it is a value."""
    if not 1 <= len(node.args) <= 3 or node.keywords:
        context.fail("call-arity", "a range takes one to three positional arguments", node)
    bounds: list[Computation] = []
    for argument in node.args:
        value = context.typed(argument)
        if value.type not in INDEX_TYPES:
            message = f"a bound of a range must be int, not {value.type}"
            context.fail("argument", message, argument, instead="convert it: int(x)")
        bounds.append(converted(operand(argument, value), INT))
    if len(bounds) == 1:
        bounds.insert(0, Literal(0, INT))
    if len(bounds) == 2:
        bounds.append(Literal(1, INT))
    step = bounds[2]
    if not isinstance(step, Literal) or step.value == 0:
        some = context.apply(node, elementwise.NE, step, Literal(0, INT))
        bounds[2] = Check(some, "ValueError", "range() arg 3 must not be zero", step, INT)
    context.library_class(live_class(), dict.fromkeys(_FIELDS, INT))
    new = context.apply(node, data.NEW, *bounds, cls=NAME, fields=_FIELDS)
    return context.record(node, node.args, new)


def bounds_of(context: Context, node: n.Expression, whole: Computation) -> list[Computation]:
    """Return the bounds of a range that is a value."""
    return [context.apply(node, data.FIELD, whole, name=f, type=INT) for f in _FIELDS]


def check_slice(context: Context, node: n.Subscript, part: n.Slice) -> Typed:
    """Check a slice of a range."""
    plain = context.learned.spreads.get((node, (NAME,)))
    if plain is None:
        bounds = (part.lower, part.upper, part.step)
        given = tuple(bound or n.Constant(node.lo, node.hi, None, None) for bound in bounds)
        method = n.Attribute(node.lo, node.hi, node.value, _SLICED)
        plain = n.Call(node.lo, node.hi, method, given, ())
        context.learned.spreads[node, (NAME,)] = plain
    value = context.typed(plain)
    context.facts.expanded[node] = Expansion((), plain, frozenset())
    context.facts.types[node] = value.type
    return value
