"""Writes a kernel as its plan says."""

from scriptc.analysis.remarks import about, place_of, remark
from scriptc.backends.cuda.emit import Emitter, Kernel
from scriptc.backends.cuda.plans import CHOSEN, choose
from scriptc.backends.cuda.points import PointsEmitter
from scriptc.backends.cuda.schedule import schedule_of
from scriptc_runtime.ir import Function


def emit_kernel(function: Function, name: str, *, is_single: bool = False) -> Kernel:
    """Return a kernel as `extern "C"` function `name`; `is_single` says it has one iteration.

    Raises UnsupportedError.
    """
    about(function)
    schedule = schedule_of(function)
    plan = choose(schedule, is_single=is_single)
    remark(CHOSEN, place_of(schedule.loop), plan=plan)
    return (PointsEmitter if plan.is_wide else Emitter)(schedule, plan).kernel(name)
