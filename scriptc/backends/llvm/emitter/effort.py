"""How much of LLVM's passes a function is worth.

    ONCE      a call runs it once, and the time goes into what it launches or calls
    NONE      it is vector code as it stands, or hardly ever runs
    SIMPLE    nothing in it runs often but what kernels do, or vector code inside of loops
    MOST      what works on containers and calls itself: no loop is worth a copy, or vectors
    FULL      all else: what LLVM is to inline, to hoist, or to make vectors of

The passes for `SIMPLE` code take a fifth of the time of the whole pipeline, those for `MOST` three
fifths. What runs `ONCE` is not
optimised by the code generator either, which takes a third of the time then. A function says in an
attribute what it is worth; what says nothing is worth all.
"""

from enum import IntEnum


class Effort(IntEnum):
    """Ordered: code is worth as much as the most that any part of it is."""

    ONCE = 0
    NONE = 1
    SIMPLE = 2
    MOST = 3
    FULL = 4


# What LLVM is told in the head of a function, which means nothing to it.
MARKS = {
    Effort.ONCE: ' "runs-once"',
    Effort.NONE: ' "no-passes"',
    Effort.SIMPLE: ' "few-passes"',
    Effort.MOST: ' "most-passes"',
    Effort.FULL: "",
}
# Kernels, and the fallbacks of loops: `split` puts them into parts of their own.
PART_OF_LOOP = ' "part-of-loop"'
# The attributes of a function in vector code that others call where they are worth few passes, too.
AS_WRITTEN = f"noinline nounwind{MARKS[Effort.NONE]}"
# What runs once, before or after much work, is not worth LLVM's time wherever it stands.
AS_IT_STANDS = f"optnone noinline nounwind{MARKS[Effort.ONCE]}"


def effort_of(head: str) -> Effort:
    """Return what the head of a function says, its first line in LLVM IR."""
    marked = (effort for effort, mark in MARKS.items() if mark and mark in head)
    return next(marked, Effort.FULL)
