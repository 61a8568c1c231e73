"""LLVM code for launches: a kernel is called, or handed to the pool where it is much work.

    work = iterations * cost of an iteration
    if work < what is worth giving up the GIL:  kernel(ctx, arguments, 0, iterations)
    else:                                       sc_launch(ctx, share function, memory, ...)

Of the parameters of a kernel its code takes what it uses: of most arrays an address and a step, no
owner and no sizes.

The pool knows one kind of function: a share function takes a kernel and its arguments from memory,
where a launch function has put them. Kernels that take the same types have them in common.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import compress

from scriptc.backends.llvm.emitter.effort import AS_IT_STANDS
from scriptc.backends.llvm.emitter.function import Emitter, Rule, Signature, literal
from scriptc.backends.llvm.emitter.polling import count_iterations
from scriptc.backends.llvm.loading import abi
from scriptc.backends.llvm.support.threads import pool, tasks
from scriptc.backends.llvm.support.threads import work as threads_work
from scriptc_runtime.ir import Function, Instr, Value, walk
from scriptc_runtime.ops import low
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import NONE, TensorType

# An iteration of a kernel is taken for 64 iterations when Ctrl-C is looked for: its work may itself
# be a loop.
ROUNDS_SHIFT = 6
_FIELDS_BEFORE_SHAPE = 2  # of an array: address and owner
_RANGE = 2  # the last parameters of a kernel: the iterations that it runs, from and to


def take(e: Emitter, body: str) -> Sequence[bool]:
    """Note, and return, which components of its parameters a kernel takes: what its code uses.

    What says whether threads may share a launch is taken, too.
    """
    kernel = e.function
    used = set(re.findall(r"%v\d+", body))
    names = [name for param in kernel.params for name in e.components(param)]
    taken = [name in used for name in names]
    for place, rank in _written_shapes(kernel):
        taken[place : place + 2 * rank] = [True] * (2 * rank)
    taken[-_RANGE:] = [True] * _RANGE
    e.state.taken[kernel.name] = taken
    return taken


def _launch(e: Emitter, instr: Instr) -> None:
    kernel = e.state.module.functions[str(instr.attrs["callee"])]
    iterations = e.one(instr.operands[0])
    count_iterations(e, e.let(f"shl i64 {iterations}, {ROUNDS_SHIFT}"))
    status = _status(e, instr, kernel, iterations)
    # A kernel is no frame of its own: it stands for the lines of the function that launches it.
    placed = kernel.name in e.state.placed
    failed = e.unwound_block(instr) if placed else e.failed_block(instr)
    e.check_status(e.let(f"icmp ne i32 {status}, 0"), failed)


def _status(e: Emitter, instr: Instr, kernel: Function, iterations: str) -> str:
    """Run a kernel, and return how it ended."""
    arguments = instr.operands[1:]
    if e.is_kernel or e.state.device is not None:  # who launches nothing, or one on a device
        return _called(e, kernel, arguments, iterations)
    if instr.attrs.get("tasks"):
        # That they are worth it is known, however little work they are.
        found = tasks.gain_of_tasks(e, kernel, arguments).work
        work = e.intrinsic("i64", "@llvm.smax.i64", f"i64 {found}", f"i64 {pool.SPLIT_WORK}")
        return _shared_or_interrupted(e, instr, kernel, work)
    work = threads_work.launch_work(e, instr, kernel)
    known = literal(work)
    if known is not None and known < pool.APART_WORK:
        return _called(e, kernel, arguments, iterations)
    return _called_or_shared(e, instr, kernel, work)


def _called(e: Emitter, kernel: Function, arguments: Sequence[Value], iterations: str) -> str:
    typed = ", ".join(["ptr %ctx", *_passed(e, kernel, arguments), "i64 0", f"i64 {iterations}"])
    type_ = abi.result_type(kernel.result)
    returned = e.let(f"call {type_} {abi.symbol(kernel.name)}({typed})")
    return e.let(f"extractvalue {type_} {returned}, 0")


def _passed(e: Emitter, kernel: Function, arguments: Sequence[Value]) -> Sequence[str]:
    """Return what a kernel takes of its arguments, with types."""
    return [*compress(e.typed(arguments), e.state.taken[kernel.name])]


def _called_or_shared(e: Emitter, instr: Instr, kernel: Function, work: str) -> str:
    count, *arguments = instr.operands
    e.declare("@sc_apart_work = external global i64")
    enough = e.let("load i64, ptr @sc_apart_work")
    here, away, done = e.label(), e.label(), e.join(("i32",))
    e.branch(e.let(f"icmp sge i64 {work}, {enough}"), away, here)
    e.start(here)
    e.enter(done, (_called(e, kernel, arguments, e.one(count)),))
    e.start(away)
    e.enter(done, (_shared_or_interrupted(e, instr, kernel, work),))
    (result,) = e.start_join(done)
    return result


def _shared_or_interrupted(e: Emitter, instr: Instr, kernel: Function, work: str) -> str:
    count, *arguments = instr.operands
    status = _shared(e, kernel, arguments, e.one(count), work)
    e.check_status(e.let(f"icmp eq i32 {status}, 2"), e.python_failed_block(instr))
    return status


def _shared(
    e: Emitter, kernel: Function, arguments: Sequence[Value], iterations: str, work: str
) -> str:
    name = abi.symbol(f"{abi.LAUNCH}{_signature(e, kernel)}")
    typed = ", ".join(["ptr %ctx", *_passed(e, kernel, arguments)])
    own = abi.symbol(kernel.name)
    return e.let(f"call i32 {name}({typed}, ptr {own}, i64 {iterations}, i64 {work})")


def _signature(e: Emitter, kernel: Function) -> int:
    """Return the number of the two functions for kernels that take the like, made if need be."""
    every = (t for param in kernel.params[:-_RANGE] for t in abi.flatten(param.type))
    taken = e.state.taken[kernel.name]
    written = tuple((sum(taken[:place]), rank) for place, rank in _written_shapes(kernel))
    types = tuple(compress(every, taken))
    signature = (types, written)
    signatures = e.state.signatures
    if signature not in signatures:
        signatures[signature] = len(signatures)
        e.declare("declare i32 @sc_launch(ptr, ptr, ptr, i64, i64, i32)")
        number = signatures[signature]
        e.state.helpers.append(_share_function(types, number))
        e.state.helpers.append(_launch_function(e, signature, number))
    return signatures[signature]


def _field(place: int) -> str:
    """Return the address of one of what the pool passes on: each takes a word."""
    return f"  %at{place} = getelementptr i64, ptr %packed, i64 {place}"


def _launch_function(e: Emitter, signature: Signature, number: int) -> str:
    """Return a function that puts its arguments into memory and hands a kernel to the pool."""
    types, written = signature
    lines = [f"  %packed = alloca [{len(types) + 1} x i64]"]
    for place, type_ in enumerate((*types, "ptr")):
        lines.append(_field(place))
        if type_ == "i1":
            lines.append(f"  %byte{place} = zext i1 %a{place} to i8")
        kept = f"i8 %byte{place}" if type_ == "i1" else f"{type_} %a{place}"
        lines.append(f"  store {kept}, ptr %at{place}")
    limit = str(e.state.threads)
    for place, rank in written:
        # Where elements of an array share memory, the last iteration must come last.
        e.state.routines.add("lies_apart")
        lines.append(f"  %apart{place} = call i1 @sc.lies_apart(ptr %at{place}, i64 {rank})")
        lines.append(f"  %limit{place} = select i1 %apart{place}, i32 {limit}, i32 1")
        limit = f"%limit{place}"
    share = abi.symbol(f"{abi.SHARE}{number}")
    lines.append(
        f"  %status = call i32 @sc_launch(ptr %ctx, ptr {share}, ptr %packed, i64 %rounds,"
        f" i64 %work, i32 {limit})"
    )
    params = [f"{type_} %a{place}" for place, type_ in enumerate((*types, "ptr"))]
    given = ", ".join(["ptr %ctx", *params, "i64 %rounds", "i64 %work"])
    name = abi.symbol(f"{abi.LAUNCH}{number}")
    head = f"define internal i32 {name}({given}) {AS_IT_STANDS} {{"
    return "\n".join((head, *lines, "  ret i32 %status", "}", ""))


def _share_function(types: Sequence[str], number: int) -> str:
    """Return the function that the pool calls: it takes a kernel and its arguments from memory."""
    lines: list[str] = []
    arguments = ["ptr %ctx"]
    for place, type_ in enumerate((*types, "ptr")):
        stored = abi.in_memory(type_)
        lines.append(_field(place))
        lines.append(f"  %a{place} = load {stored}, ptr %at{place}")
        if stored != type_:
            lines.append(f"  %b{place} = trunc {stored} %a{place} to {type_}")
        arguments.append(f"{type_} %{'a' if stored == type_ else 'b'}{place}")
    kernel = arguments.pop().split(" ", 1)[1]
    result = abi.result_type(NONE)
    passed = ", ".join([*arguments, "i64 %begin", "i64 %end"])
    params = "ptr %packed, ptr %ctx, i64 %begin, i64 %end"
    name = abi.symbol(f"{abi.SHARE}{number}")
    head = f"define internal i32 {name}({params}) {AS_IT_STANDS} {{"
    call = f"  %returned = call {result} {kernel}({passed})"
    status = f"  %status = extractvalue {result} %returned, 0"
    return "\n".join((head, *lines, call, status, "  ret i32 %status", "}", ""))


def _written_shapes(kernel: Function) -> Iterator[tuple[int, int]]:
    """Yield where the sizes of each array that is written stand, and its rank."""
    written = _written(kernel)
    place = 0
    for param in kernel.params[:-_RANGE]:
        if param in written:
            assert isinstance(param.type, TensorType)
            yield place + _FIELDS_BEFORE_SHAPE, param.type.rank
        place += len(abi.flatten(param.type))


def _written(kernel: Function) -> set[Value]:
    """Return the parameters with axes that a kernel writes to."""
    origins: dict[Value, Value] = {}
    found: set[Value] = set()
    for instr in walk(kernel.body):
        if instr.op in (low.ASSUME_CONTIGUOUS, low.SUBVIEW):
            origins[instr.result] = origins.get(instr.operands[0], instr.operands[0])
        if instr.op is low.STORE:
            found.add(origins.get(instr.operands[0], instr.operands[0]))
    return {v for v in found if isinstance(v.type, TensorType) and v.type.rank}


def _shares(e: Emitter, instr: Instr) -> None:
    most = e.one(instr.operands[0])
    if e.is_kernel:  # which launches nothing
        e.bind(instr, e.intrinsic("i64", "@llvm.umin.i64", f"i64 {most}", "i64 1"))
        return
    e.declare("declare i64 @sc_shares(i64, i32)")
    e.bind(instr, e.let(f"call i64 @sc_shares(i64 {most}, i32 {e.state.threads})"))


def _tasks_pay(e: Emitter, instr: Instr) -> None:
    kernel = e.state.module.functions[str(instr.attrs["callee"])]
    if e.is_kernel or e.state.threads == 1:
        e.bind(instr, "false")
        return
    e.declare("@sc_task_work = external global i64")
    e.declare("declare i64 @sc_shares(i64, i32)")
    gain = tasks.gain_of_tasks(e, kernel, instr.operands).gain
    enough = e.let("load i64, ptr @sc_task_work")
    ask, done = e.label(), e.join(("i1",))
    done.incoming.append((e.block, ("false",)))
    e.branch(e.let(f"icmp sge i64 {gain}, {enough}"), ask, done.name)
    e.start(ask)
    threads = e.let(f"call i64 @sc_shares(i64 2, i32 {e.state.threads})")
    e.enter(done, (e.let(f"icmp sgt i64 {threads}, 1"),))
    e.bind(instr, *e.start_join(done))


RULES: Mapping[OpDef, Rule] = {low.LAUNCH: _launch, low.SHARES: _shares, low.TASKS_PAY: _tasks_pay}
