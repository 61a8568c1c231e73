"""Writes a kernel as its plan says."""

from scriptc.analysis.remarks import about, place_of, remark
from scriptc.backends.cuda.emit import Emitter
from scriptc.backends.cuda.kernel import Kernel
from scriptc.backends.cuda.plans import CHOSEN, choose
from scriptc.backends.cuda.points import PointsEmitter
from scriptc.backends.cuda.schedule import schedule_of
from scriptc.backends.cuda.tiles import TilesEmitter
from scriptc.kernels.device.plan import Shape
from scriptc_runtime.ir import Function


def emit_kernel(
    function: Function, name: str, first_site: int | None, *, is_single: bool = False
) -> Kernel:
    """Return a kernel as `extern "C"` function `name`; `is_single` says it has one iteration.

    It numbers what it raises from `first_site` on, and does nothing where an earlier launch of the
    call has failed; with None, no kernel of the call can. Raises UnsupportedError.
    """
    about(function)
    schedule = schedule_of(function)
    plan = choose(schedule, is_single=is_single)
    remark(CHOSEN, place_of(schedule.loop), plan=plan)
    emitter = PointsEmitter if plan.is_wide else Emitter
    emitter = TilesEmitter if plan.shape is Shape.TILE else emitter
    return emitter(schedule, plan, first_site).kernel(name)
