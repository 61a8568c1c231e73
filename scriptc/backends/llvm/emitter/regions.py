"""Regions and ranges: where exits lead, and which numbers the iterations of a loop have."""

from scriptc.backends.llvm.emitter.function import Emitter, Region, literal
from scriptc.backends.llvm.loading import abi
from scriptc_runtime.ir import Instr
from scriptc_runtime.values import length_of_range


def open_region(e: Emitter, instr: Instr) -> Region:
    """Open the region of an instruction: its exits carry the instruction's results."""
    assert instr.label is not None
    types = tuple(t for result in instr.results for t in abi.flatten(result.type))
    region = e.regions[instr.label] = Region(e.join(types))
    return region


def range_length(e: Emitter, instr: Instr, start: str, stop: str, step: str) -> str:
    """Return the number of items of range(start, stop, step), as an unsigned i64."""
    known = literal(step)
    if not known:
        zero = e.let(f"icmp eq i64 {step}, 0")
        e.raise_if(zero, "ValueError", "range() arg 3 must not be zero", instr)
        up = _steps(e, start, stop, step)
        down = _steps(e, stop, start, e.let(f"sub i64 0, {step}"))
        rising = e.let(f"icmp sgt i64 {step}, 0")
        return e.let(f"select i1 {rising}, i64 {up}, i64 {down}")
    if known > 0:
        return _steps(e, start, stop, str(known))
    return _steps(e, stop, start, str(-known))


def _steps(e: Emitter, low: str, high: str, step: str) -> str:
    """Return how many steps go from `low` to below `high`, none where that is not above."""
    known = literal(low), literal(high), literal(step)
    if known[0] is not None and known[1] is not None and known[2] is not None:
        return str(length_of_range(known[0], known[1], known[2]) if known[2] > 0 else 0)
    if step == "1" and low == "0":
        return e.intrinsic("i64", "@llvm.smax.i64", f"i64 {high}", "i64 0")
    some = e.let(f"icmp slt i64 {low}, {high}")
    distance = e.let(f"sub i64 {high}, {low}")  # unsigned, so it is right at any distance
    if step != "1":
        before = e.let(f"sub i64 {distance}, 1")
        # Without a distance the quotient is not used, and a step below zero is never divided by.
        divisor = (
            step if literal(step) else e.intrinsic("i64", "@llvm.umax.i64", f"i64 {step}", "i64 1")
        )
        whole = e.let(f"udiv i64 {before}, {divisor}")
        distance = e.let(f"add i64 {whole}, 1")
    return e.let(f"select i1 {some}, i64 {distance}, i64 0")


def range_item(e: Emitter, k: str, start: str, step: str) -> str:
    """Return the item with a number of range(start, ..., step)."""
    if step == "1":
        return k if start == "0" else e.let(f"add nsw i64 {start}, {k}")
    return e.let(f"add i64 {start}, {e.let(f'mul i64 {k}, {step}')}")
