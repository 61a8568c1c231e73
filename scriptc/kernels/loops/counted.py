"""Counted: a `while` that counts becomes a `for`.

    while i < n:                       for i in range(i, n):
        s += x[i]              =>          s += x[i]
        i += 1                         i = max(i, n)

A `for` is known to end, its variable is in a range, and its accesses have versions. The count must
be the test of each round, to an end that no round changes, and a step of one, of which ranges have
proven that it fits 64 bits.

Needs: low IR, after `unchecked`.
Gives: the same, same results, same exceptions.
Does not: look at a `while` that is also left elsewhere, with `break` say.
"""

from collections.abc import Mapping

from scriptc.kernels.loops.counting import MIRRORED, carried_on, is_next, leaves, step_from
from scriptc.passes.rebuild import Renaming, map_blocks
from scriptc_runtime.ir import Block, Builder, Function, Instr, Module, Value, walk
from scriptc_runtime.ops import control, data, exact
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import OpDef, Trait
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import INT, DType

# By a comparison that holds where a round goes on: how a round steps, and what comes at the end.
_STEPS: Mapping[OpDef, tuple[int, OpDef]] = {e.LT: (1, e.MAXIMUM), e.GT: (-1, e.MINIMUM)}
_EXACT = (exact.EXACT_ADD, exact.EXACT_SUB)


def count_rounds(module: Module) -> Module:
    """Return `module` with each `while` that counts as a `for`."""
    return module.with_functions({n: _function(f) for n, f in module.functions.items()})


def _function(function: Function) -> Function:
    if not any(i.op is control.WHILE for i in walk(function.body)):
        return function
    definitions = {r: i for i in walk(function.body) for r in i.results}
    body = _Counter(definitions, Renaming()).block(function.body)
    return function if body is function.body else replace(function, body=body)


@record
class _Count:
    """A loop that counts: the place of its counter, where that ends, and what stays of a round."""

    place: int
    end: Value
    step: int
    last: OpDef
    before: tuple[Instr, ...]
    test: Instr
    rounds: tuple[Instr, ...]
    given: tuple[Value, ...]  # what the loop leaves with


@record
class _Counter:
    definitions: Mapping[Value, Instr]
    names: Renaming

    def block(self, block: Block) -> Block:
        builder = Builder()
        builder.open(*block.params)
        for old in block.body:
            instr = map_blocks(self.names.instr(old), self.block)
            count = self._count(instr) if instr.op is control.WHILE else None
            if count is None:
                builder.append(instr)
            else:
                self._emit(builder, old, instr, count)
        new = builder.close()
        return block if new.body == block.body else new

    def _count(self, loop: Instr) -> _Count | None:
        (block,) = loop.blocks
        place = next((k for k, i in enumerate(block.body) if not _is_free(i)), None)
        if place is None:
            return None
        before, test, rounds = block.body[:place], block.body[place], block.body[place + 1 :]
        given = _left_with(test, loop)
        made = self.definitions.get(test.operands[0]) if given is not None else None
        inside = {r for i in walk(block) for r in i.results}
        if given is None or made is None or made.op not in _STEPS:
            return None
        ways_out = [i for i in walk(block) if leaves(i, loop)]
        if any(v in inside for v in given) or len(ways_out) > 1:
            return None
        first, second = made.operands
        for param, end, op in ((first, second, made.op), (second, first, MIRRORED[made.op])):
            if param in block.params and end not in block.params and end not in inside:
                at = block.params.index(param)
                step, last = _STEPS[op]
                if (
                    param.type is INT
                    and end.type is INT
                    and all(self._is_step(v, param, step) for v in carried_on(loop, at))
                ):
                    # Definitions are those from before: their operands may have changed since.
                    end = self.names[end]
                    return _Count(at, end, step, last, before, test, rounds, given)
        return None

    def _is_step(self, value: Value, param: Value, step: int) -> bool:
        made = self.definitions.get(value)
        is_proven = made is not None and made.op in _EXACT
        return is_proven and step_from(param, value, self.definitions) == step

    def _emit(self, builder: Builder, old: Instr, loop: Instr, count: _Count) -> None:
        (block,) = loop.blocks
        at = count.place
        start = loop.operands[at]
        step = builder.emit(data.CONST, loc=loop.loc, value=count.step)
        carried = (*loop.operands[:at], *loop.operands[at + 1 :])
        params = (*block.params[:at], *block.params[at + 1 :])
        ended = {p: Value(p.type, p.name) for p in params}
        rounds = tuple(_without(i, loop, at) for i in (*count.before, *count.rounds))
        body = Block((block.params[at], *params), rounds)
        operands = (start, count.end, step, *carried)
        builder.append(
            Instr(control.FOR, operands, {}, tuple(ended.values()), loop.loc, (body,), loop.label)
        )
        for result, value in zip(old.results, count.given, strict=True):
            if value is block.params[at]:
                value = self._last(builder, loop, start, count)
            self.names[result] = ended.get(value, self.names[value])

    def _last(self, builder: Builder, loop: Instr, start: Value, count: _Count) -> Value:
        """Emit what the counter is after the loop."""
        ends = [builder.emit(e.CAST, v, loc=loop.loc, to=DType.I64) for v in (start, count.end)]
        last = builder.emit(count.last, *ends, loc=loop.loc)
        return builder.emit(e.CAST, last, loc=loop.loc, to=INT)


def _is_free(instr: Instr) -> bool:
    """Whether nobody notices if an instruction is left out where nothing uses it."""
    if instr.target is not None or instr.blocks or Trait.REGION in instr.op.traits:
        return False
    effects = instr.op.effects([v.type for v in instr.operands], instr.attrs)
    return not (effects.raises or effects.io or effects.writes or effects.allocates)


def _left_with(test: Instr, loop: Instr) -> tuple[Value, ...] | None:
    """Return what an `if` leaves a loop with where it does not hold; None if it is not so."""
    if test.op is not control.IF or test.results:
        return None
    going_on, ending = test.blocks
    if len(going_on.body) != 1 or len(ending.body) != 1:
        return None
    (on,), (out,) = going_on.body, ending.body
    return out.operands if leaves(on, test) and leaves(out, loop) else None


def _without(instr: Instr, loop: Instr, at: int) -> Instr:
    """Return an instruction where going on with a round does not hand on what is at a place."""
    if is_next(instr, loop):
        return replace(instr, operands=(*instr.operands[:at], *instr.operands[at + 1 :]))
    if not instr.blocks:
        return instr
    blocks = tuple(
        Block(b.params, tuple(_without(i, loop, at) for i in b.body)) for b in instr.blocks
    )
    return replace(instr, blocks=blocks)
