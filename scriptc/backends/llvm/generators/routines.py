"""Routines of random numbers that stand in the support code; `ziggurat.py` has the inlined one."""

from collections.abc import Mapping

from scriptc.backends.llvm.routines.small import Routine

_LONG = 8192  # numbers that take longer than it takes to give up the GIL and get it again

# G. Marsaglia and T. A. Bray, A convenient method for generating normal variables, SIAM Review 6
# (1964): of two numbers made at a time, the other is kept in the state object, where NumPy
# has it: behind the address of its bitgen_t, a flag and the number. The logarithm is libm's, as
# NumPy's is, to the bit.
ROUTINES: Mapping[str, Routine] = {
    # Long work gives up the GIL.
    "let_others": Routine(
        f"""\
define internal ptr @sc.let_others(i64 %count) nounwind {{
  %short = icmp slt i64 %count, {_LONG}
  br i1 %short, label %stay, label %go
stay:
  ret ptr null
go:
  %state = call ptr @PyEval_SaveThread()
  ret ptr %state
}}
""",
        frozenset({"declare ptr @PyEval_SaveThread()"}),
        shared=True,
    ),
    "no_others": Routine(
        """\
define internal void @sc.no_others(ptr %state) nounwind {
  %none = icmp eq ptr %state, null
  br i1 %none, label %done, label %back
back:
  call void @PyEval_RestoreThread(ptr %state)
  ret void
done:
  ret void
}
""",
        frozenset({"declare void @PyEval_RestoreThread(ptr)"}),
        shared=True,
    ),
    "polar": Routine(
        """\
define internal double @sc.polar(ptr %state) noinline nounwind {
entry:
  %has.at = getelementptr i8, ptr %state, i64 8
  %kept.at = getelementptr i8, ptr %state, i64 16
  %has = load i32, ptr %has.at
  %none = icmp eq i32 %has, 0
  br i1 %none, label %open, label %kept
kept:
  %kept.value = load double, ptr %kept.at
  store i32 0, ptr %has.at
  store double 0.0, ptr %kept.at
  ret double %kept.value
open:
  %bits = load ptr, ptr %state
  %double.at = getelementptr i8, ptr %bits, i64 24
  %inner = load ptr, ptr %bits
  %double = load ptr, ptr %double.at
  br label %draw
draw:
  %a = call double %double(ptr %inner)
  %a.twice = fmul double %a, 2.0
  %x = fsub double %a.twice, 1.0
  %b = call double %double(ptr %inner)
  %b.twice = fmul double %b, 2.0
  %y = fsub double %b.twice, 1.0
  %x.square = fmul double %x, %x
  %y.square = fmul double %y, %y
  %square = fadd double %x.square, %y.square
  %outside = fcmp oge double %square, 1.0
  %centre = fcmp oeq double %square, 0.0
  %again = or i1 %outside, %centre
  br i1 %again, label %draw, label %make
make:
  %log = call double @log(double %square)
  %product = fmul double %log, -2.0
  %ratio = fdiv double %product, %square
  %factor = call double @llvm.sqrt.f64(double %ratio)
  %other = fmul double %factor, %x
  store double %other, ptr %kept.at
  store i32 1, ptr %has.at
  %one = fmul double %factor, %y
  ret double %one
}
""",
        frozenset({"declare double @log(double)", "declare double @llvm.sqrt.f64(double)"}),
        shared=True,
    ),
}
