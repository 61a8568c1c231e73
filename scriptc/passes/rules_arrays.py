"""Identities of whole arrays, exact on every bit: each is a row of `RULES`.

A row says which instruction it is about and which one gives its first operand, what must be known
of both, and what takes the place of the first.  What must be known are named questions below; each
of them stands for a program that a rule would break without it.

    view(exp(x))       =>  exp(view(x))          so does an element, a transpose, another shape
    copy(sort(x))      =>  sort(x)               if nobody else holds that array
    transpose(transpose(x)), flips of flips, x[:], x.reshape(len(x))
    dim(exp(x))        =>  dim(x)
"""

from collections.abc import Callable, Collection, Sequence
from typing import cast

from scriptc.analysis.instr_kinds import effects_of, raises_on_elements
from scriptc.passes.array_sites import ArrayFacts, Site
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.ops import arrays, control, data, elementary, reductions, reshaping
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import Attr, OpDef, Trait
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import NONE, TensorType

# How many ops a view moves through: those of an expression, and no more than calls can be nested.
_DEEPEST = 40
Condition = Callable[[Site], bool]

ELEMENTWISE = frozenset(op for op in (*e.OPS, *elementary.OPS) if Trait.ELEMENTWISE in op.traits)
_FOLDS = frozenset(reductions.OPS)
# What takes elements of an array, or another view of it, and hands on no array as it is.
_READERS = ELEMENTWISE | _FOLDS | {arrays.VIEW, arrays.INDEX, arrays.DIM, arrays.TRANSPOSE}
# What makes arrays in C order, of whatever it is made of.
_ROW_MAJOR = frozenset({arrays.MATMUL, arrays.FULL, arrays.ARANGE, arrays.COPY})


@record(kw_only=True)
class ArrayRule:
    """`put` may take the place of an op of `outer` on the result of one of `inner`, if all `needs`.

    Without `inner` it may be any op, or the operand a parameter.
    """

    name: str
    outer: Collection[OpDef]
    inner: Collection[OpDef] = ()
    needs: Sequence[Condition]
    put: Callable[[Site], Value]


# ------------------------------------------------------------------ what must be known of a place


def is_new(site: Site) -> bool:
    """Whether the inner array is made by an op: nothing else shares its memory."""
    made = site.source
    return made is not None and made.op is not control.CALL and site.facts.values.is_new(made)


def is_used_once(site: Site) -> bool:
    """Whether nothing but the outer instruction ever looks at the inner array."""
    return site.facts.uses[site.inner.result] == 1


def is_near(site: Site) -> bool:
    """Whether both are computed equally often: no loop or branch lies between them."""
    return site.facts.are_near(site.inner.result, site.outer.result)


def is_still(site: Site) -> bool:
    """Whether what the inner instruction reads is never written: it may be read later."""
    return not any(
        site.facts.is_written(v) for v in site.inner.operands if isinstance(v.type, TensorType)
    )


def never_raises(site: Site) -> bool:
    """Whether the inner op gives a result of any operands, and of each of their elements."""
    return not effects_of(site.inner).raises and not raises_on_elements(site.inner)


def is_unbroadcast(site: Site) -> bool:
    """Whether each array that the inner instruction reads has the shape of its result."""
    return _keeps_shape(site.inner)


_MOVES = (is_new, is_used_once, is_near, is_still, never_raises, is_unbroadcast)


def is_open_below(site: Site) -> bool:
    """Whether all that the inner array is computed of may be computed of parts, too.

    What is not would be stored for the sake of its part, where it was only passed through.
    """
    pending = [(v, 1) for v in site.inner.operands]
    while pending:
        value, depth = pending.pop()
        made = site.facts.definition(value)
        if made is None or made.op not in ELEMENTWISE or not isinstance(value.type, TensorType):
            continue
        below = replace(site, source=made)
        if depth > _DEEPEST or not all(needed(below) for needed in _MOVES):
            return False
        pending += [(v, depth + 1) for v in made.operands]
    return True


def has_one_array(site: Site) -> bool:
    """Whether the inner instruction reads one array alone."""
    return len(_tensors(site.inner)) == 1


def is_unseen(site: Site) -> bool:
    """Whether no caller can tell what the outer array shares memory with, or its strides."""
    return not site.facts.is_seen(site.outer.result)


def has_plain_layout(site: Site) -> bool:
    """Whether the outer array has the strides of a new one, or nobody outside can see them."""
    if not isinstance(site.outer.result.type, TensorType) or is_unseen(site):
        return True
    if site.outer.op is not arrays.VIEW or _letters(site.outer) != "s":
        return False
    return _rank(site.inner) == 1 and site.outer.operands[3].type is NONE


def is_row_major(site: Site) -> bool:
    """Whether the inner array has the layout of a copy, or nobody outside can see it."""
    return _rank(site.inner) <= 1 or site.inner.op in _ROW_MAJOR or is_unseen(site)


def is_read_element_by_element(site: Site) -> bool:
    """Whether the elements of the outer array are only computed with, wherever they are used."""
    users = site.facts.users.get(site.outer.result, ())
    return all(u.op in ELEMENTWISE or u.op in _FOLDS for u in users)


def is_flip_back(site: Site) -> bool:
    """Whether two views of whole axes turn the same axes round."""
    signs = _signs(site, site.outer)
    return signs is not None and signs == _signs(site, site.inner)


def is_whole(site: Site) -> bool:
    """Whether the outer view leaves all axes as they are."""
    return set(_letters(site.outer)) <= {"s"} and all(
        v.type is NONE for v in site.outer.operands[1:]
    )


def is_back_in_order(site: Site) -> bool:
    """Whether one transpose undoes the other."""
    order = _composed(site)
    return order == tuple(range(len(order)))


def is_own_shape(site: Site) -> bool:
    """Whether an array is reshaped to the shape it has."""
    array, *sizes = site.outer.operands
    return len(sizes) == _type(array).rank and all(
        _is_dim_of(site, size, array, axis) for axis, size in enumerate(sizes)
    )


def is_a_view(site: Site) -> bool:
    """Whether an array that is reshaped to its own shape is seen as it is, and never copied."""
    if not site.outer.attrs["dense"]:
        return True
    return is_new(site) and (_rank(site.inner) <= 1 or site.inner.op in _ROW_MAJOR)


def is_no_object(site: Site) -> bool:
    """Whether nobody gets the outer array itself, so that it may be the inner one.

    A caller who gets both, or who gave one, can tell that they are two.
    """
    users = site.facts.users.get(site.outer.result, ())
    if is_unseen(site) or all(u.op in _READERS for u in users):
        return True
    return site.source is not None and is_used_once(site) and is_near(site) and is_new(site)


# ---------------------------------------------------------------- what takes the place of the outer


def _inner(site: Site) -> Value:
    return site.inner.result


def _array(site: Site) -> Value:
    return site.outer.operands[0]


def _source(site: Site) -> Value:
    return site.inner.operands[0]


def _on_operands(site: Site) -> Value:
    """Return what the inner op gives of the parts of its operands."""
    outer, inner = site.outer, site.inner
    attrs = {**outer.attrs, "dense": False} if outer.op is reshaping.RESHAPE else outer.attrs
    parts = [
        site.emit(outer.op, (v, *outer.operands[1:]), attrs)
        if isinstance(v.type, TensorType)
        else v
        for v in inner.operands
    ]
    return site.emit(inner.op, parts, inner.attrs)


def _transposed(site: Site) -> Value:
    return site.emit(arrays.TRANSPOSE, site.inner.operands, {"order": _composed(site)})


def _composed(site: Site) -> tuple[int, ...]:
    first = cast("tuple[int, ...]", site.inner.attrs["order"])
    return tuple(first[axis] for axis in cast("tuple[int, ...]", site.outer.attrs["order"]))


def _axis(site: Site) -> Value:
    array, axis = _measured(site.facts, site.inner.result, cast("int", site.outer.attrs["axis"]))
    return site.emit(arrays.DIM, (array,), {"axis": axis})


def _own_size(site: Site) -> Value:
    axis = cast("int", site.outer.attrs["axis"])
    return site.inner.operands[axis + (site.inner.op is arrays.FULL)]


# ------------------------------------------------------------------------------------------ helpers


def _type(array: Value) -> TensorType:
    return cast("TensorType", array.type)


def _rank(instr: Instr) -> int:
    return _type(instr.result).rank


def _tensors(instr: Instr) -> Sequence[TensorType]:
    return [v.type for v in instr.operands if isinstance(v.type, TensorType)]


def _keeps_shape(instr: Instr) -> bool:
    """Whether each array that an op reads has the shape of its result."""
    tensors, shape = _tensors(instr), _type(instr.result).dims
    return len(tensors) == 1 or all(
        len(t.dims) == len(shape) and all(d.same(s) for d, s in zip(t.dims, shape, strict=True))
        for t in tensors
    )


def _measured(facts: ArrayFacts, array: Value, axis: int) -> tuple[Value, int]:
    """Return an array that was there before, and an axis of it, of the size of an axis."""
    while (made := facts.definition(array)) is not None:
        if made.op is arrays.TRANSPOSE:
            axis = cast("tuple[int, ...]", made.attrs["order"])[axis]
        elif made.op is not arrays.COPY and not (made.op in ELEMENTWISE and _keeps_shape(made)):
            break
        array = next(v for v in made.operands if isinstance(v.type, TensorType))
    return array, axis


def _constant(site: Site, value: Value) -> Attr:
    made = site.facts.definition(value)
    return made.attrs["value"] if made is not None and made.op is data.CONST else None


def _is_dim_of(site: Site, size: Value, array: Value, axis: int) -> bool:
    """Whether a size is that of an axis: read of it or, where there is one axis, what is left."""
    if _constant(site, size) == -1:
        return _type(array).rank == 1
    made = site.facts.definition(size)
    if made is None or made.op is not arrays.DIM:
        return False
    measured = _measured(site.facts, made.operands[0], cast("int", made.attrs["axis"]))
    return measured == _measured(site.facts, array, axis)


def _letters(view: Instr) -> str:
    return cast("str", view.attrs["axes"])


def _signs(site: Site, view: Instr) -> Sequence[int] | None:
    """Return 1 or -1 for each axis that a view leaves whole or turns round; None for others."""
    axes = _letters(view)
    if set(axes) - {"s"}:
        return None
    signs: list[int] = []
    items = view.operands[1:]
    for start, stop, step in zip(items[::3], items[1::3], items[2::3], strict=True):
        is_turned = step.type is not NONE
        if start.type is not NONE or stop.type is not NONE:
            return None
        if is_turned and _constant(site, step) != -1:
            return None
        signs.append(-1 if is_turned else 1)
    return signs + [1] * (_rank(view) - len(signs))


# -------------------------------------------------------------------------------------------- rules

RULES: Sequence[ArrayRule] = (
    # What is picked of a result is computed of what is picked.
    ArrayRule(
        name="element-of-elementwise",
        outer=(arrays.INDEX,),
        inner=ELEMENTWISE,
        needs=(*_MOVES, is_open_below),
        put=_on_operands,
    ),
    ArrayRule(
        name="view-of-elementwise",
        outer=(arrays.VIEW,),
        inner=ELEMENTWISE,
        needs=(*_MOVES, is_open_below, has_plain_layout),
        put=_on_operands,
    ),
    ArrayRule(
        name="transpose-of-elementwise",
        outer=(arrays.TRANSPOSE,),
        inner=ELEMENTWISE,
        needs=(*_MOVES, is_open_below, has_plain_layout, is_read_element_by_element),
        put=_on_operands,
    ),
    ArrayRule(
        name="reshape-of-elementwise",
        outer=(reshaping.RESHAPE,),
        inner=ELEMENTWISE,
        needs=(*_MOVES, is_open_below, has_one_array, has_plain_layout, is_read_element_by_element),
        put=_on_operands,
    ),
    # A copy that alone is used is the array that it is a copy of.
    ArrayRule(
        name="copy-of-new",
        outer=(arrays.COPY,),
        needs=(is_new, is_used_once, is_near, is_row_major),
        put=_inner,
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
