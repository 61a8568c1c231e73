"""Kernels of products of matrices: a block computes a tile of the result from tiles of its factors.

    for each tile of 64 rows and 64 columns         a thread has 16 elements of it in registers
      for each 16 of the inner axis
        the block puts both factors' parts into shared memory
        each element is added 16 products, in their order

An element is the sum of its products in the order of the inner axis, from the first to the last,
each added by one rounding where numbers are floats.  So its bits depend on nothing else, and its
error is at most n * eps of the sum of the products' sizes.

A factor is whatever the loop computes of one index of the result and the inner one: an array in any
layout, or an expression of arrays.  What is done with a sum before it is stored is done here, too.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager

from scriptc.analysis.definitions import definitions_of
from scriptc.backends.cuda.accesses import accesses_of, slice_of
from scriptc.backends.cuda.emit import Emitter
from scriptc.backends.cuda.schedule import Nest, Schedule, Spread, round_of
from scriptc.kernels.device.plan import TILE
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops import low
from scriptc_runtime.record import record
from scriptc_runtime.types import DType

_DEPTH = 16  # of the inner axis, in shared memory at once
_PITCH = TILE + 4  # so that the rows of a tile start in different banks
_SIDE = 16  # threads along each axis of a tile
_EACH = TILE // _SIDE  # elements of a thread along each axis
_NUMBERS = (
    *(DType.F32, DType.F64, DType.I8, DType.I16, DType.I32, DType.I64),
    *(DType.U8, DType.U16, DType.U32, DType.U64),
)


@record(eq=False)
class Product:
    """A product of matrices: the reduction, its `body`, and what of its factors depends on what."""

    reduction: Instr
    body: tuple[Instr, ...]
    before: tuple[Instr, ...]
    after: tuple[Instr, ...]
    factors: tuple[Value, Value]  # the first of rows, the second of columns


def product_of(schedule: Schedule) -> Product | None:
    """Return the product of matrices that a kernel is; None where it is none."""
    nest, sums = schedule.nest, [i for i in schedule.nest.body if i.op is low.REDUCE]
    if schedule.spread is not Spread.ROWS or schedule.buffers or len(nest.indices) < 2:
        return None
    if len(sums) != 1 or any(i.blocks for i in nest.body if i is not sums[0]):
        return None
    (total,) = sums
    body, value = round_of(schedule.function, total)
    made = definitions_of(schedule.function).get(value) if value is not None else None
    if total.attrs["kind"] != "sum" or any(i.blocks or i.op is low.STORE for i in body):
        return None
    if made is None or made.op is not e.MUL or made not in body or value is None:
        return None
    if total.result.type not in _NUMBERS or value.type is not total.result.type:
        return None
    at = nest.body.index(total)
    before, after = nest.body[:at], nest.body[at + 1 :]
    if any(i.op is low.STORE for i in before):
        return None
    rows, columns = nest.indices[-2:]
    pairs = (made.operands, made.operands[::-1])
    every = (*before, *body)
    for first, second in pairs:
        if not _depends(every, first, columns) and not _depends(every, second, rows):
            return Product(total, body, before, after, (first, second))
    return None


def _depends(body: Sequence[Instr], value: Value, index: Value) -> bool:
    used = {value, *(v for i in slice_of(body, [value]) for v in i.operands)}
    return index in used


class TilesEmitter(Emitter):
    """Writes a kernel of the plan "tile"."""

    def _rows(self, nest: Nest) -> None:
        product = product_of(self._schedule)
        assert product is not None  # the plan says so
        self._product = product
        types = [self._c_type(v.type, product.reduction.loc) for v in product.factors]
        for name, type_ in zip("ab", types, strict=True):
            self._line(f"__shared__ {type_} tile_{name}[{_DEPTH * _PITCH}];")
        *batch, rows, columns = (self._name(count) for count in nest.counts)
        self._line(f"const long long rows = {rows}, columns = {columns};")
        self._line(f"const long long depth = {self._name(product.reduction.operands[0])};")
        self._line(f"const long long down = (rows + {TILE - 1}) / {TILE};")
        self._line(f"const long long across = (columns + {TILE - 1}) / {TILE};")
        self._line(f"const long long tiles = {' * '.join((*batch, 'down', 'across'))};")
        head = "for (long long tile = blockIdx.x; tile < tiles; tile += gridDim.x)"
        with self._braces(head, self._function.loc):
            self._line("const ScPlace at_column = sc_place(tile, across);")
            self._line("const ScPlace at_row = sc_place(at_column.whole, down);")
            self._line(f"const long long top = at_row.rest * {TILE};")
            self._line(f"const long long left = at_column.rest * {TILE};")
            self._batch(nest)
            self._tile(nest)

    def _batch(self, nest: Nest) -> None:
        counts = [self._name(count) for count in nest.counts[:-2]]
        for axis, index in enumerate(nest.indices[:-2]):
            inner = "".join(f" / {count}" for count in reversed(counts[axis + 1 :]))
            outer = f" % {counts[axis]}" if axis else ""
            self._line(f"const long long {self._name(index)} = at_row.whole{inner}{outer};")

    def _tile(self, nest: Nest) -> None:
        total = self._c_type(self._product.reduction.result.type, self._product.reduction.loc)
        self._line(f"{total} total[{_EACH}][{_EACH}];", self._product.reduction.loc)
        with self._over_own():
            self._line("total[u][v] = 0;")
        with self._braces(f"for (long long deep = 0; deep < depth; deep += {_DEPTH})"):
            rows, columns = nest.indices[-2:]
            self._fill("a", self._product.factors[0], rows, "top", "rows")
            self._fill("b", self._product.factors[1], columns, "left", "columns")
            self._line("__syncthreads();")
            self._add()
            self._line("__syncthreads();")
        with self._over_own():
            self._line(f"const long long row = top + threadIdx.x / {_SIDE} + u * {_SIDE};")
            self._line(f"const long long column = left + threadIdx.x % {_SIDE} + v * {_SIDE};")
            with self._braces("if (row < rows && column < columns)"):
                self._finish(nest)

    def _over_own(self) -> AbstractContextManager[None]:
        """Open the loops over a thread's own elements."""
        self._line("#pragma unroll")
        self._line(f"for (int u = 0; u < {_EACH}; ++u)")
        self._line("#pragma unroll")
        return self._braces(f"for (int v = 0; v < {_EACH}; ++v)")

    def _fill(self, name: str, factor: Value, index: Value, first: str, count: str) -> None:
        """Emit what puts a part of a factor into shared memory, with zeros behind its ends."""
        inner = self._product.reduction.blocks[0].params[0]
        self._line("#pragma unroll 2")  # as many as registers hold, on sm_90 too
        with self._braces(f"for (int e = threadIdx.x; e < {TILE * _DEPTH}; e += {_SIDE * _SIDE})"):
            along = self._along(factor, inner, index)
            self._line(f"const bool along = {along};")
            self._line(f"const int k = along ? e % {_DEPTH} : e / {TILE};")
            self._line(f"const int r = along ? e / {_DEPTH} : e % {TILE};")
            self._line(f"{self._c_type(factor.type, self._product.reduction.loc)} found = 0;")
            with self._braces(f"if ({first} + r < {count} && deep + k < depth)"):
                self._line(f"const long long {self._name(index)} = {first} + r;")
                self._line(f"const long long {self._name(inner)} = deep + k;")
                self._scalars(slice_of((*self._product.before, *self._product.body), [factor]))
                self._line(f"found = {self._name(factor)};")
            self._line(f"SC_ST(tile_{name}, k * {_PITCH} + r, found);")

    def _along(self, factor: Value, inner: Value, index: Value) -> str:
        """Return the test whether neighbours of the inner axis are nearer in memory."""
        every = slice_of((*self._product.before, *self._product.body), [factor])
        loads = [i for i in every if i.op is low.LOAD]
        for access in accesses_of(self._schedule):
            if access.instr not in loads:
                continue
            strides = self._array(access.array).strides
            axes = range(len(access.forms))
            steps = [[a for a in axes if access.moves(a, i)] for i in (inner, index)]
            if all(len(moved) == 1 for moved in steps):
                return " <= ".join(f"sc_abs({strides(moved[0])})" for moved in steps)
        return "true"

    def _add(self) -> None:
        """Emit the products of what is in shared memory, added in the order of the inner axis."""
        first, second = self._product.factors
        self._line("#pragma unroll")
        with self._braces(f"for (int k = 0; k < {_DEPTH}; ++k)"):
            for name, value, place in (
                ("a", first, f"threadIdx.x / {_SIDE}"),
                ("b", second, f"threadIdx.x % {_SIDE}"),
            ):
                type_ = self._c_type(value.type, self._product.reduction.loc)
                self._line(f"{type_} {name}[{_EACH}];")
                self._line("#pragma unroll")
                at = f"k * {_PITCH} + {place} + u * {_SIDE}"
                head = f"for (int u = 0; u < {_EACH}; ++u)"
                self._line(f"{head} {name}[u] = SC_LD(tile_{name}, {at});")
            with self._over_own():
                self._line("total[u][v] = sc_add_product(total[u][v], a[u], b[v]);")

    def _finish(self, nest: Nest) -> None:
        rows, columns = nest.indices[-2:]
        self._line(f"const long long {self._name(rows)} = row;")
        self._line(f"const long long {self._name(columns)} = column;")
        self._scalars(self._product.before)
        self._define(self._product.reduction.result, "total[u][v]", self._product.reduction.loc)
        self._scalars(self._product.after)
