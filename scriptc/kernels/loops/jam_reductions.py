"""Jam: four iterations of a loop side by side, whose sums would each wait for themselves.

    for i in range(n):                     for b in range(0, n, 4):
        s = 0.0                                if b + 3 < n:
        for j in range(m):                         s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
            s += a[i, j] * x[j]      =>            for j in range(m):
        y[i] = s                                       s0 += a[b, j] * x[j]
                                                       s1 += a[b + 1, j] * x[j]; ...
                                                   y[b] = s0; y[b + 1] = s1; ...
                                               else:
                                                   for i in range(b, n): as it was

An addition of floats takes two to four cycles, and each sum keeps its order, so one sum alone
leaves a processor idle most of the time. Side by side, iterations also share what they load alike.

Iterations that are independent may be computed in any order, so also a part of each in turn. Others
compute their sums side by side where these need nothing of the iteration before, and nothing is
stored; what follows, such as the choice of the smallest sum, they do one after the other. No sum
raises, and the inner loops have the same bounds in all iterations. Elements meet the same values in
the same order: results stay the same bit for bit.

Needs: low IR, loops that threads may share marked by `parallelise`.
Gives: the same.
Does not: look at iterations that hold other loops, or choices before their sums.
Cases: tests/cases/loops/jam_reductions.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from scriptc.analysis import serial_sums
from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.induction import are_few, constant_int, is_next
from scriptc.analysis.instr_kinds import computes
from scriptc.analysis.remarks import Kind, Message, Topic, remark
from scriptc.kernels.builder import Code
from scriptc.kernels.loops.nest_parts import is_quiet
from scriptc.kernels.loops.parallelise import is_independent
from scriptc.passes.per_function import per_function
from scriptc.passes.rebuild import Renaming, copied, rebuild_block
from scriptc_runtime.ir import Builder, Function, Instr, Label, Value, walk
from scriptc_runtime.ops import control, data, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.record import record, replace

JAMMED = Message(
    "jam_reductions",
    Topic.ORDER,
    Kind.DONE,
    "{rows} iterations at once: their sums do not wait for each other",
)

ROWS = 4


@per_function
def jam_reductions(function: Function) -> Function:
    """Return `function` with independent iterations side by side where they wait for sums."""
    if not any(i.op is control.FOR and _Iterations(i).are_jammable for i in walk(function.body)):
        return function
    definitions = definitions_of(function)
    uses = Counter(v for i in walk(function.body) for v in i.operands)
    jam = _Jam(definitions, uses)
    body = rebuild_block(function.body, jam.rewrite, Renaming())
    return function if body is function.body else replace(function, body=body)


class _Iterations:
    """The iterations of a `for`: what they may compute side by side, and what they do in order.

    In order they do what needs something of the iteration before; without anything that is carried
    from iteration to iteration that is nothing.
    """

    def __init__(self, loop: Instr) -> None:
        (block,) = loop.blocks
        late = set(block.params[1:])
        self.loop = loop
        self.head, self.tail = list[Instr](), list[Instr]()
        for instr in block.body[:-1]:
            if any(not late.isdisjoint(i.operands) for i in (instr, *_inside(instr))):
                late.update(instr.results)
                self.tail.append(instr)
            else:
                self.head.append(instr)

    @property
    def are_jammable(self) -> bool:
        """Whether they begin with sums that wait for themselves, and hold no other loops."""
        sums = [i for i in self.head if i.op is control.FOR]
        return (
            bool(sums)
            and is_next(self.loop.blocks[0].body[-1], self.loop)
            and all(map(serial_sums.waits_for_sum, sums))
            and all(i.op is control.FOR or is_quiet(i) for i in self.head)
            and (not self.loop.results or self._only_compute())
        )

    def _only_compute(self) -> bool:
        """Whether nothing is stored, so that sums may be computed before their iterations."""
        stores = any(i.op is low.STORE for each in self.head for i in (each, *_inside(each)))
        return not (stores or self.loop.attrs) and all(map(_is_choice, self.tail))


def _inside(instr: Instr) -> Iterator[Instr]:
    for block in instr.blocks:
        yield from walk(block)


def _is_choice(instr: Instr) -> bool:
    """Whether an instruction computes, and may raise; so may an `if` of such that none leaves."""
    if instr.op is control.IF:
        inner = list(_inside(instr))
        labels = {i.label for i in (instr, *inner)}
        return all(i.target.label in labels if i.target else _is_choice(i) for i in inner)
    return instr.op is low.LOAD or computes(instr)


@record(eq=False)
class _Jam:
    """Jams the loops of one function."""

    definitions: Mapping[Value, Instr]
    uses: Mapping[Value, int]

    def rewrite(self, loop: Instr, builder: Builder) -> Sequence[Value] | None:
        """Emit a loop over groups of iterations; None where a loop stays as it is."""
        if loop.op is not control.FOR:
            return None
        iterations = _Iterations(loop)
        if not iterations.are_jammable or not self._may_be_jammed(iterations):
            return None
        remark(JAMMED, loop.loc, rows=ROWS)
        code, label = Code(builder, loop.loc), Label("jam")
        first, *carried = params = [Value(p.type, p.name) for p in loop.blocks[0].params]
        builder.open(*params)
        values = _group(Code(builder, loop.loc), iterations, first, carried)
        builder.exit(label, *values, next=True, loc=loop.loc)
        block = builder.close()
        operands = (*loop.operands[:2], code.to_int(code.number(ROWS)), *loop.operands[3:])
        results = _alike(loop.results)
        builder.append(Instr(control.FOR, operands, loop.attrs, results, loop.loc, (block,), label))
        return results

    def _may_be_jammed(self, iterations: _Iterations) -> bool:
        loop = iterations.loop
        if constant_int(loop.operands[2], self.definitions) != 1 or are_few(loop, self.definitions):
            return False
        inside = {r for i in loop.blocks[0].body for r in (*i.results, *loop.blocks[0].params)}
        for instr in iterations.head:
            bounds = instr.operands[:3] if instr.op is control.FOR else ()
            if any(v in inside and not self._is_constant(v) for v in bounds):
                return False
        # Those that are marked are known to be independent; those that carry values only compute.
        known = bool(loop.attrs or loop.results)
        return known or is_independent(loop, self.definitions, self.uses)

    def _is_constant(self, value: Value) -> bool:
        made = self.definitions.get(value)
        return made is not None and made.op is data.CONST


def _group(
    code: Code, iterations: _Iterations, first: Value, carried: Sequence[Value]
) -> Sequence[Value]:
    """Emit a group of iterations: side by side where there are as many left, else one by one."""
    loop = iterations.loop
    last = code.op(e.ADD, code.to_i64(first), code.number(ROWS - 1))
    whole = code.test(e.LT, last, code.to_i64(loop.operands[1]))

    def together() -> Sequence[Value]:
        return _side_by_side(code, iterations, first, carried)

    def one_by_one() -> Sequence[Value]:
        rest = copied(replace(loop, attrs={}))
        operands = (first, *loop.operands[1:3], *carried)
        return code.builder.append(replace(rest, operands=operands)).results

    return code.choose(whole, together, one_by_one, "group")


def _side_by_side(
    code: Code, iterations: _Iterations, first: Value, carried: Sequence[Value]
) -> Sequence[Value]:
    (block,) = iterations.loop.blocks
    rows: list[Renaming] = []
    for number in range(ROWS):
        names = Renaming()
        at = code.op(e.ADD, code.to_i64(first), code.number(number))
        names[block.params[0]] = code.to_int(at)
        rows.append(names)
    for instr in iterations.head:
        if instr.op is control.FOR:
            _sums(code, instr, rows)
        else:
            for names in rows:
                code.again((instr,), names)
    for names in rows:
        for param, value in zip(block.params[1:], carried, strict=True):
            names[param] = value
        code.again(iterations.tail, names)
        carried = [names[v] for v in block.body[-1].operands]
    return carried


def _alike(values: Sequence[Value]) -> tuple[Value, ...]:
    return tuple(Value(v.type, v.name) for v in values)


def _sums(code: Code, loop: Instr, rows: Sequence[Renaming]) -> None:
    """Emit the inner loops of several iterations as one, which carries what each of them does."""
    builder, (block,) = code.builder, loop.blocks
    number, *carried = block.params
    label, shared = Label("sums"), Value(number.type)
    params = [[Value(p.type) for p in carried] for _ in rows]
    builder.open(shared, *(p for row in params for p in row))
    nexts: list[Value] = []
    for names, row in zip(rows, params, strict=True):
        names[number] = shared
        for param, value in zip(carried, row, strict=True):
            names[param] = value
        code.again(block.body[:-1], names)
        nexts += [names[v] for v in block.body[-1].operands]
    builder.exit(label, *nexts, next=True, loc=loop.loc)
    body = builder.close()
    bounds = [rows[0][v] for v in loop.operands[:3]]
    starts = [names[v] for names in rows for v in loop.operands[3:]]
    results = [_alike(loop.results) for _ in rows]
    every = tuple(r for row in results for r in row)
    builder.append(
        Instr(control.FOR, (*bounds, *starts), loop.attrs, every, loop.loc, (body,), label)
    )
    for names, row in zip(rows, results, strict=True):
        for old, new in zip(loop.results, row, strict=True):
            names[old] = new
