"""Calls of classes of `collections`: an empty object, and then what fills it.

deque(xs, maxlen=n)       made@ = deque(maxlen=n); made@.extend(xs)
Counter(xs, a=1)          made@ = Counter(); made@.update(xs); made@.__setitem__("a", 1)
defaultdict(f, d, a=1)    made@ = defaultdict(f); made@.update(d); made@.__setitem__("a", 1)
OrderedDict(pairs)        made@ = OrderedDict(); for key@, value@ in pairs: made@[key@] = value@
"""

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Sequence

from scriptc.check.bindings import Typed
from scriptc.check.context import Context
from scriptc.check.desugar.comprehensions import as_loops
from scriptc.check.python.deques.displays import check_empty as check_empty_deque
from scriptc.check.python.dicts import factories, missing
from scriptc.check.python.dicts.displays import check_empty
from scriptc.syntax import nodes as n
from scriptc.syntax.expand import is_simple
from scriptc.syntax.made_containers import deque_of, dict_of
from scriptc_runtime.types import Type


def check_collection(
    context: Context,
    node: n.Call,
    callee: object,
    expected: Type | None,
    is_container: Callable[[Context, n.Expression], bool],
) -> Typed:
    """Check a call of a class of `collections`; `is_container` tells what is taken at once."""
    if callee is deque:
        return _deque(context, node, expected)
    firsts = 1 if callee is defaultdict else 0
    if len(node.args) > firsts + 1 or any(keyword.arg is None for keyword in node.keywords):
        name = getattr(callee, "__name__", "")
        context.fail("call-arity", f"{name}() takes one dict or iterable, and keywords", node)
    if callee is defaultdict and not node.args:
        instead = "a class that makes values, as defaultdict(int), or a dict"
        context.fail("call-arity", "this defaultdict makes no values", node, instead=instead)
    given = node.args[firsts:]
    if given or node.keywords:
        require_simple(context, [k.value for k in node.keywords if node.args])
        empty = n.Call(node.lo, node.hi, node.func, node.args[:firsts], ())
        rest = n.Call(node.lo, node.hi, node.func, given, node.keywords)

        def at_once(part: n.Expression) -> bool:
            return callee is Counter or is_container(context, part)

        return as_loops(context, node, lambda: dict_of(rest, at_once, empty), expected)
    if callee is defaultdict:
        factory = factories.seed(context, node, node.args[0], expected)
        return check_empty(context, node, "defaultdict", expected, factory)
    if callee is Counter:
        missing.seed_counter(context, node)
    return check_empty(
        context, node, "OrderedDict" if callee is OrderedDict else "Counter", expected
    )


def _deque(context: Context, node: n.Call, expected: Type | None) -> Typed:
    given = dict(zip(("iterable", "maxlen"), node.args, strict=False))
    for keyword in node.keywords:
        if keyword.arg not in ("iterable", "maxlen") or keyword.arg in given:
            context.fail("call-arity", "deque() takes an iterable and maxlen", keyword)
        given[keyword.arg] = keyword.value
    if len(node.args) > 2:
        context.fail("call-arity", "deque() takes an iterable and maxlen", node)
    source, limit = given.get("iterable"), given.get("maxlen")
    if source is None:
        return check_empty_deque(context, node, limit, expected)
    limits = [limit] if limit else []
    require_simple(context, limits)
    empty = n.Call(
        node.lo, node.hi, node.func, (), tuple(n.keyword(m.lo, m.hi, "maxlen", m) for m in limits)
    )
    return as_loops(context, node, lambda: deque_of(node, source, empty), expected)


def require_simple(context: Context, late: Sequence[n.Expression]) -> None:
    """Refuse keywords whose values are computed once the items are taken."""
    for value in late:
        if not is_simple(value):
            context.fail(
                "call-arity",
                "this value is computed before the items are taken",
                value,
                instead="put it into a variable before",
            )
