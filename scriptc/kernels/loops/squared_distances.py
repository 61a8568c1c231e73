"""Sums of squared distances from a number that is not known yet: a variance beside its mean.

    %m = ... what follows from folds over the same elements, as their mean
    %s = reduce %n [kind="sum"] {(%i) %v = load %x, %i   %d = sub %v, %m   exit mul %d, %d }

`fuse_siblings` goes over the elements once, strip by strip, and the mean is known behind the last
strip.  So a strip takes the distances d from a number p of its own, the mean of the strip, and
keeps p and two sums: of d * d, and of d.  With m, and the n elements of the strip,

    sum((x - m)**2) = sum(d * d) + (p - m) * (2 * sum(d) + n * (p - m))

holds for any numbers p and m, and the sum over all strips is what was asked for.  This is how Chan,
Golub and LeVeque (*Algorithms for computing the sample variance*, The American Statistician 37,
1983) combine the variances of parts, here of all parts at once.  Their formula takes p for the
exact mean of a part and leaves out sum(d), which is 0 then.  So do strips whose mean is not large
beside their deviation.  In others the error of p, some eps * |p|, would be seen: with q for the
greatest |p| over the deviation, leaving it out changes the result by a few eps * sqrt(1 + q**2) of
it, as by Cauchy and Schwarz sum(n * |p - m| * |error of p|) is at most the square root of
sum(n * (p - m)**2) * sum(n * (error of p)**2).  The only strip has no need of it: there p is m to
the bit.

The sum is as precise as one of the squares of x - m is.  d and p - m are rounded once.  As sums of
n numbers are within c * log2(n) * eps * sum(|x|), the three terms are within a small multiple of
c * log2(n) * eps * (sum(d * d) + n * (p - m)**2).  p is the mean of the strip but for rounding, so
neither of the two is greater than sum((x - m)**2).  Nothing is the square of an element, or the
difference of two sums of such.  A strip gives no less than 0.

Infinities, and sums that overflow, may lead to another result than x - m does: where the sum is not
finite, the fold is computed as it stands.
"""

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from scriptc.analysis.induction import constant_int
from scriptc.analysis.instr_kinds import computes_only, effects_of
from scriptc.kernels.builder import I64, Code
from scriptc.kernels.loops.split_reductions import combined, part_of_fold
from scriptc.passes.rebuild import Renaming
from scriptc_runtime.dims import UNKNOWN, Dim
from scriptc_runtime.ir import Block, Builder, Function, Instr, Label, Role, Value, make
from scriptc_runtime.ops import control, data, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.record import record, replace
from scriptc_runtime.reserved import FALLBACK_PREFIX
from scriptc_runtime.types import DType, TensorType

_PLACES, _SQUARES, _DISTANCES = range(3)  # the rows of what is kept of strips
_MOST_LEVELS = 48  # of strips that are added in pairs
_NEAR = 16.0  # the square of how many deviations a mean is not large at


@record(eq=False)
class SquaredDistances:
    """A fold that sums the squares of the distances of elements from a number, `middle`."""

    fold: Instr
    element: Value
    distance: Value
    square: Value
    middle: Value
    is_turned: bool  # the distances are those of the middle from the elements
    before: Sequence[Instr]  # in the fold, and compute `middle`
    inner: Sequence[Value | int]  # how many iterations the loops in the fold have

    @property
    def dtype(self) -> DType:
        """Type of an element."""
        assert isinstance(self.fold.result.type, DType)
        return self.fold.result.type

    @property
    def elements(self) -> Instr:
        """The fold that sums the elements themselves."""
        return self._sum_of(self.element)

    def number(self, code: Code, length: Value) -> Value:
        """Emit how many elements `length` iterations have, as a float."""
        for inner in self.inner:
            count = code.number(inner) if isinstance(inner, int) else inner
            length = code.op(e.MUL, length, count)
        return code.cast(length, self.dtype)

    def keep(
        self, code: Code, parts: Value, strip: tuple[Value, Value, Value], total: Value, lone: Value
    ) -> None:
        """Emit what a strip keeps in `parts`: its number, its first iteration and its length.

        The sum of it is `total`; `lone` says that it is the only strip.
        """
        number, first, length = strip
        count = code.op(e.MAXIMUM, self.number(code, length), _float(code, 1.0, self.dtype))
        place = code.op(e.DIV, total, count)

        def sum_of(value: Value) -> Value:
            names = Renaming()
            names[self.middle] = place
            return part_of_fold(code, self._sum_of(value), first, length, names)

        def distances() -> Sequence[Value]:
            found = sum_of(self.distance)
            return (code.op(e.NEG, found) if self.is_turned else found,)

        squares = sum_of(self.square)
        near = code.op(e.OR, lone, _is_near(code, count, place, squares))
        nothing = _float(code, 0.0, self.dtype)
        (gaps,) = code.choose(near, lambda: (nothing,), distances, "distances")
        kept = {_PLACES: place, _SQUARES: squares, _DISTANCES: gaps}
        for row, value in kept.items():
            at = code.number(row), number
            code.builder.effect(low.STORE, parts, value, *at, loc=self.fold.loc)

    def total(
        self,
        code: Code,
        made: dict[str, Function],
        parts: Value,
        strips: tuple[Value, Value],
        count: Value,
    ) -> tuple[Value, Value]:
        """Emit the sum of all `strips`, their number and size, and whether it is to be trusted."""
        names = Renaming()
        code.again(self.before, names)
        middle, (number, size) = names[self.middle], strips
        last = code.op(e.SUB, count, code.op(e.MUL, size, code.op(e.SUB, number, code.number(1))))
        numbers = self.number(code, size), self.number(code, last)
        name = f"{FALLBACK_PREFIX}squared_distances.{self.dtype}"
        if name not in made:
            made[name] = _adding(name, self.dtype)
        attrs = {"callee": name, "result": self.dtype}
        operands = (parts, number, *numbers, middle)
        sum_ = code.builder.append(make(control.CALL, operands, attrs, code.loc)).result
        is_finite = code.test(e.LT, sum_, _float(code, math.inf, self.dtype))
        # Of no elements the middle may be NaN, and the sum is 0.
        is_nan = code.test(e.NE, middle, middle)
        some = code.test(e.GT, count, code.number(0))
        return sum_, code.op(e.OR, is_finite, code.op(e.AND, is_nan, some))

    def _sum_of(self, value: Value) -> Instr:
        """Return the fold that sums a value of the iteration; nothing in it computes the middle."""
        loops = list(_loops(self.fold))
        made = _made_in(loops)
        starts = [value, *(v for loop in loops[1:] for v in loop.operands)]
        needed = _needed_for(starts, made, frozenset({self.middle}))
        attrs = {**self.fold.attrs, "chunk": True}
        return replace(_of_value(self.fold, value, needed), attrs=attrs)


def squared_distances(
    fold: Instr, late: AbstractSet[Value], definitions: Mapping[Value, Instr]
) -> SquaredDistances | None:
    """Return the parts of a fold of distances from what follows from `late`, if it is one."""
    loops = list(_loops(fold))
    made = _made_in(loops)
    square = made.get(loops[-1].blocks[0].body[-1].operands[0])
    distance = None if square is None else made.get(square.operands[0])
    if square is None or square.op is not e.MUL or distance is None or distance.op is not e.SUB:
        return None
    type_ = fold.result.type
    is_float = isinstance(type_, DType) and type_.kind == "f"
    known = [constant_int(loop.operands[0], definitions) for loop in loops[1:]]
    inner = [loop.operands[0] if n is None else n for n, loop in zip(known, loops[1:], strict=True)]
    if not is_float or square.operands[0] is not square.operands[1] or _have_more(loops):
        return None
    if any(count in made or count in late for count in inner if isinstance(count, Value)):
        return None
    varying = {loop.blocks[0].params[0] for loop in loops}
    first, second = distance.operands
    for middle, element in ((second, first), (first, second)):
        before = _needed_for([middle], made, frozenset())
        own = _needed_for([element], made, frozenset())
        if not varying.isdisjoint(_used(middle, before)) or not late.isdisjoint(
            _used(element, own)
        ):
            continue
        # In their order.
        body = [i for loop in loops for i in loop.blocks[0].body if i in before]
        if all(map(computes_only, body)):
            parts = element, distance.result, square.result, middle
            return SquaredDistances(fold, *parts, middle is first, body, inner)
    return None


def _loops(fold: Instr) -> Iterator[Instr]:
    """Yield a fold and the folds that are all that it folds, each inside the one before."""
    while True:
        yield fold
        *body, last = fold.blocks[0].body
        inner = next((i for i in body if last.operands[0] in i.results), None)
        if inner is None or inner.op is not low.REDUCE or inner.attrs["kind"] != "sum":
            return
        fold = inner


def _made_in(loops: Sequence[Instr]) -> Mapping[Value, Instr]:
    return {r: i for loop in loops for i in loop.blocks[0].body for r in i.results}


def _have_more(loops: Sequence[Instr]) -> bool:
    """Whether there are other regions in the loops, or something is written to memory there."""
    return any(
        (i.blocks and i not in loops) or bool(effects_of(i).writes)
        for loop in loops
        for i in loop.blocks[0].body
    )


def _needed_for(
    values: Sequence[Value], made: Mapping[Value, Instr], given: AbstractSet[Value]
) -> AbstractSet[Instr]:
    """Return the instructions that values come from; what is given comes from nowhere."""
    found: set[Instr] = set()
    todo = list(values)
    while todo:
        value = todo.pop()
        if value in made and value not in given and made[value] not in found:
            found.add(made[value])
            todo += made[value].operands
    return found


def _used(value: Value, instrs: AbstractSet[Instr]) -> set[Value]:
    return {value, *(v for i in instrs for v in i.operands)}


def _of_value(fold: Instr, value: Value, needed: AbstractSet[Instr]) -> Instr:
    """Return a fold of nested ones with `needed` alone in it, that sums `value`."""
    (block,) = fold.blocks
    *old, last = block.body
    inner = next((i for i in old if last.operands[0] in i.results and i.blocks), None)
    body = [i for i in old if i in needed or i is inner]
    if inner is None:
        last = replace(last, operands=(value,))
    else:
        body[body.index(inner)] = _of_value(inner, value, needed)
    return replace(fold, blocks=(Block(block.params, (*body, last)),))


def key_of_fold(fold: Instr) -> Hashable:
    """Return a key that two folds have in common only if they combine the same elements.

    They may be over other numbers of them.
    """
    numbers: dict[Value, int] = {}

    def named(value: Value) -> Hashable:
        return numbers.get(value, value)

    def define(values: Sequence[Value]) -> None:
        for value in values:
            numbers[value] = len(numbers)

    def key(instr: Instr) -> Hashable:
        operands = () if instr is fold else tuple(map(named, instr.operands))
        attrs = tuple((k, repr(v)) for k, v in instr.attrs.items() if k != "chunk")
        blocks: list[Hashable] = []
        for block in instr.blocks:
            define(block.params)
            blocks.append(tuple(map(key, block.body)))
        define(instr.results)
        return instr.op.name, operands, attrs, tuple(blocks)

    return key(fold)


def _adding(name: str, dtype: DType) -> Function:
    """Return the function that adds what strips have kept; see the module."""
    builder, label = Builder(), Label("return")
    parts, count = Value(TensorType(dtype, (Dim(3), UNKNOWN)), "parts"), Value(I64, "count")
    size, last, middle = Value(dtype, "size"), Value(dtype, "last"), Value(dtype, "middle")
    builder.open()
    code = Code(builder)
    final = code.op(e.SUB, count, code.number(1))
    nothing, unknown = _float(code, 0.0, dtype), _float(code, math.nan, dtype)
    is_several = code.test(e.GT, count, code.number(1))

    def strip(number: Value) -> None:
        place, squares, distances = (
            code.op(low.LOAD, parts, code.number(row), number)
            for row in (_PLACES, _SQUARES, _DISTANCES)
        )
        elements = code.select(code.test(e.EQ, number, final), last, size)
        gap = code.op(e.SUB, place, middle)
        twice = code.op(e.ADD, distances, distances)
        more = code.op(e.MUL, gap, code.op(e.ADD, twice, code.op(e.MUL, elements, gap)))
        value = code.op(e.MAXIMUM, code.op(e.ADD, squares, more), nothing)
        # A lone strip has no sum of distances, as its mean is the middle: elsewhere it lacks one.
        known = code.op(e.OR, is_several, _is_near(code, elements, place, squares))
        known = code.op(e.OR, known, code.test(e.EQ, gap, nothing))
        value = code.select(known, value, unknown)
        code.builder.effect(low.STORE, parts, value, code.number(_SQUARES), number, loc=code.loc)

    code.loop(count, strip, parallel=False)
    levels = code.op(e.MINIMUM, count, code.number(_MOST_LEVELS))
    total = combined(code, "sum", parts, count, levels, code.number(_SQUARES))
    builder.exit(label, total)
    params = (parts, count, size, last, middle)
    return Function(name, params, dtype, builder.close(), label, role=Role.FALLBACK)


def room_for(code: Code, dtype: DType, strips: Value) -> Value:
    """Emit an array for what strips keep."""
    return code.new_array(TensorType(dtype, (Dim(3), UNKNOWN)), [code.number(3), strips])


def _is_near(code: Code, count: Value, place: Value, squares: Value) -> Value:
    """Emit whether the mean of a strip is not large beside its deviation."""
    assert isinstance(place.type, DType)
    far = code.op(e.MUL, count, code.op(e.MUL, place, place))
    return code.test(e.LE, far, code.op(e.MUL, squares, _float(code, _NEAR, place.type)))


def _float(code: Code, value: float, dtype: DType) -> Value:
    return code.builder.emit(data.CONST, loc=code.loc, value=value, dtype=dtype)
