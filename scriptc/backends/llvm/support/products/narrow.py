"""Products of a vector and a matrix of short rows, which NumPy's BLAS computes.

    @by_blas(...)    the status of the product; -1 leaves it to `matrix_vector`

Routines that read a matrix at the speed of memory want long rows: where each row is a few vectors
of the processor, or only few results are summed up, the ends of rows are most of the work.  BLAS
has kernels for these.

A matrix is given to it some thousand elements at a time, which the pool's threads share: so few
BLAS computes in the thread that asks. Its own threads look for work for a long time after a call,
and what comes next would share the processors with them. The pieces, and which of them are summed
up together, follow from the shape alone, so the bits are the same for any number of threads.
"""

from string import Template

from scriptc.backends.llvm.loading import numpy_routines
from scriptc.backends.llvm.support.jobs import with_fields

_LETTERS = {"f64": ("d", "double"), "f32": ("s", "float")}
# Elements of a row up to which BLAS is faster, and those of a matrix from where on it is. Where
# columns are summed up, it is for two to four results, eight and twelve.
_ROW, _LEAST = 64, 1024
_LARGEST_INT32, _LARGEST = 2**31 - 1, 2**62
_PIECE = 8192  # elements of a matrix for which BLAS starts no threads
_GROUPS, _STRIDE = 64, 16  # sums of pieces at most, and elements from one to the next
_WORK = 2  # of an element, in the units of `work.py`

# What threads know of a product.
_PIECES = {
    "target": "ptr",  # results, or sums of groups
    "matrix": "ptr",
    "m": "i64",  # rows
    "n": "i64",  # columns
    "distance": "i64",  # of what is not contiguous
    "vector": "ptr",
    "step": "i64",
    "size": "i64",  # rows or columns of a piece
    "count": "i64",  # pieces
    "groups": "i64",
}


def narrow_text(part: str) -> str:
    """Return the text of the function; it leaves everything where BLAS is not to be had."""
    letter, element = _LETTERS.get(part, ("", ""))
    found = numpy_routines.cblas(f"cblas_{letter}gemv") if letter else None
    if found is None:
        return _NEVER
    text = _TEXT.substitute(
        fields=", ".join(_PIECES.values()),
        gemv=numpy_routines.blas_symbol(f"cblas_{letter}gemv", wide=found.wide),
        t=element,
        int="i64" if found.wide else "i32",
        convert="or" if found.wide else "trunc",
        to=", 0" if found.wide else " to i32",
        row=_ROW,
        least=_LEAST,
        most=_LARGEST if found.wide else _LARGEST_INT32,
        piece=_PIECE,
        groups=_GROUPS,
        room=_GROUPS * _STRIDE,
        stride=_STRIDE,
        work=_WORK,
    )
    return with_fields(_PIECES, text, "%pieces")


_NEVER = """\
define internal i32 @by_blas(ptr %ctx, ptr %out, ptr %matrix, i64 %m, i64 %n, i64 %down,
  i64 %across, ptr %vector, i64 %step, i32 %limit) nounwind {
  ret i32 -1
}
"""

# Enumerations of CBLAS: 101 row-major, 102 column-major, 111 as it is.
_TEXT = Template("""\
declare void @$gemv(i32, i32, $int, $int, $t, ptr, $int, ptr, $int, $t, ptr, $int)

%pieces = type { $fields }

define internal i32 @by_blas(ptr %ctx, ptr %out, ptr %matrix, i64 %m, i64 %n, i64 %down,
  i64 %across, ptr %vector, i64 %step, i32 %limit) nounwind {
entry:
  %dense.rows = icmp eq i64 %across, 1
  %apart.rows = icmp sge i64 %down, %n
  %short = icmp sle i64 %n, $row
  %r1 = and i1 %dense.rows, %apart.rows
  %rows = and i1 %r1, %short
  %dense.columns = icmp eq i64 %down, 1
  %apart.columns = icmp sge i64 %across, %m
  %above = sub i64 %m, 2
  %two.to.four = icmp ult i64 %above, 3
  %m.odd = and i64 %m, -13
  %eight.or.twelve = icmp eq i64 %m.odd, 0
  %few = or i1 %two.to.four, %eight.or.twelve
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
  %job = alloca %pieces
  %sums = alloca [$room x $t]
  %distance = select i1 %rows, i64 %down, i64 %across
  %other = select i1 %rows, i64 %n, i64 %m
  %extent = select i1 %rows, i64 %m, i64 %n
  %size = udiv i64 $piece, %other
  %up = add i64 %extent, %size
  %more = sub i64 %up, 1
  %count = udiv i64 %more, %size
  %groups = call i64 @llvm.smin.i64(i64 %count, i64 $groups)
  %single = icmp eq i64 %groups, 1
  %into.out = or i1 %rows, %single
  %target = select i1 %into.out, ptr %out, ptr %sums
  %work = mul i64 %elements, $work
  store fields target matrix m n distance vector step size count groups
  br i1 %rows, label %by.rows, label %by.columns
by.rows:
  %done = call i32 @launched(ptr %ctx, ptr @share_rows_of_blas, ptr %job, i64 %count, i64 %work,
    i32 %limit)
  ret i32 %done
by.columns:
  %summed = call i32 @launched(ptr %ctx, ptr @share_columns_of_blas, ptr %job, i64 %groups,
    i64 %work, i32 %limit)
  %failed = icmp ne i32 %summed, 0
  %finished = or i1 %failed, %single
  br i1 %finished, label %end, label %add
end:
  ret i32 %summed
add:
  %i = phi i64 [ 0, %by.columns ], [ %i.next, %added ]
  %to = getelementptr $t, ptr %out, i64 %i
  %from = getelementptr $t, ptr %sums, i64 %i
  %first = load $t, ptr %from
  br label %next
next:
  %g = phi i64 [ 1, %add ], [ %g.next, %next ]
  %sum = phi $t [ %first, %add ], [ %sum.next, %next ]
  %place = mul i64 %g, $stride
  %part.at = getelementptr $t, ptr %from, i64 %place
  %part = load $t, ptr %part.at
  %sum.next = fadd $t %sum, %part
  %g.next = add i64 %g, 1
  %g.more = icmp slt i64 %g.next, %groups
  br i1 %g.more, label %next, label %added
added:
  store $t %sum.next, ptr %to
  %i.next = add i64 %i, 1
  %i.more = icmp slt i64 %i.next, %m
  br i1 %i.more, label %add, label %end
no:
  ret i32 -1
}

define internal i32 @share_rows_of_blas(ptr %job, ptr %context, i64 %begin, i64 %end) nounwind {
entry:
  load fields target matrix m n distance vector step size
  %c.n = $convert i64 %n$to
  %c.distance = $convert i64 %distance$to
  %c.step = $convert i64 %step$to
  br label %head
head:
  %k = phi i64 [ %begin, %entry ], [ %k.next, %piece ]
  %going = icmp slt i64 %k, %end
  br i1 %going, label %piece, label %done
piece:
  %first = mul i64 %k, %size
  %left = sub i64 %m, %first
  %some = call i64 @llvm.smin.i64(i64 %left, i64 %size)
  %c.count = $convert i64 %some$to
  %offset = mul i64 %first, %distance
  %a = getelementptr $t, ptr %matrix, i64 %offset
  %y = getelementptr $t, ptr %target, i64 %first
  call void @$gemv(i32 101, i32 111, $int %c.count, $int %c.n, $t 1.0, ptr %a, $int %c.distance,
    ptr %vector, $int %c.step, $t 0.0, ptr %y, $int 1)
  %k.next = add i64 %k, 1
  br label %head
done:
  ret i32 0
}

define internal i32 @share_columns_of_blas(ptr %job, ptr %context, i64 %begin, i64 %end) nounwind {
entry:
  load fields target matrix m n distance vector step size count groups
  %c.m = $convert i64 %m$to
  %c.distance = $convert i64 %distance$to
  %c.step = $convert i64 %step$to
  br label %head
head:
  %g = phi i64 [ %begin, %entry ], [ %g.next, %behind ]
  %going = icmp slt i64 %g, %end
  br i1 %going, label %group, label %done
group:
  %g.next = add i64 %g, 1
  %scaled = mul i64 %g, %count
  %k.first = udiv i64 %scaled, %groups
  %scaled.next = mul i64 %g.next, %count
  %k.end = udiv i64 %scaled.next, %groups
  %place = mul i64 %g, $stride
  %y = getelementptr $t, ptr %target, i64 %place
  br label %piece
piece:
  %k = phi i64 [ %k.first, %group ], [ %k.next, %piece ]
  %beta = phi $t [ 0.0, %group ], [ 1.0, %piece ]
  %first = mul i64 %k, %size
  %left = sub i64 %n, %first
  %width = call i64 @llvm.smin.i64(i64 %left, i64 %size)
  %c.width = $convert i64 %width$to
  %offset = mul i64 %first, %distance
  %a = getelementptr $t, ptr %matrix, i64 %offset
  %jump = mul i64 %first, %step
  %x = getelementptr $t, ptr %vector, i64 %jump
  call void @$gemv(i32 102, i32 111, $int %c.m, $int %c.width, $t 1.0, ptr %a, $int %c.distance,
    ptr %x, $int %c.step, $t %beta, ptr %y, $int 1)
  %k.next = add i64 %k, 1
  %k.more = icmp slt i64 %k.next, %k.end
  br i1 %k.more, label %piece, label %behind
behind:
  br label %head
done:
  ret i32 0
}
""")
