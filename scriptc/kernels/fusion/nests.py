"""From nodes to loop nests.

A group of roots shares one loop over rows: the axes that none of its folds reduces.  Inside a
row each fold is one inner loop and each result one more; what several of them need and is
costly to compute is kept in a row buffer, so it never leaves the cache.

    e = np.exp(x - np.max(x, axis=1, keepdims=True))      for each row:
    e / np.sum(e, axis=1, keepdims=True)                      m = max of the row
                                                              s = sum of buffer[j] = exp(x - m)
                                                              result[j] = buffer[j] / s
"""

from collections.abc import Callable, Mapping, Sequence

from scriptc.kernels.builder import I64, Code
from scriptc.kernels.fusion.nodes import (
    Axes,
    Axis,
    Fold,
    Joined,
    Map,
    Node,
    Part,
    Pick,
    Ramp,
    Rolled,
    Scalar,
    Source,
    Split,
    children,
    is_costly,
    same_space,
)
from scriptc_runtime.ir import Value, make
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops import low
from scriptc_runtime.record import field, record
from scriptc_runtime.types import BOOL, TensorType

Index = tuple[Value, ...]


@record(eq=False)
class Root:
    """A node to compute into the array `target`; without one it is a scalar, as a fold may be."""

    node: Node
    target: Value | None


@record(eq=False)
class Group:
    """Roots with one loop over `rows`."""

    roots: Sequence[Root]
    rows: Axes
    folds: Sequence[Fold]  # arguments first


@record(frozen=False, eq=False)
class _Stage:
    """What has been emitted in one loop, to be emitted once there."""

    memo: dict[tuple[Node, Index], Value] = field(default_factory=dict[tuple[Node, Index], Value])
    places: dict[tuple[Value, Value], Value] = field(
        default_factory=dict[tuple[Value, Value], Value]
    )
    # The index of a root that a place was made of.
    roots: dict[Value, Value] = field(default_factory=dict[Value, Value])
    zeros: list[Value] = field(default_factory=list[Value])  # one, once it was needed
    loads: dict[tuple[Value, Index], Value] = field(
        default_factory=dict[tuple[Value, Index], Value]
    )
    shifted: dict[tuple[Value, int], Value] = field(default_factory=dict[tuple[Value, int], Value])
    flat: dict[tuple[Split, Index], Value] = field(default_factory=dict[tuple[Split, Index], Value])
    # Of what `shifted` holds.
    origins: dict[Value, tuple[Value, int]] = field(default_factory=dict[Value, tuple[Value, int]])


class NestEmitter:
    """Emits one group once; `fast` says that broadcasting and strides were guarded before.

    `arrays` gives the value to use for an array: in the fast version its contiguous form.
    """

    def __init__(
        self, code: Code, group: Group, arrays: Mapping[Value, Value], *, fast: bool
    ) -> None:
        self._code = code
        self._group = group
        self._arrays = arrays
        self.is_fast = fast
        self._scalars: dict[Fold, Value] = {}
        self._rows: Index = ()
        self._buffers: dict[Node, tuple[Value, bool]] = {}
        self._filled: set[Node] = set()
        self._filling: set[Node] = set()
        self._stage = _Stage()

    def emit(self) -> list[Value]:
        """Emit the nest and return the scalars of the roots without target, in order."""
        self._make_buffers()
        self._over(self._group.rows, self._row)
        return [self.element(r.node, ()) for r in self._group.roots if r.target is None]

    def _over(self, axes: Axes, body: Callable[[Index], None], index: Index = ()) -> None:
        if len(index) == len(axes):
            body(index)
            return
        axis = axes[len(index)]
        if axis.is_one:
            self._over(axes, body, (*index, self._code.number(0)))
        else:
            self._code.loop(axis.size, lambda i: self._over(axes, body, (*index, i)), parallel=True)

    def _row(self, index: Index) -> None:
        self._rows = index
        for fold in self._group.folds:
            self._scalars[fold] = self._fold(fold)
            self.end_stage()
        for stage in _store_stages(self._group):
            if all(root.node in self._filled for root in stage):
                continue  # their targets were the buffers of earlier stages
            inner = _inner(stage[0].node, self._group)
            self._over(inner, lambda i, s=stage: self._store(s, i))
            self.end_stage()

    def end_stage(self) -> None:
        """Forget the elements that were emitted: what follows stands in another loop."""
        self._filled |= self._filling
        self._filling.clear()
        self._stage = _Stage()

    def _fold(self, fold: Fold, index: Index = ()) -> Value:
        depth = len(self._rows)
        if depth + len(index) == len(fold.arg.axes):
            return self.element(fold.arg, (*self._rows, *index))
        count = fold.arg.axes[depth + len(index)].size
        code = self._code.at(fold.loc)
        return code.reduce(fold.kind, count, lambda i: self._fold(fold, (*index, i)))

    def _store(self, roots: Sequence[Root], index: Index) -> None:
        for root in roots:
            node = root.node
            if node in self._filled:
                continue
            full = (*self._rows, *index)
            value = self.element(node, full)
            if node in self._filling:
                continue  # its target is its buffer
            if isinstance(node, Fold) and node.kept:
                zeros = [self._code.number(0)] * (len(node.axes) - len(self._rows))
                full = (*self._rows, *zeros)
            assert root.target is not None
            target = self.array(root.target)
            self._code.builder.effect(low.STORE, target, value, *full, loc=self._code.loc)

    def element(self, node: Node, index: Index) -> Value:
        """Return the element of `node` at `index`; emitted once in a stage."""
        key = (node, index)
        if key not in self._stage.memo:
            self._stage.memo[key] = self._compute(node, index)
        return self._stage.memo[key]

    def _compute(self, node: Node, index: Index) -> Value:
        match node:
            case Source(array):
                if self.is_fast and node.place is not None:
                    index = tuple(map(self._after, index, node.place.starts))
                    array = node.place.array
                return self._loaded(self.array(array), index)
            case Scalar(value):
                return value
            case Fold():
                return self._scalars[node]
            case Ramp():
                return self._ramp(node, index[0])
            case Split() | Part():
                return self.element(node.arg, self._moved(node, index))
            case Pick():
                return self._pick(node, index)
            case Map():
                return self._map(node, index)
            case Joined() | Rolled():
                raise TypeError(node)  # what is cut has no such nodes

    def _moved(self, node: Split | Part, index: Index) -> Index:
        """Return the index of an element in the node that it is one of."""
        if isinstance(node, Split):
            return (self._flat(node, index), *index[node.count :])
        return tuple(map(self._after, index, node.starts))

    def _loaded(self, array: Value, index: Index) -> Value:
        """Return an element of memory; one load for all slices that it belongs to."""
        key = (array, index)
        if key not in self._stage.loads:
            self._stage.loads[key] = self._load(array, index)
        return self._stage.loads[key]

    def _load(self, array: Value, index: Index) -> Value:
        return self._code.op(low.LOAD, array, *index)

    def _after(self, index: Value, start: int) -> Value:
        """Return the index `start` places on; the same value however the way is divided."""
        origin, places = self._stage.origins.get(index, (index, 0))
        if start == 0:
            return index
        key = (origin, places + start)
        if key not in self._stage.shifted:
            value = self._code.op(e.ADD, origin, self._code.number(places + start))
            self._stage.shifted[key] = value
            self._stage.origins[value] = key
        return self._stage.shifted[key]

    def _flat(self, node: Split, index: Index) -> Value:
        """Return the index on the axis that several axes are, counted through."""
        key = (node, index[: node.count])
        if key not in self._stage.flat:
            place = index[0]
            for axis, own in zip(node.axes[1 : node.count], index[1:], strict=False):
                place = self._code.op(e.ADD, self._code.op(e.MUL, place, axis.size), own)
            self._stage.flat[key] = place
        return self._stage.flat[key]

    def _ramp(self, node: Ramp, index: Value) -> Value:
        code = self._code.at(node.loc)
        steps = index if node.dtype is I64 else code.cast(index, node.dtype)
        return code.op(e.ADD, node.start, code.op(e.MUL, steps, node.step))

    def _pick(self, node: Pick, index: Index) -> Value:
        sizes = [axis.size for axis in node.source.axes]
        code = self._code.at(node.loc)
        places = [
            self.place(code, list_, size, (index[axis],))
            for list_, axis, size in zip(node.places, node.along, sizes, strict=False)
        ]
        return self.element(node.source, (*places, *index[node.lead :]))

    def place(self, code: Code, list_: Node, size: Value, index: Index) -> Value:
        """Return the index on an axis of a size that a list of places gives.

        Nothing of it is emitted for all of the stage: the rows of a pick may have loops of their
        own, each with its place.
        """
        outer, self._stage = self._stage, _Stage(roots=dict(self._stage.roots))
        place = code.to_i64(self.element(list_, index))
        if list_.dtype.kind == "i":
            behind = code.op(e.ADD, place, size)
            place = code.select(code.test(e.LT, place, code.number(0)), behind, place)
        self._stage = outer
        return place

    def _map(self, node: Map, index: Index) -> Value:
        if node in self._filled:
            array, whole = self._buffers[node]
            return self._load(array, index if whole else index[len(self._rows) :])
        args = [self.element(a, self._argument_index(a.axes, node.axes, index)) for a in node.args]
        value = self._apply(node, args)
        if node in self._buffers:
            array, whole = self._buffers[node]
            place = index if whole else index[len(self._rows) :]
            self._code.builder.effect(low.STORE, array, value, *place, loc=node.loc)
            self._filling.add(node)
        return value

    def _apply(self, node: Map, args: Sequence[Value]) -> Value:
        builder = self._code.builder
        if node.op is None:
            return args[0]
        if node.op is e.WHERE:
            condition = builder.emit(e.CAST, args[0], loc=node.loc, to=BOOL)
            return builder.emit(low.SELECT, condition, *args[1:], loc=node.loc)
        return builder.append(make(node.op, args, node.attrs, node.loc)).result

    def _argument_index(self, own: Axes, axes: Axes, index: Index) -> Index:
        offset = len(axes) - len(own)
        return tuple(
            self._along(axis, axes[offset + i], index[offset + i]) for i, axis in enumerate(own)
        )

    def _along(self, own: Axis, axis: Axis, index: Value) -> Value:
        """Return the index on an axis that fits into another one, where the index is known.

        An axis is as long as that of the root or 1: checks have passed. So its index is that of the
        root or 0, whatever the axes between them are, and elements are the same by every path.
        """
        if own.is_one or (self.is_fast and own.is_repeated(axis)):
            return self._zero()
        if self.is_fast:
            return index
        root = self._stage.roots.get(index, index)
        key = (own.size, root)
        if key not in self._stage.places:
            kept = own.dim.is_constant or own.same(axis)
            self._stage.places[key] = index if kept else self._step(own.size, root)
        return self._stage.places[key]

    def _step(self, size: Value, root: Value) -> Value:
        """Return the index of a root, or 0 on an axis of size 1: only the run knows."""
        is_one = self._code.test(e.EQ, size, self._code.number(1))
        step = self._code.select(is_one, self._code.number(0), self._code.number(1))
        index = self._code.op(e.MUL, root, step)
        self._stage.roots[index] = root
        return index

    def _zero(self) -> Value:
        if not self._stage.zeros:
            self._stage.zeros.append(self._code.number(0))
        return self._stage.zeros[0]

    def array(self, array: Value) -> Value:
        """Return the value to use for an array."""
        return self._arrays.get(array, array)

    def _make_buffers(self) -> None:
        targets = {r.node: r.target for r in self._group.roots if r.target is not None}
        for node in _shared(self._group):
            target = targets.get(node)
            if target is not None:
                self._buffers[node] = (self.array(target), True)
                continue
            inner = _inner(node, self._group)
            type_ = TensorType(node.dtype, tuple(a.dim for a in inner))
            self._buffers[node] = (self._code.new_array(type_, [a.size for a in inner]), False)


def _inner(node: Node, group: Group) -> Axes:
    """Return the axes of a root inside one row; a fold has none left."""
    return () if isinstance(node, Fold) else node.axes[len(group.rows) :]


def _store_stages(group: Group) -> list[list[Root]]:
    """Return the roots to store, those over one inner space together."""
    stages: list[list[Root]] = []
    for root in group.roots:
        if root.target is None:
            continue
        inner = _inner(root.node, group)
        for stage in stages:
            if same_space(_inner(stage[0].node, group), inner):
                stage.append(root)
                break
        else:
            stages.append([root])
    return stages


def _shared(group: Group) -> list[Map]:
    """Return the costly nodes that two stages of a row need, over the space of the first."""
    stages: list[list[Node]] = [[fold.arg] for fold in group.folds]
    for stage in _store_stages(group):
        stages.append([r.node for r in stage if not isinstance(r.node, Fold)])
    stages = [stage for stage in stages if stage]
    order = _parents_first([node for stage in stages for node in stage])
    demand: dict[Node, tuple[int, int]] = {}  # the first and the last stage that need a node

    def need(node: Node, first: int, last: int) -> None:
        known = demand.get(node, (first, last))
        demand[node] = min(first, known[0]), max(last, known[1])

    for number, stage in enumerate(stages):
        for node in stage:
            need(node, number, number)
    shared: list[Map] = []
    depth = len(group.rows)
    for node in order:
        if node not in demand or isinstance(node, Fold):
            continue
        first, last = demand[node]
        fills = same_space(node.axes[depth:], stages[first][0].axes[depth:])
        if isinstance(node, Map) and first < last and fills and is_costly(node):
            shared.append(node)
            last = first
        for child in children(node):
            need(child, first, last)
    return shared


def _parents_first(starts: Sequence[Node]) -> list[Node]:
    """Return the nodes of a row, users before what they use; folds are leaves there."""
    done: dict[Node, None] = {}

    def visit(node: Node) -> None:
        if node in done:
            return
        if not isinstance(node, Fold):
            for child in children(node):
                visit(child)
        done[node] = None

    for node in starts:
        visit(node)
    return list(reversed(done))
