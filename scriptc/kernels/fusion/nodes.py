"""Array expressions that are not computed yet: what fusion works on.

    node = Source       an array in memory
         | Scalar       one value for every index
         | Map          an op on the elements of other nodes, broadcast
         | Ramp         start + index * step
         | Fold         a reduction over axes of another node
         | Part         a slice of another node, `x[1:, :-1]`
         | Pick         a node at the places that other nodes give for its first axes, `x[index]`
         | Joined       nodes behind each other along an axis
         | Rolled       a node whose last elements along an axis stand in front
         | Split        a node whose first axis is several, one in the other

A node says what its element at an index is; a loop nest decides when that is computed.
"""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from itertools import count
from typing import Self

from scriptc.analysis.costs import COSTLY
from scriptc_runtime.dims import ONE, Dim
from scriptc_runtime.ir import Loc, Value
from scriptc_runtime.ops.opdef import Attrs, OpDef
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import DType, TensorType


@record(eq=False)
class Axis:
    """One axis of an index space: its size as an i64 value, and what is known of it.

    One that seems to be of size 1, as that of `x[:, 2:3]`, is 1 wherever a guard says so.
    """

    size: Value
    dim: Dim
    seems_one: bool = False

    def same(self, other: "Axis") -> bool:
        """Whether both are proven to be one size."""
        return self.size is other.size or self.dim.same(other.dim)

    @property
    def is_one(self) -> bool:
        """Whether the size is proven to be 1."""
        return self.dim == ONE

    def is_repeated(self, along: "Axis") -> bool:
        """Whether the one element here is taken to be that of all places of a longer axis."""
        return (self.is_one and not along.is_one) or (self.seems_one and not self.same(along))


Axes = tuple[Axis, ...]


@record
class Place:
    """Where a slice stands in `array`: its element at an index is that at `starts` + index."""

    array: Value
    starts: tuple[int, ...]


_NUMBERS = count()


class _Known:
    """What is known of a node: it never changes, and many paths lead to it.

    A node has a greater `number` than all that it is computed from.
    """

    __slots__ = ("arrays", "costly", "number")

    arrays: frozenset[Value]
    costly: bool
    number: int

    def __new__(cls, *fields: object, **named: object) -> Self:
        """Return a node that has its number."""
        node = super().__new__(cls)
        node.number = next(_NUMBERS)
        return node


@record(eq=False)
class Source(_Known):
    """An array in memory; `place` is known of a slice of another array.

    All slices of one array are read through that array, so what they have in common is seen.
    """

    array: Value
    axes: Axes
    place: Place | None = None

    @property
    def whole(self) -> Value:
        """The array that it is read through where rows are contiguous."""
        return self.place.array if self.place is not None else self.array

    @property
    def dtype(self) -> DType:
        """Type of an element."""
        assert isinstance(self.array.type, TensorType)
        return self.array.type.dtype


@record(eq=False)
class Scalar(_Known):
    """One value for every index."""

    value: Value
    dtype: DType
    axes: Axes = ()


@record(eq=False)
class Map(_Known):
    """`op` on the elements of `args`; without an op the element of the one argument itself.

    `is_scalar` says that it is no array, not even one without axes.
    """

    op: OpDef | None
    attrs: Attrs
    args: tuple["Node", ...]
    dtype: DType
    axes: Axes
    loc: Loc
    is_scalar: bool = False


@record(eq=False)
class Ramp(_Known):
    """`start + index * step` along its one axis."""

    start: Value
    step: Value
    dtype: DType
    axes: Axes
    loc: Loc


@record(eq=False)
class Fold(_Known):
    """`kind` over the axes `reduced` of `arg`; `kept` says they stay with size 1.

    `product` marks the sum of a matrix product, whose error may grow as that of BLAS does.
    """

    kind: str
    arg: "Node"
    reduced: tuple[int, ...]
    kept: bool
    dtype: DType
    axes: Axes
    loc: Loc
    product: bool = False

    @property
    def is_rounded_sum(self) -> bool:
        """Whether the order of the additions decides how precise the sum is."""
        return self.kind == "sum" and self.dtype.kind in "fc" and not self.product

    @property
    def depth(self) -> int:
        """Number of leading axes that are not reduced."""
        return self.reduced[0] if self.reduced else len(self.arg.axes)

    @property
    def is_trailing(self) -> bool:
        """Whether exactly the axes from `depth` on are reduced: a row at a time gives a result."""
        return self.reduced == tuple(range(self.depth, len(self.arg.axes)))


@record(eq=False)
class Part(_Known):
    """A slice of `arg`: its element at an index is that of `arg` at `starts` + index.

    Where an axis has an element at all, its slice starts where it was asked to.
    """

    arg: "Node"
    starts: tuple[int, ...]
    axes: Axes

    @property
    def dtype(self) -> DType:
        """Type of an element."""
        return self.arg.dtype


@record(eq=False)
class Pick(_Known):
    """What stands in `source` at `places`, which are in bounds: a list for each of its first axes.

    A place below zero counts from the end.  The axes behind stay whole.  Lists that are `crossed`
    have an axis each, others one together.
    """

    source: "Node"
    places: tuple["Node", ...]
    axes: Axes
    loc: Loc
    crossed: bool = False

    @property
    def along(self) -> Sequence[int]:
        """The axis of the result that each list of places is read along."""
        return range(len(self.places)) if self.crossed else [0] * len(self.places)

    @property
    def lead(self) -> int:
        """Number of axes before those that stay whole."""
        return len(self.places) if self.crossed else 1

    @property
    def dtype(self) -> DType:
        """Type of an element."""
        return self.source.dtype


@record(eq=False)
class Joined(_Known):
    """`parts` behind each other along `axis`, which they do not have themselves if it is `new`.

    Each begins at its own of `starts`. All have one size along the other axes.
    """

    parts: tuple["Node", ...]
    axis: int
    new: bool
    starts: tuple[Value, ...]
    axes: Axes
    loc: Loc

    @property
    def dtype(self) -> DType:
        """Type of an element."""
        return self.parts[0].dtype


@record(eq=False)
class Rolled(_Known):
    """`arg` with its first element at the place `first` along `axis`, its last ones in front."""

    arg: "Node"
    axis: int
    first: Value
    axes: Axes
    loc: Loc

    @property
    def dtype(self) -> DType:
        """Type of an element."""
        return self.arg.dtype


@record(eq=False)
class Split(_Known):
    """`arg` with `count` axes in place of its first one, as `reshape` gives it in C order.

    The first axis of `arg` is as long as they are together, if there is an element at all.
    """

    arg: "Node"
    count: int
    axes: Axes

    @property
    def dtype(self) -> DType:
        """Type of an element."""
        return self.arg.dtype


Node = Source | Scalar | Map | Ramp | Fold | Part | Pick | Joined | Rolled | Split


def children(node: Node) -> Sequence[Node]:
    """Return the nodes that `node` is computed from."""
    match node:
        case Map():
            return node.args
        case Fold() | Part() | Rolled() | Split():
            return (node.arg,)
        case Joined():
            return node.parts
        case Pick():
            return (node.source, *node.places)
        case Source() | Scalar() | Ramp():
            return ()


def with_children(node: Node, new: Callable[[Node], Node]) -> Node:
    """Return `node` computed from what `new` gives for each of its children, itself if the same."""
    old = children(node)
    found = tuple(map(new, old))
    if found == tuple(old):
        return node
    match node:
        case Map():
            return replace(node, args=found)
        case Fold() | Part() | Rolled() | Split():
            return replace(node, arg=found[0])
        case Joined():
            return replace(node, parts=found)
        case Pick():
            return replace(node, source=found[0], places=found[1:])
        case Source() | Scalar() | Ramp():
            return node


def substitute(
    node: Node, known: Mapping[Node, Node], memo: dict[Node, Node], oldest: int = 0
) -> Node:
    """Return `node` with the nodes in `known` replaced; unchanged nodes stay the same objects.

    None of `known` is older than the node with the number `oldest`.
    """
    if node in known:
        return known[node]
    if node.number < oldest:
        return node
    if node not in memo:
        memo[node] = with_children(node, lambda n: substitute(n, known, memo, oldest))
    return memo[node]


def topological(roots: Sequence[Node], known: Container[Node] = ()) -> list[Node]:
    """Return every node under `roots` once, arguments first; not those in `known`, nor below."""
    seen: dict[Node, None] = {}

    def visit(node: Node) -> None:
        if node not in seen and node not in known:
            for child in children(node):
                visit(child)
            seen[node] = None

    for root in roots:
        visit(root)
    return list(seen)


def sources(roots: Sequence[Node]) -> Iterator[Source]:
    """Yield the arrays that `roots` read."""
    for node in topological(roots):
        if isinstance(node, Source):
            yield node


def arrays_of(node: Node) -> frozenset[Value]:
    """Return the arrays in memory that a node is computed from."""
    if not hasattr(node, "arrays"):
        own = (node.array,) if isinstance(node, Source) else ()
        node.arrays = frozenset(own).union(*map(arrays_of, children(node)))
    return node.arrays


def is_costly(node: Node) -> bool:
    """Whether an element takes more than a few additions, folds not counted."""
    if not hasattr(node, "costly"):
        node.costly = _is_costly(node)
    return node.costly


def _is_costly(node: Node) -> bool:
    match node:
        case Map():
            return not node.is_scalar and (node.op in COSTLY or any(map(is_costly, node.args)))
        case Part() | Split():
            return is_costly(node.arg)
        case Pick():
            return True  # the caches may not hold it
        case Joined() | Rolled():
            return True  # each part of it has a nest of its own
        case Source() | Scalar() | Ramp() | Fold():
            return False


def outermost_costly(node: Node) -> list[Node]:
    """Return the nodes under `node`, or itself, that cost more than a load, and in none such."""
    found: dict[Node, None] = {}
    seen: set[Node] = set()
    todo = [node]
    while todo:
        each = todo.pop()
        if each in seen:
            continue
        seen.add(each)
        stored = isinstance(each, Fold | Pick | Joined | Rolled)
        if stored or (isinstance(each, Map) and each.op in COSTLY):
            found[each] = None
        else:
            todo += children(each)
    return list(found)


def is_light(node: Node) -> bool:
    """Whether a node may be computed twice: once to look at it, say, and once where it is read."""
    return not is_costly(node) and not has_folds(node)


def has_folds(node: Node) -> bool:
    """Whether there is a fold under `node`, or it is one."""
    return any(isinstance(n, Fold) for n in topological([node]))


def same_space(first: Axes, second: Axes) -> bool:
    """Whether two index spaces are proven equal."""
    return len(first) == len(second) and all(a.same(b) for a, b in zip(first, second, strict=True))


def uncertain_axes(roots: Sequence[Node]) -> list[tuple[Axis, Axis]]:
    """Return the pairs of axes of which only the run knows whether one is broadcast."""
    pairs: dict[tuple[Value, Value], tuple[Axis, Axis]] = {}
    for node in topological(roots):
        if not isinstance(node, Map):
            continue
        for arg in node.args:
            tail = node.axes[len(node.axes) - len(arg.axes) :]
            for own, axis in zip(arg.axes, tail, strict=True):
                if not own.is_one and not own.same(axis):
                    pairs.setdefault((own.size, axis.size), (own, axis))
    return list(pairs.values())
