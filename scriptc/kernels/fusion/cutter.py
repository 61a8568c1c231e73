"""What stands in a stretch of one axis of a node: a node over the stretch, or over no such axis."""

from collections.abc import Callable, Sequence

from scriptc.analysis.contiguity import Order
from scriptc.kernels.builder import Code
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
)
from scriptc_runtime.dims import ONE, UNKNOWN
from scriptc_runtime.ir import Value
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import TensorType


@record(eq=False)
class Stretch:
    """The elements of an axis from `start` on, as many as `axis` has; the one there without it."""

    start: Value
    axis: Axis | None


def lengths(node: Joined) -> Sequence[Axis]:
    """Return the axis of each part along which they stand behind each other."""
    if node.new:
        # All have the same value of a size: they are told apart by what is known of it.
        return [Axis(start, ONE) for start in node.starts]
    return [part.axes[node.axis] for part in node.parts]


class Cutter:
    """Cuts nodes that are read along one axis of a root; `number` is the part of concatenations."""

    def __init__(self, code: Code, number: int) -> None:
        self._code = code
        self._number = number
        self._cut: dict[tuple[Node, int, Stretch], Node] = {}
        self._moved: dict[tuple[object, ...], Stretch] = {}

    def cut(self, node: Node, axis: int, stretch: Stretch) -> Node:
        """Return what stands in a stretch of `axis`; the same node for the same question."""
        key = (node, axis, stretch)
        if key not in self._cut:
            self._cut[key] = self._compute(node, axis, stretch)
        return self._cut[key]

    def _compute(self, node: Node, axis: int, stretch: Stretch) -> Node:
        axes = _cut_axes(node.axes, axis, stretch)
        match node:
            case Source(array):
                return Source(self.view(array, node.axes, axis, stretch), axes)
            case Map(args=args):
                cut = [self._argument(arg, node.axes, axis, stretch) for arg in args]
                return replace(node, args=tuple(cut), axes=axes)
            case Ramp():
                return self._ramp(node, stretch)
            case Fold():
                return self._fold(node, axis, stretch)
            case Part():
                return self._part(node, axis, stretch, axes)
            case Joined():
                return self._joined(node, axis, stretch, axes)
            case Rolled(arg=arg):
                if axis == node.axis:
                    return self.cut(arg, axis, self._turned(node, stretch))
                own = _place(node.axis, axis, stretch)
                return replace(node, arg=self.cut(arg, axis, stretch), axis=own, axes=axes)
            case Scalar() | Pick() | Split():
                raise TypeError(node)  # the one has no axis, and the others are in memory

    def view(self, array: Value, axes: Axes, axis: int, stretch: Stretch) -> Value:
        """Return the part of an array in memory; it has the sizes that `axes` say."""
        code = self._code
        numbers = [n for a in axes[:axis] for n in (code.number(0), a.size, code.number(1))]
        numbers.append(stretch.start)
        if stretch.axis:
            numbers += [stretch.axis.size, code.number(1)]
        letters = "s" * axis + ("s" if stretch.axis else "i")
        assert isinstance(array.type, TensorType)
        dims = tuple(a.dim for a in _cut_axes(axes, axis, stretch))
        view = code.subview(array, letters, numbers, TensorType(array.type.dtype, dims))
        if code.has_rows(array) and (stretch.axis or axis < len(axes) - 1):
            code.expect_order(view, Order.ROWS)
        return view

    def _argument(self, arg: Node, axes: Axes, axis: int, stretch: Stretch) -> Node:
        place = axis - (len(axes) - len(arg.axes))
        if place < 0:
            return arg
        own, whole = arg.axes[place], axes[axis]
        if own.same(whole):
            return self.cut(arg, place, stretch)
        if own.is_one:
            return arg if stretch.axis else self.cut(arg, place, self._only())
        return self.cut(arg, place, self._either(stretch, own))

    def _ramp(self, node: Ramp, stretch: Stretch) -> Node:
        code = self._code.at(node.loc)
        start = code.op(e.ADD, node.start, code.op(e.MUL, stretch.start, node.step))
        if stretch.axis is None:
            return Scalar(start, node.dtype)
        return replace(node, start=start, axes=(stretch.axis,))

    def _fold(self, node: Fold, axis: int, stretch: Stretch) -> Node:
        rank = len(node.arg.axes)
        kept = [i for i in range(rank) if i not in node.reduced]
        place = axis if node.kept else kept[axis]
        reduced = tuple(_place(i, place, stretch) for i in node.reduced)
        axes = _cut_axes(node.axes, axis, stretch)
        return replace(node, arg=self.cut(node.arg, place, stretch), reduced=reduced, axes=axes)

    def _part(self, node: Part, axis: int, stretch: Stretch, axes: Axes) -> Node:
        starts = node.starts
        inner = self._after(stretch, starts[axis], node.arg.axes[axis])
        kept = (0,) if stretch.axis else ()
        left = (*starts[:axis], *kept, *starts[axis + 1 :])
        return replace(node, arg=self.cut(node.arg, axis, inner), starts=left, axes=axes)

    def _joined(self, node: Joined, axis: int, stretch: Stretch, axes: Axes) -> Node:
        if axis == node.axis:
            part = node.parts[self._number]
            if stretch.axis is None and not node.new:
                return self.cut(part, axis, self._only())
            return part
        inner = axis - (node.new and axis > node.axis)
        parts = tuple(self.cut(part, inner, stretch) for part in node.parts)
        return replace(node, parts=parts, axis=_place(node.axis, axis, stretch), axes=axes)

    def _only(self) -> Stretch:
        """Return the one element of an axis of size 1."""
        return self._once(("only",), lambda: Stretch(self._code.number(0), None))

    def _after(self, stretch: Stretch, start: int, whole: Axis) -> Stretch:
        """Return a stretch as many places on; without elements it may be behind all of them."""
        if start == 0:
            return stretch

        def moved() -> Stretch:
            code = self._code
            place = code.op(e.ADD, stretch.start, code.number(start))
            return Stretch(code.op(e.MINIMUM, place, whole.size), stretch.axis)

        return self._once(("after", stretch, start, whole.size), moved)

    def _turned(self, node: Rolled, stretch: Stretch) -> Stretch:
        """Return where the elements of a stretch stand before the roll."""

        def moved() -> Stretch:
            code, size = self._code, node.axes[node.axis].size
            before = code.test(e.LT, stretch.start, node.first)
            behind = code.op(e.SUB, stretch.start, node.first)
            there = code.select(before, code.op(e.ADD, behind, size), behind)
            return Stretch(there, stretch.axis)

        return self._once(("turned", stretch, node.first), moved)

    def _either(self, stretch: Stretch, own: Axis) -> Stretch:
        """Return a stretch of an axis that may be of size 1, which is broadcast then."""

        def found() -> Stretch:
            code = self._code
            one = code.number(1)
            is_one = code.test(e.EQ, own.size, one)
            start = code.select(is_one, code.number(0), stretch.start)
            if stretch.axis is None:
                return Stretch(start, None)
            size = code.select(is_one, one, stretch.axis.size)
            return Stretch(start, Axis(size, UNKNOWN, own.seems_one))

        return self._once(("either", stretch, own.size), found)

    def _once(self, key: tuple[object, ...], compute: Callable[[], Stretch]) -> Stretch:
        if key not in self._moved:
            self._moved[key] = compute()
        return self._moved[key]


def _cut_axes(axes: Axes, axis: int, stretch: Stretch) -> Axes:
    kept = (stretch.axis,) if stretch.axis else ()
    return (*axes[:axis], *kept, *axes[axis + 1 :])


def _place(own: int, axis: int, stretch: Stretch) -> int:
    """Return which axis an axis of a node is once another one is cut."""
    return own - (stretch.axis is None and axis < own)
