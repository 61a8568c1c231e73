"""Computations: what a step does with the values of its parts."""

from typing import assert_never, cast

from scriptc.check.checked import (
    After,
    Apply,
    CellOf,
    Check,
    Computation,
    Convert,
    Invoke,
    Literal,
    Operand,
    Select,
    Stored,
)
from scriptc.lower.context import Lowering, Values
from scriptc.lower.conversions import convert, fit
from scriptc.syntax import nodes as n
from scriptc_runtime.ir import Block, Label, Value
from scriptc_runtime.ops import bigints, control, data, named
from scriptc_runtime.types import BIGINT, BOOL, NONE, DType, NamedType
from scriptc_runtime.values import INT_MAX, INT_MIN


class Computer:
    """Lowers the computations of one step; one that occurs twice is computed once."""

    def __init__(
        self, low: Lowering, values: Values, at: n.Node, stored: Value | None = None
    ) -> None:
        self._low = low
        self._values = values
        self._at = at
        self._stored = stored
        self._done: dict[int, Value] = {}

    def value(self, computation: Computation) -> Value:
        """Return the value of a computation."""
        key = id(computation)
        if key not in self._done:
            self._done[key] = self._compute(computation)
        return self._done[key]

    def _compute(self, computation: Computation) -> Value:
        low, at = self._low, self._at
        match computation:
            case Operand(node, type_):
                return convert(low, self._values[node], type_, at)
            case Literal():
                return constant(low, computation, at)
            case Stored():
                assert self._stored is not None
                return self._stored
            case Apply(op, operands, attrs, type_):
                values = [self.value(o) for o in operands]
                if type_ is NONE:
                    low.effect(op, *values, at=at, **attrs)
                    return low.emit(data.CONST, at=at, value=None)
                return low.emit(op, *values, at=at, **attrs)
            case Convert(inner, type_):
                return convert(low, self.value(inner), type_, at)
            case Invoke():
                return self._invoke(computation)
            case CellOf(name):
                return low.cells[name]
            case Select() | Check() | After():
                return self._in_turn(computation)
            case _:
                assert_never(computation)

    def _in_turn(self, computation: Select | Check | After) -> Value:
        """Return the value of what says itself when its parts are computed."""
        match computation:
            case Select():
                return self._select(computation)
            case Check():
                return self._check(computation)
            case After(effects, value):
                for effect in effects:
                    self.value(effect)
                return self.value(value)

    def _invoke(self, invoke: Invoke) -> Value:
        low, at = self._low, self._at
        callee = low.program.functions[invoke.callee].as_inner
        pairs = zip(invoke.operands, callee.params, strict=True)
        values = [fit(low, self.value(o), p.type, at) for o, p in pairs]
        values += [low.captures[c.name] for c in callee.captures]
        return low.emit(control.CALL, *values, at=at, callee=callee.name, result=invoke.type)

    def _select(self, select: Select) -> Value:
        low, at = self._low, self._at
        condition = self.value(select.condition)
        label = Label("if")
        blocks: list[Block] = []
        for arm in (select.when_true, select.when_false):
            # What is computed in an arm is not there after it.
            outside = dict(self._done)
            low.builder.open()
            low.builder.exit(label, fit(low, self.value(arm), select.type, at))
            blocks.append(low.builder.close())
            self._done = outside
        (value,) = low.builder.region(
            control.IF, [condition], blocks, label, [select.type], low.loc(at)
        )
        return value

    def _check(self, check: Check) -> Value:
        low, at = self._low, self._at
        require(low, self.value(check.condition), check.kind, check.message, at)
        return self.value(check.value)


def constant(low: Lowering, literal: Literal, at: n.Node) -> Value:
    """Return a constant."""
    if isinstance(literal.type, NamedType):
        made = low.emit(data.CONST, at=at, value=literal.value)
        return low.emit(named.NAMED, made, at=at, type=literal.type)
    if literal.type is BIGINT:
        return _of_any_size(low, int(cast("int", literal.value)), at)
    if isinstance(literal.type, DType):
        return low.emit(data.CONST, at=at, value=literal.value, dtype=literal.type)
    return low.emit(data.CONST, at=at, value=literal.value)


def _of_any_size(low: Lowering, number: int, at: n.Node) -> Value:
    if INT_MIN <= number <= INT_MAX:
        return low.emit(bigints.BIGINT_OF, low.emit(data.CONST, at=at, value=number), at=at)
    text, base = (low.emit(data.CONST, at=at, value=value) for value in (hex(number), 16))
    return low.emit(bigints.BIGINT_OF_TEXT, text, base, at=at)


def require(low: Lowering, condition: Value, kind: str, message: str, at: n.Node) -> None:
    """Raise the exception `kind` unless `condition` holds."""
    assert condition.type is BOOL
    label = Label("if")
    low.builder.open()
    low.builder.exit(label)
    passed = low.builder.close()
    low.builder.open()
    text = [low.emit(data.CONST, at=at, value=message)] if message else []
    low.terminate(control.RAISE, *text, at=at, kind=kind)
    low.reachable = True
    failed = low.builder.close()
    low.builder.region(control.IF, [condition], [passed, failed], label, [], low.loc(at))
