"""Programs in IR text whose kernels the tests of the CUDA backend compile and run."""

from collections.abc import Sequence

from scriptc.backends.cuda.rules import NO_RULE
from scriptc.kernels.fusion.fuse import fuse
from scriptc.kernels.loops.outline import outline
from scriptc.passes.pipeline import CLEAN
from scriptc_runtime.ir import Module
from scriptc_runtime.ops import elementary
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import OpDef, OpTypeError
from scriptc_runtime.ops.signature import result_types
from scriptc_runtime.text.reader import read_module
from scriptc_runtime.types import DType

PROGRAMS = """\
func @softmax(%x: tensor<f32, [B, N]>) -> tensor<f32, [B, N]> file="softmax.py" loc(5:1) {
  %0 = max %x [axis=1, keepdims=true] : tensor<f32, [B, 1]> loc(7:20)
  %1 = sub %x, %0 : tensor<f32, [B, N]> loc(7:16)
  %2 = exp %1 : tensor<f32, [B, N]> loc(7:9)
  %3 = sum %2 [axis=1, keepdims=true] : tensor<f32, [B, 1]> loc(8:16)
  %4 = div %2, %3 : tensor<f32, [B, N]> loc(8:12)
  exit @return %4 loc(8:5)
}

func @chain(%x: tensor<f64, [N, M]>, %y: tensor<f64, [M]>, %s: f64) -> tensor<f64, [N, M]> {
  %0 = mul %x, %y : tensor<f64, [N, M]>
  %1 = add %0, %s : tensor<f64, [N, M]>
  %2 = sqrt %1 : tensor<f64, [N, M]>
  exit @return %2
}

func @stretched(%x: tensor<f32, [N, M]>, %y: tensor<f32, [?, ?]>) -> tensor<f32, [?, ?]> {
  %0 = mul %x, %y : tensor<f32, [?, ?]>
  %1 = add %0, %x : tensor<f32, [?, ?]>
  exit @return %1
}

func @spread(%x: tensor<f64, [N, M]>, %y: tensor<f64, [N, ?]>) -> tensor<f64, [N, ?]> {
  %0 = mul %x, %y : tensor<f64, [N, ?]>
  %1 = sqrt %0 : tensor<f64, [N, ?]>
  %2 = max %1 [axis=1, keepdims=true] : tensor<f64, [N, 1]>
  %3 = sub %1, %2 : tensor<f64, [N, ?]>
  exit @return %3
}

func @row_sums(%x: tensor<f32, [N, M]>) -> tensor<f32, [N]> {
  %0 = sum %x [axis=1, keepdims=false] : tensor<f32, [N]>
  exit @return %0
}

func @column_sums(%x: tensor<i64, [N, M]>) -> tensor<i64, [M]> {
  %0 = sum %x [axis=0, keepdims=false] : tensor<i64, [M]>
  exit @return %0
}

func @extremes(%x: tensor<f64, [A, B, C]>) -> tuple<tensor<f64, [A]>, tensor<f64, [A]>> {
  %0 = max %x [axis=(1, 2), keepdims=false] : tensor<f64, [A]>
  %1 = min %x [axis=(1, 2), keepdims=false] : tensor<f64, [A]>
  %2 = tuple %0, %1 : tuple<tensor<f64, [A]>, tensor<f64, [A]>>
  exit @return %2
}

func @any_all(%x: tensor<b1, [N, M]>) -> tuple<tensor<b1, [N]>, tensor<b1, [N]>> {
  %0 = max %x [axis=1, keepdims=false] : tensor<b1, [N]>
  %1 = min %x [axis=1, keepdims=false] : tensor<b1, [N]>
  %2 = tuple %0, %1 : tuple<tensor<b1, [N]>, tensor<b1, [N]>>
  exit @return %2
}

func @count(%x: tensor<b1, [N, M]>) -> tensor<i64, [N]> {
  %0 = sum %x [axis=1, keepdims=false] : tensor<i64, [N]>
  exit @return %0
}

func @product(%x: tensor<i64, [N, K]>, %y: tensor<i64, [K, M]>) -> tensor<i64, [N, M]> {
  %0 = matmul %x, %y : tensor<i64, [N, M]>
  exit @return %0
}

func @batch(%x: tensor<f64, [A, B, N]>) -> tensor<f64, [A, B, N]> {
  %0 = sum %x [axis=2, keepdims=true] : tensor<f64, [A, B, 1]>
  %1 = div %x, %0 : tensor<f64, [A, B, N]>
  exit @return %1
}

func @choose(%x: tensor<f64, [N]>, %y: tensor<f32, [N]>, %n: tensor<i64, [N]>) \
-> tensor<f64, [N]> {
  %0 = cast %y [to=f64] : tensor<f64, [N]>
  %1 = lt %x, %0 : tensor<b1, [N]>
  %2 = cast %n [to=f64] : tensor<f64, [N]>
  %3 = where %1, %x, %2 : tensor<f64, [N]>
  exit @return %3
}

func @write(%x: tensor<f64, [N]>, %y: tensor<f64, [N]>) -> None {
  %0 = neg %y : tensor<f64, [N]>
  assign %x, %0
  %1 = const [value=none] : None
  exit @return %1
}

func @power(%x: tensor<i64, [N]>, %y: tensor<i64, [N]>) -> tensor<i64, [N]> loc(1:1) {
  %0 = pow %x, %y : tensor<i64, [N]> loc(2:12)
  exit @return %0
}

func @smooth(%x: tensor<f64, [N]>, %y: tensor<f64, [N]>) \
-> tuple<tensor<f64, [N]>, tensor<f64, [N]>, tensor<f64, [N]>> {
  %0 = exp %x : tensor<f64, [N]>
  %1 = log %x : tensor<f64, [N]>
  %2 = pow %x, %y : tensor<f64, [N]>
  %3 = tuple %0, %1, %2 : tuple<tensor<f64, [N]>, tensor<f64, [N]>, tensor<f64, [N]>>
  exit @return %3
}

func @smooth32(%x: tensor<f32, [N]>, %y: tensor<f32, [N]>) \
-> tuple<tensor<f32, [N]>, tensor<f32, [N]>, tensor<f32, [N]>> {
  %0 = exp %x : tensor<f32, [N]>
  %1 = log %x : tensor<f32, [N]>
  %2 = pow %x, %y : tensor<f32, [N]>
  %3 = tuple %0, %1, %2 : tuple<tensor<f32, [N]>, tensor<f32, [N]>, tensor<f32, [N]>>
  exit @return %3
}
"""

DTYPES = tuple(DType)
# The device's own functions, which round differently; `smooth` and `power` have the first ones,
# `functions_f64` and `functions_f32` the others.
ROUNDED = (e.EXP, e.LOG, e.POW, *elementary.ROUNDED)
# `cast` is tried with every target, `where` takes a condition: `choose` has it.
# On arrays, so in kernels too.
OF_ELEMENTS = [op for op in elementary.ROUNDED if op not in elementary.SPECIAL]
_OTHERS = (*ROUNDED, *NO_RULE, e.CAST)
EXACT = [op for op in (*e.OPS, *elementary.OPS) if op not in _OTHERS]


def rows_of(dtype: DType) -> list[tuple[str, DType]]:
    """Every exact op of one dtype on x and y, and the dtype it gives."""
    # A complex square root rounds otherwise than NumPy's.
    rows = _rows([op for op in EXACT if dtype.kind != "c" or op is not e.SQRT], dtype)
    targets = [to for to in DTYPES if dtype.kind != "c" or to.kind in "bc"]
    return rows + [(f"cast %x [to={to}]", to) for to in targets]


def _rows(ops: Sequence[OpDef], dtype: DType) -> list[tuple[str, DType]]:
    return [
        (f"{op.name} {', '.join(('%x', '%y')[: len(op.operands)])}", result)
        for op in ops
        if (result := _result(op, dtype)) is not None
    ]


def table_of(dtype: DType) -> str:
    """A function that applies every exact op of one dtype to x and y."""
    return _function(str(dtype), dtype, rows_of(dtype))


def functions_of(dtype: DType) -> str:
    """A function that applies every elementary function of one dtype to x and y."""
    return _function(f"functions_{dtype}", dtype, _rows(OF_ELEMENTS, dtype))


def _function(name: str, dtype: DType, rows: Sequence[tuple[str, DType]]) -> str:
    types = [f"tensor<{result}, [N]>" for _, result in rows]
    whole = f"tuple<{', '.join(types)}>"
    values = ", ".join(f"%{i}" for i in range(len(rows)))
    lines = [
        f"func @{name}(%x: tensor<{dtype}, [N]>, %y: tensor<{dtype}, [N]>) -> {whole} {{",
        *(f"  %{i} = {row} : {types[i]}" for i, (row, _) in enumerate(rows)),
        f"  %{len(rows)} = tuple {values} : {whole}",
        f"  exit @return %{len(rows)}",
        "}",
    ]
    return "\n".join(lines)


def _result(op: OpDef, dtype: DType) -> DType | None:
    """Return the dtype that an op gives for operands of one dtype, None where it takes none."""
    try:
        (result,) = result_types(op, [dtype] * len(op.operands), {})
    except OpTypeError:
        return None
    assert isinstance(result, DType)
    return result


def lowered(core: Module) -> Module:
    module = fuse(core)
    for step in CLEAN:
        module = step(module)
    return outline(module)


TABLES = (*map(table_of, DTYPES), functions_of(DType.F64), functions_of(DType.F32))
CORE = read_module(PROGRAMS + "\n" + "\n\n".join(TABLES) + "\n")

# A kernel whose threads read what others have written: it reverses rows.
HANDMADE = """\
func @f(%x: tensor<i64, [N, M]>) -> tensor<i64, [N, M]> {
  %0 = size %x [axis=0] : i64
  %1 = size %x [axis=1] : i64
  %2 = new_array %0, %1 [type=tensor<i64, [N, M]>] : tensor<i64, [N, M]>
  launch %0, %1, %x, %2 [callee="kernel.f.0"]
  exit @return %2
}

func kernel @kernel.f.0(%p0: i64, %p1: tensor<i64, [N, M]>, %p2: tensor<i64, [N, M]>, %begin: i64, \
%end: i64) -> None file="my model.py" {
  %0 = new_array %p0 [type=tensor<i64, [M]>] : tensor<i64, [M]>
  %1 = const [value=1, dtype=i64] : i64
  %2 = sub %p0, %1 : i64
  %3 = sub %end, %begin : i64
  loop @L0 %3 [parallel=true] {(%4: i64)
    %5 = add %begin, %4 : i64
    loop @L1 %p0 [parallel=true] {(%6: i64)
      %7 = load %p1, %5, %6 : i64
      store %0, %7, %6 loc(4:3)
      exit @L1.next
    }
    loop @L2 %p0 [parallel=true] {(%8: i64)
      %9 = sub %2, %8 : i64
      %10 = load %0, %9 : i64
      store %p2, %10, %5, %8 loc(5:3)
      exit @L2.next
    }
    exit @L0.next
  }
  %11 = const [value=none] : None
  exit @return %11
}
"""
