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
from scriptc_runtime.types import INT, NONE, TupleType, Type, parts_of

_NAME = slice.__name__


class AsValue:
    """Stands for the class of slices where one is a value, also if its bounds are constants."""


_VALUE = AsValue()


def made(context: Context, node: n.Call) -> Typed:
    """Check `slice(a, b, c)` where it is a value."""
    bounds = node.args if len(node.args) > 1 else (None, *node.args)
    parts: list[n.Expression] = []
    values: list[Computation] = []
    for part in (*bounds, None, None)[:3]:
        evaluated, value = bound(context, part)
        parts += evaluated
        values.append(value)
    return context.record(node, parts, of_bounds(context, node, values))


def of_bounds(context: Context, node: n.Node, bounds: Sequence[Computation]) -> Computation:
    """Return a slice of its three bounds."""
    context.declare_named(slice)
    type_ = named_tuple(slice, [item.type for item in bounds])
    pairs = zip(bounds, parts_of(type_.base), strict=True)
    items = [b if b.type == item else Convert(b, item) for b, item in pairs]
    return Convert(context.apply(node, data.TUPLE, *items), type_)


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


def spelled(context: Context, index: n.Expression, type_: Type) -> n.Expression:
    """Return the index that a value is, with the bounds of slices; it is evaluated once."""
    if not (is_index_part(type_) or holds_slice(type_)):
        return index
    name, at = index, (index.lo, index.hi)
    if not isinstance(index, n.Name):
        name = n.Name(*at, f"index@{index.lo}:{index.hi}")
        context.locals |= {name.id}
        index = n.NamedExpr(*at, name, index)
    if not isinstance(type_, TupleType):
        return _spelled(index, name, type_)
    # The first item that is mentioned is that of the value itself.
    wholes = [name] * len(type_.items)
    wholes[next((i for i, t in enumerate(type_.items) if not _is_ellipsis(t)), 0)] = index
    parts: list[n.Expression] = []
    for place, (whole, item) in enumerate(zip(wholes, type_.items, strict=True)):
        first, other = (n.Subscript(*at, v, n.Constant(*at, place, None)) for v in (whole, name))
        parts.append(_spelled(first, other, item))
    return n.Tuple(*at, tuple(parts))


def _spelled(first: n.Expression, other: n.Expression, type_: Type) -> n.Expression:
    """Return what an item means in an index; `first` is what stands for it at its first mention."""
    at = first.lo, first.hi
    if not is_index_part(type_):
        return first
    if _is_ellipsis(type_):
        return n.Constant(*at, ..., None)
    start, stop, step = BOUNDS
    rest = (n.Attribute(*at, other, name) for name in (stop, step))
    return n.Slice(*at, n.Attribute(*at, first, start), *rest)


def _is_ellipsis(type_: Type) -> bool:
    return is_index_part(type_) and str(type_) != _NAME


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
