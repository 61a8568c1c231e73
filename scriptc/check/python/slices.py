"""Slices as values: named tuples of three bounds, whose methods are in `stdlib/slices.py`.

s = slice(a, b)     a value, where a bound is no constant
x[s]                x[s.start : s.stop : s.step]
obj[a:b]            obj.__getitem__(slice(a, b, None)), of an object with that method
"""

from collections.abc import Sequence
from types import EllipsisType

from scriptc.check.bindings import Fixed, KeptIndex, KeptSlice, Static, Typed
from scriptc.check.checked import Computation, Convert, Literal
from scriptc.check.context import Context
from scriptc.check.indices import bound
from scriptc.check.named_types import is_index_part, named_tuple
from scriptc.syntax import nodes as n
from scriptc_runtime.named_classes import BOUNDS
from scriptc_runtime.ops import data
from scriptc_runtime.types import INT, NONE, NamedType, OptionalType, TupleType, Type

_NAME = slice.__name__


class AsValue:
    """Stands for the class of slices where one is a value, also if its bounds are constants."""


_VALUE = AsValue()


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
    return context.record(node, parts, of_bounds(context, node, values))


def of_bounds(context: Context, node: n.Node, bounds: Sequence[Computation]) -> Computation:
    """Return a slice of its three bounds."""
    context.declare_named(slice)
    whole = context.apply(node, data.TUPLE, *bounds)
    return Convert(whole, named_tuple(slice, [item.type for item in bounds]))


def whole(context: Context, node: n.Expression, kept: KeptSlice | KeptIndex) -> Typed:
    """Return a slice of constants, or a tuple that holds some, as a value."""
    return context.record(node, [], _of_constants(context, node, kept))


def _of_constants(context: Context, node: n.Node, kept: object) -> Computation:
    match kept:
        case KeptSlice(lower, upper, step):
            bounds = (lower, upper, step)
            return of_bounds(context, node, [_of_constants(context, node, b) for b in bounds])
        case KeptIndex(parts):
            items = (_of_constants(context, node, part) for part in parts)
            return context.apply(node, data.TUPLE, *items)
        case int():
            return Literal(kept, INT)
        case EllipsisType():
            context.declare_named(EllipsisType)
            nothing = context.apply(node, data.TUPLE)
            return Convert(nothing, named_tuple(EllipsisType, ()))
        case _:
            return Literal(None, NONE)


def of_variable(value: n.Name, type_: Type) -> n.Expression:
    """Return the index that a variable holds, with the bounds of slices."""
    if not (isinstance(type_, TupleType) and holds_slice(type_)):
        return _spelled(value, type_)
    at = value.lo, value.hi
    items = (n.Subscript(*at, value, n.Constant(*at, i, None)) for i in range(len(type_.items)))
    return n.Tuple(*at, tuple(map(_spelled, items, type_.items)))


def _spelled(value: n.Expression, type_: Type) -> n.Expression:
    at = value.lo, value.hi
    if not is_index_part(type_):
        return value
    if not isinstance(type_, NamedType) or type_.kind != _NAME:
        return n.Constant(*at, ..., None)
    return n.Slice(*at, *(n.Attribute(*at, value, name) for name in BOUNDS))


def holds_slice(type_: Type) -> bool:
    """Whether values of a type are tuples that hold slices, or `...`."""
    return isinstance(type_, TupleType) and any(map(is_index_part, type_.items))


def as_key(context: Context, index: n.Expression) -> n.Expression:
    """Return what stands in brackets behind an object, its slices as values."""
    if isinstance(index, n.Slice):
        return _call(context, index)
    if isinstance(index, n.Tuple) and any(isinstance(elt, n.Slice) for elt in index.elts):
        known = context.learned.spreads.get((index, (_NAME,)))
        if known is None:
            elts = (_call(context, e) if isinstance(e, n.Slice) else e for e in index.elts)
            known = n.Tuple(index.lo, index.hi, tuple(elts))
            context.learned.spreads[index, (_NAME,)] = known
        for elt in known.elts if isinstance(known, n.Tuple) else ():
            _name_class(context, elt)
        return known
    return index


def _call(context: Context, part: n.Slice) -> n.Call:
    known = context.learned.spreads.get((part, (_NAME,)))
    if known is None:
        at = part.lo, part.hi
        bounds = (part.lower, part.upper, part.step)
        args = tuple(bound or n.Constant(*at, None, None) for bound in bounds)
        known = n.Call(*at, n.Name(*at, f"{_NAME}@{at[0]}:{at[1]}"), args, ())
        context.learned.spreads[part, (_NAME,)] = known
    assert isinstance(known, n.Call)
    _name_class(context, known)
    return known


def _name_class(context: Context, node: n.Expression) -> None:
    """Let the name that such a call has stand for the class of slices."""
    if (
        isinstance(node, n.Call)
        and isinstance(node.func, n.Name)
        and node.func.id.startswith(_NAME)
    ):
        assert context.env is not None
        context.locals |= {node.func.id}
        context.env[node.func.id] = Fixed(Static(_VALUE, context.span(node)))
