"""Products of matrices and vectors, as LLVM IR: what walks over a matrix in panels.

    sc.part.matvec_f64    out = matrix @ vector, for a matrix of any layout
    sc.part.both_f64      rows = matrix @ right and out = left @ matrix, in one pass
    sc.part.room_f64      how many elements such a product needs room for, besides its result

A matrix whose columns are contiguous is the transpose of one whose rows are; one with neither is
copied first.

For one element type, and for matrices that are scaled first or are not, this is an object of its
own, compiled when the first function needs it, once per cache. The loops along rows and those that
add rows up (`panels.py`) are compiled when they are called.

Threads share groups of rows, for a vector on the right of contiguous rows.  For one on the left
they share blocks of rows and columns; each block of rows has a row of results, and these are added
up at the end.  How many blocks there are follows from the shape, so the bits are the same whoever
computes them.  The product on the left may take its vector from the one on the right: the numbers
of a group of rows are there before these rows are read again, from the cache.
"""

from string import Template

from scriptc.backends.llvm.loading.machine_code import PART_PREFIX
from scriptc.backends.llvm.support import late
from scriptc.backends.llvm.support.jobs import LAUNCHED, with_fields
from scriptc.backends.llvm.support.products import panels
from scriptc.backends.llvm.support.products.narrow import narrow_text
from scriptc.backends.llvm.support.products.packing import packing_text

_PANEL = 16  # rows that one thread takes together
_BLOCK = 4096  # columns of a sum before it is added to those to its left
# Rows of a block, 256 at least, and columns, 4096; and how many blocks there are at most.
_HEIGHT_SHIFT, _MOST_DOWN, _WIDTH_SHIFT, _MOST_ACROSS = 8, 64, 12, 16
_PIECE = 2048  # bytes of each row of a group, which several vectors meet
_FAR = 1 << 20  # bytes of a matrix that no cache close by holds
_WORK = 2  # of an element, in the units of `work.py`

# What threads know of a product.
_JOB = {
    "rows": "ptr",  # results with the vector on the right
    "out": "ptr",  # results with the one on the left: of the first block
    "parts": "ptr",  # and of the blocks behind it
    "matrix": "ptr",
    "pitch": "i64",  # bytes from one row to the next
    "right": "ptr",
    "left": "ptr",
    "m": "i64",  # rows
    "n": "i64",  # columns
    "height": "i64",  # rows of a block
    "width": "i64",  # columns of a block
    "across": "i64",  # blocks side by side
    "scale": "$t",  # what the matrix is multiplied by
    "vectors": "i64",  # how many there are
    "apart": "i64",  # elements between two vectors
    "results": "i64",  # elements between two rows of results
}


def product_text(part: str, features: str) -> str:
    """Return the text of an object, for a processor with these features."""
    panel = panels.PANELS[part]
    t = panel.type
    loops = panels.symbols(panel, features)
    whole = panels.loops(panels.DOTS, features)["several"]
    walk = _WALK.substitute(
        prefix=PART_PREFIX,
        part=part,
        t=t.llvm,
        size=t.bits // 8,
        wide=whole.count,
        narrow=panels.NARROW,
        together=whole.vectors,
        group=panels.GROUP,
        panel=_PANEL,
        piece=_PIECE * 8 // t.bits,
        block=_BLOCK,
        work=_WORK,
        far=_FAR,
        height_shift=_HEIGHT_SHIFT,
        most_down=_MOST_DOWN,
        width_shift=_WIDTH_SHIFT,
        most_across=_MOST_ACROSS,
        **{role: late.cell(symbol) for role, symbol in loops.items()},
    )
    texts = (LAUNCHED, packing_text(part, t.llvm), narrow_text(part), walk)
    return late.with_late("\n".join((late.late_text(loops.values()), *texts)))


_TEXT = """\
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)
declare i64 @llvm.umax.i64(i64, i64)
@one = internal constant $t 1.0

%job = type { $job }

; Note what both kinds of shares need to know.
define internal void @describe(ptr %job, ptr %rows, ptr %matrix, i64 %pitch, ptr %right, i64 %m,
  i64 %n, $t %scale, i64 %vectors, i64 %apart, i64 %results) nounwind {
  store fields rows matrix pitch right m n scale vectors apart results
  ret void
}

; How far it is from behind some columns of rows to these columns of the rows that follow, in bytes;
; 0 where a cache close by holds the matrix.
define internal i64 @jump(i64 %rows, i64 %pitch, i64 %columns, i64 %m) nounwind {
  %group = mul nsw i64 %rows, %pitch
  %row = mul nsw i64 %columns, $size
  %behind = sub nsw i64 %group, %row
  %whole = mul nsw i64 %m, %pitch
  %far = icmp sge i64 %whole, $far
  %jump = select i1 %far, i64 %behind, i64 0
  ret i64 %jump
}

; The product with the vector on the right, for some rows.
define internal void @sums(ptr %job, i64 %begin, i64 %end) noinline nounwind {
entry:
  load fields rows matrix pitch right m n scale vectors apart results
  %to.next = call i64 @jump(i64 $wide, i64 %pitch, i64 %n, i64 %m)
  %far = icmp ne i64 %to.next, 0
  br label %head
head:
  %i = phi i64 [ %begin, %entry ], [ %i.next, %columns ]
  %left = sub nsw i64 %end, %i
  %some = icmp sgt i64 %left, 0
  br i1 %some, label %group, label %done
group:
  %whole = icmp sge i64 %left, $wide
  %few = call i64 @llvm.smin.i64(i64 %left, i64 $narrow)
  %count = select i1 %whole, i64 $wide, i64 %few
  %i.next = add nsw i64 %i, %count
  %out = getelementptr $t, ptr %rows, i64 %i
  %bytes = mul nsw i64 %count, $size
  %offset = mul nsw i64 %i, %pitch
  %row = getelementptr i8, ptr %matrix, i64 %offset
  br label %clear
clear:
  %z = phi i64 [ 0, %group ], [ %z.next, %clear ]
  %z.offset = mul nsw i64 %z, %results
  %z.out = getelementptr $t, ptr %out, i64 %z.offset
  call void @llvm.memset.p0.i64(ptr %z.out, i8 0, i64 %bytes, i1 false)
  %z.next = add nsw i64 %z, 1
  %z.more = icmp slt i64 %z.next, %vectors
  br i1 %z.more, label %clear, label %columns
columns:
  %j = phi i64 [ 0, %clear ], [ %j.next, %added ]
  %rest = sub nsw i64 %n, %j
  %more = icmp sgt i64 %rest, 0
  br i1 %more, label %block, label %head
block:
  %width = call i64 @llvm.smin.i64(i64 %rest, i64 $block)
  %a = getelementptr $t, ptr %row, i64 %j
  %x = getelementptr $t, ptr %right, i64 %j
  %is.last = icmp eq i64 %width, %rest
  %jump = select i1 %is.last, i64 %to.next, i64 0
  br label %vector
vector:
  %v = phi i64 [ 0, %block ], [ %v.next, %next.vector ]
  %v.offset = mul nsw i64 %v, %apart
  %v.x = getelementptr $t, ptr %x, i64 %v.offset
  %v.place = mul nsw i64 %v, %results
  %v.out = getelementptr $t, ptr %out, i64 %v.place
  br i1 %whole, label %wide, label %narrow
wide:
  %v.left = sub nsw i64 %vectors, %v
  %v.several = icmp sge i64 %v.left, $together
  br i1 %v.several, label %several, label %single
single:
  br i1 %far, label %far.single, label %near.single
several:
  late %dots.several.loop = $dots_several
  call void %dots.several.loop(ptr %v.out, ptr %a, i64 %pitch, ptr %v.x, i64 %width, $t %scale,
    i64 %count, i64 %apart, i64 %results, i64 0)
  br label %next.vector
far.single:
  late %dots.far.loop = $dots_far
  call void %dots.far.loop(ptr %v.out, ptr %a, i64 %pitch, ptr %v.x, i64 %width, $t %scale,
    i64 %count, i64 %apart, i64 %results, i64 %jump)
  br label %next.vector
near.single:
  late %dots.near.loop = $dots_near
  call void %dots.near.loop(ptr %v.out, ptr %a, i64 %pitch, ptr %v.x, i64 %width, $t %scale,
    i64 %count, i64 %apart, i64 %results, i64 0)
  br label %next.vector
narrow:
  late %dots.left.loop = $dots_left
  call void %dots.left.loop(ptr %v.out, ptr %a, i64 %pitch, ptr %v.x, i64 %width, $t %scale,
    i64 %count, i64 %apart, i64 %results, i64 0)
  br label %next.vector
next.vector:
  %v.done = phi i64 [ $together, %dots.several.loop.loaded ], [ 1, %dots.far.loop.loaded ],
    [ 1, %dots.near.loop.loaded ], [ 1, %dots.left.loop.loaded ]
  %v.next = add nsw i64 %v, %v.done
  %v.more = icmp slt i64 %v.next, %vectors
  br i1 %v.more, label %vector, label %added
added:
  %j.next = add nsw i64 %j, %width
  br label %columns
done:
  ret void
}

define internal i32 @share_rows(ptr %job, ptr %ctx, i64 %begin, i64 %end) nounwind {
  load fields m
  %first = mul nsw i64 %begin, $panel
  %behind = mul nsw i64 %end, $panel
  %last = call i64 @llvm.smin.i64(i64 %behind, i64 %m)
  call void @sums(ptr %job, i64 %first, i64 %last)
  ret i32 0
}

; Add rows of the matrix, each times its number, to the rows of results of a vector, or $together.
; Behind the last columns of a group of rows the next one starts after a `jump`.
define internal void @add_rows(ptr %out, ptr %a, i64 %pitch, ptr %c, i64 %n, $t %scale, i64 %count,
  i1 %several, i64 %apart, i64 %results, i64 %jump) noinline nounwind {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %next ]
  %left = sub nsw i64 %count, %i
  %some = icmp sgt i64 %left, 0
  br i1 %some, label %row, label %done
row:
  %offset = mul nsw i64 %i, %pitch
  %first = getelementptr i8, ptr %a, i64 %offset
  %number = getelementptr $t, ptr %c, i64 %i
  %whole = icmp sge i64 %left, $group
  br i1 %whole, label %group, label %single
group:
  br i1 %several, label %group.several, label %group.one
group.several:
  late %axpys.several.loop = $axpys_several
  call void %axpys.several.loop(ptr %out, ptr %first, i64 %pitch, ptr %number, i64 %n,
    $t %scale, i64 %apart, i64 %results, i64 0)
  br label %next
group.one:
  %far = icmp ne i64 %jump, 0
  br i1 %far, label %group.far, label %group.near
group.far:
  late %axpys.far.loop = $axpys_far
  call void %axpys.far.loop(ptr %out, ptr %first, i64 %pitch, ptr %number, i64 %n,
    $t %scale, i64 %apart, i64 %results, i64 %jump)
  br label %next
group.near:
  late %axpys.near.loop = $axpys_near
  call void %axpys.near.loop(ptr %out, ptr %first, i64 %pitch, ptr %number, i64 %n,
    $t %scale, i64 %apart, i64 %results, i64 0)
  br label %next
single:
  br i1 %several, label %single.several, label %single.one
single.several:
  late %axpys.left.several.loop = $axpys_left_several
  call void %axpys.left.several.loop(ptr %out, ptr %first, i64 %pitch, ptr %number, i64 %n,
    $t %scale, i64 %apart, i64 %results, i64 0)
  br label %next
single.one:
  late %axpys.left.loop = $axpys_left
  call void %axpys.left.loop(ptr %out, ptr %first, i64 %pitch, ptr %number, i64 %n,
    $t %scale, i64 %apart, i64 %results, i64 0)
  br label %next
next:
  %done.rows = select i1 %whole, i64 $group, i64 1
  %i.next = add nsw i64 %i, %done.rows
  br label %head
done:
  ret void
}

; The product with the vector on the left, for blocks begin .. end.
define internal i32 @share_blocks(ptr %job, ptr %ctx, i64 %begin, i64 %end) nounwind {
entry:
  load fields rows out parts matrix pitch left m n height width across scale vectors apart
  %results = mul nsw i64 %n, %vectors
  %several = icmp sgt i64 %vectors, 1
  %group.rows = select i1 %several, i64 $group, i64 $panel
  %both = icmp ne ptr %rows, null
  br label %head
head:
  %b = phi i64 [ %begin, %entry ], [ %b.next, %groups ]
  %some = icmp slt i64 %b, %end
  br i1 %some, label %block, label %done
block:
  %b.next = add nsw i64 %b, 1
  %down = udiv i64 %b, %across
  %beside = urem i64 %b, %across
  %first.column = mul nsw i64 %beside, %width
  %columns.left = sub nsw i64 %n, %first.column
  %columns = call i64 @llvm.smin.i64(i64 %columns.left, i64 %width)
  %first = mul nsw i64 %down, %height
  %behind = add nsw i64 %first, %height
  %last = call i64 @llvm.smin.i64(i64 %behind, i64 %m)
  %is.first = icmp eq i64 %down, 0
  %part = sub nsw i64 %down, 1
  %part.offset = mul nsw i64 %part, %results
  %part.at = getelementptr $t, ptr %parts, i64 %part.offset
  %target.row = select i1 %is.first, ptr %out, ptr %part.at
  %target = getelementptr $t, ptr %target.row, i64 %first.column
  %columns.some = icmp sgt i64 %columns, 0
  %columns.positive = select i1 %columns.some, i64 %columns, i64 0
  %bytes = mul nsw i64 %columns.positive, $size
  %jump = call i64 @jump(i64 $group, i64 %pitch, i64 %columns.positive, i64 %m)
  br label %clear
clear:
  %z = phi i64 [ 0, %block ], [ %z.next, %clear ]
  %z.offset = mul nsw i64 %z, %n
  %z.out = getelementptr $t, ptr %target, i64 %z.offset
  call void @llvm.memset.p0.i64(ptr %z.out, i8 0, i64 %bytes, i1 false)
  %z.next = add nsw i64 %z, 1
  %z.more = icmp slt i64 %z.next, %vectors
  br i1 %z.more, label %clear, label %groups
groups:
  %i = phi i64 [ %first, %clear ], [ %stop, %pieces ]
  %more = icmp slt i64 %i, %last
  br i1 %more, label %group, label %head
group:
  %after = add nsw i64 %i, %group.rows
  %stop = call i64 @llvm.smin.i64(i64 %after, i64 %last)
  br i1 %both, label %sum, label %add
sum:
  call void @sums(ptr %job, i64 %i, i64 %stop)
  br label %add
add:
  %count = sub nsw i64 %stop, %i
  %offset = mul nsw i64 %i, %pitch
  %row = getelementptr i8, ptr %matrix, i64 %offset
  %a = getelementptr $t, ptr %row, i64 %first.column
  %c = getelementptr $t, ptr %left, i64 %i
  br label %pieces
pieces:
  ; Several vectors meet a piece of the rows while it is in the first-level cache.
  %p = phi i64 [ 0, %add ], [ %p.next, %vector ]
  %p.left = sub nsw i64 %columns.positive, %p
  %p.some = icmp sgt i64 %p.left, 0
  br i1 %p.some, label %piece, label %groups
piece:
  %p.most = select i1 %several, i64 $piece, i64 %columns.positive
  %p.width = call i64 @llvm.smin.i64(i64 %p.left, i64 %p.most)
  %p.next = add nsw i64 %p, %p.width
  %p.a = getelementptr $t, ptr %a, i64 %p
  %p.target = getelementptr $t, ptr %target, i64 %p
  br label %vector
vector:
  %v = phi i64 [ 0, %piece ], [ %v.next, %vector ]
  %v.offset = mul nsw i64 %v, %apart
  %v.c = getelementptr $t, ptr %c, i64 %v.offset
  %v.place = mul nsw i64 %v, %n
  %v.target = getelementptr $t, ptr %p.target, i64 %v.place
  %v.left = sub nsw i64 %vectors, %v
  %v.several = icmp sge i64 %v.left, $together
  call void @add_rows(ptr %v.target, ptr %p.a, i64 %pitch, ptr %v.c, i64 %p.width, $t %scale,
    i64 %count, i1 %v.several, i64 %apart, i64 %n, i64 %jump)
  %v.done = select i1 %v.several, i64 $together, i64 1
  %v.next = add nsw i64 %v, %v.done
  %v.more = icmp slt i64 %v.next, %vectors
  br i1 %v.more, label %vector, label %pieces
done:
  ret i32 0
}

define internal i32 @run(ptr %ctx, ptr %share, ptr %job, i64 %rounds, i32 %limit) nounwind {
  load fields m n vectors
  %matrix.elements = mul nsw i64 %m, %n
  %elements = mul nsw i64 %matrix.elements, %vectors
  %work = mul nsw i64 %elements, $work
  %status = call i32 @launched(ptr %ctx, ptr %share, ptr %job, i64 %rounds, i64 %work, i32 %limit)
  ret i32 %status
}

define internal i32 @by_rows(ptr %ctx, ptr %rows, ptr %matrix, i64 %pitch, ptr %right, i64 %m,
  i64 %n, $t %scale, i32 %limit, i64 %vectors, i64 %apart) nounwind {
  %job = alloca %job
  call void @describe(ptr %job, ptr %rows, ptr %matrix, i64 %pitch, ptr %right, i64 %m, i64 %n,
    $t %scale, i64 %vectors, i64 %apart, i64 %m)
  %up = add nsw i64 %m, $panel
  %more = sub nsw i64 %up, 1
  %rounds = udiv i64 %more, $panel
  %status = call i32 @run(ptr %ctx, ptr @share_rows, ptr %job, i64 %rounds, i32 %limit)
  ret i32 %status
}

; How many blocks of rows a matrix is cut into, and of columns.
define internal i64 @down(i64 %m) nounwind {
  %whole = lshr i64 %m, $height_shift
  %few = call i64 @llvm.umin.i64(i64 %whole, i64 $most_down)
  %some = call i64 @llvm.umax.i64(i64 %few, i64 1)
  ret i64 %some
}

define internal i64 @across(i64 %n) nounwind {
  %whole = lshr i64 %n, $width_shift
  %few = call i64 @llvm.umin.i64(i64 %whole, i64 $most_across)
  %some = call i64 @llvm.umax.i64(i64 %few, i64 1)
  ret i64 %some
}

; By blocks; `parts` has room for a row of results for each block of rows behind the first. Without
; `rows` there is one product, and only then there are blocks of columns.
define internal i32 @by_blocks(ptr %ctx, ptr %rows, ptr %out, ptr %parts, ptr %matrix, i64 %pitch,
  ptr %right, ptr %left, i64 %m, i64 %n, $t %scale, i32 %limit, i64 %vectors, i64 %apart)
  nounwind {
entry:
  %job = alloca %job
  call void @describe(ptr %job, ptr %rows, ptr %matrix, i64 %pitch, ptr %right, i64 %m, i64 %n,
    $t %scale, i64 %vectors, i64 %apart, i64 %n)
  %down = call i64 @down(i64 %m)
  %height.share = udiv i64 %m, %down
  %height.more = add nsw i64 %height.share, $panel
  %height = and i64 %height.more, -$panel
  %one = icmp eq ptr %rows, null
  %across.cut = call i64 @across(i64 %n)
  %across = select i1 %one, i64 %across.cut, i64 1
  %width.share = udiv i64 %n, %across
  %width.more = add nsw i64 %width.share, 64
  %width = and i64 %width.more, -64
  store fields out parts left height width across
  %rounds = mul nsw i64 %down, %across
  %status = call i32 @run(ptr %ctx, ptr @share_blocks, ptr %job, i64 %rounds, i32 %limit)
  %row = mul nsw i64 %n, %vectors
  %row.bytes = mul nsw i64 %row, $size
  %others = sub nsw i64 %down, 1
  br label %head
head:
  %k = phi i64 [ 0, %entry ], [ %k.next, %add ]
  %more = icmp slt i64 %k, %others
  br i1 %more, label %add, label %done
add:
  %k.next = add nsw i64 %k, 1
  %offset = mul nsw i64 %k, %row.bytes
  %part = getelementptr i8, ptr %parts, i64 %offset
  call void @add_rows(ptr %out, ptr %part, i64 %row.bytes, ptr @one, i64 %row, $t 1.0, i64 1,
    i1 false, i64 0, i64 0, i64 0)
  br label %head
done:
  ret i32 %status
}

; How many elements a product needs room for, besides its result: a vector, or a matrix, that is
; packed, and the results of blocks.
define i64 @${prefix}room_$part(i64 %m, i64 %n, i64 %down, i64 %across, i64 %step,
  i64 %vectors) nounwind {
  %dense = icmp eq i64 %step, 1
  %vector = select i1 %dense, i64 0, i64 %n
  %blocks = call i64 @down(i64 %n)
  %others = sub nsw i64 %blocks, 1
  %results = mul nsw i64 %m, %vectors
  %parts = mul nsw i64 %others, %results
  %whole = mul nsw i64 %m, %n
  %columns = icmp eq i64 %down, 1
  %matrix = select i1 %columns, i64 %parts, i64 %whole
  %rows = icmp eq i64 %across, 1
  %rest = select i1 %rows, i64 0, i64 %matrix
  %room = add nsw i64 %vector, %rest
  %none = icmp eq i64 %results, 0
  %some = select i1 %none, i64 0, i64 %room
  ret i64 %some
}

; The product of an m x n matrix, with these distances between its rows and columns, and a vector,
; or several ones that lie `apart` and whose elements lie together.
define i32 @${prefix}matvec_$part(ptr %ctx, ptr %out, ptr %room, ptr %matrix, i64 %m, i64 %n,
  i64 %down, i64 %across, ptr %vector, i64 %step, $t %scale, i32 %limit, i64 %vectors, i64 %apart)
  nounwind {
entry:
  ; Without a result there may be more vectors, or elements of one, than anybody could walk over.
  %results = mul i64 %m, %vectors
  %none = icmp eq i64 %results, 0
  br i1 %none, label %nothing, label %some
nothing:
  ret i32 0
some:
  %single = icmp eq i64 %vectors, 1
  br i1 %single, label %ask, label %own
ask:
  %status = call i32 @by_blas(ptr %ctx, ptr %out, ptr %matrix, i64 %m, i64 %n, i64 %down,
    i64 %across, ptr %vector, i64 %step, i32 %limit)
  %left = icmp slt i32 %status, 0
  br i1 %left, label %own, label %asked
asked:
  ret i32 %status
own:
  %x = call ptr @packed(ptr %vector, i64 %n, i64 %step, ptr %room)
  %dense = icmp eq i64 %step, 1
  %used = select i1 %dense, i64 0, i64 %n
  %rest = getelementptr $t, ptr %room, i64 %used
  %rows = icmp eq i64 %across, 1
  br i1 %rows, label %by.rows, label %others
by.rows:
  %pitch = mul nsw i64 %down, $size
  %first = call i32 @by_rows(ptr %ctx, ptr %out, ptr %matrix, i64 %pitch, ptr %x, i64 %m, i64 %n,
    $t %scale, i32 %limit, i64 %vectors, i64 %apart)
  ret i32 %first
others:
  %columns = icmp eq i64 %down, 1
  br i1 %columns, label %by.columns, label %pack
by.columns:
  %pitch.across = mul nsw i64 %across, $size
  %second = call i32 @by_blocks(ptr %ctx, ptr null, ptr %out, ptr %rest, ptr %matrix,
    i64 %pitch.across, ptr null, ptr %x, i64 %n, i64 %m, $t %scale, i32 %limit, i64 %vectors,
    i64 %apart)
  ret i32 %second
pack:
  call void @${prefix}pack_$part(ptr %matrix, i64 %m, i64 %n, i64 %down, i64 %across, ptr %rest)
  %packed.pitch = mul nsw i64 %n, $size
  %third = call i32 @by_rows(ptr %ctx, ptr %out, ptr %rest, i64 %packed.pitch, ptr %x, i64 %m,
    i64 %n, $t %scale, i32 %limit, i64 %vectors, i64 %apart)
  ret i32 %third
}

; Both products: rows = matrix @ right, and out = left @ matrix. There is room for both.
define i32 @${prefix}both_$part(ptr %ctx, ptr %rows, ptr %out, ptr %room, ptr %matrix, i64 %m,
  i64 %n, i64 %down, i64 %across, ptr %right, i64 %right.step, ptr %left, i64 %left.step,
  $t %scale, i32 %limit) nounwind {
entry:
  ; A product without a result has no room for its vector.
  %elements = mul i64 %m, %n
  %some = icmp ne i64 %elements, 0
  %dense = icmp eq i64 %across, 1
  ; One whose matrix may be read either way, as a column may, has none for results of blocks.
  %columns = icmp ne i64 %down, 1
  %wide = and i1 %dense, %columns
  %passes = and i1 %some, %wide
  br i1 %passes, label %together, label %apart
together:
  %x = call ptr @packed(ptr %right, i64 %n, i64 %right.step, ptr %room)
  %right.dense = icmp eq i64 %right.step, 1
  %right.used = select i1 %right.dense, i64 0, i64 %n
  %rest = getelementptr $t, ptr %room, i64 %right.used
  %c = call ptr @packed(ptr %left, i64 %m, i64 %left.step, ptr %rest)
  %left.dense = icmp eq i64 %left.step, 1
  %left.used = select i1 %left.dense, i64 0, i64 %m
  %parts = getelementptr $t, ptr %rest, i64 %left.used
  %pitch = mul nsw i64 %down, $size
  %status = call i32 @by_blocks(ptr %ctx, ptr %rows, ptr %out, ptr %parts, ptr %matrix, i64 %pitch,
    ptr %x, ptr %c, i64 %m, i64 %n, $t %scale, i32 %limit, i64 1, i64 0)
  ret i32 %status
apart:
  %first = call i32 @${prefix}matvec_$part(ptr %ctx, ptr %rows, ptr %room, ptr %matrix, i64 %m,
    i64 %n, i64 %down, i64 %across, ptr %right, i64 %right.step, $t %scale, i32 %limit,
    i64 1, i64 0)
  %failed = icmp ne i32 %first, 0
  br i1 %failed, label %end, label %go.on
go.on:
  %second = call i32 @${prefix}matvec_$part(ptr %ctx, ptr %out, ptr %room, ptr %matrix, i64 %n,
    i64 %m, i64 %across, i64 %down, ptr %left, i64 %left.step, $t %scale, i32 %limit,
    i64 1, i64 0)
  ret i32 %second
end:
  ret i32 %first
}
"""
_WALK = Template(with_fields(_JOB, _TEXT.replace("$job", ", ".join(_JOB.values()))))
