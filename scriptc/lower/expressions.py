"""Expressions: steps, variables, and the operators that do not always evaluate everything."""

from collections.abc import Sequence

from scriptc.check.checked import Computation, Literal, Step
from scriptc.lower.computations import Computer, constant
from scriptc.lower.context import Lowering, Values
from scriptc.lower.conversions import convert, fit
from scriptc.syntax import nodes as n
from scriptc_runtime.ir import Block, Label, Value
from scriptc_runtime.ops import control, data, elementwise
from scriptc_runtime.types import BOOL


def lower_expression(low: Lowering, node: n.Expression) -> Value:
    """Lower an expression; its value has the type that the facts say."""
    facts = low.facts
    if node in facts.constants:
        return constant(low, facts.constants[node], node)
    if node in facts.expanded:
        low.block(facts.expanded[node].body)
        return low.expression(facts.expanded[node].value)
    if node in facts.comparisons and isinstance(node, n.Compare):
        return _comparisons(low, node)
    if node in facts.steps:
        return step(low, facts.steps[node], node)
    if node in facts.captures:
        return low.captures[low.capture_names[facts.captures[node]]]
    match node:
        case n.BoolOp():
            return _bool_op(low, node)
        case n.IfExp():
            return _if_expression(low, node)
        case n.NamedExpr():
            value = low.expression(node.value)
            low.assign(node.target, value)
            return value
        case n.UnaryOp(op="not", operand=inner):
            return _not(low, low.condition(inner), node)
        case _:
            return _variable(low, node)


def _variable(low: Lowering, node: n.Expression) -> Value:
    """Read a variable; where it was narrowed, by the type the facts say."""
    name = node.id if isinstance(node, n.Name) else low.field_variable(node)
    assert name is not None
    return convert(low, read(low, node, name), low.facts.types[node], node)


def read(low: Lowering, node: n.Node, name: str) -> Value:
    """Return the value of a variable."""
    if name in low.cells:
        return low.emit(control.CELL_GET, low.cells[name], at=node, name=name)
    return low.env[name]


def evaluate(low: Lowering, parts: Sequence[n.Expression], values: Values) -> None:
    """Evaluate the parts of a step, in order."""
    for part in parts:
        if part not in values:
            values[part] = low.expression(part)


def step(low: Lowering, step: Step, at: n.Node) -> Value:
    """Lower a step."""
    values: Values = {}
    evaluate(low, step.parts, values)
    return Computer(low, values, at).value(step.result)


def lower_condition(low: Lowering, node: n.Expression) -> Value:
    """Lower a test to a bool."""
    facts = low.facts
    if node in facts.tests:
        return low.emit(data.CONST, at=node, value=facts.tests[node])
    match node:
        case n.BoolOp():
            return _chain(low, node, facts.operands[node])
        case n.UnaryOp(op="not", operand=inner):
            return _not(low, low.condition(inner), node)
        case _:
            value = low.expression(node)
            return Computer(low, {node: value}, node).value(facts.truths[node])


def _not(low: Lowering, value: Value, node: n.Node) -> Value:
    return low.emit(elementwise.NOT, value, at=node)


def _chain(low: Lowering, node: n.BoolOp, operands: Sequence[n.Expression]) -> Value:
    """Lower `and` and `or` in a test: the next operand is evaluated only where it matters."""
    value = low.condition(operands[0])
    if len(operands) == 1:
        return value
    label = Label("if")
    low.builder.open()
    low.builder.exit(label, _chain(low, node, operands[1:]))
    rest = low.builder.close()
    low.builder.open()
    decided = low.emit(data.CONST, at=node, value=node.op == "or")
    low.builder.exit(label, decided)
    done = low.builder.close()
    blocks = [rest, done] if node.op == "and" else [done, rest]
    (result,) = low.builder.region(control.IF, [value], blocks, label, [BOOL], low.loc(node))
    return result


def _bool_op(low: Lowering, node: n.BoolOp) -> Value:
    """Lower `and` and `or` where the value is wanted."""
    return _value_chain(low, node, low.facts.operands[node])


def _value_chain(low: Lowering, node: n.BoolOp, operands: Sequence[n.Expression]) -> Value:
    type_ = low.facts.types[node]
    value = low.expression(operands[0])
    if len(operands) == 1:
        return fit(low, value, type_, node)
    truth = Computer(low, {operands[0]: value}, node).value(low.facts.truths[operands[0]])
    label = Label("if")
    low.builder.open()
    low.builder.exit(label, _value_chain(low, node, operands[1:]))
    rest = low.builder.close()
    low.builder.open()
    low.builder.exit(label, fit(low, value, type_, node))
    done = low.builder.close()
    blocks = [rest, done] if node.op == "and" else [done, rest]
    (result,) = low.builder.region(control.IF, [truth], blocks, label, [type_], low.loc(node))
    return result


def _if_expression(low: Lowering, node: n.IfExp) -> Value:
    type_ = low.facts.types[node]
    known = low.facts.tests.get(node.test)
    if known is not None:
        return fit(low, low.expression(node.body if known else node.orelse), type_, node)
    condition = low.condition(node.test)
    runs = low.facts.arms[node]
    if not (runs.body_runs and runs.orelse_runs):
        # The test has to be made, but it always comes out the same.
        return fit(low, low.expression(node.body if runs.body_runs else node.orelse), type_, node)
    label = Label("if")
    blocks: list[Block] = []
    for arm in (node.body, node.orelse):
        low.builder.open()
        low.builder.exit(label, fit(low, low.expression(arm), type_, node))
        blocks.append(low.builder.close())
    (value,) = low.builder.region(control.IF, [condition], blocks, label, [type_], low.loc(node))
    return value


def _comparisons(low: Lowering, node: n.Compare) -> Value:
    """Lower a chain: each side is evaluated once, and only as far as the chain holds."""
    sides = (node.left, *node.comparators)
    values: Values = {node.left: low.expression(node.left)}
    return _links(low, node, sides[1:], low.facts.comparisons[node], values)


def _links(
    low: Lowering,
    node: n.Compare,
    sides: Sequence[n.Expression],
    comparisons: Sequence[Computation],
    values: Values,
) -> Value:
    evaluate(low, sides[:1], values)
    type_ = low.facts.types[node]
    result = Computer(low, values, node).value(comparisons[0])
    if len(comparisons) == 1:
        return fit(low, result, type_, node)
    holds = convert(low, result, BOOL, node)
    label = Label("if")
    low.builder.open()
    low.builder.exit(label, _links(low, node, sides[1:], comparisons[1:], dict(values)))
    rest = low.builder.close()
    low.builder.open()
    low.builder.exit(label, constant(low, Literal(False, type_), node))
    failed = low.builder.close()
    (value,) = low.builder.region(
        control.IF, [holds], [rest, failed], label, [type_], low.loc(node)
    )
    return value
