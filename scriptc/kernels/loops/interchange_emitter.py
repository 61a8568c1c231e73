"""The loops that stand for a nest that `interchange` has found legal to rearrange."""

from collections.abc import Callable, Sequence

from scriptc.analysis import dependence
from scriptc.analysis.affine import Affine
from scriptc.kernels.builder import I64, Code, emit_form
from scriptc.kernels.loops.nest_parts import Element, Inner, Nest, Part, bounds_of, pushed_by
from scriptc.passes.rebuild import Renaming
from scriptc_runtime.ir import Builder, Instr, Label, Value
from scriptc_runtime.ops import control, data, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import INT, DType

# Iterations of the outer loop at once: as many rows are read in parallel.
JAM = 4
# Elements of rows that stay in a core's own cache.
_NEAR = 2**18

_Body = Callable[[Code, Renaming, Value], None]
# What a register holds of an element, the store that put it there, and the names it used.
_Kept = dict[Element, tuple[Value, Instr | None, Renaming]]


@record(eq=False)
class _Jam:
    """Iterations of an inner loop to be done at once, with the names of what each has by itself."""

    inner: Inner
    first: Sequence[Instr]  # what they share in an iteration over j
    rest: Sequence[Instr]
    shared: Renaming
    iterations: Sequence[Renaming]


class Emitter:
    """Emits what stands for a nest."""

    def __init__(self, nest: Nest) -> None:
        self._nest = nest
        self._builder = Builder()
        self._code = Code(self._builder, nest.loop.loc)

    def distributed(self) -> list[Instr]:
        """Return one loop after the other; there must be an iteration for loads before them."""

        def parts() -> None:
            for part in self._nest.parts:
                if part.inner is None:
                    self._straight(part)
                else:
                    self._turned(part, part.inner)

        return self._if_some(parts)

    def pushed(self) -> list[Instr]:
        """Return a loop that adds each result to the totals of all later iterations."""
        return self._if_some(self._push)

    def _if_some(self, emit: Callable[[], None]) -> list[Instr]:
        builder, code, label = self._builder, self._code, Label("if")
        start, stop, _ = self._nest.loop.operands
        builder.open()
        some = builder.emit(e.LT, start, stop, loc=code.loc)
        builder.open()
        emit()
        builder.exit(label, loc=code.loc)
        full = builder.close()
        builder.open()
        builder.exit(label, loc=code.loc)
        builder.region(control.IF, (some,), (full, builder.close()), label, (), code.loc)
        return list(builder.close().body)

    def _rows(self, first: Affine, emit: _Body, names: Renaming | None = None) -> None:
        """Emit a loop over the iterations from `first` on."""
        code, nest = self._code, self._nest
        begin = emit_form(code, self._named(first, names))
        count = code.iterations(begin, emit_form(code, nest.ends.high.plus(Affine(1))))

        def body(index: Value) -> None:
            own = Renaming()
            place = index if first == Affine(0) else code.op(e.ADD, begin, index)
            own[nest.variable] = code.to_int(place)
            emit(code, own, place)

        code.loop(count, body, parallel=False)

    def _named(self, form: Affine, names: Renaming | None) -> Affine:
        if names is None:
            return form
        return dependence.replaced(form, {v: Affine(0, ((names[v], 1),)) for v, _ in form.terms})

    def _slot(self, place: Value) -> Value:
        """Return the place of an iteration in the rows of totals."""
        low_end = self._nest.ends.low
        if low_end == Affine(0):
            return place
        return self._code.op(e.SUB, place, emit_form(self._code, low_end))

    def _copies(self, body: Sequence[Instr], names: Renaming, place: Value) -> None:
        """Emit copies of instructions; results of folds come from their totals."""
        for instr in body:
            for value in instr.operands:
                self._total(value, names, place)
            _copy(self._builder, instr, names)

    def _total(self, value: Value, names: Renaming, place: Value) -> None:
        row = self._nest.totals.get(value)
        if row is not None and names[value] is value:
            names[value] = self._code.op(low.LOAD, row, self._slot(place))

    def _straight(self, part: Part) -> None:
        self._rows(
            self._nest.ends.low,
            lambda code, names, place: self._copies(part.straight, names, place),
        )

    def _begin(self, part: Part, inner: Inner) -> None:
        """Emit the start of the totals."""
        (result,) = inner.instr.results
        row = self._nest.totals[result]

        def start(code: Code, names: Renaming, place: Value) -> None:
            if inner.start is None:
                value = _zero(code, result)
            else:
                self._copies(part.again, names, place)
                self._total(inner.start, names, place)
                value = names[inner.start]
            code.builder.effect(low.STORE, row, value, self._slot(place), loc=code.loc)

        self._rows(self._nest.ends.low, start)

    def _turned(self, part: Part, inner: Inner) -> None:
        if inner.is_total:
            self._begin(part, inner)
        code, nest = self._code, self._nest
        stop = inner.ends.high.plus(Affine(1))
        if bounds_of(inner, nest) == 0:
            low_end, high_end = inner.ends.low, inner.ends.high
            self._in_groups(low_end, high_end, lambda k, n: self._jammed(part, inner, k, n))
            return
        # k runs below j + c: at k there are the iterations from k - c + 1 on.
        over = stop.plus(Affine(0, ((nest.variable, 1),)), -1)
        last = dependence.replaced(stop, {nest.variable: nest.ends.high})
        self._over(
            emit_form(code, inner.ends.low),
            emit_form(code, last),
            1,
            lambda k: self._jammed(part, inner, k, 1, over),
        )

    def _over(self, first: Value, stop: Value, step: int, emit: Callable[[Value], None]) -> None:
        code, builder = self._code, self._builder
        index, label = Value(INT, "k"), Label("for")
        by = builder.emit(data.CONST, loc=code.loc, value=step)
        operands = (code.to_int(first), code.to_int(stop), by)
        builder.open(index)
        emit(index)
        builder.exit(label, next=True, loc=code.loc)
        block = builder.close()
        builder.append(Instr(control.FOR, operands, {}, (), code.loc, (block,), label))

    def _jammed(
        self, part: Part, inner: Inner, k: Value, count: int, over: Affine | None = None
    ) -> None:
        """Emit a loop over j that does `count` iterations of the inner loop from k on for each.

        The inner loop ends at j + `over`, so at k there are iterations from k - `over` + 1 on.
        """
        begin = self._code.to_i64(k)
        jam = self._begun(part, inner, begin, count)
        first = self._nest.ends.low
        if over is not None:
            least = Affine(1, ((begin, 1),)).plus(over, -1)
            if not least.plus(first, -1).is_constant:
                ends = (emit_form(self._code, form) for form in (least, first))
                least = Affine(0, ((self._code.op(e.MAXIMUM, *ends), 1),))
            first = least
        self._rows(first, lambda _, names, place: self._jam(jam, names, place))

    def _begun(self, part: Part, inner: Inner, begin: Value, count: int) -> "_Jam":
        """Emit what all iterations over j share, for `count` iterations of the inner loop."""
        code = self._code
        still, moving = _parted(part, inner, self._nest)
        again = set(part.again)
        shared = Renaming()
        for instr in still:
            if instr in again:
                _copy(self._builder, instr, shared)
        iterations: list[Renaming] = []
        for number in range(count):
            names = Renaming()
            names.update(shared)
            at = code.op(e.ADD, begin, code.number(number)) if number else begin
            names[inner.variable] = at if inner.variable.type is I64 else code.to_int(at)
            for instr in still:
                if instr not in again:
                    _copy(self._builder, instr, names)
            iterations.append(names)
        first = [i for i in moving if i in again]
        return _Jam(inner, first, [i for i in moving if i not in again], shared, iterations)

    def _jam(self, jam: "_Jam", names: Renaming, place: Value) -> None:
        names.update(jam.shared)
        self._copies(jam.first, names, place)
        total = self._load_total(jam.inner, place)
        kept: _Kept = {}
        for known in jam.iterations:
            own = Renaming()
            own.update(known)
            own.update(names)
            total = self._round(jam, own, (place, kept), total)
        self._write_back(kept)
        if total is not None:
            row = self._nest.totals[jam.inner.instr.results[0]]
            self._builder.effect(low.STORE, row, total, self._slot(place), loc=self._code.loc)

    def _write_back(self, kept: "_Kept") -> None:
        for value, store, known in kept.values():
            if store is not None:
                known[store.operands[1]] = value
                _copy(self._builder, store, known)

    def jammed(self) -> list[Instr]:
        """Return the loop with several iterations at once, and what is left of them."""
        (part,) = self._nest.parts
        inner, ends = part.inner, self._nest.ends
        assert inner is not None
        self._builder.open()
        self._in_groups(ends.low, ends.high, lambda k, count: self._group(part, inner, k, count))
        return list(self._builder.close().body)

    def grouped(self, by: int) -> list[Instr]:
        """Return the loop with several sums side by side, and what is left of its iterations.

        Where the sums have unlike lengths, k below j + `by`, what the first lacks is added to each
        of the others by itself. Rows that come from far memory are better read one by one.
        """
        code, ends = self._code, self._nest.ends
        inner = self._nest.parts[0].inner
        assert inner is not None
        self._builder.open()
        begin, stop = emit_form(code, ends.low), emit_form(code, ends.high.plus(Affine(1)))
        length = code.iterations(begin, stop)
        most = dependence.replaced(inner.ends.high, {self._nest.variable: ends.high})
        elements = code.op(e.MUL, length, emit_form(code, most))
        near = code.test(e.LT, elements, code.number(_NEAR))
        groups = code.op(e.FLOORDIV, length, code.number(JAM))
        groups = code.select(near, groups, code.number(0))
        middle = code.op(e.ADD, begin, code.op(e.MUL, groups, code.number(JAM)))
        self._over(begin, middle, JAM, lambda j: self._side_by_side(inner, j, by))
        self._over(middle, stop, 1, self._as_it_was)
        return list(self._builder.close().body)

    def _as_it_was(self, j: Value) -> None:
        (block,) = self._nest.loop.blocks
        names = Renaming()
        names[self._nest.variable] = j
        self._code.again(block.body[:-1], names)

    def _side_by_side(self, inner: Inner, j: Value, by: int) -> None:
        code, (fold, results) = self._code, self._nest.parts
        begin, iterations = code.to_i64(j), list[Renaming]()
        for number in range(JAM):
            names = Renaming()
            at = code.op(e.ADD, begin, code.number(number)) if number else begin
            names[self._nest.variable] = code.to_int(at)
            for instr in fold.again:
                _copy(self._builder, instr, names)
            iterations.append(names)
        triangle = bounds_of(inner, self._nest) != 0
        count = emit_form(code, inner.ends.high.plus(Affine(1))) if not triangle else begin
        count = code.op(e.ADD, count, code.number(by)) if triangle and by else count
        sums = self._sums(inner, count, iterations)
        for number, (names, first) in enumerate(zip(iterations, sums, strict=True)):
            total = first
            for more in range(number if triangle else 0):
                own = Renaming()
                own.update(names)
                own[inner.variable] = code.op(e.ADD, count, code.number(more))
                total = code.op(e.ADD, total, self._element(inner, own))
            names[inner.instr.result] = total
            for instr in results.straight:
                _copy(self._builder, instr, names)

    def _element(self, inner: Inner, names: Renaming) -> Value:
        for instr in inner.iterations:
            _copy(self._builder, instr, names)
        assert inner.final is not None
        return names[inner.final]

    def _sums(self, inner: Inner, count: Value, iterations: Sequence[Renaming]) -> Sequence[Value]:
        """Emit the sums of the first `count` elements of each iteration."""
        builder, index, label = self._builder, Value(I64, "k"), Label("reduce")
        builder.open(index)
        elements: list[Value] = []
        for names in iterations:
            own = Renaming()
            own.update(names)
            own[inner.variable] = index
            elements.append(self._element(inner, own))
        builder.exit(label, *elements, next=True, loc=self._code.loc)
        block = builder.close()
        results = tuple(Value(v.type) for v in elements)
        fold, loc = inner.instr, self._code.loc
        builder.append(Instr(low.REDUCE, (count,), fold.attrs, results, loc, (block,), label))
        return results

    def _in_groups(self, first: Affine, last: Affine, emit: Callable[[Value, int], None]) -> None:
        code = self._code
        begin, stop = emit_form(code, first), emit_form(code, last.plus(Affine(1)))
        length = code.iterations(begin, stop)
        whole = code.op(e.FLOORDIV, length, code.number(JAM))
        middle = code.op(e.ADD, begin, code.op(e.MUL, whole, code.number(JAM)))
        self._over(begin, middle, JAM, lambda k: emit(k, JAM))
        self._over(middle, stop, 1, lambda k: emit(k, 1))

    def _group(self, part: Part, inner: Inner, k: Value, count: int) -> None:
        code, iterations, begin = self._code, list[Renaming](), self._code.to_i64(k)
        for number in range(count):
            names = Renaming()
            at = code.op(e.ADD, begin, code.number(number)) if number else begin
            names[self._nest.variable] = code.to_int(at)
            for instr in part.again:
                _copy(self._builder, instr, names)
            iterations.append(names)
        jam = _Jam(inner, (), inner.iterations, Renaming(), iterations)
        first = emit_form(code, inner.ends.low)
        stop = emit_form(code, inner.ends.high.plus(Affine(1)))

        def body(index: Value) -> None:
            place = index if inner.ends.low == Affine(0) else code.op(e.ADD, first, index)
            at = place if inner.variable.type is I64 else code.to_int(place)
            kept: _Kept = {}
            for known in jam.iterations:
                own = Renaming()
                own.update(known)
                own[inner.variable] = at
                self._round(jam, own, (place, kept), None)
            self._write_back(kept)

        code.loop(code.iterations(first, stop), body, parallel=False)

    def _load_total(self, inner: Inner, place: Value) -> Value | None:
        if not inner.is_total:
            return None
        row = self._nest.totals[inner.instr.results[0]]
        return self._code.op(low.LOAD, row, self._slot(place))

    def _round(
        self, jam: "_Jam", names: Renaming, at: tuple[Value, "_Kept"], total: Value | None
    ) -> Value | None:
        inner = jam.inner
        if total is not None and not inner.is_fold:
            names[inner.instr.blocks[0].params[1]] = total
        place, kept = at
        for instr in jam.rest:
            element = self._nest.kept.get(instr)
            if element is None:
                self._copies([instr], names, place)
            elif instr.op is low.STORE:
                kept[element] = names[instr.operands[1]], instr, names
            elif element in kept:
                names[instr.result] = kept[element][0]
            else:
                self._copies([instr], names, place)
                kept[element] = names[instr.result], None, names
        if total is None or inner.final is None:
            return None
        self._total(inner.final, names, place)
        final = names[inner.final]
        return self._code.op(e.ADD, total, final) if inner.is_fold else final

    def _push(self) -> None:
        nest, code = self._nest, self._code
        fold, results = nest.parts
        inner, by = fold.inner, pushed_by(nest)
        assert inner is not None
        assert by is not None
        self._begin(fold, inner)
        # What was there before the first iteration is added first.
        first = emit_form(code, nest.ends.low.plus(Affine(by)))
        self._over(
            emit_form(code, inner.ends.low), first, 1, lambda k: self._jammed(fold, inner, k, 1)
        )

        def iteration(j: Value) -> None:
            names = Renaming()
            names[nest.variable] = j
            place = code.to_i64(j)
            self._copies(results.straight, names, place)
            k = code.to_int(code.op(e.ADD, place, code.number(by)))
            over = Affine(by)
            self._jammed(fold, inner, k, 1, over)

        self._over(
            emit_form(code, nest.ends.low),
            emit_form(code, nest.ends.high.plus(Affine(1))),
            1,
            iteration,
        )


def _parted(part: Part, inner: Inner, nest: Nest) -> tuple[list[Instr], list[Instr]]:
    """Return what all iterations of the new inner loop compute alike, and the rest."""
    moving = {nest.variable, *nest.totals}
    if not inner.is_fold and inner.is_total:
        moving.add(inner.instr.blocks[0].params[1])
    still: list[Instr] = []
    within: list[Instr] = []
    written = {i.operands[0] for i in inner.iterations if i.op is low.STORE}
    for instr in (*part.again, *inner.iterations):
        changes = instr.op is low.STORE or not written.isdisjoint(instr.operands)
        if changes or not moving.isdisjoint(instr.operands):
            moving.update(instr.results)
            within.append(instr)
        else:
            still.append(instr)
    return still, within


def _zero(code: Code, result: Value) -> Value:
    dtype = result.type
    assert isinstance(dtype, DType)
    value = 0.0 if dtype.kind == "f" else 0
    return code.builder.emit(data.CONST, loc=code.loc, value=value, dtype=dtype)


def _copy(builder: Builder, instr: Instr, names: Renaming) -> None:
    results = tuple(Value(r.type, r.name) for r in instr.results)
    operands = tuple(names[v] for v in instr.operands)
    builder.append(replace(instr, operands=operands, results=results))
    for old, new in zip(instr.results, results, strict=True):
        names[old] = new
