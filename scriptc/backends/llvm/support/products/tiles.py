"""Products of two matrices in tiles of registers, as LLVM IR: for processors with AVX-512.

    sc.part.product_tiles_f64    out = a @ b, for matrices of any layout
    sc.part.room_tiles_f64       how many elements that needs room for, besides the result

A tile is eight rows of results, three vectors of 512 bits wide, which stay in registers while a
loop adds to them, for each element that two matrices have in common, the eight numbers of `a` times
three vectors of `b`.  `a` is read where it lies, as each of its lines stays in the first cache as
long as it is needed.  Tiles go over the rows of `a` for a block of `b`, `_DEPTH` rows and
`_COLUMNS` tiles wide, that the second cache holds.  It is read where it lies, too, unless it is in
columns, or its rows displace each other from caches and many rows of `a` meet them; then it is
copied first.  This is the algorithm of Goto and van de Geijn (Anatomy of high-performance matrix
multiplication, 2008), with the roles that row-major results ask for, and fewer copies.

An element of the result is the sum of its products in order, each added by a fused multiplication
and addition, whoever computes it: threads share tiles.

Of a matrix times its own transpose the tiles above the diagonal are computed, and mirrored.
"""

from collections.abc import Iterator
from string import Template

from scriptc.backends.llvm.loading.machine_code import PART_PREFIX
from scriptc.backends.llvm.support import late
from scriptc.backends.llvm.support.jobs import LAUNCHED, with_fields
from scriptc.backends.llvm.support.transpose import turning
from scriptc.backends.llvm.vectors.reductions import TYPES
from scriptc_runtime.record import record

PART = "tiles_"  # what the names of the parts begin with
_BITS = 512
# Of the 32 registers, 24 hold a tile, three a row of `b`, and one a number of `a`.
_ROWS, _VECTORS = 8, 3
_DEPTH = 256  # rows of `b` in a block
_COLUMNS = 10  # tiles side by side in a block: half a megabyte of `b`, with all of its rows
# Rows of `a` up to which copies of `b` cost more than they gain.
_FEW = 32
# Bytes of a block of `b`, with what lies between its rows, that the second cache holds.
_NEAR = 1 << 19
# Rows that lie a multiple of these bytes and one apart displace each other from caches.
_SPREAD = (1 << 10) - 1
# The power of two that says how many multiplications are a unit of `work.py`, by the bits of an
# element.
_WORK_SHIFT = {64: 3, 32: 4}


# What threads know of a product.
_JOB = {
    "out": "ptr",
    "pitch": "i64",  # bytes from one row of results to the next
    "a": "ptr",  # in this block, as `b`
    "a.pitch": "i64",
    "a.step": "i64",  # bytes from one column of `a` to the next
    "b": "ptr",
    "b.pitch": "i64",
    "b.step": "i64",
    "room": "ptr",  # the copy of `b`, or null
    "m": "i64",
    "n": "i64",
    "depth": "i64",  # of this block
    "again": "i1",  # whether there are results of blocks before
    "symmetric": "i1",
}


@record
class _Kind:
    """What tiles of an element type are made of."""

    dtype: str

    @property
    def scalar(self) -> str:
        """The LLVM type of an element."""
        return TYPES[self.dtype].llvm

    @property
    def bytes(self) -> int:
        """Bytes of an element."""
        return TYPES[self.dtype].bits // 8

    @property
    def lanes(self) -> int:
        """Elements of a vector."""
        return _BITS // TYPES[self.dtype].bits

    @property
    def vector(self) -> str:
        """The LLVM type of a vector."""
        return TYPES[self.dtype].shape(self.lanes)

    @property
    def mask(self) -> str:
        """The LLVM type of a mask."""
        return f"<{self.lanes} x i1>"

    def intrinsic(self, name: str) -> str:
        """Return the name of an intrinsic function for vectors."""
        return f"@llvm.{name}.v{self.lanes}{self.dtype}"

    def load(self, at: str, mask: str = "") -> str:
        """Return the load of a vector, or of the lanes in a mask; others are zero."""
        if not mask:
            return f"load {self.vector}, ptr {at}, align {self.bytes}"
        load = f"call {self.vector} {self.intrinsic('masked.load')}.p0"
        place = f"ptr align {self.bytes} {at}, {self.mask} {mask}"
        return f"{load}({place}, {self.vector} zeroinitializer)"

    def store(self, value: str, at: str, *, masked: bool) -> str:
        """Return the store of a vector, or of the lanes in the mask."""
        if not masked:
            return f"store {self.vector} {value}, ptr {at}, align {self.bytes}"
        store = f"call void {self.intrinsic('masked.store')}.p0"
        return f"{store}({self.vector} {value}, ptr align {self.bytes} {at}, {self.mask} %mask)"


def available(features: str) -> bool:
    """Return whether a processor with these features computes products in tiles."""
    return "+avx512f" in features


def product_symbol(dtype: str) -> str:
    """Return the symbol of what computes a product."""
    return f"{PART_PREFIX}product_{PART}{dtype}"


def room_symbol(dtype: str) -> str:
    """Return the symbol of what says how much room a product needs."""
    return f"{PART_PREFIX}room_{PART}{dtype}"


def tiles_text(part: str) -> str:
    """Return the text of a part."""
    kind = _Kind(part.removeprefix(PART))
    turn = turning(kind.bytes * 8)
    tiles = "\n".join(_tile(kind, vectors) for vectors in range(1, _VECTORS + 1))
    columns = _VECTORS * kind.lanes
    text = _TEXT.substitute(
        product=product_symbol(kind.dtype),
        room=room_symbol(kind.dtype),
        turn=late.cell(turn),
        job=", ".join(_JOB.values()),
        t=kind.scalar,
        v=kind.vector,
        mask=kind.mask,
        iota=", ".join(f"i32 {lane}" for lane in range(kind.lanes)),
        load=kind.intrinsic("masked.load"),
        store=kind.intrinsic("masked.store"),
        fma=kind.intrinsic("fma"),
        size=kind.bytes,
        lanes=kind.lanes,
        past=kind.lanes - 1,
        two=2 * kind.lanes,
        rows=_ROWS,
        columns=columns,
        block=_COLUMNS * columns,
        depth=_DEPTH,
        few=_FEW,
        near=_NEAR,
        spread=_SPREAD,
        shift=_WORK_SHIFT[kind.bytes * 8],
    )
    return late.with_late(
        with_fields(_JOB, "\n".join((late.late_text([turn]), LAUNCHED, tiles, text)))
    )


def _tile(kind: _Kind, vectors: int) -> str:
    """Return the function that computes a tile so many vectors wide; the mask is of the last one.

    It has eight rows, of which the last ones may be the same, and are not stored.
    """
    lines = [
        f"define internal void @tile{vectors}(ptr %out, i64 %pitch, ptr %a, i64 %a.pitch,",
        f"  i64 %a.step, i64 %rows, ptr %b, i64 %b.pitch, i64 %depth, {kind.mask} %mask,",
        "  i1 %again) noinline nounwind {",
        "entry:",
        *_starts(kind, vectors),
        "loop:",
        *_iteration(kind, vectors),
        "  br i1 %more, label %loop, label %row0",
        *(line for row in range(_ROWS) for line in _row_stored(kind, vectors, row)),
        f"row{_ROWS}:",
        "  ret void",
        "}",
    ]
    return "\n".join(lines)


def _starts(kind: _Kind, vectors: int) -> Iterator[str]:
    """Yield where rows of `a` lie, and the results that there are of blocks before."""
    yield "  %last = sub nsw i64 %rows, 1"
    for row in range(_ROWS):
        yield f"  %row{row}.number = call i64 @llvm.smin.i64(i64 {row}, i64 %last)"
        yield f"  %row{row}.offset = mul i64 %row{row}.number, %a.pitch"
        yield f"  %a{row} = getelementptr i8, ptr %a, i64 %row{row}.offset"
    yield "  br i1 %again, label %go.on, label %loop"
    yield "go.on:"
    for row in range(_ROWS):
        yield f"  %old{row}.offset = mul i64 %row{row}.number, %pitch"
        yield f"  %old{row} = getelementptr i8, ptr %out, i64 %old{row}.offset"
        for k in range(vectors):
            place = f"%old{row}.{k}.at"
            yield f"  {place} = getelementptr i8, ptr %old{row}, i64 {k * _BITS // 8}"
            yield f"  %old{row}.{k} = {kind.load(place, '%mask' if k == vectors - 1 else '')}"
    yield "  br label %loop"


def _iteration(kind: _Kind, vectors: int) -> Iterator[str]:
    """Yield what is done for an element of each row of `a`, and a row of `b`."""
    v = kind.vector
    for t, name, start in (("i64", "left", "%depth"), ("i64", "at", "0"), ("ptr", "from", "%b")):
        begins = f"[ {start}, %entry ], [ {start}, %go.on ]"
        yield f"  %{name} = phi {t} {begins}, [ %{name}.next, %loop ]"
    for row in range(_ROWS):
        for k in range(vectors):
            begins = f"[ zeroinitializer, %entry ], [ %old{row}.{k}, %go.on ]"
            yield f"  %s{row}.{k} = phi {v} {begins}, [ %n{row}.{k}, %loop ]"
    for k in range(vectors):
        yield f"  %b{k}.at = getelementptr i8, ptr %from, i64 {k * _BITS // 8}"
        yield f"  %b{k} = {kind.load(f'%b{k}.at', '%mask' if k == vectors - 1 else '')}"
    lanes = f"<{kind.lanes} x i32> zeroinitializer"
    for row in range(_ROWS):
        yield f"  %x{row}.at = getelementptr i8, ptr %a{row}, i64 %at"
        yield f"  %x{row} = load {kind.scalar}, ptr %x{row}.at, align {kind.bytes}"
        yield f"  %y{row} = insertelement {v} poison, {kind.scalar} %x{row}, i64 0"
        yield f"  %z{row} = shufflevector {v} %y{row}, {v} poison, {lanes}"
        for k in range(vectors):
            factors = f"{v} %z{row}, {v} %b{k}, {v} %s{row}.{k}"
            yield f"  %n{row}.{k} = call {v} {kind.intrinsic('fma')}({factors})"
    yield "  %left.next = sub nsw i64 %left, 1"
    yield "  %at.next = add i64 %at, %a.step"
    yield "  %from.next = getelementptr i8, ptr %from, i64 %b.pitch"
    yield "  %more = icmp sgt i64 %left.next, 0"


def _row_stored(kind: _Kind, vectors: int, row: int) -> Iterator[str]:
    """Yield what stores a row of a tile, or adds it to the results that there are."""
    yield f"row{row}:"
    yield f"  %is{row} = icmp sgt i64 %rows, {row}"
    yield f"  br i1 %is{row}, label %some{row}, label %row{_ROWS}"
    yield f"some{row}:"
    yield f"  %far{row} = mul i64 %pitch, {row}"
    yield f"  %out{row} = getelementptr i8, ptr %out, i64 %far{row}"
    for k in range(vectors):
        yield f"  %o{row}.{k} = getelementptr i8, ptr %out{row}, i64 {k * _BITS // 8}"
        yield f"  {kind.store(f'%n{row}.{k}', f'%o{row}.{k}', masked=k == vectors - 1)}"
    yield f"  br label %row{row + 1}"


_TEXT = Template("""\
declare i64 @llvm.smin.i64(i64, i64)
declare $v $load.p0(ptr, $mask, $v)
declare void $store.p0($v, ptr, $mask)
declare $v $fma($v, $v, $v)

%job = type { $job }

; Whether `b` is read where it lies.
define internal i1 @is_near(i64 %m, i64 %k, i64 %b.down, i64 %b.across) nounwind {
  %dense = icmp eq i64 %b.across, 1
  %forward = icmp sge i64 %b.down, 0
  %few = icmp sle i64 %m, $few
  %row = mul i64 %b.down, $size
  %depth = call i64 @llvm.smin.i64(i64 %k, i64 $depth)
  %bytes = mul i64 %depth, %row
  %small = icmp sle i64 %bytes, $near
  %rest = and i64 %row, $spread
  %apart = icmp ne i64 %rest, 0
  %fits = or i1 %small, %apart
  %close = and i1 %fits, %forward
  %either = or i1 %few, %close
  %near = and i1 %dense, %either
  ret i1 %near
}

define i64 @$room(i64 %m, i64 %k, i64 %n, i64 %b.down, i64 %b.across) nounwind {
  %near = call i1 @is_near(i64 %m, i64 %k, i64 %b.down, i64 %b.across)
  %depth = call i64 @llvm.smin.i64(i64 %k, i64 $depth)
  %columns = call i64 @whole(i64 %n)
  %copy = mul i64 %depth, %columns
  %room = select i1 %near, i64 0, i64 %copy
  ret i64 %room
}

; Copies of some blocks of columns of `b`: of each part that a tile is wide its rows, one after the
; other.  Rows of a block are read as a whole.
define internal i32 @share_copies(ptr %job, ptr %ctx, i64 %begin, i64 %end) nounwind {
entry:
  load fields b b.pitch b.step room n depth
  %in.rows = icmp eq i64 %b.step, $size
  %in.columns = icmp eq i64 %b.pitch, $size
  %step = sdiv exact i64 %b.step, $size
  br label %head
head:
  %block = phi i64 [ %begin, %entry ], [ %block.next, %turns ], [ %block.next, %rows ]
  %block.next = add nsw i64 %block, 1
  %block.some = icmp slt i64 %block, %end
  %j.first = mul nsw i64 %block, $block
  %j.past = mul nsw i64 %block.next, $block
  %j.end = call i64 @llvm.smin.i64(i64 %j.past, i64 %n)
  br i1 %block.some, label %choose, label %finished
choose:
  br i1 %in.columns, label %turns, label %rows
turns:
  %u = phi i64 [ %j.first, %choose ], [ %u.next, %turn.loaded ]
  %u.next = add nsw i64 %u, $columns
  %u.left = sub nsw i64 %j.end, %u
  %u.some = icmp sgt i64 %u.left, 0
  br i1 %u.some, label %turned, label %head
turned:
  %u.width = call i64 @llvm.smin.i64(i64 %u.left, i64 $columns)
  %u.whole = call i64 @whole(i64 %u.width)
  %u.place = mul nsw i64 %u, %depth
  %u.to = getelementptr $t, ptr %room, i64 %u.place
  %u.across = mul nsw i64 %u, %b.step
  %u.from = getelementptr i8, ptr %b, i64 %u.across
  late %turn = $turn
  call void %turn(ptr %u.to, i64 %u.whole, ptr %u.from, i64 %step, i64 %depth, i64 %u.width)
  br label %turns
rows:
  %k = phi i64 [ 0, %choose ], [ %k.next, %parts ]
  %k.next = add nsw i64 %k, 1
  %k.some = icmp slt i64 %k, %depth
  %down = mul nsw i64 %k, %b.pitch
  %row = getelementptr i8, ptr %b, i64 %down
  br i1 %k.some, label %parts, label %head
parts:
  %j = phi i64 [ %j.first, %rows ], [ %j.next, %part.done ]
  %j.next = add nsw i64 %j, $columns
  %left = sub nsw i64 %j.end, %j
  %some = icmp sgt i64 %left, 0
  br i1 %some, label %part, label %rows
part:
  %width = call i64 @llvm.smin.i64(i64 %left, i64 $columns)
  %whole = call i64 @whole(i64 %width)
  %before = mul nsw i64 %j, %depth
  %inside = mul nsw i64 %k, %whole
  %place = add nsw i64 %before, %inside
  %to = getelementptr $t, ptr %room, i64 %place
  %across = mul nsw i64 %j, %b.step
  %from = getelementptr i8, ptr %row, i64 %across
  br i1 %in.rows, label %vector, label %element
vector:
  %q = phi i64 [ 0, %part ], [ %q.next, %vector ]
  %q.left = sub nsw i64 %width, %q
  %mask = call $mask @mask(i64 %q.left)
  %q.from = getelementptr $t, ptr %from, i64 %q
  %q.to = getelementptr $t, ptr %to, i64 %q
  %q.value = call $v $load.p0(ptr align $size %q.from, $mask %mask, $v zeroinitializer)
  store $v %q.value, ptr %q.to, align $size
  %q.next = add nsw i64 %q, $lanes
  %q.more = icmp slt i64 %q.next, %width
  br i1 %q.more, label %vector, label %part.done
element:
  %e = phi i64 [ 0, %part ], [ %e.next, %element ]
  %e.offset = mul nsw i64 %e, %b.step
  %e.from = getelementptr i8, ptr %from, i64 %e.offset
  %e.to = getelementptr $t, ptr %to, i64 %e
  %e.value = load $t, ptr %e.from, align $size
  store $t %e.value, ptr %e.to, align $size
  %e.next = add nsw i64 %e, 1
  %e.more = icmp slt i64 %e.next, %width
  br i1 %e.more, label %element, label %part.done
part.done:
  br label %parts
finished:
  ret i32 0
}

; Columns of a part, with those that make its last vector whole.
define internal i64 @whole(i64 %width) alwaysinline nounwind {
  %past = add nsw i64 %width, $past
  %whole = and i64 %past, -$lanes
  ret i64 %whole
}

; Lanes in front of the first `count`, which may be more than there are.
define internal $mask @mask(i64 %count) alwaysinline nounwind {
  %some = call i64 @llvm.smin.i64(i64 %count, i64 $lanes)
  %number = trunc i64 %some to i32
  %first = insertelement <$lanes x i32> poison, i32 %number, i64 0
  %all = shufflevector <$lanes x i32> %first, <$lanes x i32> poison, <$lanes x i32> zeroinitializer
  %mask = icmp ult <$lanes x i32> <$iota>, %all
  ret $mask %mask
}

; Groups of rows in order, for one block of columns after the other.
define internal i32 @share_tiles(ptr %job, ptr %ctx, i64 %begin, i64 %end) nounwind {
entry:
  load fields out pitch a a.pitch a.step b b.pitch room m n depth again symmetric
  %groups.past = add nsw i64 %m, ${rows}
  %groups.up = sub nsw i64 %groups.past, 1
  %groups = sdiv i64 %groups.up, $rows
  %is.copy = icmp ne ptr %room, null
  br label %head
head:
  %number = phi i64 [ %begin, %entry ], [ %number.next, %tiles ]
  %number.next = add nsw i64 %number, 1
  %some = icmp slt i64 %number, %end
  br i1 %some, label %strip, label %finished
strip:
  %block = sdiv i64 %number, %groups
  %group = srem i64 %number, %groups
  %i = mul nsw i64 %group, $rows
  %i.left = sub nsw i64 %m, %i
  %rows = call i64 @llvm.smin.i64(i64 %i.left, i64 $rows)
  %a.offset = mul nsw i64 %i, %a.pitch
  %a.rows = getelementptr i8, ptr %a, i64 %a.offset
  %out.offset = mul nsw i64 %i, %pitch
  %out.rows = getelementptr i8, ptr %out, i64 %out.offset
  %block.start = mul nsw i64 %block, $block
  %block.past = add nsw i64 %block.start, $block
  %block.end = call i64 @llvm.smin.i64(i64 %block.past, i64 %n)
  br label %tiles
tiles:
  %j = phi i64 [ %block.start, %strip ], [ %j.next, %tile.done ]
  %j.next = add nsw i64 %j, $columns
  %tile.some = icmp slt i64 %j, %block.end
  br i1 %tile.some, label %tile, label %head
tile:
  ; Below the diagonal, where the last column is in front of the first row.
  %is.below = icmp sle i64 %j.next, %i
  %skipped = and i1 %is.below, %symmetric
  br i1 %skipped, label %tile.done, label %computed
computed:
  %left = sub nsw i64 %n, %j
  %width = call i64 @llvm.smin.i64(i64 %left, i64 $columns)
  %columns = call i64 @whole(i64 %width)
  %columns.bytes = mul nsw i64 %columns, $size
  %before = sub nsw i64 %columns, $lanes
  %lanes.left = sub nsw i64 %width, %before
  %mask = call $mask @mask(i64 %lanes.left)
  %j.bytes = mul nsw i64 %j, $size
  %o = getelementptr i8, ptr %out.rows, i64 %j.bytes
  %copy.offset = mul nsw i64 %j.bytes, %depth
  %copy = getelementptr i8, ptr %room, i64 %copy.offset
  %there = getelementptr i8, ptr %b, i64 %j.bytes
  %from = select i1 %is.copy, ptr %copy, ptr %there
  %from.pitch = select i1 %is.copy, i64 %columns.bytes, i64 %b.pitch
  %one = icmp sle i64 %width, $lanes
  %few = icmp sle i64 %width, $two
  %less = select i1 %one, ptr @tile1, ptr @tile2
  %compute = select i1 %few, ptr %less, ptr @tile3
  call void %compute(ptr %o, i64 %pitch, ptr %a.rows, i64 %a.pitch, i64 %a.step, i64 %rows,
    ptr %from, i64 %from.pitch, i64 %depth, $mask %mask, i1 %again)
  br label %tile.done
tile.done:
  br label %tiles
finished:
  ret i32 0
}

; How many pieces of a size there are, the last of which may be smaller.
define internal i64 @pieces(i64 %all, i64 %size) alwaysinline nounwind {
  %up = add nsw i64 %all, %size
  %past = sub nsw i64 %up, 1
  %pieces = sdiv i64 %past, %size
  ret i64 %pieces
}

define i32 @$product(ptr %ctx, ptr %out, ptr %given, ptr %a.all, i64 %m, i64 %k, i64 %a.down,
  i64 %a.across, ptr %b.all, i64 %n, i64 %b.down, i64 %b.across, i1 %symmetric, i32 %limit)
  nounwind {
entry:
  %job = alloca %job
  %near = call i1 @is_near(i64 %m, i64 %k, i64 %b.down, i64 %b.across)
  %room = select i1 %near, ptr null, ptr %given
  %pitch = mul nsw i64 %n, $size
  %a.pitch = mul nsw i64 %a.down, $size
  %a.step = mul nsw i64 %a.across, $size
  %b.pitch = mul nsw i64 %b.down, $size
  %b.step = mul nsw i64 %b.across, $size
  store fields out pitch a.pitch a.step b.pitch b.step room m n symmetric
  %groups = call i64 @pieces(i64 %m, i64 $rows)
  %blocks = call i64 @pieces(i64 %n, i64 $block)
  %rounds = mul nsw i64 %groups, %blocks
  %results = mul nsw i64 %m, %n
  br label %head
head:
  %done = phi i64 [ 0, %entry ], [ %done.next, %tiles ]
  %left = sub nsw i64 %k, %done
  %some = icmp sgt i64 %left, 0
  br i1 %some, label %piece, label %finished
piece:
  %depth = call i64 @llvm.smin.i64(i64 %left, i64 $depth)
  %done.next = add nsw i64 %done, %depth
  %again = icmp sgt i64 %done, 0
  %a.offset = mul nsw i64 %done, %a.step
  %a = getelementptr i8, ptr %a.all, i64 %a.offset
  %b.offset = mul nsw i64 %done, %b.pitch
  %b = getelementptr i8, ptr %b.all, i64 %b.offset
  store fields a b depth again
  br i1 %near, label %tiles, label %copies
copies:
  %copied = mul nsw i64 %depth, %n
  %copied.status = call i32 @launched(ptr %ctx, ptr @share_copies, ptr %job, i64 %blocks,
    i64 %copied, i32 %limit)
  %copied.well = icmp eq i32 %copied.status, 0
  br i1 %copied.well, label %tiles, label %failed
tiles:
  %products = mul nsw i64 %results, %depth
  %work = lshr i64 %products, $shift
  %status = call i32 @launched(ptr %ctx, ptr @share_tiles, ptr %job, i64 %rounds, i64 %work,
    i32 %limit)
  %well = icmp eq i32 %status, 0
  br i1 %well, label %head, label %failed
failed:
  %why = phi i32 [ %copied.status, %copies ], [ %status, %tiles ]
  ret i32 %why
finished:
  ret i32 0
}
""")
