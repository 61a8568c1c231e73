"""Generators that are objects: what is done with them, and the `yield` in them.

for x in g: body      over@ = g
while (resumed@ := over@.__resume__()) is not None:
x = resumed@[0]; body
"""

from collections.abc import Sequence
from typing import NoReturn

from scriptc.check import generator_classes
from scriptc.check.bindings import Typed
from scriptc.check.borrowed_lists import refuse_borrowed
from scriptc.check.checked import Check, Computation, Convert, Literal
from scriptc.check.context import Context, operand
from scriptc.check.desugar.generator_ends import end_of_loop
from scriptc.check.desugar.generator_loops import generator_called, gives_items, is_inside
from scriptc.check.desugar.generator_sends import (
    GIVING,
    bind_names,
    check_giving,
    forget_shared,
    forwarding_loop,
    has_ended,
    item_of,
    refused_sends,
    resumption,
)
from scriptc.check.desugar.generator_stops import may_stop
from scriptc.check.generator_classes import RESUME, RETURNED, YIELD, GeneratorClass, field_of
from scriptc.check.library.standard import standard_function
from scriptc.check.open_types import is_open
from scriptc.check.size_names import without_sizes
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion
from scriptc.syntax.inline import as_generator, can_be_inlined, returns_value
from scriptc_runtime.ops import data
from scriptc_runtime.ops.opdef import Attr
from scriptc_runtime.record import replace
from scriptc_runtime.types import NONE, ClassType, OptionalType, Type
from scriptc_runtime.unions import members_of


def generators_of(context: Context, type_: Type) -> Sequence[GeneratorClass]:
    """Return the generators that a value may be; none where it may be something else."""
    members = members_of(type_)
    found = [context.generator_class(m.name) for m in members if isinstance(m, ClassType)]
    known = [generator for generator in found if generator is not None]
    return known if len(known) == len(members) else ()


def check_loop(context: Context, node: n.For, value: Typed) -> bool:
    """Check a loop over a generator that is an object; whether it is one."""
    generators = generators_of(context, value.type)
    if not generators:
        return False
    expansion = context.learned.expansions.get(node)
    if expansion is None:
        expansion = _loop(node)
        if node.iter in context.ended and any(g.has_ends for g in generators):
            expansion = end_of_loop(context, node, expansion)
        context.learned.expansions[node] = expansion
    context.locals |= expansion.names
    context.block(expansion.body)
    left = context.reached() or {}
    for variable in expansion.names:
        left.pop(variable, None)
    context.facts.expanded[node] = expansion
    return True


def _loop(node: n.For) -> Expansion:
    lo, hi = node.iter.lo, node.iter.hi
    over, resumed = (n.Name(lo, hi, f"{text}@{lo}:{hi}") for text in ("over", "resumed"))
    resume = n.Call(lo, hi, n.Attribute(lo, hi, over, RESUME), (), ())
    none = n.Constant(lo, hi, None, None)
    more = n.Compare(lo, hi, n.NamedExpr(lo, hi, resumed, resume), ("is not",), (none,))
    first = n.Subscript(lo, hi, resumed, n.Constant(lo, hi, 0, None))
    given = n.Assign(node.target.lo, node.target.hi, (node.target,), first)
    loop = n.While(node.lo, node.hi, more, (given, *node.body), node.orelse)
    names = frozenset((over.id, resumed.id))
    return Expansion((n.Assign(lo, hi, (over,), node.iter), loop), over, names)


def call_generator(
    context: Context, node: n.Call, base: n.Expression, receiver: Typed, method: str
) -> Typed:
    """Check a call of a method of a generator."""
    assert isinstance(receiver.type, ClassType)
    generator = context.generator_class(receiver.type.name)
    assert generator is not None
    whole = operand(base, receiver)
    if method in GIVING:
        return check_giving(context, node, base, whole, generator, method)
    if node.args or node.keywords:
        context.fail("call-arity", f"{method}() takes no argument here", node)
    match method:
        case "__iter__":
            return context.record(node, [base], whole)
        case "__next__":
            found = resumption(context, node, whole, generator)
            item = item_of(context, node, whole, generator, found)
            return context.record(node, [base], item)
        case generator_classes.ENDED:
            return context.record(node, [base], has_ended(context, node, whole))
        case generator_classes.VALUE:
            function = standard_function("generators", "value_of")
            return context.record(node, [base], context.call(node, function, [whole]))
        case "__resume__":
            return context.record(node, [base], resumption(context, node, whole, generator))
        case _:
            return context.record(node, [base], _returned(context, node, whole, generator))


def _returned(
    context: Context, node: n.Node, whole: Computation, generator: GeneratorClass
) -> Computation:
    """Return what a generator that is at its end has returned."""
    type_ = generator.returned
    if type_ is None:
        generator.asked = True
        raise context.not_known_yet(node)
    if type_ is NONE:
        return Literal(None, NONE)
    kept = field_of(without_sizes(type_))
    found = context.apply(node, data.FIELD, whole, name=RETURNED, type=kept)
    if kept != without_sizes(type_):
        found = context.apply(node, data.UNWRAP, found)
    if found.type != without_sizes(type_):
        found = context.apply(node, data.ITEM, found, index=0)
    return Check(has_ended(context, node, whole), "RuntimeError", _GONE, found, found.type)


_GONE = "what this generator returned is gone: it had come to its end before"


def check_yield(context: Context, node: n.Yield) -> Typed:
    """Check a `yield` of a generator that is an object."""
    generator = context.generator
    if generator is None:
        refuse_yield(context, node)
    at = node.value or n.Constant(node.lo, node.hi, None, None)
    value = context.typed(at)
    if is_open(value.type):
        context.empty_yields.append(value)
    context.require_items(at, value)
    refuse_borrowed(context, at, value, "given by a generator")
    value = replace(value, type=without_sizes(value.type))
    context.yields.append((value, node))
    given: Computation = Literal(None, NONE) if node.value is None else operand(at, value)
    if generator.item is not None and generator.item != value.type:
        given = Convert(given, generator.item)
    forget_shared(context)
    parts = () if node.value is None else (at,)
    sent = generator.given.sent
    attrs: dict[str, Attr] = {} if sent is None else {"sent": OptionalType(sent)}
    return context.record(node, parts, context.apply(node, YIELD, given, **attrs))


def check_yield_from(context: Context, node: n.YieldFrom) -> Typed:
    """Check a `yield from`: a loop that gives each item; its value is what a generator returned."""
    if context.generator is None:
        refuse_yield(context, node)
    context.ended.add(node.value)
    expansion = context.learned.expansions.get(node)
    if expansion is None:
        expansion = context.learned.expansions[node] = _loop_of(context, node)
    context.locals |= expansion.names
    bind_names(context, node, expansion.names)
    context.block(expansion.body)
    if context.env is None:
        raise context.not_known_yet(node)
    value = context.typed(expansion.value)
    for name in expansion.names:
        context.env.pop(name, None)
    context.facts.expanded[node] = expansion
    context.facts.types[node] = value.type
    return replace(value, span=context.span(node), literals=())


def _loop_of(context: Context, node: n.YieldFrom) -> Expansion:
    lo, hi = node.lo, node.hi
    over, item = (n.Name(lo, hi, f"{text}@{lo}:{hi}") for text in ("from", "given"))
    give = n.Expr(lo, hi, n.Yield(lo, hi, item))
    none = n.Constant(lo, hi, None, None)
    if _is_object(context, node.value):
        assert context.generator is not None
        note_end(context, node.value)
        if context.generator.given.types:
            return forwarding_loop(node, context.generator.given)
        start = n.Assign(lo, hi, (over,), node.value)
        loop = n.For(lo, hi, item, over, (give,), (), False)
        value = n.Call(lo, hi, n.Attribute(lo, hi, over, "__returned__"), (), ())
        return Expansion((start, loop), value, frozenset((over.id, item.id)))
    assert context.generator is not None
    names = frozenset((item.id,))
    if context.generator.given.sent is not None and not gives_items(context, node.value):
        call, refusing = refused_sends(context, node, n.Yield(lo, hi, item))
        names, give = names | {refusing}, n.Expr(lo, hi, call)
    loop = n.For(lo, hi, item, node.value, (give,), (), False)
    return Expansion((loop,), none, names)


def _is_object(context: Context, node: n.Expression) -> bool:
    """Whether what a `yield from` takes is a generator that is an object."""
    if gives_items(context, node):
        called = generator_called(context, node) if isinstance(node, n.Call) else None
        if called is None:
            return False
        definition = as_generator(context.syntax_of(called.function)[1])
        loop = n.For(node.lo, node.hi, node, node, (), (), False)
        itself = isinstance(node, n.Call) and is_inside(context, node, called.function)
        around = context.definition if called.nested else None
        is_object = itself or returns_value(definition)
        stopping = context.rounds.stopping
        is_object = is_object or may_stop(stopping, called.function, definition, around)
        if can_be_inlined(definition, loop) and not is_object:
            return False
    found = context.expression(node)
    return isinstance(found, Typed) and bool(generators_of(context, found.type))


def note_end(context: Context, node: n.Expression) -> None:
    """Note that what a generator hands on is to be ended where it is."""
    found = context.expression(node)
    assert context.generator is not None
    if isinstance(found, Typed) and any(g.has_ends for g in generators_of(context, found.type)):
        context.generator.has_ends = True


def refuse_yield(context: Context, node: n.Expression) -> NoReturn:
    """Refuse a `yield` where no generator is made."""
    context.fail("yield", "this is no place for a yield", node, instead="a function of its own")
