"""Expressions: the type of each, and how its value is computed from its parts."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from scriptc.check import (
    calls,
    certain_truth,
    class_tests,
    displays,
    formatted_texts,
    function_values,
    generic_classes,
    member_arms,
    names,
    operators,
    subscripts,
    written_items,
)
from scriptc.check.bindings import (
    Known,
    Static,
    Typed,
    displays_of,
    join,
    merge,
    merge_types,
)
from scriptc.check.borrowed_lists import refuse_borrowed
from scriptc.check.checked import Arms, Computation, Literal
from scriptc.check.constants import computed, folded, is_classes, known_ints, of_bytes
from scriptc.check.context import Context, Declined, UnknownTypeError, Value, operand
from scriptc.check.declared_displays import as_declared, declared_type, tell_items
from scriptc.check.desugar import (
    comprehensions,
    computed_keywords,
    generator_values,
    iterator_values,
    keywords,
    never_returning,
    slice_variables,
    stars,
)
from scriptc.check.desugar.literal_ints import Written, written_along, written_down
from scriptc.check.ends_here import EndsHere
from scriptc.check.generics import parameters_of
from scriptc.check.narrowed_items import forget_after
from scriptc.check.numpy import dtype_objects, grids, joining
from scriptc.check.open_types import EMPTY_LIST, block_in, is_open
from scriptc.check.present import widen_name
from scriptc.check.python import containers, exception_values
from scriptc.check.python.lists import items as list_items
from scriptc.check.python.lists import operators as sequence_operators
from scriptc.check.size_names import without_sizes
from scriptc.syntax import nodes as n
from scriptc_runtime.errors import TypeCheckError
from scriptc_runtime.ops import data
from scriptc_runtime.record import replace
from scriptc_runtime.types import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    STR,
    Container,
    ListType,
    TensorType,
    TupleType,
    Type,
    is_number,
)
from scriptc_runtime.values import INT_MAX, INT_MIN


def check_expression(context: Context, node: n.Expression, expected: Type | None) -> Value:
    """Check an expression; `expected` is the type its place declares, where one does."""
    check = _CHECKS.get(type(node))
    if check is None:
        context.fail(
            "unsupported",
            f"{type(node).__name__} is not in the language",
            node,
            instead="write it with loops and assignments",
        )
    if isinstance(node, n.Call | n.List | n.Tuple) and stars.has_star(node):
        check = computed_keywords.check
    return _of_any_member(context, node, expected, partial(check, context, node, expected))


def _of_any_member(
    context: Context, node: n.Expression, expected: Type | None, check: Callable[[], Value]
) -> Value:
    """Check an expression; what unions are refused for, for each of their members."""
    widen_name(context, (node.lo, node.hi))
    before = context.env
    context.facts.arms_of_members.pop(node, None)
    try:
        return check()
    except Declined:
        raise
    except TypeCheckError as refusal:
        context.env = before
        return member_arms.check_arms(context, node, expected, refusal)


def _constant(context: Context, node: n.Constant, _: Type | None) -> Typed:
    value = node.value
    match value:
        case bool():
            type_ = BOOL
        case int():
            type_ = context.whole
            if type_ is INT and not INT_MIN <= value <= INT_MAX:
                ways = "@script(bigint=True), or scriptc.types.bigint(...) or np.uint64(...) of it"
                context.fail("int-size", "64 bits do not hold this int", node, instead=ways)
        case float():
            type_ = FLOAT
        case complex():
            type_ = COMPLEX
        case str():
            type_ = STR
        case bytes():
            return context.record(node, [], of_bytes(context, node, value))
        case None:
            type_ = NONE
        case _:
            context.fail(
                "unsupported",
                f"{type(value).__name__} is not in the language",
                node,
                instead="`...` stands in a subscript alone, x[..., 0]",
            )
    known = Typed(type_, context.span(node), (value,), Known(value))
    return context.constant(node, Literal(value, type_), known)


def _written(context: Context, node: n.Expression, found: Written | None) -> Typed | None:
    """Return an int that is written down as a computation that 64 bits do not hold in all parts.

    A result that they do not hold is left to the run, which raises OverflowError if it gets there.
    """
    if found is None:
        return None
    if context.whole is INT and (found.fits or not INT_MIN <= found.value <= INT_MAX):
        return None
    whole = _constant(context, n.Constant(node.lo, node.hi, found.value, None), None)
    return context.constant(node, Literal(found.value, whole.type), whole)


def _binary(context: Context, node: n.BinOp, expected: Type | None) -> Typed:
    """Check an operator with its left operands; a loop takes these, as a long sum nests there."""
    waiting: list[n.BinOp] = []
    left: Value | None = None
    chain = node.chain()
    for link, found in zip(chain, written_along(chain), strict=True):
        left = _written(context, link, found)
        if left is not None:
            break
        waiting.append(link)
    if left is None:
        left = context.expression(chain[-1].left, _of_display(chain[-1].left, expected))
    for link in reversed(waiting):
        first = context.as_typed(link.left, left)
        check = partial(_of_operands, context, link, first, expected)
        left = check() if link is node else _of_any_member(context, link, None, check)
    return context.as_typed(node, left)


def _of_display(node: n.Expression, expected: Type | None) -> Type | None:
    """Return what is expected of a display that is repeated or joined, as in `[0] * n`."""
    return expected if isinstance(node, n.List) and isinstance(expected, ListType) else None


def _of_operands(
    context: Context, node: n.BinOp, left: Typed, expected: Type | None = None
) -> Typed:
    """Check an operator whose left operand has been checked."""
    value = context.expression(node.right, _of_display(node.right, expected))
    if node.op == "%" and left.known is not None and isinstance(left.known.value, str):
        value = _shown(context, node.right, left.known.value, value)
    right = context.as_typed(node.right, value)
    if isinstance(left.type, Container):
        return _of_containers(context, node, left, right)
    sequence = sequence_operators.binary(context, node, left, right)
    if sequence is not None:
        return sequence
    sides = (left, operand(node.left, left)), (right, operand(node.right, right))
    sides = sequence_operators.beside_arrays(context, node, *sides)
    result = operators.binary(context, node, node.op, *sides)
    known = computed(node.op, left, right, result.type)
    return replace(context.record(node, [node.left, node.right], result), known=known)


def _of_containers(context: Context, node: n.BinOp, left: Typed, right: Typed) -> Typed:
    sides = (left, operand(node.left, left)), (right, operand(node.right, right))
    found = containers.binary(context, node, node.op, *sides)
    return context.record(node, [node.left, node.right], found)


def _shown(context: Context, node: n.Expression, text: str, value: Value) -> Value:
    """Return a dtype as the text that `%s` shows of it; other values, and formats, as they are."""
    shown = dtype_objects.text_of(value, "s")
    if shown is None or not re.fullmatch(r"(?:[^%]|%%|%-?\d*s)*", text):
        return value
    return context.constant(node, shown, Typed(STR, context.span(node), known=Known(shown.value)))


def _unary(context: Context, node: n.UnaryOp, _: Type | None) -> Typed:
    if node.op == "not":
        return _not(context, node)
    written = _written(context, node, written_down(node))
    if written is not None:
        return written
    value = context.typed(node.operand)
    negated = _negated(context, node, value)
    if negated is not None:
        return negated
    result = operators.unary(context, node, node.op, (value, operand(node.operand, value)))
    return context.record(node, [node.operand], result)


def _negated(context: Context, node: n.UnaryOp, value: Typed) -> Typed | None:
    """Return minus a literal as a literal: -1 is one in every use."""
    known = value.known.value if value.known and value.literal else None
    if node.op != "-" or type(known) not in (int, float):
        return None
    assert isinstance(known, int | float)
    literal = Typed(value.type, context.span(node), (-known,), Known(-known))
    return context.constant(node, Literal(-known, value.type), literal)


def _not(context: Context, node: n.UnaryOp) -> Typed:
    condition = context.condition(node)
    context.env = join(condition.when_true, condition.when_false)
    context.facts.types[node] = BOOL
    known = None if condition.known is None else Known(condition.known)
    return Typed(BOOL, context.span(node), known=known)


def _compare(context: Context, node: n.Compare, _: Type | None) -> Typed:
    if any(op in ("is", "is not") for op in node.ops) or class_tests.is_about_types(context, node):
        if len(node.ops) > 1:
            context.fail(
                "operator",
                "'is' stands in a chain of comparisons",
                node,
                why="a == b is None means (a == b) and (b is None)",
                instead="write both tests, joined by `and`",
            )
        condition = context.condition(node)
        context.env = join(condition.when_true, condition.when_false)
        context.facts.types[node] = BOOL
        known = None if condition.known is None else Known(condition.known)
        return Typed(BOOL, context.span(node), known=known)
    found = dtype_objects.comparison(context, node) or keywords.check_membership(context, node)
    found = found or _same_class(context, node)
    found = (
        found
        or sequence_operators.check_range(context, node)
        or written_items.check_search(context, node)
    )
    return found or check_comparisons(context, node)


def _same_class(context: Context, node: n.Compare) -> Typed | None:
    return exception_values.check_same_class(context, node)


def check_comparisons(context: Context, node: n.Compare) -> Typed:
    """Check a chain of comparisons by value, and record each of them."""
    sides = (node.left, *node.comparators)
    values = [context.typed(side) for side in sides[:2]]
    # What comes later is evaluated as far as the chain holds.
    ends = context.env
    for side in sides[2:]:
        context.env = dict(context.env or {})
        values.append(context.typed(side))
        ends = join(ends, context.env)
    context.env = ends
    results: list[Computation] = []
    for index, op in enumerate(node.ops):
        pair = values[index : index + 2], sides[index : index + 2]
        left, right = ((value, operand(side, value)) for value, side in zip(*pair, strict=True))
        if op not in sequence_operators.MEMBERSHIP:
            left, right = sequence_operators.beside_arrays(context, node, left, right)
        results.append(context.compared(node, op, left, right))
    if len(results) > 1:
        for result in results:
            _refuse_array_truth(context, node, result)
    # In an earlier iteration of a loop it may have been known: of a tuple of fewer types.
    context.facts.constants.pop(node, None)
    context.facts.comparisons[node] = tuple(results)
    # `a < b < c` is `a < b and b < c`: one of the two, of NumPy's type where either is NumPy's.
    type_ = results[0].type
    for result in results[1:]:
        merged = merge_types(type_, result.type)
        assert merged is not None
        type_ = merged
    context.facts.types[node] = type_
    known = folded(node, values)
    return Typed(type_, context.span(node), known=known)


def _refuse_array_truth(context: Context, node: n.Compare, result: Computation) -> None:
    if isinstance(result.type, TensorType):
        context.fail(
            "array-truth",
            "a chain of comparisons between arrays has no single truth value",
            node,
            why="a < b < c means (a < b) and (b < c), and an array is neither true nor false",
            instead="(a < b) & (b < c)",
        )


def _bool_op(context: Context, node: n.BoolOp, _: Type | None) -> Typed:
    """Check `and` and `or` where their value is wanted, not only whether it is true."""
    is_and = node.op == "and"
    merged: Typed | None = None
    alive: list[n.Expression] = []
    ends = None
    for value in node.values:
        before = dict(context.env or {})
        condition = context.condition(value)
        context.env = before
        current = context.attempt(value) or merged
        if current is None:
            raise UnknownTypeError
        whole = current
        last = value is node.values[-1]
        stop, go_on = condition.when_false, condition.when_true
        if not is_and:
            stop, go_on = go_on, stop
        is_passed = is_and and certain_truth.always_passes(context, value, current.type)
        if not last and (is_passed or (stop is None and condition.known is not None)):
            context.env = go_on
            continue  # it only reads, and never is the result
        if not last:
            current = certain_truth.deciding(context, value, current, is_and=is_and)
        alive.append(value)
        context.facts.truths[value] = operators.truth_or_presence(
            context, value, operand(value, whole)
        )
        merged = current if merged is None else _merge_values(context, node, merged, current)
        if last:
            stop = context.env
        ends = join(ends, stop)
        if go_on is None:
            break
        context.env = go_on
    assert merged is not None
    context.env = ends
    context.facts.operands[node] = tuple(alive)
    context.facts.types[node] = merged.type
    return merged


def _merge_values(context: Context, node: n.Expression, first: Typed, second: Typed) -> Typed:
    merged = merge(first, second) or context.unite(first, second)
    if merged is not None:
        return merged
    if context.learn_items(first, second):
        raise context.not_known_yet(node)
    context.refuse_merge(
        f"the value is {first.type} or {second.type}",
        node,
        first,
        second,
        why="an expression has one type",
    )


def _if_expression(context: Context, node: n.IfExp, expected: Type | None) -> Typed:
    condition = context.condition(node.test)
    ends = None
    found: list[Typed | EndsHere | None] = []
    for env, arm in ((condition.when_true, node.body), (condition.when_false, node.orelse)):
        if env is None:
            continue
        context.env = env
        # As in `attempt`: one arm may be a recursive call whose type only the other arm tells.
        try:
            found.append(context.typed(arm, expected))
            context.skipped.pop(arm, None)
        except UnknownTypeError:
            context.skipped[arm] = None
            found.append(None)
        except EndsHere as refusal:
            found.append(refusal)
            continue
        ends = join(ends, context.env)
    values = never_returning.choice_of_values(context, (node.body, node.orelse), found)
    if not values:
        raise UnknownTypeError
    context.env = ends
    runs = condition.when_true is not None, condition.when_false is not None
    context.facts.arms[node] = Arms(*runs, *runs, ends is not None)
    merged = values[0]
    if len(values) == 2:
        merged = _merge_values(context, node, *values)
    context.facts.types[node] = merged.type
    return merged


def _named(context: Context, node: n.NamedExpr, expected: Type | None) -> Typed:
    value = context.typed(node.value, expected)
    context.assign(node.target, value)
    context.facts.types[node] = value.type
    return replace(value, length=None)  # a list has two names now


def _tuple(context: Context, node: n.Tuple, expected: Type | None) -> Value:
    declared: tuple[Type | None, ...] = (None,) * len(node.elts)
    if isinstance(expected, TupleType) and len(expected.items) == len(node.elts):
        declared = expected.items
    found = [context.expression(e, t) for e, t in zip(node.elts, declared, strict=True)]
    if (index := slice_variables.check_display(context, node, found)) is not None:
        return index
    classes = tuple(v.value if isinstance(v, Static) else None for v in found)
    if is_classes(classes, BaseException):
        return Static(classes, context.span(node))
    values = [context.as_typed(e, v) for e, v in zip(node.elts, found, strict=True)]
    for elt, value in zip(node.elts, values, strict=True):
        refuse_borrowed(context, elt, value, "put into a tuple")
        context.require_items(elt, value)
    return _tuple_of(context, node, values)


def _tuple_of(context: Context, node: n.Tuple | n.List, values: Sequence[Typed]) -> Typed:
    items = [operand(e, v) for e, v in zip(node.elts, values, strict=True)]
    result = context.record(node, node.elts, context.apply(node, data.TUPLE, *items))
    return Typed(result.type, result.span, displays_of(values), known_ints(values))


def _list(context: Context, node: n.List, expected: Type | None) -> Typed:
    key = (node, context.path)
    expected = expected if node.elts else block_in(expected, ListType)
    expected = expected and declared_type(context, key, expected)
    declared = without_sizes(expected.item) if isinstance(expected, ListType) else None
    values = list_items.ended(context, key, node, [context.typed(e, declared) for e in node.elts])
    if values and isinstance(expected, TensorType) and all(is_number(v.type) for v in values):
        return _tuple_of(context, node, values)  # an array takes the numbers: no list is needed
    for elt, value in zip(node.elts, values, strict=True):
        refuse_borrowed(context, elt, value, "put into a list")
        if declared is not None and is_open(value.type):
            context.learn_items(value, Typed(declared, context.span(node)))
            raise context.not_known_yet(elt)
    tell_items(context, key, expected, zip(node.elts, values, strict=True), "item")
    merged = list_items.known_item(context, key)
    united = list_items.united(context, node, merged, values)
    for value in () if united else values:
        merged = value if merged is None else _merge_values(context, node, merged, value)
    merged = united or merged
    if declared is None and (merged is None or is_open(merged.type)):
        return _open_list(context, node, merged)
    list_items.require_told(context, node.elts, values, merged)
    item = declared
    if item is None and merged is not None:
        item = without_sizes(merged.type)
    assert item is not None
    items = [
        list_items.fit_item(context, elt, operand(elt, value), ListType(item), value)
        for elt, value in zip(node.elts, values, strict=True)
    ]
    if declared is None and merged is not None:
        if merged.unites:
            context.learned.items[key] = merged
        context.learned.items.setdefault(key, merged)
    result = context.record(node, node.elts, context.apply(node, data.LIST, *items, item=item))
    found = Typed(result.type, result.span, open_list=key, length=len(items))
    return as_declared(context, key, found) if declared else found


def _open_list(context: Context, node: n.List, item: Typed | None) -> Typed:
    """Return a list that does not say yet what it holds, or what the lists in it hold."""
    key = (node, context.path)
    if item is None:
        context.empty_lists.append(key)
    else:
        context.learned.items.setdefault(key, item)
    type_ = EMPTY_LIST if item is None else ListType(item.type)
    context.facts.types[node] = type_
    return Typed(type_, context.span(node), open_list=key)


def _name(context: Context, node: n.Name, _: Type | None) -> Value:
    return names.check_name(context, node)


def _attribute(context: Context, node: n.Attribute, _: Type | None) -> Value:
    return names.check_attribute(context, node)


def _subscript(context: Context, node: n.Subscript, _: Type | None) -> Value:
    # Names alone: what may be evaluated is checked once.
    value = node.value.value if isinstance(node.value, n.Attribute) else node.value
    if isinstance(value, n.Name):
        base = context.expression(node.value)
        if isinstance(base, Static) and isinstance(base.value, type) and parameters_of(base.value):
            return generic_classes.subscripted(context, node, base.value)
        if isinstance(base, Static) and (base.value is np.r_ or base.value is np.c_):
            return joining.check_row(context, node, columns=base.value is np.c_)
        if isinstance(base, Static) and (base.value is np.mgrid or base.value is np.ogrid):
            return grids.check_grid(context, node, dense=base.value is np.mgrid)
    return subscripts.check_subscript(context, node)


def _lambda(context: Context, node: n.Lambda, _: Type | None) -> Value:
    return function_values.defined(context, node)


def _list_comprehension(context: Context, node: n.ListComp, expected: Type | None) -> Typed:
    return comprehensions.check_list(context, node, expected)


def _generator(context: Context, node: n.GeneratorExp, _: Type | None) -> Typed:
    return iterator_values.check_expression(context, node)


def _yield(context: Context, node: n.Yield | n.YieldFrom, _: Type | None) -> Value:
    if isinstance(node, n.Yield):
        return generator_values.check_yield(context, node)
    return generator_values.check_yield_from(context, node)


def _call(context: Context, node: n.Call, expected: Type | None) -> Value:
    found = calls.check_call(context, node, expected)
    forget_after(context, node)
    return found


# Each function takes nodes of the class it stands under.
_CHECKS: Mapping[type[n.Expression], Callable[[Context, Any, Type | None], Value]] = {
    n.Attribute: _attribute,
    n.BinOp: _binary,
    n.BoolOp: _bool_op,
    n.Call: _call,
    n.Compare: _compare,
    n.Constant: _constant,
    n.Dict: displays.check_dict,
    n.DictComp: displays.check_dict_comprehension,
    n.Set: displays.check_set,
    n.SetComp: displays.check_set_comprehension,
    n.GeneratorExp: _generator,
    n.IfExp: _if_expression,
    n.JoinedStr: formatted_texts.check_joined,
    n.Lambda: _lambda,
    n.List: _list,
    n.ListComp: _list_comprehension,
    n.Name: _name,
    n.NamedExpr: _named,
    n.Subscript: _subscript,
    n.Tuple: _tuple,
    n.UnaryOp: _unary,
    n.Yield: _yield,
    n.YieldFrom: _yield,
}
