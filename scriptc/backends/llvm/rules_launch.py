"""LLVM code for launches: a kernel is called, or handed to the pool where it is much work.

    work = rounds * cost of a round
    if work < what is worth giving up the GIL:  kernel(ctx, arguments, 0, rounds)
    else:                                       sc_launch(ctx, kernel's share function, ...)

The share function takes the kernel's arguments from memory: the pool knows one kind of function.
"""

from collections.abc import Mapping, Sequence

from scriptc.backends.llvm import abi
from scriptc.backends.llvm.emit_function import Emitter, Rule, literal
from scriptc.backends.llvm.pool import APART_WORK
from scriptc.backends.llvm.rules_control import count_rounds
from scriptc.backends.llvm.work import launch_work
from scriptc_runtime.ir import Function, Instr, Value, walk
from scriptc_runtime.ops import low
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import TensorType

# A round of a kernel is taken for 64 rounds when Ctrl-C is looked for: its work may itself be a
# loop.
ROUNDS_SHIFT = 6
_FIELDS_BEFORE_SHAPE = 2  # of an array: address and owner


def _launch(e: Emitter, instr: Instr) -> None:
    kernel = e.state.module.functions[str(instr.attrs["callee"])]
    count, *arguments = instr.operands
    rounds = e.one(count)
    count_rounds(e, e.let(f"shl i64 {rounds}, {ROUNDS_SHIFT}"))
    work = launch_work(e, instr, kernel)
    known = literal(work)
    if known is not None and known < APART_WORK:
        status = _called(e, kernel, arguments, rounds)
    else:
        status = _called_or_shared(e, instr, kernel, work)
    # A kernel is no frame of its own: it stands for the lines of the function that launches it.
    e.check_status(e.let(f"icmp ne i32 {status}, 0"), e.unwound_block(instr))


def _called(e: Emitter, kernel: Function, arguments: Sequence[Value], rounds: str) -> str:
    typed = ", ".join(["ptr %ctx", *e.typed(arguments), "i64 0", f"i64 {rounds}"])
    type_ = abi.result_type(kernel.result)
    returned = e.let(f"call {type_} {abi.symbol(kernel.name)}({typed})")
    return e.let(f"extractvalue {type_} {returned}, 0")


def _called_or_shared(e: Emitter, instr: Instr, kernel: Function, work: str) -> str:
    count, *arguments = instr.operands
    e.declare("@sc_apart_work = external global i64")
    enough = e.let("load i64, ptr @sc_apart_work")
    here, away, done = e.label(), e.label(), e.join(("i32",))
    e.branch(e.let(f"icmp sge i64 {work}, {enough}"), away, here)
    e.start(here)
    e.enter(done, (_called(e, kernel, arguments, e.one(count)),))
    e.start(away)
    status = _shared(e, kernel, arguments, e.one(count), work)
    e.check_status(e.let(f"icmp eq i32 {status}, 2"), e.python_failed_block(instr))
    e.enter(done, (status,))
    (result,) = e.start_join(done)
    return result


def _shared(
    e: Emitter, kernel: Function, arguments: Sequence[Value], rounds: str, work: str
) -> str:
    typed = [c.split(" ", 1) for c in e.typed(arguments)]
    struct = _struct([type_ for type_, _ in typed])
    packed = e.alloca(struct)
    for place, (type_, component) in enumerate(typed):
        at = _field(e, struct, packed, place)
        kept = e.let(f"zext i1 {component} to i8") if type_ == "i1" else component
        e.write(f"store {abi.in_memory(type_)} {kept}, ptr {at}")
    limit = _limit(e, kernel, struct, packed)
    e.declare("declare i32 @sc_launch(ptr, ptr, ptr, i64, i64, i32)")
    share = _share_function(e, kernel, struct, [type_ for type_, _ in typed])
    return e.let(
        f"call i32 @sc_launch(ptr %ctx, ptr {share}, ptr {packed}, i64 {rounds}, i64 {work},"
        f" i32 {limit})"
    )


def _struct(types: Sequence[str]) -> str:
    return f"{{ {', '.join(map(abi.in_memory, types))} }}"


def _field(e: Emitter, struct: str, pointer: str, place: int) -> str:
    return e.let(f"getelementptr {struct}, ptr {pointer}, i64 0, i32 {place}")


def _limit(e: Emitter, kernel: Function, struct: str, packed: str) -> str:
    """Return how many threads may share the launch, 0 for as many as there are.

    Where elements of an array that is written share memory the last round must come last.
    """
    limit = str(e.state.threads)
    place = 0
    written = _written(kernel)
    for param in kernel.params[:-2]:
        if param in written:
            assert isinstance(param.type, TensorType)
            e.state.routines.add("lies_apart")
            shape = _field(e, struct, packed, place + _FIELDS_BEFORE_SHAPE)
            apart = e.let(f"call i1 @sc.lies_apart(ptr {shape}, i64 {param.type.rank})")
            limit = e.let(f"select i1 {apart}, i32 {limit}, i32 1")
        place += len(abi.flatten(param.type))
    return limit


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


def _share_function(e: Emitter, kernel: Function, struct: str, types: Sequence[str]) -> str:
    name = abi.symbol(f"{kernel.name}.share")
    if kernel.name in e.state.shares:
        return name
    e.state.shares.add(kernel.name)
    lines: list[str] = []
    arguments = ["ptr %ctx"]
    for place, type_ in enumerate(types):
        stored = abi.in_memory(type_)
        lines.append(f"  %at{place} = getelementptr {struct}, ptr %packed, i64 0, i32 {place}")
        lines.append(f"  %a{place} = load {stored}, ptr %at{place}")
        if stored != type_:
            lines.append(f"  %b{place} = trunc {stored} %a{place} to {type_}")
        arguments.append(f"{type_} %{'a' if stored == type_ else 'b'}{place}")
    result = abi.result_type(kernel.result)
    passed = ", ".join([*arguments, "i64 %begin", "i64 %end"])
    head = f"define internal i32 {name}(ptr %packed, ptr %ctx, i64 %begin, i64 %end) nounwind {{"
    call = f"  %returned = call {result} {abi.symbol(kernel.name)}({passed})"
    status = f"  %status = extractvalue {result} %returned, 0"
    e.state.helpers.append("\n".join((head, *lines, call, status, "  ret i32 %status", "}", "")))
    return name


RULES: Mapping[OpDef, Rule] = {low.LAUNCH: _launch}
