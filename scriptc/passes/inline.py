"""Inline: put the body of a small function in the place of its calls.

    %1 = call %x [callee="first"]      =>      %1 = block @B : int {
                                                 for @L ... { ... exit @B %3 ... }
                                               }

A `return` anywhere in the callee becomes an exit from the block that wraps its body, so a
function that returns from inside a loop is inlined like any other.

Needs: valid IR.
Gives: valid IR, same results; locations keep one entry for each scripted frame.
Does not: inline recursion, a body larger than the limit that is called more than once or is (or
will be) an instance of the library, anything into a function that has grown large, a call whose
sizes are known not to fit, or a function that handles exceptions: the traceback of what it caught
ends there.
Cases: tests/cases/passes/inline.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial

from scriptc.analysis.instr_kinds import is_for_kernels
from scriptc.analysis.remarks import Kind, Message, Reason, Topic, about, remark, shown_function
from scriptc.passes.rebuild import Renaming, clone, rebuild
from scriptc.passes.separate import is_instance
from scriptc_runtime.call_graph import callees, calls_of, groups, recursive_functions
from scriptc_runtime.interp.dim_binding import bind_dims
from scriptc_runtime.ir import (
    INSTANCES,
    Builder,
    Function,
    Instr,
    Label,
    Loc,
    Module,
    Role,
    Value,
    first_deeper,
    types_in,
    walk,
)
from scriptc_runtime.ops import control, data
from scriptc_runtime.ops.opdef import OpDef, OpTypeError
from scriptc_runtime.record import record
from scriptc_runtime.types import holds_array, substitute_dims

INLINED = Message("inline", Topic.CALLS, Kind.DONE, "{callee}() is inlined")
KEPT = Message("inline", Topic.CALLS, Kind.MISSED, "{callee}() is called, not inlined: {why}")

SMALL = 40
# What a function may grow to: every pass and LLVM look at each copy of a body, and a hundred copies
# of one are slower for the processor as well.
LARGE = 4000
# Blocks inside of one another in what becomes of a function, and frames of one place in it: every
# pass goes down into them.
DEEP = 80


# About what becomes of an operation of a list that is inlined.
_OPENED: Mapping[OpDef, int] = {data.LIST_GET: 12, data.LIST_SET: 16, data.LIST_APPEND: 16}

# What is inlined for kernels: a call in one would have to be the host's.
KERNEL = 1000


def inline(module: Module) -> Module:
    """Return `module` with small functions, and functions called once, inlined."""
    return _inlined(module, lambda body: body.size <= SMALL)


def inline_for_kernels(module: Module) -> Module:
    """Return `module` with functions inlined that kernels can hold, unless they are very large.

    A loop with a call that is left runs on the host.
    Cases: tests/cases/device/inline_for_kernels.
    """
    if not any(i.op is control.CALL for f in module.functions.values() for i in walk(f.body)):
        return module
    return _inlined(module, lambda body: body.size <= (KERNEL if body.is_for_kernels else SMALL))


def _inlined(module: Module, fits: Callable[["_Body"], bool]) -> Module:
    calls = calls_of(module)
    recursive = recursive_functions(calls)
    count = Counter(
        callee for name, f in module.functions.items() for callee in callees(f) if callee != name
    )
    functions = dict(module.functions)
    bodies: dict[str, _Body] = {}
    refused = dict.fromkeys(recursive, Reason("it calls itself"))
    # Those that are, which others call as well so that they stay anyway, and those that will be.
    instances = {n for n, f in module.functions.items() if f.role in INSTANCES}
    for name in (name for group in groups(calls) for name in group if name not in recursive):
        functions[name] = function = _inline_into(functions[name], bodies, refused)
        if is_instance(function, instances):
            instances.add(name)
        has_arrays = any(map(holds_array, types_in(function)))
        size = _opened_size(function) if name in instances else size_of(function)
        body = _Body(function, size, _frames_in(function), has_arrays)
        handles = any(instr.op is control.TRY for instr in walk(function.body))
        if handles:
            refused[name] = Reason("it handles exceptions")
        elif fits(body) or (count[name] == 1 and name not in instances):
            bodies[name] = body
        elif name in instances:
            refused[name] = Reason("the library's code is compiled once for all programs")
        else:
            values = {"size": body.size, "most": SMALL, "calls": count[name]}
            text = "its {size} instructions (more than {most}) are not copied to {calls} calls"
            refused[name] = Reason(text, **values)
    return module.with_functions(functions)


@record
class _Body:
    """What takes the place of calls of a function."""

    function: Function
    size: int
    frames: int  # of the place that has the most
    has_arrays: bool

    @property
    def is_for_kernels(self) -> bool:
        """Whether kernels can hold the body."""
        return all(map(is_for_kernels, walk(self.function.body)))


def _inline_into(
    function: Function, bodies: Mapping[str, _Body], refused: Mapping[str, Reason]
) -> Function:
    about(function)
    size = size_of(function)

    def rewrite(instr: Instr, builder: Builder) -> tuple[Value, ...] | None:
        nonlocal size
        if instr.op is not control.CALL:
            return None
        callee = str(instr.attrs["callee"])
        body = bodies.get(callee)
        if body is None or size > LARGE:
            why = refused.get(callee, Reason("the caller has grown large"))
        elif _frames_of(instr.loc) + body.frames > DEEP or first_deeper(
            body.function.body, DEEP - builder.depth
        ):
            why = Reason("calls, or blocks, are too deep in one another")
        else:
            if body.function.role is not Role.LIBRARY:
                remark(INLINED, instr.loc, callee=shown_function(callee))
            size += body.size
            return _expand(instr, body, builder)
        remark(KEPT, instr.loc, callee=shown_function(callee), why=why)
        return None

    return rebuild(function, rewrite)


def size_of(function: Function) -> int:
    """Return how many instructions a function has, those of inner blocks too."""
    return sum(1 for _ in walk(function.body))


def _opened_size(function: Function) -> int:
    """Return about how many instructions a function has when operations of lists are opened."""
    return sum(_OPENED.get(instr.op, 1) for instr in walk(function.body))


def _frames_in(function: Function) -> int:
    places = {id(instr.loc): instr.loc for instr in walk(function.body)}
    return max(map(_frames_of, places.values()), default=1)


def _frames_of(loc: Loc) -> int:
    count = 1
    while loc.caller:
        loc, count = loc.caller, count + 1
    return count


def _expand(call: Instr, inlined: "_Body", builder: Builder) -> tuple[Value, ...] | None:
    """Emit the body of a function for a call of it and return the result.

    None if the sizes that the call knows show that an op in the body will fail: ops of such types
    cannot be written, so the call stays and raises when it runs.
    """
    callee = inlined.function
    label = Label(callee.name)
    bindings = Renaming()
    for param, argument in zip(callee.params, call.operands, strict=True):
        bindings[param] = argument

    places: dict[int, Loc] = {}  # by the objects: many instructions share one

    def place(loc: Loc) -> Loc:
        # The innermost frame keeps its line; frames inlined before keep their own callers.
        if id(loc) not in places:
            caller = place(loc.caller) if loc.caller else call.loc
            name, file = loc.function or callee.name, loc.file or callee.file
            places[id(loc)] = Loc(loc.line, loc.column, name, caller, file)
        return places[id(loc)]

    retype = None
    if inlined.has_arrays:
        # A symbol of the callee may have the name of another size here.
        dims = bind_dims([p.type for p in callee.params], [v.type for v in call.operands])
        retype = partial(substitute_dims, bindings=dims)
    body = clone(callee.body, bindings, {callee.label: label}, place, retype)
    if inlined.has_arrays and not all(map(_is_typed, walk(body))):
        return None
    return builder.region(control.BLOCK, (), (body,), label, [call.result.type], call.loc)


def _is_typed(instr: Instr) -> bool:
    try:
        instr.op.infer([v.type for v in instr.operands], instr.attrs)
    except OpTypeError:
        return False
    return True
