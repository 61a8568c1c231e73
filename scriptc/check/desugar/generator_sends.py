"""What generators are given where they are resumed: `g.send(x)`, `g.throw(e)`, `g.close()`.

A function that resumes has parameters more for what may be sent, and for an exception, where the
program has such calls. `yield from` hands both on:

    value = yield from g     from@ = g; from@.__like__(); given@ = from@.__resume__()
                             while given@ is not None:
                                 try: got@ = yield given@[0]
                                 except GeneratorExit: from@.close(); raise
                                 except BaseException as error@: given@ = from@.__thrown__(error@)
                                 else: given@ = from@.__sent__(got@)
"""

from collections.abc import Mapping

from scriptc.check import exception_kinds
from scriptc.check.bindings import Fixed, Static, Typed, forget_paths, merge
from scriptc.check.checked import Check, Computation, Convert, Invoke, Literal
from scriptc.check.context import Context, operand
from scriptc.check.generator_classes import (
    DROP,
    LIKE,
    OVER,
    RESUME,
    SENT,
    STATE,
    THROWN,
    GeneratorClass,
    Given,
    resumed,
)
from scriptc.check.library.standard import is_standard, standard_function
from scriptc.check.members import exception_base
from scriptc.check.python import ranges
from scriptc.check.size_names import without_sizes
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.ops import data, elementwise
from scriptc_runtime.record import replace
from scriptc_runtime.types import (
    EXCEPTION,
    INT,
    NONE,
    ClassType,
    ListType,
    OptionalType,
    TupleType,
    Type,
    UnionType,
    is_hashable,
    parts_of,
)

GIVING = ("send", "throw", "close", SENT, THROWN, LIKE, DROP)


def resumption(
    context: Context,
    node: n.Node,
    whole: Computation,
    generator: GeneratorClass,
    sent: Computation | None = None,
    thrown: Computation | None = None,
) -> Invoke:
    """Return the call that resumes a generator, and gives it something."""
    if generator.item is None:
        generator.asked = True
        raise context.not_known_yet(node)
    context.callees[generator.resume] = None
    forget_shared(context)
    given: list[Computation] = [whole]
    if generator.given.sent is not None:
        given.append(sent or context.apply(node, data.NOTHING, item=generator.given.sent))
    if generator.given.is_thrown:
        given.append(thrown or context.apply(node, data.NOTHING, item=EXCEPTION))
    return Invoke(generator.resume, tuple(given), resumed(generator.item))


def forget_shared(context: Context) -> None:
    """Forget what other code may change meanwhile: fields, and variables that are shared."""
    if context.env is None:
        return
    context.env = forget_paths(context.env)
    for name in context.shared:
        context.env.pop(name, None)


def item_of(
    context: Context, node: n.Node, whole: Computation, generator: GeneratorClass, found: Invoke
) -> Computation:
    """Return the item that resuming gave; a generator at its end raises StopIteration."""
    if generator.returned is None:
        generator.asked = True
        raise context.not_known_yet(node)
    if generator.returned is not NONE:
        says = is_hashable(generator.returned)
        function = standard_function("generators", "item_given" if says else "item_alone")
        return context.call(node, function, [found, whole] if says else [found])
    given = context.apply(node, data.UNWRAP, found)
    item = context.apply(node, data.ITEM, given, index=0)
    more = context.apply(node, data.HAS_VALUE, found)
    return Check(more, "StopIteration", "", item, item.type)


def has_ended(context: Context, node: n.Node, whole: Computation) -> Computation:
    """Return whether a generator has just returned."""
    state = context.apply(node, data.FIELD, whole, name=STATE, type=INT)
    return context.apply(node, elementwise.EQ, state, Literal(OVER, INT))


def check_giving(
    context: Context,
    node: n.Call,
    base: n.Expression,
    whole: Computation,
    generator: GeneratorClass,
    method: str,
) -> Typed:
    """Check a call of a method that gives a generator something."""
    if is_standard(generator.key.function) and method in ("send", "throw", "close"):
        message = f"this iterator has no {method}(): it is no generator"
        context.fail("unknown-method", message, node, instead="a generator function")
    if method == LIKE:
        _note_like(context, node, generator)
        return context.record(node, [base], Literal(None, NONE))
    args = 0 if method in ("close", DROP) else 1
    if len(node.args) != args or node.keywords or isinstance(node.args[:1], n.Starred):
        context.fail("call-arity", f"{method}() takes {'an' if args else 'no'} argument", node)
    if not args:
        context.rounds.given.throw(generator.given)
        function = standard_function("generators", method.strip("_"))
        return context.record(node, [base], context.call(node, function, [whole]))
    (argument,) = node.args
    if method in ("throw", THROWN):
        context.rounds.given.throw(generator.given)
        at, exception = _thrown(context, argument)
        thrown = context.apply(node, data.SOME, exception)
        found = resumption(context, node, whole, generator, thrown=thrown)
    else:
        at, sent = argument, _sent(context, argument, generator)
        found = resumption(context, node, whole, generator, sent=sent)
    given: Computation = found
    if method in ("send", "throw"):
        given = item_of(context, node, whole, generator, found)
    return context.record(node, [base, at], given)


def _sent(
    context: Context, argument: n.Expression, generator: GeneratorClass
) -> Computation | None:
    """Return what is sent, as the generator takes it; None where that is None."""
    value = context.typed(argument)
    context.require_items(argument, value)
    type_ = without_sizes(value.type)
    given = operand(argument, value)
    held: Type = type_.item if isinstance(type_, OptionalType) else type_
    if held is NONE:
        return None
    known = _note_sent(context, argument, generator, replace(value, type=held))
    if isinstance(type_, OptionalType):
        return given if type_.item == known else Convert(given, OptionalType(known))
    return Convert(given, OptionalType(known))


def _note_sent(context: Context, at: n.Node, generator: GeneratorClass, value: Typed) -> Type:
    """Note that something is sent to a generator, and return as what."""
    given, known = generator.given, generator.given.sent
    if isinstance(value.type, UnionType):
        message = f"{value.type} is sent, which is of several types"
        context.fail("yield", message, at, instead="send an object that holds it")
    _note_classes(context, at, value.type, set())
    span = context.span(at)
    merged = value if known is None else merge(Typed(known, span), replace(value, span=span))
    if merged is None:
        assert known is not None
        message = f"{value.type} is sent here and {known} elsewhere"
        why = "what is sent to a generator has one type"
        context.refuse_merge(message, at, Typed(known, span), value, why=why)
    sent = without_sizes(merged.type)
    if sent != known:
        context.rounds.given.send(given, sent)
        raise context.not_known_yet(at)
    return sent


def _note_classes(context: Context, at: n.Node, type_: Type, known: set[str]) -> None:
    """Note the classes of the objects that are sent, which a generator is to know at once."""
    for part in parts_of(type_):
        _note_classes(context, at, part, known)
    if not isinstance(type_, ClassType) or type_.name in known:
        return
    if context.generator_class(type_.name) or context.function_called(type_.name):
        if known:
            return  # an object holds it
        message = "a function or a generator is sent to a generator"
        context.fail("yield", message, at, instead="send an object that has it in a field")
    known.add(type_.name)
    checked = context.class_named(type_.name)
    context.rounds.given.classes.add(checked.live)
    for field in checked.fields.values():
        _note_classes(context, at, field, known)


def _note_like(context: Context, node: n.Node, generator: GeneratorClass) -> None:
    """Note that a generator is given what the one gets that hands it on."""
    assert context.generator is not None
    given = context.generator.given
    if given.is_thrown:
        context.rounds.given.throw(generator.given)
    if given.sent is not None:
        _note_sent(context, node, generator, Typed(given.sent, context.span(node)))


def _thrown(context: Context, argument: n.Expression) -> tuple[n.Expression, Computation]:
    """Return an exception that is given, or the one that a class stands for."""
    found = context.expression(argument)
    at = argument
    if isinstance(found, Static):
        lo, hi = argument.lo, argument.hi
        at = context.learned.made.setdefault(argument, n.Call(lo, hi, argument, (), ()))
        found = context.typed(at)
    whole = operand(at, found)
    if isinstance(found.type, ClassType):
        live = context.class_named(found.type.name).live
        if exception_base(live):
            return at, exception_kinds.exception_in(context, at, whole)
    if found.type is not EXCEPTION:
        message = f"{found.type} cannot be thrown"
        context.fail("exception-value", message, argument, instead="g.throw(ValueError(...))")
    return at, whole


def refused_sends(context: Context, node: n.YieldFrom, given: n.Yield) -> tuple[n.Call, str]:
    """Return what asks an iterator of Python's own to take what is sent, which it refuses."""
    value = context.expression(node.value)
    type_ = value.type if isinstance(value, Typed) else None
    kind = next((kind for cls, kind in _ITERATORS.items() if isinstance(type_, cls)), None)
    if isinstance(value, Typed) and ranges.is_range(value):
        kind = "range_iterator"
    if kind is None:
        message = "what is sent to a generator cannot be handed on to this"
        context.fail("yield", message, node, instead="for item in ...: yield item")
    lo, hi = node.lo, node.hi
    name = n.Name(lo, hi, f"{_REFUSE}@{lo}:{hi}")
    return n.Call(lo, hi, name, (given, n.Constant(lo, hi, kind, None)), ()), name.id


def forwarding_loop(node: n.YieldFrom, given: Given) -> Expansion:
    """Return what a `yield from` stands for in a generator that is given something."""
    lo, hi = node.lo, node.hi

    def name(text: str) -> n.Name:
        # Each mention is a node of its own: what is known of one is not known of another.
        return n.Name(lo, hi, f"{text}@{lo}:{hi}")

    def call(method: str, *args: n.Expression) -> n.Call:
        return n.Call(lo, hi, n.Attribute(lo, hi, name("from"), method), args, ())

    def put(target: str, value: n.Expression) -> n.Assign:
        return n.Assign(lo, hi, (name(target),), value)

    first = n.Subscript(lo, hi, name("given"), n.Constant(lo, hi, 0, None))
    give = put("got", n.Yield(lo, hi, first))
    resume = call(SENT, name("got")) if given.sent is not None else call(RESUME)
    body: n.Body = (give, put("given", resume))
    if given.is_thrown:
        error = name("error")
        leave = n.Expr(lo, hi, call("close")), n.Raise(lo, hi, None, None)
        handlers = (
            n.ExceptHandler(lo, hi, name("GeneratorExit"), None, leave),
            n.ExceptHandler(
                *(lo, hi, name("BaseException"), error.id), (put("given", call(THROWN, error)),)
            ),
        )
        body = (n.Try(lo, hi, (give,), handlers, (put("given", resume),), (), False),)
    more = n.Compare(lo, hi, name("given"), ("is not",), (n.Constant(lo, hi, None, None),))
    loop = n.While(lo, hi, more, body, ())
    like = n.Expr(lo, hi, call(LIKE))
    start = put("from", node.value), like, put("given", call(RESUME))
    words = ("from", "given", "got", "error", *_KINDS)
    return Expansion((*start, loop), call("__returned__"), frozenset(name(w).id for w in words))


def bind_names(context: Context, node: n.Node, names: frozenset[str]) -> None:
    """Give names of a loop that hands on what is given their meaning."""
    assert context.env is not None
    for name in names:
        word = name.partition("@")[0]
        live = standard_function("generators", word) if word == _REFUSE else _KINDS.get(word)
        if live is not None:
            context.env[name] = Fixed(Static(live, context.span(node)))


_REFUSE = "refuse_sent"
_ITERATORS: Mapping[type[Type], str] = {
    ListType: "list_iterator",
    TupleType: "tuple_iterator",
}
_KINDS = {"BaseException": BaseException, "GeneratorExit": GeneratorExit}
