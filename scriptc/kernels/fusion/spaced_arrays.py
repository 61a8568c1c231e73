"""Copies of arrays whose elements lie apart in memory, for nests that compute much of them.

    f(u[..., 0], ...)       %p = a copy of u[..., 0] in rows     one load and one store an element
                            f(%p, ...) in vectors                in place of f element by element

An element of `u[..., 0]` has no neighbours, so what reads it would be code of single elements.
Where that is long, a copy made first takes a fraction of what vectors save.
"""

from collections.abc import Sequence

from scriptc.analysis.costs import scalar_cost
from scriptc.analysis.remarks import Kind, Message, Topic
from scriptc.kernels.builder import Code
from scriptc.kernels.fusion import nests, shapes
from scriptc.kernels.fusion.nodes import Fold, Map, Pick, topological
from scriptc_runtime.ir import Value
from scriptc_runtime.ops import low
from scriptc_runtime.types import TensorType

PACKED = Message(
    "fuse",
    Topic.VERSIONS,
    Kind.DONE,
    "elements of {arrays} are apart in memory: the fast version reads copies in rows",
)

# What an element costs, for each array that is copied.
_LEAST_WORK = 12


def arrays_to_pack(code: Code, group: nests.Group, arrays: Sequence[Value]) -> Sequence[Value]:
    """Return those of the arrays that a nest reads copies of, as it does so much with them.

    It may write to none that it reads: what it read later would be older than that.
    """
    spaced = [array for array in arrays if code.is_spaced(array)]
    targets = [root.target for root in group.roots if root.target is not None]
    if any(target in spaced for target in targets):
        return []
    if len(group.roots) > 1 and not all(map(code.is_made, targets)):
        return []
    nodes = topological([root.node for root in group.roots])
    if any(isinstance(node, Fold | Pick) for node in nodes):
        return []
    rank = max((len(root.node.axes) for root in group.roots), default=0)
    work = sum(
        scalar_cost(node.op)
        for node in nodes
        if isinstance(node, Map) and node.op is not None and len(node.axes) == rank
    )
    return spaced if work >= _LEAST_WORK * len(spaced) else []


def packed(code: Code, array: Value) -> Value:
    """Emit a copy of an array in C order."""
    assert isinstance(array.type, TensorType)
    sizes = [axis.size for axis in shapes.axes_of(code, array)]
    made = code.new_array(TensorType(array.type.dtype, array.type.dims), sizes)

    def along(*index: Value) -> None:
        if len(index) < len(sizes):
            code.loop(sizes[len(index)], lambda i: along(*index, i), parallel=True)
            return
        value = code.op(low.LOAD, array, *index)
        code.builder.effect(low.STORE, made, value, *index, loc=code.loc)

    along()
    return made
