"""Chunks of iterations side by side, and what comes of them combined in their order.

A carried value grows by one step an iteration.  Each chunk finds what becomes of it from a start
that changes nothing, or, of an extreme, from what it was before the loop.  How many iterations a
chunk has follows from their number alone.
"""

import math
from collections.abc import Mapping, Sequence

from scriptc.analysis.remarks import COMBINING
from scriptc.kernels.builder import KEPT_AS, Code
from scriptc.passes.rebuild import copied
from scriptc_runtime.dims import Dim
from scriptc_runtime.ir import Instr, Label, Value, walk
from scriptc_runtime.ops import control, data, exact, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import BOOL, FLOAT, INT, DType, TensorType, Type

# No more chunks than this, so that one thread combines them in no time.
MOST_CHUNKS = 256
# As many threads as a GPU has, each with enough to do; their chunks are combined in chunks, too.
_MANY_CHUNKS = MOST_CHUNKS * MOST_CHUNKS
_OF_MANY = 64  # iterations or more
_COMBINED: Mapping[str, OpDef] = {
    "sum": e.ADD, "prod": e.MUL, "and": e.AND, "or": e.OR, "xor": e.XOR,
    "minimum": e.MINIMUM, "maximum": e.MAXIMUM,
}  # fmt: skip
_NEUTRAL: Mapping[str, float] = {
    "sum": 0, "prod": 1, "xor": 0, "last_min": math.nan, "last_max": math.nan, "put": 0,
}  # fmt: skip
# The last one stays: a chunk puts something if it comes to the same from two starts.
PUT = "put"
# `max(x[i], m)` of floats: what was there stays where it is more, and not where either one is NaN.
LAST: Mapping[str, OpDef] = {"last_min": e.LT, "last_max": e.GT}
COMPARED: Mapping[str, OpDef] = {"min": e.LT, "max": e.GT}


@record
class Growth:
    """How a carried value grows: by itself, or along with the extreme at the place `leader`.

    One of `LAST` has there whether there was a NaN, which nothing before it has a part in.
    """

    kind: str
    leader: int = -1


@record
class Iterations:
    """The numbers of a loop: of its iterations, and what the first one has and each one adds."""

    count: Value
    start: Value
    step: Value


def iterations_of(code: Code, loop: Instr, numbers: Sequence[int | None]) -> Iterations:
    """Emit the trip count of a loop; `numbers` are its bounds and step where they are known."""
    start, stop, step = (
        code.to_i64(v) if known is None else code.number(known)
        for v, known in zip(loop.operands, numbers, strict=False)
    )
    if not numbers[2]:
        stands = code.test(e.NE, step, code.number(0))
        code.require(stands, "ValueError", "range() arg 3 must not be zero")
    return Iterations(code.length_of_range(start, stop, step, numbers), start, step)


def share(
    code: Code, loop: Instr, iterations: Iterations, growths: Sequence[Growth]
) -> Sequence[Value]:
    """Emit a loop as chunks; return its results."""
    return code.builder.append(_chunked(code, loop, iterations, growths, MOST_CHUNKS, 1)).results


def share_among_many(
    code: Code, loop: Instr, iterations: Iterations, growths: Sequence[Growth]
) -> Sequence[Value]:
    """Do so for thousands of threads: the results must be the same for any number of chunks."""
    combining = _chunked(code, loop, iterations, growths, _MANY_CHUNKS, _OF_MANY)
    first, behind, step = combining.operands[:3]
    chunks = Iterations(code.to_i64(behind), code.to_i64(first), code.to_i64(step))
    return share(code, combining, chunks, growths)


def _chunked(
    code: Code,
    loop: Instr,
    iterations: Iterations,
    growths: Sequence[Growth],
    most: int,
    least: int,
) -> Instr:
    """Emit chunks, `most` at most, of `least` iterations or more; return what combines them."""
    one = code.number(1)

    def rounded_up(size: Value) -> Value:
        # Of no iterations -1 is halved downwards; of as many as there are numbers nothing is added.
        whole = code.op(e.FLOORDIV, code.op(e.SUB, iterations.count, one), size)
        return code.op(e.ADD, whole, one)

    fewest = one if least == 1 else code.number(least)
    size = code.op(e.MAXIMUM, rounded_up(code.number(most)), fewest)
    chunks = rounded_up(size)
    partial = [_partial(code, v.type, most) for v in loop.results]
    puts = [at for at, growth in enumerate(growths) if growth.kind == PUT]
    is_put = {at: _partial(code, BOOL, most) for at in puts}

    def chunk(number: Value) -> None:
        first = code.op(e.MUL, number, size)
        length = code.op(e.MINIMUM, size, code.op(e.SUB, iterations.count, first))
        start = code.op(e.ADD, iterations.start, code.op(e.MUL, first, iterations.step))
        stop = _behind(code, start, length, iterations.step)
        ends = [code.to_int(start), code.to_int(stop)]
        starts = [
            _neutral(code, growth.kind, value)
            for growth, value in zip(growths, loop.operands[3:], strict=True)
        ]
        operands = (*ends, loop.operands[2], *starts)
        found = code.builder.append(replace(copied(loop), operands=operands)).results
        if puts:
            others = [_other(code, v) if at in puts else v for at, v in enumerate(starts)]
            operands = (*operands[:3], *others)
            again = code.builder.append(replace(copied(loop), operands=operands)).results
            for at, array in is_put.items():
                pairs = (found[at], starts[at]), (again[at], others[at])
                same = [_converted(code, code.op(e.EQ, *pair), BOOL) for pair in pairs]
                other = _converted(code, code.op(e.NOT, code.both(same)), DType.B1)
                code.builder.effect(low.STORE, array, other, number, loc=code.loc)
        for array, value in zip(partial, found, strict=True):
            kept = _converted(code, value, _number_type(value.type))
            code.builder.effect(low.STORE, array, kept, number, loc=code.loc)

    code.loop(chunks, chunk, parallel=True)
    return _combining(code, loop, growths, chunks, partial, is_put)


def _behind(code: Code, start: Value, length: Value, step: Value) -> Value:
    """Return a number right behind the last iteration: the next one may be too large."""
    one, minus_one, zero = (code.number(n) for n in (1, -1, 0))
    last = code.op(e.ADD, start, code.op(e.MUL, code.op(e.SUB, length, one), step))
    return code.op(e.ADD, last, code.select(code.test(e.GT, step, zero), one, minus_one))


def _combining(
    code: Code,
    loop: Instr,
    growths: Sequence[Growth],
    chunks: Value,
    partial: Sequence[Value],
    is_put: Mapping[int, Value],
) -> Instr:
    """Return the loop that adds up the chunks, in their order, to what was carried in."""
    builder, label, number = code.builder, Label(COMBINING), Value(loop.blocks[0].params[0].type)
    totals = [Value(v.type) for v in loop.results]
    # What no iteration overflows, no part of them does.
    is_exact = not any(
        i.op in (e.ADD, e.SUB) and i.result.type is INT for i in walk(loop.blocks[0])
    )
    bounds = [code.to_int(v) for v in (code.number(0), chunks, code.number(1))]
    builder.open(number, *totals)
    place = code.to_i64(number)
    values = [
        _converted(code, code.op(low.LOAD, array, place), total.type)
        for total, array in zip(totals, partial, strict=True)
    ]
    better = {
        at: _converted(code, code.op(COMPARED[growth.kind], values[at], totals[at]), BOOL)
        for at, growth in enumerate(growths)
        if growth.kind in COMPARED and growth.leader < 0
    }
    nexts: list[Value] = []
    for at, (growth, total, value) in enumerate(zip(growths, totals, values, strict=True)):
        if growth.kind == PUT:
            is_later = _converted(code, code.op(low.LOAD, is_put[at], place), BOOL)
            nexts.append(code.select(is_later, value, total))
        elif growth.kind in COMPARED:
            is_better = better[at if growth.leader < 0 else growth.leader]
            nexts.append(code.select(is_better, value, total))
        elif growth.kind in LAST:
            stays = _converted(code, code.op(LAST[growth.kind], total, value), BOOL)
            kept = code.select(stays, total, value)
            nexts.append(code.select(_converted(code, values[growth.leader], BOOL), value, kept))
        elif is_exact and growth.kind == "sum" and total.type is INT:
            nexts.append(code.op(exact.EXACT_ADD, total, value))
        else:
            nexts.append(code.op(_COMBINED[growth.kind], total, value))
    builder.exit(label, *nexts, next=True, loc=code.loc)
    block = builder.close()
    results = tuple([Value(v.type) for v in loop.results])
    operands = (*bounds, *loop.operands[3:])
    return Instr(control.FOR, operands, {}, results, loop.loc, (block,), label)


def _neutral(code: Code, kind: str, before: Value) -> Value:
    """Return what a chunk starts from: what changes nothing, or else what was there before."""
    if kind not in _NEUTRAL:
        return before
    number = -0.0 if kind == "sum" else _NEUTRAL[kind]  # -0.0 + x is x, also where x is -0.0
    return _constant(code, before.type, number)


def _other(code: Code, start: Value) -> Value:
    """Return another number than what a chunk that puts a value starts from."""
    return _constant(code, start.type, 1)


def _constant(code: Code, type_: Type, number: float) -> Value:
    if type_ is BOOL or type_ is DType.B1:
        number = bool(number)
    elif type_ is FLOAT or _number_type(type_).kind == "f":
        number = float(number)
    elif not math.isnan(number):
        number = int(number)
    emit = code.builder.emit
    if isinstance(type_, DType):
        return emit(data.CONST, loc=code.loc, value=number, dtype=type_)
    return emit(data.CONST, loc=code.loc, value=number)


def _number_type(type_: Type) -> DType:
    """Return the dtype of an array that keeps numbers of a type."""
    return type_ if isinstance(type_, DType) else KEPT_AS[type_]


def _partial(code: Code, type_: Type, most: int) -> Value:
    array = TensorType(_number_type(type_), (Dim(most),))
    return code.new_array(array, [code.number(most)])


def _converted(code: Code, value: Value, type_: Type) -> Value:
    if value.type == type_:
        return value
    return code.builder.emit(e.CAST, value, loc=code.loc, to=type_)
