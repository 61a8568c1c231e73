"""Ownership: make retain and release explicit, and say what each raising instruction cleans up.

    %1 = new_array %n                       %1 = new_array %n
    launch %n, %x, %1                =>     launch %n, %x, %1 cleanup(%1)
    %2 = load %1, %i                        %2 = load %1, %i
    exit @return %2                         release %1
                                            exit @return %2

An instruction's counted results are owned by the block it stands in, as are the parameters of a
block; parameters of a function are borrowed.  A value moves where an owner takes it at its last
use, is retained where it is still needed, and is released after its last use or on the way out.
A text that is joined with others at its last use is extended: a loop that adds to one takes no
time for what is there already.
A view is borrowed from its base, whose life it prolongs, and so is what is loaded from an object or
a list that is left alone until the last use; other loads are retained.

Needs: low IR.
Gives: low IR with exact counts on every way through, exceptional ones included.
Does not: pair up retains and releases that cross a region.
Cases: tests/cases/passes/ownership.
"""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet

from scriptc.analysis import peak_memory
from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.effects import FunctionEffects, ModuleEffects
from scriptc.analysis.lending import lent
from scriptc.analysis.remarks import about, remarks_wanted
from scriptc.analysis.signals import looks_for_signals
from scriptc_runtime.ir import Block, Function, Instr, Label, Loc, Module, Role, Value, walk
from scriptc_runtime.ops import (
    arrays,
    bigints,
    buffers,
    byte_strings,
    classes,
    containers,
    control,
    data,
    exceptions,
    list_items,
    low,
    named,
    reshaping,
    texts,
    unions,
)
from scriptc_runtime.ops.opdef import OpDef, Trait
from scriptc_runtime.record import field, record, replace
from scriptc_runtime.types import EXCEPTION, is_counted

# Results that live in the memory of an operand and are borrowed from it.
_BORROWING = frozenset(
    {
        low.SUBVIEW,
        low.ASSUME_CONTIGUOUS,
        reshaping.RESHAPED,
        low.ASSUME_DISTINCT,
        low.EITHER,
        low.LENGTHWISE,
        arrays.VIEW,
        arrays.TRANSPOSE,
        arrays.PART,
        arrays.RECORD_FIELD,
        data.ITEM,
        data.UNWRAP,
        unions.HELD,
        exceptions.ABOUT_EXCEPTION,
        classes.UPCAST,
        classes.DOWNCAST,
        exceptions.OBJECT_OF,
        named.PLAIN,
        byte_strings.BYTES_TEXT,
        byte_strings.TEXT_BYTES,
        bigints.BIGINT_LIMBS,
        bigints.BIGINT_MADE,
    }
)
# Results that nobody has to release: constants live as long as the code, what is kept as long as
# the function runs.
_IMMORTAL = frozenset({data.CONST, data.NOTHING, buffers.KEPT_ARRAY})
# Results that a later write may take away from their container, so they are retained at once.
_LOADING = frozenset(
    {data.FIELD, list_items.LIST_LOAD, control.CELL_GET, exceptions.OLDER_EXCEPTION}
)
# Operands that an instruction takes over: all of them, or those from an index on.
_TAKES: Mapping[OpDef, int] = {
    data.TUPLE: 0,
    data.SOME: 0,
    named.NAMED: 0,
    data.NEW: 0,
    containers.CONTAINER: 0,
    data.SET_FIELD: 1,
    control.CELL: 0,
    control.CELL_SET: 1,
    control.WHILE: 0,
    control.FOR: 3,
    control.EXIT: 0,
    control.RAISE: 0,
    control.RERAISE: 0,
    exceptions.NEW_EXCEPTION: 0,
    exceptions.HOLD: 0,
    exceptions.EXCEPTION_OF: 0,
    exceptions.SET_CAUSE: 1,
    list_items.LIST_STORE: 2,
}
_MAY_LACK_MEMORY = frozenset(
    {
        low.NEW_ARRAY,
        buffers.KEPT_ARRAY,
        list_items.LIST_ALLOC,
        list_items.LIST_RESERVE,
        data.NEW,
        bigints.BIGINT_OF,
        containers.CONTAINER,
        texts.STR_JOIN,
        texts.STR_REPEAT,
        texts.STR_CHANGED,
        exceptions.HOLD,
        exceptions.HOLDS_VALUES,
    }
)


def ownership(module: Module) -> Module:
    """Return `module` with explicit reference counts."""
    effects = ModuleEffects(module)
    functions = (*module.externs.values(), *module.functions.values())
    searches = {function.name for function in functions if function.role is Role.SEARCH}
    return module.with_functions(
        {
            name: _Owner(function, effects.function(name), searches).run()
            for name, function in module.functions.items()
        }
    )


@record(frozen=False, eq=False)
class _Scope:
    """A block being walked: the values it owns and has not given away, oldest first."""

    label: Label | None  # of the region the block belongs to; None for a function's body
    catches: bool  # whether what raises here goes to a handler beside the block
    last_uses: Mapping[Value, int]
    live: dict[Value, None] = field(default_factory=dict[Value, None])
    body: list[Instr] = field(default_factory=list[Instr])


class _Owner:
    def __init__(
        self, function: Function, effects: FunctionEffects, searches: AbstractSet[str]
    ) -> None:
        self._function = function
        self._effects = effects
        self._searches = searches
        self._definitions = definitions_of(function)
        self._scopes: list[_Scope] = []
        self._bases: dict[Value, Value] = {}
        wanted = remarks_wanted() and function.role is Role.SCRIPT
        self._peak = peak_memory.PeakMemory() if wanted else None
        for instr in walk(function.body):
            if instr.op in _BORROWING:
                self._bases[instr.result] = self._base(instr.operands[0])

    def run(self) -> Function:
        body = self._block(self._function.body, None, False)
        if self._peak:
            about(self._function)
            self._peak.say(self._function)
        return replace(self._function, body=body)

    def _base(self, value: Value) -> Value:
        while value in self._bases:
            value = self._bases[value]
        return value

    def _only_reads(self, instr: Instr) -> bool:
        """Whether a call, or a loop without its block, runs no code that writes."""
        if instr.op is control.CALL:
            return instr.attrs["callee"] in self._searches
        return not looks_for_signals(instr, self._function.role, self._definitions)

    def _block(self, block: Block, label: Label | None, catches: bool) -> Block:
        last_uses = self._last_uses(block)
        for value, source in lent(block, last_uses, self._base, self._only_reads):
            self._bases[value] = source
        scope = _Scope(label, catches, last_uses)
        self._scopes.append(scope)
        for param in block.params:
            self._own(param, -1)
        for index, instr in enumerate(block.body):
            if instr.target is not None:
                self._exit(instr)
            elif not _counts_nothing(instr):
                self._instr(instr, index)
        self._scopes.pop()
        return Block(block.params, tuple(scope.body))

    def _last_uses(self, block: Block) -> dict[Value, int]:
        """Return for each value the index of the last instruction that needs its memory."""
        last: dict[Value, int] = {}
        for index, instr in enumerate(block.body):
            for value in self._needed(instr):
                last[value] = index
        # Whatever raises in a handler takes the exception that was handled as its context.
        last.update({p: len(block.body) for p in block.params if p.type is EXCEPTION})
        return last

    def _needed(self, instr: Instr) -> Iterable[Value]:
        yield from map(self._base, instr.operands)
        for block in instr.blocks:
            for inner in walk(block):
                yield from map(self._base, inner.operands)

    def _own(self, value: Value, index: int) -> None:
        """Let the innermost block own `value`, defined at `index`; what is never used goes now."""
        scope = self._scopes[-1]
        if not is_counted(value.type):
            return
        if scope.last_uses.get(value, -1) > index:
            scope.live[value] = None
        else:
            self._release(value, self._loc(index))

    def _loc(self, index: int) -> Loc:
        body = self._scopes[-1].body
        return body[-1].loc if index >= 0 and body else self._function.loc

    def _instr(self, instr: Instr, index: int) -> None:
        scope = self._scopes[-1]
        if self._may_extend(instr, index):
            instr = replace(instr, op=data.EXTEND)
            del scope.live[instr.operands[0]]
        self._take(instr, index)
        if cleanup := self._cleanup(instr):
            instr = replace(instr, cleanup=cleanup)
        if instr.blocks:
            catching = instr.op is control.TRY
            blocks = tuple(
                self._block(b, instr.label, catching and number == 0)
                for number, b in enumerate(instr.blocks)
            )
            instr = replace(instr, blocks=blocks)
        scope.body.append(instr)
        if instr.op not in _IMMORTAL:
            for result in instr.results:
                self._receive(instr, result, index)
        if self._peak:
            self._peak.note(instr, (v for scope in self._scopes for v in scope.live))
        if Trait.TERMINATOR in instr.op.traits:
            return  # it raises, so all that lives is in its cleanup
        for value in [v for v in scope.live if scope.last_uses[v] == index]:
            self._release(value, instr.loc)
            del scope.live[value]

    def _receive(self, instr: Instr, result: Value, index: int) -> None:
        """Let the block own a result, but for one that is borrowed."""
        if result in self._bases:
            return
        if instr.op in _LOADING and is_counted(result.type):
            self._retain(result, instr.loc)
        self._own(result, index)

    def _may_extend(self, instr: Instr, index: int) -> bool:
        """Whether a text is needed for nothing but the longer one that is made of it."""
        if instr.op is not data.CONCAT or len(instr.operands) < 2:
            return False
        first, *others = instr.operands
        scope = self._scopes[-1]
        return first in scope.live and scope.last_uses[first] == index and first not in others

    def _take(self, instr: Instr, index: int) -> None:
        """Give operands to an instruction that takes them over: moved at the last use."""
        if instr.op not in _TAKES:
            return
        scope = self._scopes[-1]
        nested = {self._base(v) for b in instr.blocks for i in walk(b) for v in i.operands}
        for value in instr.operands[_TAKES[instr.op] :]:
            if not is_counted(value.type):
                continue
            movable = value in scope.live and scope.last_uses[value] == index
            if movable and value not in nested:
                del scope.live[value]
            else:
                self._retain(value, instr.loc)

    def _exit(self, instr: Instr) -> None:
        """Move what an exit carries; release all else that the blocks it leaves still own."""
        assert instr.target is not None
        left: dict[Value, _Scope] = {}
        for scope in reversed(self._scopes):
            left.update({value: scope for value in reversed(scope.live)})
            if scope.label is instr.target.label:
                break
        for value in instr.operands:
            if not is_counted(value.type):
                continue
            if value in left:
                del left[value]
            else:
                self._retain(value, instr.loc)
        # Views were retained above, so their bases may go now.
        for value in left:
            self._release(value, instr.loc)
        self._scopes[-1].body.append(instr)

    def _cleanup(self, instr: Instr) -> tuple[Value, ...]:
        """Return what must be released when `instr` raises: all owned up to the handler.

        What lives longest is last, then what is oldest: code that releases it is shared by all that
        raises meanwhile.
        """
        raises = self._effects.own(instr).raises or instr.op in _MAY_LACK_MEMORY
        # Ctrl-C arrives there.
        polls = instr.op in (control.FOR, control.WHILE) or instr.attrs.get("polls")
        if not (raises or polls):
            return ()
        values: list[Value] = []
        for scope in reversed(self._scopes):
            values += sorted(reversed(scope.live), key=lambda v: scope.last_uses[v])
            if scope.catches:
                break
        return tuple(values)

    def _retain(self, value: Value, loc: Loc) -> None:
        self._scopes[-1].body.append(Instr(low.RETAIN, (value,), {}, (), loc))

    def _release(self, value: Value, loc: Loc) -> None:
        self._scopes[-1].body.append(Instr(low.RELEASE, (value,), {}, (), loc))


def _counts_nothing(instr: Instr) -> bool:
    """Whether `instr` counts a value that has no count: generic code used with numbers."""
    return instr.op in (low.RETAIN, low.RELEASE) and not is_counted(instr.operands[0].type)
