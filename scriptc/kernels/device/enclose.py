"""Enclose: what host code does with elements becomes kernels, of one thread or of one block.

    %s = reduce %n {... load %x ...}    =>    %c = new_array                 (of no axes)
    %t = sqrt %s                              loop 1 [parallel=true] {
    exit @return %t                             %r = reduce %n {... load %x ...}
                                                store %c, %r
                                              }
                                              %s = fetch %c [once=true]
                                              %t = sqrt %s
                                              exit @return %t

A device has its own memory, which host code cannot read.  So each loop that touches elements, and
each run of single stores and loads, stands in a loop of one iteration, which `outline` makes a
kernel of.  What comes out of it goes through *cells*, arrays of one element; host code fetches them
where it needs the numbers, and `outline` reads them in the kernels that need them.

A loop that is left for a place outside of it leaves a number that tells where to go on.

Needs: low IR, the last thing before `outline`; `runs_in_kernels` says what a kernel may hold.
Gives: low IR; host code reads elements by `fetch` alone and stores none, but for what kernels
    cannot hold.
Does not: take apart loops with parallel ones inside, whose iterations host code runs in order.
Cases: tests/cases/device/enclose.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.effects import ModuleEffects
from scriptc.analysis.induction import constant_int
from scriptc.analysis.instr_kinds import computes_only
from scriptc.kernels.builder import Code
from scriptc.kernels.device.cells import Cell, is_number
from scriptc.kernels.device.ways import Inside, Way
from scriptc.passes.rebuild import Renaming, clone, map_blocks
from scriptc_runtime.ir import (
    Block,
    Builder,
    Function,
    Instr,
    Label,
    Module,
    Role,
    Value,
    walk,
)
from scriptc_runtime.ops import control, device, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import Trait
from scriptc_runtime.record import field, record, replace
from scriptc_runtime.types import DType

RunsInKernels = Callable[[Instr], bool]

_ACCESSES = (low.LOAD, low.STORE)
_NESTS = (low.LOOP, low.REDUCE)
_FEW = 64  # iterations of a fold that a thread does not share


def enclose(runs_in_kernels: RunsInKernels) -> Callable[[Module], Module]:
    """Return the pass for a device whose kernels may hold what `runs_in_kernels` says."""

    def run(module: Module) -> Module:
        effects = ModuleEffects(module)
        functions: dict[str, Function] = {}
        for name, function in module.functions.items():
            functions[name] = function
            if function.role is not Role.KERNEL:
                may_raise = effects.function(name).footprint
                body = _Encloser(function, runs_in_kernels, lambda i, f=may_raise: f(i).raises)
                functions[name] = body.run()
        return module.with_functions(functions)

    run.__name__ = "enclose"
    return run


@record
class _Run:
    """Instructions in order: those `inside` of a kernel, and what is `known` there alone."""

    every: list[Instr] = field(default_factory=list[Instr])
    inside: dict[Instr, None] = field(default_factory=dict[Instr, None])
    known: set[Value] = field(default_factory=set[Value])

    def add(self, instr: Instr, *, late: bool) -> None:
        """Add an instruction; one that is `late` must come after those inside."""
        self.every.append(instr)
        if late or _touches(instr) or any(v in self.known for v in _used_in(instr)):
            self.inside[instr] = None
            self.known.update(instr.results)


class _Encloser:
    def __init__(
        self, function: Function, runs_in_kernels: RunsInKernels, raises: Callable[[Instr], bool]
    ) -> None:
        self._function = function
        self._runs = runs_in_kernels
        self._raises = raises
        self._made = definitions_of(function)
        self._uses = Counter(v for i in walk(function.body) for v in i.operands)
        self._for_kernels = self._used_by_parallel_loops()
        self._of_kernels: set[Value] = set()  # what host code would have to wait for

    def run(self) -> Function:
        body = self._block(self._function.body)
        return self._function if body is self._function.body else replace(self._function, body=body)

    def _used_by_parallel_loops(self) -> set[Value]:
        """Return what parallel loops use, and what that is computed from."""
        loops = [i for i in walk(self._function.body) if _is_parallel(i)]
        found = {v for loop in loops for v in _used_in(loop)}
        waiting = list(found)
        while waiting:
            made = self._made.get(waiting.pop())
            if made is not None and not made.blocks:
                new = [v for v in made.operands if v not in found]
                found.update(new)
                waiting += new
        return found

    def _block(self, block: Block) -> Block:
        builder = Builder()
        builder.open(*block.params)
        run = _Run()
        for instr in block.body:
            if _is_shared(instr) or not self._belongs(instr, run):
                self._emit(run, builder)  # the threads of a block share a nest of its own
                run = _Run()
            if computes_only(instr) and not self._of_kernels.isdisjoint(instr.operands):
                self._of_kernels.update(instr.results)
            if not self._belongs(instr, run):
                builder.append(instr if _is_parallel(instr) else map_blocks(instr, self._block))
                continue
            run.add(instr, late=bool(run.inside) and self._raises(instr))
            if _is_shared(instr):
                self._emit(run, builder)
                run = _Run()
        self._emit(run, builder)
        new = builder.close()
        return block if new.body == block.body else new

    def _belongs(self, instr: Instr, run: "_Run") -> bool:
        """Whether an instruction may be part of a kernel, or stand between parts of one."""
        if Trait.TERMINATOR in instr.op.traits:
            return False
        if computes_only(instr) and not any(v in run.known for v in instr.operands):
            return True  # host code does it, before the rest
        if not all(is_number(r.type) for r in instr.results):
            return False
        if not instr.blocks:
            return self._runs(instr)
        if instr.op is control.IF and _touches(instr):
            known = instr.operands[0] not in run.known
            if known and instr.operands[0] not in self._of_kernels:
                return False  # host code knows which arm runs
        inside = Inside([instr])
        inner = inside.instrs
        shared = any(map(_is_parallel, inner)) or any(map(self._is_long, inner[1:]))
        if shared and instr.op is not low.REDUCE:
            return False
        exits = set(_exits(instr))
        made = inside.made_by_host(exits)
        return made is not None and all(
            self._runs(i) for i in inner if i not in made and i not in exits
        )

    def _is_long(self, instr: Instr) -> bool:
        if instr.op is not low.REDUCE:
            return False
        count = constant_int(instr.operands[0], self._made)
        return count is None or count > _FEW

    def _emit(self, run: "_Run", builder: Builder) -> None:
        """Emit a run: what host code can do for itself, then a kernel of the rest."""
        reads = all(i.op is low.LOAD or not _touches(i) for i in run.every)
        if reads and not self._is_for_kernels(run.every):
            _append(builder, map(_fetched, run.every))
            return
        _append(builder, (i for i in run.every if i not in run.inside))
        self._kernel(list(run.inside), builder)

    def _is_for_kernels(self, run: Sequence[Instr]) -> bool:
        """Whether a number that a run reads is for a kernel."""
        return any(r in self._for_kernels for i in run for r in i.results if i.op is low.LOAD)

    def _kernel(self, body: Sequence[Instr], builder: Builder) -> None:
        inner = Counter(v for i in body for v in _used_in(i))
        given = [r for i in body for r in i.results if self._uses[r] > inner[r]]
        code = Code(builder, body[0].loc)
        cells = [Cell.made(code, v) for v in given]
        exits = [i for region in body for i in _exits(region)]
        inside = Inside(body) if exits else None
        ways = [Way.of(code, i, inside) for i in exits if inside is not None]
        goes = Cell.made(code, code.number(0)) if ways else None

        def iteration(_: Value) -> None:
            if goes is None:
                _append(builder, body)
                _store_all(code, cells, given)
                return
            self._with_ways(code, body, ways, goes, lambda: _store_all(code, cells, given))

        one = code.number(1)
        builder.open()
        code.loop(one, iteration, parallel=True)
        # What is defined in it, host code defines by fetching.
        for loop in clone(builder.close(), Renaming(), {}, lambda loc: loc).body:
            builder.append(loop)
        if goes is not None:
            self._go(code, ways, goes)
        for cell, value in zip(cells, given, strict=True):
            cell.fetch(code, value)
        self._of_kernels.update(given)

    def _with_ways(
        self,
        code: Code,
        body: Sequence[Instr],
        ways: Sequence[Way],
        goes: Cell,
        after: Callable[[], None],
    ) -> None:
        """Emit a body whose ways out end it, each with its number in `goes`."""
        label, builder = Label("enclosed"), code.builder
        numbers = {way.exit: number for number, way in enumerate(ways, 1)}
        made_by_host = {instr for way in ways for instr in way.made}

        def left(block: Block) -> Block:
            within = Builder()
            within.open(*block.params)
            inner = Code(within, code.loc)
            for instr in block.body:
                if instr in made_by_host:
                    continue
                if instr not in numbers:
                    within.append(map_blocks(instr, left))
                    continue
                for value, cell in ways[numbers[instr] - 1].cells.items():
                    cell.store(inner, value)
                goes.store(inner, inner.number(numbers[instr]))
                within.exit(label, loc=instr.loc)
            new = within.close()
            return block if new.body == block.body else new

        builder.open()
        _append(builder, [map_blocks(i, left) for i in body])
        after()
        goes.store(code, code.number(0))
        builder.exit(label, loc=code.loc)
        block = builder.close()
        builder.region(control.BLOCK, (), (block,), label, (), code.loc)

    def _go(self, code: Code, ways: Sequence[Way], goes: Cell) -> None:
        """Emit host code that goes the way that a kernel left by."""
        number = goes.fetch(code, Value(DType.I64, "goes"))
        builder = code.builder
        for chosen, way in enumerate(ways, 1):
            label = Label("way")
            builder.open()
            way.take(code)
            taken = builder.close()
            builder.open()
            builder.exit(label, loc=code.loc)
            others = builder.close()
            is_it = code.test(e.EQ, number, code.number(chosen))
            builder.region(control.IF, (is_it,), (taken, others), label, (), code.loc)


def _append(builder: Builder, instrs: Iterable[Instr]) -> None:
    for instr in instrs:
        builder.append(instr)


def _store_all(code: Code, cells: Sequence[Cell], values: Sequence[Value]) -> None:
    for cell, value in zip(cells, values, strict=True):
        cell.store(code, value)


def _fetched(instr: Instr) -> Instr:
    """Return a load as host code does it."""
    return replace(instr, op=device.FETCH, attrs={"once": False}) if instr.op is low.LOAD else instr


def _touches(instr: Instr) -> bool:
    """Whether an instruction reads or writes elements."""
    return instr.op in _ACCESSES or any(i.op in _ACCESSES for b in instr.blocks for i in walk(b))


def _used_in(instr: Instr) -> Iterator[Value]:
    """Yield what an instruction and those in it use."""
    yield from instr.operands
    for block in instr.blocks:
        for inner in walk(block):
            yield from inner.operands


def _exits(region: Instr) -> Iterator[Instr]:
    """Yield the exits from a region to places outside of it."""
    inside = [i for b in region.blocks for i in walk(b)]
    labels = {region.label, *(i.label for i in inside if i.label is not None)}
    for instr in inside:
        if instr.target is not None and instr.target.label not in labels:
            yield instr


def _is_shared(instr: Instr) -> bool:
    """Whether the threads of a block share the iterations of a nest, or of one in it."""
    if instr.op not in _NESTS:
        return False
    inner = [instr, *(i for b in instr.blocks for i in walk(b))]
    return any(i.op is low.REDUCE or _is_parallel(i) for i in inner)


def _is_parallel(instr: Instr) -> bool:
    return instr.op is low.LOOP and bool(instr.attrs["parallel"])
