"""Jam: four rounds of a loop side by side, whose sums would each wait for themselves.

    for i in range(n):                     for b in range(0, n, 4):
        s = 0.0                                if b + 3 < n:
        for j in range(m):                         s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
            s += a[i, j] * x[j]      =>            for j in range(m):
        y[i] = s                                       s0 += a[b, j] * x[j]
                                                       s1 += a[b + 1, j] * x[j]; ...
                                                   y[b] = s0; y[b + 1] = s1; ...
                                               else:
                                                   for i in range(b, n): the rounds as they were

An addition of floats takes two to four cycles, and each sum keeps its order, so one sum alone
leaves a processor idle most of the time. Side by side, rounds also share what they load alike.

Rounds that are independent may be computed in any order, so also a part of each in turn. Nothing in
them raises, and the inner loops have the same bounds in all rounds. Elements meet the same values
in the same order: results stay the same bit for bit.

Needs: low IR, loops that threads may share marked by `independent`.
Gives: the same.
Does not: look at rounds that hold other loops, or choices.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from scriptc.kernels.code import Code
from scriptc.kernels.loops.chains import waits_for_sum
from scriptc.kernels.loops.counting import are_few, constant_int, is_next
from scriptc.kernels.loops.independent import is_independent
from scriptc.kernels.loops.parts import is_quiet
from scriptc.passes.rebuild import Renaming, clone, copied, rebuild_block
from scriptc_runtime.ir import Block, Builder, Function, Instr, Label, Module, Value, walk
from scriptc_runtime.ops import control, data
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import INT

ROWS = 4


def jam_sums(module: Module) -> Module:
    """Return `module` with rounds of independent loops side by side where they wait for sums."""
    return module.with_functions({n: _function(f) for n, f in module.functions.items()})


def _function(function: Function) -> Function:
    if not any(i.op is control.FOR and _is_jammable(i) for i in walk(function.body)):
        return function
    definitions = {r: i for i in walk(function.body) for r in i.results}
    uses = Counter(v for i in walk(function.body) for v in i.operands)
    jam = _Jam(definitions, uses)
    body = rebuild_block(function.body, jam.rewrite, Renaming())
    return function if body is function.body else replace(function, body=body)


def _is_jammable(loop: Instr) -> bool:
    """Whether the rounds of a `for` hold sums that wait for themselves, and no other loops."""
    *body, end = loop.blocks[0].body
    sums = [i for i in body if i.op is control.FOR]
    return (
        len(loop.operands) == 3
        and bool(sums)
        and is_next(end, loop)
        and all(map(waits_for_sum, sums))
        and all(i.op is control.FOR or is_quiet(i) for i in body)
    )


@record(eq=False)
class _Jam:
    """Jams the loops of one function."""

    definitions: Mapping[Value, Instr]
    uses: Mapping[Value, int]

    def rewrite(self, loop: Instr, builder: Builder) -> Sequence[Value] | None:
        """Emit a loop over groups of rounds; None where a loop stays as it is."""
        if loop.op is not control.FOR or not _is_jammable(loop) or not self._may_be_jammed(loop):
            return None
        code = Code(builder, loop.loc)
        first, label = Value(INT), Label("jam")
        builder.open(first)
        self._group(Code(builder, loop.loc), loop, first)
        builder.exit(label, next=True, loc=loop.loc)
        block = builder.close()
        operands = (*loop.operands[:2], code.to_int(code.number(ROWS)))
        builder.append(Instr(control.FOR, operands, loop.attrs, (), loop.loc, (block,), label))
        return ()

    def _may_be_jammed(self, loop: Instr) -> bool:
        if constant_int(loop.operands[2], self.definitions) != 1 or are_few(loop, self.definitions):
            return False
        inside = {r for i in loop.blocks[0].body for r in (*i.results, *loop.blocks[0].params)}
        for instr in loop.blocks[0].body:
            bounds = instr.operands[:3] if instr.op is control.FOR else ()
            if any(v in inside and not self._is_constant(v) for v in bounds):
                return False
        # Those that are marked are known to be so.
        return bool(loop.attrs) or is_independent(loop, self.definitions, self.uses)

    def _is_constant(self, value: Value) -> bool:
        made = self.definitions.get(value)
        return made is not None and made.op is data.CONST

    def _group(self, code: Code, loop: Instr, first: Value) -> None:
        """Emit a group of rounds: side by side where there are as many left, else one by one."""
        builder, label = code.builder, Label("group")
        last = code.op(e.ADD, code.to_i64(first), code.number(ROWS - 1))
        whole = code.test(e.LT, last, code.to_i64(loop.operands[1]))
        builder.open()
        self._side_by_side(code, loop, first)
        builder.exit(label, loc=loop.loc)
        blocks = [builder.close()]
        builder.open()
        rest = copied(replace(loop, attrs={}))
        builder.append(replace(rest, operands=(first, *loop.operands[1:])))
        builder.exit(label, loc=loop.loc)
        blocks.append(builder.close())
        builder.append(Instr(control.IF, (whole,), {}, (), loop.loc, tuple(blocks), label))

    def _side_by_side(self, code: Code, loop: Instr, first: Value) -> None:
        (block,) = loop.blocks
        rows: list[Renaming] = []
        for number in range(ROWS):
            names = Renaming()
            at = code.op(e.ADD, code.to_i64(first), code.number(number))
            names[block.params[0]] = code.to_int(at)
            rows.append(names)
        for instr in block.body[:-1]:
            if instr.op is control.FOR:
                _sums(code.builder, instr, rows)
            else:
                for names in rows:
                    _again(code.builder, (instr,), names)


def _sums(builder: Builder, loop: Instr, rows: Sequence[Renaming]) -> None:
    """Emit the inner loops of several rounds as one, which carries what each of them does."""
    (block,) = loop.blocks
    number, *carried = block.params
    label, shared = Label("sums"), Value(number.type)
    params = [[Value(p.type) for p in carried] for _ in rows]
    builder.open(shared, *(p for row in params for p in row))
    nexts: list[Value] = []
    for names, row in zip(rows, params, strict=True):
        names[number] = shared
        for param, value in zip(carried, row, strict=True):
            names[param] = value
        _again(builder, block.body[:-1], names)
        nexts += [names[v] for v in block.body[-1].operands]
    builder.exit(label, *nexts, next=True, loc=loop.loc)
    body = builder.close()
    bounds = [rows[0][v] for v in loop.operands[:3]]
    starts = [names[v] for names in rows for v in loop.operands[3:]]
    results = [[Value(r.type) for r in loop.results] for _ in rows]
    every = tuple(r for row in results for r in row)
    builder.append(
        Instr(control.FOR, (*bounds, *starts), loop.attrs, every, loop.loc, (body,), label)
    )
    for names, row in zip(rows, results, strict=True):
        for old, new in zip(loop.results, row, strict=True):
            names[old] = new


def _again(builder: Builder, body: Sequence[Instr], names: Renaming) -> None:
    for instr in clone(Block((), tuple(body)), names, {}, lambda loc: loc).body:
        builder.append(instr)
