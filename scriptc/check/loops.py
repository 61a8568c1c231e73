"""Loops: what they run over, and the types of variables that are loop-carried."""

from collections.abc import Callable, Mapping
from enum import EnumType
from typing import cast

import numpy as np

from scriptc.check import (
    display_loops,
    empty_tuples,
    endless_types,
    init_fields,
    parallel_loops,
    range_sources,
    records,
    rolled_tuples,
    settled_loops,
)
from scriptc.check.array_attributes import flat_of
from scriptc.check.bindings import Environment, Known, OfRound, Static, Typed, join, same_types
from scriptc.check.checked import (
    Arms,
    ArraySource,
    Computation,
    EnumerateSource,
    Facts,
    Joined,
    ListSource,
    Literal,
    LongRangeSource,
    Loop,
    LoopSource,
    RangeSource,
    ReversedSource,
    TupleSource,
    ZipSource,
)
from scriptc.check.context import Context, operand
from scriptc.check.conversion import converted
from scriptc.check.desugar import (
    comprehensions,
    dict_loops,
    field_loops,
    generator_loops,
    generator_values,
    index_loops,
    object_loops,
)
from scriptc.check.desugar.keywords import looped_over
from scriptc.check.desugar.stars import has_star, without_stars
from scriptc.check.desugar.unfilled_loops import as_unfilled
from scriptc.check.display_loops import is_over_a_set
from scriptc.check.early_calls import asks_for_fields, is_early_call
from scriptc.check.flow import LoopFrame
from scriptc.check.indices import whole_number
from scriptc.check.loop_members import is_of_members, is_of_records, of_one_type
from scriptc.check.named import enumerations
from scriptc.check.named_types import is_records, plain, plain_type
from scriptc.check.operators import INDEX_TYPES
from scriptc.check.present import present_bound, present_items, widen_name
from scriptc.check.python import ranges
from scriptc.check.python.byte_arrays import is_byte_array
from scriptc.check.python.byte_arrays import items_of as byte_items
from scriptc.check.python.lists.items import of_items
from scriptc.check.python.lists.operators import joined_lengths
from scriptc.check.rolled_tuples import MOST_UNROLLED, rolled_loop
from scriptc.check.scopes import assigned_names, known_as
from scriptc.parallel import is_prange, prange
from scriptc.syntax import nodes as n
from scriptc.syntax.blocks import Labelled, LeaveTo
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.errors import TypeCheckError
from scriptc_runtime.ops import data
from scriptc_runtime.record import replace
from scriptc_runtime.types import (
    INT,
    STR,
    ClassType,
    Container,
    ListType,
    PyType,
    TensorType,
    TupleType,
    UnionType,
)

# How often the type of one variable can widen at the head of a loop, generously.
_MAX_WIDENINGS = 10
# The list whose items a loop meets; of tuples, as zip gives them, one for each part.
_Whole = Typed | tuple["_Whole", ...] | None
_Source = tuple[list[n.Expression], LoopSource | TupleSource, _Whole]


def assigned(context: Context, *bodies: n.Body | tuple[n.Node, ...]) -> frozenset[str]:
    """Return the variables that statements bind, fields in a constructor included."""
    names: frozenset[str] = frozenset()
    for body in bodies:
        names |= assigned_names(body)
        for statement, expansion in context.learned.held.items():
            if any(part.lo <= statement.lo and statement.hi <= part.hi for part in body):
                names |= expansion.names
        if context.constructs:
            names |= init_fields.fields_set_in(
                context.constructs, body, context.owner, context.syntax_of
            )
    return names


def check_while(context: Context, node: n.While) -> None:
    """Check a `while` loop and its `else`."""
    runs = False

    def one_round() -> Environment | None:
        nonlocal runs
        condition = context.condition(node.test)
        runs = condition.when_true is not None
        context.env = condition.when_true
        context.block(node.body)
        return condition.when_false

    left, frame = _repeat(context, node, one_round)
    _finish(context, node, left, frame, runs)


def check_for(context: Context, node: n.For) -> None:
    """Check a `for` loop and its `else`."""
    loop = looped_over(context, node)
    if loop is not None:
        check_for(context, loop)
        context.facts.expanded[node] = Expansion((loop,), loop.iter, frozenset())
        return
    if (unfilled := as_unfilled(context, node)) is not None:
        context.block(unfilled.body)
        context.facts.expanded[node] = unfilled
        return
    if is_of_records(context, node):
        indexed = records.loop(context, node)
        context.block(indexed.body)
        context.facts.expanded[node] = indexed
        return
    if asks_for_fields(node.iter) and field_loops.check_field_loop(context, node):
        return
    callee = _callee(context, node.iter)
    if is_of_members(context, node) or _short_for_others(context, node, callee):
        return
    if (found := of_one_type(context, node, _source)) is not None:
        _check_source(context, node, callee, found)


def _check_source(context: Context, node: n.For, callee: Static | None, found: _Source) -> None:
    """Check a loop over what is of one type."""
    parts, source, whole = found
    if isinstance(source, TupleSource) and len(source.iterations) > MOST_UNROLLED:
        source = rolled_loop(context, node.iter, source)
    grows = _growing(context, node) if callee and is_prange(callee.value) else None
    context.facts.loops[node] = Loop(tuple(parts), source, grows)
    if grows is not None:
        assert context.env is not None
        for name in assigned(context, (node,)) - grows.keys():
            context.env[name] = OfRound()
    if isinstance(source, TupleSource):
        _unroll(context, node, source)
        return

    def one_round() -> Environment | None:
        before = dict(context.env or {})
        item = Typed(context.widened(source.type), context.span(node.iter))
        _bind(context, node.target, item, whole)
        context.block(node.body)
        return before

    left, frame = _repeat(context, node, one_round)
    if grows:
        parallel_loops.require_numbers(context, node, grows, context.facts.heads[node])
    _finish(context, node, left, frame, True)


def _short_for_others(context: Context, node: n.For, callee: Static | None) -> bool:
    """Check a loop that stands for other loops; whether it is one."""
    if isinstance(node.iter, n.Call) and callee and _gives_indices(callee.value):
        index_loops.check_index_loop(context, node, node.iter, callee)
        return True
    if isinstance(node.iter, n.Name) and _is_lazy(context, node):
        return True
    if isinstance(node.iter, n.Call) or is_over_a_set(node):
        context.ended.add(node.iter)
    if isinstance(node.iter, n.Call | n.GeneratorExp) and _has_generator(context, node, node.iter):
        return True
    if not isinstance(node.iter, n.Tuple) and _is_dict(context, node.iter):
        dict_loops.check_dict_loop(context, node)
        return True
    return not (callee and _is_maker(callee.value)) and _has_methods(context, node)


def check_labelled(context: Context, node: Labelled) -> None:
    """Check statements that are left through their label."""
    frame = context.labels[node.label] = LoopFrame()
    try:
        context.block(node.body)
    finally:
        del context.labels[node.label]
    body_ends = context.env is not None
    for end in frame.breaks:
        context.env = join(context.env, end)
    goes_on = context.env is not None
    context.facts.arms[node] = Arms(True, False, body_ends, False, goes_on)
    context.facts.joins[node] = context.joined(assigned(context, (node,)))


def check_leave(context: Context, node: LeaveTo) -> None:
    """Check a way out of the statements of a label."""
    assert context.env is not None
    context.labels[node.label].breaks.append(context.env)
    context.env = None


def _bind(context: Context, target: n.Expression, item: Typed, whole: _Whole) -> None:
    """Bind what an iteration meets: of lists in it, it is known of which lists they are items."""
    if isinstance(whole, Typed) and isinstance(item.type, ListType):
        item = of_items(context, whole, replace(item, borrowed=whole.borrowed))
    context.assign(target, item)
    if not (isinstance(whole, tuple) and isinstance(item.type, TupleType)):
        return
    if isinstance(target, n.Tuple) and not any(isinstance(e, n.Starred) for e in target.elts):
        for elt, type_, part in zip(target.elts, item.type.items, whole, strict=True):
            if part is not None and isinstance(type_, ListType | TupleType):
                _bind(context, elt, Typed(type_, item.span), part)


def _repeat(
    context: Context, node: n.For | n.While, one_round: Callable[[], Environment | None]
) -> tuple[Environment | None, LoopFrame]:
    """Check iterations until the types at the head of the loop stay what they are."""
    before = context.env
    assert before is not None
    head: Environment = (guess := settled_loops.likely_head(context, node)) or before
    problems, unknown = len(context.problems), len(context.unknown)
    left_before = {label: len(frame.breaks) for label, frame in context.labels.items()}
    # An iteration may widen one variable only: in `a = b; b = c`, from the last to the first.
    for _ in range(_MAX_WIDENINGS * (1 + len(assigned(context, (node,))))):
        # What an earlier iteration complained of may have been due to types not yet widened.
        earlier = context.problems[problems:]
        del context.problems[problems:], context.unknown[unknown:]
        for label, count in left_before.items():
            del context.labels[label].breaks[count:]
        frame = LoopFrame()
        context.loops.append(frame)
        context.env = dict(head)
        try:
            left = one_round()
        finally:
            context.loops.pop()  # what is refused here leaves the loop, too
        if context.skipped and len(context.problems) == problems:
            # This iteration was silent only because that one had spoken.
            context.problems += earlier
        widened: Environment | None = head
        for end in (*frame.nexts, context.env):
            widened = join(widened, end)
        assert widened is not None
        widened = endless_types.with_ends(head, widened) if context.learned.may_unite else widened
        if same_types(widened, head) and (guess is None or len(context.problems) == problems):
            break
        if guess is not None:
            del context.problems[problems:]
        head, guess = widened if guess is None else before, None
    else:
        context.fail(
            "type-merge",
            "the types of the variables of this loop have no end",
            node.target if isinstance(node, n.For) else node.test,
            why="in every iteration some type holds more than before",
            instead="annotate the variables",
        )
    settled_loops.note_head(context, node, before, head)
    ends = context.env
    context.env = head
    context.facts.heads[node] = context.joined(assigned(context, (node,)))
    context.env = ends
    return left, frame


def _finish(
    context: Context,
    node: n.For | n.While,
    left: Environment | None,
    frame: LoopFrame,
    runs: bool,
) -> None:
    """Check the `else`, and join it with the breaks."""
    body_ends = context.env is not None
    context.env = left
    context.block(node.orelse)
    orelse_ends = context.env is not None
    for end in frame.breaks:
        context.env = join(context.env, end)
    goes_on = context.env is not None
    context.facts.arms[node] = Arms(runs, left is not None, body_ends, orelse_ends, goes_on)
    context.facts.joins[node] = context.joined(assigned(context, (node,)))


def _unroll(context: Context, node: n.For, source: TupleSource) -> None:
    iterations: list[Facts] = []
    joins: list[Joined] = []
    breaks: list[Environment] = []
    names = assigned(context, (node,))
    for number, computation in enumerate(source.iterations):
        if context.env is None:
            break
        frame = LoopFrame()
        context.loops.append(frame)
        iterations.append(Facts())
        with context.facts_of_round(iterations[-1], number):
            known = Known(computation.value) if isinstance(computation, Literal) else None
            type_ = context.widened(computation.type)
            item = Typed(type_, context.span(node.iter), known=known)
            try:
                context.assign(node.target, item)
                context.block(node.body)
            finally:
                context.loops.pop()
        for end in frame.nexts:
            context.env = join(context.env, end)
        joins.append(context.joined(names))
        breaks += frame.breaks
    context.facts.iterations[node] = tuple(iterations)
    context.facts.round_joins[node] = tuple(joins)
    body_ends = context.env is not None
    context.block(node.orelse)
    orelse_ends = context.env is not None
    for end in breaks:
        context.env = join(context.env, end)
    goes_on = context.env is not None
    context.facts.arms[node] = Arms(True, body_ends, body_ends, orelse_ends, goes_on)
    context.facts.joins[node] = context.joined(names)


def _callee(context: Context, node: n.Expression) -> Static | None:
    """Return the function that a loop's head calls, if it does and that is no method."""
    if not isinstance(node, n.Call) or is_early_call(context, node):
        return None
    callee = context.callee(node)
    return callee if isinstance(callee, Static) and callee.receiver is None else None


def _is_lazy(context: Context, node: n.For) -> bool:
    """Check a loop over a variable that stands for a generator; whether it is one."""
    items = generator_loops.lazy_items(context, node.iter)
    if items is None:
        return False
    known = context.learned.object_loops.get(node)
    if known is None:
        rest = node.body, node.orelse, node.is_async
        known = n.For(node.lo, node.hi, node.target, items, *rest)
        context.learned.object_loops[node] = known
    check_for(context, known)
    context.facts.expanded[node] = Expansion((known,), items, frozenset())
    return True


def _has_methods(context: Context, node: n.For) -> bool:
    """Check a loop over an object whose methods give its items; whether it is one."""
    if not object_loops.is_object_loop(context, node.iter):
        return _of_generator(context, node) or object_loops.check_present(context, node)
    if _of_generator(context, node):
        return True
    begun = object_loops.begun(context, node)
    if begun is not None:
        context.ended.add(begun.iter)
    if begun is None or not (
        _has_generator(context, begun, begun.iter) or _of_generator(context, begun)
    ):
        object_loops.check_object_loop(context, node, begun.iter if begun else None)
        return True
    context.facts.expanded[node] = Expansion((begun,), begun.iter, frozenset())
    return True


def _of_generator(context: Context, node: n.For) -> bool:
    """Check a loop over a generator that is an object; whether it is one."""
    if isinstance(node.iter, n.Constant | n.Tuple | n.List | n.GeneratorExp):
        return False
    found = context.expression(node.iter)
    if not (isinstance(found, Typed) and isinstance(found.type, ClassType | UnionType)):
        return False
    return generator_values.check_loop(context, node, found)


def _is_maker(function: object) -> bool:
    return is_prange(function) or any(function is maker for maker in _MAKERS)


def _has_generator(context: Context, node: n.For, items: n.Expression) -> bool:
    if isinstance(items, n.GeneratorExp):
        generator_loops.check_expression_loop(context, node, items)
        return True
    assert isinstance(items, n.Call)
    return generator_loops.check_generator_loop(context, node, items)


def _is_dict(context: Context, node: n.Expression) -> bool:
    return dict_loops.is_dict_loop(context, node)


def _gives_indices(function: object) -> bool:
    return function is np.ndindex or function is np.ndenumerate


def _growing(context: Context, node: n.For) -> Mapping[str, str]:
    return parallel_loops.growing(context, node)


def _source(context: Context, node: n.Expression) -> _Source:
    """Return what a `for` loop runs over."""
    node = display_loops.without_known_stars(context, node)
    maker = _maker(context, node)
    if maker:
        return maker(context, cast(n.Call, node))
    if isinstance(node, n.Tuple):
        return list(node.elts), display_loops.rounds(context, node), None
    if isinstance(node, n.Name | n.Attribute):
        node = _members(context, node)
    node, value = _iterated(context, node)
    value = present_items(context, node, plain(value))
    context.require_item(node, value)
    value, whole = joined_lengths(
        empty_tuples.without_empty(context, node, value, operand(node, value))
    )
    match value.type:
        case TensorType(dtype, dims) if dims:
            item = TensorType(dtype, dims[1:]) if len(dims) > 1 else dtype
            return [node], ArraySource(whole, item), None
        case ListType(item):
            return [node], ListSource(whole, item), value
        case PyType.STR | PyType.BYTES:
            return [node], ListSource(whole, STR if value.type is STR else INT), None
        case ClassType() if ranges.is_range(value) or is_byte_array(value.type):
            return [node], _of_object(context, node, value, whole), None
        case TupleType(items):
            indices = range(len(items))
            if value.known and isinstance(value.known.value, tuple):
                pairs = zip(value.known.value, items, strict=True)
                literals = tuple(Literal(v, t) for v, t in pairs)
                return [node], TupleSource(literals, value.type), None
            chosen = tuple(context.apply(node, data.ITEM, whole, index=i) for i in indices)
            return [node], TupleSource(chosen, value.type), None
        case other:
            instead = "loop over a range, an array, a list, a tuple, zip(...) or enumerate(...)"
            context.fail("not-iterable", f"{other} cannot be looped over", node, instead=instead)


def _inner(context: Context, node: n.Expression) -> _Source:
    """Return what `enumerate` or `zip` goes through: the list of what may be of several kinds."""
    try:
        return _source(context, node)
    except TypeCheckError:
        # Where others are evaluated before it is seen what this one is, it has a name.
        if not (isinstance(node, n.Name) and isinstance(context.facts.types.get(node), UnionType)):
            raise
    widen_name(context, node)
    whole, value = comprehensions.container_items(context, node)
    assert isinstance(value.type, ListType)
    return [whole], ListSource(operand(whole, value), value.type.item), value


def _of_object(
    context: Context, node: n.Expression, value: Typed, whole: Computation
) -> RangeSource | ListSource:
    """Return the items of a range that is a value, or of a bytearray."""
    if ranges.is_range(value):
        start, stop, step = ranges.bounds_of(context, node, whole)
        return RangeSource(start, stop, step, INT)
    return ListSource(byte_items(context, node, whole), INT)


def _iterated(context: Context, node: n.Expression) -> tuple[n.Expression, Typed]:
    """Check what a loop runs over; what is around a container, such as zip(), takes its list."""
    is_view = isinstance(node, n.Call) and _is_dict(context, node)
    value = None if is_view else flat_of(context, node) or context.typed(node)
    if value and not (isinstance(value.type, Container) or is_records(value.type)):
        return node, value
    if value:
        context.require_items(node, value)
    return comprehensions.container_items(context, node)


def _maker(context: Context, node: n.Expression) -> Callable[[Context, n.Call], _Source] | None:
    """Return what checks a call of `range`, `zip` or the like in the head of a loop."""
    callee = _callee(context, node)
    if callee is None or (has_star(node) and callee.value is zip):
        return None
    named: object = prange if is_prange(callee.value) else callee.value
    return known_as(_MAKERS, named)


def _members(context: Context, node: n.Expression) -> n.Expression:
    """Return a display of the members of an enumeration that is looped over."""
    found = context.expression(node)
    if not (isinstance(found, Static) and isinstance(found.value, EnumType)):
        return node
    return enumerations.members(context, node, found.value)


def _range(context: Context, node: n.Call) -> _Source:
    if has_star(node):
        node = cast(n.Call, without_stars(context, node))
    if not 1 <= len(node.args) <= 3 or node.keywords:
        context.fail("call-arity", "a range takes one to three positional arguments", node)
    bounds: list[tuple[Typed, Computation]] = []
    for at, argument in enumerate(node.args):
        value = present_bound(context, node, at, context.typed(argument))
        if plain_type(value.type) not in INDEX_TYPES:
            context.fail(
                "argument",
                f"a bound of a range must be int, not {value.type}",
                argument,
                instead=whole_number(argument),
            )
        bounds.append((value, operand(argument, value)))
    return list(node.args), range_sources.range_source(context, node, bounds), None


def _enumerate(context: Context, node: n.Call) -> _Source:
    keyword = node.keywords[0] if len(node.keywords) == 1 else None
    second = [*node.args[1:], *([keyword.value] if keyword and keyword.arg == "start" else [])]
    if not node.args or len(second) > 1 or len(node.args) + len(node.keywords) > 1 + len(second):
        context.fail("call-arity", "enumerate() takes an iterable and a start", node)
    parts, inner, whole = _inner(context, node.args[0])
    start: Computation = Literal(0, INT)
    if second:
        value = context.typed(second[0])
        if plain_type(value.type) not in INDEX_TYPES:
            context.fail("argument", f"the start must be int, not {value.type}", second[0])
        start = converted(operand(second[0], value), INT)
        parts.append(second[0])
    if isinstance(inner, TupleSource):
        iterations = tuple(
            context.apply(node, data.TUPLE, range_sources.numbered(context, node, start, i), item)
            for i, item in enumerate(inner.iterations)
        )
        return parts, TupleSource(iterations, inner.type), None
    pair = TupleType((INT, inner.type))
    return parts, EnumerateSource(start, inner, pair), (None, whole)


def _reversed(context: Context, node: n.Call) -> _Source:
    if len(node.args) != 1 or node.keywords:
        context.fail("call-arity", "reversed() takes one sequence", node)
    parts, inner, whole = _source(context, node.args[0])
    match inner:
        case TupleSource(iterations, type_):
            return parts, TupleSource(iterations[::-1], type_), whole
        case ArraySource() | ListSource() | RangeSource() | LongRangeSource():
            return parts, ReversedSource(inner, inner.type), whole
        case _:
            context.fail(
                "not-iterable",
                "this cannot be reversed",
                node,
                why="Python takes sequences: ranges, lists, tuples, arrays",
            )


def _zip(context: Context, node: n.Call) -> _Source:
    strict = False
    for keyword in node.keywords:
        value = keyword.value.value if isinstance(keyword.value, n.Constant) else None
        if keyword.arg != "strict" or not isinstance(value, bool):
            message = "zip() takes iterables, and strict=True or strict=False"
            context.fail("call-arity", message, keyword)
        strict = value
    if not node.args:
        context.fail("call-arity", "zip() takes one iterable or more", node)
    found = [_inner(context, argument) for argument in node.args]
    parts = [part for inner, _, _ in found for part in inner]
    tuples = [source for _, source, _ in found if isinstance(source, TupleSource)]
    if len(tuples) == len(found):
        if strict and len({len(t.iterations) for t in tuples}) > 1:
            context.fail(
                "unrolled-loop",
                "zip() of tuples of different lengths is strict",
                node,
                why="it raises ValueError after the shortest one in every run",
                instead="leave strict=True out, or make them equally long",
            )
        rows = zip(*(t.iterations for t in tuples), strict=False)
        iterations = tuple(context.apply(node, data.TUPLE, *row) for row in rows)
        return parts, TupleSource(iterations, TupleType(())), None
    rolled = tuple(rolled_tuples.rolled_source(context, node, source) for _, source, _ in found)
    wholes = tuple(whole for _, _, whole in found)
    return parts, ZipSource(rolled, TupleType(tuple(s.type for s in rolled)), strict), wholes


_MAKERS: Mapping[object, Callable[[Context, n.Call], _Source]] = {
    range: _range,
    prange: _range,
    enumerate: _enumerate,
    reversed: _reversed,
    zip: _zip,
}
