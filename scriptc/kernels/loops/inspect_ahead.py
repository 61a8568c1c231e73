"""Ahead: what iterations check of numbers that they read is tested for many at a time.

    for i in range(n):                      for first in range(0, n, 1024):
        h[x[i]] = int(y[i])                     last = min(first + 1024, n)
                                    =>          if 0 <= x[i] < size of h and |y[i]| < 2**31
                                                        for all i from first to below last:
                                                    for i in range(first, last):
                                                        store h, (exact_int y[i]), x[i]
                                                else:
                                                    for i in range(first, last):
                                                        h[x[i]] = int(y[i])

The test is vector code, and so may be what is left of the iterations; a check that may leave an
iteration never is. What is tested has to follow from what no iteration changes: from elements of
arrays that the loop does not write, and from the number of the iteration. A loop around another one
is tested as a whole: rows may be short, and without checks it may well be a nest that other passes
know.

Needs: low IR with what `assumptions` assumes of arrays, before `fuse`.
Gives: the same; same results, same exceptions.
Does not: touch loops that something else may leave or raise in, sums of ints apart, or that
compute much of what is tested.
Cases: tests/cases/loops/inspect_ahead.
"""

from collections.abc import Iterator, Mapping, Sequence

from scriptc.analysis import dependence
from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.float_bounds import is_double
from scriptc.analysis.induction import constant_int, counts_by_one, is_next
from scriptc.analysis.instr_kinds import effects_of, may_raise
from scriptc.analysis.ranges import ADDS, MULS, SUBS
from scriptc.analysis.remarks import (
    TEST,
    TESTED,
    Doing,
    Kind,
    Message,
    Named,
    Reason,
    Topic,
    remark,
)
from scriptc.kernels.builder import I64, Code
from scriptc.passes.per_function import per_function
from scriptc.passes.rebuild import Renaming, copied, map_blocks, rebuild_outermost
from scriptc_runtime.ir import Block, Builder, Function, Instr, Label, Value, make, walk
from scriptc_runtime.ops import arrays, control, data, exact, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import Trait
from scriptc_runtime.record import replace
from scriptc_runtime.types import BOOL, INT, DType, int_limits, is_counted
from scriptc_runtime.values import INT_MAX

AHEAD = Message(
    "inspect_ahead",
    Topic.CHECKS,
    Kind.DONE,
    "range check of {array} made ahead, for {many} iterations at a time",
)
CONVERTED = Message(
    "inspect_ahead",
    Topic.CHECKS,
    Kind.DONE,
    "whether numbers fit is checked ahead, for {many} iterations at a time",
)
BLOCKS = Message(
    "inspect_ahead",
    Topic.VERSIONS,
    Kind.NOTE,
    "two versions: what {many} iterations check, such as indices, is looked at before they run; "
    "where all is well they run without checks",
)
NOT_TESTED = Message(
    "inspect_ahead", Topic.CHECKS, Kind.MISSED, "not checked ahead of the iterations: {why}"
)

F64 = DType.F64
# Iterations of a block: what they read is still in the first cache after the test. For fewer than
# some the test takes longer than it saves.
_BLOCK, _FEWEST = 1024, 64
# Iterations of a nest: who waits for an error in the first of them waits for the test of all, a
# second.
_LONGEST = 2.0**30
_LIMIT = 2.0**31  # of a float that is converted: `exact_int` says that it is small
_ACCESSES = (arrays.INDEX, arrays.SET_INDEX)
# What is computed twice, for the test as well.
_CHEAP = frozenset(
    {
        *(e.ADD, e.SUB, e.MUL, e.DIV, e.NEG, e.ABS, e.CAST, e.MAXIMUM, e.MINIMUM),
        *(exact.EXACT_ADD, exact.EXACT_SUB, exact.EXACT_MUL, low.SELECT, low.LOAD, data.CONST),
        *e.BITWISE,
        *e.COMPARISONS,
    }
)
_MOST = 12  # of these: with more, the test of an iteration takes about as long as its checks


@per_function
def inspect_ahead(function: Function) -> Function:
    """Return `function` with such loops over blocks of iterations."""
    if not any(map(_is_check, walk(function.body))):
        return function
    definitions = definitions_of(function)

    def emit(instr: Instr, builder: Builder) -> bool:
        if instr.op is not control.FOR or instr.attrs:
            return False
        iterations = _Iterations(_chain(instr), definitions)
        why = iterations.why_not()
        many = "all" if len(iterations.loops) > 1 else _BLOCK
        for check in iterations.checks:
            if why is not None:
                remark(NOT_TESTED, check.loc, why=why)
            elif check.op in _ACCESSES:
                array = Named(check.operands[0], definitions)
                remark(AHEAD, check.loc, array=array, many=many)
            else:
                remark(CONVERTED, check.loc, many=many)
        if why is not None:
            return False
        remark(BLOCKS, instr.loc, many=many)
        emitted = _blocks if len(iterations.loops) == 1 else _whole
        emitted(Code(builder, instr.loc), iterations)
        return True

    body = rebuild_outermost(function.body, emit)
    return function if body is function.body else replace(function, body=body)


def _is_check(instr: Instr) -> bool:
    """Whether a check of numbers is all that may raise in an instruction."""
    return instr.op in _ACCESSES or _is_to_int(instr) or _narrowed(instr) is not None


def _is_to_int(instr: Instr) -> bool:
    return instr.op is e.CAST and instr.result.type is INT and is_double(instr.operands[0])


def _narrowed(instr: Instr) -> DType | None:
    """Return the integer of NumPy's that an int becomes, which may have no such value."""
    if instr.op is not e.CAST or instr.operands[0].type is not INT:
        return None
    to = instr.result.type
    return to if isinstance(to, DType) and to.kind in "iu" and to is not I64 else None


def _chain(loop: Instr) -> Sequence[Instr]:
    """Return a loop and those inside it, each the only one in the one before."""
    loops = [loop]
    while True:
        inner = [i for i in loops[-1].blocks[0].body if i.op is control.FOR]
        if len(inner) != 1 or inner[0].attrs:
            return loops
        loops += inner


class _Iterations:
    """The iterations of a chain of loops, and what of their checks can be tested ahead."""

    def __init__(self, loops: Sequence[Instr], definitions: Mapping[Value, Instr]) -> None:
        self.loops = loops
        self._definitions = definitions
        self._body = tuple(walk(loops[0].blocks[0]))
        self._inside = {r for i in self._body for r in i.results}
        self._inside.update(p for i in self._body for b in i.blocks for p in b.params)
        self._inside.update(loops[0].blocks[0].params)
        self._inside.difference_update(self.variables)
        self._straight = tuple(_before_loops(loops))
        self._made = {r: i for i in self._straight for r in i.results}
        stores = (low.STORE, arrays.SET_INDEX)
        self._written = {i.operands[0] for i in self._body if i.op in stores}
        self.checks = [i for i in loops[-1].blocks[0].body if _is_check(i)]

    @property
    def variables(self) -> Sequence[Value]:
        """The number of the iteration in each loop."""
        return [loop.blocks[0].params[0] for loop in self.loops]

    def why_not(self) -> Reason | None:
        """Return why not all checks but those of sums can be tested before the iterations."""
        if not self.checks:
            return Reason("there is nothing to check")
        if not all(map(self._counts_up, self.loops)):
            return Reason("the loop does not count up by one, or has few iterations")
        for instr in self._body:
            if instr not in self.checks and not self._may_stand(instr):
                return Reason("{what}", what=Doing(instr))
        accesses = [i for i in self.checks if i.op in _ACCESSES]
        if any(i.operands[0] in self._inside for i in accesses):
            return Reason("an array is made inside of the loop")
        # Elements from all over an array make slow vectors; what is stored all over is none.
        if accesses and not any(i.op is arrays.SET_INDEX for i in accesses):
            return Reason("elements gathered from all over an array make slow vectors, if any")
        needed = self.needed([v for check in self.checks for v in self.tested(check)])
        if needed is None:
            return Reason("what is checked depends on what the loop writes")
        if sum(i.op is not data.CONST for i in needed) > _MOST:
            return Reason("to compute what is checked twice takes too long")
        return None

    def _counts_up(self, loop: Instr) -> bool:
        start, stop = (constant_int(v, self._definitions) for v in loop.operands[:2])
        if start is None or start < 0 or not counts_by_one(loop, self._definitions):
            return False
        is_short = stop is not None and stop - start <= _FEWEST and len(self.loops) == 1
        return not is_short and loop.operands[1] not in {*self._inside, *self.variables}

    def _may_stand(self, instr: Instr) -> bool:
        if instr in self.loops:
            return True
        if instr.target is not None:
            label = instr.target.label
            return all(label is not loop.label or is_next(instr, loop) for loop in self.loops)
        if instr.op is control.IF:
            return True
        if Trait.REGION in instr.op.traits:
            return False
        if instr.op in (*ADDS, *SUBS, *MULS, e.NEG) and instr.result.type is INT:
            return True
        effects = effects_of(instr)
        counted = any(is_counted(r.type) for r in instr.results)
        return not (effects.raises or effects.io or effects.allocates or counted)

    def tested(self, check: Instr) -> Sequence[Value]:
        """Return the numbers that a check is about."""
        if check.op is arrays.INDEX:
            return check.operands[1:]
        if check.op is arrays.SET_INDEX:
            return check.operands[2:]
        return ((_is_to_int(check) and self.root(check)) or check.operands[0],)

    def root(self, conversion: Instr) -> Value | None:
        """Return what the float is the root of that is converted, if it is one."""
        made = self._made.get(conversion.operands[0])
        while made is not None and made.op is e.CAST and is_double(made.operands[0]):
            made = self._made.get(made.operands[0])
        is_root = made is not None and made.op is e.SQRT and is_double(made.operands[0])
        return made.operands[0] if made is not None and is_root else None

    def needed(self, values: Sequence[Value]) -> Sequence[Instr] | None:
        """Return what computes some values, in order; None where they do not follow ahead."""
        wanted = set(values)
        found: list[Instr] = []
        for instr in reversed(self._straight):
            if not wanted.intersection(instr.results):
                continue
            if not self._follows(instr):
                return None
            found.append(instr)
            wanted.difference_update(instr.results)
            wanted.update(instr.operands)
        return None if wanted & self._inside else found[::-1]

    def _follows(self, instr: Instr) -> bool:
        if instr in self.checks:
            return _is_to_int(instr)
        if instr.op is low.LOAD:
            array = instr.operands[0]
            apart = (dependence.is_distinct(array, w, self._definitions) for w in self._written)
            return array not in self._inside and all(apart)
        return instr.op in _CHEAP and not may_raise(instr)


def _before_loops(loops: Sequence[Instr]) -> Iterator[Instr]:
    """Yield what runs in each loop before the next one, and all that does in the last one.

    What comes behind an `if` that an iteration may end in runs in some iterations alone: loads
    there may be safe for no other reason.
    """
    for loop in loops:
        for instr in loop.blocks[0].body:
            if instr in loops:
                break
            if _may_leave(instr):
                return
            yield instr


def _may_leave(instr: Instr) -> bool:
    labels = {instr.label, *(i.label for b in instr.blocks for i in walk(b))}
    targets = {i.target.label for b in instr.blocks for i in walk(b) if i.target is not None}
    return not targets <= labels


def _whole(code: Code, iterations: _Iterations) -> None:
    """Emit a chain of loops with and without its checks."""
    loop = iterations.loops[0]
    starts = [code.to_i64(each.operands[0]) for each in iterations.loops]
    stops = [code.to_i64(each.operands[1]) for each in iterations.loops]
    counts = [code.iterations(first, last) for first, last in zip(starts, stops, strict=True)]
    fits = _Test(code, iterations).emit(starts, counts)
    _either(code, fits, loop.operands, iterations, loop.results)


def _blocks(code: Code, iterations: _Iterations) -> None:
    """Emit a loop over blocks of iterations, each with and without its checks."""
    builder, loop = code.builder, iterations.loops[0]
    start, stop, one, *carried = loop.operands
    test = _Test(code, iterations)
    size = builder.emit(data.CONST, loc=loop.loc, value=_BLOCK)
    first, label = Value(INT, "first"), Label("blocks")
    params = [Value(v.type, v.name) for v in loop.blocks[0].params[1:]]
    builder.open(first, *params)
    at = code.to_i64(first)
    length = code.op(e.MINIMUM, code.op(e.SUB, code.to_i64(stop), at), code.number(_BLOCK))
    last = code.to_int(code.op(e.ADD, at, length))
    ended = tuple(Value(r.type) for r in loop.results)
    _either(code, test.emit([at], [length]), (first, last, one, *params), iterations, ended)
    builder.exit(label, *ended, next=True, loc=loop.loc)
    block = builder.close()
    outer = (start, stop, size, *carried)
    builder.append(Instr(control.FOR, outer, {}, loop.results, loop.loc, (block,), label))


def _either(
    code: Code,
    fits: Value,
    operands: Sequence[Value],
    iterations: _Iterations,
    results: Sequence[Value],
) -> None:
    """Emit the loops without checks where all fits, and as they were where not."""
    loop = iterations.loops[0]
    body = _without_checks(loop.blocks[0], iterations, Renaming())

    def iterations_of(version: Instr) -> Sequence[Value]:
        made = tuple(Value(r.type) for r in loop.results)
        return code.builder.append(replace(version, operands=operands, results=made)).results

    code.choose(
        fits,
        lambda: iterations_of(replace(loop, blocks=(body,))),
        lambda: iterations_of(copied(loop)),
        TESTED,
        results,
    )


class _Test:
    """Emits the test of a block of iterations; sizes stand before the loop over blocks."""

    def __init__(self, code: Code, iterations: _Iterations) -> None:
        self._code = code
        self._iterations = iterations
        self._sizes: dict[tuple[Value, int], Value] = {}
        for check in iterations.checks:
            if check.op in _ACCESSES:
                array = check.operands[0]
                for axis in range(len(iterations.tested(check))):
                    if (array, axis) not in self._sizes:
                        size = code.builder.emit(arrays.DIM, array, loc=code.loc, axis=axis)
                        self._sizes[array, axis] = code.to_i64(size)

    def emit(self, starts: Sequence[Value], counts: Sequence[Value]) -> Value:
        """Return whether the iterations are worth it, and what they check holds in all of them."""
        code, names = self._code, Renaming()
        # As floats: the product may be beyond 64 bits.
        total = code.cast(counts[0], F64)
        for count in counts[1:]:
            total = code.op(e.MUL, total, code.cast(count, F64))
        enough = code.test(e.GE, total, self._float(float(_FEWEST)))
        many = code.both([enough, code.test(e.LE, total, self._float(_LONGEST))])
        some = [code.select(many, counts[0], code.number(0)), *counts[1:]]

        def fold(level: int) -> Value:
            def holds(index: Value) -> Value:
                number = code.op(e.ADD, starts[level], index)
                names[self._iterations.variables[level]] = code.to_int(number)
                if level + 1 < len(counts):
                    return fold(level + 1)
                return code.both(self._conditions(names))

            return code.reduce("min", some[level], holds, parallel=len(counts) > 1, name=TEST)

        return code.both([many, code.builder.emit(e.CAST, fold(0), loc=code.loc, to=BOOL)])

    def _conditions(self, names: Renaming) -> list[Value]:
        iterations, code = self._iterations, self._code
        needed = iterations.needed(
            [v for check in iterations.checks for v in iterations.tested(check)]
        )
        assert needed is not None
        for instr in needed:
            self._compute(instr, names)
        found: dict[tuple[object, ...], Value] = {}
        for check in iterations.checks:
            for axis, value in enumerate(iterations.tested(check)):
                number = names[value]
                if check.op in _ACCESSES:
                    index, size = code.to_i64(number), self._sizes[check.operands[0], axis]
                    found[value,] = code.op(e.GE, index, code.number(0))
                    found[value, size] = code.op(e.LT, index, size)
                elif (to := _narrowed(check)) is not None:
                    least, greatest = int_limits(to)
                    whole = code.to_i64(number)
                    found[check, "low"] = code.op(e.GE, whole, code.number(least))
                    if greatest <= INT_MAX:
                        found[check, "high"] = code.op(e.LE, whole, code.number(greatest))
                elif iterations.root(check) is value:
                    found[check,] = self._is_square(code.cast(number, F64))
                else:
                    size = code.op(e.ABS, code.cast(number, F64))
                    found[check,] = code.op(e.LT, size, self._float(_LIMIT))
        return list(found.values())

    def _is_square(self, number: Value) -> Value:
        """Return whether a root fits, without computing it."""
        code = self._code
        low = code.op(e.GE, number, self._float(0.0))
        return code.op(e.AND, low, code.op(e.LT, number, self._float(_LIMIT * _LIMIT)))

    def _float(self, value: float) -> Value:
        return self._code.builder.emit(data.CONST, loc=self._code.loc, value=value, dtype=F64)

    def _compute(self, instr: Instr, names: Renaming) -> None:
        code = self._code
        if instr in self._iterations.checks:
            # What does not fit is some integer here: another condition tells of it.
            whole = code.cast(code.cast(names[instr.operands[0]], F64), I64)
            names[instr.result] = code.to_int(whole)
            return
        code.again((instr,), names)


def _without_checks(block: Block, iterations: _Iterations, names: Renaming) -> Block:
    builder = Builder()
    builder.open(*block.params)
    for old in block.body:
        instr = map_blocks(names.instr(old), lambda b: _without_checks(b, iterations, names))
        if old not in iterations.checks:
            builder.append(instr)
            continue
        code = Code(builder, instr.loc)
        if (to := _narrowed(old)) is not None:
            names[old.result] = code.cast(code.to_i64(instr.operands[0]), to)
        elif old.op is e.CAST:
            made = make(exact.EXACT_INT, instr.operands, {"small": True}, instr.loc)
            names[old.result] = builder.append(made).result
        elif old.op is arrays.INDEX:
            array, *index = instr.operands
            names[old.result] = code.op(low.LOAD, array, *map(code.to_i64, index))
        else:
            array, value, *index = instr.operands
            places = map(code.to_i64, index)
            builder.effect(low.STORE, array, value, *places, loc=instr.loc)
    return builder.close()
