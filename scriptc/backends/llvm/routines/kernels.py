"""Small functions in LLVM IR for kernels and those who launch them.

A kernel may run in several threads at once, without the GIL. So it has arrays of its own from
malloc, not from the counted blocks.
"""

from collections.abc import Mapping

from scriptc.backends.llvm.routines.small import Routine

_SCRATCH = Routine(
    """\
; Memory for a kernel, 64-byte aligned, to be given back by `free`; null where there is none.
define internal ptr @sc.scratch(i64 %bytes) nounwind {
  %more = add i64 %bytes, 64
  %whole = and i64 %more, -64
  %sane = icmp ule i64 %bytes, 70368744177664
  br i1 %sane, label %take, label %none
take:
  %memory = call ptr @aligned_alloc(i64 64, i64 %whole)
  ret ptr %memory
none:
  ret ptr null
}
""",
    frozenset({"declare ptr @aligned_alloc(i64, i64)"}),
    shared=True,
)

_LIES_APART = Routine(
    """\
; Whether no two elements of an array share memory: of each axis, the step is longer than what the
; axes of shorter steps reach together. `shape` points to the sizes, which the strides follow.
define internal i1 @sc.lies_apart(ptr %shape, i64 %rank) nounwind {
entry:
  %strides = getelementptr i64, ptr %shape, i64 %rank
  br label %axis
axis:
  %a = phi i64 [0, %entry], [%a.next, %fits]
  %done = icmp eq i64 %a, %rank
  br i1 %done, label %yes, label %measure
measure:
  %size.at = getelementptr i64, ptr %shape, i64 %a
  %size = load i64, ptr %size.at
  %stride.at = getelementptr i64, ptr %strides, i64 %a
  %stride = load i64, ptr %stride.at
  %step = call i64 @llvm.abs.i64(i64 %stride, i1 false)
  br label %other
other:
  %b = phi i64 [0, %measure], [%b.next, %next]
  %reach = phi i64 [0, %measure], [%reach.next, %next]
  %last = icmp eq i64 %b, %rank
  br i1 %last, label %compare, label %add
add:
  %other.size.at = getelementptr i64, ptr %shape, i64 %b
  %other.size = load i64, ptr %other.size.at
  %other.stride.at = getelementptr i64, ptr %strides, i64 %b
  %other.stride = load i64, ptr %other.stride.at
  %other.step = call i64 @llvm.abs.i64(i64 %other.stride, i1 false)
  %shorter = icmp slt i64 %other.step, %step
  %equal = icmp eq i64 %other.step, %step
  %earlier = icmp ult i64 %b, %a
  %tie = and i1 %equal, %earlier
  %counts = or i1 %shorter, %tie
  %rounds = sub i64 %other.size, 1
  %length = mul i64 %rounds, %other.step
  %part = select i1 %counts, i64 %length, i64 0
  br label %next
next:
  %reach.next = add i64 %reach, %part
  %b.next = add i64 %b, 1
  br label %other
compare:
  %single = icmp sle i64 %size, 1
  %longer = icmp sgt i64 %step, %reach
  %apart = or i1 %single, %longer
  %a.next = add i64 %a, 1
  br i1 %apart, label %fits, label %no
fits:
  br label %axis
yes:
  ret i1 true
no:
  ret i1 false
}
""",
    frozenset({"declare i64 @llvm.abs.i64(i64, i1)"}),
    shared=True,
)

ROUTINES: Mapping[str, Routine] = {
    "scratch": _SCRATCH,
    "lies_apart": _LIES_APART,
}
