"""Iterations: a `for` over `prange` becomes a parallel loop, for `outline` to make a kernel of.

    for %start, %stop, %step [grows=()] {(%k) ...}      =>      loop %count [parallel=true] {(%i)
                                                                  %k = %start + %i * %step ... }

What iterations change together is combined from chunks of iterations, as folds are in
`split_reductions`:

    %t = for ..., %s [grows=(sum)] {(%k, %s) ...}       =>      loop %chunks [parallel=true] {(%c)
                                                                  %p = for (chunk %c), -0.0 {...}
                                                                  store %partial, %p, %c }
                                                                %t = %s + partial[0] + ...

How many iterations a chunk has follows from the number of iterations alone, so the result has the
same bits for every number of threads. A minimum starts in each chunk from what it was before the
loop.

Threads run a kernel without the GIL, and count nothing. So iterations that hold more than numbers
and parts of arrays (text, lists, objects, exceptions that are caught, calls of functions that are
not inlined, products by BLAS) stay a loop that one thread runs.

Needs: low IR after `fuse`.
Gives: low IR; nothing is left of `grows`.
Does not: look whether iterations write what others read; whoever writes `prange` says that none
does.
Cases: tests/cases/loops/lower_prange.
"""

from collections.abc import Mapping, Sequence

from scriptc.analysis.induction import is_next
from scriptc.analysis.instr_kinds import is_for_kernels
from scriptc.analysis.remarks import COMBINING, Doing, Kind, Message, Reason, Topic, remark
from scriptc.kernels.builder import KEPT_AS, Code
from scriptc.passes.per_function import per_function
from scriptc.passes.rebuild import Renaming, clone, copied
from scriptc_runtime.dims import Dim
from scriptc_runtime.ir import Block, Builder, Function, Instr, Label, Value, walk
from scriptc_runtime.ops import control, data, exact, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import Attrs, OpDef
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import BOOL, FLOAT, INT, DType, TensorType, Type, is_complex

SHARED = Message(
    "lower_prange",
    Topic.PARALLEL,
    Kind.DONE,
    "parallel: threads share its iterations, if they are much work",
)
COMBINED = Message(
    "lower_prange",
    Topic.PARALLEL,
    Kind.NOTE,
    "{kinds} of iterations: chunks of them, {chunks} at most, are combined in order",
)
NOT_SHARED = Message("lower_prange", Topic.PARALLEL, Kind.MISSED, "one thread runs prange: {why}")
INNER = Message(
    "lower_prange",
    Topic.PARALLEL,
    Kind.NOTE,
    "a loop around this prange is parallel: each thread runs all of this one",
)

# No more chunks than this, so that combining them is nothing beside the iterations.
_CHUNKS = 256
_COMBINED: Mapping[str, OpDef] = {
    "sum": e.ADD, "prod": e.MUL, "and": e.AND, "or": e.OR, "xor": e.XOR,
}  # fmt: skip
_NEUTRAL: Mapping[str, float] = {"sum": 0, "prod": 1, "xor": 0}
_COMPARED: Mapping[str, OpDef] = {"min": e.LT, "max": e.GT}
# What may stand between a value that grows and the end of the iteration.
_GROWING: Mapping[str, tuple[OpDef, ...]] = {
    "sum": (e.ADD, e.SUB, exact.EXACT_ADD, exact.EXACT_SUB),
    "prod": (e.MUL,),
    "and": (e.AND,),
    "or": (e.OR,),
    "xor": (e.XOR,),
    "min": (e.LT, low.SELECT, control.IF, e.CAST),
    "max": (e.GT, low.SELECT, control.IF, e.CAST),
}
_SUBS = (e.SUB, exact.EXACT_SUB)


@per_function
def lower_prange(function: Function) -> Function:
    """Return `function` with the iterations of `prange` in parallel loops."""
    if not any(i.op is control.FOR and i.attrs for i in walk(function.body)):
        return function
    constants = {i.result: i.attrs["value"] for i in walk(function.body) if i.op is data.CONST}
    return replace(function, body=_Sharer(constants).block(function.body, False))


@record(eq=False)
class _Sharer:
    constants: Mapping[Value, object]

    def block(self, block: Block, inside: bool) -> Block:
        """Return `block` with its outermost loops over `prange` shared, and the others plain."""
        builder = Builder()
        builder.open(*block.params)
        names = Renaming()
        for old in block.body:
            instr = names.instr(old)
            share = _is_of_iterations(instr) and _is_to_share(instr, inside)
            if instr.blocks:
                blocks = tuple(self.block(b, inside or share) for b in instr.blocks)
                attrs: Attrs = {} if instr.op is control.FOR else instr.attrs
                instr = replace(instr, blocks=blocks, attrs=attrs)
            if not share:
                builder.append(instr)
                continue
            results = _emit(builder, instr, _grows(old), self._numbers(instr))
            for result, value in zip(instr.results, results, strict=True):
                names[result] = value
        return builder.close()

    def _numbers(self, loop: Instr) -> Sequence[int | None]:
        known = [self.constants.get(v) for v in loop.operands[:3]]
        return [v if isinstance(v, int) else None for v in known]


def _is_of_iterations(instr: Instr) -> bool:
    return instr.op is control.FOR and "grows" in instr.attrs


def _grows(loop: Instr) -> tuple[str, ...]:
    grows = loop.attrs["grows"]
    assert isinstance(grows, tuple)
    return tuple(map(str, grows))


def _is_to_share(loop: Instr, inside: bool) -> bool:
    if inside:
        remark(INNER, loop.loc)
        return False
    why = _why_not(loop)
    if why is not None:
        remark(NOT_SHARED, loop.loc, why=why)
    elif loop.results:
        remark(COMBINED, loop.loc, chunks=_CHUNKS, kinds=_grows(loop))
    else:
        remark(SHARED, loop.loc)
    return why is None


def _why_not(loop: Instr) -> Reason | None:
    """Return why no kernel can run the iterations, or what carried value does more than grow."""
    body = list(walk(loop.blocks[0]))
    if not any(is_next(i, loop) for i in body):
        return Reason("every iteration raises")
    for instr in body:
        if not is_for_kernels(instr):
            return Reason("{what}, which takes Python's lock", what=Doing(instr))
    if any(is_complex(v.type) for v in loop.results):
        return Reason("complex numbers are not combined")
    params = loop.blocks[0].params[1:]
    for param, kind in zip(params, _grows(loop), strict=True):
        if not _only_grows(loop, param, kind):
            text = (
                "an iteration does more with {name} than one step of its {kind}; collect what an "
                "iteration has in a variable of its own, and take one step at its end"
            )
            return Reason(text, kind=kind, name=param)
    return None


def _only_grows(loop: Instr, param: Value, kind: str) -> bool:
    """Whether iterations do nothing with a carried value but let it grow.

    Nothing that was proven of indices can then rest on it.
    """
    allowed = _GROWING[kind]
    grown = {param}
    received = _received(loop)
    following = True
    while following:
        before = len(grown)
        for instr in walk(loop.blocks[0]):
            if instr.target is not None:
                pairs = zip(instr.operands, received.get(instr.target.label, ()), strict=False)
                grown.update(to for value, to in pairs if value in grown)
            elif instr.op in allowed and any(v in grown for v in instr.operands):
                grown.update(instr.results)
        following = len(grown) > before
    for instr in walk(loop.blocks[0]):
        uses = [v for v in instr.operands if v in grown]
        if not uses or instr.op is control.EXIT or instr.op in (control.FOR, control.WHILE):
            continue
        late = instr.op in _SUBS and instr.operands[1] in grown
        twice = kind not in _COMPARED and len(uses) > 1
        if instr.op not in allowed or late or twice:
            return False
    return all(not is_next(i, loop) or _fits(i, loop, param, grown) for i in walk(loop.blocks[0]))


def _fits(end: Instr, loop: Instr, param: Value, grown: set[Value]) -> bool:
    at = loop.blocks[0].params.index(param) - 1
    return end.operands[at] in grown


def _received(loop: Instr) -> dict[Label, tuple[Value, ...]]:
    """Return what exits inside a loop give their values to, but for those of inner loops."""
    inner = [i for i in walk(loop.blocks[0]) if i.label is not None]
    return {i.label: i.results for i in inner if i.label is not None}


@record
class _Iterations:
    """The numbers of a loop: of its iterations, and what the first one has and each one adds."""

    count: Value
    start: Value
    step: Value


def _emit(
    builder: Builder, loop: Instr, grows: tuple[str, ...], numbers: Sequence[int | None]
) -> tuple[Value, ...]:
    code = Code(builder, loop.loc)
    iterations = _iterations(code, loop, numbers)
    if not loop.results:
        code.loop(iterations.count, lambda i: _round(code, loop, iterations, i), parallel=True)
        return ()
    return _chunks(code, loop, iterations, grows)


def _iterations(code: Code, loop: Instr, numbers: Sequence[int | None]) -> _Iterations:
    """Emit the trip count of a loop; `numbers` are its bounds and step where they are known."""
    start, stop, step = (
        code.to_i64(v) if known is None else code.number(known)
        for v, known in zip(loop.operands, numbers, strict=False)
    )
    if not numbers[2]:
        stands = code.test(e.NE, step, code.number(0))
        code.require(stands, "ValueError", "range() arg 3 must not be zero")
    return _Iterations(code.length_of_range(start, stop, step, numbers), start, step)


def _round(code: Code, loop: Instr, iterations: _Iterations, index: Value) -> None:
    """Emit the body of a loop that carries nothing, as a block around the iteration."""
    number = code.to_int(code.op(e.ADD, iterations.start, code.op(e.MUL, index, iterations.step)))
    label, names = Label("iteration"), Renaming()
    names[loop.blocks[0].params[0]] = number
    assert loop.label is not None
    body = clone(Block((), loop.blocks[0].body), names, {loop.label: label}, lambda loc: loc)
    block = _leaving(body, label)
    code.builder.append(Instr(control.BLOCK, (), {}, (), loop.loc, (block,), label))


def _leaving(block: Block, label: Label) -> Block:
    """Return `block` with the exits to the next iteration of `label` as exits from it."""
    body: list[Instr] = []
    for instr in block.body:
        if instr.target is not None and instr.target.label is label:
            instr = replace(instr, target=replace(instr.target, next=False))
        if instr.blocks:
            instr = replace(instr, blocks=tuple(_leaving(b, label) for b in instr.blocks))
        body.append(instr)
    return Block(block.params, tuple(body))


def _chunks(
    code: Code, loop: Instr, iterations: _Iterations, grows: tuple[str, ...]
) -> tuple[Value, ...]:
    one = code.number(1)

    def rounded_up(size: Value) -> Value:
        # Of no iterations -1 is halved downwards; of as many as there are numbers nothing is added.
        whole = code.op(e.FLOORDIV, code.op(e.SUB, iterations.count, one), size)
        return code.op(e.ADD, whole, one)

    size = rounded_up(code.number(_CHUNKS))
    chunks = rounded_up(code.op(e.MAXIMUM, size, one))
    partial = [_partial(code, v.type) for v in loop.results]

    def chunk(number: Value) -> None:
        first = code.op(e.MUL, number, size)
        length = code.op(e.MINIMUM, size, code.op(e.SUB, iterations.count, first))
        start = code.op(e.ADD, iterations.start, code.op(e.MUL, first, iterations.step))
        stop = _behind(code, start, length, iterations.step)
        ends = [code.to_int(start), code.to_int(stop)]
        starts = [
            _neutral(code, kind, value)
            for kind, value in zip(grows, loop.operands[3:], strict=True)
        ]
        operands = (*ends, loop.operands[2], *starts)
        found = code.builder.append(replace(copied(loop), operands=operands)).results
        for array, value in zip(partial, found, strict=True):
            kept = _converted(code, value, _number_type(value.type))
            code.builder.effect(low.STORE, array, kept, number, loc=code.loc)

    code.loop(chunks, chunk, parallel=True)
    return _combined(code, loop, grows, chunks, partial)


def _behind(code: Code, start: Value, length: Value, step: Value) -> Value:
    """Return a number right behind the last iteration: the next one may be too large."""
    one, minus_one, zero = (code.number(n) for n in (1, -1, 0))
    last = code.op(e.ADD, start, code.op(e.MUL, code.op(e.SUB, length, one), step))
    return code.op(e.ADD, last, code.select(code.test(e.GT, step, zero), one, minus_one))


def _combined(
    code: Code, loop: Instr, grows: tuple[str, ...], chunks: Value, partial: list[Value]
) -> tuple[Value, ...]:
    """Emit the loop that adds up the chunks, in their order, to what was carried in."""
    builder, label, number = code.builder, Label(COMBINING), Value(loop.blocks[0].params[0].type)
    totals = [Value(v.type) for v in loop.results]
    # What no iteration overflows, no part of them does.
    is_exact = not any(
        i.op in (e.ADD, e.SUB) and i.result.type is INT for i in walk(loop.blocks[0])
    )
    builder.open(number, *totals)
    place = code.to_i64(number)
    nexts: list[Value] = []
    for kind, total, array in zip(grows, totals, partial, strict=True):
        value = _converted(code, code.op(low.LOAD, array, place), total.type)
        nexts.append(_combine(code, kind, total, value, is_exact=is_exact))
    builder.exit(label, *nexts, next=True, loc=code.loc)
    block = builder.close()
    bounds = [code.to_int(v) for v in (code.number(0), chunks, code.number(1))]
    types = [v.type for v in loop.results]
    operands = [*bounds, *loop.operands[3:]]
    return builder.region(control.FOR, operands, [block], label, types, loop.loc)


def _combine(code: Code, kind: str, total: Value, value: Value, *, is_exact: bool) -> Value:
    if is_exact and kind == "sum" and total.type is INT:
        return code.op(exact.EXACT_ADD, total, value)
    if kind in _COMBINED:
        return code.op(_COMBINED[kind], total, value)
    better = _converted(code, code.op(_COMPARED[kind], value, total), BOOL)
    return code.select(better, value, total)


def _neutral(code: Code, kind: str, before: Value) -> Value:
    """Return what a chunk starts from: what changes nothing, or else what was there before."""
    if kind not in _NEUTRAL:
        return before
    type_, number = before.type, _NEUTRAL[kind]
    if type_ is BOOL or type_ is DType.B1:
        number = bool(number)
    elif type_ is FLOAT or _number_type(type_).kind == "f":
        number = -0.0 if kind == "sum" else float(number)  # -0.0 + x is x, also where x is -0.0
    emit = code.builder.emit
    if isinstance(type_, DType):
        return emit(data.CONST, loc=code.loc, value=number, dtype=type_)
    return emit(data.CONST, loc=code.loc, value=number)


def _number_type(type_: Type) -> DType:
    """Return the dtype of an array that keeps numbers of a type."""
    return type_ if isinstance(type_, DType) else KEPT_AS[type_]


def _partial(code: Code, type_: Type) -> Value:
    array = TensorType(_number_type(type_), (Dim(_CHUNKS),))
    return code.new_array(array, [code.number(_CHUNKS)])


def _converted(code: Code, value: Value, type_: Type) -> Value:
    if value.type == type_:
        return value
    return code.builder.emit(e.CAST, value, loc=code.loc, to=type_)
