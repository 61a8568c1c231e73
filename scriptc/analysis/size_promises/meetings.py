"""The sizes that must be equal in an op, and the sizes of its result.

A rule is given what is known of the operands, and `meet`, which it calls for two sizes that the op
wants to be equal.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, cast

from scriptc.analysis.size_promises.facts import Facts
from scriptc.analysis.size_promises.forms import Form, constant, product
from scriptc.analysis.size_promises.slices import size_of_slice
from scriptc.analysis.size_promises.values import Fresh, Known, Shape, by_rule
from scriptc_runtime.ir import Instr
from scriptc_runtime.ops import (
    arrays,
    fourier,
    generators,
    integers,
    joining,
    linalg,
    picking,
    reductions,
    reshaping,
)
from scriptc_runtime.ops.opdef import OpDef, Trait
from scriptc_runtime.record import record
from scriptc_runtime.types import NONE


class Meet(Protocol):
    """Notes that an op wants two sizes to be equal, and says whether they are known to differ.

    `what` says what the op does with them, with braces for both.
    """

    def __call__(self, first: Form, second: Form, what: str) -> bool:
        """Return whether the promises say that they differ."""
        ...


@record
class Use:
    """An instruction, what is known of its operands, and whom to ask."""

    instr: Instr
    operands: Sequence[Known]
    facts: Facts
    meet: Meet
    fresh: Fresh

    def shape(self, index: int) -> tuple[Form, ...]:
        """Return the sizes of an operand that is an array."""
        known = self.operands[index]
        assert isinstance(known, Shape)
        return known.sizes

    def form(self, index: int) -> Form:
        """Return an operand that is an int."""
        known = self.operands[index]
        return known if isinstance(known, Form) else self.fresh()


def results_of(use: Use) -> list[Known]:
    """Return what is known of the results of an op on arrays."""
    instr = use.instr
    broadcasts = Trait.ELEMENTWISE in instr.op.traits or instr.op in _BROADCAST
    if broadcasts and any(isinstance(known, Shape) for known in use.operands):
        return [Shape(_broadcast(use))]
    rule = RULES.get(instr.op)
    return by_rule(instr, use.operands, use.fresh) if rule is None else rule(use)


_BROADCAST = (reductions.CLIP, integers.GCD, integers.LCM)


def _broadcast(use: Use) -> tuple[Form, ...]:
    shapes = [k.sizes for k in use.operands if isinstance(k, Shape)]
    result = shapes[0]
    for shape in shapes[1:]:
        long, short = (result, shape) if len(result) >= len(shape) else (shape, result)
        head, tail = long[: len(long) - len(short)], long[len(long) - len(short) :]
        pairs = zip(tail, short, strict=True) if long is result else zip(short, tail, strict=True)
        result = (*head, *(_fitted(use, a, b) for a, b in pairs))
    return result


_ONE = constant(1)
ELEMENTWISE = "axes of the sizes {} and {} are combined element by element"


def _fitted(use: Use, first: Form, second: Form) -> Form:
    """Return the size of two axes that are broadcast together."""
    first, second = use.facts.reduced(first), use.facts.reduced(second)
    if first == second or second == _ONE:
        return first
    if first == _ONE:
        return second
    if use.meet(first, second, ELEMENTWISE):
        # Two names are taken for one from here on.
        return first if first.is_name and second.is_name else use.fresh()
    # Whichever is not 1 is the size of the result, and a name of a size is not.
    likely = [size for size in (first, second) if size.is_promised]
    return likely[0] if len(likely) == 1 else use.fresh()


def _assign(use: Use) -> list[Known]:
    source = use.operands[1]
    if isinstance(source, Shape):
        pairs = zip(use.shape(0)[::-1], source.sizes[::-1], strict=False)
        for into, size in reversed(list(pairs)):
            if use.facts.reduced(size) != _ONE:
                use.meet(size, into, "an axis of size {} is written into one of size {}")
    return []


def _join(use: Use) -> list[Known]:
    axis, new = cast(int, use.instr.attrs["axis"]), joining.is_new(use.instr.attrs)
    shapes = [use.shape(i) for i in range(len(use.operands))]
    first = list(shapes[0])
    for shape in shapes[1:]:
        for other, (own, size) in enumerate(zip(shapes[0], shape, strict=True)):
            if new or other != axis:
                use.meet(own, size, "arrays with axes of the sizes {} and {} are joined")
    if new:
        first.insert(axis, constant(len(shapes)))
    else:
        for shape in shapes[1:]:
            first[axis] = first[axis].plus(shape[axis])
    return [Shape(tuple(first))]


def _matmul(use: Use) -> list[Known]:
    lhs, rhs = use.shape(0), use.shape(1)
    use.meet(lhs[-1], rhs[0], "a product sums over axes of the sizes {} and {}")
    sizes = (*lhs[:-1], *rhs[1:])
    return [Shape(sizes)] if sizes else [None]


def _view(use: Use) -> list[Known]:
    base, sizes = use.shape(0), list[Form]()
    axis, operand = 0, 1
    for letter in cast(str, use.instr.attrs["axes"]):
        if letter == "n":
            sizes.append(_ONE)
            continue
        if letter == "s":
            sizes.append(_sliced(use, base[axis], operand))
        operand += 3 if letter == "s" else 1
        axis += 1
    return [Shape((*sizes, *base[axis:]))]


def _sliced(use: Use, size: Form, operand: int) -> Form:
    values = use.instr.operands[operand : operand + 3]
    start, stop, step = (
        None if value.type is NONE else use.form(operand + i) for i, value in enumerate(values)
    )
    if step is not None and not step.is_constant:
        return use.fresh()
    by = 1 if step is None else step.constant
    return size_of_slice(size, start, stop, by, use.facts) or use.fresh()


def _new(first: int) -> "Rule":
    """Return the rule of an op whose sizes are its operands from the `first` on."""

    def rule(use: Use) -> list[Known]:
        return [Shape(tuple(use.form(i) for i in range(first, len(use.operands))))]

    return rule


def _drawn(use: Use) -> list[Known]:
    count = len(cast("tuple[object, ...]", use.instr.attrs["dims"]))
    return _new(len(use.operands) - count)(use)


def _arange(use: Use) -> list[Known]:
    start, stop, step = use.operands
    length: Form | None = None
    if isinstance(start, Form) and isinstance(stop, Form) and isinstance(step, Form):
        length = use.facts.reduced(stop.minus(start))
        if length.is_constant and step.is_constant and step.constant:
            length = constant(max(0, -(-length.constant // step.constant)))
        elif step != _ONE or length.sign == -1:
            length = None
    return [Shape((length or use.fresh(),))]


def _reshape(use: Use) -> list[Known]:
    whole = use.facts.reduced(product(use.shape(0)))
    sizes = [use.facts.reduced(use.form(i)) for i in range(1, len(use.operands))]
    open_axes = [i for i, size in enumerate(sizes) if size == constant(-1)]
    told = product(size for i, size in enumerate(sizes) if i not in open_axes)
    if open_axes:
        sizes[open_axes[0]] = use.facts.quotient(whole, told) or use.fresh()
    else:
        use.meet(whole, told, "{} elements are reshaped to {}")
    return [Shape(tuple(sizes))]


def _compress(use: Use) -> list[Known]:
    use.meet(use.shape(0)[0], use.shape(1)[0], "an axis of size {} has a mask of size {}")
    return by_rule(use.instr, use.operands, use.fresh)


def _put_masked(use: Use) -> list[Known]:
    for size, mask in zip(use.shape(0), use.shape(1), strict=True):
        use.meet(size, mask, "an axis of size {} has a mask of size {}")
    return []


def _take(use: Use) -> list[Known]:
    places = [use.shape(index)[0] for index in range(1, len(use.operands))]
    return [Shape(_picked(use, places))]


def _outer_take(use: Use) -> list[Known]:
    places = [use.shape(index)[0] for index in range(1, len(use.operands))]
    return [Shape((*places, *use.shape(0)[len(places) :]))]


def _put_at(use: Use) -> list[Known]:
    places = [use.shape(index)[0] for index in range(2, len(use.operands))]
    source, into = use.operands[1], _picked(use, places)
    if isinstance(source, Shape):
        for there, size in zip(into[::-1], source.sizes[::-1], strict=False):
            if use.facts.reduced(size) != _ONE:
                use.meet(size, there, "an axis of size {} is written into one of size {}")
    return []


def _picked(use: Use, places: Sequence[Form]) -> tuple[Form, ...]:
    """Return the sizes of what lists of places pick: they have one size."""
    for other in places[1:]:
        use.meet(places[0], other, "lists of places have the sizes {} and {}")
    return (places[0], *use.shape(0)[len(places) :])


def _transformed(use: Use) -> list[Known]:
    return [Shape((*use.shape(0)[:-1], use.form(1)))]


def _half_transformed(use: Use) -> list[Known]:
    half = use.facts.quotient(use.facts.reduced(use.form(1)), constant(2))
    return [Shape((*use.shape(0)[:-1], use.fresh() if half is None else half.plus(_ONE)))]


def _square(use: Use) -> list[Known]:
    rows, columns = use.shape(0)[-2:]
    use.meet(rows, columns, "a matrix that has to be square has {} rows and {} columns")
    return by_rule(use.instr, use.operands, use.fresh)


def _solve(use: Use) -> list[Known]:
    found = _square(use)
    _equations(use)
    return found


def _equations(use: Use) -> list[Known]:
    matrix, right = use.shape(0), use.shape(1)
    rows = right[0] if len(right) == 1 else right[-2]
    use.meet(matrix[-2], rows, "a system of {} equations has a right side of {} rows")
    return by_rule(use.instr, use.operands, use.fresh)


Rule = Callable[[Use], list[Known]]
RULES: Mapping[OpDef, Rule] = {
    arrays.ASSIGN: _assign,
    arrays.MATMUL: _matmul,
    arrays.VIEW: _view,
    arrays.EMPTY: _new(0),
    arrays.FULL: _new(1),
    arrays.ARANGE: _arange,
    joining.JOIN: _join,
    picking.COMPRESS: _compress,
    picking.TAKE: _take,
    picking.OUTER_TAKE: _outer_take,
    picking.PUT_AT: _put_at,
    picking.PUT_MASKED: _put_masked,
    reshaping.RESHAPE: _reshape,
    reshaping.SET_SHAPE: _reshape,
    generators.DRAW_ARRAY: _drawn,
    fourier.RFFT: _half_transformed,
    **dict.fromkeys((fourier.FFT, fourier.IFFT, fourier.IRFFT), _transformed),
    linalg.SOLVE: _solve,
    linalg.LSTSQ: _equations,
    **dict.fromkeys(
        (
            *(linalg.CHOLESKY, linalg.INV, linalg.DET, linalg.SLOGDET, linalg.EIGVALSH),
            *(linalg.EIGH, linalg.EIGVALS, linalg.EIG),
        ),
        _square,
    ),
}
