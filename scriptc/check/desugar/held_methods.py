"""Methods of lists, containers and texts as functions, where what they are of is held first.

for word in words:
    letters = []
    add = letters.append            letters@ = letters; add = lambda item: letters@.append(item)
best = max(d, key=self.d.get)       d@ = self.d; best = max(d, key=lambda item: d@.get(item))

The variable, or the field, may hold something else later: Python has bound the method to the value.
"""

import bisect
import heapq
from collections.abc import Mapping, Sequence

from scriptc.check import builtin_methods
from scriptc.check.bindings import Static, Typed
from scriptc.check.context import Context, Value
from scriptc.check.desugar import bound_methods
from scriptc.check.desugar.comprehensions import as_loops
from scriptc.check.members import find_member
from scriptc.check.scopes import once_a_function, walk
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.types import ClassType

# What calls its key while it runs, and keeps it no longer.
_TAKE_KEYS: Sequence[object] = (
    *(max, min, sorted, heapq.nlargest, heapq.nsmallest),
    *(bisect.bisect_left, bisect.bisect_right, bisect.insort_left, bisect.insort_right),
)
# Calls that run no code of the program, whatever they are given.
_QUIET = frozenset({"enumerate", "len", "list", "range", "reversed", "set", "tuple", "zip"})
_QUIET_METHODS = frozenset({"copy", "items", "keys", "lower", "split", "upper", "values"})


def check_held(context: Context, node: n.Assign) -> bool:
    """Check `add = xs.append` where `xs` may be another list later; whether it is such."""
    match node:
        case n.Assign(targets=(n.Name(id=name),), value=n.Attribute() as method):
            count = _calls_of(context, name)
        case _:
            return False
    if count is None or not _is_unsteady(context, method):
        return False
    expansion = context.learned.held.get(node)
    if expansion is None:
        held = _held(method)
        function = bound_methods.as_function(method, held, count)
        first = n.Assign(method.lo, method.hi, (held,), method.value)
        made = n.Assign(node.lo, node.hi, node.targets, function)
        context.learned.held[node] = Expansion((first, made), held, frozenset({held.id}))
        raise context.not_known_yet(node)  # loops around it are to know the variable
    context.locals |= expansion.names
    context.block(expansion.body)
    context.facts.expanded[node] = expansion
    return True


def _calls_of(context: Context, name: str) -> int | None:
    """Return with how many arguments a function calls a variable, if it does nothing else with it.

    What else it did might keep the method when the variable is given another one.
    """
    if context.definition is None or "@" in name or name in context.learned.cells:
        return None
    return _called_names(context.definition).get(name)


@once_a_function
def _called_names(node: n.FunctionDef) -> Mapping[str, int]:
    """Return the variables that are assigned and called alone, with how many arguments."""
    counts: dict[str, set[int | None]] = {}
    expected: set[n.Node] = set()
    nested: set[n.Node] = set()
    for inner in walk(node.body):
        if isinstance(inner, n.FunctionDef | n.Lambda):
            nested.update(walk(n.children(inner)))
        elif isinstance(inner, n.Assign):
            expected.update(inner.targets)
        elif isinstance(inner, n.Call) and isinstance(inner.func, n.Name):
            expected.add(inner.func)
            plain = not inner.keywords and not any(isinstance(a, n.Starred) for a in inner.args)
            counts.setdefault(inner.func.id, set()).add(len(inner.args) if plain else None)
    for inner in walk(node.body):
        if isinstance(inner, n.Name) and (inner not in expected or inner in nested):
            counts.pop(inner.id, None)
    return {
        name: count
        for name, found in counts.items()
        for count in found
        if count is not None and len(found) == 1
    }


def _is_unsteady(context: Context, method: n.Attribute) -> bool:
    """Whether a method is one of a list or the like that something else may stand for later."""
    if bound_methods.is_steady(context, method):
        return False
    found = context.expression(method.value)
    return isinstance(found, Typed) and builtin_methods.has_method(found, method.attr)


def _held(method: n.Attribute) -> n.Name:
    base = method.value
    title = base.id if isinstance(base, n.Name) else "held"
    title = base.attr if isinstance(base, n.Attribute) else title
    return n.Name(base.lo, base.hi, f"{title.partition('@')[0]}@{method.lo}:{method.hi}")


def check_held_key(context: Context, node: n.Call, callee: Static) -> Value | None:
    """Check `max(d, key=self.d.get)`, where `self.d` may be another dict later; None for others."""
    key = next((k for k in node.keywords if k.arg == "key"), None)
    if key is None or not isinstance(key.value, n.Attribute):
        return None
    takes = callee.receiver is not None and callee.value == "sort"
    if not takes and not any(callee.value is live for live in _TAKE_KEYS):
        return None
    rest = [*node.args, *(k.value for k in node.keywords if k is not key)]
    if not _is_unsteady(context, key.value):
        return None
    base = key.value.value
    is_plain = isinstance(base, n.Name) and base.id not in context.learned.cells
    if is_plain and any(isinstance(inner, n.NamedExpr) for inner in walk(rest)):
        return None
    if not is_plain and not all(_is_quiet(context, part) for part in walk((*rest, base))):
        return None
    known = context.learned.held_keys.get(node)
    if known is None:
        held = base if is_plain else _held(key.value)
        known = context.learned.held_keys[node] = _with_key(node, key, held, is_plain=is_plain)
    if known.body:
        return as_loops(context, node, lambda: known)
    value = context.expression(known.value)
    if isinstance(value, Typed):
        context.facts.expanded[node] = known
        context.facts.types[node] = value.type
    return value


def _with_key(node: n.Call, key: n.keyword, held: n.Expression, *, is_plain: bool) -> Expansion:
    """Return a call whose key is a function of what is held."""
    method = key.value
    assert isinstance(method, n.Attribute)
    assert isinstance(held, n.Name)
    function = bound_methods.as_function(method, held, 1)
    given = n.keyword(key.lo, key.hi, key.arg, function)
    keywords = tuple(given if k is key else k for k in node.keywords)
    call = n.Call(node.lo, node.hi, node.func, node.args, keywords)
    if is_plain:
        return Expansion((), call, frozenset())
    first = n.Assign(method.lo, method.hi, (held,), method.value)
    return Expansion((first,), call, frozenset({held.id}))


def _is_quiet(context: Context, part: n.Node) -> bool:
    """Whether a part of an expression gives nothing another value, whenever it is computed."""
    match part:
        case n.Name() | n.Constant() | n.Tuple() | n.List() | n.Slice() | n.Starred():
            return True
        case n.Call(func=n.Name(id=name), keywords=()):
            return name in _QUIET and name not in context.locals
        case n.Call(func=n.Attribute(attr=name)):
            return name in _QUIET_METHODS
        case n.Attribute(value=base, attr=name):
            found = context.expression(base)
            if isinstance(found, Static) or not isinstance(found.type, ClassType):
                return True
            return find_member(context.class_named(found.type.name).live, name) is None
        case n.Subscript(value=base):
            return not isinstance(context.typed(base).type, ClassType)
        case _:
            return False
