"""What threads gain from tasks, estimated where they would be launched.

    gain = what one thread computes of all tasks, if they run one after the other
           - the longest task

A launch inside of a task counts as one thread's work where it is too little to be shared; the other
ones have all threads already if nothing runs beside them.  So tasks gain something for every number
of threads above one if this is positive, however much of them is launches that are shared.
"""

from __future__ import annotations

from collections.abc import Sequence

from scriptc.backends.llvm.emitter.function import Emitter, literal
from scriptc.backends.llvm.support.threads import pool
from scriptc.backends.llvm.support.threads import work as threads_work
from scriptc_runtime.ir import Block, Extern, Function, Instr, Role, Value
from scriptc_runtime.ops import control, low
from scriptc_runtime.record import record


@record
class Gain:
    """What tasks gain, and their work; each is an i64."""

    gain: str
    work: str


@record
class _Work:
    """The work of a part of a task, and what of it is one thread's in any case."""

    all: str
    alone: str


def gain_of_tasks(e: Emitter, kernel: Function, arguments: Sequence[Value]) -> Gain:
    """Write code that estimates what the tasks of a kernel gain."""
    found = threads_work.Estimate(e, kernel, arguments)
    tasks = [_block(e, i.blocks[0], found) for i in found.iteration.body if i.op is control.IF]
    longest = alone = work = "0"
    for task in tasks:
        longest = _larger(e, longest, task.all)
        alone, work = found.total(alone, task.alone), found.total(work, task.all)
    known = literal(alone), literal(longest)
    if known[0] is not None and known[1] is not None:
        return Gain(str(known[0] - known[1]), work)
    return Gain(e.let(f"sub i64 {alone}, {longest}"), work)


def _block(e: Emitter, block: Block, found: threads_work.Estimate) -> _Work:
    total = _Work("0", "0")
    for instr in block.body:
        own = _instr(e, instr, found)
        total = _Work(found.total(total.all, own.all), found.total(total.alone, own.alone))
    return total


def _instr(e: Emitter, instr: Instr, found: threads_work.Estimate) -> _Work:
    """Estimate an instruction; what takes no whole array is nothing beside it."""
    match instr.op:
        case low.LAUNCH:
            kernel = e.state.module.functions[str(instr.attrs["callee"])]
            inner = found.called(kernel, instr.operands[1:])
            iterations = found.count(instr)
            work = inner.work(iterations)
            return _Work(work, _if_alone(e, work, iterations))
        case control.CALL:
            callee = e.state.module.callee(instr)
            if isinstance(callee, Extern) or callee.role is Role.FALLBACK:
                return _Work("0", "0")  # it works on no array, or hardly ever runs
            work = found.called(callee, instr.operands).work_of_call()
            return _Work(work, work)
        case control.IF:
            # The first way is that of the fast version, where there are two.
            ways = (_block(e, block, found) for block in instr.blocks)
            return next((way for way in ways if way.all != "0"), _Work("0", "0"))
        case control.FOR | control.WHILE | control.BLOCK | low.LOOP | low.REDUCE:
            once = _block(e, instr.blocks[-1], found)
            rounds = found.iterations_of(instr)
            return _Work(found.product(rounds, once.all), found.product(rounds, once.alone))
        case _:
            work = found.work_of_row(instr)
            return _Work(work, work)


def _if_alone(e: Emitter, work: str, iterations: str) -> str:
    """Return work that is too little to be shared, or a single iteration; 0 for other work."""
    known = literal(work), literal(iterations)
    if known[0] is not None and known[1] is not None:
        return work if known[0] < pool.SPLIT_WORK or known[1] < 2 else "0"
    little = e.let(f"icmp slt i64 {work}, {pool.SPLIT_WORK}")
    single = e.let(f"icmp slt i64 {iterations}, 2")
    return e.let(f"select i1 {e.let(f'or i1 {little}, {single}')}, i64 {work}, i64 0")


def _larger(e: Emitter, a: str, b: str) -> str:
    if "0" in (a, b) or a == b:
        return a if b == "0" else b
    return e.intrinsic("i64", "@llvm.smax.i64", f"i64 {a}", f"i64 {b}")
