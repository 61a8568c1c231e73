"""The routines that copy a matrix whose columns lie along memory to one whose rows do.

    sc.part.turn_columns_64    out[i, j] = data[i, j] of such elements; steps count elements
    sc.part.rows_columns_64    a new array with such a copy, shared among threads

They take eight elements of eight columns to registers and store them as eight rows, so a line of
memory is read once, where row by row it would be gone before the next row comes. Strips of rows
are some lines high: what is read of a column lies side by side, and the processor comes to the next
page of memory as much less often.

For elements of so many bits this is an object of its own, compiled when the first function needs
it, once per cache. LLVM chooses registers with care in it, which it does not in other support code:
what was kept in memory meanwhile took as long as the copy.
"""

from collections.abc import Iterator
from string import Template

from scriptc.backends.llvm.loading.abi import BLOCK_HEADER
from scriptc.backends.llvm.loading.machine_code import PART_PREFIX
from scriptc_runtime.record import record

PART = "columns_"  # what the names of the parts begin with
WIDTHS = (32, 64)  # bits: blocks of smaller elements would take as long to compile as all the rest
SIDE = 8  # rows and columns of a block
_LINES = 16 * 512  # bits: of a column in a strip
# Elements that are copied for a nest: fewer are done before a copy has begun, and a copy of more
# takes memory that is missed.
_LEAST, _MOST = 1 << 8, 1 << 25
# Rows that a thread copies at least. The last one to begin takes what is left as well.
_STRIP = 16
_WORK = 2  # of an element, in the units of `work.py`


def turning(bits: int) -> str:
    """Return the symbol of what copies a matrix of such elements."""
    return f"{PART_PREFIX}turn_{PART}{bits}"


def in_rows(bits: int) -> str:
    """Return the symbol of what makes an array with a copy of a matrix of such elements."""
    return f"{PART_PREFIX}rows_{PART}{bits}"


def transpose_text(part: str) -> str:
    """Return the text of a part."""
    bits = int(part.removeprefix(PART))
    block = "\n".join(_block(f"<{SIDE} x i{bits}>", bits))
    names = {"turn": turning(bits), "bits": bits, "side": SIDE, "strip": _STRIP}
    turn = _TURN.substitute(names, lines=_LINES // bits, block=block)
    return "\n".join(
        (turn, instead_of_columns(in_rows(bits), _COPY, bits), _SHARE.substitute(names))
    )


@record
class InsteadOfColumns:
    """What is made of a matrix in columns, to be read instead of it."""

    size: str  # its elements, as a value
    columns: str
    down: str  # its strides
    across: str
    side: int  # rows that the matrix has at least
    most: int  # elements of the matrix
    strip: int  # rows that a thread takes at least
    work: int  # of an element, in the units of `work.py`


_COPY = InsteadOfColumns("%count", "%columns", "%columns", "1", SIDE, _MOST, _STRIP, _WORK)


def instead_of_columns(symbol: str, made: InsteadOfColumns, bits: int) -> str:
    """Return the text of a routine that makes an array of a matrix whose columns are contiguous.

    The function @share, which its text lacks, computes strips of rows of it.
    """
    return _INSTEAD.substitute(
        symbol=symbol,
        bytes=bits // 8,
        header=BLOCK_HEADER,
        least=_LEAST,
        amount=made.size,
        columns=made.columns,
        down=made.down,
        across=made.across,
        side=made.side,
        most=made.most,
        strip=made.strip,
        work=made.work,
    )


def _block(v: str, bits: int) -> Iterator[str]:
    """Yield the code for a block: halves of pairs of vectors are exchanged in three iterations."""
    for k in range(SIDE):
        yield f"  %c{k} = add i64 %column, {k}"
        yield f"  %c{k}.far = mul i64 %c{k}, %step"
        yield f"  %c{k}.place = add i64 %c{k}.far, %row"
        yield f"  %c{k}.at = getelementptr i{bits}, ptr %data, i64 %c{k}.place"
        yield f"  %v0.{k} = load {v}, ptr %c{k}.at, align {bits // 8}"
    for number, half in enumerate((1, 2, 4)):
        for k in range(SIDE):
            # Of the two vectors so far apart, each gets the other's half of its own lanes.
            start = half if k & half else 0
            lanes = ((n & ~half) + start + (SIDE if n & half else 0) for n in range(SIDE))
            mask = ", ".join(f"i32 {lane}" for lane in lanes)
            yield (
                f"  %v{number + 1}.{k} = shufflevector {v} %v{number}.{k & ~half},"
                f" {v} %v{number}.{k | half}, <{SIDE} x i32> <{mask}>"
            )
    for k in range(SIDE):
        yield f"  %r{k} = add i64 %row, {k}"
        yield f"  %r{k}.far = mul i64 %r{k}, %pitch"
        yield f"  %r{k}.place = add i64 %r{k}.far, %column"
        yield f"  %r{k}.at = getelementptr i{bits}, ptr %out, i64 %r{k}.place"
        yield f"  store {v} %v3.{k}, ptr %r{k}.at, align {bits // 8}"


# The last block of a row or a column of them ends where the matrix does, and overlaps the one
# before. What no block fits into is copied one element after the other.
_TURN = Template("""\
define void @$turn(ptr %out, i64 %pitch, ptr %data, i64 %step, i64 %rows,
    i64 %columns) nounwind {
entry:
  %row.last = sub i64 %rows, $side
  %column.last = sub i64 %columns, $side
  %tall = icmp sge i64 %row.last, 0
  %wide = icmp sge i64 %column.last, 0
  %fits = and i1 %tall, %wide
  br i1 %fits, label %strip, label %row.head
strip:
  %first = phi i64 [ 0, %entry ], [ %below, %across ]
  %below = add i64 %first, $lines
  %inside = icmp slt i64 %below, %rows
  %stop = select i1 %inside, i64 %below, i64 %rows
  %some = icmp slt i64 %first, %rows
  br i1 %some, label %across, label %done
across:
  %j = phi i64 [ 0, %strip ], [ %j.next, %down ]
  %j.next = add i64 %j, $side
  %j.fits = icmp slt i64 %j, %column.last
  %column = select i1 %j.fits, i64 %j, i64 %column.last
  %j.some = icmp slt i64 %j, %columns
  br i1 %j.some, label %down, label %strip
down:
  %i = phi i64 [ %first, %across ], [ %i.next, %block ]
  %i.some = icmp slt i64 %i, %stop
  br i1 %i.some, label %block, label %across
block:
  %i.fits = icmp slt i64 %i, %row.last
  %row = select i1 %i.fits, i64 %i, i64 %row.last
$block
  %i.next = add i64 %i, $side
  br label %down
row.head:
  %y = phi i64 [ 0, %entry ], [ %y.next, %one.head ]
  %y.next = add i64 %y, 1
  %y.far = mul i64 %y, %pitch
  %y.some = icmp slt i64 %y, %rows
  br i1 %y.some, label %one.head, label %done
one.head:
  %x = phi i64 [ 0, %row.head ], [ %x.next, %one ]
  %x.some = icmp slt i64 %x, %columns
  br i1 %x.some, label %one, label %row.head
one:
  %x.far = mul i64 %x, %step
  %from = add i64 %x.far, %y
  %from.at = getelementptr i$bits, ptr %data, i64 %from
  %element = load i$bits, ptr %from.at
  %to = add i64 %y.far, %x
  %to.at = getelementptr i$bits, ptr %out, i64 %to
  store i$bits %element, ptr %to.at
  %x.next = add i64 %x, 1
  br label %one.head
done:
  ret void
}
""")


# For an array whose columns are contiguous.  The results are the data, the owner, the number of
# columns and the strides of what is made, and a status, where 2 is Ctrl-C; they are those of the
# array, and no owner, where it is small or huge, or has few rows, or there is no memory.
_INSTEAD = Template("""\
@sc_apart_work = external global i64
declare noalias ptr @sc_alloc(i64)
declare void @sc_release(ptr)
declare i32 @sc_launch(ptr, ptr, ptr, i64, i64, i32)

define { ptr, ptr, i64, i64, i64, i32 } @$symbol(ptr %ctx, ptr %data, i64 %rows,
    i64 %columns, i64 %across, i32 %threads) {
entry:
  %packed = alloca [5 x i64]
  %tall = icmp sge i64 %rows, $side
  %wide = icmp sgt i64 %columns, 1
  %matrix = and i1 %tall, %wide
  %count = mul i64 %rows, %columns
  %enough = icmp uge i64 %count, $least
  %fits = icmp ule i64 %count, $most
  %worth = and i1 %enough, %fits
  %copies = and i1 %matrix, %worth
  br i1 %copies, label %ask, label %same
ask:
  %bytes = mul i64 $amount, $bytes
  %block = call noalias ptr @sc_alloc(i64 %bytes)
  %none = icmp eq ptr %block, null
  br i1 %none, label %same, label %copy
copy:
  %out = getelementptr i8, ptr %block, i64 $header
  store ptr %out, ptr %packed
  %at1 = getelementptr i64, ptr %packed, i64 1
  store ptr %data, ptr %at1
  %at2 = getelementptr i64, ptr %packed, i64 2
  store i64 %across, ptr %at2
  %at3 = getelementptr i64, ptr %packed, i64 3
  store i64 %columns, ptr %at3
  %at4 = getelementptr i64, ptr %packed, i64 4
  store i64 %rows, ptr %at4
  %whole = udiv i64 %rows, $strip
  %single = icmp eq i64 %whole, 0
  %strips = select i1 %single, i64 1, i64 %whole
  %work = mul i64 %count, $work
  %apart = load i64, ptr @sc_apart_work
  %large = icmp sge i64 %work, %apart
  br i1 %large, label %away, label %here
here:
  %alone = call i32 @share(ptr %packed, ptr %ctx, i64 0, i64 %strips)
  br label %done
away:
  %status = call i32 @sc_launch(ptr %ctx, ptr @share, ptr %packed, i64 %strips,
    i64 %work, i32 %threads)
  %ended = icmp eq i32 %status, 2
  br i1 %ended, label %drop, label %done
done:
  %c0 = insertvalue { ptr, ptr, i64, i64, i64, i32 } zeroinitializer, ptr %out, 0
  %c1 = insertvalue { ptr, ptr, i64, i64, i64, i32 } %c0, ptr %block, 1
  %c2 = insertvalue { ptr, ptr, i64, i64, i64, i32 } %c1, i64 $columns, 2
  %c3 = insertvalue { ptr, ptr, i64, i64, i64, i32 } %c2, i64 $down, 3
  %c4 = insertvalue { ptr, ptr, i64, i64, i64, i32 } %c3, i64 $across, 4
  ret { ptr, ptr, i64, i64, i64, i32 } %c4
drop:
  call void @sc_release(ptr %block)
  ret { ptr, ptr, i64, i64, i64, i32 } { ptr null, ptr null, i64 0, i64 0, i64 0, i32 2 }
same:
  %s0 = insertvalue { ptr, ptr, i64, i64, i64, i32 } zeroinitializer, ptr %data, 0
  %s2 = insertvalue { ptr, ptr, i64, i64, i64, i32 } %s0, i64 %columns, 2
  %s3 = insertvalue { ptr, ptr, i64, i64, i64, i32 } %s2, i64 1, 3
  %s4 = insertvalue { ptr, ptr, i64, i64, i64, i32 } %s3, i64 %across, 4
  ret { ptr, ptr, i64, i64, i64, i32 } %s4
}
""")

_SHARE = Template("""\
define internal i32 @share(ptr %packed, ptr %ctx, i64 %begin, i64 %end) nounwind {
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
  %rows = sub i64 %stop, %first
  %before = mul i64 %first, %columns
  %to = getelementptr i$bits, ptr %out, i64 %before
  %from = getelementptr i$bits, ptr %data, i64 %first
  call void @$turn(ptr %to, i64 %columns, ptr %from, i64 %across, i64 %rows, i64 %columns)
  ret i32 0
}
""")
