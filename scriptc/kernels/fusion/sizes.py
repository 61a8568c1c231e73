"""What is known of sizes where a walk stands: one value for each, and which broadcast together.

    z = np.zeros(x.shape)       the axes of z have the sizes of x, the same values
    r = y * z + y               two sizes are compared, and one of them chosen, by the first op
    r = r * z                   r has the size of {y, z}: there is nothing to compare any more

A set of sizes stands for an axis that was broadcast from all of them: each of them is the size of
that axis or 1.  So a program has as many comparisons as it has such sets, however many ops it has.

Checks are emitted where the source has the operation, before anything of it is computed, so an
exception comes where NumPy raises it however late the nest runs.
"""

from collections import ChainMap
from collections.abc import Callable, Hashable, Sequence

from scriptc.analysis.affine import Affine
from scriptc.kernels.builder import Code
from scriptc.kernels.fusion import shapes
from scriptc.kernels.fusion.nodes import Axes, Axis
from scriptc.kernels.fusion.size_forms import SizeForms
from scriptc_runtime.dims import UNKNOWN, Dim, broadcast
from scriptc_runtime.ir import Value
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.low import MOST_NUMBERS
from scriptc_runtime.record import field, record, replace

Refusal = tuple[str, str]
_NOT_BROADCAST: Refusal = (
    "could not broadcast input array from shape {} into shape {}",
    "could not broadcast input array",
)
# The sizes that were broadcast to one; a number stands for one that is known.
Merged = frozenset[Value | int]


@record(eq=False)
class Sizes:
    """The sizes that a block knows: those of the block around it, and its own."""

    _axes: ChainMap[Value, Axes] = field(default_factory=ChainMap[Value, Axes])
    # The value for all sizes of a dim that is no constant, and what is known of each size.
    _values: ChainMap[Dim, Value] = field(default_factory=ChainMap[Dim, Value])
    _dims: ChainMap[Value, Dim] = field(default_factory=ChainMap[Value, Dim])
    _computed: ChainMap[Hashable, Sequence[Value]] = field(
        default_factory=ChainMap[Hashable, Sequence[Value]]
    )
    _parts: ChainMap[Value, Merged] = field(default_factory=ChainMap[Value, Merged])
    _merged: ChainMap[Merged, Axis] = field(default_factory=ChainMap[Merged, Axis])
    forms: SizeForms = field(default_factory=SizeForms)

    def inside(self) -> "Sizes":
        """Return what a block inside this one knows: what it learns is not known after it."""
        return Sizes(
            self._axes.new_child(),
            self._values.new_child(),
            self._dims.new_child(),
            self._computed.new_child(),
            self._parts.new_child(),
            self._merged.new_child(),
            self.forms.inside(),
        )

    def of(self, code: Code, array: Value) -> Axes:
        """Return the axes of an array in memory."""
        if array not in self._axes:
            self._axes[array] = tuple(map(self._shared, shapes.axes_of(code, array)))
        return self._axes[array]

    def axis(self, code: Code, size: Value, dim: Dim) -> Axis:
        """Return the axis of a size of which its array's type says `dim`."""
        if not dim.known:
            dim = self._dims.get(size, dim)
        return Axis(code.number(dim.constant) if dim.is_constant else size, dim)

    def constant(self, code: Code, number: int) -> Axis:
        """Return the axis of so many elements; its size is known for that wherever it is met."""
        axis = Axis(code.number(number), Dim(number))
        self.forms.note(axis.size, Affine(number))
        self._dims[axis.size] = axis.dim
        return axis

    def number(self, size: Value) -> int | None:
        """Return the number that a size is known to be."""
        dim = self._dims.get(size, UNKNOWN)
        return dim.constant if dim.is_constant else None

    def _shared(self, axis: Axis) -> Axis:
        """Return `axis` with the value that stands for all axes of its dim."""
        if not axis.dim.known:
            axis = replace(axis, dim=self._dims.get(axis.size, axis.dim))
        if axis.dim.known and not axis.dim.is_constant:
            axis = Axis(self._values.setdefault(axis.dim, axis.size), axis.dim)
        self._note_size(axis.size, axis.dim)
        return axis

    def _note_size(self, size: Value, dim: Dim) -> None:
        if dim.is_constant:
            self.forms.note(size, Affine(dim.constant))
        self.forms.note_natural(size)
        self._dims.setdefault(size, dim)

    def asked(self, code: Code, number: Value) -> Axis:
        """Return the axis of a size that a program asks for; ValueError below zero."""
        form = self.forms.of(number)
        size = self.value(code, form)
        if size not in self._dims:
            if not self.forms.is_natural(form):
                fits = code.test(e.GE, size, code.number(0))
                code.require(fits, "ValueError", "negative dimensions are not allowed")
            self._note_size(size, UNKNOWN)
        return Axis(size, self._dims[size], code.seems_one(size))

    def is_size(self, number: Value) -> bool:
        """Whether an i64 is known to be a size, which is not below zero."""
        return number in self._dims

    def once(self, key: Hashable, compute: Callable[[], Sequence[Value]]) -> Sequence[Value]:
        """Return what is computed from what `key` holds; the same values each time."""
        if key not in self._computed:
            self._computed[key] = compute()
        return self._computed[key]

    def whole(self, code: Code, number: Value) -> Value:
        """Return an int as an i64."""
        whole = self.once(("whole", number), lambda: [code.to_i64(number)])[0]
        if whole is not number:
            self.forms.note(whole, self.forms.of(number))
        return whole

    def value(self, code: Code, form: Affine) -> Value:
        """Return an i64 of this form; the same one each time."""
        match form:
            case Affine(0, ((base, 1),)):
                return self.whole(code, base)
            case Affine(constant, ()):
                return (
                    self.constant(code, constant).size if constant >= 0 else code.number(constant)
                )
            case _:
                return self.once(("form", self.forms.key(form)), lambda: [self._sum(code, form)])[0]

    def _sum(self, code: Code, form: Affine) -> Value:
        total: Value | None = None
        for base, factor in sorted(form.terms, key=lambda term: -term[1]):
            part = self.whole(code, base)
            if abs(factor) != 1 or total is None:
                part = part if factor == 1 else code.op(e.MUL, part, code.number(factor))
                total = part if total is None else code.op(e.ADD, total, part)
            else:
                total = code.op(e.ADD if factor == 1 else e.SUB, total, part)
        assert total is not None
        if form.constant:
            op = e.ADD if form.constant > 0 else e.SUB
            total = code.op(op, total, code.number(abs(form.constant)))
        self.forms.note(total, form)
        return total

    def count(self, code: Code, form: Affine) -> Value:
        """Return a number of this form as a size: 0 where it is below."""
        number = self.value(code, form)
        if number in self._dims:
            return number
        if not self.forms.is_natural(form):
            return self.once(("count", number), lambda: [self.at_least_none(code, number)])[0]
        self._note_size(number, UNKNOWN)
        return number

    def to_int(self, code: Code, size: Value) -> Value:
        """Return a size as an int, which is that size where it is one again."""
        number = self.once(("int", size), lambda: [code.to_int(size)])[0]
        self._computed["whole", number] = [size]
        self.forms.note(number, self.forms.of(size))
        return number

    def rest(self, code: Code, size: Value, less: int) -> Value:
        """Return what `less` elements leave of a size."""
        return self.count(code, self.forms.of(size).plus(Affine(-less)))

    def at_least_none(self, code: Code, count: Value) -> Value:
        """Return a number as a size, which is not below zero."""
        size = code.op(e.MAXIMUM, count, code.number(0))
        self._note_size(size, UNKNOWN)
        return size

    def broadcast(self, code: Code, spaces: Sequence[Axes]) -> Axes:
        """Return the space of operands broadcast together; ValueError where they do not fit."""
        result: Axes = ()
        conditions: list[Value] = []
        for space in spaces:
            result = self._merge_spaces(code, result, space, conditions)
        if conditions:
            text, values = shapes.shapes_text(spaces)
            message = f"operands could not be broadcast together with shapes {text}"
            code.require(code.both(conditions), "ValueError", message, *values)
        return result

    def require_fits(
        self, code: Code, source: Axes, target: Axes, refusal: Refusal = _NOT_BROADCAST
    ) -> None:
        """Check that `source` broadcasts to exactly `target`; ValueError if it does not.

        `refusal` is its message, with the two shapes and without.
        """
        conditions: list[Value] = []
        for own, other in zip(reversed(source), reversed(target), strict=False):
            self._fit(code, own, other, conditions)
        if conditions:
            first, values = shapes.shape_text(source)
            second, others = shapes.shape_text(target)
            with_shapes, without = refusal
            if len(values) + len(others) <= MOST_NUMBERS and with_shapes != without:
                message = with_shapes.format(first, second)
                code.require(code.both(conditions), "ValueError", message, *values, *others)
            else:
                code.require(code.both(conditions), "ValueError", without)

    def _merge_spaces(self, code: Code, first: Axes, second: Axes, conditions: list[Value]) -> Axes:
        long, short = (first, second) if len(first) >= len(second) else (second, first)
        head = long[: len(long) - len(short)]
        pairs = zip(long[len(head) :], short, strict=True)
        return (*head, *(self._merge(code, a, b, conditions) for a, b in pairs))

    def _merge(self, code: Code, first: Axis, second: Axis, conditions: list[Value]) -> Axis:
        """Return two axes broadcast together; `conditions` gets what has to hold for that."""
        if first.same(second):
            # One value may be the size of axes of which one type alone says that it is constant.
            return second if second.dim.is_constant else first
        if second.is_one:
            return first
        if first.is_one:
            return second
        one, other = self._merged_into(first), self._merged_into(second)
        both = one | other
        if both not in (one, other) and both not in self._merged:
            conditions.append(_fits(code, first, second))
            self._note(_chosen(code, first, second), both)
        found = first if both == one else second if both == other else self._merged[both]
        # Beside a constant other than 1 that is what types say, too.
        dim = _joint(first.dim, second.dim)
        is_more = dim.is_constant and not found.dim.is_constant
        return Axis(code.number(dim.constant), dim) if is_more else found

    def _fit(self, code: Code, own: Axis, target: Axis, conditions: list[Value]) -> None:
        """Have `own` broadcast to exactly `target`; `conditions` gets what has to hold for that."""
        if own.is_one or own.same(target):
            return
        one, other = self._merged_into(own), self._merged_into(target)
        known = self._merged.get(one | other)
        if not one <= other and not (known and known.same(target)):
            equal = code.test(e.EQ, own.size, target.size)
            is_one = code.test(e.EQ, own.size, code.number(1))
            conditions.append(code.op(e.OR, equal, is_one))
            self._note(target, one | other)

    def _merged_into(self, axis: Axis) -> Merged:
        if axis.dim.is_constant:
            return frozenset((axis.dim.constant,))
        return self._parts.get(axis.size) or frozenset((axis.size,))

    def _note(self, axis: Axis, parts: Merged) -> None:
        """Note what sizes are broadcast to: that holds where a check here has passed."""
        self._merged[parts] = axis
        self._note_size(axis.size, axis.dim)
        self._parts[axis.size] = parts


def _fits(code: Code, first: Axis, second: Axis) -> Value:
    one = code.number(1)
    either = code.op(e.OR, code.test(e.EQ, first.size, one), code.test(e.EQ, second.size, one))
    return code.op(e.OR, code.test(e.EQ, first.size, second.size), either)


def _chosen(code: Code, first: Axis, second: Axis) -> Axis:
    dim = _joint(first.dim, second.dim)
    if dim.is_constant:
        return Axis(code.number(dim.constant), dim)
    is_one = code.test(e.EQ, first.size, code.number(1))
    size = code.select(is_one, second.size, first.size)
    return Axis(size, dim, first.seems_one and second.seems_one)


def _joint(first: Dim, second: Dim) -> Dim:
    """Return the size of two axes broadcast together; unknown where a check has failed."""
    try:
        return broadcast(first, second)[0]
    except ValueError:
        return UNKNOWN
