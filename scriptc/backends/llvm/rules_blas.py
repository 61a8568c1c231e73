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
from scriptc.backends.llvm.rules_control import count_rounds
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.ops import products
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import DType, TensorType

_ROUTINES = {DType.F32: ("cblas_sgemm", "float"), DType.F64: ("cblas_dgemm", "double")}
_ROW_MAJOR, _PLAIN, _TRANSPOSED = 101, 111, 112
_LARGEST_INT32 = 2**31 - 1
# As many multiplications, a power of two, as take the time of a round that calls a function.
_ROUND_SHIFT = 10


def _routine(value: Value) -> tuple[str, str, bool] | None:
    """Return the symbol, the element type and whether integers have 64 bits."""
    assert isinstance(value.type, TensorType)
    name, element = _ROUTINES[value.type.dtype]
    found = symbols.cblas(name)
    return (symbols.blas_symbol(name, wide=found.wide), element, found.wide) if found else None


def _is_matrix(e: Emitter, instr: Instr) -> None:
    result = "true"
    for matrix in instr.operands:
        routine = _routine(matrix)
        if routine is None:
            result = "false"
            break
        result = e.let(f"and i1 {result}, {_fits(e, matrix, wide=routine[2])}")
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
    routine = _routine(out)
    if routine is None:
        # `is_matrix` is never true here, and what it guards is never reached.
        e.write("call void @llvm.trap()")
        e.declare("declare void @llvm.trap()")
        return
    symbol, element, wide = routine
    integer = "i64" if wide else "i32"

    def number(value: str) -> str:
        return f"{integer} {value if wide else e.let(f'trunc i64 {value} to i32')}"

    result = parts(e, out)
    (left_order, left_distance), (right_order, right_distance) = _layout(e, lhs), _layout(e, rhs)
    rows, columns = result.sizes
    inner = parts(e, lhs).sizes[1]
    products = e.let(f"mul i64 {e.let(f'mul i64 {rows}, {columns}')}, {inner}")
    count_rounds(e, e.let(f"lshr i64 {products}, {_ROUND_SHIFT}"))
    arguments = [
        f"i32 {_ROW_MAJOR}",
        f"i32 {left_order}",
        f"i32 {right_order}",
        number(rows),
        number(columns),
        number(inner),
        f"{element} 1.0",
        f"ptr {parts(e, lhs).data}",
        number(left_distance),
        f"ptr {parts(e, rhs).data}",
        number(right_distance),
        f"{element} 0.0",
        f"ptr {result.data}",
        number(_at_least_one(e, columns)),
    ]
    types = ", ".join(argument.split(" ", 1)[0] for argument in arguments)
    e.declare(f"declare void @{symbol}({types})")
    e.write(f"call void @{symbol}({', '.join(arguments)})")


def _layout(e: Emitter, matrix: Value) -> tuple[str, str]:
    """Return how BLAS is to read a matrix, and the distance between its lines."""
    described = parts(e, matrix)
    (_, columns), (down, across) = described.sizes, described.strides
    by_rows = _lines(e, across, down, columns)
    order = e.let(f"select i1 {by_rows}, i32 {_PLAIN}, i32 {_TRANSPOSED}")
    return order, _at_least_one(e, e.let(f"select i1 {by_rows}, i64 {down}, i64 {across}"))


def _at_least_one(e: Emitter, number: str) -> str:
    return e.intrinsic("i64", "@llvm.smax.i64", f"i64 {number}", "i64 1")


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


def _step(e: Emitter, vector: Value) -> str:
    described = parts(e, vector)
    single = e.let(f"icmp sle i64 {described.sizes[0]}, 1")
    return e.let(f"select i1 {single}, i64 1, i64 {described.strides[0]}")


def _product_room(e: Emitter, instr: Instr) -> None:
    matrix, vector = instr.operands
    symbol = f"@{PART_PREFIX}room_{_part(matrix, ())[0]}"
    arguments = [*_described(e, matrix), f"i64 {_step(e, vector)}"]
    e.declare(f"declare i64 {symbol}({', '.join(['i64'] * len(arguments))})")
    e.bind(instr, e.let(f"call i64 {symbol}({', '.join(arguments)})"))


def _matvec(e: Emitter, instr: Instr) -> None:
    out, room, matrix, vector, *scale = instr.operands
    part, element = _part(matrix, scale)
    arguments = [
        *(f"ptr {parts(e, array).data}" for array in (out, room, matrix)),
        *_described(e, matrix),
        f"ptr {parts(e, vector).data}",
        f"i64 {_step(e, vector)}",
        f"{element} {e.one(scale[0]) if scale else '1.0'}",
    ]
    _call(e, instr, f"matvec_{part}", arguments)


def _both_products(e: Emitter, instr: Instr) -> None:
    rows, out, room, matrix, right, left = instr.operands
    part, element = _part(matrix, ())
    arguments = [
        *(f"ptr {parts(e, array).data}" for array in (rows, out, room, matrix)),
        *_described(e, matrix),
    ]
    for vector in (right, left):
        arguments += [f"ptr {parts(e, vector).data}", f"i64 {_step(e, vector)}"]
    _call(e, instr, f"both_{part}", [*arguments, f"{element} 1.0"])


def _call(e: Emitter, instr: Instr, name: str, arguments: Sequence[str]) -> None:
    """Call a routine of `matrix_vector`, whose status 2 is Ctrl-C; a kernel shares nothing."""
    symbol = f"@{PART_PREFIX}{name}"
    given = ["ptr %ctx", *arguments, f"i32 {-1 if e.is_kernel else e.state.threads}"]
    types = ", ".join(argument.split(" ", 1)[0] for argument in given)
    e.declare(f"declare i32 {symbol}({types})")
    status = e.let(f"call i32 {symbol}({', '.join(given)})")
    if not e.is_kernel:
        e.check_status(e.let(f"icmp eq i32 {status}, 2"), e.python_failed_block(instr))


RULES: Mapping[OpDef, Rule] = {
    products.IS_MATRIX: _is_matrix,
    products.GEMM: _gemm,
    products.PRODUCT_ROOM: _product_room,
    products.MATVEC: _matvec,
    products.BOTH_PRODUCTS: _both_products,
}
