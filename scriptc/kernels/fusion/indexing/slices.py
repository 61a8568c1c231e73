"""Slices of values that are not in memory: read where they are computed, at shifted indices.

    l = 4.0 * a[1:-1] - (a[2:] + a[:-2])         for each element i of the result:
    return l[1:] - l[:-1]                            l(i + 1) - l(i)

The chain is one sweep without an array between its steps, and each step is computed once for each
place that it is read at.  That pays where the step is cheaper than a way through memory: the
operations on one element, with all that is shifted below it, are counted.

A slice stays a slice of a value only if nobody can tell: neither the value nor anything that shares
its memory is written, and the slice is used for its elements and sizes alone.
"""

from collections.abc import Callable
from typing import cast

from scriptc.analysis.effects import FunctionEffects
from scriptc.kernels.builder import Code
from scriptc.kernels.fusion.build import Context
from scriptc.kernels.fusion.indexing import checked
from scriptc.kernels.fusion.indexing import reshape as indexing_reshape
from scriptc.kernels.fusion.nodes import Axis, Fold, Map, Node, Part, Source, Split, is_costly
from scriptc_runtime.ir import Block, Function, Instr, Value, walk
from scriptc_runtime.ops import arrays, reshaping
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.types import TensorType

# Operations on an element that cost as much as storing it once and loading it from the cache.
_FREE = 24


def written_groups(function: Function, effects: FunctionEffects) -> set[Value]:
    """Return what stands for the memory that is written in a function."""
    return {
        effects.group(instr.operands[i])
        for instr in walk(function.body)
        for i in effects.own(instr).writes
    }


def sliced_values(
    block: Block, is_node: Callable[[Instr], bool], may_slice: Callable[[Value], bool]
) -> set[Instr]:
    """Return the views in a block of which nothing but elements and sizes are used."""
    found: set[Instr] = set()
    views = (i for i in block.body if i.op in (arrays.VIEW, reshaping.RESHAPE))
    candidates = [view for view in views if may_slice(view.operands[0])]
    if not candidates:
        return found
    users: dict[Value, list[Instr]] = {}
    inside: set[Value] = set()
    for instr in block.body:
        for value in instr.operands:
            users.setdefault(value, []).append(instr)
        inside.update(v for part in instr.blocks for i in walk(part) for v in i.operands)
    made = {r for i in block.body for r in i.results}

    def looks(user: Instr, value: Value) -> bool:
        if user.op is arrays.ASSIGN:
            return user.operands[0] is not value
        return is_node(user) or user.op is arrays.DIM or user in found

    for view in reversed(candidates):
        base, result = view.operands[0], view.result
        if base not in made or result in inside:
            continue
        if all(looks(user, result) for user in users.get(result, ())):
            found.add(view)
    return found


def part_of(context: Context, view: Instr, node: Node) -> Part | None:
    """Return a view of a value that is not in memory; None where memory is the better place."""
    starts = checked.slice_starts(context, view, len(node.axes))
    if starts is None or is_costly(node) or _is_copy(node) or not is_cheap(node):
        return None
    code = context.code.at(view.loc)
    numbers = checked.view_numbers(context, view, node.axes)
    assert isinstance(view.result.type, TensorType)
    sizes = (*numbers[1::3], *(a.size for a in node.axes[len(numbers) // 3 :]))
    dims = zip(sizes, view.result.type.dims, strict=True)
    return Part(node, starts, tuple(context.sizes.axis(code, s, d) for s, d in dims))


def split_of(context: Context, reshape: Instr, node: Node) -> Split | None:
    """Return an array that is not in memory with several axes in place of its first one, or None.

    Its other axes have to be asked for by the very sizes that they have.
    """
    code, asked = context.code.at(reshape.loc), reshape.operands[1:]
    count = len(asked) - len(node.axes) + 1
    if count <= 1 or _is_copy(node):
        return None
    others = [context.sizes.whole(code, context.scalar(v)) for v in asked[count:]]
    if any(own.size is not size for own, size in zip(node.axes[1:], others, strict=True)):
        return None
    sizes = indexing_reshape.asked_sizes(context, reshape, node.axes)
    dims = cast(TensorType, reshape.result.type).dims[:count]
    axes = (
        Axis(code.number(dim.constant) if dim.is_constant else size, dim)
        for size, dim in zip(sizes, dims, strict=False)
    )
    return Split(node, count, (*axes, *node.axes[1:]))


def subview_of(code: Code, part: Part, array: Value, type_: TensorType) -> Value:
    """Return `part` as a view of the array that its argument has been computed into."""
    numbers: list[Value] = []
    for axis, (start, size) in enumerate(zip(part.starts, part.axes, strict=True)):
        first = code.op(e.MINIMUM, code.number(start), code.size(array, axis))
        numbers += (first, size.size, code.number(1))
    return code.subview(array, "s" * len(part.axes), numbers, type_)


def _is_copy(node: Node) -> bool:
    """Whether an array is copied: what it was made of is about to be written."""
    return isinstance(node, Map) and node.op is None and isinstance(node.args[0], Source)


def is_cheap(node: Node) -> bool:
    """Whether an element takes few operations, all that is shifted counted at each place."""
    count = 0
    seen: set[tuple[Node, tuple[int, ...]]] = set()
    todo = [(node, (0,) * len(node.axes))]
    while todo:
        item = todo.pop()
        if item in seen:
            continue
        seen.add(item)
        inner, place = item
        match inner:
            case Map(args=args):
                count += inner.op is not None
                todo += [(a, place[len(place) - len(a.axes) :]) for a in args]
            case Split():
                return False
            case Part(arg=arg, starts=starts):
                todo.append((arg, tuple(p + s for p, s in zip(place, starts, strict=True))))
            case Fold():
                return False
            case _:
                pass
        if count > _FREE:
            return False
    return True
