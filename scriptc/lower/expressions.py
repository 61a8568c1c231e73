"""Expressions: steps, variables, and the operators that do not always evaluate everything."""

from collections.abc import Callable, Sequence
from functools import partial

from scriptc.check.checked import RESULTS, Computation, Literal, Step
from scriptc.lower.computations import Computer, constant
from scriptc.lower.context import Lowering, Values
from scriptc.lower.conversions import convert, fit
from scriptc.syntax import nodes as n
from scriptc.syntax.leaves import MOST_NESTED
from scriptc_runtime.ir import Block, Label, Value
from scriptc_runtime.ops import control, data, elementwise
from scriptc_runtime.record import record
from scriptc_runtime.types import BOOL, CellType, Type


def lower_expression(low: Lowering, node: n.Expression) -> Value:
    """Lower an expression; its value has the type that the facts say."""
    facts = low.facts
    if node in facts.constants:
        return constant(low, facts.constants[node], node)
    if node in facts.arms_of_members:
        # Inside a function: few programs have unions.
        from scriptc.lower.member_arms import lower_arms

        return lower_arms(low, node, facts.arms_of_members[node], partial(read, low, node))
    if node in facts.expanded:
        low.begin(facts.expanded[node].names, node)
        low.block(facts.expanded[node].body)
        return low.expression(facts.expanded[node].value)
    if node in facts.comparisons and isinstance(node, n.Compare):
        return _comparisons(low, node)
    if node in facts.steps:
        return _steps(low, node)
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
    if node in low.facts.captures:
        qualified = low.facts.captures[node]
        place = low.function.places_of_results.get(qualified)
        if place is None:
            return low.captures[low.capture_names[qualified]]
        whole = low.captures[low.capture_names[RESULTS]]
        return low.emit(data.ITEM, whole, at=node, index=place)
    name = node.id if isinstance(node, n.Name) else low.field_variable(node)
    assert name is not None
    return convert(low, read(low, node, name), low.facts.types[node], node)


def read(low: Lowering, node: n.Node, name: str) -> Value:
    """Return the value of a variable."""
    if name in low.cells:
        free = any(p.name == name and isinstance(p.type, CellType) for p in low.function.params)
        # A function that is passed on has the variables of the one that made it.
        plain = name.rpartition("@")[2] if free else name
        return low.emit(control.CELL_GET, low.cells[name], at=node, name=plain, free=free)
    return low.env[name]


def evaluate(low: Lowering, parts: Sequence[n.Expression], values: Values) -> None:
    """Evaluate the parts of a step, in order."""
    for part in parts:
        if part not in values:
            values[part] = low.expression(part)


def step(low: Lowering, step: Step, at: n.Node, known: Values | None = None) -> Value:
    """Lower a step; `known` are values of parts that have been lowered."""
    values: Values = known or {}
    evaluate(low, step.parts, values)
    return Computer(low, values, at).value(step.result)


def _steps(low: Lowering, node: n.Expression) -> Value:
    """Lower a step; its first parts are taken by a loop, as a long sum nests on the left."""
    steps, chain = low.facts.steps, [node]
    while (first := _first_step(low, chain[-1])) is not None:
        chain.append(first)
    known: Values = {}
    for link in reversed(chain):
        known = {link: step(low, steps[link], link, known)}
    return known[node]


def _first_step(low: Lowering, node: n.Expression) -> n.Expression | None:
    """Return the first part of a step if that is an operator and a step, too."""
    facts = low.facts
    part = next(iter(facts.steps[node].parts), None)
    if not isinstance(part, n.BinOp) or part in facts.constants or part in facts.expanded:
        return None
    if part in facts.arms_of_members:
        return None
    return part if part in facts.steps else None


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
        case n.Call() if node not in facts.truths:
            return low.condition(facts.expanded[node].value)  # another test
        case _:
            value = low.expression(node)
            return Computer(low, {node: value}, node).value(facts.truths[node])


def _not(low: Lowering, value: Value, node: n.Node) -> Value:
    return low.emit(elementwise.NOT, value, at=node)


def _chain(low: Lowering, node: n.BoolOp, operands: Sequence[n.Expression]) -> Value:
    """Lower `and` and `or` in a test: the next operand is evaluated only where it matters."""

    def link(operand: n.Expression) -> _Link:
        truth = low.condition(operand)
        decided = partial(low.emit, data.CONST, at=node, value=node.op == "or")
        return _Link(lambda: truth, decided, lambda: truth)

    links = [partial(link, operand) for operand in operands]
    return _decided(low, node, BOOL, links, go_on=node.op == "and")


def _bool_op(low: Lowering, node: n.BoolOp) -> Value:
    """Lower `and` and `or` where the value is wanted."""
    type_, truths = low.facts.types[node], low.facts.truths

    def link(operand: n.Expression) -> _Link:
        value = low.expression(operand)

        def fitted() -> Value:
            is_nothing = operand in low.facts.nothings and operand is not node.values[-1]
            deciding = low.emit(data.CONST, at=node, value=None) if is_nothing else value
            return fit(low, deciding, type_, node)

        return _Link(lambda: Computer(low, {operand: value}, node).value(truths[operand]), fitted)

    links = [partial(link, operand) for operand in low.facts.operands[node]]
    return _decided(low, node, type_, links, go_on=node.op == "and")


def _if_expression(low: Lowering, node: n.IfExp) -> Value:
    choices = [node]
    while isinstance(following := choices[-1].orelse, n.IfExp) and _is_open(low, choices[-1]):
        choices.append(following)
    if len(choices) > MOST_NESTED:
        return _first_chosen(low, choices)
    return _chosen(low, node)


def _is_open(low: Lowering, node: n.IfExp) -> bool:
    """Whether either arm may be the one that runs."""
    runs = low.facts.arms[node]
    return node.test not in low.facts.tests and runs.body_runs and runs.orelse_runs


def _first_chosen(low: Lowering, choices: Sequence[n.IfExp]) -> Value:
    """Lower `a if c else b if d else ...`: each test that holds decides the chain."""
    top = choices[0]
    type_ = low.facts.types[top]

    def link(choice: n.IfExp) -> _Link:
        if choice is choices[-1]:
            value = _chosen(low, choice)
            return _Link(lambda: value, lambda: fit(low, value, type_, top))
        condition = low.condition(choice.test)
        return _Link(lambda: condition, lambda: arm(choice))

    def arm(choice: n.IfExp) -> Value:
        value = fit(low, low.expression(choice.body), low.facts.types[choice], choice)
        return fit(low, value, type_, top)

    links = [partial(link, choice) for choice in choices]
    return _decided(low, top, type_, links, go_on=False)


def _chosen(low: Lowering, node: n.IfExp) -> Value:
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
    type_ = low.facts.types[node]
    values: Values = {node.left: low.expression(node.left)}

    def link(side: n.Expression, comparison: Computation) -> _Link:
        evaluate(low, (side,), values)
        result = Computer(low, values, node).value(comparison)
        return _Link(
            lambda: convert(low, result, BOOL, node),
            lambda: constant(low, Literal(False, type_), node),
            lambda: fit(low, result, type_, node),
        )

    pairs = zip(node.comparators, low.facts.comparisons[node], strict=True)
    return _decided(low, node, type_, [partial(link, *pair) for pair in pairs], go_on=True)


@record(eq=False)
class _Link:
    """What a link of a chain has computed: whether it holds, and the value of the whole chain.

    That is one where it decides the chain, and another where it is the last link; each is emitted
    where it is needed.
    """

    truth: Callable[[], Value]
    decided: Callable[[], Value]
    last: Callable[[], Value] | None = None


def _decided(
    low: Lowering,
    node: n.Expression,
    type_: Type,
    links: Sequence[Callable[[], _Link]],
    *,
    go_on: bool,
) -> Value:
    """Lower links up to the first that decides the chain; `go_on` is the truth of the others."""
    if len(links) > MOST_NESTED:
        return _decided_one_by_one(low, node, type_, links, go_on)
    found = links[0]()
    if len(links) == 1:
        return (found.last or found.decided)()
    truth = found.truth()
    label = Label("if")
    low.builder.open()
    low.builder.exit(label, _decided(low, node, type_, links[1:], go_on=go_on))
    rest = low.builder.close()
    low.builder.open()
    low.builder.exit(label, found.decided())
    done = low.builder.close()
    blocks = [rest, done] if go_on else [done, rest]
    (result,) = low.builder.region(control.IF, [truth], blocks, label, [type_], low.loc(node))
    return result


def _decided_one_by_one(
    low: Lowering,
    node: n.Expression,
    type_: Type,
    links: Sequence[Callable[[], _Link]],
    go_on: bool,
) -> Value:
    """Lower links without nesting: each leaves one block around all of them if it decides."""
    label = Label("links")
    low.builder.open()
    for link in links[:-1]:
        found, test = link(), Label("if")
        truth = found.truth()
        low.builder.open()
        low.builder.exit(test)
        passed = low.builder.close()
        low.builder.open()
        low.builder.exit(label, found.decided())
        done = low.builder.close()
        blocks = [passed, done] if go_on else [done, passed]
        low.builder.region(control.IF, [truth], blocks, test, [], low.loc(node))
    found = links[-1]()
    low.builder.exit(label, (found.last or found.decided)())
    block = low.builder.close()
    (result,) = low.builder.region(control.BLOCK, (), [block], label, [type_], low.loc(node))
    return result
