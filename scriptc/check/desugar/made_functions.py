"""Calls that make functions of `operator` and `functools`: short for lambdas.

    operator.itemgetter(1)          lambda value: value[1]
    operator.attrgetter("a.b")      lambda value: value.a.b
    operator.methodcaller("f", x)   lambda value, *, given0=x: value.f(given0)
    functools.partial(f, x, k=y)    lambda *rest, given0=x, k=y, **named:
                                        f(given0, *rest, k=k, **named)

What is no literal is a default, and so computed where the function is made.
"""

import functools
import operator
from collections.abc import Callable, Sequence

from scriptc.check.bindings import Static, Typed
from scriptc.check.context import Context, Value
from scriptc.check.desugar.stars import has_star
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.record import field, record

# The parameters of the lambdas: the value, or all that is given by position, and by name.
_REST, _NAMED = "rest@", "named@"


@record(frozen=False, eq=False)
class _Made:
    """A lambda that is made of a call: what it was given, as its defaults."""

    node: n.Call
    names: list[str] = field(default_factory=list[str])
    defaults: list[n.Expression] = field(default_factory=list[n.Expression])

    def given(self, value: n.Expression, name: str = "") -> n.Expression:
        """Return what stands for an argument in the body."""
        if isinstance(value, n.Constant) and not name:
            return value
        self.names.append(name or f"given@{len(self.names)}")
        self.defaults.append(value)
        return self.name(self.names[-1])

    def name(self, name: str) -> n.Name:
        """Return a variable."""
        return n.Name(self.node.lo, self.node.hi, name)

    def function(self, body: n.Expression, *, more: bool = False) -> n.Lambda:
        """Return the lambda of one value, or, with `more`, of any arguments."""
        lo, hi = self.node.lo, self.node.hi
        rest, named, *own = (n.arg(lo, hi, name, None) for name in (_REST, _NAMED, *self.names))
        args = n.arguments(
            lo,
            hi,
            (),
            () if more else (rest,),
            rest if more else None,
            tuple(own),
            tuple(self.defaults),
            named if more else None,
            (),
        )
        return n.Lambda(lo, hi, args, body)


def check_made(context: Context, node: n.Call, callee: Value) -> Value | None:
    """Check a call that makes a function; None for any other."""
    live = callee.value if isinstance(callee, Static) else None
    make = next((make for maker, make in _MAKERS if maker is live), None)
    if make is None or has_star(node):
        return None
    # One node for all passes and all types of a function: each is a class of functions.
    key = context.function, node
    made = context.rounds.made.get(key) or make(context, node)
    if made is None:
        return None
    context.rounds.made[key] = made
    value = context.expression(made)
    if isinstance(value, Typed):
        context.facts.expanded[node] = Expansion((), made, frozenset())
        context.facts.types[node] = value.type
    return value


def _itemgetter(context: Context, node: n.Call) -> n.Lambda | None:
    made = _Made(node)
    lo, hi = node.lo, node.hi
    items = [n.Subscript(lo, hi, made.name(_REST), made.given(key)) for key in node.args]
    return _getter(made, node, items)


def _attrgetter(context: Context, node: n.Call) -> n.Lambda | None:
    made = _Made(node)
    values: list[n.Expression] = []
    for path in node.args:
        if not (isinstance(path, n.Constant) and isinstance(path.value, str)):
            return None
        value: n.Expression = made.name(_REST)
        for name in path.value.split("."):
            value = n.Attribute(node.lo, node.hi, value, name)
        values.append(value)
    return _getter(made, node, values)


def _getter(made: _Made, node: n.Call, values: Sequence[n.Expression]) -> n.Lambda | None:
    if node.keywords or not values:
        return None
    several = n.Tuple(node.lo, node.hi, tuple(values))
    return made.function(values[0] if len(values) == 1 else several)


def _methodcaller(context: Context, node: n.Call) -> n.Lambda | None:
    match node.args:
        case (n.Constant(value=str(name)), *args):
            made = _Made(node)
            method = n.Attribute(node.lo, node.hi, made.name(_REST), name)
            given = tuple(map(made.given, args))
            keywords = tuple(
                n.keyword(k.lo, k.hi, k.arg, made.given(k.value)) for k in node.keywords
            )
            return made.function(n.Call(node.lo, node.hi, method, given, keywords))
        case _:
            return None


def _partial(context: Context, node: n.Call) -> n.Lambda | None:
    if not node.args:
        return None
    made = _Made(node)
    lo, hi = node.lo, node.hi
    of, *args = node.args
    function = of if _is_global(context, of) else made.given(of)
    given = tuple(map(made.given, args))
    rest = n.Starred(lo, hi, made.name(_REST))
    # A call may give another value for these.
    names = [(k.arg, made.given(k.value, k.arg or "")) for k in node.keywords]
    keywords = [n.keyword(lo, hi, name, value) for name, value in names]
    keywords.append(n.keyword(lo, hi, None, made.name(_NAMED)))
    return made.function(n.Call(lo, hi, function, (*given, rest), tuple(keywords)), more=True)


def _is_global(context: Context, node: n.Expression) -> bool:
    """Whether something stands for the same function wherever it is read."""
    while isinstance(node, n.Attribute):
        node = node.value
    return isinstance(node, n.Name) and node.id not in context.locals


# Each function takes what makes a function.
_MAKERS: Sequence[tuple[object, Callable[[Context, n.Call], n.Lambda | None]]] = (
    (operator.itemgetter, _itemgetter),
    (operator.attrgetter, _attrgetter),
    (operator.methodcaller, _methodcaller),
    (functools.partial, _partial),
)
