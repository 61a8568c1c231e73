"""What stands in a span of one axis of a node: a node over the span, or over no such axis."""

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
class Span:
    """The elements of an axis from `start` on, as many as `axis` has; the one there without it."""

    start: Value
    axis: Axis | None


def lengths(node: Joined) -> Sequence[Axis]:
    """Return the axis of each part along which they stand behind each other."""
    if node.new:
        # Two axes with a size of 1 are the same, whatever value it is.
        return [Axis(start, ONE) for start in node.starts]
    return [part.axes[node.axis] for part in node.parts]


class Cutter:
    """Cuts nodes that are read along one axis of a root; `number` is the part of concatenations."""

    def __init__(self, code: Code, number: int) -> None:
        self._code = code
        self._number = number
        self._cut: dict[tuple[Node, int, Span], Node] = {}
        self._moved: dict[tuple[object, ...], Span] = {}

    def cut(self, node: Node, axis: int, span: Span) -> Node:
        """Return what stands in a span of `axis`; the same node for the same question."""
        key = (node, axis, span)
        if key not in self._cut:
            self._cut[key] = self._compute(node, axis, span)
        return self._cut[key]

    def _compute(self, node: Node, axis: int, span: Span) -> Node:
        axes = _cut_axes(node.axes, axis, span)
        match node:
            case Source(array):
                return Source(self.view(array, node.axes, axis, span), axes)
            case Map(args=args):
                cut = [self._argument(arg, node.axes, axis, span) for arg in args]
                return replace(node, args=tuple(cut), axes=axes)
            case Ramp():
                return self._ramp(node, span)
            case Fold():
                return self._fold(node, axis, span)
            case Part():
                return self._part(node, axis, span, axes)
            case Joined():
                return self._joined(node, axis, span, axes)
            case Rolled(arg=arg):
                if axis == node.axis:
                    return self.cut(arg, axis, self._before_roll(node, span))
                own = _place(node.axis, axis, span)
                return replace(node, arg=self.cut(arg, axis, span), axis=own, axes=axes)
            case Scalar() | Pick() | Split():
                raise TypeError(node)  # a scalar has no axis, and `cuts` has the others stored

    def view(self, array: Value, axes: Axes, axis: int, span: Span) -> Value:
        """Return the part of an array in memory; it has the sizes that `axes` say."""
        code = self._code
        numbers = [n for a in axes[:axis] for n in (code.number(0), a.size, code.number(1))]
        numbers.append(span.start)
        if span.axis:
            numbers += [span.axis.size, code.number(1)]
        letters = "s" * axis + ("s" if span.axis else "i")
        assert isinstance(array.type, TensorType)
        dims = tuple(a.dim for a in _cut_axes(axes, axis, span))
        view = code.subview(array, letters, numbers, TensorType(array.type.dtype, dims))
        if code.has_rows(array) and (span.axis or axis < len(axes) - 1):
            code.expect_order(view, Order.ROWS)
        return view

    def _argument(self, arg: Node, axes: Axes, axis: int, span: Span) -> Node:
        place = axis - (len(axes) - len(arg.axes))
        if place < 0:
            return arg
        own, whole = arg.axes[place], axes[axis]
        if own.same(whole):
            return self.cut(arg, place, span)
        if own.is_one:
            return arg if span.axis else self.cut(arg, place, self._first_element())
        return self.cut(arg, place, self._broadcast(span, own))

    def _ramp(self, node: Ramp, span: Span) -> Node:
        code = self._code.at(node.loc)
        start = code.op(e.ADD, node.start, code.op(e.MUL, span.start, node.step))
        if span.axis is None:
            return Scalar(start, node.dtype)
        return replace(node, start=start, axes=(span.axis,))

    def _fold(self, node: Fold, axis: int, span: Span) -> Node:
        rank = len(node.arg.axes)
        kept = [i for i in range(rank) if i not in node.reduced]
        if node.kept and axis in node.reduced:
            # An axis of one result: the fold is the same, but may keep that axis no more.
            return (
                node
                if span.axis
                else replace(node, kept=False, axes=_cut_axes(node.axes, axis, span))
            )
        place = axis if node.kept else kept[axis]
        reduced = tuple(_place(i, place, span) for i in node.reduced)
        axes = _cut_axes(node.axes, axis, span)
        return replace(node, arg=self.cut(node.arg, place, span), reduced=reduced, axes=axes)

    def _part(self, node: Part, axis: int, span: Span, axes: Axes) -> Node:
        starts = node.starts
        inner = self._shifted(span, starts[axis], node.arg.axes[axis])
        kept = (0,) if span.axis else ()
        left = (*starts[:axis], *kept, *starts[axis + 1 :])
        return replace(node, arg=self.cut(node.arg, axis, inner), starts=left, axes=axes)

    def _joined(self, node: Joined, axis: int, span: Span, axes: Axes) -> Node:
        if axis == node.axis:
            part = node.parts[self._number]
            if span.axis is None and not node.new:
                return self.cut(part, axis, self._first_element())
            return part
        inner = axis - (node.new and axis > node.axis)
        parts = tuple(self.cut(part, inner, span) for part in node.parts)
        return replace(node, parts=parts, axis=_place(node.axis, axis, span), axes=axes)

    def _first_element(self) -> Span:
        """Return the one element of an axis of size 1."""
        return self._once(("only",), lambda: Span(self._code.number(0), None))

    def _shifted(self, span: Span, start: int, whole: Axis) -> Span:
        """Return a span as many places on; without elements it may be behind all of them."""
        if start == 0:
            return span

        def moved() -> Span:
            code = self._code
            place = code.op(e.ADD, span.start, code.number(start))
            return Span(code.op(e.MINIMUM, place, whole.size), span.axis)

        return self._once(("after", span, start, whole.size), moved)

    def _before_roll(self, node: Rolled, span: Span) -> Span:
        """Return where the elements of a span stand before the roll."""

        def moved() -> Span:
            code, size = self._code, node.axes[node.axis].size
            before = code.test(e.LT, span.start, node.first)
            behind = code.op(e.SUB, span.start, node.first)
            there = code.select(before, code.op(e.ADD, behind, size), behind)
            return Span(there, span.axis)

        return self._once(("turned", span, node.first), moved)

    def _broadcast(self, span: Span, own: Axis) -> Span:
        """Return a span of an axis that may be of size 1, which is broadcast then."""

        def found() -> Span:
            code = self._code
            one = code.number(1)
            is_one = code.test(e.EQ, own.size, one)
            start = code.select(is_one, code.number(0), span.start)
            if span.axis is None:
                return Span(start, None)
            size = code.select(is_one, one, span.axis.size)
            return Span(start, Axis(size, UNKNOWN, own.seems_one))

        return self._once(("either", span, own.size), found)

    def _once(self, key: tuple[object, ...], compute: Callable[[], Span]) -> Span:
        if key not in self._moved:
            self._moved[key] = compute()
        return self._moved[key]


def _cut_axes(axes: Axes, axis: int, span: Span) -> Axes:
    kept = (span.axis,) if span.axis else ()
    return (*axes[:axis], *kept, *axes[axis + 1 :])


def _place(own: int, axis: int, span: Span) -> int:
    """Return which axis an axis of a node is once another one is cut."""
    return own - (span.axis is None and axis < own)
