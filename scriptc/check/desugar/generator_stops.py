"""StopIteration that leaves what a generator computes: Python makes a RuntimeError of it.

    sum(next(it) for _ in xs)       sum(stopped@iterators(lambda: next(it)) for _ in xs)

Generators that are objects do so themselves; one that becomes a part of a loop would pass it on.
So generator expressions have what may raise it wrapped, and generator functions stay objects.  What
a function that was passed on raises is not known here.
"""

from collections.abc import Iterator
from types import CodeType, FunctionType

from scriptc.check.scopes import walk
from scriptc.check.stopping_functions import StoppingFunctions
from scriptc.syntax import nodes as n
from scriptc.syntax.copies import with_parts

# Stands for `stopped` of `stdlib/iterators.py`, in all functions.
STOPPED = "stopped@iterators"


def with_stops(
    stopping: StoppingFunctions, function: FunctionType, node: n.FunctionDef
) -> n.FunctionDef:
    """Return a function whose generator expressions do not let StopIteration through."""
    if not _has_expressions(function.__code__):
        return node
    scope = stopping.scope(function, node.body)
    wrapped: dict[n.Expression, n.Expression] = {}
    # What is inside of others comes first.
    for inner in reversed([i for i in walk(node.body) if isinstance(i, n.GeneratorExp)]):
        for part in _computed(inner):
            # What `:=` assigns to is a variable of the function.
            assigns = any(isinstance(i, n.NamedExpr) for i in walk((part,)))
            if not assigns and stopping.may_stop(scope, (part,)):
                wrapped[part] = _wrapped(with_parts(part, wrapped))
    return with_parts(node, wrapped) if wrapped else node


def may_stop(
    stopping: StoppingFunctions,
    function: FunctionType,
    node: n.FunctionDef,
    around: n.FunctionDef | None,
) -> bool:
    """Whether the statements of a generator may raise StopIteration; it may stand in another."""
    bodies = (*(around.body if around else ()), *node.body)
    return stopping.may_stop(stopping.scope(function, bodies), node.body)


def _has_expressions(code: CodeType) -> bool:
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return any(c.co_name == "<genexpr>" or _has_expressions(c) for c in inner)


def _computed(node: n.GeneratorExp) -> Iterator[n.Expression]:
    """Yield what a generator expression computes itself: not what its first loop runs over."""
    yield node.elt
    for number, generator in enumerate(node.generators):
        yield from (generator.iter,) if number else ()
        yield from generator.ifs


def _wrapped(node: n.Expression) -> n.Expression:
    lo, hi = node.lo, node.hi
    nothing = n.arguments(lo, hi, (), (), None, (), (), None, ())
    return n.Call(lo, hi, n.Name(lo, hi, STOPPED), (n.Lambda(lo, hi, nothing, node),), ())
