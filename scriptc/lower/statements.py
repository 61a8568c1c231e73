"""Statements: assignments, returns, branches."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from scriptc.check.checked import Write
from scriptc.lower import loops
from scriptc.lower.blocks import BLOCKS
from scriptc.lower.computations import Computer
from scriptc.lower.context import Lowering, Values
from scriptc.lower.expressions import evaluate, step
from scriptc.syntax import nodes as n
from scriptc.syntax.blocks import Labelled, LeaveTo
from scriptc.syntax.leaves import arms_of
from scriptc_runtime.ir import Block, Label, Value
from scriptc_runtime.ops import arrays, control, data, named
from scriptc_runtime.types import NONE, NamedType


def lower_block(low: Lowering, body: n.Body) -> None:
    """Lower statements, up to one that does not end."""
    for statement in body:
        if not low.reachable:
            return
        lower_statement(low, statement)


def lower_statement(low: Lowering, node: n.Statement) -> None:
    """Lower one statement."""
    if node in low.facts.endings:
        low.block(low.facts.endings[node])
    else:
        _LOWER[type(node)](low, node)


def _annotated(low: Lowering, node: n.AnnAssign) -> None:
    if node.value is None or node in low.facts.silent:
        return
    # What is declared may be a conversion.
    declared = low.facts.steps.get(node)
    value = step(low, declared, node) if declared else low.expression(node.value)
    low.assign(node.target, value)


def _expression(low: Lowering, node: n.Expr) -> None:
    expansion = low.facts.expanded.get(node) or low.facts.expanded.get(node.value)
    if expansion is not None and isinstance(expansion.value, n.Constant):
        low.begin(expansion.names, node.value)
        low.block(expansion.body)  # which may always raise
    elif not isinstance(node.value, n.Constant):
        low.expression(node.value)


def _break(low: Lowering, node: n.Break) -> None:
    assert low.leave_loop
    low.leave_loop()


def _continue(low: Lowering, node: n.Continue) -> None:
    assert low.next_round
    low.next_round()


def _with(low: Lowering, node: n.With) -> None:
    expansion = low.facts.expanded.get(node)
    # There are no warnings to silence.
    low.block(node.body if expansion is None else expansion.body)


def _define(low: Lowering, node: n.FunctionDef) -> None:
    """Lower a nested function, which is nothing unless it is an object."""
    if node in low.facts.steps:
        bind(low, node, node.name, step(low, low.facts.steps[node], node))


def _pass(low: Lowering, node: n.Pass | n.Import | n.Nonlocal) -> None:
    pass


def _import(low: Lowering, node: n.ImportFrom) -> None:
    """Lower the assignments that an import of constants is short for."""
    if node in low.facts.expanded:
        low.block(low.facts.expanded[node].body)


def _assign(low: Lowering, node: n.Assign) -> None:
    if node in low.facts.silent:
        return
    if node in low.facts.expanded:
        low.block(low.facts.expanded[node].body)
        return
    pairs = low.facts.pairs.get(node)
    if pairs:
        values = [low.expression(value) for _, value in pairs]
        for (target, _), value in zip(pairs, values, strict=True):
            low.assign(target, value)
        return
    value = low.expression(node.value)
    for target in node.targets:
        low.assign(target, value)


def assign_target(low: Lowering, target: n.Expression, value: Value) -> None:
    """Lower an assignment to one target."""
    match target:
        case n.Name(id=name):
            bind(low, target, name, value)
        case n.Tuple():
            _unpack(low, target, value)
        case n.Attribute() if target in low.facts.reshaped:
            reshaped = low.facts.reshaped[target]
            values: Values = {}
            evaluate(low, reshaped.parts, values)
            result = Computer(low, values, target, value).value(reshaped.result)
            low.assign(target.value, result)
        case n.Attribute() if field := low.field_variable(target):
            conversion = low.facts.conversions.get(target)
            if conversion:
                value = Computer(low, {}, target, value).value(conversion)
            bind(low, target, field, value)
        case n.Subscript() | n.Attribute():
            write(low, target, low.facts.writes[target], {}, value)
        case _:
            raise AssertionError(target)


def _unpack(low: Lowering, target: n.Tuple, value: Value) -> None:
    if isinstance(value.type, NamedType):
        value = low.emit(named.PLAIN, value, at=target)
    if target in low.facts.unpacked:
        computer = Computer(low, {}, target, value)
        items = [computer.value(item) for item in low.facts.unpacked[target]]
    else:
        places = range(len(target.elts))
        items = [low.emit(data.ITEM, value, at=target, index=i) for i in places]
    for elt, item in zip(target.elts, items, strict=True):
        low.assign(elt.value if isinstance(elt, n.Starred) else elt, item)


def bind(low: Lowering, at: n.Node, name: str, value: Value) -> None:
    """Give a variable a value."""
    if name in low.cells:
        type_ = low.function.cells[name]
        low.effect(control.CELL_SET, low.cells[name], low.fit(value, type_, at), at=at)
    else:
        low.env[name] = value


def write(low: Lowering, at: n.Node, write: Write, values: Values, stored: Value) -> None:
    """Put a value into an element, a view, an item or a field."""
    evaluate(low, write.parts, values)
    computer = Computer(low, values, at, stored)
    operands = [computer.value(operand) for operand in write.operands]
    if write.op is not None:
        low.effect(write.op, *operands, at=at, **write.attrs)


def _augmented(low: Lowering, node: n.AugAssign) -> None:
    if node in low.facts.expanded:
        low.block(low.facts.expanded[node].body)
        return
    update = low.facts.updates[node]
    values: Values = {}
    if update.current is None:
        current = low.expression(node.target)
    else:
        evaluate(low, update.parts, values)
        current = Computer(low, values, node.target).value(update.current)
    values[node.target] = current
    evaluate(low, [node.value], values)
    result = Computer(low, values, node).value(update.result)
    if update.in_place:
        if result.type is not NONE:  # as of lists, which the computation has written to
            low.effect(arrays.ASSIGN, current, result, at=node)
        result = current
    if not update.is_stored:
        return
    if update.current is None:
        low.assign(node.target, result)
    else:
        write(low, node, low.facts.writes[node.target], values, result)


def _delete(low: Lowering, node: n.Delete) -> None:
    targets = list(node.targets)
    while targets:
        target = targets.pop(0)
        if isinstance(target, n.Tuple):
            targets = [*target.elts, *targets]
        elif target in low.facts.writes:
            nothing = low.emit(data.CONST, at=target, value=None)
            write(low, target, low.facts.writes[target], {}, nothing)


def _return(low: Lowering, node: n.Return) -> None:
    if node in low.facts.expanded:
        low.block(low.facts.expanded[node].body)  # which raises
        return
    if low.function.constructs:
        low.leave_function(low.construct(node), low.loc(node))
        return
    if node.value is None:
        value = low.emit(data.CONST, at=node, value=None)
    elif node in low.facts.steps:
        value = step(low, low.facts.steps[node], node)
    else:
        value = low.expression(node.value)
    low.leave_function(low.fit(value, low.function.result, node), low.loc(node))


def _if(low: Lowering, node: n.If) -> None:
    arms = arms_of(node)
    if len(arms) == 1:
        _lone_if(low, node)
    elif low.facts.arms[node].goes_on:
        _join_all(low, node, arms)
    else:
        _each_arm(low, arms, lambda _: None)


def _join_all(low: Lowering, node: n.If, arms: Sequence[n.If]) -> None:
    """Lower arms of which some come to their end: they leave one block around all of them."""
    joined = low.facts.joins[node]
    label = Label("arms")
    env = low.env
    low.env = dict(env)
    low.builder.open()
    _each_arm(low, arms, lambda at: low.exit(label, *low.carried(joined, at)))
    block = low.builder.close()
    low.env, low.reachable = env, True
    results = low.builder.region(
        control.BLOCK, (), [block], label, list(joined.values()), low.loc(node)
    )
    low.rebind(joined, results)


def _each_arm(low: Lowering, arms: Sequence[n.If], end: Callable[[n.If], None]) -> None:
    """Lower tests one after the other, each with its arm; `end` ends one that comes to its end."""
    for arm in arms:
        known, runs = low.facts.tests.get(arm.test), low.facts.arms[arm]
        condition = None if known is not None else low.condition(arm.test)
        if not runs.body_runs:
            continue
        if condition is None or not runs.orelse_runs:
            low.block(arm.body)
            break
        label = Label("if")
        env = dict(low.env)
        low.builder.open()
        low.block(arm.body)
        if low.reachable:
            end(arm)
        taken = low.builder.close()
        low.env, low.reachable = env, True
        low.builder.open()
        low.builder.exit(label)
        passed = low.builder.close()
        low.builder.region(control.IF, [condition], [taken, passed], label, [], low.loc(arm))
    else:
        low.block(arms[-1].orelse)
    if low.reachable:
        end(arms[-1])


def _lone_if(low: Lowering, node: n.If) -> None:
    known = low.facts.tests.get(node.test)
    arms = low.facts.arms[node]
    if known is not None:
        low.block(node.body if known else node.orelse)
        return
    condition = low.condition(node.test)
    if not (arms.body_runs and arms.orelse_runs):
        low.block(node.body if arms.body_runs else node.orelse)
    elif arms.body_ends and arms.orelse_ends:
        _join(low, node, condition)
    else:
        _leaving_arm(low, node, condition, arms.body_ends)


def _leaving_arm(low: Lowering, node: n.If, condition: Value, body_ends: bool) -> None:
    """Lower an `if` of which one arm leaves: the other one needs no block of its own."""
    leaving, staying = (node.orelse, node.body) if body_ends else (node.body, node.orelse)
    label = Label("if")
    env = dict(low.env)
    low.builder.open()
    low.block(leaving)
    left = low.builder.close()
    low.env, low.reachable = env, True
    low.builder.open()
    low.builder.exit(label)
    stayed = low.builder.close()
    blocks = [stayed, left] if body_ends else [left, stayed]
    low.builder.region(control.IF, [condition], blocks, label, [], low.loc(node))
    low.block(staying)


def _join(low: Lowering, node: n.If, condition: Value) -> None:
    joined = low.facts.joins[node]
    label = Label("if")
    env = low.env
    blocks: list[Block] = []
    for body in (node.body, node.orelse):
        low.env = dict(env)
        low.builder.open()
        low.block(body)
        low.exit(label, *low.carried(joined, node))
        low.reachable = True
        blocks.append(low.builder.close())
    low.env = env
    results = low.builder.region(
        control.IF, [condition], blocks, label, list(joined.values()), low.loc(node)
    )
    low.rebind(joined, results)


def _exception(low: Lowering, node: n.Assert | n.Raise | n.Try) -> None:
    # Inside a function: few programs raise or catch.
    from scriptc.lower.exceptions import lower_exception

    lower_exception(low, node)


# Each function takes nodes of the class it stands under.
_LOWER: Mapping[type[n.Statement], Callable[[Lowering, Any], None]] = {
    n.AnnAssign: _annotated,
    n.Assert: _exception,
    n.Assign: _assign,
    n.AugAssign: _augmented,
    Labelled: loops.lower_labelled,
    LeaveTo: loops.lower_leave,
    n.Break: _break,
    n.Continue: _continue,
    n.Delete: _delete,
    n.Expr: _expression,
    n.For: loops.lower_for,
    n.FunctionDef: _define,
    n.If: _if,
    n.Import: _pass,
    n.ImportFrom: _import,
    n.Nonlocal: _pass,
    n.Pass: _pass,
    n.Raise: _exception,
    n.Return: _return,
    n.Try: _exception,
    n.While: loops.lower_while,
    n.With: _with,
    **BLOCKS,
}
