"""Calls that give a function which orders items, or says by what: `key=` of `sort` and its like."""

import bisect
import functools
from collections.abc import Mapping
from types import FunctionType

from scriptc.check import closures
from scriptc.check.bindings import Static, Typed
from scriptc.check.borrowed_lists import refuse_borrowed
from scriptc.check.checked import Computation
from scriptc.check.context import Context, Value, operand
from scriptc.check.library.standard import is_library_file, standard_function
from scriptc.check.scripted_calls import check_scripted
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.errors import TypeCheckError
from scriptc_runtime.types import ClassType, all_parts

# Functions of Python that order items by a function: as they are written in the script language.
_BY_KEY: Mapping[object, tuple[str, str, str]] = {
    max: ("max", "list_methods", "largest_by"),
    min: ("min", "list_methods", "smallest_by"),
    bisect.bisect_left: ("bisect.bisect_left", "heaps", "bisect_left_by"),
    bisect.bisect_right: ("bisect.bisect_right", "heaps", "bisect_right_by"),
    bisect.insort_left: ("bisect.insort_left", "heaps", "insort_left_by"),
    bisect.insort_right: ("bisect.insort_right", "heaps", "insort_right_by"),
}


def check_by_key(context: Context, node: n.Call, live: object) -> Typed | None:
    """Check a call of a function of Python that is given a `key`; None for any other."""
    if not key_of(node):
        return None
    row = next((row for known, row in _BY_KEY.items() if known is live), None)
    if row is None:
        return None
    has_star = any(isinstance(item, n.Starred) for item in node.args)
    if live in (max, min) and (has_star or not node.args):
        return None
    if live in (max, min) and len(node.args) > 1:
        return _of_values(context, node, live)
    name, file, function = row
    if live in (max, min) and any(keyword.arg == "default" for keyword in node.keywords):
        function += "_or"
    return calling_key(context, node, name, standard_function(file, function), ())


def _of_values(context: Context, node: n.Call, live: object) -> Typed:
    """Check `max(a, b, key=f)`, as that of the list of them."""
    listed = n.List(node.lo, node.hi, node.args)
    call = n.Call(node.lo, node.hi, node.func, (listed,), node.keywords)
    # One node for all passes: what is learned of it stays known.
    whole = context.learned.spreads.setdefault((node, ("listed",)), call)
    assert isinstance(whole, n.Call)
    value = check_by_key(context, whole, live)
    assert value is not None
    context.facts.expanded[node] = Expansion((), whole, frozenset())
    context.facts.types[node] = value.type
    return value


def key_of(node: n.Call) -> n.Expression | None:
    """Return the function that says by what items are ordered, None where there is none."""
    keys = [k.value for k in node.keywords if k.arg == "key"]
    return next((k for k in keys if not (isinstance(k, n.Constant) and k.value is None)), None)


def sorted_by_key(context: Context, node: n.Call, base: n.Expression, receiver: Typed) -> Typed:
    """Check `xs.sort(key=...)`, which `sorted` is made of, too."""
    refuse_borrowed(context, node, receiver, "written to")
    context.require_items(node, receiver)
    compared = _compared(context, node)
    given = (compared or node).keywords
    key = next(k.value for k in given if k.arg in ("key", "compare"))
    found = context.expression(key)
    live = closures.resolved(context, found.value, key) if isinstance(found, Static) else None
    name = "sort_compared" if compared else "sort_by"
    if _may_be_seen(context, base, receiver, found, live):
        name += "_emptied"
    function = standard_function("list_sorting", name)
    whole = operand(base, receiver)
    result = calling_key(context, compared or node, "list.sort", function, (whole,), base)
    if compared is not None:
        context.facts.expanded[node] = Expansion((), compared, frozenset())
        context.facts.types[node] = result.type
    return result


def _may_be_seen(
    context: Context, base: n.Expression, receiver: Typed, key: Value, live: object
) -> bool:
    """Whether a key may look at the list that it orders, which Python empties meanwhile."""
    if isinstance(base, n.Name) and "@" in base.id:
        return False  # of a list that an expression makes, as `sorted` does, nothing else knows
    if not isinstance(key, Static) or key.receiver or receiver.borrowed:
        return True
    env = context.env or {}
    held = [env.get(variable) for _, variable in closures.passed_on(live, "key")[1]]
    parts = [part for value in held if isinstance(value, Typed) for part in all_parts(value.type)]
    return any(part == receiver.type or isinstance(part, ClassType) for part in parts)


def calling_key(
    context: Context,
    node: n.Call,
    name: str,
    function: FunctionType,
    bound: tuple[Computation, ...],
    receiver: n.Expression | None = None,
) -> Typed:
    """Check a call of a standard function that calls a function of the script."""
    try:
        signature = context.signature(function)
        return check_scripted(context, node, name, signature, function, bound, receiver=receiver)
    except TypeCheckError as error:
        (problem, *_) = error.diagnostics
        if problem.span is None or not is_library_file(problem.span.source.file):
            raise
        context.fail("argument", f"{name}: {problem.message}", node, instead="compare in a loop")


def _compared(context: Context, node: n.Call) -> n.Call | None:
    """Return a call with `compare=f` for `key=functools.cmp_to_key(f)`; None for any other key."""
    key = key_of(node)
    if not isinstance(key, n.Call) or len(key.args) != 1 or key.keywords:
        return None
    callee = context.expression(key.func)
    if not isinstance(callee, Static) or callee.value is not functools.cmp_to_key:
        return None
    made = context.learned.spreads.get((node, ("compare",)))
    if made is None:
        rest = tuple(k for k in node.keywords if k.arg != "key")
        compare = n.keyword(key.lo, key.hi, "compare", key.args[0])
        made = n.Call(node.lo, node.hi, node.func, node.args, (compare, *rest))
        context.learned.spreads[node, ("compare",)] = made
    assert isinstance(made, n.Call)
    return made
