"""Writes one scripted function as LLVM IR: values, blocks, exits, and the ways out by exception.

The rules (`rules*.py`) say what each op becomes; they write through the `Emitter` here. Structured
regions become basic blocks: whoever leaves a region hands its values to the region's `Join`, which
writes the phis once all of them are known. Code that raises stands apart, at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from scriptc.analysis.remarks import loop_number
from scriptc.analysis.rings import Rings
from scriptc.backends.llvm.emitter import counts
from scriptc.backends.llvm.emitter.effort import Effort
from scriptc.backends.llvm.emitter.memory_kinds import NODES, NUMBERS
from scriptc.backends.llvm.emitter.phis import phi_text
from scriptc.backends.llvm.emitter.releases import releases_at_end, shared_order
from scriptc.backends.llvm.loading import abi
from scriptc.backends.llvm.loading.sites import FIRST_SITE, Frame, Site
from scriptc.kernels.device.launch import DeviceKernel
from scriptc_runtime.errors import InvalidIRError
from scriptc_runtime.ir import (
    NOWHERE,
    Block,
    Function,
    Instr,
    Label,
    Loc,
    Module,
    Role,
    Target,
    Value,
    walk,
)
from scriptc_runtime.ops import control, low
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.record import field, record
from scriptc_runtime.tracebacks import shown_name
from scriptc_runtime.types import (
    PyType,
    Type,
)

Components = tuple[str, ...]
Rule = Callable[["Emitter", Instr], None]
Held = tuple[Type, Components]  # a value that must be released
# Of kernels: the types of the arguments, and place and rank of the shapes of what is written.
Signature = tuple[Components, tuple[tuple[int, int], ...]]

_COUNTERS = {"retain": "keep", "release": "drop"}
_OBJECT_COUNTERS = {"retain": "@Py_IncRef", "release": "@Py_DecRef"}

_COUNTED = (control.FOR, low.LOOP, low.REDUCE)
# Metadata of every module: a branch that is hardly ever taken, one that nearly always is, nothing.
SELDOM, MOSTLY = "!prof !0", "!prof !1"
# What LLVM is to leave undone in a loop.
SCALAR = '!{!"llvm.loop.vectorize.enable", i1 false}'
# Vector code does several vectors an iteration as it is; more copies double the time of LLVM.
NOT_UNROLLED = '!{!"llvm.loop.unroll.disable"}'
METADATA = (
    """\
!0 = !{!"branch_weights", i32 1, i32 2000}
!1 = !{!"branch_weights", i32 2000, i32 1}
!2 = !{}
"""
    + NODES
    + "\n"
    + NUMBERS
)
COMMON_NODES = METADATA.count("\n") + 1


@record(frozen=False)
class ModuleState:
    """What the functions of one module collect together."""

    module: Module
    rules: Mapping[OpDef, Rule]
    recursive: frozenset[str]
    telling: frozenset[str]  # those of them that others have to be told their depth by
    often: frozenset[str]  # those that loops call, or what these call
    kernels: frozenset[str]  # the functions that are launched
    placed: frozenset[str]  # those of them that raise at lines of their own
    rings: Rings
    own_math: bool  # whether exp and log are those of `elementary/`, not libm's
    masks: bool  # whether a store of some lanes alone takes no longer than that of a vector
    # The kernels that a device runs, by name; None where all are this processor's.
    device: Mapping[str, DeviceKernel] | None = None
    threads: int = 0  # how many may share a launch; 0: as many as the process may use
    exported: frozenset[str] = frozenset()  # the functions that other objects call
    # Those that are worth few of LLVM's passes, or most.
    efforts: Mapping[str, Effort] = field(default_factory=dict[str, Effort])
    strings: dict[str, int] = field(default_factory=dict[str, int])
    texts: dict[str, int] = field(default_factory=dict[str, int])
    objects: dict[str, int] = field(default_factory=dict[str, int])
    sites: list[Site] = field(default_factory=list[Site])
    routines: set[str] = field(default_factory=set[str])
    declarations: set[str] = field(default_factory=set[str])
    functions: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    reductions: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    deleters: dict[Type, str] = field(default_factory=dict[Type, str])
    tracks: bool = False  # whether blocks that can be in a ring are made
    # Of classes: the type of each field, and the bytes before its components.
    layouts: dict[Type, Mapping[str, tuple[Type, Sequence[int]]]] = field(
        default_factory=dict[Type, Mapping[str, tuple[Type, Sequence[int]]]]
    )
    helpers: list[str] = field(default_factory=list[str])
    raised: list[str] = field(default_factory=list[str])  # classes of exceptions
    held: list[Type] = field(default_factory=list[Type])  # of what exceptions hold
    lists: dict[Type, int] = field(default_factory=dict[Type, int])
    list_functions: set[str] = field(default_factory=set[str])
    metadata: list[str] = field(default_factory=list[str])
    shared: dict[str, str] = field(default_factory=dict[str, str])
    signatures: dict[Signature, int] = field(default_factory=dict[Signature, int])
    # Of sites of a device's kernels: the number of the exception's kind, and that of its place.
    failures: dict[int, tuple[int, int]] = field(default_factory=dict[int, tuple[int, int]])
    list_out: Callable[..., str] | None = None  # names what copies a list or container out
    # Of kernels, each with its name: which components of the parameters the code takes.
    taken: dict[str, Sequence[bool]] = field(default_factory=dict[str, Sequence[bool]])

    def python_object(self, key: str) -> int:
        """Return the place of a Python object in the table that is filled in at load."""
        return self.objects.setdefault(key, len(self.objects))

    def node(self, text: str) -> str:
        """Add a metadata node and return its name; `{self}` in the text is that name."""
        name = f"!{len(self.metadata) + COMMON_NODES}"  # after those of every module
        self.metadata.append(f"{name} = {text.replace('{self}', name)}")
        return name

    def shared_node(self, text: str) -> str:
        """Return the metadata node with this text, the same one each time."""
        if text not in self.shared:
            self.shared[text] = self.node(text)
        return self.shared[text]

    def loop_metadata(self, hints: Sequence[str], place: Loc = NOWHERE) -> str:
        """Return what the branch at the end of an iteration says of its loop.

        Where somebody listens to remarks it has a number, which LLVM takes for a line.
        """
        number = loop_number(place)
        if number:
            file = self.shared_node('!DIFile(filename: "loops", directory: "")')
            unit = f"!DICompileUnit(language: DW_LANG_C, file: {file}, emissionKind: NoDebug)"
            scope = "!DISubprogram(spFlags: DISPFlagDefinition, unit: {}, file: {}, line: 1)"
            scope = scope.format(self.shared_node(f"distinct {unit}"), file)
            scope = self.shared_node(f"distinct {scope}")
            line = self.node(f"!DILocation(line: {number}, scope: {scope})")
            hints = [line, *hints]
        if not hints:
            return ""
        node = self.node(f"distinct !{{{', '.join(['{self}', *hints])}}}")
        return f", !llvm.loop {node}"


@record(frozen=False)
class Join:
    """A basic block that several others go to, each with its own values of the same types."""

    name: str
    types: Components
    incoming: list[tuple[str, Components]] = field(default_factory=list[tuple[str, Components]])


@record(frozen=False)
class Region:
    """Where the exits of one label lead: out of the region, or to the next iteration."""

    out: Join
    next: Join | None = None


@record
class KeptBuffer:
    """A buffer of a function: its bytes on the stack, and where the address, size and owner are."""

    own: str
    own_bytes: int
    data: str
    bytes: str
    owner: str


@record(frozen=False)
class Emitter:
    """Writes the body of one function. `lines` is the code, `cold` what runs only on a raise."""

    state: ModuleState
    function: Function
    file: str
    lines: list[str] = field(default_factory=list[str])
    cold: list[str] = field(default_factory=list[str])
    allocas: list[str] = field(default_factory=list[str])
    values: dict[Value, Components] = field(default_factory=dict[Value, Components])
    regions: dict[Label, Region] = field(default_factory=dict[Label, Region])
    uncounted: Instr | None = None  # the call of a recursive function that looks for no signals
    sites: dict[Site, int] = field(default_factory=dict[Site, int])  # of this function
    raising: dict[tuple[object, ...], str] = field(default_factory=dict[tuple[object, ...], str])
    # Blocks that release a value and go on to the block that the key names.
    releasing: dict[tuple[str, Held], str] = field(default_factory=dict[tuple[str, Held], str])
    # See `returns`: the releases of a return, numbers of values and what comes next, and blocks.
    left_to: dict[Instr, Sequence[Instr]] = field(default_factory=dict[Instr, Sequence[Instr]])
    returning: dict[tuple[Value, int], int] = field(default_factory=dict[tuple[Value, int], int])
    returns: dict[int, Join] = field(default_factory=dict[int, Join])
    handled: set[Components] = field(default_factory=set[Components])  # of handlers' exceptions
    block: str = "entry"
    handler: str = "unwind"
    access_groups: tuple[str, ...] = ()
    # What accesses through an array say of memory: where it is, and where it is not.
    scopes: dict[Value, str] = field(default_factory=dict[Value, str])
    scope_of: dict[str, str] = field(default_factory=dict[str, str])
    in_nest: bool = False  # inside a loop over arrays
    effort: Effort = Effort.NONE  # of LLVM's passes that its loops are worth
    local_arrays: frozenset[Value] = frozenset()  # which nothing but this function can hold
    kept: list[KeptBuffer] = field(default_factory=list[KeptBuffer])  # one for each slot
    messages: frozenset[Value] | None = None  # constants that are raised only, once looked for
    overflow: str = ""  # the block for an overflow of what is computed before it is needed
    count: int = 0
    _definitions: dict[Value, Instr] = field(default_factory=dict[Value, Instr])

    @property
    def definitions(self) -> Mapping[Value, Instr]:
        """What computes each value of the function, and the loop that counts in a value.

        Looked for when it is asked for first.
        """
        if not self._definitions:
            for instr in walk(self.function.body):
                self._definitions |= dict.fromkeys(instr.results, instr)
                if instr.op in _COUNTED:
                    self._definitions[instr.blocks[0].params[0]] = instr
        return self._definitions

    @property
    def is_kernel(self) -> bool:
        """Whether several threads may run this function at once, without the GIL."""
        return self.function.name in self.state.kernels

    def leave_to_llvm(self, effort: Effort = Effort.FULL) -> None:
        """Note that LLVM's passes are to make something of a loop."""
        self.effort = max(self.effort, effort)

    # Names and lines.

    def fresh(self) -> str:
        """Return an unused name of an SSA value."""
        self.count += 1
        return f"%v{self.count}"

    def label(self) -> str:
        """Return an unused name of a basic block."""
        self.count += 1
        return f"b{self.count}"

    def write(self, text: str) -> None:
        """Write an instruction that has no result."""
        self.lines.append(f"  {text}")

    def let(self, text: str) -> str:
        """Write an instruction and return the name of its result."""
        self.count += 1
        name = f"%v{self.count}"
        self.lines.append(f"  {name} = {text}")
        return name

    def start(self, label: str) -> None:
        """Begin a basic block."""
        self.lines.append(f"{label}:")
        self.block = label

    def jump(self, label: str) -> None:
        """End the block by going to `label`."""
        self.lines.append(f"  br label %{label}")

    def branch(self, condition: str, yes: str, no: str, hint: str = "") -> None:
        """End the block by going one of two ways."""
        tail = f", {hint}" if hint else ""
        self.lines.append(f"  br i1 {condition}, label %{yes}, label %{no}{tail}")

    def alloca(self, type_: str) -> str:
        """Reserve stack memory for the whole function."""
        name = self.fresh()
        self.allocas.append(f"  {name} = alloca {type_}")
        return name

    def declare(self, text: str) -> None:
        """Ask for a declaration in the module."""
        self.state.declarations.add(text)

    def intrinsic(self, result: str, name: str, *arguments: str) -> str:
        """Call a function whose arguments, written `i64 %x`, name their types; declare it."""
        types = ", ".join([a.split(" ", 1)[0] for a in arguments])
        self.state.declarations.add(f"declare {result} {name}({types})")
        return self.let(f"call {result} {name}({', '.join(arguments)})")

    def python_object(self, key: str) -> str:
        """Return a Python object of the table that is filled in at load, a type for example."""
        place = self.state.python_object(key)
        at = self.let(f"getelementptr ptr, ptr @sc_objects, i64 {place}")
        return self.let(f"load ptr, ptr {at}, !invariant.load !2")

    # Values.

    def components(self, value: Value) -> Components:
        """Return what a value consists of."""
        return self.values[value]

    def one(self, value: Value) -> str:
        """Return the only component of a value."""
        (component,) = self.values[value]
        return component

    def operands(self, instr: Instr) -> list[str]:
        """Return the operands of an instruction, each of which has one component."""
        return [self.values[v][0] for v in instr.operands]

    def typed(self, values: Sequence[Value]) -> list[str]:
        """Return all components of some values with their types, as arguments of a call."""
        return [
            f"{type_} {component}"
            for value in values
            for type_, component in zip(abi.flatten(value.type), self.values[value], strict=True)
        ]

    def bind(self, instr: Instr, *components: str) -> None:
        """Give the only result of an instruction its components."""
        self.values[instr.results[0]] = components

    # Blocks and exits.

    def run(self, block: Block) -> None:
        """Write the instructions of a block, up to and with its terminator."""
        rules, body = self.state.rules, block.body
        later = 0 if self.is_kernel else releases_at_end(block, self.function.label)
        if later:
            self.left_to[body[-1]] = body[-1 - later : -1]
            body = (*body[: -1 - later], body[-1])
        for instr in body:
            rule = rules.get(instr.op)
            if rule is None:
                name = self.function.name
                raise InvalidIRError(f"@{name}: the table RULES of LLVM has no op {instr.op.name}")
            rule(self, instr)

    def join(self, types: Components) -> Join:
        """Return a block to come, which receives values of `types`."""
        return Join(self.label(), types)

    def enter(self, join: Join, components: Components) -> None:
        """End the block by going to `join` with these values."""
        join.incoming.append((self.block, components))
        self.lines.append(f"  br label %{join.name}")

    def start_join(self, join: Join) -> Components:
        """Begin the block of a join, all of whose entries are known, and return its values."""
        self.start(join.name)
        if len(join.incoming) == 1:
            return join.incoming[0][1]
        if not join.incoming:
            return ("poison",) * len(join.types)  # nothing comes here, but code may still follow
        return tuple(
            self._phi(type_, join.incoming, index) for index, type_ in enumerate(join.types)
        )

    def open_phis(self, types: Components) -> tuple[Components, int]:
        """Reserve phis at the head of a loop; `close_phis` writes them behind the body."""
        place = len(self.lines)
        names = tuple(self.fresh() for _ in types)
        self.lines.extend("" for _ in types)
        return names, place

    def close_phis(self, place: int, names: Components, join: Join) -> None:
        """Write the phis that `open_phis` reserved at `place`."""
        for index, (name, type_) in enumerate(zip(names, join.types, strict=True)):
            self.lines[place + index] = f"  {name} = {phi_text(type_, join.incoming, index)}"

    def _phi(self, type_: str, incoming: Sequence[tuple[str, Components]], index: int) -> str:
        first = incoming[0][1][index]
        if all(components[index] == first for _, components in incoming):
            return first
        return self.let(phi_text(type_, incoming, index))

    def bind_results(self, instr: Instr, components: Components) -> None:
        """Share the components of a region's exits out among its results."""
        at = 0
        for result in instr.results:
            width = len(abi.flatten(result.type))
            self.values[result] = components[at : at + width]
            at += width

    def exit(self, target: Target, values: Sequence[Value]) -> None:
        """End the block by leaving a region or starting the next iteration of a loop."""
        components = tuple(c for value in values for c in self.values[value])
        region = self.regions[target.label]
        join = region.next if target.next else region.out
        if join is None:
            raise InvalidIRError(f"@{self.function.name}: {target.label} has no next iteration")
        self.enter(join, components)

    # Raising.

    def site(self, loc: Loc | None, message: str = "") -> str:
        """Return the number of a place in this function, as an operand."""
        number = self.site_number(loc, message)
        return f"add (i32 ptrtoint (ptr @{FIRST_SITE} to i32), i32 {number})"

    def site_number(self, loc: Loc | None, message: str) -> int:
        """Return the number of a place in this function; None: of the caller's frame."""
        frames: list[Frame] = []
        own = self.function.name
        shared = self.function.role is Role.SHARED
        place = None if shared or (self.is_kernel and own not in self.state.placed) else loc
        while place is not None:
            name = place.function or self.function.name
            owner = self.state.module.functions.get(name)
            file = place.file or (owner.file if owner else self.file)
            frames.append(Frame(shown_name(name), file, place.line))
            place = place.caller
        site = Site(tuple(frames), message)
        if site not in self.sites:
            # Those of a function follow each other: see `own_names`.
            self.sites[site] = len(self.state.sites)
            self.state.sites.append(site)
        return self.sites[site]

    def raise_if(
        self, condition: str, kind: str, message: str, instr: Instr, arguments: Components = ()
    ) -> None:
        """Raise where `condition` holds; `arguments` fill the {} of the message."""
        bad = self.raise_block(kind, message, instr, arguments)
        good = self.label()
        self.lines.append(f"  br i1 {condition}, label %{bad}, label %{good}, {SELDOM}")
        self.start(good)

    def raise_block(
        self,
        kind: str,
        message: str,
        instr: Instr,
        arguments: Components = (),
        text: str = "null",
    ) -> str:
        """Return a block that raises, releases what `instr` lists, and goes to the handler.

        The message is `message`, the same for every raise here, or `text`, a str that is taken
        over.
        """
        site = self.site(instr.loc, message)
        name = f"raise{len(arguments)}" if arguments else "raise"
        self.state.routines.add(name)
        numbers = "".join(f", i64 {argument}" for argument in arguments)
        given = f"ptr %ctx, i32 {abi.KIND[kind]}, i32 {site}, ptr {text}{numbers}"
        line = f"  call void @sc.{name}({given})"
        return self._cold_block(("raise", kind, site, arguments, text), [line], instr)

    def too_deep_block(self, instr: Instr) -> str:
        """Return a block that raises RecursionError in the caller, whose frame is the first."""
        self.state.routines.add("raise")
        kind = abi.KIND["RecursionError"]
        site = self.site(None, "maximum recursion depth exceeded")
        text = [f"  call void @sc.raise(ptr %ctx, i32 {kind}, i32 {site}, ptr null)"]
        return self._cold_block(("overflow", site), text, instr)

    def failed_block(self, instr: Instr) -> str:
        """Return a block for the failure of a scripted function that `instr` called."""
        self.state.routines.add("pass")
        site = self.site(instr.loc)
        text = [f"  call void @sc.pass(ptr %ctx, i32 {site})"]
        return self._cold_block(("pass", site), text, instr)

    def unwound_block(self, instr: Instr) -> str:
        """Return a block for an exception that already has its place in the trace."""
        return self._cold_block(("unwound",), [], instr)

    def python_failed_block(self, instr: Instr, held: Sequence[Held] = ()) -> str:
        """Return a block for the failure of a CPython function: its exception becomes ours.

        `held` is released as well as what `instr` lists.
        """
        self.state.routines.add("fetch")
        site = self.site(instr.loc)
        text = [f"  call void @sc.fetch(ptr %ctx, i32 {site})"]
        return self._cold_block(("fetch", site), text, instr, held)

    def interrupted_block(self, instr: Instr, held: Sequence[Held] = ()) -> str:
        """Return a block for what a look for signals ended: as `python_failed_block`, or apart."""
        self.state.routines.add("interrupted")
        site = self.site(instr.loc)
        text = [f"  call void @sc.interrupted(ptr %ctx, i32 {site})"]
        return self._cold_block(("interrupted", site), text, instr, held)

    def unwind(self, released: Sequence[Held]) -> None:
        """Release what an exception leaves behind; one that was handled becomes its context."""
        for type_, components in released:
            if type_ is PyType.EXCEPTION and components in self.handled:
                self.state.routines.add("add_context")
                self.write(f"call void @sc.add_context(ptr %ctx, {abi.exception_text(components)})")
            else:
                self.release(type_, components)

    def check_status(self, failed: str, bad: str) -> None:
        """Go to the block `bad` where the i1 `failed` holds."""
        good = self.label()
        self.lines.append(f"  br i1 {failed}, label %{bad}, label %{good}, {SELDOM}")
        self.start(good)

    def _cold_block(
        self, what: tuple[object, ...], text: list[str], instr: Instr, held: Sequence[Held] = ()
    ) -> str:
        # Checks of one instruction share a block: whatever defines the values it releases
        # dominates all of them, and so dominates the block.
        released = (*held, *((value.type, self.values[value]) for value in instr.cleanup))
        key = (*what, self.handler, released)
        if key in self.raising:
            return self.raising[key]
        name = self.raising[key] = self.label()
        after = self.releasing_block(released)
        hot, self.lines = self.lines, self.cold
        before = self.block
        self.start(name)
        self.lines.extend(text)
        self.jump(after)
        self.lines, self.block = hot, before
        return name

    def releasing_block(self, released: Sequence[Held]) -> str:
        """Return a block that releases values and goes to the handler.

        Each value has a block of its own, which goes on to that of the values behind it: what is
        released last, the oldest values mostly, is there once for all that raises.
        """
        after = self.handler
        released = shared_order(released, self.releasing, after)
        hot, self.lines = self.lines, self.cold
        before = self.block
        for place in reversed(range(len(released))):
            known = self.releasing.get((after, released[place]))
            if known is None:
                known = self.releasing[after, released[place]] = self.label()
                self.start(known)
                self.unwind(released[place : place + 1])
                self.jump(after)
            after = known
        self.lines, self.block = hot, before
        return after

    # Counts.

    def retain(self, type_: Type, components: Components) -> None:
        """Count one more owner of a value."""
        self._count_owner("retain", type_, components)

    def release(self, type_: Type, components: Components) -> None:
        """Count one owner less of a value."""
        self._count_owner("release", type_, components)

    def _count_owner(self, action: str, type_: Type, components: Components) -> None:
        for counted in counts.counted_parts(type_, components):
            kind, owner = counted.kind, self.owner_in(counted)
            if kind == "array":
                self._count_array_owner(action, owner)
            elif kind == "object":
                self._call_counter(_OBJECT_COUNTERS[action], owner)
            else:
                self.state.routines.add(name := f"{kind}_{_COUNTERS[action]}")
                # Inlined, but for where an exception is raised.
                apart = " noinline" if self.lines is self.cold else ""
                self.write(f"call void @sc.{name}(ptr {owner}){apart}")

    def owner_in(self, counted: counts.Counted) -> str:
        """Return the owner that is counted; null where the value that has it is absent."""
        owner = counted.owner
        for flag in counted.present:
            # What an absent value holds is not looked at.
            owner = self.let(f"select i1 {flag}, ptr {owner}, ptr null")
        return owner

    def _count_array_owner(self, action: str, owner: str) -> None:
        if owner == "null":
            return  # the array is on the stack
        if self.is_kernel:
            # Only its own arrays, which have no count.
            if action == "retain":
                raise InvalidIRError(f"@{self.function.name}: a kernel counts nothing")
            self._call_counter("@free", owner)
            return
        self.state.routines.add(f"{action}_array")
        self.write(f"call void @sc.{action}_array(ptr {owner})")

    def _call_counter(self, function: str, component: str) -> None:
        self.declare(f"declare void {function}(ptr)")
        self.write(f"call void {function}(ptr {component})")


def literal(component: str) -> int | None:
    """Return the number that an integer component is, None where it is not known."""
    return int(component) if component.lstrip("-").isdigit() else None
