"""Counted: a `while` that counts becomes a `for`.

    while i < n:                       for i in range(i, n):
        s += x[i]              =>          s += x[i]
        i += 1                         i = max(i, n)

A `for` is known to end, its variable is in a range, and its accesses have versions. The count must
be the test of each iteration, to an end that no iteration changes, and a step of one, of which
ranges have proven that it fits 64 bits. More may be tested behind it, where that has accesses to
gain:

    while i < n and x[i] != v:         for i in range(i, n):
        i += 1                 =>          if x[i] == v: leave with i
                                       else: i = max(i, n)

Needs: low IR, after `unchecked`.
Gives: the same, same results, same exceptions.
Does not: look at a `while` that is also left elsewhere, with `break` say.
Cases: tests/cases/loops/while_to_for.
"""

from collections.abc import Mapping, Sequence, Set

from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.induction import MIRRORED, carried_on, is_next, leaves, step_from
from scriptc.analysis.instr_kinds import is_unnoticed
from scriptc.analysis.remarks import Kind, Message, Topic, remark
from scriptc.passes.per_function import per_function
from scriptc.passes.rebuild import Renaming, map_blocks
from scriptc_runtime.ir import Block, Builder, Function, Instr, Value, walk
from scriptc_runtime.ops import arrays, control, data, exact, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import BOOL, INT, DType

COUNTED = Message(
    "while_to_for", Topic.ORDER, Kind.DONE, "this while counts: it is compiled as a for over range"
)
NOT_COUNTED = Message(
    "while_to_for",
    Topic.ORDER,
    Kind.MISSED,
    "stays a while: nothing shows that it counts by one, up to an end that stays the same",
)

# By a comparison that holds where an iteration goes on: how an iteration steps, and what comes at
# the end.
_STEPS: Mapping[OpDef, tuple[int, OpDef]] = {e.LT: (1, e.MAXIMUM), e.GT: (-1, e.MINIMUM)}
_EXACT = (exact.EXACT_ADD, exact.EXACT_SUB)
_ACCESSES = (arrays.INDEX, arrays.SET_INDEX)
_OF_SIZES = frozenset({data.CONST, arrays.DIM, low.SIZE, e.CAST, e.ADD, e.SUB, *_EXACT})


@per_function
def while_to_for(function: Function) -> Function:
    """Return `function` with each `while` that counts as a `for`."""
    if not any(i.op is control.WHILE for i in walk(function.body)):
        return function
    definitions = definitions_of(function)
    loops = [i for i in walk(function.body) if i.op in (control.FOR, control.WHILE)]
    inside = {r for loop in loops for i in walk(loop.blocks[0]) for r in i.results}
    inside.update(p for loop in loops for p in loop.blocks[0].params)
    body = _Counter(definitions, inside, Renaming()).block(function.body)
    return function if body is function.body else replace(function, body=body)


@record
class _Count:
    """A loop that counts: the place of its counter, where that ends, and the rest of its body."""

    place: int
    end: Value
    step: int
    last: OpDef
    iterations: tuple[Instr, ...]
    given: tuple[Value, ...]  # what the loop leaves with
    leaving: (
        Instr | None
    )  # the exit from the midst of an iteration, if more than the count is tested


@record
class _Counter:
    definitions: Mapping[Value, Instr]
    inside: Set[Value]  # what loops define
    names: Renaming

    def block(self, block: Block) -> Block:
        builder = Builder()
        builder.open(*block.params)
        for old in block.body:
            instr = map_blocks(self.names.instr(old), self.block)
            count = self._count(instr) if instr.op is control.WHILE else None
            if instr.op is control.WHILE:
                remark(NOT_COUNTED if count is None else COUNTED, instr.loc)
            if count is None:
                builder.append(instr)
            else:
                self._emit(builder, old, instr, count)
        new = builder.close()
        return block if new.body == block.body else new

    def _count(self, loop: Instr) -> _Count | None:
        (block,) = loop.blocks
        found = _tested(block, loop, self.definitions)
        if found is None:
            return None
        compared, iterations, leaving = found
        made = self.definitions.get(compared)
        inside = {r for i in walk(block) for r in i.results}
        if made is None or made.op not in _STEPS:
            return None
        ways_out = [i for i in walk(block) if leaves(i, loop)]
        given = ways_out[0].operands if len(ways_out) == 1 else None
        if given is None or any(v in inside for v in given):
            return None
        first, second = made.operands
        for param, end, op in ((first, second, made.op), (second, first, MIRRORED[made.op])):
            if param in block.params and end not in block.params and end not in inside:
                if leaving is not None and not self._is_fixed(end):
                    return None  # a guard in each outer iteration takes longer than it saves
                at = block.params.index(param)
                step, last = _STEPS[op]
                if (
                    param.type is INT
                    and end.type is INT
                    and all(self._is_step(v, param, step) for v in carried_on(loop, at))
                ):
                    # Definitions are those from before: their operands may have changed since.
                    return _Count(at, self.names[end], step, last, iterations, given, leaving)
        return None

    def _is_fixed(self, value: Value, depth: int = 4) -> bool:
        """Whether a number follows from what no loop changes."""
        if value not in self.inside:
            return True
        made = self.definitions.get(value)
        if made is None or made.op not in _OF_SIZES or not depth:
            return False
        return all(self._is_fixed(v, depth - 1) for v in made.operands)

    def _is_step(self, value: Value, param: Value, step: int) -> bool:
        made = self.definitions.get(value)
        is_proven = made is not None and made.op in _EXACT
        return is_proven and step_from(param, value, self.definitions) == step

    def _emit(self, builder: Builder, old: Instr, loop: Instr, count: _Count) -> None:
        (block,) = loop.blocks
        at = count.place
        counter, start = block.params[at], loop.operands[at]
        step = builder.emit(data.CONST, loc=loop.loc, value=count.step)
        carried = (*loop.operands[:at], *loop.operands[at + 1 :])
        params = (*block.params[:at], *block.params[at + 1 :])
        iterations = [_without(i, loop, at) for i in count.iterations]
        if count.leaving is not None:
            # Where the count ends, this stands for it, and where an iteration leaves, the counter.
            final = Value(INT)
            carried = (*carried, self._last(builder, loop, start, count))
            iterations = [_with(i, loop, final, (*params, counter)) for i in iterations]
            params = (*params, final)
        ended = {p: Value(p.type, p.name) for p in params}
        body = Block((counter, *params), tuple(iterations))
        operands = (start, count.end, step, *carried)
        builder.append(
            Instr(control.FOR, operands, {}, tuple(ended.values()), loop.loc, (body,), loop.label)
        )
        for result, value in zip(old.results, count.given, strict=True):
            if value is not counter:
                self.names[result] = ended.get(value, self.names[value])
            elif count.leaving is not None:
                self.names[result] = ended[params[-1]]
            else:
                self.names[result] = self._last(builder, loop, start, count)

    def _last(self, builder: Builder, loop: Instr, start: Value, count: _Count) -> Value:
        """Emit what the counter is after the loop."""
        ends = [builder.emit(e.CAST, v, loc=loop.loc, to=DType.I64) for v in (start, count.end)]
        last = builder.emit(count.last, *ends, loc=loop.loc)
        return builder.emit(e.CAST, last, loc=loop.loc, to=INT)


def _tested(
    block: Block, loop: Instr, definitions: Mapping[Value, Instr]
) -> tuple[Value, tuple[Instr, ...], Instr | None] | None:
    """Return what says whether an iteration goes on, what it does then, and its way out.

    That is there if more is tested; None comes back for a block that starts in another way.
    """
    place = next((k for k, i in enumerate(block.body) if not is_unnoticed(i)), None)
    if place is None:
        return None
    before, test, iterations = block.body[:place], block.body[place], block.body[place + 1 :]
    if _goes_on_or_leaves(test, loop):
        return test.operands[0], (*before, *iterations), None
    again, *others = iterations or (test,)
    second = _second_test(test, definitions)
    if (
        second is None
        or not _goes_on_or_leaves(again, loop)
        or again.operands[0] not in test.results
    ):
        return None
    if not any(i.op in _ACCESSES for i in walk(block)):
        return None  # nothing would be gained
    *computed, outcome = second
    also = replace(again, operands=outcome.operands)
    return test.operands[0], (*before, *computed, also, *others), again.blocks[1].body[0]


def _goes_on_or_leaves(test: Instr, loop: Instr) -> bool:
    """Whether an `if` leaves a loop where it does not hold, and does nothing else."""
    if test.op is not control.IF or test.results:
        return False
    going_on, ending = test.blocks
    if len(going_on.body) != 1 or len(ending.body) != 1:
        return False
    return leaves(going_on.body[0], test) and leaves(ending.body[0], loop)


def _second_test(test: Instr, definitions: Mapping[Value, Instr]) -> Sequence[Instr] | None:
    """Return what `first and second` does for the second, and the exit with its outcome."""
    if test.op is not control.IF or [r.type for r in test.results] != [BOOL]:
        return None
    second, neither = test.blocks
    (outcome,) = neither.body[-1].operands or (None,)
    made = definitions.get(outcome) if outcome is not None else None
    fails = made is not None and made.op is data.CONST and made.attrs["value"] is False
    is_plain = all(leaves(b.body[-1], test) for b in test.blocks) and len(neither.body) <= 2
    return second.body if fails and is_plain else None


def _without(instr: Instr, loop: Instr, at: int) -> Instr:
    """Return an instruction that goes on without handing on what is at a place."""
    if is_next(instr, loop):
        return replace(instr, operands=(*instr.operands[:at], *instr.operands[at + 1 :]))
    if not instr.blocks:
        return instr
    blocks = tuple(
        Block(b.params, tuple(_without(i, loop, at) for i in b.body)) for b in instr.blocks
    )
    return replace(instr, blocks=blocks)


def _with(instr: Instr, loop: Instr, final: Value, left: tuple[Value, ...]) -> Instr:
    """Return an instruction where iterations hand on what stands for the end of the count."""
    if is_next(instr, loop):
        return replace(instr, operands=(*instr.operands, final))
    if leaves(instr, loop):
        return replace(instr, operands=left)
    blocks = tuple(
        Block(b.params, tuple(_with(i, loop, final, left) for i in b.body)) for b in instr.blocks
    )
    return replace(instr, blocks=blocks) if blocks else instr
