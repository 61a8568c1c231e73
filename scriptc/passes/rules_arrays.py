"""Identities of whole arrays, exact on every bit: each is a row of `RULES`.

A row says which instruction it is about and which one gives its first operand, what must be known
of both, and what takes the place of the first.  What must be known are named questions below; each
of them stands for a program that a rule would break without it.

    view(exp(x))       =>  exp(view(x))          so does an element, a transpose, another shape
    copy(sort(x))      =>  sort(x)               if nobody else holds that array
    transpose(transpose(x)), flips of flips, x[:], x.reshape(len(x))
    dim(exp(x))        =>  dim(x)
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import reduce
from math import inf
from typing import cast

from scriptc.passes import array_sites
from scriptc.passes.array_conditions import (
    DEEPEST,
    EXTREMES,
    MOVES,
    Condition,
    folds_all,
    has_one_array,
    has_plain_layout,
    is_a_part,
    is_a_view,
    is_back_in_order,
    is_flip_back,
    is_near,
    is_new,
    is_no_object,
    is_only_read,
    is_open_below,
    is_order_free,
    is_own_shape,
    is_read_element_by_element,
    is_row_major,
    is_still,
    is_still_or_view,
    is_turned_back_below,
    is_unbroadcast,
    is_unseen,
    is_used_once,
    is_whole,
    never_raises,
    takes_a_vector,
)
from scriptc.passes.array_crossings import crossed, is_crossing
from scriptc.passes.array_forms import ELEMENTWISE, composed, measured, part_of, type_of
from scriptc.passes.array_sections import PICKS, of_operand
from scriptc.passes.array_views import is_composed, of_base
from scriptc_runtime.ir import Label, Value
from scriptc_runtime.ops import (
    arrays,
    control,
    data,
    joining,
    picking,
    reductions,
    reshaping,
    sorting,
)
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import Attr, OpDef
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import DType, TensorType, int_limits

# Folds whose result two parts have together; see `is_order_free`.
OF_TWO = {
    reductions.MAX: e.MAXIMUM,
    reductions.MIN: e.MINIMUM,
    reductions.ANY: e.OR,
    reductions.ALL: e.AND,
    reductions.SUM: e.ADD,
    reductions.PROD: e.MUL,
}
# What changes the order of elements, and which axes they lie along, alone.
_REARRANGED = frozenset({arrays.TRANSPOSE, arrays.COPY, joining.ROLL, sorting.SORT})


@record(kw_only=True)
class ArrayRule:
    """`put` may take the place of an op of `outer` on the result of one of `inner`, if all `needs`.

    Without `inner` it may be any op, or the operand a parameter.  True bit for bit, unless
    `fast_math`.
    """

    name: str
    outer: Collection[OpDef]
    inner: Collection[OpDef] = ()
    needs: Sequence[Condition]
    put: Callable[[array_sites.Site], Value]
    fast_math: bool = False


def _inner(site: array_sites.Site) -> Value:
    return site.inner.result


def _array(site: array_sites.Site) -> Value:
    return site.outer.operands[0]


def _source(site: array_sites.Site) -> Value:
    return site.inner.operands[0]


def _on_operands(site: array_sites.Site) -> Value:
    """Return what the inner op gives of the parts of its operands."""
    outer, inner = site.outer, site.inner
    attrs = {**outer.attrs, "dense": False} if outer.op is reshaping.RESHAPE else outer.attrs

    def part(operand: Value) -> Value:
        if outer.op in PICKS:
            return of_operand(site, operand)
        return site.emit(outer.op, (operand, *outer.operands[1:]), attrs)

    parts = [part(v) if isinstance(v.type, TensorType) else v for v in inner.operands]
    return site.emit(inner.op, parts, inner.attrs)


def _transposed(site: array_sites.Site) -> Value:
    return site.emit(arrays.TRANSPOSE, site.inner.operands, {"order": composed(site)})


def _axis(site: array_sites.Site) -> Value:
    array, axis = measured(site.facts, site.inner.result, cast("int", site.outer.attrs["axis"]))
    return site.emit(arrays.DIM, (array,), {"axis": axis})


def _own_size(site: array_sites.Site) -> Value:
    axis = cast("int", site.outer.attrs["axis"])
    return site.inner.operands[axis + (site.inner.op is arrays.FULL)]


def _fold_of_source(site: array_sites.Site) -> Value:
    attrs = {**site.outer.attrs, "axis": None}
    return site.emit(site.outer.op, site.inner.operands[:1], attrs)


def _fold_of_parts(site: array_sites.Site) -> Value:
    """Return the fold of what the folds of all parts give."""
    parts = site.inner.operands
    sure = [_has_elements(site, part) for part in parts]
    others: Value | None = None  # whether a part before has elements
    found: list[Value] = []
    for number, part in enumerate(parts):
        if sure[number]:
            found.append(_fold_of(site, part))
            continue
        size = site.emit(arrays.DIM, (part,), {"axis": site.inner.attrs["axis"]})
        zero = site.emit(data.CONST, (), {"value": 0})
        is_empty = site.emit(e.EQ, (size, zero), {})
        # The last one raises if it is empty, unless another is not.
        if number == len(parts) - 1 and others:
            is_empty = site.emit(e.AND, (is_empty, others), {})
        elif not any(sure):
            is_filled = site.emit(e.NE, (size, zero), {})
            others = site.emit(e.OR, (others, is_filled), {}) if others else is_filled
        found.append(_unless(site, is_empty, part))
    return reduce(lambda a, b: site.emit(OF_TWO[site.outer.op], (a, b), {}), found)


def _has_elements(site: array_sites.Site, part: Value) -> bool:
    """Whether the fold of a part raises only if that of all does."""
    is_all = len(site.inner.operands) == 1 or joining.is_new(site.inner.attrs)
    if site.outer.op not in EXTREMES or is_all:
        return True
    dim = type_of(part).dims[cast("int", site.inner.attrs["axis"])]
    return dim.is_constant and dim.constant > 0


def _fold_of(site: array_sites.Site, part: Value) -> Value:
    return site.emit(site.outer.op, (part,), {**site.outer.attrs, "axis": None})


def _unless(site: array_sites.Site, test: Value, part: Value) -> Value:
    """Return the fold of a part, or what leaves all others as they are if a test is true."""
    label, loc, type_ = Label("part"), site.outer.loc, site.outer.result.type
    site.builder.open()
    neutral = {"value": _neutral(site), "dtype": type_}
    site.builder.exit(label, site.emit(data.CONST, (), neutral), loc=loc)
    empty = site.builder.close()
    site.builder.open()
    site.builder.exit(label, _fold_of(site, _computed_here(site, part)), loc=loc)
    full = site.builder.close()
    return site.builder.region(control.IF, (test,), (empty, full), label, (type_,), loc)[0]


def _computed_here(site: array_sites.Site, array: Value, depth: int = 0) -> Value:
    """Return an array, computed in the branch that alone needs it where that may be."""
    made = site.facts.definition(array)
    if made is None or made.op not in ELEMENTWISE or depth > DEEPEST:
        return array
    below = replace(site, source=made)
    if not all(needed(below) for needed in (is_new, is_used_once, is_near, is_still, never_raises)):
        return array
    site.facts.gone.add(made)
    operands = [
        _computed_here(site, v, depth + 1) if isinstance(v.type, TensorType) else v
        for v in made.operands
    ]
    return site.emit(made.op, operands, made.attrs)


def _neutral(site: array_sites.Site) -> Attr:
    """Return the number that no other is above, or below."""
    dtype, is_max = cast("DType", site.outer.result.type), site.outer.op is reductions.MAX
    if dtype.kind == "b":
        return not is_max
    if dtype.kind == "f":
        return -inf if is_max else inf
    return int_limits(dtype)[0 if is_max else 1]


def _view_of_part(site: array_sites.Site) -> Value:
    part = part_of(site, site.outer)
    assert part is not None
    bounds = part.start, part.stop
    if bounds == (None, None):
        return part.array
    axis = cast("int", site.inner.attrs["axis"])
    none = site.emit(data.CONST, (), {"value": None})
    given = [none if b is None else site.emit(data.CONST, (), {"value": b}) for b in bounds]
    items = (*[none] * (3 * axis), *given, none)
    return site.emit(arrays.VIEW, (part.array, *items), {"axes": "s" * (axis + 1)})


def _last_first(site: array_sites.Site) -> Value:
    first, second = site.inner.operands
    product = site.emit(arrays.MATMUL, (second, site.outer.operands[1]), site.outer.attrs)
    return site.emit(arrays.MATMUL, (first, product), site.outer.attrs)


RULES: Sequence[ArrayRule] = (
    # What is picked of a result is computed of what is picked.
    ArrayRule(
        name="part-of-elementwise",
        outer=(arrays.INDEX, arrays.VIEW),
        inner=ELEMENTWISE,
        needs=(*MOVES, is_open_below, has_plain_layout),
        put=_on_operands,
    ),
    ArrayRule(
        name="transpose-of-elementwise",
        outer=(arrays.TRANSPOSE,),
        inner=ELEMENTWISE,
        needs=(*MOVES, is_turned_back_below, has_plain_layout),
        put=_on_operands,
    ),
    ArrayRule(
        name="reshape-of-elementwise",
        outer=(reshaping.RESHAPE,),
        inner=ELEMENTWISE,
        needs=(
            *MOVES,
            is_open_below,
            has_one_array,
            has_plain_layout,
            is_read_element_by_element,
        ),
        put=_on_operands,
    ),
    # A copy that alone is used is the array that it is a copy of.
    ArrayRule(
        name="copy-of-new",
        outer=(arrays.COPY,),
        needs=(is_new, is_used_once, is_near, is_row_major),
        put=_inner,
    ),
    # A view of a view shows the array that this is of.
    ArrayRule(
        name="view-of-view",
        outer=PICKS,
        inner=(arrays.VIEW,),
        needs=(is_composed,),
        put=of_base,
    ),
    # Views that show an array as it is.
    ArrayRule(
        name="transpose-back",
        outer=(arrays.TRANSPOSE,),
        inner=(arrays.TRANSPOSE,),
        needs=(is_back_in_order, is_no_object),
        put=_source,
    ),
    ArrayRule(
        name="transpose-of-transpose",
        outer=(arrays.TRANSPOSE,),
        inner=(arrays.TRANSPOSE,),
        needs=(),
        put=_transposed,
    ),
    ArrayRule(
        name="flip-of-flip",
        outer=(arrays.VIEW,),
        inner=(arrays.VIEW,),
        needs=(is_flip_back, is_no_object),
        put=_source,
    ),
    ArrayRule(
        name="whole-view",
        outer=(arrays.VIEW,),
        needs=(is_whole, is_no_object),
        put=_array,
    ),
    ArrayRule(
        name="reshape-to-own-shape",
        outer=(reshaping.RESHAPE,),
        needs=(is_own_shape, is_a_view, is_no_object),
        put=_array,
    ),
    # Where two lists of places cross.
    ArrayRule(
        name="columns-of-rows",
        outer=(picking.TAKE,),
        inner=(arrays.TRANSPOSE,),
        needs=(is_crossing, is_unseen),
        put=crossed,
    ),
    # Folds that do not depend on the order of elements.
    ArrayRule(
        name="fold-of-rearranged",
        outer=OF_TWO,
        inner=_REARRANGED,
        needs=(is_order_free, folds_all, is_still_or_view),
        put=_fold_of_source,
    ),
    ArrayRule(
        name="fold-of-joined",
        outer=OF_TWO,
        inner=(joining.JOIN,),
        needs=(
            is_order_free,
            folds_all,
            is_still,
            is_used_once,
            is_near,
        ),
        put=_fold_of_parts,
    ),
    ArrayRule(
        name="fold-of-joined-floats",
        outer=(reductions.SUM, reductions.PROD),
        inner=(joining.JOIN,),
        needs=(folds_all, is_still, is_used_once, is_near),
        put=_fold_of_parts,
        fast_math=True,
    ),
    # What is read of joined arrays lies in one of them.
    ArrayRule(
        name="part-of-joined",
        outer=(arrays.VIEW,),
        inner=(joining.JOIN,),
        needs=(is_still, never_raises, is_only_read, is_a_part),
        put=_view_of_part,
    ),
    ArrayRule(
        name="product-with-a-vector-first",
        outer=(arrays.MATMUL,),
        inner=(arrays.MATMUL,),
        needs=(
            is_used_once,
            is_near,
            is_still,
            never_raises,
            takes_a_vector,
        ),
        put=_last_first,
        fast_math=True,
    ),
    # A size is known before the array is.
    ArrayRule(
        name="size-of-elementwise",
        outer=(arrays.DIM,),
        inner=ELEMENTWISE,
        needs=(is_unbroadcast,),
        put=_axis,
    ),
    ArrayRule(
        name="size-of-copy",
        outer=(arrays.DIM,),
        inner=(arrays.COPY, arrays.TRANSPOSE),
        needs=(),
        put=_axis,
    ),
    ArrayRule(
        name="size-of-new",
        outer=(arrays.DIM,),
        inner=(arrays.FULL, arrays.EMPTY),
        needs=(),
        put=_own_size,
    ),
)
