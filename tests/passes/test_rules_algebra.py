"""Rewrite rules are true bit for bit on the values where identities like to fail."""

import itertools
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from scriptc.passes.pattern import Call, Const, Pattern, Rule, Var, size
from scriptc.passes.rules_algebra import RULES
from scriptc.passes.simplify import simplify
from scriptc_runtime.interp.interpreter import Interpreter
from scriptc_runtime.ir import Builder, Function, Label, Module, Value, make
from scriptc_runtime.ops import data
from scriptc_runtime.ops.opdef import Attr, OpTypeError
from scriptc_runtime.types import BOOL, FLOAT, INT, DType, PyType, Type
from scriptc_runtime.values import EXCEPTIONS
from scriptc_runtime.verify.module import verify
from tests.support.outcomes import freeze

_NUMBERS = (0.0, -0.0, 1.0, -1.0, 2.5, 1e308, 1e-308, float("inf"), -float("inf"), float("nan"))
_DENORMAL = {DType.F32: 1e-45, DType.F64: 5e-324, FLOAT: 5e-324}
_INTS = (0, 1, -1, 2, -7, 2**31, 2**63 - 1, -(2**63), -(2**63) + 1)


def edges(type_: Type) -> Sequence[object]:
    """Return the values of `type_` to try."""
    match type_:
        case PyType.INT:
            return _INTS
        case PyType.FLOAT:
            return (*_NUMBERS, _DENORMAL[FLOAT], -_DENORMAL[FLOAT])
        case PyType.BOOL:
            return (False, True)
        case DType.I64:
            return [np.int64(i) for i in _INTS]
        case DType.I32:
            return [np.int32(i) for i in (0, 1, -1, 2, -7, 2**31 - 1, -(2**31))]
        case DType.B1:
            return [np.bool_(False), np.bool_(True)]
        case DType.F32 | DType.F64:
            with np.errstate(over="ignore", under="ignore"):
                numbers = (*_NUMBERS, _DENORMAL[type_], -_DENORMAL[type_])
                return [type_.numpy.type(x) for x in numbers]
        case _:
            raise TypeError(type_)


def variables(pattern: Pattern) -> Iterator[str]:
    match pattern:
        case Var(name):
            yield name
        case Call(args=args):
            for arg in args:
                yield from variables(arg)
        case _:
            pass


def build(pattern: Pattern, values: dict[str, Value], element: Type, builder: Builder) -> Value:
    match pattern:
        case Var(name):
            return values[name]
        case Const(number):
            attrs: dict[str, Attr] = {"value": number}
            if isinstance(element, DType):
                attrs["dtype"] = element
            return builder.append(make(data.CONST, (), attrs)).result
        case Call(op, args, pairs):
            operands = [build(a, values, element, builder) for a in args]
            return builder.append(make(op, operands, dict(pairs))).result
        case _:
            raise TypeError(pattern)


def program(rule: Rule, element: PyType | DType) -> Module | None:
    """Return a function that computes the left side; None where the types do not fit."""
    # The rule says the type of the outermost operand; a cast inside changes that of its variable.
    names = sorted(set(variables(rule.find)))
    for type_ in (element, INT, FLOAT, DType.I64, DType.F64, DType.I32, DType.F32):
        builder, label = Builder(), Label("return")
        params = {n: Value(type_, n) for n in names}
        builder.open()
        try:
            result = build(rule.find, params, element, builder)
        except OpTypeError:
            continue
        builder.exit(label, result)
        body = builder.close()
        outermost = body.body[-2].operands[0].type
        # A rule that puts its variable gives the variable's type.
        if outermost is element and (not isinstance(rule.put, Var) or result.type is type_):
            function = Function("f", tuple(params.values()), result.type, body, label)
            return Module({"f": function})
    return None


def run(module: Module, arguments: Sequence[object]) -> object:
    try:
        return freeze(Interpreter(module).call("f", arguments))
    except tuple(EXCEPTIONS.values()) as error:
        return type(error).__name__, str(error)


CASES = [(rule, element) for rule in RULES for element in rule.on]


@pytest.mark.parametrize(
    ("rule", "element"), CASES, ids=[f"{rule.name}-{element}" for rule, element in CASES]
)
def test_a_rule_applies_and_is_exact_on_every_edge(rule: Rule, element: PyType | DType) -> None:
    module = program(rule, element)
    assert module is not None, "no operands have the types this rule is declared for"
    verify(module)
    after = simplify(module, fast_math=rule.fast_math)
    verify(after)
    left = after.functions["f"].body.body[-1].operands[0]
    assert left is not module.functions["f"].body.body[-1].operands[0], "the rule did not apply"
    if rule.fast_math:
        return
    params = module.functions["f"].params
    for arguments in itertools.product(*(edges(p.type) for p in params)):
        assert run(module, arguments) == run(after, arguments), arguments


def test_every_rule_makes_the_program_smaller() -> None:
    assert [r.name for r in RULES if size(r.put) >= size(r.find)] == []


def test_every_rule_has_a_name_of_its_own() -> None:
    names = [rule.name for rule in RULES]
    assert len(names) == len(set(names))


def test_a_constant_matches_by_its_bits() -> None:
    # 0.0 == -0.0 in Python, but only `x + -0.0` is x.
    builder, label, x = Builder(), Label("return"), Value(FLOAT, "x")
    builder.open()
    zero = builder.emit(data.CONST, value=0.0)
    adding = next(r for r in RULES if r.name == "add-minus-zero").find.op
    builder.exit(label, builder.emit(adding, x, zero))
    module = Module({"f": Function("f", (x,), FLOAT, builder.close(), label)})
    assert simplify(module).functions["f"] is module.functions["f"]
    assert str(Interpreter(module).call("f", [-0.0])) == "0.0"


def test_booleans_are_not_numbers_to_a_pattern() -> None:
    assert all(BOOL not in rule.on for rule in RULES if rule.name.endswith("int"))
