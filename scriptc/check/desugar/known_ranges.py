"""Tuples of short ranges that are known: `tuple(range(1, x.ndim))` is `(1, 2)` for three axes.

So it is with `tuple(i for i in range(x.ndim) if i != 1)`, which drops some of them. Such a tuple
says axes, or the order of axes.
"""

import operator
from collections.abc import Callable, Mapping

from scriptc.check.bindings import Static, Typed
from scriptc.check.context import Context
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.types import Type

_MOST = 16  # ints; more are no axes
_TESTS: Mapping[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def check_tuple(context: Context, node: n.Call, _: Type | None = None) -> Typed | None:
    """Check `tuple(...)` of a range whose bounds are known as the tuple of its ints."""
    if len(node.args) != 1 or node.keywords:
        return None
    (source,) = node.args
    numbers = _chosen(context, source) if isinstance(source, n.GeneratorExp) else None
    numbers = numbers or _numbers(context, source)
    if not numbers:
        return None
    kept, key = context.learned.spreads, (node, ("known", *map(str, numbers)))
    items = tuple(n.Constant(node.lo, node.hi, number, None) for number in numbers)
    whole = kept.setdefault(key, n.Tuple(node.lo, node.hi, items))
    value = context.typed(whole)
    context.facts.expanded[node] = Expansion((), whole, frozenset())
    context.facts.types[node] = value.type
    return value


def _numbers(context: Context, source: n.Expression) -> list[int] | None:
    """Return the ints of a range with known bounds, where to compute these has no effect."""
    if not (isinstance(source, n.Call) and isinstance(source.func, n.Name)) or source.keywords:
        return None
    callee = context.callee(source)
    if not (isinstance(callee, Static) and callee.value is range):
        return None
    if not 1 <= len(source.args) <= 3 or not all(map(_is_quiet, source.args)):
        return None
    bounds = [_known(context, argument) for argument in source.args]
    known = [bound for bound in bounds if bound is not None]
    if len(known) < len(bounds) or known[2:] == [0] or range(*known)[_MOST:]:
        return None
    return list(range(*known))


def _chosen(context: Context, source: n.GeneratorExp) -> list[int] | None:
    """Return those ints of a known range that pass comparisons with known ints."""
    (generator, *others) = source.generators
    target = generator.target
    if others or not isinstance(target, n.Name) or not _is_named(source.elt, target.id):
        return None
    numbers = _numbers(context, generator.iter)
    for test in generator.ifs:
        if numbers is None or not isinstance(test, n.Compare) or len(test.ops) > 1:
            return None
        compare, (other, *_) = _TESTS.get(next(iter(test.ops))), test.comparators
        if compare is None or not _is_named(test.left, target.id) or not _is_quiet(other):
            return None
        if target.id in _names(other) or (bound := _known(context, other)) is None:
            return None
        numbers = [number for number in numbers if compare(number, bound)]
    return numbers


def _known(context: Context, node: n.Expression) -> int | None:
    value = context.expression(node)
    known = value.known.value if isinstance(value, Typed) and value.known else None
    return known if type(known) is int else None


def _is_named(node: n.Expression, name: str) -> bool:
    return isinstance(node, n.Name) and node.id == name


def _names(node: n.Expression) -> set[str]:
    match node:
        case n.Name(id=name):
            return {name}
        case n.Attribute(value=value):
            return _names(value)
        case n.BinOp(left=left, right=right):
            return _names(left) | _names(right)
        case _:
            return set()


def _is_quiet(node: n.Expression) -> bool:
    """Whether it makes no difference that an expression is not computed: it is of names alone."""
    match node:
        case n.Name() | n.Constant():
            return True
        case n.UnaryOp(operand=operand):
            return _is_quiet(operand)
        case n.Attribute(value=n.Name()):
            return True
        case n.Call(func=n.Name(id="len"), args=(n.Name() | n.Attribute(value=n.Name()),)):
            return not node.keywords
        case n.BinOp(left=left, right=right):
            return _is_quiet(left) and _is_quiet(right)
        case _:
            return False
