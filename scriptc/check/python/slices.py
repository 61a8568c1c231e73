"""Slices as values: objects of a class with three bounds, whose methods are in `stdlib/slices.py`.

s = slice(a, b)     an object, where a bound is no constant
x[s]                x[s.start : s.stop : s.step]
obj[a:b]            obj.__getitem__(slice(a, b, None)), of an object with that method
"""

from functools import cache

from scriptc.check.bindings import Fixed, Static, Typed
from scriptc.check.checked import Computation, Convert
from scriptc.check.context import Context
from scriptc.check.indices import bound
from scriptc.check.library.standard import standard_function
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import data
from scriptc_runtime.types import INT, ClassType, OptionalType

NAME = "slice"
_FIELDS = ("start", "stop", "step")
_METHODS = {"__eq__": "same", "__repr__": "text", "indices": "indices"}


@cache
def live_class() -> type:
    """Return the class that slices are objects of in a program."""
    methods = {name: standard_function("slices", known) for name, known in _METHODS.items()}
    return type(NAME, (), {**methods, "python": slice})


def is_slice(value: Typed) -> bool:
    """Whether a value is a slice."""
    return value.type == ClassType(NAME)


def made(context: Context, node: n.Call) -> Typed:
    """Check `slice(a, b, c)` where it is a value."""
    bounds = node.args if len(node.args) > 1 else (None, *node.args)
    parts: list[n.Expression] = []
    values: list[Computation] = []
    type_ = OptionalType(INT)
    for part in (*bounds, None, None)[:3]:
        evaluated, value = bound(context, part)
        parts += evaluated
        values.append(value if value.type == type_ else Convert(value, type_))
    context.library_class(live_class(), dict.fromkeys(_FIELDS, type_))
    new = context.apply(node, data.NEW, *values, cls=NAME, fields=_FIELDS)
    return context.record(node, parts, new)


def spelled(value: n.Name) -> n.Slice:
    """Return the slice that a variable holds, with its bounds."""
    return n.Slice(
        value.lo, value.hi, *(n.Attribute(value.lo, value.hi, value, name) for name in _FIELDS)
    )


def as_key(context: Context, index: n.Expression) -> n.Expression:
    """Return what stands in brackets behind an object, its slices as values."""
    if isinstance(index, n.Slice):
        return _call(context, index)
    if isinstance(index, n.Tuple) and any(isinstance(elt, n.Slice) for elt in index.elts):
        known = context.learned.spreads.get((index, (NAME,)))
        if known is None:
            elts = (_call(context, e) if isinstance(e, n.Slice) else e for e in index.elts)
            known = n.Tuple(index.lo, index.hi, tuple(elts))
            context.learned.spreads[index, (NAME,)] = known
        for elt in known.elts if isinstance(known, n.Tuple) else ():
            _name_class(context, elt)
        return known
    return index


def _call(context: Context, part: n.Slice) -> n.Call:
    known = context.learned.spreads.get((part, (NAME,)))
    if known is None:
        at = part.lo, part.hi
        bounds = (part.lower, part.upper, part.step)
        args = tuple(bound or n.Constant(*at, None, None) for bound in bounds)
        known = n.Call(*at, n.Name(*at, f"{NAME}@{at[0]}:{at[1]}"), args, ())
        context.learned.spreads[part, (NAME,)] = known
    assert isinstance(known, n.Call)
    _name_class(context, known)
    return known


def _name_class(context: Context, node: n.Expression) -> None:
    """Let the name that such a call has stand for the class of slices."""
    if isinstance(node, n.Call) and isinstance(node.func, n.Name) and node.func.id.startswith(NAME):
        assert context.env is not None
        context.locals |= {node.func.id}
        context.env[node.func.id] = Fixed(Static(live_class(), context.span(node)))
