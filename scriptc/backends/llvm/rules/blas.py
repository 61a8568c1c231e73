"""LLVM code for products of matrices and vectors: calls of parts of the support code."""

from collections.abc import Mapping, Sequence

from scriptc.backends.llvm.emitter.addresses import parts
from scriptc.backends.llvm.emitter.function import Emitter, Rule
from scriptc.backends.llvm.emitter.polling import count_iterations
from scriptc.backends.llvm.loading.machine_code import PART_PREFIX
from scriptc.backends.llvm.support.products import matrix_matrix
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.ops import products
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import DType, TensorType

# As many multiplications, a power of two, as take the time of an iteration that calls a function.
_ROUND_SHIFT = 10


def _both_matrices(e: Emitter, lhs: Value, rhs: Value) -> tuple[list[str], list[str]]:
    """Return sizes and strides of both, as arguments; the second has no inner size."""
    first, second = _described(e, lhs), _described(e, rhs)
    return first, second[1:]


def _matrix_room(e: Emitter, instr: Instr) -> None:
    lhs, rhs = instr.operands
    first, second = _both_matrices(e, lhs, rhs)
    symbol = f"@{PART_PREFIX}space_{matrix_matrix.PART}{_part(lhs, ())[0]}"
    e.declare(f"declare i64 {symbol}({', '.join(['i64'] * 7)})")
    e.bind(instr, e.let(f"call i64 {symbol}({', '.join((*first, *second))})"))


def _gemm(e: Emitter, instr: Instr) -> None:
    out, room, lhs, rhs = instr.operands
    first, second = _both_matrices(e, lhs, rhs)
    (rows, columns), inner = parts(e, out).sizes, parts(e, lhs).sizes[1]
    products = e.let(f"mul i64 {e.let(f'mul i64 {rows}, {columns}')}, {inner}")
    count_iterations(e, e.let(f"lshr i64 {products}, {_ROUND_SHIFT}"))
    arguments = [
        *(f"ptr {parts(e, array).data}" for array in (out, room, lhs)),
        *first,
        f"ptr {parts(e, rhs).data}",
        *second,
    ]
    _call(e, instr, f"product_{matrix_matrix.PART}{_part(out, ())[0]}", arguments)


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
    products.MATRIX_ROOM: _matrix_room,
    products.GEMM: _gemm,
    products.PRODUCT_ROOM: _product_room,
    products.MATVEC: _matvec,
    products.BOTH_PRODUCTS: _both_products,
}
