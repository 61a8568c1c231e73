"""Common subexpressions: compute the same thing once.

    %1 = mul %x, %x                    =>      %1 = mul %x, %x
    %2 = mul %x, %x                            (uses of %2 become %1)

What only reads memory is merged, until something is written that may share memory with what it
read: two calls of a function that looks for the largest element are one.  So are equal arrays that
are values (analysis/array_values.py): nothing writes to them, and at most one of them is returned
or put into a container.

    %1 = exp %x                        =>      %1 = exp %x
    %2 = mul %1, %y                            %2 = mul %1, %y
    %3 = exp %x                                %4 = add %1, %y
    %4 = add %3, %y

Needs: valid IR.
Gives: valid IR, same results; an instruction that raises stays where it raises first.
Does not: merge arrays that are written, or two that are both seen from outside.
Cases: tests/cases/passes/cse.
"""

from collections.abc import Hashable, Iterable

from scriptc.analysis.array_values import ArrayValues
from scriptc.analysis.effects import Footprint, FunctionEffects, ModuleEffects
from scriptc.passes.rebuild import Renaming, map_blocks
from scriptc_runtime.bits import bits_of
from scriptc_runtime.ir import Block, Function, Instr, Module, Value
from scriptc_runtime.ops import control, low
from scriptc_runtime.ops.opdef import Effects, OpDef
from scriptc_runtime.record import replace
from scriptc_runtime.types import is_counted

Key = tuple[OpDef, tuple[Value, ...], tuple[tuple[str, Hashable], ...]]
_LOOPS = (control.FOR, control.WHILE, low.LOOP, low.REDUCE)


def cse(module: Module) -> Module:
    """Return `module` with equal pure instructions merged."""
    return cse_in(module, module.functions)


def cse_in(module: Module, names: Iterable[str]) -> Module:
    """Return `module` with equal pure instructions merged in some of its functions."""
    effects = ModuleEffects(module)
    functions = dict(module.functions)
    for name in names:
        function, known = functions[name], effects.function(name)
        body = _Merger(function, known).block(function.body, _Read(known))
        functions[name] = function if body is function.body else replace(function, body=body)
    return module.with_functions(functions)


class _Merger:
    """The walk over one function."""

    def __init__(self, function: Function, effects: FunctionEffects) -> None:
        self._effects = effects
        self._values = ArrayValues(function, effects)
        self._names = Renaming()
        self._known: dict[Key, Value] = {}  # what is computed without a look at memory
        self._seen: set[Value] = set()  # arrays that stand for one that is seen from outside

    def block(self, block: Block, read: "_Read") -> Block:
        """Return a block with equal instructions merged; `read` is what has been read before."""
        own: list[Key] = []  # what a block computes is known in the blocks inside it, not after it
        body: list[Instr] = []
        for old in block.body:
            instr = self._names.instr(old)
            if instr.blocks:
                instr = self._blocks(instr, old, read)
            does = self._effects.own(instr)
            if _mergeable(instr, does):
                key = key_of(instr)
                if key in self._known:
                    self._names[instr.result] = self._known[key]
                    continue
                self._known[key] = instr.result
                own.append(key)
            elif self._is_reading(instr, does):
                known = self._read_before(instr, does, read)
                if known is not None:
                    self._names[instr.result] = known
                    continue
            else:
                read.forget(self._effects.footprint(old))
            body.append(instr)
        for key in own:
            del self._known[key]
        new = tuple(body)
        return block if new == block.body else Block(block.params, new)

    def _blocks(self, instr: Instr, old: Instr, read: "_Read") -> Instr:
        # The arms of an `if` run right after what stands before it. Of other blocks it is not known
        # which of the writes in them have happened.
        before = Footprint() if instr.op is control.IF else self._effects.footprint(old)
        looped = instr.op in _LOOPS
        return map_blocks(instr, lambda b: self.block(b, read.inside(before, looped=looped)))

    def _is_reading(self, instr: Instr, does: Effects) -> bool:
        """Whether an instruction gives a value that follows from operands and memory it reads."""
        if len(instr.results) != 1 or instr.blocks or instr.target:
            return False
        if is_counted(instr.result.type):
            return self._values.is_value(instr)
        # It may run for ever, as a search in a table may: then nothing is reached that equals it.
        return bool(does.reads) and not (does.writes or does.io)

    def _read_before(self, instr: Instr, does: Effects, read: "_Read") -> Value | None:
        """Return what the same instruction gave before; None, and what it gives is known now."""
        key, result = key_of(instr), instr.result
        known, is_near = read.result(key)
        seen = is_counted(result.type) and self._values.is_seen(result)
        # Of an array that is seen each iteration of a loop makes another one.
        if known is not None and not (seen and (known in self._seen or not is_near)):
            if seen:
                self._seen.add(known)
            return known
        if seen:
            self._seen.add(result)
        read.add(key, result, [instr.operands[i] for i in does.reads])
        return None


class _Read:
    """What has been read where a block stands, by the memory that it was read from.

    `outer` is what was read around it, where the memory in `_written` may have changed since.
    """

    def __init__(
        self, effects: FunctionEffects, outer: "_Read | None" = None, *, looped: bool = False
    ) -> None:
        self._effects = effects
        self._outer = outer
        self._looped = looped
        self._results: dict[Key, tuple[Value, frozenset[Value]]] = {}
        self._keys: dict[Value, list[Key]] = {}
        self._written: set[Value] = set()

    def inside(self, before: Footprint, *, looped: bool) -> "_Read":
        """Return what is known in a block inside, before which `before` may have happened."""
        inner = _Read(self._effects, self, looped=looped)
        inner.forget(before)
        return inner

    def result(self, key: Key) -> tuple[Value | None, bool]:
        """Return what an instruction gave before, and whether that was in the same iteration."""
        read, is_near = self, True
        written: set[Value] = set()
        while read is not None:
            found = read._results.get(key)
            if found is not None and written.isdisjoint(found[1]):
                return found[0], is_near
            written |= read._written
            is_near = is_near and not read._looped
            read = read._outer
        return None, is_near

    def add(self, key: Key, result: Value, arrays: Iterable[Value]) -> None:
        """Take note of what an instruction gives that reads `arrays`."""
        memory = frozenset(map(self._effects.memory, arrays))
        self._results[key] = result, memory
        for place in memory:
            self._keys.setdefault(place, []).append(key)

    def forget(self, footprint: Footprint) -> None:
        """Drop what was read from memory that may be written now."""
        for written in footprint.writes:
            overlapping = self._effects.overlapping(written)
            if self._outer is not None:
                self._written |= overlapping
            for memory in overlapping:
                for key in self._keys.pop(memory, ()):
                    self._results.pop(key, None)


def _mergeable(instr: Instr, does: Effects) -> bool:
    if len(instr.results) != 1 or instr.label or instr.target:
        return False
    if instr.op is low.SIZE:
        return True  # an array never changes its shape
    return not (does.writes or does.reads or does.allocates or does.io)


def key_of(instr: Instr) -> Key:
    """Return what two instructions have in common if they compute the same."""
    attrs = instr.attrs
    if not attrs:
        return instr.op, instr.operands, ()
    return instr.op, instr.operands, tuple([(k, bits_of(attrs[k])) for k in sorted(attrs)])
