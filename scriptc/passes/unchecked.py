"""Unchecked: integer ops and accesses whose checks cannot fail lose them.

    for i in range(n):                 for i in range(n):        with n the size of x
        s = s + x[i]            =>         s = s + load x, i
        j = i // 2 + 1                     j = exact_add (exact_floordiv i, 2), 1

What `ranges` proves needs no guard and no second version of a loop; where it proves nothing the
check stays as it is. A float is divided by what is not 0 as NumPy's scalars are. Comparisons that
come out one way only become constants and take their branches, so that what raises in others goes.

Needs: valid IR.
Gives: low IR, same results, same exceptions.
Does not: make guards (`version_bounds`), or look at views and lists.
Cases: tests/cases/passes/unchecked.
"""

from collections.abc import Callable, Mapping
from weakref import WeakSet

from scriptc.analysis import intervals as iv
from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.ranges import ADDS, MULS, SUBS, Ranges, Seen, ranges
from scriptc.analysis.remarks import Kind, Message, Named, Topic, remark, remarks_wanted
from scriptc.passes.fold import fold_function
from scriptc.passes.per_function import per_function
from scriptc.passes.rebuild import Renaming, map_blocks
from scriptc_runtime.ir import Block, Builder, Function, Instr, Loc, Value, make, walk
from scriptc_runtime.ops import arrays, control, data, exact, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import Attrs, OpDef
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import BOOL, FLOAT, INT, DType, Element

INSIDE = Message(
    "unchecked", Topic.CHECKS, Kind.DONE, "no range check of {array}: the index is always inside"
)
FITS = Message(
    "unchecked", Topic.CHECKS, Kind.DONE, "no overflow check: the {what} always fits into 64 bits"
)

I64 = DType.I64
MOST_SCALE = 16  # beyond, a product with its flag is as quick
_EXACT: Mapping[OpDef, OpDef] = {
    ADDS[0]: exact.EXACT_ADD,
    SUBS[0]: exact.EXACT_SUB,
    MULS[0]: exact.EXACT_MUL,
}
_SUMS: Mapping[OpDef, str] = {ADDS[0]: "sum", SUBS[0]: "difference", MULS[0]: "product"}
_OF_POSITIVE: Mapping[OpDef, OpDef] = {
    e.FLOORDIV: exact.EXACT_FLOORDIV,
    e.MOD: exact.EXACT_MOD,
}
_ACCESSES = (arrays.INDEX, arrays.SET_INDEX)

# What this pass has given, where no comparison was decided or no element of an array is read: there
# is little more to be found in it.
_SETTLED: WeakSet[Function] = WeakSet()


@per_function
def unchecked(function: Function) -> Function:
    """Return `function` without the checks that cannot fail."""
    if function in _SETTLED or not any(_is_of_interest(i) for i in walk(function.body)):
        return function
    found = ranges(function)
    body = _Rewriter(found, function).block(function.body)
    after = function if body is function.body else replace(function, body=body)
    if found.decided:
        after = fold_function(after)
        if any(i.op in _ACCESSES for i in walk(after.body)):
            return after
    _SETTLED.add(after)
    return after


def _is_of_interest(instr: Instr) -> bool:
    of_floats = instr.op is e.DIV and instr.result.type is FLOAT
    to_int = instr.op is e.CAST and instr.result.type is INT
    checked = instr.op in _REWRITES or instr.op in _ACCESSES
    return checked or of_floats or to_int or instr.op in e.COMPARISONS


@record
class _Site:
    """An instruction to replace: where its code goes, with operands renamed, and what is known."""

    builder: Builder
    instr: Instr
    seen: Seen

    def emit(self, op: OpDef, *operands: Value) -> Value:
        return self.builder.emit(op, *operands, loc=self.instr.loc)

    def number(self, value: int, type_: object) -> Value:
        builder, loc = self.builder, self.instr.loc
        if type_ is INT:
            return builder.emit(data.CONST, loc=loc, value=value)
        return builder.emit(data.CONST, loc=loc, value=value, dtype=I64)

    def to_i64(self, value: Value) -> Value:
        if value.type is I64:
            return value
        return self.cast(value, I64)

    def cast(self, value: Value, to: Element) -> Value:
        return self.builder.emit(e.CAST, value, loc=self.instr.loc, to=to)

    def test(self, op: OpDef, first: Value, second: Value) -> Value:
        return self.cast(self.emit(op, first, second), BOOL)


class _Rewriter:
    def __init__(self, found: Ranges, function: Function) -> None:
        self._found = found
        self._definitions = definitions_of(function)
        self._names = Renaming()
        # Sums that have the place of a loop count it: they are not the user's.
        loops = (control.FOR, control.WHILE) if remarks_wanted() else ()
        self._loops = {i.loc for i in walk(function.body) if i.op in loops}
        self._checked: set[tuple[Value, Loc]] = set()  # arrays, and where they are

    def block(self, block: Block) -> Block:
        builder = Builder()
        builder.open(*block.params)
        for old in block.body:
            instr = map_blocks(self._names.instr(old), self.block)
            if not self._replaced(old, instr, builder):
                builder.append(instr)
        new = builder.close()
        return block if new.body == block.body else new

    def _replaced(self, old: Instr, instr: Instr, builder: Builder) -> bool:
        """Emit what stands for `instr`, if something else can."""
        if old in self._found.decided:
            outcome = self._found.decided[old]
            attrs: Attrs = {"value": outcome}
            if instr.result.type is not BOOL:
                attrs = {**attrs, "dtype": DType.B1}
            made = builder.append(make(data.CONST, (), attrs, instr.loc))
            self._names[old.result] = made.result
            return True
        seen = self._found.seen.get(old)
        rewrite = _REWRITES.get(old.op)
        if seen is None:
            return self._of_floats(old, instr, builder)
        if old.op in _ACCESSES:
            proven = all(self._found.inside[old]) and all(f.low >= 0 for f in seen.operands)
            self._say(old, proven=proven)
            if proven:
                _access(_Site(builder, instr, seen), self._names)
            return proven
        # An array without axes computes as a number does, but it is none.
        if rewrite is None or any(v.type not in (INT, I64) for v in old.operands):
            return False
        value = rewrite(_Site(builder, instr, seen))
        if value is None:
            return False
        if old.op in _EXACT and instr.loc not in self._loops:
            remark(FITS, instr.loc, what=_SUMS[old.op])
        self._names[old.result] = value
        return True

    def _say(self, access: Instr, *, proven: bool) -> None:
        """Leave a remark on an access, unless a check before it is what proves its index.

        So it is with the store of `x[i] += 1`.
        """
        place = access.operands[0], access.loc
        if not proven:
            self._checked.add(place)
        elif place not in self._checked:
            remark(INSIDE, access.loc, array=Named(access.operands[0], self._definitions))

    def _of_floats(self, old: Instr, instr: Instr, builder: Builder) -> bool:
        """Emit int() of a float that fits, or a division as NumPy's scalars are divided."""
        loc = instr.loc
        if old in self._found.converts:
            value = builder.emit(exact.EXACT_INT, *instr.operands, loc=loc)
        elif old in self._found.divides:
            numbers = [builder.emit(e.CAST, v, loc=loc, to=DType.F64) for v in instr.operands]
            quotient = builder.emit(e.DIV, *numbers, loc=loc)
            value = builder.emit(e.CAST, quotient, loc=loc, to=instr.result.type)
        else:
            return False
        self._names[instr.result] = value
        return True


def _exact(site: _Site) -> Value | None:
    if not site.seen.exact.fits:
        return _scaled(site)
    return site.emit(_EXACT[site.instr.op], *site.instr.operands)


def _scaled(site: _Site) -> Value | None:
    """Return a product whose overflow one comparison of the larger factor tells."""
    if site.instr.op is not e.MUL or site.instr.result.type is not INT:
        return None
    for factor, times in (site.instr.operands, site.instr.operands[::-1]):
        facts = dict(zip(site.instr.operands, site.seen.operands, strict=True))
        by = facts[times]
        if facts[factor].low >= 0 and by.is_constant and 1 < by.low <= MOST_SCALE:
            return site.emit(exact.SCALE, factor, site.number(by.low, INT))
    return None


def _divide(site: _Site) -> Value | None:
    lhs, rhs = site.seen.operands
    if lhs.low < 0 or rhs.low < 1:
        return None
    return site.emit(_OF_POSITIVE[site.instr.op], *site.instr.operands)


def _remainder(site: _Site) -> Value | None:
    """Return a remainder without a division where the operand is less than a divisor outside.

    So are the neighbours of a place where a grid is closed: `(i - 1) % n`, `(i + 1) % n`.
    """
    lhs, rhs = site.seen.operands
    ahead = iv.difference(lhs, rhs)
    if rhs.low < 1 or lhs.low < -rhs.low or ahead.high >= rhs.low:
        return _divide(site)
    operand, divisor = map(site.to_i64, site.instr.operands)
    value = operand
    if ahead.high >= 0:
        over = site.test(e.GE, operand, divisor)
        value = site.emit(low.SELECT, over, site.emit(e.SUB, operand, divisor), operand)
    if lhs.low < 0:
        under = site.test(e.LT, operand, site.number(0, I64))
        value = site.emit(low.SELECT, under, site.emit(e.ADD, operand, divisor), value)
    return value if site.instr.result.type is I64 else site.cast(value, INT)


def _negative(site: _Site) -> Value | None:
    if not site.seen.exact.fits:
        return None
    (operand,) = site.instr.operands
    return site.emit(exact.EXACT_SUB, site.number(0, operand.type), operand)


def _absolute(site: _Site) -> Value | None:
    (operand,) = site.instr.operands
    return operand if site.seen.operands[0].low >= 0 else None


def _shifted(site: _Site) -> Value | None:
    """Return a product: a shift by a constant that loses nothing."""
    lhs, rhs = site.instr.operands
    by = site.seen.operands[1]
    if not (by.is_constant and 0 <= by.low < 63 and site.seen.exact.fits):
        return None
    return site.emit(exact.EXACT_MUL, lhs, site.number(1 << by.low, rhs.type))


def _access(site: _Site, names: Renaming) -> None:
    array, *rest = site.instr.operands
    if site.instr.op is arrays.INDEX:
        index = [site.to_i64(v) for v in rest]
        names[site.instr.result] = site.emit(low.LOAD, array, *index)
        return
    value, *given = rest
    index = [site.to_i64(v) for v in given]
    site.builder.effect(low.STORE, array, value, *index, loc=site.instr.loc)


_REWRITES: Mapping[OpDef, Callable[[_Site], Value | None]] = {
    **dict.fromkeys(_EXACT, _exact),
    **dict.fromkeys(_OF_POSITIVE, _divide),
    e.MOD: _remainder,
    e.NEG: _negative,
    e.ABS: _absolute,
    e.SHL: _shifted,
}
