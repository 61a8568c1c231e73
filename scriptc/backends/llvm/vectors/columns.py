"""Loops over columns that fold: neighbouring columns are the lanes of one vector.

    loop %width {(%j)                               for each vector of columns:
      %s = reduce %rows [kind="sum"] {(%i) ...        accumulator in a register, over all rows
        load %x, %i, %j ...}                  =>        a vector of x, or a scalar
      store %y, %s, %j                                store the vector
    }

LLVM vectorises inner loops, and here the inner loop is the fold, whose elements are far apart.
Every lane meets the elements of its column in their order, so the bits are those of the scalar
loop; a `for` that carries numbers on carries vectors.  The last vector, or the only one of a few
columns, is masked.
"""

from scriptc.backends.llvm.emitter.function import Emitter
from scriptc.backends.llvm.vectors import writer
from scriptc_runtime.ir import Instr
from scriptc_runtime.ops import control, low


def is_columns(e: Emitter, loop: Instr) -> bool:
    """Whether a loop has loops in each of its iterations, and vectors can do several of them."""
    (body,) = loop.blocks
    if not any(i.op in (low.REDUCE, control.FOR) for i in body.body):
        return False
    return writer.Shape(e, body).fits(body)


def emit_columns(e: Emitter, loop: Instr) -> int:
    """Write the loop, for which `is_columns` holds; return how many columns a vector has."""
    (body,) = loop.blocks
    shape = writer.Shape(e, body)
    shape.fits(body)
    count = e.one(loop.operands[0])
    lanes = writer.lanes_of(shape, body)
    writer.Writer(e, shape, lanes).loop(loop, "0", count, writer.Way(masked=True))
    return lanes
