"""Products of complex arrays.

    a @ x        the sum of a.real * x.real - a.imag * x.imag, and that of the other two, in a nest

Those of two matrices are loops in place where they are small, and those of parts elsewhere. A small
product adds up each element in registers, part by part.  It is no nest: a matrix of three rows is
not worth what comes before and after one, and less so a call.  A large one is made of four products
of parts, which routines compute.
"""

from collections.abc import Sequence

from scriptc.kernels.builder import I64, Code
from scriptc.kernels.fusion import products, schedule
from scriptc.kernels.fusion.nodes import Axes, Fold, Map, Node, Scalar, Source
from scriptc_runtime.ir import Label, Value
from scriptc_runtime.ops import control, data, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import INT, DType, TensorType, part_of

# Multiplications below which calls of routines cost more than they gain.
SMALL = 1000


def complex_sums(code: Code, product: Fold) -> Node:
    """Return the sum of the complex products of two nodes, as its parts put together."""
    factors = product.arg
    assert isinstance(factors, Map)
    part = part_of(product.dtype)
    assert isinstance(part, DType)
    real, imag, other_real, other_imag = (
        _part(code, node, number, part) for node in factors.args for number in (0, 1)
    )

    def total(op: OpDef, *pairs: tuple[Node, Node]) -> Fold:
        terms = tuple(Map(e.MUL, {}, p, part, factors.axes, product.loc) for p in pairs)
        arg = Map(op, {}, terms, part, factors.axes, product.loc)
        return replace(product, arg=arg, dtype=part)

    totals = (
        total(e.SUB, (real, other_real), (imag, other_imag)),
        total(e.ADD, (real, other_imag), (imag, other_real)),
    )
    if product.axes:
        return Map(e.COMPLEX_OF, {}, totals, product.dtype, product.axes, product.loc)
    return Scalar(code.op(e.COMPLEX_OF, *schedule.materialise(code, totals)), product.dtype)


def _part(code: Code, node: Node, number: int, dtype: DType) -> Node:
    """Return the real parts of a node, or with number 1 the imaginary ones."""
    match node:
        case Map(op=e.COMPLEX_OF, args=parts):  # as those of conjugates
            return parts[number]
        case Map(op=None, args=(arg,)):
            return replace(node, args=(_part(code, arg, number, dtype),), dtype=dtype)
        case _:
            return Map((e.REAL, e.IMAG)[number], {}, (node,), dtype, node.axes, code.loc)


def complex_product(code: Code, lhs: Value, rhs: Value, spaces: tuple[Axes, Axes]) -> Source:
    """Emit the product of matrices whose inner sizes agree, and return the new array."""
    (rows, inner), (_, columns) = spaces
    assert isinstance(lhs.type, TensorType)
    dtype = lhs.type.dtype
    axes = (rows, columns)
    out = code.new_array(_type(dtype, axes), [rows.size, columns.size])
    part = part_of(dtype)
    assert isinstance(part, DType)
    product = _Product(
        code, (Source(lhs, spaces[0]), Source(rhs, spaces[1])), Source(out, axes), part
    )
    count = code.op(e.MUL, code.op(e.MUL, rows.size, columns.size), inner.size)
    large = code.test(e.GE, count, code.number(SMALL))
    code.choose(large, product.by_parts, product.by_loops)
    return product.out


def _type(dtype: DType, axes: Axes) -> TensorType:
    return TensorType(dtype, tuple(axis.dim for axis in axes))


@record(eq=False)
class _Product:
    """A product to write to `out`; `part` is the type of the parts."""

    code: Code
    operands: tuple[Source, Source]
    out: Source
    part: DType

    def by_parts(self) -> Sequence[Value]:
        """Emit four products of parts, and what puts them together."""
        code, axes = self.code, self.out.axes
        real, imag, other_real, other_imag = (
            schedule.materialise(code, [self._map(op, operand.axes, operand)])[0]
            for operand in self.operands
            for op in (e.REAL, e.IMAG)
        )
        sizes = [axis.size for axis in axes]
        made = [code.new_array(_type(self.part, axes), sizes) for _ in range(4)]
        pairs = ((real, other_real), (imag, other_imag), (real, other_imag), (imag, other_real))

        for out, pair in zip(made, pairs, strict=True):
            products.product_into(code, out, *pair)
        found = [Source(array, axes) for array in made]
        whole = self._map(e.SUB, axes, *found[:2])
        rest = self._map(e.ADD, axes, *found[2:])
        joined = Map(e.COMPLEX_OF, {}, (whole, rest), self.out.dtype, axes, code.loc)
        schedule.materialise(code, [joined], {joined: self.out.array})
        return ()

    def _map(self, op: OpDef, axes: Axes, *args: Node) -> Map:
        return Map(op, {}, args, self.part, axes, self.code.loc)

    def by_loops(self) -> Sequence[Value]:
        """Emit a loop over the elements."""
        code, (rows, columns) = self.code, self.out.axes

        def element(i: Value, j: Value) -> None:
            value = self._element(i, j)
            code.builder.effect(low.STORE, self.out.array, value, i, j, loc=code.loc)

        def row(i: Value) -> None:
            code.loop(columns.size, lambda j: element(i, j), parallel=False)

        code.loop(rows.size, row, parallel=False)
        return ()

    def _element(self, i: Value, j: Value) -> Value:
        """Emit the sum of the products along a row of one matrix and a column of the other."""
        code, builder = self.code, self.code.builder
        lhs, rhs = self.operands
        index, label = Value(INT, "k"), Label("product")
        real, imag = Value(self.part, "real"), Value(self.part, "imag")
        builder.open(index, real, imag)
        k = code.cast(index, I64)
        factors = code.op(low.LOAD, lhs.array, i, k), code.op(low.LOAD, rhs.array, k, j)
        product = code.op(e.MUL, *factors)
        sums = (
            code.op(e.ADD, real, code.op(e.REAL, product)),
            code.op(e.ADD, imag, code.op(e.IMAG, product)),
        )
        builder.exit(label, *sums, next=True, loc=code.loc)
        block = builder.close()
        start, step = (builder.emit(data.CONST, loc=code.loc, value=n) for n in (0, 1))
        zero = builder.emit(data.CONST, loc=code.loc, value=0.0, dtype=self.part)
        operands = (start, code.to_int(lhs.axes[1].size), step, zero, zero)
        types = (self.part, self.part)
        found = builder.region(control.FOR, operands, (block,), label, types, code.loc)
        return code.op(e.COMPLEX_OF, *found)
