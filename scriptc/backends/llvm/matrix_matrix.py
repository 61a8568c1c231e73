"""Products of two matrices by the BLAS that NumPy brings, as LLVM IR: a part of the support code.

    sc.part.product_blas_f64    out = a @ b, for matrices whose rows or columns are contiguous

As in NumPy, the product of a matrix and its own transpose, `a @ a.T` or `a.T @ a`, is BLAS's syrk,
which computes one half; the other one is its mirror image.  Long calls give up the GIL.
"""

from string import Template

from scriptc.backends.llvm import symbols
from scriptc.backends.llvm.load import PART_PREFIX

PART = "blas_"  # what the names of the parts begin with
_LETTERS = {"f64": ("d", "double"), "f32": ("s", "float")}
_LONG = 1 << 18  # multiplications from where on others have their turn: some microseconds


def blas_text(part: str) -> str:
    """Return the text of a part, which is asked for only where there is a BLAS."""
    letter, element = _LETTERS[part.removeprefix(PART)]
    found = symbols.cblas(f"cblas_{letter}gemm")
    assert found is not None
    names = {
        name: symbols.blas_symbol(f"cblas_{letter}{name}", wide=found.wide)
        for name in ("gemm", "syrk")
    }
    return _TEXT.substitute(
        names,
        prefix=PART_PREFIX,
        part=part,
        t=element,
        int="i64" if found.wide else "i32",
        convert="or" if found.wide else "trunc",
        to=", 0" if found.wide else " to i32",
        long=_LONG,
    )


# Enumerations of CBLAS: 101 row-major, 111 as it is, 112 transposed, 121 the upper half.
_TEXT = Template("""\
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)
declare void @$gemm(i32, i32, i32, $int, $int, $int, $t, ptr, $int, ptr, $int, $t, ptr, $int)
declare void @$syrk(i32, i32, i32, $int, $int, $t, ptr, $int, $t, ptr, $int)

; Copy the upper half of a square matrix to the lower one, 16 rows of that at a time.
define internal void @mirror(ptr %out, i64 %n) nounwind {
entry:
  br label %band
band:
  %first = phi i64 [ 0, %entry ], [ %stop, %rows ]
  %end = add nsw i64 %first, 16
  %stop = call i64 @llvm.smin.i64(i64 %end, i64 %n)
  %some = icmp slt i64 %first, %n
  br i1 %some, label %rows, label %done
rows:
  %i = phi i64 [ 0, %band ], [ %i.next, %columns ]
  %i.next = add nsw i64 %i, 1
  %more = icmp slt i64 %i, %stop
  br i1 %more, label %row, label %band
row:
  %start = call i64 @llvm.smax.i64(i64 %i.next, i64 %first)
  %above = mul nsw i64 %i, %n
  br label %columns
columns:
  %j = phi i64 [ %start, %row ], [ %j.next, %copy ]
  %inside = icmp slt i64 %j, %stop
  br i1 %inside, label %copy, label %rows
copy:
  %from.index = add nsw i64 %above, %j
  %from = getelementptr $t, ptr %out, i64 %from.index
  %value = load $t, ptr %from
  %below = mul nsw i64 %j, %n
  %to.index = add nsw i64 %below, %i
  %to = getelementptr $t, ptr %out, i64 %to.index
  store $t %value, ptr %to
  %j.next = add nsw i64 %j, 1
  br label %columns
done:
  ret void
}

define void @${prefix}product_$part(ptr %out, ptr %a, i64 %m, i64 %k, i64 %a.down, i64 %a.across,
  ptr %b, i64 %n, i64 %b.down, i64 %b.across) nounwind {
entry:
  %a.dense = icmp eq i64 %a.across, 1
  %a.apart = icmp sge i64 %a.down, %k
  %a.rows = and i1 %a.dense, %a.apart
  %a.order = select i1 %a.rows, i32 111, i32 112
  %a.step = select i1 %a.rows, i64 %a.down, i64 %a.across
  %a.distance = call i64 @llvm.smax.i64(i64 %a.step, i64 1)
  %b.dense = icmp eq i64 %b.across, 1
  %b.apart = icmp sge i64 %b.down, %n
  %b.rows = and i1 %b.dense, %b.apart
  %b.order = select i1 %b.rows, i32 111, i32 112
  %b.step = select i1 %b.rows, i64 %b.down, i64 %b.across
  %b.distance = call i64 @llvm.smax.i64(i64 %b.step, i64 1)
  %out.distance = call i64 @llvm.smax.i64(i64 %n, i64 1)
  %c.m = $convert i64 %m$to
  %c.n = $convert i64 %n$to
  %c.k = $convert i64 %k$to
  %c.a = $convert i64 %a.distance$to
  %c.b = $convert i64 %b.distance$to
  %c.out = $convert i64 %out.distance$to
  %square = icmp eq i64 %m, %n
  %one = icmp eq ptr %a, %b
  %turned.down = icmp eq i64 %a.down, %b.across
  %turned.across = icmp eq i64 %a.across, %b.down
  %other.order = icmp ne i32 %a.order, %b.order
  %same = and i1 %square, %one
  %turned = and i1 %turned.down, %turned.across
  %both = and i1 %same, %turned
  %symmetric = and i1 %both, %other.order
  %results = mul nsw i64 %m, %n
  %products = mul nsw i64 %results, %k
  %long = icmp sge i64 %products, $long
  br i1 %long, label %leave, label %choose
leave:
  %saved = call ptr @PyEval_SaveThread()
  br label %choose
choose:
  %state = phi ptr [ null, %entry ], [ %saved, %leave ]
  br i1 %symmetric, label %half, label %whole
half:
  call void @$syrk(i32 101, i32 121, i32 %a.order, $int %c.n, $int %c.k, $t 1.0, ptr %a, $int %c.a,
    $t 0.0, ptr %out, $int %c.out)
  call void @mirror(ptr %out, i64 %n)
  br label %done
whole:
  call void @$gemm(i32 101, i32 %a.order, i32 %b.order, $int %c.m, $int %c.n, $int %c.k, $t 1.0,
    ptr %a, $int %c.a, ptr %b, $int %c.b, $t 0.0, ptr %out, $int %c.out)
  br label %done
done:
  br i1 %long, label %come.back, label %end
come.back:
  call void @PyEval_RestoreThread(ptr %state)
  br label %end
end:
  ret void
}
""")
