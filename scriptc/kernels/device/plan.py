"""A plan: how the threads of a device share the work of a kernel, as a value.

A plan is chosen from the accesses of a kernel's nest, goes with its launch, and is what `dump
--stage plan` shows.  It never decides what a kernel computes: the order of a sum follows from sizes
alone.
"""

import enum

from scriptc_runtime.record import record


class Shape(enum.Enum):
    """What of a space a thread, a warp or a block takes at a time."""

    POINTS = "points"  # a thread: neighbours along the last axis
    ROWS = "rows"  # a block: a point, whose inner loops its threads share
    FOLD = "fold"  # a block: one chunk of a reduction of a whole array
    TILE = "tile"  # a block: a tile of a product of matrices
    BLOCK = "block"  # the one block: a loop that runs in order, its inner loops shared
    ONE = "one"  # the one thread


# A block has at most so many threads, and whole warps.
BLOCK_THREADS = 256
WIDE_BLOCKS = 4  # for a thread of each, 64 registers
TILE = 64  # rows and columns
KEPT_BYTES = 16384  # of shared memory that a block has for its rows: ten blocks are resident
VECTOR_BYTES = 16  # the widest access of a thread


@record
class Plan:
    """How a kernel runs.

    A thread takes `vector` neighbours at once, of `items` places.  A multiprocessor is to have room
    for `resident` blocks: told of none, NVIDIA's compiler may keep to so few registers that they do
    not suffice.  `why` tells what kept threads from more.
    """

    shape: Shape
    threads: int = BLOCK_THREADS
    vector: int = 1
    items: int = 1
    resident: int = 0
    why: str = ""

    @property
    def is_wide(self) -> bool:
        """Whether threads move several neighbours by one access."""
        return self.resident > 0

    @property
    def points(self) -> int:
        """How many points of the space a thread takes in one round."""
        return self.vector * self.items

    def __str__(self) -> str:
        numbers = f"{self.shape.value} threads={self.threads}"
        if self.shape is Shape.POINTS:
            numbers += f" vector={self.vector} items={self.items}"
        return f"{numbers}: {self.why}" if self.why else numbers
