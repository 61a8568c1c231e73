"""assert, raise and try."""

from collections.abc import Iterator, Sequence

from scriptc.check import exception_kinds
from scriptc.check.bindings import Environment, Maybe, Poisoned, Static, Typed, forget_paths, join
from scriptc.check.checked import Arms, Step
from scriptc.check.constants import is_classes
from scriptc.check.context import Context, operand
from scriptc.check.desugar import stop_values
from scriptc.check.desugar.stars import has_star
from scriptc.check.loops import assigned
from scriptc.check.members import class_type, common_base, exception_base, is_users
from scriptc.check.present import present_raised
from scriptc.check.scopes import assigned_names
from scriptc.syntax import nodes as n
from scriptc_runtime.types import EXCEPTION, STR, ClassType, OptionalType, Type
from scriptc_runtime.values import EXCEPTIONS

_OF_TYPES = ("TypeError", "AttributeError", "FrozenInstanceError", "Exception", "BaseException")


def check_exception(context: Context, node: n.Assert | n.Raise | n.Try) -> None:
    """Check a statement that raises or catches exceptions."""
    match node:
        case n.Assert():
            _assert(context, node)
        case n.Raise():
            _raise(context, node)
        case n.Try():
            _try(context, node)


def _assert(context: Context, node: n.Assert) -> None:
    """Check `assert test, message`; the message is evaluated only where the test fails."""
    condition = context.condition(node.test)
    holds, fails = condition.when_true is not None, condition.when_false is not None
    context.facts.arms[node] = Arms(holds, fails, holds, False, holds)
    if node.msg is not None and condition.when_false is not None:
        context.env = condition.when_false
        _message(context, node, node.msg, "AssertionError")
    context.env = condition.when_true


def _message(context: Context, node: n.Node, message: n.Expression, kind: str) -> None:
    value = context.typed(message, STR)
    given = exception_kinds.argument_of(context, message, value, kind)
    context.facts.steps[node] = Step((message,), given)


def _raise(context: Context, node: n.Raise) -> None:
    """Check `raise`, `raise E`, `raise E(...)`, `raise e`, and each of them with `from`."""
    if node.exc is None:
        if not context.handled:
            context.fail(
                "exception-value",
                "there is no exception to raise again here",
                node,
                instead="name one: raise ValueError(...)",
            )
    elif isinstance(node.exc, n.Call) and _is_plain(node.exc) and node.cause is None:
        _raise_call(context, node, node.exc)
    else:
        _exception(context, node.exc, "raised")
    if node.cause is not None and not _is_none(node.cause):
        _exception(context, node.cause, "a cause")
    context.env = None


def _is_plain(call: n.Call) -> bool:
    """Whether this may be an exception of one argument, or none: code makes it where it leaves."""
    return len(call.args) <= 1 and not call.keywords and not has_star(call)


def _is_none(node: n.Expression) -> bool:
    return isinstance(node, n.Constant) and node.value is None


def _exception(context: Context, node: n.Expression, role: str) -> None:
    """Check an exception, or a class, which stands for one without arguments."""
    value = context.expression(node)
    if isinstance(value, Typed) and role == "raised":
        value = present_raised(context, node, value)
    if isinstance(value, Static):
        if not (isinstance(value.value, type) and is_users(value.value)):
            context.facts.exceptions[node] = (exception_kinds.kind_of(context, node, value.value),)
            return
        call = context.learned.made.setdefault(node, n.Call(node.lo, node.hi, node, (), ()))
        _object(context, node, call, context.typed(call))
    elif isinstance(value.type, ClassType) and exception_base(_live(context, value.type)):
        _object(context, node, node, value)
    elif value.type is not EXCEPTION:
        what = "cannot be raised" if role == "raised" else f"cannot be {role}"
        instead = "test `is not None` first" if isinstance(value.type, OptionalType) else ""
        context.fail(
            "exception-value",
            f"{value.type} {what}",
            node,
            instead=instead or "raise ValueError(...)",
        )


def _live(context: Context, type_: ClassType) -> type:
    return context.class_named(type_.name).live


def _object(context: Context, node: n.Expression, made: n.Expression, value: Typed) -> None:
    """Note that the exception is an object of a class of the program."""
    whole = exception_kinds.exception_in(context, node, operand(made, value))
    context.facts.raised[node] = Step((made,), whole)


def _raise_call(context: Context, node: n.Raise, call: n.Call) -> None:
    callee = context.callee(call)
    live = callee.value if isinstance(callee, Static) else None
    if not isinstance(live, type) or is_users(live):
        _exception(context, call, "raised")
        return
    kind = exception_kinds.kind_of(context, call.func, live)
    context.facts.exceptions[node] = (kind,)
    if call.args:
        _message(context, node, call.args[0], kind)


def _try(context: Context, node: n.Try) -> None:
    """Check `try` with its handlers, `else` and `finally`."""
    assert context.env is not None
    before = dict(context.env)
    frames = [*context.loops, *context.labels.values()]
    marks = [(len(frame.breaks), len(frame.nexts)) for frame in frames]
    expects = any(map(_catches_type_errors, node.handlers))
    context.tolerates += expects
    context.block(node.body)
    context.tolerates -= expects
    end = context.reached()
    start = _anywhere(context, before, assigned(context, node.body))
    if end is not None:
        context.env = end
        context.block(node.orelse)
        end = context.reached()
    ends = [end]
    stop_values.find_stop_values(context, node)
    for handler in node.handlers:
        context.env = dict(start)
        ends.append(_handler(context, handler))
    for arm in ends[1:]:
        end = join(end, arm)
    context.env = end
    if node.finalbody:
        _finally(context, node, before, end)
    goes_on = context.reached() is not None
    context.facts.arms[node] = Arms(True, True, ends[0] is not None, end is not None, goes_on)
    _forget_inner(context, node, marks)


def _forget_inner(context: Context, node: n.Try, marks: list[tuple[int, int]]) -> None:
    """Drop the variables that only the statement mentions from every way out of it."""
    inner = [a for a in assigned(context, (node,)) if a not in context.learned.cells]
    ways = [context.reached()]
    frames = [*context.loops, *context.labels.values()]
    for frame, (breaks, nexts) in zip(frames, marks, strict=True):
        ways += [*frame.breaks[breaks:], *frame.nexts[nexts:]]
    for env in ways:
        if env is None:
            continue
        for name in inner:
            env.pop(name, None)


def _anywhere(context: Context, before: Environment, names: frozenset[str]) -> Environment:
    """Return the variables where `names` may or may not have been assigned since."""
    env = forget_paths(before)
    for name in names:
        if name in context.learned.cells:
            # Whoever reads it gets the type of the cell.
            env[name] = Maybe(Poisoned())
        else:
            env.pop(name, None)
    return env


def _handler(context: Context, node: n.ExceptHandler) -> Environment | None:
    assert context.env is not None
    caught = _caught(context, node)
    if node.type and not context.facts.exceptions[node] and not context.facts.caught[node]:
        return None  # there are no objects of what it catches
    if node.name:
        type_ = _type_caught(context, node, caught)
        context.env[node.name] = Typed(type_, context.span(node))
    # What the handler binds the name to anew may be of any class.
    is_bound_anew = node.name in assigned_names(node.body)
    context.handled.append((node.name, () if is_bound_anew else tuple(caught)))
    context.block(node.body)
    context.handled.pop()
    end = context.reached()
    if node.name and end is not None:
        end.pop(node.name, None)
    return end


def _catches_type_errors(node: n.ExceptHandler) -> bool:
    """Whether a handler says that operations without a meaning are expected."""
    if isinstance(node.type, n.Tuple):
        classes = node.type.elts
    else:
        classes = (node.type,) if node.type else ()
    names = [c.id if isinstance(c, n.Name) else getattr(c, "attr", "") for c in classes]
    return not classes or any(name in _OF_TYPES for name in names)


def _caught(context: Context, node: n.ExceptHandler) -> list[type]:
    """Note the classes a handler catches, and return them; none stands for all."""
    classes: n.Expressions = ()
    if node.type is not None:
        classes = node.type.elts if isinstance(node.type, n.Tuple) else (node.type,)
    kinds: list[str] = []
    objects: list[str] = []
    found: list[type] = []
    for item, live in _named(context, classes):
        if isinstance(live, type) and is_users(live) and exception_base(live):
            objects += exception_kinds.names_below(context, live, item)
            found.append(live)
        else:
            kinds.append(exception_kinds.kind_of(context, item, live))
            found.append(EXCEPTIONS[kinds[-1]])
    context.facts.exceptions[node] = tuple(kinds)
    context.facts.caught[node] = tuple(dict.fromkeys(objects))
    return found


def _named(context: Context, nodes: n.Expressions) -> Iterator[tuple[n.Expression, object]]:
    """Yield what stands for classes in a handler, with each class."""
    for node in nodes:
        value = context.expression(node)
        live = value.value if isinstance(value, Static) else value.type
        for one in live if is_classes(live) else (live,):
            yield node, one


def _type_caught(context: Context, node: n.ExceptHandler, caught: Sequence[type]) -> Type:
    """Return what the variable of a handler is: an object, where it is of one class for sure."""
    common = common_base(caught)
    if common is None or not context.facts.caught[node]:
        return EXCEPTION
    type_ = class_type(common)
    context.facts.types[node] = type_
    return type_


def _finally(context: Context, node: n.Try, before: Environment, end: Environment | None) -> None:
    """Check `finally` once for every way into it, so in what holds on all of them."""
    parts = (*node.body, *(s for h in node.handlers for s in h.body), *node.orelse)
    context.env = _anywhere(context, before, assigned(context, parts))
    context.block(node.finalbody)
    after = context.reached()
    if after is None or end is None:
        context.env = None
        return
    # What `finally` assigns is in cells; all else is as the end of the statement left it.
    changed = assigned(context, node.finalbody)
    context.env = {**forget_paths(end), **{k: v for k, v in after.items() if k in changed}}
