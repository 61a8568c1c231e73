"""Whole rows: nested `for` over the axes of arrays become the loops whose axes `merge` joins.

    for y in range(h):                           loop max(%h, 0) [parallel=true] {(%y)
        for x in range(w):                         loop max(%w, 0) [parallel=true] {(%x)
            for k in range(3):           =>          loop 3 [parallel=true] {(%k)
                b[y, x, k] = 255 - a[y, x, k]          load %a, %y, %x, %k
                                                       store %b, ..., %y, %x, %k }}}

Three colours do not fill a vector; where the rows lie one behind the other, one loop over all of
them does. A `for` says what its rounds do one after the other; here no round of any of the loops
has to do with another one, so they may run as one. A choice of two numbers becomes a `select`,
for all that the innermost loop does has to be straight code. Where the innermost loop has a
constant number of rounds, the arrays may well have longer rows: then the loops run as they were.

Needs: low IR with what `layouts` assumes of arrays, before `merge_axes`.
Gives: low IR, same results.
Does not: touch loops that start elsewhere than at 0, or nests that `merge_axes` would leave alone.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from scriptc.kernels.code import I64, Code
from scriptc.kernels.loops.counting import are_few, constant_int, counts_by_one
from scriptc.kernels.loops.independent import is_independent
from scriptc.kernels.loops.merge import may_merge, rows_adjoin
from scriptc.kernels.loops.parts import is_quiet
from scriptc.passes.ranges import ADDS, MULS, SUBS
from scriptc.passes.rebuild import Renaming, clone, rebuild_outermost
from scriptc_runtime.ir import Block, Builder, Function, Instr, Module, Value, walk
from scriptc_runtime.ops import control, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import INT, is_counted

_WRAPPING: Mapping[OpDef, OpDef] = {ADDS[1]: e.ADD, SUBS[1]: e.SUB, MULS[1]: e.MUL}
_ACCESSES = (low.LOAD, low.STORE)
# Instructions of an arm that may run where another one is chosen.
_MOST_OF_ARM = 8


def nest_whole_rows(module: Module) -> Module:
    """Return `module` with such loops as nests."""
    return module.with_functions({n: _function(f) for n, f in module.functions.items()})


def _function(function: Function) -> Function:
    if not any(i.op is control.FOR for i in walk(function.body)):
        return function
    made = {r: i for i in walk(function.body) for r in i.results}
    uses = Counter(v for i in walk(function.body) for v in i.operands)

    def emit(instr: Instr, builder: Builder) -> bool:
        loops = _chain(instr, made)
        if len(loops) < 2 or are_few(instr, made):
            return False
        if not all(is_independent(loop, made, uses) for loop in loops):
            return False
        nest = _Nest(loops, made)
        known = {**made, **nest.made}
        if not may_merge(nest.loop, known):
            return False
        for each in nest.counts:
            builder.append(each)
        if constant_int(loops[-1].operands[1], made) is None:
            builder.append(nest.loop)
        else:
            _choose(Code(builder, instr.loc), nest.loop, instr, known)
        return True

    body = rebuild_outermost(function.body, emit)
    return function if body is function.body else replace(function, body=body)


def _choose(code: Code, nest: Instr, loop: Instr, made: Mapping[Value, Instr]) -> None:
    def either(instr: Instr) -> Sequence[Value]:
        return code.builder.append(instr).results

    adjoin = rows_adjoin(code, nest, made)
    code.choose(adjoin, lambda: either(nest), lambda: either(loop), "rows")


def _chain(instr: Instr, made: Mapping[Value, Instr]) -> Sequence[Instr]:
    """Return the loops that `instr` begins, each alone in the one before, down to the innermost."""
    loops: list[Instr] = []
    inside: set[Value] = set()
    inner: Instr | None = instr
    while inner is not None:
        if not _counts_from_zero(inner, made) or inner.operands[1] in inside:
            return []
        loops.append(inner)
        *body, _ = inner.blocks[0].body
        inside.update(r for i in body for r in i.results)
        inner = body.pop() if body and body[-1].op is control.FOR else None
        if not all(is_quiet(i) or _is_choice(i) for i in body):
            return []
    return loops


def _is_choice(instr: Instr) -> bool:
    """Whether an `if` chooses between numbers that may be computed whether it holds or not."""
    if instr.op is not control.IF or any(is_counted(r.type) for r in instr.results):
        return False
    return all(_is_arm(block, instr) for block in instr.blocks)


def _is_arm(block: Block, choice: Instr) -> bool:
    *body, last = block.body
    if last.target is None or last.target.label is not choice.label or len(body) > _MOST_OF_ARM:
        return False
    return all((is_quiet(i) and i.op not in _ACCESSES) or _is_choice(i) for i in body)


def _counts_from_zero(loop: Instr, made: Mapping[Value, Instr]) -> bool:
    """Whether it is a loop over `range(n)` that carries nothing."""
    plain = loop.op is control.FOR and not loop.attrs and len(loop.operands) == 3
    return plain and constant_int(loop.operands[0], made) == 0 and counts_by_one(loop, made)


@record
class _Names:
    """What stands for the values of the loops as they were, and for ints as indices."""

    values: Renaming
    indices: dict[Value, Value]


class _Nest:
    """The nest that stands for a chain of loops, with what counts its rounds."""

    def __init__(self, loops: Sequence[Instr], made: Mapping[Value, Instr]) -> None:
        self._definitions = made
        self._names = _Names(Renaming(), {})
        builder = Builder()
        self._code = Code(builder, loops[0].loc)
        builder.open()
        zero = self._code.number(0)
        counts = [self._count(loop, zero) for loop in loops]
        self._emit(loops, counts)
        body = builder.close()
        *self.counts, self.loop = body.body
        self.made = {r: i for i in walk(body) for r in i.results}

    def _count(self, loop: Instr, zero: Value) -> Value:
        known = constant_int(loop.operands[1], self._definitions)
        if known is not None:
            return self._code.number(max(known, 0))
        return self._code.op(e.MAXIMUM, self._code.to_i64(loop.operands[1]), zero)

    def _emit(self, loops: Sequence[Instr], counts: Sequence[Value]) -> None:
        (loop, *inner), (count, *others) = loops, counts

        def round_(index: Value) -> None:
            variable = loop.blocks[0].params[0]
            self._names.indices[variable] = index
            self._names.values[variable] = self._code.to_int(index)
            *body, _ = loop.blocks[0].body
            for instr in body[: len(body) - len(loops[1:2])]:
                self._instr(instr)
            if inner:
                self._emit(inner, others)

        self._code.loop(count, round_, parallel=True)

    def _instr(self, instr: Instr) -> None:
        if instr.op is control.IF:
            self._choice(instr)
        elif instr.op is e.CAST and instr.operands[0].type is INT and instr.result.type is I64:
            self._names.values[instr.result] = self._index(instr.operands[0])
        else:
            (copy,) = clone(Block((), (instr,)), self._names.values, {}, lambda loc: loc).body
            self._code.builder.append(copy)

    def _choice(self, instr: Instr) -> None:
        arms: list[Sequence[Value]] = []
        for block in instr.blocks:
            *body, last = block.body
            for each in body:
                self._instr(each)
            arms.append([self._names.values[v] for v in last.operands])
        holds = self._names.values[instr.operands[0]]
        for result, first, second in zip(instr.results, *arms, strict=True):
            self._names.values[result] = self._code.select(holds, first, second)

    def _index(self, value: Value) -> Value:
        """Return an int as a number that `merge` knows to go along with rounds."""
        if value in self._names.indices:
            return self._names.indices[value]
        instr = self._definitions.get(value)
        if instr is not None and instr.op in _WRAPPING:
            first, second = map(self._index, instr.operands)
            index = self._code.op(_WRAPPING[instr.op], first, second)
        else:
            index = self._code.to_i64(self._names.values[value])
        self._names.indices[value] = index
        return index
