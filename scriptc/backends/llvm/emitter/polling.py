"""How loops look for Ctrl-C: they count their iterations, and look when enough have passed.

The context holds a number of iterations to go until then (`POLL`).
"""

from collections.abc import Sequence

from scriptc.backends.llvm.emitter.function import SELDOM, Emitter, Held
from scriptc.backends.llvm.loading.abi import POLL_ROUNDS, Context
from scriptc_runtime.ir import Instr

# How many iterations a loop without inner loops runs at a time, where its length is known and not.
COUNTED_CHUNK, OPEN_CHUNK = 1 << 16, 1 << 10


def poll(e: Emitter, iterations: str, instr: Instr, held: Sequence[Held] = ()) -> None:
    """Count iterations of a loop, and look for Ctrl-C when enough of them have passed.

    `held` is what goes from iteration to iteration: it is released when Ctrl-C ends the loop.
    """
    left = count_iterations(e, iterations)
    due = e.let(f"icmp slt i64 {left}, 0")
    bad, look, good = e.interrupted_block(instr, held), e.label(), e.label()
    e.branch(due, look, good, SELDOM)
    hot, e.lines = e.lines, e.cold
    e.start(look)
    at = e.let(f"getelementptr i8, ptr %ctx, i64 {Context.POLL}")
    e.write(f"store i64 {POLL_ROUNDS}, ptr {at}")
    status = e.intrinsic("i32", "@sc_poll", "ptr %ctx")
    failed = e.let(f"icmp ne i32 {status}, 0")
    e.branch(failed, bad, good)
    e.lines = hot
    e.start(good)


def poll_seldom(e: Emitter, iterations: str, instr: Instr) -> None:
    """Look for Ctrl-C where so many iterations of a loop are a whole number of chunks."""
    look, go_on = e.label(), e.label()
    part = e.let(f"and i64 {iterations}, {COUNTED_CHUNK - 1}")
    e.branch(e.let(f"icmp eq i64 {part}, 0"), look, go_on, SELDOM)
    e.start(look)
    poll(e, str(COUNTED_CHUNK), instr)
    e.jump(go_on)
    e.start(go_on)


def count_iterations(e: Emitter, iterations: str) -> str:
    """Take `iterations` off what is left until the next look for signals, and return the rest."""
    at = e.let(f"getelementptr i8, ptr %ctx, i64 {Context.POLL}")
    before = e.let(f"load i64, ptr {at}")
    left = e.let(f"sub i64 {before}, {iterations}")
    e.write(f"store i64 {left}, ptr {at}")
    return left
