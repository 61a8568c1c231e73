"""Reductions: threads share plain loops that count, add ints or look for an extreme.

    for i in range(n):                    =>    chunks of iterations, side by side,
        if x[i] > 0.0:                          each of which finds its k, m and at;
            k += 1                              then the sum of all k, and the first
        if x[i] > m:                            of the largest m with its at
            m = x[i]
            at = i

A loop that carries values runs in order, which on a device is one thread.  Sums of ints are the
same in any order, and so are extremes, of floats too: `max(m, v)` takes `v` where it is greater, so
what chunks of iterations find, compared in their order, is what one thread finds, NaN and zeros of
both signs included.  What is chosen along with an extreme, by the same test, is a follower of it.
Sums of floats are rounded at each step, so they stay in order.

A least value that is looked for where no larger one was found is found anyway, if both start as
the same number: what is larger than the largest is not less than the least.

Where the largest one is looked for by its place, `if x[i] > x[k]: k = i`, the loop carries what is
there, see `index_of_extreme.py`.

Of what is put under a condition that knows of no carried value, `if x[i] > 0.0: k = i`, the last
one stays: of chunks the last one that puts anything.

Of Python's ints no sum overflows where each iteration adds one or less.  Otherwise threads look for
the first iteration that adds a large one, and the loop itself runs from there on.

Needs: low IR, after `parallelise`.
Gives: the same; loops that threads share are parallel loops over chunks.
Does not: take loops that store, those inside of others, but where these launch kernels anyway, and
    those of a few iterations.  What leaves a loop early must not rest on what it carries: threads
    look for it first, see `searches.py`.
Cases: tests/cases/device/share_reductions.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.induction import constant_int, is_next
from scriptc.kernels.builder import Code
from scriptc.kernels.device.growths import EXACT, Growths, growths_of, reached
from scriptc.kernels.device.host_loops import rebuild_host_loops
from scriptc.kernels.device.index_of_extreme import Found, found_place
from scriptc.kernels.device.loop_ends import Act, Iteration, leaves_loop, require_small
from scriptc.kernels.device.searches import (
    first_leaving,
    from_there_on,
    is_search,
    share_search,
)
from scriptc.kernels.loops.chunks import (
    LAST,
    Growth,
    Iterations,
    iterations_of,
    share_among_many,
)
from scriptc.passes.per_function import per_function
from scriptc.passes.rebuild import map_blocks
from scriptc_runtime.ir import Block, Builder, Function, Instr, Target, Value, walk
from scriptc_runtime.ops import control, data
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import BOOL, INT


@per_function
def share_reductions(function: Function) -> Function:
    """Return `function` with loops shared whose carried values are the same in any order."""
    definitions = definitions_of(function)

    def emit(code: Code, loop: Instr, host_knows: bool) -> Sequence[Value] | None:
        bounds = [constant_int(v, definitions) for v in loop.operands[:3]]
        growths = growths_of(loop, definitions)
        if growths is not None:
            return _share(code, loop, iterations_of(code, loop, bounds), growths)
        if not host_knows or loop.attrs:
            return None
        by_place = found_place(loop, definitions)
        if by_place is not None:
            return _share_by_place(code, loop, by_place, bounds, definitions)
        if is_search(loop, definitions):
            return code.builder.append(share_search(code, loop, bounds)).results
        ended = _Ended.of(loop, definitions)
        return ended.share(code, bounds) if ended is not None else None

    return rebuild_host_loops(function, emit)


def _share(code: Code, loop: Instr, iterations: Iterations, growths: Growths) -> Sequence[Value]:
    """Emit a loop in chunks; return its results."""
    each, count = list(growths.each), len(growths.each)
    lasts = [at for at, growth in enumerate(each) if growth.kind in LAST]
    for at in lasts:
        each[at] = replace(each[at], leader=len(each))
        each.append(Growth("or"))
    loop = _plain(loop)
    if lasts:
        loop = _noting_nan(code, loop, [growths.met[at] for at in lasts])
    return share_among_many(code, loop, iterations, each)[:count]


def _share_by_place(
    code: Code,
    loop: Instr,
    found: Found,
    bounds: Sequence[int | None],
    definitions: Mapping[Value, Instr],
) -> Sequence[Value] | None:
    """Emit a loop that looks for an extreme by its place, if that is all that it carries."""
    growths = growths_of(
        replace(found.loop, operands=(*found.loop.operands, found.reading[-1].result)),
        {**definitions, **_made_in(found.loop)},
    )
    if growths is None:
        return None
    iterations = iterations_of(code, loop, bounds)

    def shared() -> Sequence[Value]:
        return _share(code, found.started(code), iterations, growths)[:-1]

    some = code.test(e.GT, iterations.count, code.number(0))
    return code.choose(some, shared, lambda: loop.operands[3:], "found")


def _noting_nan(code: Code, loop: Instr, met: Sequence[Value]) -> Instr:
    """Return a loop that carries on whether one of each of these values was NaN."""
    builder, (number, *carried) = Builder(), loop.blocks[0].params
    *body, end = loop.blocks[0].body
    flags = [Value(BOOL) for _ in met]
    builder.open(number, *carried, *flags)
    for instr in body:
        builder.append(instr)
    inner = Code(builder, loop.loc)
    noted: list[Value] = []
    for flag, value in zip(flags, met, strict=True):
        is_nan = inner.op(e.NE, value, value)
        if is_nan.type is not BOOL:
            is_nan = builder.emit(e.CAST, is_nan, loc=loop.loc, to=BOOL)
        noted.append(inner.op(e.OR, flag, is_nan))
    builder.append(replace(end, operands=(*end.operands, *noted)))
    false = code.builder.emit(data.CONST, loc=code.loc, value=False)
    return replace(
        loop,
        operands=(*loop.operands, *(false for _ in met)),
        results=(*loop.results, *(Value(BOOL) for _ in met)),
        blocks=(builder.close(),),
    )


# Of less than 2**31 ints below it the sum fits, beside one that a loop may start with.
_LARGE = 2**31


@record(eq=False)
class _Ended:
    """A loop that grows values until it is left, for a reason that they have no part in.

    An int that is large leaves it, too, as a sum of such ones may overflow.
    """

    loop: Instr
    asked: Instr  # whether iterations leave
    endless: Instr  # what others do
    growths: Growths

    @classmethod
    def of(cls, loop: Instr, definitions: Mapping[Value, Instr]) -> "_Ended | None":
        """Take a loop apart; None where it is none of these."""
        leaves = leaves_loop(loop)
        grown = reached(loop, loop.blocks[0].params[1:])
        added = _added(loop, grown)
        may_leave = any(map(leaves, walk(loop.blocks[0])))
        if not loop.results or not (added or may_leave):
            return None
        if any(
            i.operands[0] in grown
            for i in walk(loop.blocks[0])
            if i.op is control.IF and any(leaves(j) for b in i.blocks for j in walk(b))
        ):
            return None
        carried = loop.blocks[0].params[1:]
        target = Target(loop.label, next=True) if loop.label is not None else None
        on = Instr(control.EXIT, carried, {}, (), loop.loc, (), None, target)
        plain: Mapping[Instr, Act] = dict.fromkeys(added, _append_plain)
        endless = _with(loop, Iteration(loop, on, plain).block(loop.blocks[0]))
        growths = growths_of(endless, {**definitions, **_made_in(endless)})
        if growths is None:
            return None

        def stay(code: Code, instr: Instr) -> None:
            code.builder.append(on)

        def require(code: Code, instr: Instr) -> None:
            require_small(code, [added[instr]], _LARGE)
            _append_plain(code, instr)

        ends: dict[Instr, Act] = {i: stay for i in walk(loop.blocks[0]) if is_next(i, loop)}
        ends.update(dict.fromkeys(added, require))
        asked = _plain(_with(loop, Iteration(loop, None, ends).block(loop.blocks[0])))
        found = is_search(asked, definitions, all_run=not may_leave)
        return cls(loop, asked, endless, growths) if found else None

    def share(self, code: Code, bounds: Sequence[int | None]) -> Sequence[Value]:
        """Emit it: what grows before the first iteration that leaves, and the loop from there."""
        iterations = iterations_of(code, self.loop, bounds)
        first = first_leaving(code, self.asked, iterations)
        first = code.op(e.MINIMUM, first, code.number(_LARGE))
        grown = _share(code, self.endless, replace(iterations, count=first), self.growths)
        rest = from_there_on(code, self.loop, iterations, first)
        return code.builder.append(replace(rest, operands=(*rest.operands[:3], *grown))).results


def _added(loop: Instr, grown: AbstractSet[Value]) -> Mapping[Instr, Value]:
    """Return the sums of ints that are carried on, and what each one adds."""
    found: dict[Instr, Value] = {}
    for instr in walk(loop.blocks[0]):
        if instr.op in EXACT and instr.result.type is INT:
            others = [v for v in instr.operands if v not in grown]
            if len(others) == 1:
                found[instr] = others[0]
    return found


def _append_plain(code: Code, instr: Instr) -> None:
    code.builder.append(replace(instr, op=EXACT[instr.op]))


def _with(loop: Instr, block: Block) -> Instr:
    return replace(loop, blocks=(block,))


def _made_in(loop: Instr) -> Mapping[Value, Instr]:
    return {r: i for i in walk(loop.blocks[0]) for r in i.results}


def _plain(instr: Instr) -> Instr:
    """Return an instruction with plain sums for what cannot overflow."""
    if instr.op in EXACT and instr.result.type is INT:
        return replace(instr, op=EXACT[instr.op])
    return map_blocks(instr, lambda block: Block(block.params, tuple(map(_plain, block.body))))
