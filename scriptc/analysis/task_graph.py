"""Tasks: pieces of work in a straight stretch of a block that do not depend on each other.

    launch ... %x, %1                    a task: the first two lines
    %2 = call %1 [callee="loop.f.0"]
    launch ... %y, %3                    another one: the next two
    %4 = call %3 [callee="loop.f.0"]
    %5 = add %2, %4                      needs both, and comes after them

The nodes of the graph are instructions that read or write memory, hold loops, or compute with what
such ones give; the edges are their dependences, and a task is what the edges connect.  What would
connect two tasks comes after them, and so does all that depends on it.

Tasks may run in any order, and at once, if the first exception in the order of the program is that
of the first task that raises.  So what raises in one task does not stand between what raises in
another one; a task that writes what others can see does so beside tasks that do not raise; and
what comes after the tasks stays behind what may have to be seen first.

What raises may be the test that something after it needs, which accesses memory without one.  So
there is an edge, too, from what raises to all that comes after it and knows anything it knows: one
of the arrays, numbers or sizes that it follows from.
"""

import enum
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from scriptc.analysis.costs import COSTS, OF_ROWS, OTHER, SCALAR, scalar_cost
from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.effects import FunctionEffects, ModuleEffects
from scriptc.analysis.induction import are_few, constant_int
from scriptc.analysis.instr_kinds import computes_only, effects_of, is_for_kernels
from scriptc_runtime.ir import Block, Function, Instr, Module, Role, Value, walk
from scriptc_runtime.ops import arrays, control, data, low, sorting
from scriptc_runtime.record import field, record
from scriptc_runtime.types import TensorType, is_counted

# No more tasks than this in a stretch: what chooses among them is nothing beside them.
_MOST = 32
# What tasks save of an element, at least: what one thread computes but for the longest task.
_LEAST_SAVED = 16
# The same of loops of scalar code, which wait for each other's results besides.
_LEAST_SERIAL = 8
# How much larger than the largest launch this has to be.
_WINDOW = 2
_FEW = 256

_LOOPS = frozenset({control.FOR, control.WHILE, low.LOOP, low.REDUCE})
_SHAPES = frozenset({low.SIZE, arrays.DIM})  # which nothing that is written changes
# What raises for lack of memory alone, which may come in another order, as it may in a `prange`.
_FOR_MEMORY = frozenset({sorting.SORT_ROW, sorting.ORDER_ROW})
_CALLED = frozenset({Role.LOOP, Role.FALLBACK, Role.SHARED})
_NO_VALUES: frozenset[Value] = frozenset()


@record
class Stretch:
    """A part of a block, from one place to before another, as tasks and what is around them."""

    begin: int
    end: int
    before: Sequence[Instr]
    tasks: Sequence[Sequence[Instr]]
    after: Sequence[Instr]
    places: Mapping[Instr, int]


class _Kind(enum.Enum):
    """Where an array comes from."""

    FRESH = "made in the stretch"
    GIVEN = "a parameter"
    OTHER = "anything else"


class _Memory:
    """Arrays that are read, or written: what was made in the stretch, parameters, and others.

    Of new arrays the analysis of effects knows less than a stretch does: they share memory with
    what is a part of them, and with no parameter. Where they end up later makes no difference yet.
    """

    __slots__ = ("_fresh", "_given", "_others", "_roots")

    def __init__(self) -> None:
        self._fresh: set[Value] = set()
        self._roots: set[Value] = set()  # of the fresh ones
        self._given: set[Value] = set()
        self._others: set[Value] = set()

    def add(self, array: Value, kind: _Kind, root: Value) -> None:
        """Add an array of a kind, `root` stands for its memory."""
        match kind:
            case _Kind.FRESH:
                self._fresh.add(array)
                self._roots.add(root)
            case _Kind.GIVEN:
                self._given.add(root)
            case _Kind.OTHER:
                self._others.add(root)

    def take(self, other: "_Memory") -> None:
        """Add all that another one has."""
        self._fresh |= other._fresh
        self._roots |= other._roots
        self._given |= other._given
        self._others |= other._others

    def meets(self, array: Value, kind: _Kind, overlapping: AbstractSet[Value]) -> bool:
        """Whether an array may share memory with one of these."""
        if not self._others.isdisjoint(overlapping):
            return True
        match kind:
            case _Kind.FRESH:
                return array in self._fresh
            case _Kind.GIVEN:
                return not self._given.isdisjoint(overlapping)
            case _Kind.OTHER:
                return not (
                    self._given.isdisjoint(overlapping) and self._roots.isdisjoint(overlapping)
                )


@record
class _Does:
    """What an instruction does, its blocks and callees included; arrays are origins."""

    reads: AbstractSet[Value] = _NO_VALUES
    writes: AbstractSet[Value] = _NO_VALUES
    raises: bool = False
    visible: bool = False  # it writes what was there before the stretch
    endless: bool = False
    known: AbstractSet[Value | str] = frozenset()  # what it follows from

    @property
    def only_reads(self) -> bool:
        """Whether it makes no difference to anything else where it stands, but for exceptions."""
        return not (self.writes or self.visible or self.endless)


@record
class _Cost:
    """About what an element costs: of all loops, of those of one thread, and of one launch."""

    all: int = 0
    serial: int = 0
    launch: int = 0

    @staticmethod
    def together(costs: "Iterable[_Cost]") -> "_Cost":
        """Return what is done one after the other."""
        every = [*costs]
        launch = max((c.launch for c in every), default=0)
        return _Cost(sum(c.all for c in every), sum(c.serial for c in every), launch)


_NOTHING = _Cost()


@record(frozen=False, eq=False)
class _Group:
    """Instructions that depend on each other, and what they do together."""

    items: list[Instr] = field(default_factory=list[Instr])
    reads: _Memory = field(default_factory=_Memory)
    writes: _Memory = field(default_factory=_Memory)
    raising: list[int] = field(default_factory=list[int])  # places of what raises
    visible: bool = False
    endless: bool = False
    tested: set[Value | str] = field(default_factory=set["Value | str"])  # what may have raised
    costs: list[_Cost] = field(default_factory=list["_Cost"])

    @property
    def cost(self) -> int:
        """What all costs of an element, or of an iteration."""
        return sum(c.all for c in self.costs)

    def add(self, place: int, instr: Instr, does: _Does) -> None:
        self.items.append(instr)
        self.raising += [place] if does.raises else []
        self.tested |= does.known if does.raises else frozenset()
        self.visible = self.visible or does.visible
        self.endless = self.endless or does.endless

    def take(self, other: "_Group") -> None:
        """Take over all that another group has."""
        self.items += other.items
        self.reads.take(other.reads)
        self.writes.take(other.writes)
        self.raising = sorted([*self.raising, *other.raising])
        self.visible = self.visible or other.visible
        self.endless = self.endless or other.endless
        self.tested |= other.tested
        self.costs += other.costs


class TaskGraph:
    """Finds the tasks in the blocks of one function."""

    def __init__(self, module: Module, function: Function, effects: ModuleEffects) -> None:
        self._module = module
        self._module_effects = effects
        self.effects = effects.of(function)
        self.definitions = definitions_of(function)
        self.params = frozenset(function.params)
        self.uses = Counter(v for i in walk(function.body) for v in i.operands)
        self._callees: dict[str, bool] = {}  # whether a kernel may call a function
        self._costs: dict[str, _Cost] = {}  # of calls
        self._costs_of_blocks: dict[Instr, _Cost] = {}  # of loops and branches

    def stretches(self, block: Block) -> Sequence[Stretch]:
        """Return the stretches of a block that hold tasks worth to be shared, in their order."""
        found: list[Stretch] = []
        # One piece of work has nothing to run beside.
        if sum(self.cost(instr).all > 0 for instr in block.body) < 2:
            return found
        begin = 0
        while begin < len(block.body):
            if not self.may_move(block.body[begin]):
                begin += 1
                continue
            builder, end = _Stretch(self, self.effects), begin
            while end < len(block.body) and builder.add(end, block.body[end]):
                end += 1
            stretch = builder.close(begin, end)
            found += [stretch] if stretch else []
            begin = end
        return found

    def may_move(self, instr: Instr) -> bool:
        """Whether an instruction may be a part of a stretch."""
        return is_free(instr) or self.fits(instr)

    def does(self, instr: Instr) -> "tuple[set[Value], set[Value], bool, bool]":
        """Return which values an instruction reads and writes, and whether it raises or is endless.

        Blocks, callees and kernels are included.
        """
        reads, writes = set[Value](), set[Value]()
        raises = endless = False
        for inner in _with_blocks(instr):
            own, first = self.effects.own(inner), 0
            endless = endless or self.effects.may_not_end(inner)
            if inner.op is low.LAUNCH:
                kernel = str(inner.attrs["callee"])
                own, first = self._module_effects.summary(kernel), 1
                endless = endless or self._module_effects.may_not_end(kernel)
            reads |= {inner.operands[i + first] for i in own.reads}
            writes |= {inner.operands[i + first] for i in own.writes}
            raises = raises or (own.raises and inner.op not in _FOR_MEMORY)
        return reads, writes, raises, endless

    def known(self, values: Iterable[Value]) -> AbstractSet[Value | str]:
        """Return what values follow from, and names of sizes in the types of all that is met."""
        found: set[Value | str] = set()
        seen: set[Value] = set()
        waiting = [*values]
        while waiting:
            value = waiting.pop()
            if value in seen:
                continue
            seen.add(value)
            if isinstance(value.type, TensorType):
                found.update(name for dim in value.type.dims for name, _ in dim.terms)
            made = self.definitions.get(value)
            if made is not None and is_free(made):
                waiting += made.operands
            if made is None or not is_free(made) or made.op is low.NEW_ARRAY:
                found.add(value)
        return found

    def fits(self, instr: Instr) -> bool:
        """Whether threads may run an instruction, blocks and callees included."""
        if instr.op is low.FAIL:
            return False  # it ends the block that it stands in
        own = {i.label for i in _with_blocks(instr) if i.label is not None}
        for inner in _with_blocks(instr):
            if inner.target is not None and inner.target.label not in own:
                return False
            if inner.op is control.CALL and not self._is_called_by_kernels(inner):
                return False
            if inner.op not in (control.CALL, low.FAIL) and not is_for_kernels(inner):
                return False
            if inner.op in (low.EITHER, low.IN_ROWS) or self.effects.own(inner).io:
                return False
            if inner.op in _LOOPS and any(i.op is low.NEW_ARRAY for i in walk(inner.blocks[0])):
                return False
        return True

    def _is_called_by_kernels(self, call: Instr) -> bool:
        """Whether a function is one that a kernel may call: without arrays of its own."""
        name = str(call.attrs["callee"])
        if name in self._module.externs:
            return False
        if name not in self._callees:
            self._callees[name] = self._may_call(self._module.functions[name])
        return self._callees[name]

    def _may_call(self, callee: Function) -> bool:
        if callee.role not in _CALLED or is_counted(callee.result):
            return False
        return all(
            self._is_called_by_kernels(i)
            if i.op is control.CALL
            else is_for_kernels(i) and i.op not in (low.NEW_ARRAY, low.IN_ROWS, low.LAUNCH)
            for i in walk(callee.body)
            if i.target is None or i.target.label is not callee.label
        )

    def cost(self, instr: Instr) -> _Cost:
        """Return about what the loops in an instruction cost; nothing without one."""
        if instr.op is low.LAUNCH:
            return self._cost_of_launch(instr)
        if instr.op is control.CALL:
            return self._cost_of_call(str(instr.attrs["callee"]))
        if instr.op in OF_ROWS:
            return _Cost(OF_ROWS[instr.op], OF_ROWS[instr.op])
        if not instr.blocks:
            return _NOTHING
        found = self._costs_of_blocks.get(instr)
        if found is None:
            if instr.op in _LOOPS:
                found = self._cost_of_loop(instr)
            else:
                ways = (_Cost.together(map(self.cost, block.body)) for block in instr.blocks)
                found = max(ways, key=lambda cost: cost.all)
            self._costs_of_blocks[instr] = found
        return found

    def _cost_of_call(self, name: str) -> _Cost:
        if name in self._module.externs:
            return _NOTHING  # it works on no array
        if name not in self._costs:
            self._costs[name] = _NOTHING  # what a function costs that calls itself is not known
            callee = self._module.functions[name]
            often = callee.role is not Role.FALLBACK  # which hardly ever runs
            parts = map(self.cost, callee.body.body if often else ())
            self._costs[name] = _Cost.together(parts)
        return self._costs[name]

    def _cost_of_launch(self, launch: Instr) -> _Cost:
        kernel = self._module.functions[str(launch.attrs["callee"])]
        *_, loop = (i for i in kernel.body.body if i.op is low.LOOP)
        count = constant_int(launch.operands[0], self.definitions)
        has_loops = any(i.op in _LOOPS for i in walk(loop.blocks[0]))
        if count is not None and count <= _FEW and not has_loops:
            return _Cost()
        each = sum(COSTS.get(i.op, OTHER) for i in walk(loop.blocks[0]) if not i.blocks)
        return _Cost(each, 0, each)

    def _cost_of_loop(self, loop: Instr) -> _Cost:
        if are_few(loop, self.definitions):
            return _Cost()
        inner = [*walk(loop.blocks[-1])]
        each = sum(scalar_cost(i.op) for i in inner if not i.blocks and i.op is not low.LAUNCH)
        launches = [self._cost_of_launch(i) for i in inner if i.op is low.LAUNCH]
        return _Cost.together([_Cost(SCALAR * each, SCALAR * each), *launches])


def is_free(instr: Instr) -> bool:
    """Whether an instruction may stand wherever its operands are defined: it is not work."""
    if instr.op is low.EITHER:
        return False
    return computes_only(instr) or instr.op in _SHAPES or instr.op is low.NEW_ARRAY


class _Stretch:
    """Takes the instructions of a stretch one by one."""

    def __init__(self, graph: TaskGraph, function: FunctionEffects) -> None:
        self._graph = graph
        self._function = function
        self._places: dict[Instr, int] = {}
        self._ready: list[Instr] = []  # what depends on no group: it comes before all of them
        self._groups: list[_Group] = []
        self._in: dict[Value, _Group] = {}  # the group that gives a value
        self._later = _Group()
        self._has_tests = False

    def add(self, place: int, instr: Instr) -> bool:
        """Add an instruction; False where the stretch ends before it."""
        depends = any(v in self._in for v in instr.operands)
        if is_free(instr) and not depends and not self._is_late(instr):
            self._places[instr] = place
            self._ready.append(instr)
            return True
        if not self._graph.fits(instr):
            return False
        does = self._does(instr)
        groups = self._connected(instr, does)
        if groups == [] and self._is_ready(instr, does):
            self._places[instr] = place
            self._ready.append(instr)
            return True
        if groups is not None and not groups and len(self._groups) >= _MOST:
            return False
        self._places[instr] = place
        self._place(place, instr, does, groups)
        return True

    def _is_ready(self, instr: Instr, does: _Does) -> bool:
        """Whether what depends on nothing here is little, and may come before all groups."""
        gives_arrays = any(is_counted(r.type) for r in instr.results)
        if gives_arrays or not does.only_reads or self._graph.cost(instr).all:
            return False
        before = [*self._groups, self._later]
        return not does.raises or not any(g.raising or g.visible or g.endless for g in before)

    def _is_late(self, instr: Instr) -> bool:
        """Whether memory is asked for that an exception may have made needless."""
        if instr.op is not low.NEW_ARRAY:
            return False
        raised = self._later.raising or any(g.raising for g in self._groups)
        definitions = self._graph.definitions
        known = (definitions.get(v) for v in instr.operands)
        return bool(raised) and not all(d and d.op in (low.SIZE, data.CONST) for d in known)

    def _does(self, instr: Instr) -> _Does:
        reads, writes, raises, endless = self._graph.does(instr)
        inside = {r for i in _with_blocks(instr) for r in i.results}
        read, written = (frozenset(map(self._origin, values)) for values in (reads, writes))
        seen = any(v not in inside and not self._is_fresh(v) for v in written)
        known = frozenset[Value | str]()
        if raises or self._has_tests:
            self._has_tests = True
            known = self._graph.known(v for i in _with_blocks(instr) for v in i.operands)
        return _Does(read, written, raises, seen, endless, known)

    def _origin(self, array: Value) -> Value:
        """Return the array that another one is, or is a part of, as far as that is known."""
        made = self._graph.definitions.get(array)
        while made is not None and made.op is not low.NEW_ARRAY and not made.blocks:
            aliases = effects_of(made).aliases
            if len(aliases) != 1 or made.op is low.EITHER:
                break
            array = made.operands[min(aliases)]
            made = self._graph.definitions.get(array)
        return array

    def _is_fresh(self, origin: Value) -> bool:
        """Whether an array was made in this stretch."""
        made = self._graph.definitions.get(origin)
        return made is not None and made.op is low.NEW_ARRAY and made in self._places

    def _kind(self, origin: Value) -> _Kind:
        if self._is_fresh(origin):
            return _Kind.FRESH
        return _Kind.GIVEN if origin in self._graph.params else _Kind.OTHER

    def _connected(self, instr: Instr, does: _Does) -> list[_Group] | None:
        """Return the groups that an instruction depends on; None where it has to come later."""
        used = {v for i in _with_blocks(instr) for v in i.operands}
        if self._meets(self._later, used, does):
            return None
        return [g for g in self._groups if self._meets(g, used, does)]

    def _meets(self, group: _Group, used: AbstractSet[Value], does: _Does) -> bool:
        if any(self._in.get(v) is group for v in used):
            return True
        if not group.tested.isdisjoint(does.known):
            return True
        for array in does.reads | does.writes:
            kind, near = self._kind(array), self._function.overlapping(array)
            if group.writes.meets(array, kind, near):
                return True
            if array in does.writes and group.reads.meets(array, kind, near):
                return True
        return False

    def _add(self, group: _Group, place: int, instr: Instr, does: _Does) -> None:
        group.add(place, instr, does)
        for origins, memory in ((does.reads, group.reads), (does.writes, group.writes)):
            for array in origins:
                memory.add(array, self._kind(array), self._function.memory(array))
        self._in |= dict.fromkeys(instr.results, group)

    def _place(
        self, place: int, instr: Instr, does: _Does, groups: Sequence[_Group] | None
    ) -> None:
        gives_arrays = any(is_counted(r.type) for r in instr.results)
        heavy = sum(g.cost > 0 for g in groups or ())
        if groups is None or heavy > 1 or gives_arrays or self._clashes(place, does, groups):
            self._add(self._later, place, instr, does)
            return
        first, *others = groups or [_Group()]
        for other in others:
            first.take(other)
            self._groups.remove(other)
            self._in |= {v: first for v, g in self._in.items() if g is other}
        self._groups += [] if groups else [first]
        self._add(first, place, instr, does)
        first.costs.append(self._graph.cost(instr))

    def _clashes(self, place: int, does: _Does, groups: Sequence[_Group]) -> bool:
        """Whether an exception would be another one than the first in the order of the program."""
        later = self._later
        if does.raises and (later.raising or later.visible or later.endless):
            return True
        if (does.visible or does.endless) and (later.raising or later.endless):
            return True
        others = [g for g in self._groups if g not in groups]
        visible = does.visible or any(g.visible for g in groups)
        raising = sorted([p for g in groups for p in g.raising] + ([place] if does.raises else []))
        if (visible or does.endless) and any(g.raising for g in others):
            return True
        if raising and any(g.visible for g in others):
            return True
        return bool(raising) and any(
            g.raising and g.raising[0] < raising[-1] and raising[0] < g.raising[-1] for g in others
        )

    def close(self, begin: int, end: int) -> Stretch | None:
        """Return the stretch; None if sharing its tasks is not worth it, whatever their sizes."""
        if not self._is_worth_it():
            return None
        shared = sorted(self._groups, key=lambda g: (g.raising or [self._places[g.items[0]]])[0])
        tasks = [set(g.items) for g in shared]
        ready = self._sink(tasks)
        at = self._places.__getitem__
        ordered = [sorted(task, key=at) for task in tasks]
        late = sorted(self._later.items, key=at)
        return Stretch(begin, end, ready, ordered, late, self._places)

    def _is_worth_it(self) -> bool:
        """Whether there are sizes for which tasks gain something.

        Of launches alone there are few if one of them is most of the work: a little more of it, and
        threads share that.
        """
        costs = [_Cost.together(g.costs) for g in self._groups if g.cost]
        if len(costs) < 2:
            return False
        serial = [c.serial for c in costs]
        if sum(serial) - max(serial) >= _LEAST_SERIAL:
            return True
        saved = sum(c.all for c in costs) - max(c.all for c in costs)
        return saved >= max(_LEAST_SAVED, _WINDOW * max(c.launch for c in costs))

    def _sink(self, tasks: Sequence[set[Instr]]) -> Sequence[Instr]:
        """Move arrays that one task alone uses into it, with their views; return the rest."""
        rest: list[Instr] = []
        users: dict[Value, Counter[int]] = {}
        for number, task in enumerate(tasks):
            for instr in (i for item in task for i in _with_blocks(item)):
                for value in instr.operands:
                    users.setdefault(value, Counter())[number] += 1
        sunk: dict[Value, int] = {}
        for instr in reversed(self._ready):
            number = self._only_user(instr, users)
            if number is None or not self._is_new(instr):
                rest.append(instr)
                continue
            tasks[number].add(instr)
            sunk[instr.result] = number
            for value in instr.operands:
                users.setdefault(value, Counter())[number] += 1
        return rest[::-1]

    def _is_new(self, instr: Instr) -> bool:
        """Whether an instruction makes an array, or gives a part of one that was made here."""
        return (
            bool(instr.results) and is_counted(instr.result.type) and self._is_fresh(instr.result)
        )

    def _only_user(self, instr: Instr, users: Mapping[Value, Counter[int]]) -> int | None:
        if len(instr.results) != 1:
            return None
        found = users.get(instr.result, Counter())
        if len(found) != 1 or found.total() != self._graph.uses[instr.result]:
            return None
        return next(iter(found))


def _with_blocks(instr: Instr) -> Sequence[Instr]:
    return [instr, *(i for block in instr.blocks for i in walk(block))]
