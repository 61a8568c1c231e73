"""Rewrite rules as data: a pattern to find and a pattern to put in its place.

Rules speak of scalars only.  An identity such as `x * 1 -> x` is false of arrays, where the left
side is a new array; loop nests turn array code into scalar code, and the rules meet it there.
"""

from collections.abc import Iterator, Mapping

from scriptc_runtime.bits import same_bits
from scriptc_runtime.ir import Builder, Instr, Value, make
from scriptc_runtime.ops import data
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import Attr, OpDef, Trait
from scriptc_runtime.record import record
from scriptc_runtime.types import INTEGERS, DType, PyType

Definitions = Mapping[Value, Instr]


class Pattern:
    """Operators build bigger patterns: `x * 1`, `-(-x)`."""

    __slots__ = ()

    def __add__(self, other: "Pattern | float") -> "Call":
        return Call(e.ADD, (self, as_pattern(other)))

    def __sub__(self, other: "Pattern | float") -> "Call":
        return Call(e.SUB, (self, as_pattern(other)))

    def __mul__(self, other: "Pattern | float") -> "Call":
        return Call(e.MUL, (self, as_pattern(other)))

    def __truediv__(self, other: "Pattern | float") -> "Call":
        return Call(e.DIV, (self, as_pattern(other)))

    def __neg__(self) -> "Call":
        return Call(e.NEG, (self,))


@record
class Var(Pattern):
    """Any value; the same name twice means the same value twice."""

    name: str


@record(exact=True)
class Const(Pattern):
    """The constant `value`, told from others by its bits: 0.0 is not -0.0."""

    value: bool | int | float


@record(exact=True)
class Call(Pattern):
    """`op` applied to patterns; `attrs` must be equal."""

    op: OpDef
    args: tuple[Pattern, ...]
    attrs: tuple[tuple[str, Attr], ...] = ()


@record
class Match:
    """What the variables stand for, and the instruction that matched."""

    values: Mapping[str, Value]
    instr: Instr


@record(kw_only=True)
class Rule:
    """`find` may be replaced by `put` on the element types `on`.

    True bit for bit on every input, unless `fast_math`; `put` does less work than `find`, so
    rewriting ends.  Tests check both.
    """

    name: str
    find: Call
    put: Pattern
    on: tuple[PyType | DType, ...]
    fast_math: bool = False

    def apply(self, instr: Instr, definitions: Definitions, builder: Builder) -> Value | None:
        """Return the replacement of `instr`, emitted where needed, or None if it does not match."""
        # A scalar may meet an array in one op, so one operand does not speak for the others.
        if instr.op is not self.find.op or any(v.type not in self.on for v in instr.operands):
            return None
        for found in _match(self.find, instr, definitions, {}):
            value = _build(self.put, found, instr, builder)
            if value.type == instr.result.type:
                return value
        return None


def as_pattern(value: Pattern | float) -> Pattern:
    """Numbers stand for constants."""
    return value if isinstance(value, Pattern) else Const(value)


def _match(
    pattern: Call, instr: Instr, definitions: Definitions, bindings: Mapping[str, Value]
) -> Iterator[Mapping[str, Value]]:
    """Yield every way in which `pattern` matches; commutative ops are tried in both orders."""
    if instr.op is not pattern.op or not _has_attrs(instr, pattern):
        return
    orders = [instr.operands]
    if Trait.COMMUTATIVE in instr.op.traits:
        orders.append(instr.operands[::-1])
    for operands in orders:
        partial = [bindings]
        for arg, value in zip(pattern.args, operands, strict=True):
            partial = [new for old in partial for new in _match_value(arg, value, definitions, old)]
        yield from partial


def _has_attrs(instr: Instr, pattern: Call) -> bool:
    return all(same_bits(instr.attrs.get(name), value) for name, value in pattern.attrs)


def _match_value(
    pattern: Pattern, value: Value, definitions: Definitions, bindings: Mapping[str, Value]
) -> Iterator[Mapping[str, Value]]:
    definition = definitions.get(value)
    match pattern:
        case Var(name):
            if bindings.get(name, value) is value:
                yield {**bindings, name: value}
        case Const(number):
            if definition and definition.op is data.CONST and _is(definition, number):
                yield bindings
        case Call():
            if definition:
                yield from _match(pattern, definition, definitions, bindings)
        case _:
            raise TypeError(pattern)


def _build(pattern: Pattern, values: Mapping[str, Value], instr: Instr, builder: Builder) -> Value:
    match pattern:
        case Var(name):
            return values[name]
        case Const(number):
            dtype = instr.result.type
            constant: dict[str, Attr] = {"value": number}
            if isinstance(dtype, DType):
                constant["dtype"] = dtype
            return builder.append(make(data.CONST, (), constant, instr.loc)).result
        case Call(op, args, attrs):
            operands = [_build(a, values, instr, builder) for a in args]
            return builder.append(make(op, operands, dict(attrs), instr.loc)).result
        case _:
            raise TypeError(pattern)


def _is(definition: Instr, number: bool | int | float) -> bool:
    # x + 0.0 and x + -0.0 are different programs.
    value = definition.attrs["value"]
    is_numpy = isinstance(definition.result.type, DType)
    if is_numpy and isinstance(value, int | float) and not isinstance(value, bool):
        value = int(value) if definition.result.type in INTEGERS else float(value)
    return same_bits(value, number)


# What tests need to know of patterns: a measure under which every rule shrinks.
def size(pattern: Pattern) -> int:
    """Return the number of ops in `pattern`."""
    return 1 + sum(map(size, pattern.args)) if isinstance(pattern, Call) else 0
