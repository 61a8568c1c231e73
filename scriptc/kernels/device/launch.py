"""What host code must know of a kernel of a device to launch it."""

import enum
from collections.abc import Sequence
from typing import NamedTuple

from scriptc.kernels.device.plan import Plan
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.record import record


class Part(enum.Enum):
    """What of a parameter a kernel takes."""

    SCALAR = ""
    ADDRESS = "address"
    SIZE = "_size"
    STRIDE = "_stride"


class Field(NamedTuple):
    """One argument of a kernel: a part of the IR parameter number `param`."""

    param: int
    order: int
    part: Part
    axis: int = 0


class Raised(NamedTuple):
    """What a site of a kernel raises, and where; {} in the message stand for ints."""

    kind: str
    message: str
    instr: Instr


class Buffer(NamedTuple):
    """Memory that each block has for itself: the bytes of an element, and sizes."""

    itemsize: int
    sizes: Sequence[Value]


@record(eq=False)
class DeviceKernel:
    """A kernel as its launch sees it; the host knows the values of parameters alone.

    `before` are the instructions that compute `counts`, whose product is the number of points. A
    block takes one point at a time, shared among as many threads as the widest of `shared` has work
    for, if `shared` is there; else a thread takes one. Arguments are the fields, the addresses of
    the buffers, and where something is raised that of the error word.
    """

    number: int  # among those of the module
    plan: Plan
    before: Sequence[Instr]
    counts: Sequence[Value]
    by_blocks: bool
    shared: Sequence[Sequence[Value]]
    fields: Sequence[Field]
    buffers: Sequence[Buffer]
    raised: Sequence[Raised]


WARP_THREADS = 32
# As many blocks of 256 threads as an H200 holds at once; with more points, each takes several where
# blocks have memory of their own.  The others come and go.
MAX_BLOCKS = 1056
MAX_ROUNDS = 32
NO_ERROR = 0xFFFF_FFFF_FFFF_FFFF
# The error word has the iteration above these bits, the site in them; a lock follows it, and then
# what the message says of operands.
SITE_BITS = 16
MOST_VALUES = 4
ERROR_WORDS = 2 + MOST_VALUES
