"""The one analysis of aliases and effects that every pass asks.

Aliases are classes of values that may share memory, found by unification in one walk
(B. Steensgaard, Points-to analysis in almost linear time, POPL 1996).  Parameters are external:
any two of them may share memory, as a caller may pass one array twice, but for those that are given
apart.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from itertools import product
from weakref import WeakKeyDictionary

from scriptc.analysis.instr_kinds import effects_of
from scriptc_runtime.call_graph import calls_of, groups
from scriptc_runtime.ir import Block, Function, Instr, Label, Module, Value, walk
from scriptc_runtime.ops import control, data, list_items, list_parts
from scriptc_runtime.ops.opdef import PURE, Attr, Effects
from scriptc_runtime.record import field, record, replace
from scriptc_runtime.types import (
    ListType,
    NamedType,
    OptionalType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    is_mutable,
    parts_of,
)

_STORES = {
    control.CELL_SET: 1,
    data.SET_FIELD: 1,
    data.LIST_APPEND: 1,
    data.LIST_SET: 2,
    data.LIST_INSERT: 2,
    data.LIST_EXTEND: 1,
    list_parts.LIST_ADD: 1,
    list_parts.LIST_REPLACE: 3,
    list_parts.LIST_FILL: 1,
    list_items.LIST_STORE: 2,
    list_items.LIST_COPY: 2,
    list_items.LIST_PAD: 3,
}


def _takes_counted(type_: Type) -> bool:
    """Whether something counted may be put into a value, or into a part of it, later on."""
    if isinstance(type_, TupleType | OptionalType | UnionType | NamedType):
        return any(map(_takes_counted, parts_of(type_)))
    return _holds_counted(type_)


def _holds_counted(type_: Type) -> bool:
    """Whether something counted that changes may be put into a value: not into one of numbers."""
    if isinstance(type_, ListType):
        return is_mutable(type_.item)
    return not isinstance(type_, TensorType)


_MAY_NOT_STEP = Effects(raises=True)  # of a loop whose step may be 0
_NO_VALUES: frozenset[Value] = frozenset()
_NO_LABELS: frozenset[Label] = frozenset()


@record
class Footprint:
    """What an instruction and the blocks in it do, in terms of values."""

    reads: frozenset[Value] = _NO_VALUES
    writes: frozenset[Value] = _NO_VALUES
    leaves: frozenset[Label] = _NO_LABELS  # the regions around it that it may leave
    raises: bool = False
    io: bool = False
    allocates: bool = False
    endless: bool = False

    @property
    def exits(self) -> bool:
        """Whether what follows may not run, though nothing is raised."""
        return self.endless or bool(self.leaves)

    @property
    def removable(self) -> bool:
        """Whether it may be dropped when nobody uses its results."""
        return not (self.writes or self.raises or self.io or self.exits)

    @property
    def pure(self) -> bool:
        """Whether running it twice, or not at all, makes no difference to anything else."""
        return self.removable and not self.reads and not self.allocates


_NOTHING = Footprint()


@record
class Summaries:
    """What is known of callees; a function without an entry may do anything."""

    effects: dict[str, Effects] = field(default_factory=dict[str, Effects])
    endless: set[str] = field(default_factory=set[str])  # those that may never return


class FunctionEffects:
    """Aliases and footprints inside one function; aliases are looked for when somebody asks."""

    def __init__(self, function: Function, summaries: Summaries) -> None:
        self._body = function.body
        self.summaries = summaries
        self._footprints: dict[Instr, Footprint] = {}
        self._is_walked = False
        self._parent: dict[Value, Value] = {}
        self._sources: dict[Value, list[Value]] = {}  # what a value is made of, or is a part of
        self._received: dict[Value, list[Value]] = {}  # what a result or parameter of blocks is
        # What came from outside, by the value that stands for its class.
        self._external: dict[Value, list[Value]] = {}
        self._apart = {frozenset(pair) for pair in function.given.apart}
        self._overlapping: dict[Value, AbstractSet[Value]] = {}  # what of it shares memory
        self._members: dict[Value, list[Value]] = {}  # of classes of several, by their root
        self._exits: dict[Label, tuple[Value, ...]] = {}
        self._params: dict[Label, tuple[Value, ...]] = {}
        for param in function.params:
            if is_mutable(param.type):
                self._external[param] = [param]
        self._returned: list[Value] = []
        self._exits[function.label] = ()
        self._return = function.label

    def _look(self) -> None:
        if not self._is_walked:
            self._is_walked = True
            self._block(self._body)

    @cached_property
    def _constants(self) -> Mapping[Value, Attr]:
        return {i.results[0]: i.attrs["value"] for i in walk(self._body) if i.op is data.CONST}

    @property
    def returned(self) -> Sequence[Value]:
        """The values that the function returns."""
        self._look()
        return self._returned

    def may_alias(self, first: Value, second: Value) -> bool:
        """Whether writing through one may change what the other reads."""
        return self._share(self.memory(first), self.memory(second))

    def memory(self, value: Value) -> Value:
        """Return the value that stands for the memory of `value`."""
        self._look()
        return self._root(value)

    def overlapping(self, value: Value) -> AbstractSet[Value]:
        """Return all memory that `may_alias` with `value`."""
        root = self.memory(value)
        if root not in self._external:
            return {root}
        if root not in self._overlapping:
            self._overlapping[root] = {o for o in self._external if self._share(root, o)}
        return self._overlapping[root]

    def _share(self, a: Value, b: Value) -> bool:
        if a is b:
            return True
        pairs = product(self._external.get(a, ()), self._external.get(b, ()))
        return any(frozenset(pair) not in self._apart for pair in pairs)

    def share_class(self, first: Value, second: Value) -> bool:
        """Whether the two may share memory in a call whose arguments share none."""
        return self.memory(first) is self.memory(second)

    def group(self, value: Value) -> Value:
        """Return the value that stands for all that `share_class` with `value`."""
        return self.memory(value)

    def written(self) -> set[Value]:
        """Return the values whose memory the function writes, and where they come from.

        Unlike a class, it follows the order of things: `a = a.copy()` in a loop is never the
        `a` from before it. A list that is written is itself, whatever was put into it; a callee
        may write what it finds in one.
        """
        self._look()
        pending: list[Value] = []
        for instr in walk(self._body):
            writes = self.own(instr).writes
            if not writes:
                continue
            values = [instr.operands[i] for i in writes]
            is_call = instr.op is control.CALL
            pending += [
                v for value in values for v in (self._inside(value) if is_call else [value])
            ]
        found: set[Value] = set()
        while pending:
            value = pending.pop()
            if value in found:
                continue
            found.add(value)
            pending += self._received.get(value, ())
            pending += [v for source in self._sources.get(value, ()) for v in self._inside(source)]
        return found

    def _inside(self, value: Value) -> list[Value]:
        """Return the values whose memory `value` is, or a part of it may be."""
        if not _takes_counted(value.type):
            return [value]
        if not self._members:
            for member in dict.fromkeys((*self._parent, *self._parent.values())):
                self._members.setdefault(self._root(member), []).append(member)
        return self._members.get(self._root(value)) or [value]

    def own(self, instr: Instr) -> Effects:
        """Return the effects of `instr` without its blocks; calls know their callee."""
        op = instr.op
        if op is control.CALL:
            summary = self.summaries.effects.get(str(instr.attrs["callee"]))
            if summary is not None:
                return summary
        elif op is control.FOR and not self._constants.get(instr.operands[2]):
            return _MAY_NOT_STEP
        try:
            return instr.effects
        except AttributeError:
            return effects_of(instr)

    def footprint(self, instr: Instr) -> Footprint:
        """Return what `instr` does, blocks included."""
        if not instr.blocks and instr.op is not control.CALL:
            try:
                return instr.footprint
            except AttributeError:
                found = instr.footprint = self._footprint_of(instr)
                return found
        found = self._footprints.get(instr)
        if found is None:
            found = self._footprint_of(instr)
            if instr.blocks:
                inner = [self.footprint(i) for block in instr.blocks for i in block.body]
                parts = [part for part in (found, *inner) if part is not _NOTHING]
                found = _together(parts, instr.label) if parts else _NOTHING
            self._footprints[instr] = found
        return found

    def _footprint_of(self, instr: Instr) -> Footprint:
        own = self.own(instr)
        ends = instr.op is not control.WHILE and instr.op is not control.CALL
        if own is PURE and instr.target is None and ends:
            return _NOTHING
        return Footprint(
            frozenset([instr.operands[i] for i in own.reads]) if own.reads else _NO_VALUES,
            frozenset([instr.operands[i] for i in own.writes]) if own.writes else _NO_VALUES,
            frozenset([instr.target.label]) if instr.target else _NO_LABELS,
            own.raises,
            own.io,
            own.allocates,
            # A loop without a proven end may never leave: dropping it would change that.
            self.may_not_end(instr),
        )

    def may_not_end(self, instr: Instr) -> bool:
        """Whether `instr`, its blocks apart, may run for ever."""
        if instr.op is not control.CALL:
            return instr.op is control.WHILE
        callee = str(instr.attrs["callee"])
        return callee in self.summaries.endless or callee not in self.summaries.effects

    def _root(self, value: Value) -> Value:
        parent = self._parent
        while (up := parent.get(value)) is not None:
            above = parent.get(up)
            if above is None:
                return up
            parent[value] = above  # so that the way is half as long next time
            value = above
        return value

    def _receive(self, source: Value, target: Value) -> None:
        self._flow(source, target, self._received)

    def _flow(self, source: Value, target: Value, flows: dict[Value, list[Value]]) -> None:
        if is_mutable(source.type) and is_mutable(target.type):
            flows.setdefault(target, []).append(source)
            self._unify(source, target)

    def _unify(self, first: Value, second: Value) -> None:
        if not (is_mutable(first.type) and is_mutable(second.type)):
            return
        a, b = self._root(first), self._root(second)
        if a is not b:
            self._parent[a] = b
            if a in self._external:
                self._external.setdefault(b, []).extend(self._external.pop(a))

    def _block(self, block: Block) -> None:
        for instr in block.body:
            self._instr(instr)

    def _instr(self, instr: Instr) -> None:
        for index in self.own(instr).aliases:
            for result in instr.results:
                self._flow(instr.operands[index], result, self._sources)
        if instr.op in _STORES and _holds_counted(instr.operands[0].type):
            self._unify(instr.operands[0], instr.operands[_STORES[instr.op]])
        if instr.op is control.CALL:
            self._stored_by_call(instr)
        if instr.target:
            self._exit(instr)
        if instr.label:
            self._region(instr)

    def _stored_by_call(self, instr: Instr) -> None:
        """Note that a callee may put any argument into a list, an object or a cell it writes."""
        written = [instr.operands[i] for i in self.own(instr).writes]
        containers = [v for v in written if _holds_counted(v.type)]
        for container in containers:
            for other in instr.operands:
                self._unify(container, other)

    def _exit(self, instr: Instr) -> None:
        target = instr.target
        assert target is not None
        if target.label is self._return:
            self._returned += instr.operands
            return
        names = self._params if target.next else self._exits
        # The iterations of a `reduce` give a scalar that no parameter receives.
        for value, received in zip(instr.operands, names[target.label], strict=False):
            self._receive(value, received)

    def _region(self, instr: Instr) -> None:
        label = instr.label
        assert label is not None
        self._exits[label] = instr.results
        if instr.op in (control.FOR, control.WHILE):
            skipped = 3 if instr.op is control.FOR else 0
            carried = instr.operands[skipped:]
            params = instr.blocks[0].params[1 if skipped else 0 :]
            self._params[label] = params
            for init, param in zip(carried, params, strict=True):
                self._receive(init, param)
            if instr.op is control.FOR:  # a `while` gives what its exits carry, which may be less
                for param, result in zip(params, instr.results, strict=True):
                    self._receive(param, result)
        else:
            self._params[label] = ()
        for block in instr.blocks:
            self._block(block)


class ModuleEffects:
    """Effects of the functions of a module, callees first.

    Functions that call each other are taken to do nothing at first, and looked at again until
    what is known of them stays: the least that holds for all of them.
    A function is looked at when somebody asks for it, or calls it.
    """

    def __init__(self, module: Module) -> None:
        self._module = module
        externs = module.externs.values()
        self._summaries = Summaries(
            {extern.name: extern.effects for extern in externs},
            {extern.name for extern in externs if extern.may_not_end},
        )
        self._functions: dict[str, FunctionEffects] = {}
        self._calls = calls_of(module)
        self._groups = {n: group for group in groups(self._calls) for n in group}

    def function(self, name: str) -> FunctionEffects:
        """Return the analysis of one function."""
        if name not in self._functions:
            self._summarise_below(name)
        if name not in self._functions:
            function, callees = (
                self._module.functions[name],
                (*self._calls[name], *self._module.externs),
            )
            self._functions[name] = _kept(function, callees, self._summaries)
        return self._functions[name]

    def summary(self, name: str) -> Effects:
        """Return what a function does with what it is given."""
        self._summarise_below(name)
        if name not in self._summaries.effects:
            self._summarise(self._groups[name])
        return self._summaries.effects[name]

    def may_not_end(self, name: str) -> bool:
        """Whether a function may run for ever."""
        self.summary(name)
        return name in self._summaries.endless

    def of(self, function: Function) -> FunctionEffects:
        """Return the analysis of a function of which more is given than in the module."""
        known = self.function(function.name)
        if function is self._module.functions[function.name]:
            return known
        return FunctionEffects(function, self._summaries)

    def _summarise_below(self, name: str) -> None:
        """Summarise all that a function reaches, callees first."""
        waiting = [*self._calls[name]]
        while waiting:
            group = self._groups[waiting[-1]]
            if group[0] in self._summaries.effects:
                waiting.pop()
                continue
            below = [c for member in group for c in self._calls[member] if c not in group]
            missing = [c for c in below if c not in self._summaries.effects]
            waiting += missing
            if not missing:
                self._summarise(group)

    def _summarise(self, group: Sequence[str]) -> None:
        name = group[0]
        if len(group) > 1 or name in self._calls[name]:
            self._settle(group)
            return
        function, analysis = self._module.functions[name], self.function(name)
        total = _together([analysis.footprint(instr) for instr in function.body.body])
        if total.endless:
            self._summaries.endless.add(name)
        self._summaries.effects[name] = _summary(function, analysis, total)

    def _settle(self, cycle: Sequence[str]) -> None:
        """Summarise functions that call each other."""
        self._summaries.endless.update(cycle)
        # Too many calls inside each other raise.
        self._summaries.effects.update(dict.fromkeys(cycle, Effects(raises=True)))
        changed = True
        while changed:
            changed = False
            for name in cycle:
                function = self._module.functions[name]
                analysis = FunctionEffects(function, self._summaries)
                total = _together([analysis.footprint(instr) for instr in function.body.body])
                found = replace(_summary(function, analysis, total), raises=True)
                changed = changed or found != self._summaries.effects[name]
                self._summaries.effects[name] = found
                self._functions[name] = analysis


# A function is immutable: what is found of it stays true while its callees do the same. What is
# kept never refers back to the function.
_KEPT: WeakKeyDictionary[Function, FunctionEffects] = WeakKeyDictionary()


def _kept(function: Function, callees: Sequence[str], summaries: Summaries) -> FunctionEffects:
    """Return the analysis of a function whose callees are known, that of an earlier pass if any."""
    effects = {c: summaries.effects[c] for c in callees if c in summaries.effects}
    known = Summaries(effects, summaries.endless.intersection(callees))
    found = _KEPT.get(function)
    if found is None or found.summaries != known:
        found = _KEPT[function] = FunctionEffects(function, known)
    return found


def _together(parts: Sequence[Footprint], label: Label | None = None) -> Footprint:
    """Return what all of `parts` do, seen from outside of the region `label`."""
    if len(parts) == 1 and label not in parts[0].leaves:
        return parts[0]
    raises = io = allocates = endless = False
    for part in parts:
        raises = raises or part.raises
        io = io or part.io
        allocates = allocates or part.allocates
        endless = endless or part.endless
    return Footprint(
        _NO_VALUES.union(*[p.reads for p in parts]),
        _NO_VALUES.union(*[p.writes for p in parts]),
        _NO_LABELS.union(*[p.leaves for p in parts]) - {label},
        raises,
        io,
        allocates,
        endless,
    )


def _summary(function: Function, analysis: FunctionEffects, total: Footprint) -> Effects:
    """Return what a function does for its callers, whose instructions do all this `total`."""
    written = analysis.written() if total.writes else _NO_VALUES

    def params(values: AbstractSet[Value]) -> frozenset[int]:
        shared = {analysis.group(v) for v in values}
        return frozenset(
            i
            for i, p in enumerate(function.params)
            if is_mutable(p.type) and analysis.group(p) in shared
        )

    return Effects(
        reads=params(total.reads),
        writes=frozenset(i for i, p in enumerate(function.params) if p in written),
        aliases=params({v for v in analysis.returned if is_mutable(v.type)}),
        raises=total.raises,
        allocates=total.allocates,
        io=total.io,
    )
