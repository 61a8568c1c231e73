"""Sums of products of two arrays whose axes have labels, as products of matrices.

ijk,klm->ijlm        i and j are the rows of one matrix, k its columns and the other one's rows
bij,bjk->bik         b counts the matrices of two stacks
ij,jk->k             i is summed up first, and what is left is a vector and a matrix
"""

from collections.abc import Sequence

from scriptc.check.checked import Check, Computation
from scriptc.check.conversion import converted
from scriptc.check.library.call import LibraryCall
from scriptc.check.numpy import array_parts
from scriptc.check.numpy import reductions as numpy_reductions
from scriptc.check.numpy.products import product, turned
from scriptc_runtime.ops import arrays, elementwise, reductions
from scriptc_runtime.record import record
from scriptc_runtime.types import DType

_DIFFER = "operands could not be broadcast together with remapped shapes"


@record
class Labelled:
    """An array, and a label for each of its axes, no two of which are the same."""

    value: Computation
    labels: str


def contraction(call: LibraryCall, first: Labelled, second: Labelled, out: str) -> Labelled | None:
    """Return the sums of products over all labels that are not in the result, as a product.

    None where they are none: no label of both is summed up, or none but common ones stays.
    """
    dtype = numpy_reductions.dtype_of(first.value)
    if dtype in (DType.B1, DType.F16):
        return None
    common = set(first.labels) & set(second.labels)
    stack = [label for label in out if label in common]
    inner = [label for label in first.labels if label in common and label not in out]
    rows, columns = (
        [label for label in out if label in side.labels and label not in common]
        for side in (first, second)
    )
    if not inner or not (rows or columns) or (stack and not (rows and columns)):
        return None
    if rows and columns and out.index(columns[0]) < out.index(rows[0]):
        return contraction(call, second, first, out)
    first, second = (_summed(call, side, {*common, *out}) for side in (first, second))
    left = _grouped(call, _checked(call, first, second, inner), stack, rows, inner)
    right = _grouped(call, second, stack, inner, columns)
    whole = product(call, left, right)
    if max(len(rows), len(columns)) > 1:
        sizes = [array_parts.size_of(call, whole, axis) for axis in range(len(stack))]
        sizes += [_size(call, first, label) for label in rows]
        sizes += [_size(call, second, label) for label in columns]
        whole = array_parts.reshaped(call, whole, sizes, dense=True)
    return ordered(call, Labelled(whole, "".join((*stack, *rows, *columns))), out)


def ordered(call: LibraryCall, made: Labelled, out: str) -> Labelled:
    """Return a new array with its axes in another order, in C order again."""
    if made.labels == out:
        return made
    order = [made.labels.index(label) for label in out]
    copy = call.context.apply(call.node, arrays.COPY, turned(call, made.value, order))
    return Labelled(copy, out)


def _summed(call: LibraryCall, side: Labelled, kept: set[str]) -> Labelled:
    """Return an array without the axes of other labels, which are summed up."""
    axes = tuple(a for a, label in enumerate(side.labels) if label not in kept)
    if not axes:
        return side
    attrs = {"axis": axes, "keepdims": False}
    total = call.context.apply(call.node, reductions.SUM, side.value, **attrs)
    # The sum of narrow integers is wider.
    total = converted(total, numpy_reductions.dtype_of(side.value))
    return Labelled(total, "".join(label for label in side.labels if label in kept))


def _checked(
    call: LibraryCall, first: Labelled, second: Labelled, inner: Sequence[str]
) -> Labelled:
    """Return the first array once sizes are known to be equal that are taken together."""
    value = first.value
    for label in inner if len(inner) > 1 else ():
        sizes = _size(call, first, label), _size(call, second, label)
        same = call.context.apply(call.node, elementwise.EQ, *sizes)
        value = Check(same, "ValueError", _DIFFER, value, value.type)
    return Labelled(value, first.labels)


def _grouped(
    call: LibraryCall, side: Labelled, stack: Sequence[str], *groups: Sequence[str]
) -> Computation:
    """Return an array with an axis for each label of the stack, then one for each group."""
    order = [side.labels.index(label) for label in (*stack, *(x for g in groups for x in g))]
    value = turned(call, side.value, order)
    if all(len(group) <= 1 for group in groups):
        return value
    sizes = [_size(call, side, label) for label in stack]
    for group in filter(None, groups):
        count = _size(call, side, group[0])
        for label in group[1:]:
            count = array_parts.times(call, count, _size(call, side, label))
        sizes.append(count)
    return array_parts.reshaped(call, value, sizes)


def _size(call: LibraryCall, side: Labelled, label: str) -> Computation:
    return array_parts.size_of(call, side.value, side.labels.index(label))
