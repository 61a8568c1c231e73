"""LLVM code for products of matrices, by the BLAS that NumPy brings, and of vectors, by our own.

BLAS takes row-major matrices whose rows are contiguous, or their transposes, with the distance
between rows.  `symbols` binds `sc_cblas_*` to NumPy's library; without one no matrix fits, and
the compiler's own nest computes the product.  Products with vectors are calls of `matrix_vector`.
"""

from collections.abc import Mapping, Sequence

from scriptc.backends.llvm import symbols
from scriptc.backends.llvm.addresses import parts
from scriptc.backends.llvm.emit_function import Emitter, Rule
from scriptc.backends.llvm.load import PART_PREFIX
from scriptc.backends.llvm.matrix_matrix import PART
from scriptc.backends.llvm.rules_control import count_rounds
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.ops import products
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import DType, TensorType

_ROUTINES = {DType.F32: "cblas_sgemm", DType.F64: "cblas_dgemm"}
_LARGEST_INT32 = 2**31 - 1
# As many multiplications, a power of two, as take the time of a round that calls a function.
_ROUND_SHIFT = 10
# A product of so many rows and a matrix of so many elements is bound by memory.
_FEW_ROWS, _LARGE = 16, 2**17


def _routine(value: Value) -> symbols.LinearAlgebraRoutine | None:
    assert isinstance(value.type, TensorType)
    name = _ROUTINES.get(value.type.dtype)
    return symbols.cblas(name) if name else None


def _few_rows(e: Emitter, instr: Instr) -> None:
    """Whether a product reads the right matrix for few rows, and that matrix is large."""
    lhs, rhs = instr.operands
    rows = parts(e, lhs).sizes[0]
    lhs_strides, rhs_strides = parts(e, lhs).strides, parts(e, rhs).strides
    inner, columns = parts(e, rhs).sizes
    few = e.let(f"icmp sle i64 {rows}, {_FEW_ROWS}")
    some = e.let(f"icmp sge i64 {rows}, 1")
    large = e.let(f"icmp sge i64 {e.let(f'mul i64 {inner}, {columns}')}, {_LARGE}")
    dense = e.let(f"icmp eq i64 {lhs_strides[1]}, 1")
    by_rows = e.let(f"icmp eq i64 {rhs_strides[1]}, 1")
    by_columns = e.let(f"icmp eq i64 {rhs_strides[0]}, 1")
    either = e.let(f"or i1 {by_rows}, {by_columns}")
    result = few
    for condition in (some, large, dense, either):
        result = e.let(f"and i1 {result}, {condition}")
    e.bind(instr, result)


def _is_matrix(e: Emitter, instr: Instr) -> None:
    result = "true"
    for matrix in instr.operands:
        routine = _routine(matrix)
        if routine is None:
            result = "false"
            break
        result = e.let(f"and i1 {result}, {_fits(e, matrix, wide=routine.wide)}")
    e.bind(instr, result)


def _fits(e: Emitter, matrix: Value, *, wide: bool) -> str:
    described = parts(e, matrix)
    (rows, columns), (down, across) = described.sizes, described.strides
    by_rows = _lines(e, across, down, columns)
    by_columns = _lines(e, down, across, rows)
    fits = e.let(f"or i1 {by_rows}, {by_columns}")
    if wide:
        return fits
    for number in (rows, columns, down, across):
        small = e.let(f"icmp sle i64 {number}, {_LARGEST_INT32}")
        fits = e.let(f"and i1 {fits}, {small}")
    return fits


def _lines(e: Emitter, step: str, distance: str, length: str) -> str:
    """Return whether lines of `length` elements are contiguous and do not overlap."""
    dense = e.let(f"icmp eq i64 {step}, 1")
    apart = e.let(f"icmp sge i64 {distance}, {length}")
    return e.let(f"and i1 {dense}, {apart}")


def _gemm(e: Emitter, instr: Instr) -> None:
    out, lhs, rhs = instr.operands
    if _routine(out) is None:
        # `is_matrix` is never true here, and what it guards is never reached.
        e.write("call void @llvm.trap()")
        e.declare("declare void @llvm.trap()")
        return
    arguments = [
        f"ptr {parts(e, out).data}",
        f"ptr {parts(e, lhs).data}",
        *(f"i64 {number}" for number in (*parts(e, lhs).sizes, *parts(e, lhs).strides)),
        f"ptr {parts(e, rhs).data}",
        f"i64 {parts(e, rhs).sizes[1]}",
        *(f"i64 {number}" for number in parts(e, rhs).strides),
    ]
    (rows, columns), inner = parts(e, out).sizes, parts(e, lhs).sizes[1]
    products = e.let(f"mul i64 {e.let(f'mul i64 {rows}, {columns}')}, {inner}")
    count_rounds(e, e.let(f"lshr i64 {products}, {_ROUND_SHIFT}"))
    symbol = f"@{PART_PREFIX}product_{PART}{_part(out, ())[0]}"
    types = ", ".join(argument.split(" ", 1)[0] for argument in arguments)
    e.declare(f"declare void {symbol}({types})")
    e.write(f"call void {symbol}({', '.join(arguments)})")


def _part(matrix: Value, scale: Sequence[Value]) -> tuple[str, str]:
    """Return which object has the routines for a matrix, and the LLVM type of an element."""
    assert isinstance(matrix.type, TensorType)
    name = "double" if matrix.type.dtype is DType.F64 else "float"
    return f"{matrix.type.dtype.value}{'_scaled' if scale else ''}", name


def _described(e: Emitter, matrix: Value) -> list[str]:
    """Return sizes and strides of a matrix as arguments; columns that are one lie together."""
    rows, columns = parts(e, matrix).sizes
    down, across = parts(e, matrix).strides
    single = e.let(f"icmp sle i64 {columns}, 1")
    across = e.let(f"select i1 {single}, i64 1, i64 {across}")
    return [f"i64 {number}" for number in (rows, columns, down, across)]


def _vectors(e: Emitter, array: Value) -> tuple[str, str, str]:
    """Return the step of a vector, the number of vectors and how far apart they lie."""
    described = parts(e, array)
    *counts, length = described.sizes
    *distances, step = described.strides
    single = e.let(f"icmp sle i64 {length}, 1")
    step = e.let(f"select i1 {single}, i64 1, i64 {step}")
    return f"i64 {step}", f"i64 {[*counts, '1'][0]}", f"i64 {[*distances, '0'][0]}"


def _product_room(e: Emitter, instr: Instr) -> None:
    matrix, vector = instr.operands
    symbol = f"@{PART_PREFIX}room_{_part(matrix, ())[0]}"
    step, count, _ = _vectors(e, vector)
    arguments = [*_described(e, matrix), step, count]
    e.declare(f"declare i64 {symbol}({', '.join(['i64'] * len(arguments))})")
    e.bind(instr, e.let(f"call i64 {symbol}({', '.join(arguments)})"))


def _matvec(e: Emitter, instr: Instr) -> None:
    out, room, matrix, vector, *scale = instr.operands
    part, element = _part(matrix, scale)
    arguments = [
        *(f"ptr {parts(e, array).data}" for array in (out, room, matrix)),
        *_described(e, matrix),
        f"ptr {parts(e, vector).data}",
        (numbers := _vectors(e, vector))[0],
        f"{element} {e.one(scale[0]) if scale else '1.0'}",
    ]
    _call(e, instr, f"matvec_{part}", arguments, numbers[1:])


def _both_products(e: Emitter, instr: Instr) -> None:
    rows, out, room, matrix, right, left = instr.operands
    part, element = _part(matrix, ())
    arguments = [
        *(f"ptr {parts(e, array).data}" for array in (rows, out, room, matrix)),
        *_described(e, matrix),
    ]
    for vector in (right, left):
        arguments += [f"ptr {parts(e, vector).data}", _vectors(e, vector)[0]]
    _call(e, instr, f"both_{part}", [*arguments, f"{element} 1.0"])


def _call(
    e: Emitter, instr: Instr, name: str, arguments: Sequence[str], last: Sequence[str] = ()
) -> None:
    """Call a routine of `matrix_vector`, whose status 2 is Ctrl-C; a kernel shares nothing."""
    symbol = f"@{PART_PREFIX}{name}"
    given = ["ptr %ctx", *arguments, f"i32 {-1 if e.is_kernel else e.state.threads}", *last]
    types = ", ".join(argument.split(" ", 1)[0] for argument in given)
    e.declare(f"declare i32 {symbol}({types})")
    status = e.let(f"call i32 {symbol}({', '.join(given)})")
    if not e.is_kernel:
        e.check_status(e.let(f"icmp eq i32 {status}, 2"), e.python_failed_block(instr))


RULES: Mapping[OpDef, Rule] = {
    products.IS_MATRIX: _is_matrix,
    products.FEW_ROWS: _few_rows,
    products.GEMM: _gemm,
    products.PRODUCT_ROOM: _product_room,
    products.MATVEC: _matvec,
    products.BOTH_PRODUCTS: _both_products,
}
