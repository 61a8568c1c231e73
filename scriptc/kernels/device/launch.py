"""What host code must know of a kernel of a device to launch it."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import NamedTuple

from scriptc.kernels.device import plan as device_plan
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
    """Memory that each block has for itself: the bytes of an element, and sizes.

    With up to `kept` elements it is in shared memory.
    """

    itemsize: int
    kept: int
    sizes: Sequence[Value]


@record(eq=False)
class DeviceKernel:
    """A kernel as its launch sees it; the host knows the values of parameters alone.

    `before` are the instructions that compute `counts`, whose product is the number of points. A
    block takes one point at a time, shared among as many threads as the widest of `shared` has work
    for, if `shared` is there; else a thread takes one. Arguments are the fields, the addresses of
    the buffers, and of a `guarded` one the address of the error record and the launch's number.
    Its sites, numbers of what it raises, count from `first_site`.
    """

    number: int  # among those of the module
    plan: device_plan.Plan
    before: Sequence[Instr]
    counts: Sequence[Value]
    by_blocks: bool
    shared: Sequence[Sequence[Value]]
    fields: Sequence[Field]
    buffers: Sequence[Buffer]
    raised: Sequence[Raised]
    first_site: int
    guarded: bool


WARP_THREADS = 32
# As many blocks of 256 threads as an H200 holds at once; with more points, each takes several where
# blocks have memory of their own.  The others come and go.
MAX_BLOCKS = 1056
MAX_ROUNDS = 32
NO_ERROR = 0xFFFF_FFFF_FFFF_FFFF
# The error record: a word with the iteration above these bits and the site in them, a lock, what
# the message says of operands, and the number of the launch that failed, 0 while none has.
SITE_BITS = 16
MOST_VALUES = 4
FIRST_VALUE = 2
FAILED_LAUNCH = FIRST_VALUE + MOST_VALUES
ERROR_WORDS = FAILED_LAUNCH + 1


class CallFields:
    """The byte offsets of what a thread keeps of the call that it runs.

    `TO_ASK` says whether a kernel may have failed of which host code knows nothing yet.
    """

    STREAM = 0  # ptr: all work goes there
    RECORD = 8  # ptr: the error record, on the device
    LAUNCHES = 16  # i64: how many kernels were launched that look at the record
    TO_ASK = 24  # i64: one of those below
    WORDS = 32  # the record, as it was when it was read

    NOTHING = 0
    ASK = 1
    KNOWN = 2  # the words are those of now
