"""Sums side by side: several dot products that share operands, in one loop over vectors.

Each sum has one accumulator of 512 bits, whose lanes are added at the end as those of other sums
are. Several of them hide the latency of an addition, as the four vectors of a single sum do in
`rows.py`, and what the products share is loaded once. What is left of the rows is one more vector
under a mask.
"""

from scriptc.backends.llvm.emitter.function import Emitter
from scriptc.backends.llvm.vectors import reductions, rows
from scriptc_runtime.ir import Instr
from scriptc_runtime.types import DType

_BITS = 512


def emit_joint_rows(e: Emitter, instr: Instr, dtype: DType, count: str) -> None:
    """Write the sums of a `reduce` with several results, whose elements are those of rows."""
    (block,), t = instr.blocks, reductions.TYPES[dtype.value]
    lanes, number = _BITS // t.bits, len(instr.results)
    v, prefix, before = t.shape(lanes), e.label(), e.block
    p = f"%{prefix}"
    sums = range(number)
    whole, whole_values = rows.captured(e, rows.Row(e, block, lanes), f"{p}.offset")
    rest, rest_values = rows.captured(e, rows.Row(e, block, lanes, f"{p}.inside"), f"{p}.rows_end")
    zero = f"splat ({t.llvm} 0.0)"
    e.declare(f"declare {v} @llvm.masked.load.v{lanes}{t.name}.p0(ptr, <{lanes} x i1>, {v})")
    e.declare("declare i64 @llvm.smax.i64(i64, i64)")
    places = ", ".join(f"i32 {lane}" for lane in range(lanes))
    e.lines += [
        f"  {p}.n = call i64 @llvm.smax.i64(i64 {count}, i64 0)",
        f"  {p}.rows_end = and i64 {p}.n, {-lanes}",
        f"  br label {p}.head",
        f"{prefix}.head:",
        f"  {p}.offset = phi i64 [ 0, %{before} ], [ {p}.next, {p}.row ]",
        *(f"  {p}.acc{r} = phi {v} [ {zero}, %{before} ], [ {p}.sum{r}, {p}.row ]" for r in sums),
        f"  {p}.whole = icmp ult i64 {p}.offset, {p}.rows_end",
        f"  br i1 {p}.whole, label {p}.row, label {p}.tail",
        f"{prefix}.row:",
        whole,
        *(f"  {p}.sum{r} = fadd {v} {p}.acc{r}, {whole_values[r]}" for r in sums),
        f"  {p}.next = add nuw nsw i64 {p}.offset, {lanes}",
        f"  br label {p}.head",
        f"{prefix}.tail:",
        f"  {p}.rest = sub nuw nsw i64 {p}.n, {p}.rows_end",
        f"  {p}.partly = icmp ne i64 {p}.rest, 0",
        f"  br i1 {p}.partly, label {p}.part, label {p}.fold",
        f"{prefix}.part:",
        f"  {p}.rest_small = trunc i64 {p}.rest to i32",
        f"  {p}.rest_first = insertelement <{lanes} x i32> poison, i32 {p}.rest_small, i64 0",
        f"  {p}.rest_all = shufflevector <{lanes} x i32> {p}.rest_first,"
        f" <{lanes} x i32> poison, <{lanes} x i32> zeroinitializer",
        f"  {p}.inside = icmp ult <{lanes} x i32> <{places}>, {p}.rest_all",
        rest,
    ]
    for r in sums:
        e.lines += [
            f"  {p}.some{r} = select <{lanes} x i1> {p}.inside, {v} {rest_values[r]}, {v} {zero}",
            f"  {p}.last{r} = fadd {v} {p}.acc{r}, {p}.some{r}",
        ]
    e.lines.append(f"  br label {p}.fold")
    e.start(f"{prefix}.fold")
    names = [f"{p}.{r}." for r in sums]
    e.lines += [
        f"  {name}fold{lanes} = phi {v} [ {p}.acc{r}, {p}.tail ], [ {p}.last{r}, {p}.part ]"
        for r, name in enumerate(names)
    ]
    for result, name in zip(instr.results, names, strict=True):
        e.lines.append(reductions.fold_block(reductions.Kind.SUM, t, lanes, f"{p}.n", name))
        e.values[result] = (f"{name}block",)
