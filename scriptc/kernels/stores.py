"""Writing an array expression into an existing array.

NumPy computes the whole right side, then writes.  The nest writes as it goes, so it needs proof
that no element is read after it was overwritten: the sources share no memory with the target, or
are read at exactly the element that is written.  Without proof a test at run time decides.
"""

from collections.abc import Callable, Sequence

from scriptc.kernels.code import Code
from scriptc.kernels.nodes import Axes, Map, Node, Source, same_space, topological
from scriptc.kernels.schedule import materialise
from scriptc.kernels.shapes import axes_of, require_fits
from scriptc_runtime.ir import Loc, Value
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops import low
from scriptc_runtime.types import BOOL

MayAlias = Callable[[Value, Value], bool]


def assign(code: Code, target: Value, source: Node, may_alias: MayAlias, loc: Loc) -> None:
    """Emit `target[...] = source`."""
    code = code.at(loc)
    axes = axes_of(code, target)
    require_fits(code, source.axes, axes)
    # One node over exactly the target's axes, whatever was broadcast into it.
    node = Map(None, {}, (source,), source.dtype, axes, loc)
    risky = _risky(node, target, axes, may_alias)
    if not risky:
        materialise(code, [node], {node: target})
        return

    def direct() -> Sequence[Value]:
        materialise(code, [node], {node: target})
        return ()

    def through_copy() -> Sequence[Value]:
        (copied,) = materialise(code, [node])
        written = Map(None, {}, (Source(copied, axes),), node.dtype, axes, loc)
        materialise(code, [written], {written: target})
        return ()

    overlaps = [code.op(low.MAY_OVERLAP, target, array) for array in risky]
    total = overlaps[0]
    for overlap in overlaps[1:]:
        total = code.op(e.OR, total, overlap)
    assert total.type is BOOL
    code.choose(total, through_copy, direct)


def _risky(node: Node, target: Value, axes: Axes, may_alias: MayAlias) -> list[Value]:
    """Return the arrays read by `node` that may share memory with `target` at other elements."""
    found: list[Value] = []
    for source in topological([node]):
        if not isinstance(source, Source) or source.array in found:
            continue
        if source.array is target and same_space(source.axes, axes):
            continue  # read at the element that is written, and before it
        if may_alias(target, source.array):
            found.append(source.array)
    return found
