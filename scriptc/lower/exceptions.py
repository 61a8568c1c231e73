"""assert, raise and try.

`finally` has no op: its statements are copied to every way out.  An exit from inside first leaves
the `try`, so that what `finally` raises is not caught there; each kind of exit has a block:

    block @normal { block @return { try { ... exit @return value ... } { finally; reraise } }
                    finally; exit @function value }
    finally
"""

from collections.abc import Callable, Sequence
from functools import partial

from scriptc.lower.context import Leave, Lowering
from scriptc.lower.expressions import step
from scriptc.syntax import nodes as n
from scriptc.syntax.leaves import leaves, left_labels
from scriptc_runtime.ir import Label, Loc, Value
from scriptc_runtime.ops import control, elementwise, exceptions
from scriptc_runtime.ops.opdef import Attr
from scriptc_runtime.record import record
from scriptc_runtime.types import EXCEPTION, ClassType, Type


def lower_exception(low: Lowering, node: n.Assert | n.Raise | n.Try) -> None:
    """Lower a statement that raises or catches exceptions."""
    match node:
        case n.Assert():
            _assert(low, node)
        case n.Raise():
            _raise(low, node)
        case n.Try():
            _try(low, node)


def _assert(low: Lowering, node: n.Assert) -> None:
    """Lower `assert`; its message is made only where the test fails."""
    known = low.facts.tests.get(node.test)
    if known is True:
        return
    if known is False:
        _raise_assertion(low, node)
        return
    condition = low.condition(node.test)
    arms = low.facts.arms[node]
    if not arms.orelse_runs:
        return
    if not arms.body_runs:
        _raise_assertion(low, node)
        return
    label = Label("if")
    low.builder.open()
    low.builder.exit(label)
    passed = low.builder.close()
    env = dict(low.env)
    low.builder.open()
    _raise_assertion(low, node)
    low.env, low.reachable = env, True
    failed = low.builder.close()
    low.builder.region(control.IF, [condition], [passed, failed], label, [], low.loc(node))


def _raise_assertion(low: Lowering, node: n.Assert) -> None:
    message = [step(low, low.facts.steps[node], node)] if node.msg is not None else []
    low.terminate(control.RAISE, *message, at=node, kind="AssertionError")


def _raise(low: Lowering, node: n.Raise) -> None:
    """Lower `raise` in all its forms."""
    kinds = low.facts.exceptions.get(node)
    if kinds:
        message = [step(low, low.facts.steps[node], node)] if node in low.facts.steps else []
        low.terminate(control.RAISE, *message, at=node, kind=kinds[0])
        return
    if node.exc is None:
        assert low.exception is not None
        # In CPython `raise e` adds its line to the traceback, `raise` alone does not.
        low.terminate(control.RERAISE, low.exception, at=node, traced=False)
        return
    exception = _made(low, node.exc)
    if node.cause is not None:
        is_none = isinstance(node.cause, n.Constant)
        cause = [] if is_none else [_made(low, node.cause)]
        low.effect(exceptions.SET_CAUSE, exception, *cause, at=node)
    low.terminate(control.RERAISE, exception, at=node, traced=True)


def _made(low: Lowering, node: n.Expression) -> Value:
    """Lower an exception, or a class, which stands for one without arguments."""
    kinds = low.facts.exceptions.get(node)
    if kinds:
        return low.emit(exceptions.NEW_EXCEPTION, at=node, kind=kinds[0])
    if node in low.facts.raised:
        return step(low, low.facts.raised[node], node)
    return low.expression(node)


def _try(low: Lowering, node: n.Try) -> None:
    """Lower `try`."""
    if not node.finalbody:
        _handled(low, node)
        return
    _finally(low, node)


def _handled(low: Lowering, node: n.Try) -> None:
    """Lower the body with its handlers and its `else`, which they do not protect."""
    if not node.handlers:
        low.block(node.body)
        low.block(node.orelse)
        return
    env = dict(low.env)
    done, label = Label("block"), Label("try")
    end = done if node.orelse else label
    if node.orelse:
        low.builder.open()
    low.builder.open()
    low.block(node.body)
    body_ends = low.reachable
    if body_ends:
        low.exit(label)
    body = low.builder.close()
    exception = Value(EXCEPTION)
    low.builder.open(exception)
    reached = _handlers(low, node, exception, end, env)
    handler = low.builder.close()
    low.env, low.reachable = dict(env), True
    low.builder.region(control.TRY, [], [body, handler], label, [], low.loc(node))
    if not node.orelse:
        _go_on(low, node, body_ends or reached)
        return
    _go_on(low, node, body_ends)
    low.block(node.orelse)
    orelse_ends = low.reachable
    if orelse_ends:
        low.exit(done)
    low.env, low.reachable = dict(env), True
    low.builder.region(control.BLOCK, [], [low.builder.close()], done, [], low.loc(node))
    _go_on(low, node, orelse_ends or reached)


def _go_on(low: Lowering, node: n.Node, is_reached: bool) -> None:
    if not is_reached:
        low.unreachable(node)


def _handlers(
    low: Lowering, node: n.Try, exception: Value, end: Label, env: dict[str, Value]
) -> bool:
    """Lower the clauses in order; return whether one of them ends."""
    outer, low.exception = low.exception, exception
    reached = False
    for handler in node.handlers:
        low.env, low.reachable = dict(env), True
        if handler.type is None:
            _bind(low, handler, exception)
            low.block(handler.body)
            reached = reached or low.reachable
            if low.reachable:
                low.exit(end)
            low.exception = outer
            return reached
        if handler.type and not low.facts.exceptions[handler] and not low.facts.caught[handler]:
            continue  # there are no objects of what it catches
        reached = _clause(low, handler, exception, end) or reached
    low.reachable = True
    low.terminate(control.RERAISE, exception, at=node, traced=False)
    low.exception = outer
    return reached


def _bind(low: Lowering, handler: n.ExceptHandler, exception: Value) -> None:
    """Give the variable of a handler its value: the object where it is one of a known class."""
    if not handler.name:
        return
    type_ = low.facts.types.get(handler)
    if isinstance(type_, ClassType):
        names = low.facts.caught[handler]
        attrs: dict[str, Attr] = {"cls": type_.name, "classes": names}
        exception = low.emit(exceptions.OBJECT_OF, exception, at=handler, **attrs)
    low.env[handler.name] = exception


def _clause(low: Lowering, handler: n.ExceptHandler, exception: Value, end: Label) -> bool:
    matches = _matches(low, handler, exception)
    label = Label("if")
    low.builder.open()
    _bind(low, handler, exception)
    low.block(handler.body)
    ends = low.reachable
    if ends:
        low.exit(end)
    caught = low.builder.close()
    low.reachable = True
    low.builder.open()
    low.builder.exit(label)
    other = low.builder.close()
    low.builder.region(control.IF, [matches], [caught, other], label, [], low.loc(handler))
    return ends


def _matches(low: Lowering, at: n.ExceptHandler, exception: Value) -> Value:
    result: Value | None = None
    for kind in low.facts.exceptions[at]:
        test = low.emit(exceptions.IS_EXCEPTION, exception, at=at, kind=kind)
        result = test if result is None else low.emit(elementwise.OR, result, test, at=at)
    if names := low.facts.caught[at]:
        test = low.emit(exceptions.IS_OBJECT, exception, at=at, classes=names)
        result = test if result is None else low.emit(elementwise.OR, result, test, at=at)
    assert result is not None
    return result


_Exits = tuple[Callable[[Value, Loc], None], Leave | None, Leave | None, dict[str, Leave]]


@record(frozen=False)
class _Way:
    """A kind of exit that crosses a `finally`: the block it leaves to, and where it goes on.

    What is written behind a `raise` is no exit: of one that is not `taken` no variables are known.
    """

    label: Label
    types: Sequence[Type]
    resume: Callable[[Sequence[Value]], None]
    taken: bool = False


def _finally(low: Lowering, node: n.Try) -> None:
    """Lower a `try` with `finally`: one block for each kind of exit from inside."""
    outer = low.leave_function, low.leave_loop, low.next_round, dict(low.labels)
    ways = _ways(low, node)
    normal = Label("block")
    env = dict(low.env)
    for _ in range(len(ways) + 1):
        low.builder.open()
    ends = _protected(low, node, normal, outer)
    _restore(low, outer)
    for way in ways:
        block = low.builder.close()
        low.env, low.reachable = dict(env), True
        results = low.builder.region(
            control.BLOCK, [], [block], way.label, way.types, low.loc(node)
        )
        if not way.taken:
            low.unreachable(node)
            continue
        low.block(node.finalbody)
        if low.reachable:
            way.resume(results)
    block = low.builder.close()
    low.env, low.reachable = dict(env), True
    low.builder.region(control.BLOCK, [], [block], normal, [], low.loc(node))
    if ends:
        low.block(node.finalbody)
    else:
        low.unreachable(node)


def _restore(low: Lowering, exits: _Exits) -> None:
    low.leave_function, low.leave_loop, low.next_round, labels = exits
    low.labels = dict(labels)


def _ways(low: Lowering, node: n.Try) -> list[_Way]:
    """Make the exits of the function and the loop lead to blocks of this `finally`."""
    parts = (*node.body, *(s for h in node.handlers for s in h.body), *node.orelse)
    found = leaves(parts)
    leave_function, loc = low.leave_function, low.loc(node)
    ways: list[_Way] = []
    if found["return"]:
        way = _Way(Label("block"), [low.function.result], lambda v: leave_function(v[0], loc))
        ways.append(way)
        low.leave_function = partial(_leave_with, low, way)
    if found["break"] and low.leave_loop:
        low.leave_loop = _jump(low, ways, low.leave_loop)
    if found["continue"] and low.next_round:
        low.next_round = _jump(low, ways, low.next_round)
    for name in left_labels(parts):
        if name in low.labels:
            low.labels[name] = _jump(low, ways, low.labels[name])
    return ways


def _leave_with(low: Lowering, way: _Way, value: Value, loc: Loc) -> None:
    way.taken = True
    low.builder.exit(way.label, value, loc=loc)
    low.reachable = False


def _jump(low: Lowering, ways: list[_Way], resume: Leave) -> Leave:
    way = _Way(Label("block"), [], lambda _: resume())
    ways.append(way)

    def leave() -> None:
        way.taken = True
        low.exit(way.label)

    return leave


def _protected(low: Lowering, node: n.Try, normal: Label, outer: _Exits) -> bool:
    """Lower all that `finally` covers; return whether its end is reached."""
    label = Label("try")
    low.builder.open()
    _handled(low, node)
    ends = low.reachable
    if ends:
        low.exit(label)
    body = low.builder.close()
    exception = Value(EXCEPTION)
    low.builder.open(exception)
    low.reachable = True
    _restore(low, outer)
    low.block(node.finalbody)
    if low.reachable:
        low.terminate(control.RERAISE, exception, at=node, traced=False)
    handler = low.builder.close()
    low.builder.region(control.TRY, [], [body, handler], label, [], low.loc(node))
    low.reachable = True
    if ends:
        low.exit(normal)
    else:
        low.unreachable(node)
    return ends
