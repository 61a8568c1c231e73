"""Nests over matrices in Fortran's order, whose columns lie along memory.

    a *= b                 met element by element: the nest runs over transposed views
    np.sum(a, axis=0)      a fold of one axis in any order: that of the other axis of such views
    np.std(a, axis=1)      rows in an order of their own: it reads copies in rows
    np.sum(a, axis=1)      sums of rows alone: it reads these, summed up along memory

Either way fast code runs, that for contiguous rows. It gives the bits that it gives for arrays in
rows, but for sums over several axes or over others than the last. Arguments are looked at, and
transposed views in folds: new arrays have contiguous rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from scriptc.kernels.builder import Code
from scriptc.kernels.fusion import nests, shapes
from scriptc.kernels.fusion.nodes import (
    Axes,
    Fold,
    Map,
    Node,
    Scalar,
    Source,
    children,
    is_costly,
    same_space,
    sources,
    substitute,
    topological,
)
from scriptc_runtime.ir import Value
from scriptc_runtime.ops import arrays as array_ops
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops import low
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import DType, TensorType

_MATRIX = 2  # axes
_TURNED = (4, 8)  # bytes of an element of what is copied in rows


@record(eq=False)
class AlongMemory:
    """What the fast version of a nest runs over: a value for each array, and the nest with it."""

    arrays: Mapping[Value, Value]
    group: nests.Group


def along_memory(
    code: Code,
    group: nests.Group,
    arrays: Sequence[Value],
    copies_if: Sequence[Value] | None,
    *,
    mixed: bool = False,
) -> AlongMemory:
    """Return what the fast version of a nest runs over: the arrays, views of them, or copies.

    `copies_if` are the other conditions on which that version runs, for a nest that reads copies.
    If it is `mixed`, there are more arrays, which are known to lie in rows.
    """
    found = None if mixed else _lengthwise(code, group, arrays)
    if found is not None:
        return found
    rows = AlongMemory({a: a for a in arrays}, group)
    return rows if copies_if is None else _over_copies(code, rows, copies_if)


def _lengthwise(code: Code, group: nests.Group, arrays: Sequence[Value]) -> AlongMemory | None:
    """Return the nest over transposed views, taken where all arrays are in Fortran's order.

    None for a nest that meets elements of different places, or in an order that matters.
    """
    if not _meets_elements_alone(code, group, arrays):
        return None
    views = [code.builder.emit(array_ops.TRANSPOSE, a, loc=code.loc, order=(1, 0)) for a in arrays]
    rows, columns = (code.op(low.IS_CONTIGUOUS, *each) for each in (arrays, views))
    crosswise = code.both([columns, code.op(e.NOT, rows)])
    chosen = {a: code.op(low.LENGTHWISE, a, crosswise) for a in arrays}
    spaces = _Spaces(code, chosen)
    roots = [spaces.root(r) for r in group.roots]
    folds = [r.node for r in roots if isinstance(r.node, Fold)]
    return AlongMemory(chosen, nests.Group(roots, group.rows, folds))


class _Spaces:
    """The spaces of the roots of a nest, and what stands for them: folds may have one each."""

    def __init__(self, code: Code, arrays: Mapping[Value, Value]) -> None:
        self._code = code
        self._arrays = arrays
        self._found: list[tuple[Axes, Axes, dict[Node, Node]]] = []

    def root(self, root: nests.Root) -> nests.Root:
        """Return a root over the axes of the views."""
        node = root.node
        axes = node.arg.axes if isinstance(node, Fold) else node.axes
        for own, space, memo in self._found:
            if same_space(own, axes):
                return nests.Root(_over(node, space, memo), root.target)
        first = next((s.array for s in sources([node]) if s.axes), root.target)
        assert first is not None
        space = shapes.axes_of(self._code, self._arrays[first])
        self._found.append((axes, space, memo := {}))
        return nests.Root(_over(node, space, memo), root.target)


def _meets_elements_alone(code: Code, group: nests.Group, arrays: Sequence[Value]) -> bool:
    """Whether each element of a nest over arguments comes from one place, the same in all."""
    if not arrays or not all(_is_matrix_argument(code, a) for a in arrays):
        return False
    if not all(map(_is_free, group.roots)):
        return False
    written = [r.target for r in group.roots if r.target is not None]
    # Spaces of their own do not share nodes: no root may read what another one writes.
    if any(target not in arrays for target in written) or (written and len(group.roots) > 1):
        return False
    for node in topological([r.node for r in group.roots]):
        match node:
            case Source(array, axes):
                if axes and (array not in arrays or node.place is not None):
                    return False
            case Map() | Scalar():
                pass
            case _:
                if not any(node is root.node for root in group.roots):
                    return False  # a fold that others read, of rows or in an order of its own
        if isinstance(node, Map | Source) and node.axes and not _is_whole(node.axes):
            return False
    return True


def _is_free(root: nests.Root) -> bool:
    """Whether the elements of a root may be computed in any order."""
    node = root.node
    if root.target is not None:
        return isinstance(node, Map)
    # Sums over several axes may be added otherwise in another layout.
    return isinstance(node, Fold) and not node.axes


def _is_whole(axes: Axes) -> bool:
    """Whether a space has two axes; of a known size, a transposed view would know none."""
    unknown = not any(a.dim.is_constant or a.seems_one for a in axes)
    return len(axes) == _MATRIX and unknown


def _over(node: Node, space: Axes, memo: dict[Node, Node]) -> Node:
    """Return a node over the axes of the views; what nodes share stays one node."""
    if node not in memo:
        match node:
            case Map(args=args):
                inner = tuple(_over(a, space, memo) for a in args)
                memo[node] = replace(node, args=inner, axes=space)
            case Source(axes=(_, *_)):
                memo[node] = replace(node, axes=space)
            case Fold(arg=arg):
                memo[node] = replace(node, arg=_over(arg, space, memo))
            case _:
                memo[node] = node
    return memo[node]


@record(eq=False)
class Turned:
    """A fold over transposed views, which are `arrays`, to be taken on a `condition`."""

    fold: Fold
    arrays: Mapping[Value, Value]
    condition: Value

    @property
    def of_rows(self) -> Node:
        """The fold in terms of folds of numbers: one of complex numbers is of their parts."""
        fold = self.fold
        if fold.dtype.kind != "c":
            return fold
        part = DType.F32 if fold.dtype is DType.C64 else DType.F64
        arg, axes, loc = fold.arg, fold.axes, fold.loc
        parts = tuple(
            replace(fold, arg=Map(op, {}, (arg,), part, arg.axes, loc), dtype=part)
            for op in (e.REAL, e.IMAG)
        )
        return Map(e.COMPLEX_OF, {}, parts, fold.dtype, axes, loc)


def turned(code: Code, fold: Fold, arrays: Sequence[Value]) -> Turned | None:
    """Return what a fold of one axis is over transposed views, where arrays may lie in columns.

    None for one whose order matters, as of sums of rows, and of elements of different places.
    """
    if fold.kept or len(fold.reduced) != 1 or not _may_turn(code, fold, arrays):
        return None
    views = [code.transposed(a, [x.size for x in shapes.axes_of(code, a)], (1, 0)) for a in arrays]
    rows, columns = (code.op(low.IS_CONTIGUOUS, *each) for each in (arrays, views))
    space = shapes.axes_of(code, views[0])
    found = replace(fold, arg=_over(fold.arg, space, {}), reduced=(1 - fold.reduced[0],))
    condition = code.both([columns, code.op(e.NOT, rows)])
    return Turned(found, dict(zip(arrays, views, strict=True)), condition)


def _may_turn(code: Code, fold: Fold, arrays: Sequence[Value]) -> bool:
    """Whether a fold gives as good a result in the order of columns, of arrays that may lie so."""
    if fold.is_trailing and fold.kind in ("sum", "product") and fold.dtype.kind not in "iub":
        return False
    if not arrays or not all(_is_matrix_argument(code, a) or _is_turned(code, a) for a in arrays):
        return False
    return all(
        _is_source_among(node, arrays)
        if isinstance(node, Source)
        else isinstance(node, Scalar) or (isinstance(node, Map) and _is_whole(node.axes))
        for node in topological([fold.arg])
    )


def _is_source_among(node: Source, arrays: Sequence[Value]) -> bool:
    return not node.axes or (node.array in arrays and node.place is None and _is_whole(node.axes))


def _is_turned(code: Code, array: Value) -> bool:
    type_ = array.type
    return isinstance(type_, TensorType) and type_.rank == _MATRIX and code.is_scattered(array)


def reads_copies(code: Code, group: nests.Group) -> bool:
    """Whether a nest takes so long, row by row of matrices in columns, that copies of them pay."""
    if any(r.target is not None and not code.is_dense(r.target) for r in group.roots):
        return False  # it writes to columns as well
    # What is costly of a row, as a mean that each element is compared with, costs little.
    return bool(group.folds) or any(
        isinstance(n, Map)
        and is_costly(replace(n, args=()))
        and any(same_space(n.axes, r.node.axes) for r in group.roots)
        for n in topological([r.node for r in group.roots])
    )


def _over_copies(code: Code, nest: AlongMemory, conditions: Sequence[Value]) -> AlongMemory:
    """Return the nest over copies of the arguments in Fortran's order, or the sums of their rows.

    They are made if the fast version can run then.
    """
    crosswise = [a for a in nest.arrays if _may_be_copied(code, a)]
    if not crosswise:
        return nest
    others = [a for a in nest.arrays if a not in crosswise]
    tests = [*conditions, code.op(low.HAS_RUNS, *crosswise)]
    if others:
        tests.append(code.op(low.IS_CONTIGUOUS, *others))
    wanted = code.both(tests)
    sums = _row_sums(nest.group, crosswise)
    emit = code.builder.emit
    made = {a: emit(low.IN_ROWS, a, wanted, loc=code.loc, summed=a in sums) for a in crosswise}
    known: dict[Node, Node] = {
        fold: _of_sums(code, fold, made[a]) for a, folds in sums.items() for fold in folds
    }
    memo: dict[Node, Node] = {}
    roots = [replace(r, node=substitute(r.node, known, memo)) for r in nest.group.roots]
    folds = [cast(Fold, substitute(f, known, memo)) for f in nest.group.folds]
    return AlongMemory({**nest.arrays, **made}, nests.Group(roots, nest.group.rows, folds))


def _row_sums(group: nests.Group, arrays: Sequence[Value]) -> Mapping[Value, Sequence[Fold]]:
    """Return the arrays of which a nest reads only the sums of the rows, with these folds."""
    readers: dict[Value, list[Node]] = {a: [] for a in arrays}
    for root in group.roots:
        if isinstance(root.node, Source) and root.node.whole in readers:
            readers[root.node.whole].append(root.node)
    for node in topological([r.node for r in group.roots]):
        for child in children(node):
            if isinstance(child, Source) and child.whole in readers:
                readers[child.whole].append(node)
    found: dict[Value, Sequence[Fold]] = {}
    for array, nodes in readers.items():
        folds = [n for n in nodes if isinstance(n, Fold) and _adds_up_rows(n)]
        if folds and len(folds) == len(nodes):
            found[array] = folds
    return found


def _adds_up_rows(fold: Fold) -> bool:
    """Whether a fold adds up the rows of a matrix in memory, and nothing else."""
    source = fold.arg
    is_whole = isinstance(source, Source) and source.place is None and _is_whole(source.axes)
    return is_whole and fold.is_rounded_sum and fold.reduced == (1,) and fold.dtype is source.dtype


def _of_sums(code: Code, fold: Fold, sums: Value) -> Fold:
    """Return a fold over rows of one element, the sum of what it adds up."""
    rows, _ = fold.arg.axes
    return replace(fold, arg=replace(fold.arg, axes=(rows, shapes.axes_of(code, sums)[1])))


def _may_be_copied(code: Code, array: Value) -> bool:
    """Whether an array is an argument of which a copy in rows can be had."""
    type_ = array.type
    return (
        _is_matrix_argument(code, array)
        and isinstance(type_, TensorType)
        and type_.dtype.itemsize in _TURNED
    )


def _is_matrix_argument(code: Code, array: Value) -> bool:
    type_ = array.type
    return isinstance(type_, TensorType) and type_.rank == _MATRIX and code.is_argument(array)
