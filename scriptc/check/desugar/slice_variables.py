"""Slices that variables stand for: `inner = slice(1, -1); x[inner, inner]`.

Like a function, a slice with constant bounds is a constant of the program and no value of the
language, and so is a tuple of such slices, ints, None and `...`.  A subscript spells it out.
"""

from collections.abc import Sequence
from types import EllipsisType
from typing import NoReturn, cast

import numpy as np

from scriptc.check.bindings import Fixed, KeptIndex, KeptSlice, Static, Typed
from scriptc.check.context import Context
from scriptc.check.desugar.literal_ints import written_int
from scriptc.check.desugar.stars import has_star, without_stars
from scriptc.check.named_types import is_index_part
from scriptc.check.python import slices
from scriptc.check.scopes import look_up
from scriptc.syntax import nodes as n
from scriptc_runtime.types import NONE
from scriptc_runtime.values import INT_MAX, INT_MIN

_Part = KeptSlice | int | None | EllipsisType
_NO_BOUND = object()


def check_slice(context: Context, node: n.Call) -> Static | Typed:
    """Check a call of `slice`: a constant where its bounds are, else a value."""
    if node.keywords or not 1 <= len(node.args) <= 3:
        context.fail("call-arity", "slice() takes one to three bounds by position", node)
    if any(_computed(context, argument) is _NO_BOUND for argument in node.args):
        return slices.made(context, node)
    bounds = [_bound(context, argument) for argument in node.args]
    if len(bounds) == 1:
        bounds = [None, *bounds]
    return Static(KeptSlice(*bounds), context.span(node))


def check_display(
    context: Context, node: n.Tuple, values: Sequence[Typed | Static]
) -> Static | None:
    """Return what a tuple stands for that holds a kept slice, an index; None for a value."""
    if not any(isinstance(v, Static) and isinstance(v.value, KeptSlice) for v in values):
        return None
    parts: list[_Part] = []
    for value in values:
        part = value.value if isinstance(value, Static) else _known(value)
        if part is not None and not isinstance(part, KeptSlice | int):
            return None
        parts.append(part)
    return Static(KeptIndex(tuple(parts)), context.span(node))


def _known(value: Typed) -> object:
    """Return the int or None that a value is known to be; anything else is no part of an index."""
    if value.type is NONE:
        return None
    known = value.known.value if value.known else ""
    return known if _is_int(known) else ""


def kept(value: object) -> KeptSlice | KeptIndex | None:
    """Return what a live slice, or a tuple that holds one, stands for; None for anything else."""
    if isinstance(value, slice):
        return _kept_slice(cast("slice[object, object, object]", value))
    items = cast("tuple[object, ...]", value) if isinstance(value, tuple) else ()
    if not any(isinstance(item, slice) for item in items):
        return None
    parts: list[_Part] = []
    for item in items:
        part = kept(cast(object, item)) if isinstance(item, slice) else item
        fits = isinstance(part, KeptSlice) or part is ... or _is_int(part)
        if not fits and not (part is None and item is None):
            return None
        parts.append(cast(_Part, part))
    return KeptIndex(tuple(parts))


def _kept_slice(value: "slice[object, object, object]") -> KeptSlice | None:
    bounds = (value.start, value.stop, value.step)
    if not all(bound is None or _is_int(bound) for bound in bounds):
        return None
    return KeptSlice(*cast("tuple[int | None, ...]", bounds))


def _is_int(value: object) -> bool:
    return type(value) is int and INT_MIN <= value <= INT_MAX


def spelled(context: Context, index: n.Expression) -> n.Expression:
    """Return the slice, or the tuple of them, that an index stands for; others as they are.

    A tuple is an index as a whole alone: inside of another one NumPy takes it for an array. One
    with stars is that without them.
    """
    if isinstance(index, n.Tuple) and has_star(index):
        return without_stars(context, index)
    if not _may_be_kept(context, index):
        return index
    value = context.expression(index)
    if isinstance(value, Typed):
        return slices.spelled(context, index, value.type)
    at = index.lo, index.hi
    match value.value:
        case KeptSlice() as part:
            return _spelled(at, part)
        case KeptIndex(parts):
            return n.Tuple(*at, tuple(_spelled(at, part) for part in parts))
        case _:
            return index


def _may_be_kept(context: Context, index: n.Expression) -> bool:
    """Whether an index is a name of something live, or a call of `slice`: found out quickly.

    What is looked at here is checked twice: it is no nest of subscripts.
    """
    match index:
        case n.Name(id=name) if name in context.locals:
            found = (context.env or {}).get(name)
            if not isinstance(found, Typed):
                return isinstance(found, Fixed)
            return is_index_part(found.type) or slices.holds_slice(found.type)
        case n.Name(id=name):
            found = look_up(context.function, name)
            return found is not None and kept(found.value) is not None
        case n.Call(func=n.Name(id="slice")) | n.Attribute(value=n.Name()):
            return True
        case n.Subscript(value=n.Attribute(attr="s_" | "index_exp")):
            return True
        case n.Subscript(value=value, slice=place):
            return _is_path(value) and (_is_path(place) or isinstance(place, n.Constant))
        case _:
            return _is_path(index)


def _is_path(node: n.Expression) -> bool:
    """Whether an expression is a name, or an attribute of one, of which nothing is computed."""
    while isinstance(node, n.Attribute):
        node = node.value
    return isinstance(node, n.Name)


def _spelled(at: tuple[int, int], part: _Part) -> n.Expression:
    if isinstance(part, KeptSlice):
        bounds = (part.lower, part.upper, part.step)
        return n.Slice(*at, *(None if b is None else n.Constant(*at, b, None) for b in bounds))
    return n.Constant(*at, part, None)


def _bound(context: Context, node: n.Expression) -> int | None:
    """Return a bound of a slice, which must be a constant."""
    value = _computed(context, node)
    if value is not None and not _is_int(value):
        _refuse(context, node, f", which this {context.typed(node).type} is not")
    return cast("int | None", value)


def _computed(context: Context, node: n.Expression) -> object:
    """Return the value of constants that are computed with; `_NO_BOUND` for anything else."""
    match node:
        case n.BoolOp(op=op, values=values):
            value: object = _NO_BOUND
            for part in values:
                value = _computed(context, part)
                if value is _NO_BOUND or bool(value) == (op == "or"):
                    break
            return value
        case n.BinOp(lo=lo, hi=hi, left=left, op=op, right=right):
            sides = _computed(context, left), _computed(context, right)
            if not all(map(_is_int, sides)):
                return _NO_BOUND
            one, other = (n.Constant(lo, hi, cast(int, side), None) for side in sides)
            found = written_int(n.BinOp(lo, hi, one, op, other))
            return _NO_BOUND if found is None else found
        case n.UnaryOp(op="-", operand=operand):
            value = _computed(context, operand)
            return -cast(int, value) if _is_int(value) else _NO_BOUND
        case _:
            typed = context.typed(node)
            if typed.type is NONE:
                return None
            return typed.known.value if typed.known else _NO_BOUND


def _refuse(context: Context, node: n.Expression, found: str) -> NoReturn:
    context.fail(
        "slice-value",
        f"an index of np.s_, or a slice of constants, has ints as bounds{found}",
        node,
        why="a variable stands for a slice as it does for a function: the same one on every path",
        instead="slice(start, stop, step), whose bounds may be computed",
    )


def check_maker(context: Context, node: n.Subscript, base: Static) -> Static | None:
    """Check `np.s_[...]`, which gives the index itself; None where this is another object."""
    if base.value is not np.s_ and base.value is not np.index_exp:
        return None
    whole = isinstance(node.slice, n.Tuple) or base.value is np.index_exp
    items = node.slice.elts if isinstance(node.slice, n.Tuple) else (node.slice,)
    parts = tuple(_part(context, item) for item in items)
    value = KeptIndex(parts) if whole else parts[0]
    if not isinstance(value, KeptIndex | KeptSlice):
        _refuse(context, node, "; this is no slice")
    return Static(value, context.span(node))


def _part(context: Context, item: n.Expression) -> _Part:
    match item:
        case n.Slice(lower=lower, upper=upper, step=step):
            bounds = (lower, upper, step)
            return KeptSlice(*(None if b is None else _bound(context, b) for b in bounds))
        case n.Constant(value=EllipsisType()):
            return ...
        case _:
            return _bound(context, item)
