"""LLVM code for control ops: regions, exits, calls, exceptions, cells.

Loops of the script look for Ctrl-C. The context holds a number of iterations to go until then
(`POLL`): a loop that holds no other takes it down by a whole chunk of iterations at a time, so its
iterations themselves are as lean as if nobody asked; any other loop takes it down by one an
iteration.
"""

from collections.abc import Callable, Mapping, Sequence

from scriptc.analysis import serial_sums
from scriptc.analysis.remarks import (
    Kind,
    Message,
    Topic,
    is_added,
    muted,
    remark,
)
from scriptc.analysis.signals import SHORT_LOOP, known_iterations, looks_for_signals
from scriptc.backends.llvm.emitter import branchless_select, if_conversion, returns
from scriptc.backends.llvm.emitter.box import Boxer
from scriptc.backends.llvm.emitter.failures import raise_first
from scriptc.backends.llvm.emitter.function import (
    NOT_UNROLLED,
    SCALAR,
    Components,
    Emitter,
    Held,
    Region,
    Rule,
)
from scriptc.backends.llvm.emitter.kept_buffers import drop_buffers
from scriptc.backends.llvm.emitter.layout import verify_layout
from scriptc.backends.llvm.emitter.polling import COUNTED_CHUNK, OPEN_CHUNK, poll
from scriptc.backends.llvm.emitter.regions import open_region, range_item, range_length
from scriptc.backends.llvm.loading import abi
from scriptc.backends.llvm.loading.abi import Context
from scriptc_runtime.ir import UNFRAMED, Block, Function, Instr, Value
from scriptc_runtime.ops import control as ops
from scriptc_runtime.ops import low, products
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import is_counted

# Lines of LLVM IR after which a function has no more calls inlined.
LARGE = 6000


def _exit(e: Emitter, instr: Instr) -> None:
    target = instr.target
    assert target is not None
    if instr in e.left_to:
        returns.return_shared(e, instr)
    elif target.label is e.function.label:
        return_value(e, tuple(c for v in instr.operands for c in e.components(v)))
    else:
        e.exit(target, instr.operands)


def share_returns(e: Emitter) -> None:
    """Write the code that returns of a function share, if they share some."""
    if e.returns:
        return_value(e, returns.shared_returns(e))


def return_value(e: Emitter, components: Components) -> None:
    """Return from the function, without exception."""
    drop_buffers(e)
    leave_recursion(e)
    type_ = abi.result_type(e.function.result)
    parts = abi.flatten(e.function.result)
    aggregate = status_value(0, parts)
    for index, (part, component) in enumerate(zip(parts, components, strict=True)):
        aggregate = e.let(f"insertvalue {type_} {aggregate}, {part} {component}, {index + 1}")
    e.write(f"ret {type_} {aggregate}")


def status_value(status: int, parts: Components) -> str:
    """Return the constant of a result type that holds a status only."""
    return f"{{ {', '.join([f'i32 {status}', *(f'{part} poison' for part in parts)])} }}"


def leave_recursion(e: Emitter) -> None:
    """Count a call of a recursive function as ended, for those who were told."""
    if e.function.name in e.state.telling:
        e.write("store i64 %around, ptr %depth.at")


def enter_recursion(e: Emitter, entry: Instr) -> None:
    """Refuse a call of a recursive function that is too deep; `entry` tells the place.

    How deep a call is goes in a register from one recursive function to the next.
    """
    limit = _load_context(e, "i64", Context.DEPTH_LIMIT)
    deep = e.let(f"icmp sge i64 %depth, {limit}")
    e.declare("declare ptr @llvm.stacksave.p0()")
    pointer = e.let("call ptr @llvm.stacksave.p0()")
    lowest = _load_context(e, "ptr", Context.STACK_LIMIT)
    narrow = e.let(f"icmp ult ptr {pointer}, {lowest}")
    over = e.let(f"or i1 {deep}, {narrow}")
    telling = e.function.name in e.state.telling
    if telling:
        e.write(_DEPTH_AT)
        e.write("%around = load i64, ptr %depth.at")
    e.check_status(over, e.too_deep_block(entry))
    e.write("%deeper = add i64 %depth, 1")
    if telling:
        e.write("store i64 %deeper, ptr %depth.at")


_DEPTH_AT = f"%depth.at = getelementptr i8, ptr %ctx, i64 {Context.DEPTH}"


def outermost_call(function: Function, marks: str) -> str:
    """Return the text of what stands for a recursive function where others call it.

    `marks` say what LLVM is told of the function itself.
    """
    types = [t for param in function.params for t in abi.flatten(param.type)]
    given = "".join(f", {t} %a{i}" for i, t in enumerate(types))
    result = abi.result_type(function.result)
    return "\n".join(
        (
            f"define internal {result} {abi.symbol(function.name)}(ptr noalias %ctx{given})"
            f" nounwind{marks} {{",
            f"  {_DEPTH_AT}",
            "  %depth = load i64, ptr %depth.at",
            f"  %called = call {result} {abi.inner_symbol(function.name)}"
            f"(ptr %ctx, i64 %depth{given})",
            f"  ret {result} %called",
            "}",
            "",
        )
    )


def _load_context(e: Emitter, type_: str, field: int) -> str:
    at = e.let(f"getelementptr i8, ptr %ctx, i64 {field}")
    return e.let(f"load {type_}, ptr {at}")


def _finish(e: Emitter, instr: Instr, region: Region) -> None:
    e.bind_results(instr, e.start_join(region.out))


def _if(e: Emitter, instr: Instr) -> None:
    region = open_region(e, instr)
    if if_conversion.is_cheap(e, instr):
        if_conversion.emit_select(e, instr)
    branchless_select.run_choice(e, instr, e.label(), e.label())
    _finish(e, instr, region)


def _block(e: Emitter, instr: Instr) -> None:
    region = open_region(e, instr)
    e.run(instr.blocks[0])
    _finish(e, instr, region)


def _try(e: Emitter, instr: Instr) -> None:
    region = open_region(e, instr)
    outer, e.handler = e.handler, e.label()
    e.run(instr.blocks[0])
    handler, e.handler = e.handler, outer
    e.start(handler)
    raise_first(e)
    e.state.routines.add("caught")
    e.write("call ptr @sc.caught(ptr %ctx)")
    (caught,) = instr.blocks[1].params
    e.values[caught] = tuple(
        _load_context_at(e, type_, offset)
        for type_, offset in zip(abi.EXCEPTION_COMPONENTS, abi.EXCEPTION_OFFSETS, strict=True)
    )
    e.handled.add(e.values[caught])
    e.run(instr.blocks[1])
    _finish(e, instr, region)


def _load_context_at(e: Emitter, type_: str, offset: int) -> str:
    at = e.let(f"getelementptr i8, ptr %ctx, i64 {offset}")
    return e.let(f"load {type_}, ptr {at}")


# Loops.

IN_ORDER = Message(
    "vectors",
    Topic.VECTORS,
    Kind.MISSED,
    "not vectorised: a sum in a loop keeps its order, so each addition waits for the one before",
)

# Gives the parameters of a loop's block their values: the number of the iteration and what is
# carried.
_Bind = Callable[[str, Components], None]


# An iteration with one of these may take long, whatever the number of iterations.
_LONG = frozenset({ops.FOR, ops.WHILE, ops.CALL, low.LOOP, low.REDUCE, low.LAUNCH, *products.OPS})


def _is_long(e: Emitter, block: Block, most: int = SHORT_LOOP) -> bool:
    """Whether a block takes longer than `most` iterations of straight code, or may do so."""
    for instr in block.body:
        iterations = 1
        if instr.op in _LONG:
            known = known_iterations(instr, e.definitions)
            if known is None or known > most:
                return True
            iterations = max(known, 1)
        if any(_is_long(e, inner, most // iterations) for inner in instr.blocks):
            return True
    return False


def _for(e: Emitter, instr: Instr) -> None:
    start, stop, step = (e.one(v) for v in instr.operands[:3])
    count = range_length(e, instr, start, stop, step)
    carried = tuple(c for v in instr.operands[3:] for c in e.components(v))

    def bind(k: str, values: Components) -> None:
        index = range_item(e, k, start, step)
        _bind_params(e, instr.blocks[0], (index, *values))

    _loop(e, instr, count, carried, bind)


def _while(e: Emitter, instr: Instr) -> None:
    carried = tuple(c for v in instr.operands for c in e.components(v))
    _loop(e, instr, None, carried, lambda _, values: _bind_params(e, instr.blocks[0], values))


def _bind_params(e: Emitter, block: Block, components: Components) -> None:
    at = 0
    for param in block.params:
        width = len(abi.flatten(param.type))
        e.values[param] = components[at : at + width]
        at += width


def _loop(e: Emitter, instr: Instr, count: str | None, carried: Components, bind: _Bind) -> None:
    """Write a loop of `count` iterations, or one that only its exits end."""
    e.leave_to_llvm()
    polls = looks_for_signals(instr, e.function.role, e.definitions)
    if not polls or _is_long(e, instr.blocks[0]):
        _simple_loop(e, instr, count, carried, bind, polls=polls)
    else:
        _chunked_loop(e, instr, count, carried, bind)


def _carried(instr: Instr) -> Sequence[Value]:
    return instr.operands[3:] if instr.op is ops.FOR else instr.operands


def _carried_types(instr: Instr) -> Components:
    return tuple(t for v in _carried(instr) for t in abi.flatten(v.type))


def _held(instr: Instr, components: Components) -> list[Held]:
    held: list[Held] = []
    at = 0
    for value in _carried(instr):
        width = len(abi.flatten(value.type))
        if is_counted(value.type):
            held.append((value.type, components[at : at + width]))
        at += width
    return held


def _simple_loop(
    e: Emitter, instr: Instr, count: str | None, carried: Components, bind: _Bind, *, polls: bool
) -> None:
    region = open_region(e, instr)
    types = ("i64", *_carried_types(instr))
    head, region.next = e.join(types), e.join(types[1:])
    e.enter(head, ("0", *carried))
    e.start(head.name)
    phis, place = e.open_phis(types)
    _test_count(e, region, count, phis)
    if polls:
        poll(e, "1", instr, _held(instr, phis[1:]))
    bind(phis[0], phis[1:])
    e.run(instr.blocks[0])
    if region.next.incoming:
        values = e.start_join(region.next)
        e.enter(head, (e.let(f"add nuw nsw i64 {phis[0]}, 1"), *values))
    e.close_phis(place, phis, head)
    _finish(e, instr, region)


def _test_count(e: Emitter, region: Region, count: str | None, phis: Components) -> None:
    """Leave the loop with what is carried once `count` iterations are done."""
    if count is None:
        return
    more = e.let(f"icmp ult i64 {phis[0]}, {count}")
    body = e.label()
    region.out.incoming.append((e.block, phis[1:]))
    e.branch(more, body, region.out.name)
    e.start(body)


def _chunked_loop(
    e: Emitter, instr: Instr, count: str | None, carried: Components, bind: _Bind
) -> None:
    region = open_region(e, instr)
    types = ("i64", *_carried_types(instr))
    chunk, head, region.next = e.join(types), e.join(types), e.join(types[1:])
    e.enter(chunk, ("0", *carried))
    e.start(chunk.name)
    outer, outer_place = e.open_phis(types)
    _test_count(e, region, count, outer)
    iterations = str(OPEN_CHUNK)
    if count is not None:
        left = e.let(f"sub nuw i64 {count}, {outer[0]}")
        iterations = e.intrinsic("i64", "@llvm.umin.i64", f"i64 {left}", f"i64 {COUNTED_CHUNK}")
    poll(e, iterations, instr, _held(instr, outer[1:]))
    end = e.let(f"add nuw i64 {outer[0]}, {iterations}")
    e.enter(head, outer)
    e.start(head.name)
    phis, place = e.open_phis(types)
    bind(phis[0], phis[1:])
    e.run(instr.blocks[0])
    if region.next.incoming:
        values = e.start_join(region.next)
        after = e.let(f"add nuw nsw i64 {phis[0]}, 1")
        done = e.let(f"icmp eq i64 {after}, {end}")
        for join in (head, chunk):
            join.incoming.append((e.block, (after, *values)))
        lone = serial_sums.is_lone_sum(instr, e.function.body)
        hints = (
            (SCALAR, NOT_UNROLLED) if lone else (SCALAR,) if serial_sums.only_adds(instr) else ()
        )
        with muted(silent=is_added(instr)):
            if hints:
                remark(IN_ORDER, instr.loc)
            end = e.state.loop_metadata([e.state.shared_node(text) for text in hints], instr.loc)
        e.write(f"br i1 {done}, label %{chunk.name}, label %{head.name}{end}")
    e.close_phis(outer_place, outer, chunk)
    e.close_phis(place, phis, head)
    _finish(e, instr, region)


# Calls and exceptions.


def _call(e: Emitter, instr: Instr) -> None:
    callee = e.state.module.callee(instr)
    type_ = abi.result_type(callee.result)
    name, depth = abi.symbol(callee.name), list[str]()
    if {callee.name, e.function.name} <= e.state.recursive:
        name, depth = abi.inner_symbol(callee.name), ["i64 %deeper"]
        # Calls that no other one comes between are inside of each other: the stack takes so many.
        if instr is not e.uncounted:
            poll(e, "1", instr)
    arguments = ", ".join(["ptr %ctx", *depth, *e.typed(instr.operands)])
    # LLVM's work on a function grows faster than the function.
    apart = " noinline" if len(e.lines) > LARGE else ""
    returned = e.let(f"call {type_} {name}({arguments}){apart}")
    status = e.let(f"extractvalue {type_} {returned}, 0")
    failed = e.let(f"icmp ne i32 {status}, 0")
    is_framed = callee.role not in UNFRAMED
    bad = e.failed_block(instr) if is_framed else e.unwound_block(instr)
    e.check_status(failed, bad)
    width = len(abi.flatten(callee.result))
    e.bind(instr, *(e.let(f"extractvalue {type_} {returned}, {i + 1}") for i in range(width)))


def _raise(e: Emitter, instr: Instr) -> None:
    e.jump(_raise_block(e, instr))


def _raise_block(e: Emitter, instr: Instr) -> str:
    kind = str(instr.attrs["kind"])
    if not instr.operands:
        return e.raise_block(kind, "", instr)
    (value,) = instr.operands
    if value in (e.messages or ()):
        return e.raise_block(kind, "", instr, text=e.one(value))
    obj = Boxer(e, verify_layout(), e.state.list_out).box(value.type, e.components(value))
    e.check_status(e.let(f"icmp eq ptr {obj}, null"), e.python_failed_block(instr))
    return e.raise_block(kind, "", instr, text=obj)


def _reraise(e: Emitter, instr: Instr) -> None:
    components = e.components(instr.operands[0])
    for component, type_, offset in zip(
        components, abi.EXCEPTION_COMPONENTS, abi.EXCEPTION_OFFSETS, strict=True
    ):
        at = e.let(f"getelementptr i8, ptr %ctx, i64 {offset}")
        e.write(f"store {type_} {component}, ptr {at}")
    if instr.attrs["traced"]:
        e.state.routines.add("pass")
        e.write(f"call void @sc.pass(ptr %ctx, i32 {e.site(instr.loc)})")
    e.jump(e.releasing_block([(value.type, e.components(value)) for value in instr.cleanup]))


def _fail(e: Emitter, instr: Instr) -> None:
    kind, message = str(instr.attrs["kind"]), str(instr.attrs["message"])
    e.jump(e.raise_block(kind, message, instr, tuple(e.operands(instr))))


RULES: Mapping[OpDef, Rule] = {
    low.FAIL: _fail,
    ops.EXIT: _exit,
    ops.IF: _if,
    ops.FOR: _for,
    ops.WHILE: _while,
    ops.BLOCK: _block,
    ops.TRY: _try,
    ops.CALL: _call,
    ops.RAISE: _raise,
    ops.RERAISE: _reraise,
}
