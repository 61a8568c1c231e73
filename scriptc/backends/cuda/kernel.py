"""What a kernel is once it is written."""

from scriptc.backends.cuda.schedule import Schedule
from scriptc.kernels.device.launch import Field, Raised
from scriptc.kernels.device.plan import Plan
from scriptc_runtime.record import record


@record(eq=False)
class Kernel:
    """A kernel's C++ text, and what a launch must pass.

    In this order: `fields`, then one address for each of the schedule's buffers, then, where it is
    `guarded`, the address of the error record and the number of the launch. What it may raise is
    numbered by sites, from `first_site` on.
    """

    name: str
    text: str
    schedule: Schedule
    plan: Plan
    fields: tuple[Field, ...]
    written: frozenset[int]  # parameters
    raised: tuple[Raised, ...]
    first_site: int
    guarded: bool
