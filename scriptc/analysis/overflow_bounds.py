"""Magnitudes: how large the ints of a loop can become, as formulas of what the loop is given.

    for i in range(n):                 |i| <= |n|
        x = i * i % m                  |x| <= |m|, and |i * i| <= |n| * |n|
        s += x                         |s| <= |s before| + |n| * |m|

Range analysis knows numbers when compiling; these formulas are computed when the program runs, in
floats, which have no end. A value that is loop-carried is first taken for a name: what an iteration
makes of it is at most its own magnitude and an addend, or nothing of itself. Both say how large it
becomes, and the loop is looked at once more with that.
"""

from collections.abc import Mapping, Sequence

from scriptc.analysis import bit_loops
from scriptc.analysis.bound_formulas import (
    ONE,
    ZERO,
    Bound,
    Formula,
    Number,
    Size,
    added,
    combined,
    grown,
    joined,
)
from scriptc.analysis.float_bounds import is_double
from scriptc.analysis.induction import MIRRORED, carried_on, constant_int, leaves, step_from
from scriptc.analysis.ranges import ADDS, MULS, SUBS
from scriptc_runtime.ir import Block, Instr, Label, Value, walk
from scriptc_runtime.ops import control, data, exact, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.record import field, record
from scriptc_runtime.types import BOOL, INT, DType

# A loop is looked at so often: for what carries nothing of itself, for sums of that, and so on.
_LOOKS = 4
_LOOPS = (control.FOR, control.WHILE)
# Of these, the result is no further from zero than the first operand, whatever the second is.
_SMALLER = frozenset({e.FLOORDIV, exact.EXACT_FLOORDIV, e.SHR, e.NEG, e.ABS})
_MODS = frozenset({e.MOD, exact.EXACT_MOD})
_EITHER = frozenset({e.MAXIMUM, e.MINIMUM})
_BITS = frozenset({e.AND, e.OR, e.XOR})
_FLOATS: Mapping[OpDef, OpDef] = {e.ADD: e.ADD, e.SUB: e.ADD, e.MUL: e.MUL}
_ORDERED: Mapping[OpDef, int] = {e.LT: 1, e.LE: 1, e.GT: -1, e.GE: -1}
_OPPOSITE: Mapping[OpDef, OpDef] = {e.LT: e.GE, e.LE: e.GT, e.GT: e.LE, e.GE: e.LT}


class Magnitudes:
    """What is known of the ints in one loop."""

    def __init__(self, loop: Instr, definitions: Mapping[Value, Instr]) -> None:
        self._definitions = definitions
        self._inside = {r for i in walk(loop.blocks[0]) for r in i.results}
        for instr in (loop, *walk(loop.blocks[0])):
            self._inside.update(p for b in instr.blocks for p in b.params)
        self._facts: dict[Value, Bound | None] = {}
        self._exits: dict[Label, _Exits] = {}
        self._sizes: dict[Value, Size] = {}
        self._grown: dict[Value, Bound] = {}  # what is loop-carried, by the last look at its loop
        self._loop(loop)

    def formula(self, value: Value) -> Formula | None:
        """Return how large a value of the loop becomes at most, if that is known."""
        bound = self._bound(value)
        return bound.by if bound is not None and bound.base is None else None

    def _bound(self, value: Value) -> Bound | None:
        if value in self._inside:
            return self._facts.get(value)
        made = self._definitions.get(value)
        if made is not None and made.op is data.CONST:
            return _constant(made)
        if value.type not in (INT, DType.I64):
            return None
        return Bound(self._sizes.setdefault(value, Size(value)))

    # Blocks and regions.

    def _block(self, block: Block) -> None:
        for instr in block.body:
            if instr.target is not None:
                exits = self._exits.get(instr.target.label)
                if exits is not None:
                    ways = exits.nexts if instr.target.next else exits.outs
                    ways.append([self._bound(v) for v in instr.operands])
            elif instr.op in _LOOPS:
                self._loop(instr)
            elif instr.blocks:
                self._region(instr)
            elif instr.results:
                self._facts[instr.results[0]] = self._made(instr)

    def _region(self, instr: Instr) -> None:
        exits = _Exits()
        if instr.label is not None:
            self._exits[instr.label] = exits
        for block in instr.blocks:
            self._facts.update(dict.fromkeys(block.params))
            self._block(block)
        for place, result in enumerate(instr.results):
            self._facts[result] = joined([way[place] for way in exits.outs])

    def _loop(self, loop: Instr) -> None:
        (block,) = loop.blocks
        index = block.params[: int(loop.op is control.FOR)]
        params = block.params[len(index) :]
        given = loop.operands[len(loop.operands) - len(params) :]
        starts = {p: self._bound(v) for p, v in zip(params, given, strict=True)}
        # A loop around this one is looked at several times: each of them would double the looks.
        known = {p: bound for p in params if (bound := self._as_before(p)) is not None}
        exits = _Exits()
        for _ in range(_LOOKS):
            exits = self._look(loop, known)
            iterations = self._iterations(loop)
            found = {
                param: bound
                for place, param in enumerate(params)
                if param not in known
                and (after := joined([way[place] for way in exits.nexts] or [starts[param]]))
                and (bound := grown(param, starts[param], after, iterations)) is not None
            }
            if not found:
                break
            known.update(found)
        self._grown.update(known)
        for place, result in enumerate(loop.results):
            # Without a way out, a range that ends gives what was loop-carried last.
            ended = [known.get(params[place])] if loop.op is control.FOR else []
            bound = joined([*ended, *(way[place] for way in exits.outs)])
            outside = bound is None or bound.base is None or bound.base not in params
            self._facts[result] = bound if outside else None

    def _as_before(self, param: Value) -> Bound | None:
        """Return what the last look said of a value, by what is known now of a loop further out."""
        bound = self._grown.get(param)
        if bound is None or bound.base is None:
            return bound
        base = self._facts.get(bound.base)
        grown_from = None if base is None else added(base, Bound(bound.by))
        return joined([grown_from, *([Bound(bound.other)] if bound.other != ZERO else [])])

    def _look(self, loop: Instr, known: Mapping[Value, Bound]) -> "_Exits":
        (block,) = loop.blocks
        exits = _Exits()
        if loop.label is not None:
            self._exits[loop.label] = exits
        params: Sequence[Value] = block.params
        if loop.op is control.FOR:
            first, *params = params
            self._facts[first] = self._joined_sizes(loop.operands[:2])
        for param in params:
            self._facts[param] = known.get(param) or Bound(ZERO, param)
        self._block(block)
        return exits

    def _joined_sizes(self, values: Sequence[Value]) -> Bound | None:
        bounds = [self._bound(v) for v in values]
        return None if any(b is None or b.base for b in bounds) else joined(bounds)

    # How often a loop runs.

    def _iterations(self, loop: Instr) -> Formula | None:
        """Return how often a loop runs at most, if that is known."""
        if loop.op is control.FOR:
            return self._distance(*loop.operands[:2])
        if bit_loops.is_over_bits(loop, self._definitions):
            return Number(float(bit_loops.BITS))
        (block,) = loop.blocks
        for instr in block.body:
            if instr.op is control.IF and (test := self._test(instr, loop)) is not None:
                counted = self._counted(loop, *test)
                if counted is not None:
                    return counted
            inside = walk(Block((), (instr,)))
            if any(i.target and i.target.label is loop.label for i in inside):
                # What comes after this is not seen in every iteration.
                return None
        return None

    def _distance(self, start: Value, stop: Value) -> Formula | None:
        """Return how many steps go from one int to another at most; the ends may move both."""
        first, last = self.formula(start), self.formula(stop)
        return None if first is None or last is None else combined(e.ADD, first, last)

    def _test(self, choice: Instr, loop: Instr) -> tuple[OpDef, Value, Value] | None:
        """Return the comparison that holds where an iteration goes on."""
        made = self._definitions.get(choice.operands[0])
        ends = [leaves(block.body[-1], loop) for block in choice.blocks]
        if made is None or made.op not in _ORDERED or ends.count(True) != 1:
            return None
        op = _OPPOSITE[made.op] if ends[0] else made.op
        first, second = made.operands
        return op, first, second

    def _counted(self, loop: Instr, op: OpDef, first: Value, second: Value) -> Formula | None:
        (block,) = loop.blocks
        for param, end, order in ((first, second, op), (second, first, MIRRORED[op])):
            if param not in block.params or end in block.params or self._changes(end, loop):
                continue
            place = block.params.index(param)
            if self._steps(loop, place, _ORDERED[order]):
                distance = self._distance(loop.operands[place], end)
                return None if distance is None else combined(e.ADD, distance, ONE)
        return None

    def _changes(self, value: Value, loop: Instr) -> bool:
        return value in self._inside and any(value in i.results for i in walk(loop.blocks[0]))

    def _steps(self, loop: Instr, place: int, direction: int) -> bool:
        """Whether each iteration moves what is carried at a place by one or more in a direction."""
        param = loop.blocks[0].params[place]
        ways = carried_on(loop, place)
        return all(step_from(param, v, self._definitions) * direction >= 1 for v in ways)

    # Instructions.

    def _made(self, instr: Instr) -> Bound | None:
        op, type_ = instr.op, instr.results[0].type
        if op is data.CONST:
            return _constant(instr)
        if op in (e.CAST, exact.EXACT_INT):
            return self._cast(instr)
        if is_double(instr.results[0]):
            return self._of_floats(op, instr.operands)
        if op is low.SELECT:
            return joined([self._bound(v) for v in instr.operands[1:]])
        if type_ is not INT and not (type_ is DType.I64 and op in exact.OPS):
            return None  # NumPy's integers wrap around
        return self._computed(op, instr.operands)

    def _cast(self, instr: Instr) -> Bound | None:
        (value,) = instr.operands
        if instr.attrs.get("small"):
            return Bound(Number(2.0**31))
        if is_double(value) and instr.results[0].type is DType.I64:
            return None  # NaN and what does not fit become the least integer
        if is_double(value) or is_double(instr.results[0]):
            bound = self._bound(value)
            return bound if bound is not None and bound.base is None else None
        if instr.results[0].type not in (INT, DType.I64):
            return None
        if value.type in (BOOL, DType.B1):
            return Bound(ONE)
        if value.type in (INT, DType.I64):
            return self._bound(value)
        if isinstance(value.type, DType) and value.type.kind in "iu":
            return Bound(Number(2.0 ** (8 * value.type.itemsize)))
        return None

    def _of_floats(self, op: OpDef, operands: Sequence[Value]) -> Bound | None:
        """Return how large a float becomes; where a root is NaN, no int is made of it."""
        bounds = [self._bound(v) for v in operands]
        sizes = [b.by for b in bounds if b is not None and b.base is None]
        if not sizes or len(sizes) < len(bounds):
            return None
        if op is e.SQRT:
            return Bound(combined(e.MAXIMUM, sizes[0], ONE))
        if op in _FLOATS:
            return Bound(combined(_FLOATS[op], sizes[0], sizes[1]))
        return None

    def _computed(self, op: OpDef, operands: Sequence[Value]) -> Bound | None:
        bounds = [self._bound(v) for v in operands] or [None]
        first, last = bounds[0], bounds[-1]
        if op in _MODS and last is not None and last.base is None:
            return last
        if op is e.AND and (masked := self._masked(operands)) is not None:
            return Bound(masked)
        if first is None or last is None:
            return None
        if op in _SMALLER:
            return first
        if op in (*ADDS, *SUBS):
            return added(first, last)
        if op in _EITHER:
            return joined(bounds)
        if first.base is not None or last.base is not None:
            return None
        if op in MULS:
            return Bound(combined(e.MUL, first.by, last.by))
        if op in _BITS:
            # Up to the next power of two.
            most = combined(e.MAXIMUM, first.by, last.by)
            return Bound(combined(e.ADD, combined(e.ADD, most, most), ONE))
        return None

    def _masked(self, operands: Sequence[Value]) -> Formula | None:
        for value in operands:
            number = constant_int(value, self._definitions)
            if number is not None and number >= 0:
                return Number(float(number))
        return None


@record
class _Exits:
    """The values that leave a region, and those that go to the next iteration."""

    outs: list[Sequence[Bound | None]] = field(default_factory=list[Sequence[Bound | None]])
    nexts: list[Sequence[Bound | None]] = field(default_factory=list[Sequence[Bound | None]])


def _constant(instr: Instr) -> Bound | None:
    number = instr.attrs["value"]
    return Bound(Number(float(abs(number)))) if isinstance(number, int | float) else None
