"""Batches: products of a matrix with the rows that a loop takes, for many iterations at once.

    for i in range(n):                          for each batch of iterations:
        c[i, i:] = a[:, i] @ b[:, i:]    =>         p = a[:, batch].T @ b[:, first iteration:]
                                                    for i in batch:
                                                        c[i, i:] = p[i - first iteration, i - ...:]

The product of a vector and a matrix is bound by memory, which is read for each iteration anew; that
of two matrices is not.  Columns, or rows, that only some iterations of a batch take of the matrix
are part of the product for all of them, and are not looked at where they are not asked for.  Their
ends stay, or move against each other, not on together: at most half of the product is for nothing.

Nobody can tell that a product is there before its iteration, but for its rounding: the loop writes
neither factor, and the guard proves that no view of them is out of range, or clipped, in any
iteration.

Needs: core IR without library ops; effects.
Gives: the same, with low views of the products.
Does not: take products that only some iterations compute, or loops that may be left early.
Cases: tests/cases/loops/gemv_to_gemm.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from scriptc.analysis import dependence, sections
from scriptc.analysis.affine import Affine
from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.effects import FunctionEffects, ModuleEffects
from scriptc.analysis.induction import counts_by_one
from scriptc.analysis.remarks import Kind, Message, Topic, about, remark
from scriptc.kernels.builder import Code, emit_form
from scriptc.kernels.loops.version_bounds import small_enough
from scriptc.passes.rebuild import copied, map_blocks
from scriptc_runtime.dims import UNKNOWN, Dim
from scriptc_runtime.ir import Block, Builder, Function, Instr, Label, Module, Value, walk
from scriptc_runtime.ops import arrays, control, data, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import Attr
from scriptc_runtime.ops.reshaping import RESHAPE
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import INT, DType, TensorType

BATCHED = Message(
    "gemv_to_gemm",
    Topic.PRODUCTS,
    Kind.DONE,
    "a product of matrices for up to {iterations} iterations of the loop in line {line} at once",
)
SINGLE = Message(
    "gemv_to_gemm",
    Topic.PRODUCTS,
    Kind.MISSED,
    "a product for each iteration: its operands do not go along with them, or the loop may end "
    "early, or writes them",
)

# Iterations of a batch, if their results have at most so many elements, and the fewest iterations.
_MOST_ROUNDS, _MOST_ELEMENTS, _FEWEST_ROUNDS = 128, 1 << 19, 8
# A matrix of a constant number of elements that the caches of any processor hold.
_INLINE = 64


def gemv_to_gemm(module: Module) -> Module:
    """Return `module` with products of many iterations of a loop computed at once."""
    if not any(_is_candidate(i) for f in module.functions.values() for i in walk(f.body)):
        return module
    effects = ModuleEffects(module)
    functions: dict[str, Function] = {}
    for name, function in module.functions.items():
        about(function)
        definitions = definitions_of(function)
        body = _Batches(definitions, effects.function(name)).block(function.body)
        functions[name] = function if body is function.body else replace(function, body=body)
    return module.with_functions(functions)


def _is_candidate(instr: Instr) -> bool:
    if instr.op is not control.FOR or instr.attrs:
        return False
    return any(_is_product(i) for i in instr.blocks[0].body)


def _is_product(instr: Instr) -> bool:
    if instr.op is not arrays.MATMUL or not isinstance(instr.result.type, TensorType):
        return False
    return instr.result.type.dtype in (DType.F64, DType.F32)


@record(eq=False)
class _Product:
    """A vector, or a few rows, that the iterations go along, and a matrix.

    `inner` is the axis of the matrix that is summed up, `outer` the other one.
    """

    instr: Instr
    factor: sections.Part
    axis: int
    matrix: sections.Part
    inner: int
    outer: int

    @property
    def rows(self) -> Affine | None:
        """The number of rows; None for a vector."""
        *rows, _ = self.factor.along
        return _count(self.factor, rows[0]) if rows else None


@record(eq=False)
class _Batch:
    """The product of a batch: its array, and what the first of its columns is."""

    product: _Product
    array: Value
    low: Value


@record(eq=False)
class _Plan:
    """The products of a loop, and what a guard must prove: forms of at least 0, arrays apart."""

    products: Sequence[_Product]
    places: sections.Places
    pairs: Sequence[tuple[Value, Value]]


class _Batches:
    """The walk over one function."""

    def __init__(self, definitions: Mapping[Value, Instr], effects: FunctionEffects) -> None:
        self._definitions = definitions
        self._effects = effects

    def block(self, block: Block) -> Block:
        """Return `block` with the loops in it done in batches where that is possible."""
        builder = Builder()
        builder.open(*block.params)
        for instr in block.body:
            new = map_blocks(instr, self.block)
            plan = self._plan(new) if _is_candidate(new) and new is instr else None
            batched = {p.instr for p in plan.products} if plan else set[Instr]()
            for product in filter(_is_product, new.blocks[0].body if _is_candidate(new) else ()):
                if product in batched:
                    remark(BATCHED, product.loc, iterations=_MOST_ROUNDS, line=new.loc)
                else:
                    remark(SINGLE, product.loc)
            if plan is None:
                builder.append(new)
            else:
                _Emitter(Code(builder, new.loc), new, plan).emit()
        made = builder.close()
        return block if made.body == block.body else made

    def _plan(self, loop: Instr) -> _Plan | None:
        if not counts_by_one(loop, self._definitions) or _may_end_early(loop):
            return None
        places = sections.Places(
            loop, self._definitions, lambda array: array not in places.forms.inside
        )
        if loop.blocks[0].params[0] not in places.forms.variables:
            return None
        found: list[_Product] = []
        pairs: dict[tuple[Value, Value], None] = {}
        for instr in filter(_is_product, loop.blocks[0].body):
            try:
                product = self._product(instr, places)
            except sections.Unopened:
                continue
            overlaps = self._overlaps(loop, product, places.forms.inside)
            if overlaps is not None:
                found.append(product)
                pairs.update(dict.fromkeys(overlaps))
        return _Plan(found, places, tuple(pairs)) if found else None

    def _product(self, instr: Instr, places: sections.Places) -> _Product:
        """Return a product whose operands go with the iterations.  Raises Unopened."""
        (first, first_turned), (second, second_turned) = (
            self._matrix(v, places) for v in instr.operands
        )
        rows = len(first.along) == len(second.along) == 2
        left = rows or len(first.along) == 1
        factor, matrix = (first, second) if left else (second, first)
        if len(matrix.along) != 2 or (rows and first_turned):
            raise sections.Unopened
        turned = second_turned if left else first_turned
        inner, outer = matrix.along if left != turned else reversed(matrix.along)
        variable = places.forms.loop.blocks[0].params[0]

        def goes(form: Affine | None) -> int:
            """Return how a form goes with the iterations."""
            terms = dict(form.terms) if form else {}
            if any(v in places.forms.inside for v in terms if v is not variable):
                raise sections.Unopened
            return terms.get(variable, 0)

        going = [
            (axis, by) for axis, place in enumerate(factor.places) if (by := goes(place.first))
        ]
        fixed = [p for axis, p in enumerate(matrix.places) if axis != outer]
        fixed += [factor.places[axis] for axis in factor.along]
        if len(going) != 1 or going[0][1] != 1 or going[0][0] in factor.along:
            raise sections.Unopened
        if rows and going[0][0] > factor.along[0]:
            # The rows of an iteration do not follow those of the iteration before.
            raise sections.Unopened
        if (
            any(goes(p.first) or goes(p.count) for p in fixed)
            or matrix.places[outer].step != sections.UP
        ):
            raise sections.Unopened
        if _is_small(matrix):
            raise sections.Unopened
        begin = goes(matrix.places[outer].first)
        if begin * (begin + goes(matrix.places[outer].count)) > 0:
            raise sections.Unopened  # a band: the iterations of a batch have few columns in common
        places.same(_count(factor, factor.along[-1]), _count(matrix, inner))
        return _Product(instr, factor, going[0][0], matrix, inner, outer)

    def _matrix(self, value: Value, places: sections.Places) -> tuple[sections.Part, bool]:
        """Return the part that a factor is, and whether it is the transpose of that."""
        made = self._definitions.get(value)
        if made is None or made.op is not arrays.TRANSPOSE or value not in places.forms.inside:
            return self._part(value, places), False
        if made.attrs["order"] != (1, 0):
            raise sections.Unopened
        return self._part(made.operands[0], places), True

    def _part(self, value: Value, places: sections.Places) -> sections.Part:
        made = self._definitions.get(value)
        if made is None or value not in places.forms.inside:
            return places.whole(value)
        if made.op is not arrays.VIEW:
            raise sections.Unopened
        return places.view(made, self._part(made.operands[0], places))

    def _overlaps(
        self, loop: Instr, product: _Product, inside: AbstractSet[Value]
    ) -> list[tuple[Value, Value]] | None:
        """Return the pairs of arrays that must lie apart; None where a factor may be written."""
        found: list[tuple[Value, Value]] = []
        for written in self._effects.footprint(loop).writes:
            for factor in (product.factor.array, product.matrix.array):
                if not self._effects.may_alias(written, factor):
                    continue
                base = self._base(written)
                if base in inside or base is factor or not isinstance(base.type, TensorType):
                    return None
                found.append((factor, base))
        return found

    def _base(self, array: Value) -> Value:
        while (made := self._definitions.get(array)) is not None and made.op is arrays.VIEW:
            array = made.operands[0]
        return array


def _may_end_early(loop: Instr) -> bool:
    """Whether an iteration may leave the loop, so that the rest of a batch would be for nothing."""
    labels = {i.label for i in walk(loop.blocks[0]) if i.label}
    targets = [i.target for i in walk(loop.blocks[0]) if i.target]
    return any(t.label not in labels and not (t.label is loop.label and t.next) for t in targets)


def _count(part: sections.Part, axis: int) -> Affine:
    count = part.places[axis].count
    assert count is not None
    return count


def _is_small(matrix: sections.Part) -> bool:
    counts = [_count(matrix, axis) for axis in matrix.along]
    known = [count.constant for count in counts if count.is_constant]
    return len(known) == 2 and known[0] * known[1] <= _INLINE


def _inner_dim(product: Instr) -> Dim:
    """Return the dim of the axis that is summed up, if it is one for both factors."""
    lhs, rhs = (v.type for v in product.operands)
    assert isinstance(lhs, TensorType)
    assert isinstance(rhs, TensorType)
    return lhs.dims[-1] if lhs.dims[-1].same(rhs.dims[0]) else UNKNOWN


class _Emitter:
    """Emits a loop in batches, behind a guard where one is needed."""

    def __init__(self, code: Code, loop: Instr, plan: _Plan) -> None:
        self._code = code
        self._builder = code.builder
        self._loop = loop
        self._plan = plan
        self._variable = loop.blocks[0].params[0]

    def emit(self) -> None:
        """Emit both versions of the loop."""
        code, loop = self._code, self._loop
        for size in self._plan.places.sizes:
            self._builder.append(size)
        conditions = self._conditions()
        if not conditions:
            self._batches(loop.results)
            return
        guard = code.both(conditions)
        slow = copied(loop)  # before the iterations get other definitions

        def batches() -> Sequence[Value]:
            results = tuple(Value(r.type) for r in loop.results)
            self._batches(results)
            return results

        self._code.choose(
            guard, batches, lambda: self._builder.append(slow).results, "batches", loop.results
        )

    def _conditions(self) -> list[Value]:
        code, forms = self._code, [*self._plan.places.conditions]
        ends = self._plan.places.forms.variables[self._variable]
        forms_used = [*forms, ends.low, ends.high]
        for product in self._plan.products:
            for place in (*product.factor.places, *product.matrix.places):
                forms_used += [f for f in (place.first, place.count) if f is not None]
        sizes = {size.result for size in self._plan.places.sizes}
        values = dict.fromkeys(v for form in forms_used for v, _ in form.terms)
        conditions: list[Value] = []
        for value in values:
            if value not in sizes and value is not self._variable:
                conditions += small_enough(code, value)
        zero = code.number(0)
        conditions += [code.test(e.GE, emit_form(code, form), zero) for form in forms]
        for pair in self._plan.pairs:
            conditions.append(code.op(e.NOT, code.op(low.MAY_OVERLAP, *pair)))
        return conditions

    def _batches(self, results: tuple[Value, ...]) -> None:
        """Emit the loop over batches."""
        code, loop, builder = self._code, self._loop, self._builder
        start, stop, one, *carried = loop.operands
        first, end = code.to_i64(start), code.to_i64(stop)
        size = self._size()
        iterations = code.iterations(first, end)
        up = code.op(e.ADD, iterations, code.op(e.SUB, size, code.number(1)))
        count = code.to_int(code.op(e.FLOORDIV, up, size))
        zero = builder.emit(data.CONST, loc=loop.loc, value=0)
        number, label = Value(INT, "batch"), Label("batches")
        # The first ones may be of narrower types.
        types = [v.type for v in loop.blocks[0].params[1:]]
        states = [Value(t) for t in types]
        builder.open(number, *states)
        at = code.op(e.ADD, first, code.op(e.MUL, code.to_i64(number), size))
        behind = code.op(e.MINIMUM, code.op(e.ADD, at, size), end)
        batches = [self._product(p, at, behind) for p in self._plan.products]
        inner = tuple([Value(t) for t in types])
        operands = (code.to_int(at), code.to_int(behind), one, *states)
        block = self._round(batches, at)
        builder.append(replace(loop, operands=operands, results=inner, blocks=(block,)))
        builder.exit(label, *inner, next=True, loc=loop.loc)
        block, operands = builder.close(), (zero, count, one, *carried)
        builder.append(Instr(control.FOR, operands, {}, results, loop.loc, (block,), label))

    def _size(self) -> Value:
        """Emit how many iterations a batch has: fewer where their results are large."""
        code = self._code
        size = code.number(_MOST_ROUNDS)
        fewest = _FEWEST_ROUNDS
        for product in self._plan.products:
            most = self._most(_count(product.matrix, product.outer))
            if product.rows is not None:
                fewest, rows = 1, self._most(product.rows)
                size = code.op(e.MINIMUM, size, self._fits(_MOST_ROUNDS, rows))
                most = code.op(e.MUL, most, rows)
            size = code.op(e.MINIMUM, size, self._fits(_MOST_ELEMENTS, most))
        return code.op(e.MAXIMUM, size, code.number(fewest))

    def _most(self, count: Affine) -> Value:
        ends = self._plan.places.forms.range(count)
        return self._code.op(e.MAXIMUM, emit_form(self._code, ends.high), self._code.number(1))

    def _fits(self, room: int, size: Value) -> Value:
        return self._code.op(e.FLOORDIV, self._code.number(room), size)

    def _product(self, product: _Product, at: Value, behind: Value) -> _Batch:
        """Emit the product for the iterations from `at` to before `behind`."""
        code = self._code.at(product.instr.loc)
        last = code.op(e.SUB, behind, code.number(1))
        iterations = code.op(e.SUB, behind, at)
        first = self._at(code, product.factor.places[product.axis].first, at)
        dims = {product.factor.along[-1]: (dim := _inner_dim(product.instr))}
        vectors = self._view(code, product.factor, dims, {product.axis: (first, iterations)})
        if product.rows is not None:
            vectors = _as_matrix(code, vectors)
        elif product.axis > product.factor.along[0]:
            vectors = _transposed(code, vectors)
        begin = product.matrix.places[product.outer].first
        low_end = self._least(code, begin, at, last)
        behind_all = begin.plus(_count(product.matrix, product.outer))
        high_end = self._least(code, behind_all, last, at)
        taken = low_end, code.op(e.SUB, high_end, low_end)
        matrix = self._view(code, product.matrix, {product.inner: dim}, {product.outer: taken})
        if product.outer < product.inner:
            matrix = _transposed(code, matrix)
        array = code.builder.emit(arrays.MATMUL, vectors, matrix, loc=code.loc)
        return _Batch(product, array, low_end)

    def _at(self, code: Code, form: Affine, place: Value) -> Value:
        return emit_form(
            code, dependence.replaced(form, {self._variable: Affine(0, ((place, 1),))})
        )

    def _least(self, code: Code, form: Affine, at: Value, last: Value) -> Value:
        """Emit the least value of a form between two iterations; swapped, the greatest."""
        rises = dict(form.terms).get(self._variable, 0) >= 0
        return self._at(code, form, at if rises else last)

    def _view(
        self,
        code: Code,
        part: sections.Part,
        known: Mapping[int, Dim],
        taken: Mapping[int, tuple[Value, Value]],
    ) -> Value:
        """Emit a part with one axis more, or taken elsewhere, of which some dims are known."""
        assert isinstance(part.array.type, TensorType)
        letters = ""
        dims: list[Dim] = []
        numbers: list[Value] = []
        for axis, place in enumerate(part.places):
            if axis not in taken and place.count is None:
                letters += "i"
                numbers.append(emit_form(code, place.first))
                continue
            letters += "s"
            dims.append(known.get(axis, UNKNOWN))
            numbers += taken.get(axis) or (
                emit_form(code, place.first),
                emit_form(code, _count(part, axis)),
            )
            numbers.append(code.number(place.step))
        type_ = TensorType(part.array.type.dtype, tuple(dims))
        return code.subview(part.array, letters, numbers, type_)

    def _round(self, batches: Sequence[_Batch], at: Value) -> Block:
        """Return the body of an iteration, which takes its part of each product of a batch."""
        code, block = self._code, self._loop.blocks[0]
        products = {batch.product.instr: batch for batch in batches}
        uses = Counter(v for i in walk(block) for v in i.operands)
        unused = self._unused(block, products, uses)
        self._builder.open(*block.params)
        for instr in block.body:
            batch = products.get(instr)
            if batch is not None:
                self._take(code.at(instr.loc), batch, at)
            elif instr not in unused:
                self._builder.append(instr)
        return self._builder.close()

    def _unused(
        self, block: Block, products: Mapping[Instr, _Batch], uses: Counter[Value]
    ) -> set[Instr]:
        """Return the views that nothing but the products asked for."""
        unused: set[Instr] = set()
        for instr in reversed(block.body):
            is_view = instr.op in (arrays.VIEW, arrays.TRANSPOSE) and not uses[instr.result]
            if instr in products or is_view:
                uses.subtract(instr.operands)
            if is_view:
                unused.add(instr)
        return unused

    def _take(self, code: Code, batch: _Batch, at: Value) -> None:
        (result,) = batch.product.instr.results
        assert isinstance(result.type, TensorType)
        matrix, outer = batch.product.matrix, batch.product.outer
        row = code.op(e.SUB, code.to_i64(self._variable), at)
        rows = batch.product.rows
        numbers = [row]
        if rows is not None:
            count = emit_form(code, rows)
            numbers = [code.op(e.MUL, row, count), count, code.number(1)]
        begin = emit_form(code, matrix.places[outer].first)
        numbers += [code.op(e.SUB, begin, batch.low), emit_form(code, _count(matrix, outer))]
        numbers.append(code.number(1))
        attrs = {"axes": "is" if rows is None else "ss", "type": result.type}
        operands = (batch.array, *numbers)
        code.builder.append(Instr(low.SUBVIEW, operands, attrs, (result,), code.loc))


def _transposed(code: Code, array: Value) -> Value:
    return code.builder.emit(arrays.TRANSPOSE, array, loc=code.loc, order=(1, 0))


def _as_matrix(code: Code, array: Value) -> Value:
    """Emit an array of three axes as one of two: copied where strides cannot say so."""
    first, second, third = (code.size(array, axis) for axis in range(3))
    sizes = code.to_int(code.op(e.MUL, first, second)), code.to_int(third)
    dims: Attr = (None, None)
    return code.builder.emit(RESHAPE, array, *sizes, loc=code.loc, dims=dims, dense=False)
