"""The routines that sum up the rows of a matrix whose columns lie along memory.

    sc.part.rows_row_sums_f64      a new array of one column with them, shared among threads

Strips of some hundred rows are added column by column, to as many accumulators for each row as the
loop over a row has lanes: element k of a block of the row goes to accumulator k % lanes.  They are
combined as that loop combines its lanes and its blocks (`vectors/reductions.py`), so the bits are
the same.  Each accumulator takes four of its columns at a time, so that it is read and written once
for four elements.

For one type of elements this is an object of its own, compiled when the first function needs it,
once per cache.
"""

from string import Template

from scriptc.backends.llvm.loading.machine_code import PART_PREFIX
from scriptc.backends.llvm.support import transpose
from scriptc.backends.llvm.vectors import reductions
from scriptc_runtime.types import DType

PART = "row_sums_"  # what the names of the parts begin with
DTYPES = (DType.F32, DType.F64)
# Bytes of a column in a strip: half a page, so that memory is asked for ahead of time, and the
# accumulators of all rows are in the second cache.
_STRIP = 1 << 11
_LEVELS = 24  # of blocks: the binary digits of their number
_MOST = 1 << 33  # elements of a matrix, and so columns
_SHARE = 64  # rows that a thread takes at least


def row_sums(dtype: DType) -> str:
    """Return the symbol of what sums up rows of such elements."""
    return f"{PART_PREFIX}rows_{PART}{dtype.value}"


def row_sums_text(part: str) -> str:
    """Return the text of a part."""
    dtype = DType(part.removeprefix(PART))
    t = reductions.TYPES[dtype.value]
    width = 512 // t.bits
    made = transpose.InsteadOfColumns("%rows", "1", "1", "1", width, _MOST, _SHARE, 1)
    names = {
        "t": t.llvm,
        "v": t.shape(width),
        "bytes": t.bits // 8,
        "width": width,
        "lanes": t.lanes,
        "half": t.lanes // 2,
        "three": 3 * t.lanes,
        "four": 4 * t.lanes,
        "rows": _STRIP // (t.bits // 8),
        "levels": _LEVELS,
        "block": reductions.BLOCK,
        "shift": reductions.BLOCK_SHIFT,
        "few": reductions.FEW,
        "strip": _SHARE,
    }
    return "\n".join(
        (
            transpose.instead_of_columns(row_sums(dtype), made, t.bits),
            *(text.substitute(names) for text in (_SHARED, _SUM, _ADD)),
        )
    )


# The rows that are left of whole vectors are in one more vector, which begins before them.
_SHARED = Template("""\
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i64 @llvm.umin.i64(i64, i64)

define internal i32 @share(ptr %packed, ptr %ctx, i64 %begin, i64 %end) nounwind {
entry:
  %out = load ptr, ptr %packed
  %at1 = getelementptr i64, ptr %packed, i64 1
  %data = load ptr, ptr %at1
  %at2 = getelementptr i64, ptr %packed, i64 2
  %across = load i64, ptr %at2
  %at3 = getelementptr i64, ptr %packed, i64 3
  %columns = load i64, ptr %at3
  %at4 = getelementptr i64, ptr %packed, i64 4
  %all = load i64, ptr %at4
  %first = mul i64 %begin, $strip
  %below = mul i64 %end, $strip
  %left = sub i64 %all, %below
  %last = icmp slt i64 %left, $strip
  %stop = select i1 %last, i64 %all, i64 %below
  br label %head
head:
  %row = phi i64 [ %first, %entry ], [ %row.next, %strip ]
  %some = icmp slt i64 %row, %stop
  br i1 %some, label %strip, label %done
strip:
  %rest = sub i64 %stop, %row
  %most = call i64 @llvm.umin.i64(i64 %rest, i64 $rows)
  %whole = and i64 %most, -$width
  %is.last = icmp eq i64 %whole, 0
  %height = select i1 %is.last, i64 $width, i64 %whole
  %end.less = sub i64 %stop, $width
  %start = select i1 %is.last, i64 %end.less, i64 %row
  %row.next = add i64 %start, %height
  %to = getelementptr $t, ptr %out, i64 %start
  %from = getelementptr $t, ptr %data, i64 %start
  call void @sum(ptr %to, ptr %from, i64 %across, i64 %columns, i64 %height)
  br label %head
done:
  ret i32 0
}
""")

_SUM = Template("""\
define internal void @sum(ptr %out, ptr %data, i64 %across, i64 %columns, i64 %height) nounwind {
entry:
  %acc = alloca [$lanes x [$rows x $t]], align 64
  %stack = alloca [$levels x [$rows x $t]], align 64
  %height.bytes = mul i64 %height, $bytes
  %acc.bytes = mul i64 %height.bytes, $lanes
  %far = mul i64 %across, $lanes
  br label %block
block:
  %count = phi i64 [ 0, %entry ], [ %count.next, %kept ]
  %begin = shl i64 %count, $shift
  %left = sub i64 %columns, %begin
  %some = icmp sgt i64 %left, 0
  br i1 %some, label %fill, label %finish
fill:
  %size = call i64 @llvm.umin.i64(i64 %left, i64 $block)
  call void @llvm.memset.p0.i64(ptr align 64 %acc, i8 0, i64 %acc.bytes, i1 false)
  br label %lane.head
lane.head:
  %lane = phi i64 [ 0, %fill ], [ %lane.next, %lane.done ]
  %lane.some = icmp slt i64 %lane, $lanes
  br i1 %lane.some, label %lane.start, label %fold
lane.start:
  %lane.far = mul i64 %lane, %height
  %to = getelementptr $t, ptr %acc, i64 %lane.far
  br label %four.head
four.head:
  %j = phi i64 [ %lane, %lane.start ], [ %j.next, %four ]
  %j.last = add i64 %j, $three
  %four.fits = icmp slt i64 %j.last, %size
  br i1 %four.fits, label %four, label %one.head
four:
  %j.column = add i64 %begin, %j
  %j.far = mul i64 %j.column, %across
  %j.from = getelementptr $t, ptr %data, i64 %j.far
  call void @add_four(ptr %to, ptr %j.from, i64 %far, i64 %height)
  %j.next = add i64 %j, $four
  br label %four.head
one.head:
  %k = phi i64 [ %j, %four.head ], [ %k.next, %one ]
  %one.fits = icmp slt i64 %k, %size
  br i1 %one.fits, label %one, label %lane.done
one:
  %k.column = add i64 %begin, %k
  %k.far = mul i64 %k.column, %across
  %k.from = getelementptr $t, ptr %data, i64 %k.far
  call void @add(ptr %to, ptr %k.from, i64 %height)
  %k.next = add i64 %k, $lanes
  br label %one.head
lane.done:
  %lane.next = add i64 %lane, 1
  br label %lane.head
fold:
  %is.few = icmp ule i64 %size, $few
  br i1 %is.few, label %few.head, label %half.head
few.head:
  %f = phi i64 [ 1, %fold ], [ %f.next, %few ]
  %few.some = icmp slt i64 %f, $few
  br i1 %few.some, label %few, label %carry
few:
  %f.far = mul i64 %f, %height
  %f.from = getelementptr $t, ptr %acc, i64 %f.far
  call void @add(ptr %acc, ptr %f.from, i64 %height)
  %f.next = add i64 %f, 1
  br label %few.head
half.head:
  %h = phi i64 [ $half, %fold ], [ %h.next, %half ]
  %half.some = icmp sgt i64 %h, 0
  br i1 %half.some, label %half, label %carry
half:
  %h.far = mul i64 %h, %height
  %h.from = getelementptr $t, ptr %acc, i64 %h.far
  call void @add(ptr %acc, ptr %h.from, i64 %h.far)
  %h.next = lshr i64 %h, 1
  br label %half.head
carry:
  %bits = phi i64 [ %count, %few.head ], [ %count, %half.head ], [ %bits.next, %full ]
  %depth = phi i64 [ 0, %few.head ], [ 0, %half.head ], [ %depth.next, %full ]
  %slot = getelementptr [$rows x $t], ptr %stack, i64 %depth
  %is.full = trunc i64 %bits to i1
  br i1 %is.full, label %full, label %kept
full:
  call void @add(ptr %acc, ptr %slot, i64 %height)
  %bits.next = lshr i64 %bits, 1
  %depth.next = add i64 %depth, 1
  br label %carry
kept:
  call void @llvm.memcpy.p0.p0.i64(ptr %slot, ptr %acc, i64 %height.bytes, i1 false)
  %count.next = add i64 %count, 1
  br label %block
finish:
  call void @llvm.memset.p0.i64(ptr %out, i8 0, i64 %height.bytes, i1 false)
  br label %slots
slots:
  %digits = phi i64 [ %count, %finish ], [ %digits.next, %above ]
  %level = phi i64 [ 0, %finish ], [ %level.next, %above ]
  %ends = icmp eq i64 %digits, 0
  br i1 %ends, label %exit, label %look
look:
  %taken = trunc i64 %digits to i1
  br i1 %taken, label %take, label %above
take:
  %at = getelementptr [$rows x $t], ptr %stack, i64 %level
  call void @add(ptr %out, ptr %at, i64 %height)
  br label %above
above:
  %digits.next = lshr i64 %digits, 1
  %level.next = add i64 %level, 1
  br label %slots
exit:
  ret void
}
""")

_ADD = Template("""\
define internal void @add(ptr %to, ptr %from, i64 %n) nounwind {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %some = icmp slt i64 %i, %n
  br i1 %some, label %body, label %done
body:
  %to.at = getelementptr $t, ptr %to, i64 %i
  %from.at = getelementptr $t, ptr %from, i64 %i
  %old = load $v, ptr %to.at, align $bytes
  %one = load $v, ptr %from.at, align $bytes
  %new = fadd $v %old, %one
  store $v %new, ptr %to.at, align $bytes
  %next = add i64 %i, $width
  br label %head
done:
  ret void
}
define internal void @add_four(ptr %to, ptr %from, i64 %far, i64 %n) nounwind {
entry:
  %second = getelementptr $t, ptr %from, i64 %far
  %third = getelementptr $t, ptr %second, i64 %far
  %fourth = getelementptr $t, ptr %third, i64 %far
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %some = icmp slt i64 %i, %n
  br i1 %some, label %body, label %done
body:
  %to.at = getelementptr $t, ptr %to, i64 %i
  %at0 = getelementptr $t, ptr %from, i64 %i
  %at1 = getelementptr $t, ptr %second, i64 %i
  %at2 = getelementptr $t, ptr %third, i64 %i
  %at3 = getelementptr $t, ptr %fourth, i64 %i
  %old = load $v, ptr %to.at, align $bytes
  %x0 = load $v, ptr %at0, align $bytes
  %x1 = load $v, ptr %at1, align $bytes
  %x2 = load $v, ptr %at2, align $bytes
  %x3 = load $v, ptr %at3, align $bytes
  %new0 = fadd $v %old, %x0
  %new1 = fadd $v %new0, %x1
  %new2 = fadd $v %new1, %x2
  %new3 = fadd $v %new2, %x3
  store $v %new3, ptr %to.at, align $bytes
  %next = add i64 %i, $width
  br label %head
done:
  ret void
}
""")
