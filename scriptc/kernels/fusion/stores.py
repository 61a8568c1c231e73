"""Writing an array expression into an existing array.

NumPy computes the whole right side, then writes.  The nest writes as it goes, so it needs proof
that no element is read after it was overwritten: the sources share no memory with the target, or
are read at exactly the element that is written, which no other index leads to.  Without proof a
test at run time decides.

    path[:] = np.minimum(path, np.add.outer(path[:, k], path[k, :]))

A source that has fewer axes than the target, and so is read again and again, is copied first: a row
and a column here, where a test would find that all of it must be.
"""

from collections.abc import Callable, Sequence

from scriptc.analysis.remarks import Kind, Message, Named, Reason, Topic, remark
from scriptc.kernels.builder import Code
from scriptc.kernels.fusion import schedule
from scriptc.kernels.fusion.index_paths import FOLDED, Path, reads
from scriptc.kernels.fusion.nodes import Axes, Axis, Fold, Map, Node, Source, substitute
from scriptc_runtime.ir import Value
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops import low
from scriptc_runtime.types import BOOL

STORED = Message("fuse", Topic.MEMORY, Kind.DONE, "stored straight into {array}: no temporary")
COPIED = Message(
    "fuse", Topic.MEMORY, Kind.NOTE, "{array} is copied first: {target} may share memory with it"
)
EITHER = Message(
    "fuse",
    Topic.VERSIONS,
    Kind.NOTE,
    "stored straight into {target}, or through a temporary where {why}",
)

MayAlias = Callable[[Value, Value], bool]


def assign(code: Code, target: Source, source: Node, may_alias: MayAlias, same: MayAlias) -> None:
    """Emit `target[...] = source`, which fits.

    `same` says whether two arrays share memory if arguments share none: where only arguments may,
    what runs if they do is not worth two versions.
    """
    array, axes = target.array, _as_known(code, source.axes, target.axes)
    # One node over exactly the target's axes, whatever was broadcast into it.
    node = Map(None, {}, (source,), source.dtype, axes, code.loc)
    risky = _risky(node, array, may_alias)
    if risky and all(_is_small(source, path, len(axes)) for source, path in risky):
        for each, _ in risky:
            remark(COPIED, code.loc, array=Named(each.array, {}), target=Named(array, {}))
        node, risky = _with_copies(code, node, [source for source, _ in risky]), []
    updates = len(axes) > 1 and not code.is_dense(array) and _reads(node, array)
    if not risky and not updates:
        remark(STORED, code.loc, array=Named(array, {}))
        schedule.materialise(code, [node], {node: array})
        return

    versions = any(same(array, other.array) for other, _ in risky)

    def direct() -> Sequence[Value]:
        schedule.materialise(code, [node], {node: array})
        return ()

    def through_copy() -> Sequence[Value]:
        (copied,) = schedule.materialise(code, [node], versions=versions)
        written = Map(None, {}, (Source(copied, axes),), node.dtype, axes, code.loc)
        schedule.materialise(code, [written], {written: array}, versions=versions)
        return ()

    others = dict.fromkeys(source.array for source, _ in risky)
    why = Reason("two of its elements share memory")
    if others:
        why = Reason(
            "what is read of {arrays} shares memory with it", arrays=[Named(a, {}) for a in others]
        )
    remark(EITHER, code.loc, target=Named(array, {}), why=why)
    overlaps = [code.op(low.MAY_OVERLAP, array, other) for other in others]
    if updates:
        overlaps.append(code.op(e.NOT, code.op(low.IS_SPREAD, array)))
    total = overlaps[0]
    for overlap in overlaps[1:]:
        total = code.op(e.OR, total, overlap)
    assert total.type is BOOL
    code.choose(total, through_copy, direct)


def _as_known(code: Code, source: Axes, target: Axes) -> Axes:
    """Return the axes of the target, where `source` fits: what is no 1 there has its sizes."""
    found = list(target)
    for place, axis in enumerate(reversed(source), start=1):
        known = axis.dim.is_constant and not axis.is_one
        if known and place <= len(target) and not found[-place].dim.is_constant:
            found[-place] = Axis(code.number(axis.dim.constant), axis.dim)
    return tuple(found)


def _risky(node: Node, target: Value, may_alias: MayAlias) -> list[tuple[Source, Path]]:
    """Return what `node` reads of arrays that may share memory with `target` at other elements."""
    found: list[tuple[Source, Path]] = []
    paths = list(reads(node, broadcast=False))
    rows = max((n.depth for n, _ in paths if isinstance(n, Fold)), default=0)
    for source, path in paths:
        if not isinstance(source, Source):
            continue
        # What has the axes of the target is not broadcast where all of it fits into them.
        if source.array is target and _keeps_place(path, rows):
            continue
        if may_alias(target, source.array):
            found.append((source, path))
    return found


def _reads(node: Node, target: Value) -> bool:
    return any(isinstance(n, Source) and n.array is target for n, _ in reads(node))


def _is_small(source: Source, path: Path, rank: int) -> bool:
    """Whether a source is broadcast along an axis of the root: it has fewer elements."""
    steps = [s for s, axis in zip(path, source.axes, strict=True) if not axis.is_one]
    return all(isinstance(s, int) for s in steps) and len(steps) < rank


def _with_copies(code: Code, node: Node, parts: Sequence[Source]) -> Node:
    """Return `node` with new arrays instead of `parts`, as they are now."""
    copies: dict[Node, Node] = {}
    for part in dict.fromkeys(parts):
        copy = Map(None, {}, (part,), part.dtype, part.axes, code.loc)
        (copied,) = schedule.materialise(code, [copy], versions=False)
        copies[part] = Source(copied, part.axes)
    return substitute(node, copies, {})


def _keeps_place(path: Path, rows: int) -> bool:
    """Whether an element is read only before its own row is written.

    Either at the very index that is written, or by a fold of the row that is about to be written:
    folds come first in a row, and `rows` axes at most are looped over before them.
    """
    own = [step for step in path if step is not FOLDED]
    if own != list(range(len(own))) or any(s is not FOLDED for s in path[len(own) :]):
        return False
    return len(own) == len(path) or len(own) >= rows
