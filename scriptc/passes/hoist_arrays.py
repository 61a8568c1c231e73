"""Hoist arrays: work on whole arrays that every iteration does alike is done before the loop.

    for %i in 0 .. %n {                        =>      if 0 < %n {
      %1 = exp %x                                        %1 = exp %x
      %2 = sum %1                                        %2 = sum %1
      ...                                                for %i in 0 .. %n { ... }
    }                                                  }

What is moved are values (analysis/array_values.py) and scalars that are read from arrays.  Nothing
in the loop writes what they read; the first iteration is sure to compute them, and what it does
before cannot be told from what it does after.  A `for` that may have no iteration stands behind a
test for that, and a `while` behind a copy of its own test.  An array moves where a load costs less
than computing its elements: what is cheap stays, unless something that moves is made of it.

Needs: core IR.
Gives: the same results; exceptions are raised in their order.
Does not: look at blocks inside a loop, or move what only some iterations compute.
Cases: tests/cases/passes/hoist_arrays.
"""

from collections.abc import Mapping, Sequence

from scriptc.analysis.array_values import ArrayValues
from scriptc.analysis.costs import COSTLY
from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.effects import FunctionEffects, ModuleEffects
from scriptc.analysis.induction import constant_int, leaves
from scriptc.analysis.remarks import Kind, Message, Topic, about, remark
from scriptc.passes.rebuild import Renaming, clone
from scriptc_runtime.ir import Block, Function, Instr, Label, Module, Target, Value, make, walk
from scriptc_runtime.ops import arrays, control
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import Trait
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import TensorType, is_counted

ONCE = Message(
    "hoist_arrays", Topic.ORDER, Kind.DONE, "computed once, before the loop in line {line}"
)
_LOOPS = (control.FOR, control.WHILE)
# How often a loop is looked at; each time what has to stay may keep more from moving.
_ROUNDS = 4


def hoist_arrays(module: Module) -> Module:
    """Return `module` with invariant work on arrays before its loops."""
    effects = ModuleEffects(module)
    functions = dict(module.functions)
    for name, function in module.functions.items():
        if any(i.op in _LOOPS for i in walk(function.body)):
            about(function)
            body = _Hoister(function, effects.function(name)).block(function.body)
            functions[name] = function if body is function.body else replace(function, body=body)
    return module.with_functions(functions)


class _Hoister:
    def __init__(self, function: Function, effects: FunctionEffects) -> None:
        self._effects = effects
        self._values = ArrayValues(function, effects)
        self._definitions: Mapping[Value, Instr] = definitions_of(function)

    def block(self, block: Block) -> Block:
        """Return a block with the work on arrays of its loops before them."""
        body: list[Instr] = []
        for old in block.body:
            blocks = tuple(map(self.block, old.blocks))
            changed = any(new is not b for new, b in zip(blocks, old.blocks, strict=True))
            instr = replace(old, blocks=blocks) if changed else old
            start = self._start(instr) if instr.op in _LOOPS else None
            moved = self._movable(instr, start) if start is not None else ()
            if start is not None and moved:
                body += self._before(instr, start, moved)
            else:
                body.append(instr)
        return block if tuple(body) == block.body else Block(block.params, tuple(body))

    def _movable(self, loop: Instr, start: "_Start") -> Sequence[Instr]:
        """Return what stands in a loop and may, and should, stand before it."""
        written = self._effects.footprint(loop).writes
        barriers: set[Instr] = set()
        for _ in range(_ROUNDS):
            found = self._candidates(loop, start, written, barriers)
            chosen = self._worthwhile(found)
            # What stays and may raise comes first from now on.
            left = {i for i in found if i not in chosen and self._effects.own(i).raises}
            if left <= barriers:
                return chosen
            barriers |= left
        return ()

    def _candidates(
        self, loop: Instr, start: "_Start", written: frozenset[Value], barriers: set[Instr]
    ) -> list[Instr]:
        """Return what gives the same in each iteration, and is computed in the first."""
        (block,) = loop.blocks
        inside = set(block.params).union(*[i.results for i in block.body[: start.skip]])
        found: list[Instr] = []
        is_first = True  # whether nothing that stays has been done before
        for instr in block.body[start.skip :]:
            footprint = self._effects.footprint(instr)
            if (
                instr not in barriers
                and inside.isdisjoint(instr.operands)
                and (is_first or not footprint.raises)
                and self._is_invariant(instr, written)
            ):
                found.append(instr)
                continue
            inside.update(instr.results)
            if footprint.exits:
                break
            is_first = is_first and footprint.removable
        return found

    def _is_invariant(self, instr: Instr, written: frozenset[Value]) -> bool:
        if len(instr.results) != 1 or instr.blocks or self._effects.may_not_end(instr):
            return False
        if instr.op is arrays.INDEX:
            return False  # its bounds are looked at by others
        own = self._effects.own(instr)
        if own.writes or own.io:
            return False
        if any(self._effects.may_alias(instr.operands[i], w) for i in own.reads for w in written):
            return False
        if isinstance(instr.result.type, TensorType):
            if own.aliases:
                return not self._values.is_seen(instr.result)
            return self._values.is_value(instr) and not self._values.is_seen(instr.result)
        return not is_counted(instr.result.type)

    def _worthwhile(self, found: Sequence[Instr]) -> Sequence[Instr]:
        """Return what is worth to be kept, and what it is made of."""
        needed: set[Value] = set()
        chosen: list[Instr] = []
        for instr in reversed(found):
            if instr.result in needed or self._is_worth(instr):
                chosen.append(instr)
                needed.update(instr.operands)
        return chosen[::-1]

    def _is_worth(self, instr: Instr) -> bool:
        """Whether an instruction takes longer than a load of what it gives."""
        if not any(isinstance(v.type, TensorType) for v in instr.operands):
            return False
        if Trait.ELEMENTWISE in instr.op.traits:
            return instr.op in COSTLY
        return bool(self._effects.own(instr).reads) and instr.op is not arrays.COPY

    def _before(self, loop: Instr, start: "_Start", moved: Sequence[Instr]) -> Sequence[Instr]:
        """Return a loop with what is moved before it, where it has an iteration at all."""
        for instr in moved:
            if self._is_worth(instr):
                remark(ONCE, instr.loc, line=loop.loc.line)
        (block,) = loop.blocks
        gone = set(moved)
        rest = Block(block.params, tuple(i for i in block.body if i not in gone))
        new = replace(loop, blocks=(rest,))
        if not start.test:
            return [*moved, new]
        label = Label("once")
        inner = tuple(Value(r.type, r.name) for r in new.results)
        new = replace(new, results=inner)
        taken = Block((), (*moved, new, _exit(label, inner, loop)))
        none = Block((), (_exit(label, start.without, loop),))
        condition = (start.test[-1].result,)
        blocks = (taken, none)
        chosen = Instr(control.IF, condition, {}, loop.results, loop.loc, blocks, label)
        return [*start.test, chosen]

    def _start(self, loop: Instr) -> "_Start | None":
        """Return how a loop starts; None if that cannot be said before it."""
        if loop.op is control.WHILE:
            return self._start_of_while(loop)
        start, stop, step = loop.operands[:3]
        by = constant_int(step, self._definitions)
        if not by:
            return None
        first, last = (constant_int(v, self._definitions) for v in (start, stop))
        if first is not None and last is not None:
            return _Start((), (), 0) if (last - first) * by > 0 else None
        test = make(e.LT if by > 0 else e.GT, [start, stop], {}, loop.loc)
        return _Start((test,), loop.operands[3:], 0)

    def _start_of_while(self, loop: Instr) -> "_Start | None":
        """Return a copy of the test of a `while` that is computed from scalars alone."""
        (block,) = loop.blocks
        header: list[Instr] = []
        for instr in block.body:
            if instr.op is control.IF and (leaving := _leaving(instr, loop)) is not None:
                test = instr.operands[0]
                break
            header.append(instr)
            footprint = self._effects.footprint(instr)
            if not footprint.pure or any(is_counted(v.type) for v in instr.operands):
                return _Start((), (), 0)
        else:
            return _Start((), (), 0)
        names = Renaming()
        for param, init in zip(block.params, loop.operands, strict=True):
            names[param] = init
        made = clone(Block((), tuple(header)), names, {}, lambda loc: loc).body
        if not made or made[-1].results != (names[test],):
            return _Start((), (), 0)
        return _Start(made, tuple(names[v] for v in leaving), len(header) + 1)


@record
class _Start:
    """How a loop starts.

    The last of `test` says whether it has an iteration; if not, it gives `without`.  An empty test
    is always true.  `skip` instructions of the body are the test itself.
    """

    test: Sequence[Instr]
    without: Sequence[Value]
    skip: int


def _leaving(instr: Instr, loop: Instr) -> Sequence[Value] | None:
    """Return what an `if` leaves a loop with where its condition is false, if that is all it does.

    if %c { exit @if } { exit @while values }
    """
    going, ending = instr.blocks
    if instr.results or len(going.body) != 1 or len(ending.body) != 1:
        return None
    on, out = going.body[0], ending.body[0]
    if on.target is None or on.target.label is not instr.label or not leaves(out, loop):
        return None
    return out.operands


def _exit(label: Label, values: Sequence[Value], loop: Instr) -> Instr:
    return Instr(control.EXIT, tuple(values), {}, (), loop.loc, target=Target(label))
