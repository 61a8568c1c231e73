"""The routines that copy a matrix whose columns lie along memory to one whose rows do.

    sc.turn_64    out[i, j] = data[i, j] of elements with so many bits; one step is one element

They take eight elements of eight columns to registers and store them as eight rows, so a line of
memory is read once, where row by row it would be gone before the next row comes. Strips of rows
are as high as a line of a column is long.
"""

from collections.abc import Iterator, Mapping
from string import Template

from scriptc.backends.llvm.routines.small import Routine

WIDTHS = (32, 64)  # bits: blocks of smaller elements would take as long to compile as all the rest
_SIDE = 8
_LINE = 512  # bits


def _routine(bits: int) -> Routine:
    block = "\n".join(_block(f"<{_SIDE} x i{bits}>", bits))
    text = _TURN.substitute(bits=bits, side=_SIDE, line=_LINE // bits, block=block)
    return Routine(text, shared=True)


def _block(v: str, bits: int) -> Iterator[str]:
    """Yield the code for a block: halves of pairs of vectors are exchanged in three rounds."""
    for k in range(_SIDE):
        yield f"  %c{k} = add i64 %j, {k}"
        yield f"  %c{k}.far = mul i64 %c{k}, %step"
        yield f"  %c{k}.place = add i64 %c{k}.far, %i"
        yield f"  %c{k}.at = getelementptr i{bits}, ptr %data, i64 %c{k}.place"
        yield f"  %v0.{k} = load {v}, ptr %c{k}.at, align {bits // 8}"
    for number, half in enumerate((1, 2, 4)):
        for k in range(_SIDE):
            # Of the two vectors so far apart, each gets the other's half of its own lanes.
            start = half if k & half else 0
            lanes = ((n & ~half) + start + (_SIDE if n & half else 0) for n in range(_SIDE))
            mask = ", ".join(f"i32 {lane}" for lane in lanes)
            yield (
                f"  %v{number + 1}.{k} = shufflevector {v} %v{number}.{k & ~half},"
                f" {v} %v{number}.{k | half}, <{_SIDE} x i32> <{mask}>"
            )
    for k in range(_SIDE):
        yield f"  %r{k} = add i64 %i, {k}"
        yield f"  %r{k}.far = mul i64 %r{k}, %pitch"
        yield f"  %r{k}.place = add i64 %r{k}.far, %j"
        yield f"  %r{k}.at = getelementptr i{bits}, ptr %out, i64 %r{k}.place"
        yield f"  store {v} %v3.{k}, ptr %r{k}.at, align {bits // 8}"


# Columns behind the last block, and rows behind it, are copied one element after the other.
_TURN = Template("""\
define internal void @sc.turn_$bits(ptr %out, i64 %pitch, ptr %data, i64 %step, i64 %rows,
    i64 %columns) noinline nounwind {
entry:
  %high = and i64 %rows, -$side
  %wide = and i64 %columns, -$side
  br label %strip
strip:
  %first = phi i64 [ 0, %entry ], [ %stop, %edge ]
  %some = icmp slt i64 %first, %rows
  br i1 %some, label %open, label %done
open:
  %below = add i64 %first, $line
  %inside = icmp slt i64 %below, %rows
  %stop = select i1 %inside, i64 %below, i64 %rows
  %full = icmp slt i64 %below, %high
  %last = select i1 %full, i64 %below, i64 %high
  br label %across
across:
  %j = phi i64 [ 0, %open ], [ %j.next, %down ]
  %j.some = icmp slt i64 %j, %wide
  br i1 %j.some, label %down, label %edge.below
down:
  %i = phi i64 [ %first, %across ], [ %i.next, %block ]
  %i.some = icmp slt i64 %i, %last
  %j.next = add i64 %j, $side
  br i1 %i.some, label %block, label %across
block:
$block
  %i.next = add i64 %i, $side
  br label %down
edge.below:
  %left = icmp slt i64 %last, %first
  %rest = select i1 %left, i64 %first, i64 %last
  br label %edge
edge:
  %y = phi i64 [ %first, %edge.below ], [ %y.next, %edge.row ]
  %y.some = icmp slt i64 %y, %stop
  br i1 %y.some, label %edge.row.start, label %strip
edge.row.start:
  %whole = icmp slt i64 %y, %rest
  %x.first = select i1 %whole, i64 %wide, i64 0
  %y.far = mul i64 %y, %pitch
  br label %edge.row
edge.row:
  %x = phi i64 [ %x.first, %edge.row.start ], [ %x.next, %edge.one ]
  %y.next = add i64 %y, 1
  %x.some = icmp slt i64 %x, %columns
  br i1 %x.some, label %edge.one, label %edge
edge.one:
  %x.far = mul i64 %x, %step
  %from = add i64 %x.far, %y
  %from.at = getelementptr i$bits, ptr %data, i64 %from
  %element = load i$bits, ptr %from.at
  %to = add i64 %y.far, %x
  %to.at = getelementptr i$bits, ptr %out, i64 %to
  store i$bits %element, ptr %to.at
  %x.next = add i64 %x, 1
  br label %edge.row
done:
  ret void
}
""")

ROUTINES: Mapping[str, Routine] = {f"turn_{bits}": _routine(bits) for bits in WIDTHS}
