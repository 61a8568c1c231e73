"""Writing an array expression into an existing array.

NumPy computes the whole right side, then writes.  The nest writes as it goes, so it needs proof
that no element is read after it was overwritten: the sources share no memory with the target, or
are read at exactly the element that is written.  Without proof a test at run time decides.
"""

from collections.abc import Callable, Sequence

from scriptc.kernels.code import Code
from scriptc.kernels.nodes import Fold, Map, Node, Source
from scriptc.kernels.paths import FOLDED, Path, reads
from scriptc.kernels.schedule import materialise
from scriptc.kernels.shapes import require_fits
from scriptc_runtime.ir import Loc, Value
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops import low
from scriptc_runtime.types import BOOL

MayAlias = Callable[[Value, Value], bool]


def assign(code: Code, target: Source, source: Node, may_alias: MayAlias, loc: Loc) -> None:
    """Emit `target[...] = source`."""
    code = code.at(loc)
    array, axes = target.array, target.axes
    require_fits(code, source.axes, axes)
    # One node over exactly the target's axes, whatever was broadcast into it.
    node = Map(None, {}, (source,), source.dtype, axes, loc)
    risky = _risky(node, array, may_alias)
    if not risky:
        materialise(code, [node], {node: array})
        return

    def direct() -> Sequence[Value]:
        materialise(code, [node], {node: array})
        return ()

    def through_copy() -> Sequence[Value]:
        (copied,) = materialise(code, [node])
        written = Map(None, {}, (Source(copied, axes),), node.dtype, axes, loc)
        materialise(code, [written], {written: array})
        return ()

    overlaps = [code.op(low.MAY_OVERLAP, array, other) for other in risky]
    total = overlaps[0]
    for overlap in overlaps[1:]:
        total = code.op(e.OR, total, overlap)
    assert total.type is BOOL
    code.choose(total, through_copy, direct)


def _risky(node: Node, target: Value, may_alias: MayAlias) -> list[Value]:
    """Return the arrays read by `node` that may share memory with `target` at other elements."""
    found: dict[Value, None] = {}
    paths = list(reads(node))
    rows = max((n.depth for n, _ in paths if isinstance(n, Fold)), default=0)
    for source, path in paths:
        if not isinstance(source, Source):
            continue
        if source.array is target and _keeps_place(path, rows):
            continue
        if may_alias(target, source.array):
            found[source.array] = None
    return list(found)


def _keeps_place(path: Path, rows: int) -> bool:
    """Whether an element is read only before its own row is written.

    Either at the very index that is written, or by a fold of the row that is about to be written:
    folds come first in a row, and `rows` axes at most are looped over before them.
    """
    own = [step for step in path if step is not FOLDED]
    if own != list(range(len(own))) or any(s is not FOLDED for s in path[len(own) :]):
        return False
    return len(own) == len(path) or len(own) >= rows
