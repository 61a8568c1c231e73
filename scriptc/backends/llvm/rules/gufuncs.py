"""LLVM code for LAPACK and Fourier transforms: calls of the loops behind NumPy's own functions.

A loop takes the addresses of its arrays, the number of matrices in the stack and the core sizes,
and the strides in bytes: first those from matrix to matrix, then those of each array's core axes.
Those of LAPACK tell of a failure by the flag of an invalid floating-point operation.
"""

import sys
from collections.abc import Mapping, Sequence

from scriptc.backends.llvm.emitter.addresses import parts, product
from scriptc.backends.llvm.emitter.function import Emitter, Rule
from scriptc.backends.llvm.emitter.polling import count_iterations
from scriptc.backends.llvm.loading import numpy_routines
from scriptc.backends.llvm.routines.small import Routine
from scriptc_runtime import gufuncs, refusals
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.ops import linalg
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import DType, TensorType

_LETTERS = {DType.F32: "f", DType.F64: "d", DType.C64: "F", DType.C128: "D"}
_INVALID = 0x10 if sys.platform == "win32" else 1  # FE_INVALID of x86 and ARM
# As many elements of matrices, a power of two, as take the time of an iteration that calls a
# function.
_ROUND_SHIFT = 6


def _gufunc(e: Emitter, instr: Instr) -> None:
    routine = str(instr.attrs["routine"])
    signature = gufuncs.SIGNATURES[routine]
    first = _type(instr.operands[0])
    letter = _LETTERS[first.dtype]
    if numpy_routines.loop_address(routine, letter) is None:
        what = f"{routine} of {first}"
        raise refusals.refusal(e.function, instr.loc, what, why="this NumPy has no such loop")
    if e.is_kernel:
        raise refusals.refusal(e.function, instr.loc, f"{routine} in a loop that threads share")
    symbol = numpy_routines.loop_symbol(routine, letter)
    e.declare(f"declare void @{symbol}(ptr, ptr, ptr, ptr)")
    e.state.routines.add("gufunc")
    addresses = _table(e, "ptr", [parts(e, v).data for v in instr.operands])
    sizes = _sizes(e, instr)
    dimensions = _table(e, "i64", sizes)
    strides = _table(e, "i64", _strides(e, instr))
    elements = product(e, product(e, sizes[0], sizes[1]), sizes[min(2, len(sizes) - 1)])
    count_iterations(e, e.let(f"lshr i64 {elements}, {_ROUND_SHIFT}"))
    arguments = (
        f"ptr @{symbol}, ptr {addresses}, ptr {dimensions}, ptr {strides}, "
        f"ptr {_settings(e, routine, letter)}"
    )
    factor = _factored_in_place(e, instr, sizes)
    if factor:
        e.bind(instr, _chosen(e, factor, f"call i1 @sc.gufunc({arguments})"))
    else:
        e.bind(instr, e.let(f"call i1 @sc.gufunc({arguments})"))
    # There was no memory to work in.
    error = e.intrinsic("ptr", "@PyErr_Occurred")
    e.check_status(e.let(f"icmp ne ptr {error}, null"), e.python_failed_block(instr))
    assert len(signature.operands) == len(instr.operands)


# Which half LAPACK takes for the rows' lower, or upper, one: it sees the transposed matrix.
_FACTORED = {"cholesky_lo": "U", "cholesky_up": "L"}
_LARGE = 128  # rows from which on NumPy's two copies, to columns and back, cost more than a call


def _factored_in_place(e: Emitter, instr: Instr, sizes: Sequence[str]) -> tuple[str, str] | None:
    """Return the test for large matrices, and the call that factors them where they stand."""
    routine, array = str(instr.attrs["routine"]), instr.operands[0]
    dtype = _type(array).dtype
    if routine not in _FACTORED or array is not instr.operands[1] or dtype.kind != "f":
        return None
    name = f"{_LETTERS[dtype].replace('f', 's')}potrf"
    if not numpy_routines.has_lapack(name):
        return None
    symbol = numpy_routines.lapack_symbol(name)
    e.declare(f"declare void @{symbol}(ptr, ptr, ptr, ptr, ptr, i64)")
    routine_name = f"factored_{dtype.value}"
    e.state.routines.add(routine_name)
    described = parts(e, array)
    *outer, step, unit = described.strides
    whole = outer[0] if outer else "0"
    dense = e.let(f"icmp eq i64 {unit}, 1")
    large = e.let(f"icmp sge i64 {sizes[1]}, {_LARGE}")
    half = ord(_FACTORED[routine])
    return e.let(f"and i1 {dense}, {large}"), (
        f"call i1 @sc.{routine_name}(ptr @{symbol}, ptr {described.data}, i64 {sizes[0]}, "
        f"i64 {whole}, i64 {sizes[1]}, i64 {step}, i8 {half})"
    )


def _chosen(e: Emitter, factor: tuple[str, str], otherwise: str) -> str:
    """Return the result of one of two calls."""
    test, call = factor
    joined = e.join(("i1",))
    yes, no = e.label(), e.label()
    e.branch(test, yes, no)
    for label, text in ((yes, call), (no, otherwise)):
        e.start(label)
        e.enter(joined, (e.let(text),))
    (result,) = e.start_join(joined)
    return result


def _settings(e: Emitter, routine: str, letter: str) -> str:
    """Return what NumPy passes to the loop to say which of several functions it is."""
    if not numpy_routines.loop_settings(routine, letter):
        return "null"
    symbol = numpy_routines.settings_symbol(routine, letter)
    e.declare(f"@{symbol} = external global i8")
    return f"@{symbol}"


def _sizes(e: Emitter, instr: Instr) -> list[str]:
    """Return how many matrices there are, and the sizes of the core axes."""
    signature = gufuncs.SIGNATURES[str(instr.attrs["routine"])]
    sizes: dict[str, str] = {}
    for letters, value in zip(signature.operands, instr.operands, strict=True):
        described = parts(e, value).sizes
        core = described[len(described) - len(letters) :]
        for letter, size in zip(letters, core, strict=True):
            sizes.setdefault(letter, size)
    count = parts(e, instr.operands[-1]).sizes[0]
    return [count, *(sizes[letter] for letter in signature.letters)]


def _strides(e: Emitter, instr: Instr) -> list[str]:
    signature = gufuncs.SIGNATURES[str(instr.attrs["routine"])]
    outer: list[str] = []
    inner: list[str] = []
    for letters, value in zip(signature.operands, instr.operands, strict=True):
        width = str(_type(value).dtype.itemsize)
        strides = [product(e, stride, width) for stride in parts(e, value).strides]
        # One matrix goes with all those of the other arrays.
        outer.append("0" if len(strides) == len(letters) else strides[0])
        inner += strides[len(strides) - len(letters) :]
    return [*outer, *inner]


def _table(e: Emitter, type_: str, values: Sequence[str]) -> str:
    """Return the address of an array on the stack that holds the values."""
    table = e.alloca(f"[{len(values)} x {type_}]")
    for place, value in enumerate(values):
        at = e.let(f"getelementptr {type_}, ptr {table}, i64 {place}")
        e.write(f"store {type_} {value}, ptr {at}")
    return table


def _type(value: Value) -> TensorType:
    assert isinstance(value.type, TensorType)
    return value.type


def _factored(type_: str, width: int) -> Routine:
    """Return the loop over matrices that LAPACK factors in place; the other half becomes zero."""
    name = "f64" if type_ == "double" else "f32"
    return Routine(
        f"""\
define internal i1 @sc.factored_{name}(
    ptr %potrf, ptr %data, i64 %count, i64 %outer, i64 %n, i64 %step, i8 %half) noinline {{
entry:
  %half.at = alloca i8
  %n.at = alloca i64
  %step.at = alloca i64
  %info.at = alloca i64
  store i8 %half, ptr %half.at
  store i64 %n, ptr %n.at
  store i64 %step, ptr %step.at
  %of.rows.lower = icmp eq i8 %half, 85
  br label %matrix
matrix:
  %k = phi i64 [ 0, %entry ], [ %k.next, %next ]
  %more = icmp slt i64 %k, %count
  br i1 %more, label %factor, label %done
factor:
  %at = mul i64 %k, %outer
  %here = getelementptr {type_}, ptr %data, i64 %at
  store i64 0, ptr %info.at
  call void %potrf(ptr %half.at, ptr %n.at, ptr %here, ptr %step.at, ptr %info.at, i64 1)
  %info = load i64, ptr %info.at
  %bad = icmp ne i64 %info, 0
  br i1 %bad, label %failed, label %row
row:
  %i = phi i64 [ 0, %factor ], [ %i.next, %row ]
  %row.at = mul i64 %i, %step
  %i.next = add i64 %i, 1
  %behind = add i64 %row.at, %i.next
  %first = select i1 %of.rows.lower, i64 %behind, i64 %row.at
  %left = sub i64 %n, %i.next
  %zeros = select i1 %of.rows.lower, i64 %left, i64 %i
  %zeros.at = getelementptr {type_}, ptr %here, i64 %first
  %bytes = mul i64 %zeros, {width}
  call void @llvm.memset.p0.i64(ptr %zeros.at, i8 0, i64 %bytes, i1 false)
  %last = icmp eq i64 %i.next, %n
  br i1 %last, label %next, label %row
next:
  %k.next = add i64 %k, 1
  br label %matrix
done:
  ret i1 false
failed:
  ret i1 true
}}
""",
        frozenset({"declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)"}),
    )


# A function of its own, so that no floating-point operation gets between the call and the flag.
ROUTINES: Mapping[str, Routine] = {
    "gufunc": Routine(
        f"""\
define internal i1 @sc.gufunc(
    ptr %loop, ptr %arrays, ptr %sizes, ptr %strides, ptr %settings) noinline {{
  %cleared = call i32 @feclearexcept(i32 {_INVALID})
  call void %loop(ptr %arrays, ptr %sizes, ptr %strides, ptr %settings)
  %raised = call i32 @fetestexcept(i32 {_INVALID})
  %failed = icmp ne i32 %raised, 0
  ret i1 %failed
}}
""",
        frozenset({"declare i32 @feclearexcept(i32)", "declare i32 @fetestexcept(i32)"}),
    ),
    "factored_f64": _factored("double", 8),
    "factored_f32": _factored("float", 4),
}

RULES: Mapping[OpDef, Rule] = {linalg.GUFUNC: _gufunc}
