"""Indexed: the nest of parallel loops that stands for a chain of `for` over `range`.

    for y in range(h):                           loop max(%h, 0) [parallel=true] {(%y)
        for x in range(1, w):          =>          loop iterations from 1 to %w [parallel=true]
        {(%x)
            if a[y, x - 1] < 0.0: ...                load %a, %y, (%x + 1) - 1; select ... }}

Iterations count from 0, and an int that is an index is an i64, which the passes over nests and the
back end know to go along with them. A choice of two numbers becomes a `select`: all that an
iteration does is straight code then, but for loops of its own.
"""

from collections.abc import Mapping, Sequence

from scriptc.analysis.induction import constant_int
from scriptc.analysis.ranges import ADDS, MULS, SUBS
from scriptc.kernels.builder import I64, Code
from scriptc.kernels.loops.nest_parts import is_quiet
from scriptc.passes.rebuild import Renaming
from scriptc_runtime.ir import Block, Builder, Instr, Label, Value, walk
from scriptc_runtime.ops import control, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.record import replace
from scriptc_runtime.types import INT, is_counted

_WRAPPING: Mapping[OpDef, OpDef] = {ADDS[1]: e.ADD, SUBS[1]: e.SUB, MULS[1]: e.MUL}
_ACCESSES = (low.LOAD, low.STORE)
# Instructions of an arm that may run where another one is chosen.
_MOST_OF_ARM = 8


def is_choice(instr: Instr) -> bool:
    """Whether an `if` chooses between numbers that may be computed whether it holds or not."""
    if instr.op is not control.IF or any(is_counted(r.type) for r in instr.results):
        return False
    return all(_is_arm(block, instr) for block in instr.blocks)


def _is_arm(block: Block, choice: Instr) -> bool:
    *body, last = block.body
    if last.target is None or last.target.label is not choice.label or len(body) > _MOST_OF_ARM:
        return False
    return all((is_quiet(i) and i.op not in _ACCESSES) or is_choice(i) for i in body)


def _without_unused(block: Block, used: set[Value]) -> Block:
    """Return a block without ints that indices have taken the place of."""
    kept: list[Instr] = []
    for instr in reversed(block.body):
        if is_quiet(instr) and instr.op is not low.STORE and used.isdisjoint(instr.results):
            continue
        used.update(instr.operands)
        blocks = tuple([_without_unused(b, used) for b in instr.blocks])
        kept.append(replace(instr, blocks=blocks) if blocks else instr)
    return Block(block.params, tuple(reversed(kept)))


class IndexedNest:
    """The nest that stands for a chain of loops, with what counts its iterations."""

    def __init__(self, loops: Sequence[Instr], made: Mapping[Value, Instr]) -> None:
        self._definitions = made
        self._names = Renaming()
        self._indices: dict[Value, Value] = {}  # what stands for ints
        builder = Builder()
        self._code = Code(builder, loops[0].loc)
        builder.open()
        starts = [self._code.to_i64(loop.operands[0]) for loop in loops]
        counts = [self._count(loop, start) for loop, start in zip(loops, starts, strict=True)]
        self._emit(loops, list(zip(starts, counts, strict=True)))
        body = _without_unused(builder.close(), set())
        *self.counts, self.loop = body.body
        self.made = {r: i for i in walk(body) for r in i.results}

    def _count(self, loop: Instr, start: Value) -> Value:
        """Return how many iterations a loop has."""
        first, stop = (constant_int(v, self._definitions) for v in loop.operands[:2])
        if first is not None and stop is not None:
            return self._code.number(max(stop - first, 0))
        end = self._code.to_i64(loop.operands[1])
        if first == 0:
            return self._code.op(e.MAXIMUM, end, self._code.number(0))
        return self._code.iterations(start, end)

    def _emit(self, loops: Sequence[Instr], iterations: Sequence[tuple[Value, Value]]) -> None:
        (loop, *inner), ((start, count), *others) = loops, iterations

        def iteration(number: Value) -> None:
            variable = loop.blocks[0].params[0]
            from_zero = constant_int(loop.operands[0], self._definitions) == 0
            index = number if from_zero else self._code.op(e.ADD, start, number)
            self._indices[variable] = index
            self._names[variable] = self._code.to_int(index)
            for instr in loop.blocks[0].body[:-1]:
                if instr in inner:
                    self._emit(inner, others)
                else:
                    self._instr(instr)

        self._code.loop(count, iteration, parallel=True)

    def _instr(self, instr: Instr) -> None:
        if instr.op is control.IF:
            self._choice(instr)
        elif instr.op is control.FOR:
            self._for(instr)
        elif instr.op is e.CAST and instr.operands[0].type is INT and instr.result.type is I64:
            self._names[instr.result] = self._index(instr.operands[0])
        else:
            self._code.again((instr,), self._names)

    def _choice(self, instr: Instr) -> None:
        arms: list[Sequence[Value]] = []
        for block in instr.blocks:
            *body, last = block.body
            for each in body:
                self._instr(each)
            arms.append([self._names[v] for v in last.operands])
        holds = self._names[instr.operands[0]]
        for result, first, second in zip(instr.results, *arms, strict=True):
            self._names[result] = self._code.select(holds, first, second)

    def _for(self, loop: Instr) -> None:
        builder, label, (block,) = self._code.builder, Label("for"), loop.blocks
        outside = dict(self._indices)  # what is emitted inside is not there behind the loop
        params = [Value(p.type, p.name) for p in block.params]
        for old, new in zip(block.params, params, strict=True):
            self._names[old] = new
        operands = [self._names[v] for v in loop.operands]
        *body, last = block.body
        builder.open(*params)
        for instr in body:
            self._instr(instr)
        builder.exit(label, *(self._names[v] for v in last.operands), next=True, loc=loop.loc)
        inner = builder.close()
        types = [r.type for r in loop.results]
        results = builder.region(control.FOR, operands, (inner,), label, types, loop.loc)
        for old, new in zip(loop.results, results, strict=True):
            self._names[old] = new
        self._indices = outside

    def _index(self, value: Value) -> Value:
        """Return an int as a number that goes along with iterations."""
        if value in self._indices:
            return self._indices[value]
        instr = self._definitions.get(value)
        if instr is not None and instr.op in _WRAPPING:
            first, second = map(self._index, instr.operands)
            index = self._code.op(_WRAPPING[instr.op], first, second)
        else:
            index = self._code.to_i64(self._names[value])
        self._indices[value] = index
        return index
