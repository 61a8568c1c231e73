"""Products of a vector and a matrix of short rows, which NumPy's BLAS computes.

    @by_blas(...)    computes the product and says so, or leaves it to `matrix_vector`

Routines that read a matrix at the speed of memory want long rows: where each row is a few vectors
of the processor, or only few results are summed up, the ends of rows are most of the work.  BLAS
has kernels for these.
"""

from string import Template

from scriptc.backends.llvm.loading import numpy_routines

_LETTERS = {"f64": ("d", "double"), "f32": ("s", "float")}
# Elements of a row, or results of columns, up to which BLAS is faster, and those of a matrix from
# where on it is.
_ROW, _RESULTS, _LEAST = 64, {"f64": 7, "f32": 15}, 1024
_LARGEST_INT32, _LARGEST = 2**31 - 1, 2**62
_LONG = 1 << 18  # elements from where on others have their turn: some microseconds


def narrow_text(part: str) -> str:
    """Return the text of the function; it leaves everything where BLAS is not to be had."""
    letter, element = _LETTERS.get(part, ("", ""))
    found = numpy_routines.cblas(f"cblas_{letter}gemv") if letter else None
    if found is None:
        return _NEVER
    return _TEXT.substitute(
        gemv=numpy_routines.blas_symbol(f"cblas_{letter}gemv", wide=found.wide),
        t=element,
        int="i64" if found.wide else "i32",
        convert="or" if found.wide else "trunc",
        to=", 0" if found.wide else " to i32",
        row=_ROW,
        results=_RESULTS[part],
        least=_LEAST,
        most=_LARGEST if found.wide else _LARGEST_INT32,
        long=_LONG,
    )


_NEVER = """\
define internal i1 @by_blas(ptr %out, ptr %matrix, i64 %m, i64 %n, i64 %down, i64 %across,
  ptr %vector, i64 %step, i32 %limit) nounwind {
  ret i1 false
}
"""

# Enumerations of CBLAS: 101 row-major, 102 column-major, 111 as it is. Kernels, whose limit is -1,
# have no GIL to give up.
_TEXT = Template("""\
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)
declare void @$gemv(i32, i32, $int, $int, $t, ptr, $int, ptr, $int, $t, ptr, $int)

define internal i1 @by_blas(ptr %out, ptr %matrix, i64 %m, i64 %n, i64 %down, i64 %across,
  ptr %vector, i64 %step, i32 %limit) nounwind {
entry:
  %dense.rows = icmp eq i64 %across, 1
  %apart.rows = icmp sge i64 %down, %n
  %short = icmp sle i64 %n, $row
  %r1 = and i1 %dense.rows, %apart.rows
  %rows = and i1 %r1, %short
  %dense.columns = icmp eq i64 %down, 1
  %apart.columns = icmp sge i64 %across, %m
  %few = icmp sle i64 %m, $results
  %c1 = and i1 %dense.columns, %apart.columns
  %columns = and i1 %c1, %few
  %elements = mul i64 %m, %n
  %enough = icmp sge i64 %elements, $least
  %forward = icmp sge i64 %step, 1
  %s1 = call i64 @llvm.smax.i64(i64 %m, i64 %n)
  %s2 = call i64 @llvm.smax.i64(i64 %s1, i64 %down)
  %s3 = call i64 @llvm.smax.i64(i64 %s2, i64 %across)
  %s4 = call i64 @llvm.smax.i64(i64 %s3, i64 %step)
  %within = icmp sle i64 %s4, $most
  %either = or i1 %rows, %columns
  %w1 = and i1 %either, %enough
  %w2 = and i1 %forward, %within
  %narrow = and i1 %w1, %w2
  br i1 %narrow, label %blas, label %no
blas:
  %order = select i1 %rows, i32 101, i32 102
  %distance = select i1 %rows, i64 %down, i64 %across
  %c.m = $convert i64 %m$to
  %c.n = $convert i64 %n$to
  %c.distance = $convert i64 %distance$to
  %c.step = $convert i64 %step$to
  %holds = icmp ne i32 %limit, -1
  %many = icmp sge i64 %elements, $long
  %long = and i1 %holds, %many
  br i1 %long, label %leave, label %run
leave:
  %saved = call ptr @PyEval_SaveThread()
  br label %run
run:
  %state = phi ptr [ null, %blas ], [ %saved, %leave ]
  call void @$gemv(i32 %order, i32 111, $int %c.m, $int %c.n, $t 1.0, ptr %matrix, $int %c.distance,
    ptr %vector, $int %c.step, $t 0.0, ptr %out, $int 1)
  br i1 %long, label %come.back, label %yes
come.back:
  call void @PyEval_RestoreThread(ptr %state)
  br label %yes
yes:
  ret i1 true
no:
  ret i1 false
}
""")
