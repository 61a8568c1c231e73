"""Loops over what is not known yet: what their bodies put in tells it, where it depends on itself.

primes = []
for n in range(2, 30):
for p in primes:            nothing is known of the items in the first pass
if n % p == 0:
break
else:
primes.append(n)        list[int], as this says
"""

from scriptc.check import loops
from scriptc.check.bindings import Poisoned
from scriptc.check.context import (
    Context,
    HiddenResultError,
    LoopFrame,
    NothingPutInError,
    UnknownTypeError,
)
from scriptc.syntax import nodes as n


def check_for(context: Context, node: n.For) -> None:
    """Check a loop; where nothing is known of what it is over, look at what its body puts where."""
    before, blocks = context.env, context.blocks
    try:
        loops.check_for(context, node)
    except HiddenResultError:
        raise
    except UnknownTypeError as error:
        if context.blocks != blocks:
            raise
        is_empty = isinstance(error, NothingPutInError) and _is_what_is_empty(node.iter)
        _look(context, node, () if is_empty else node.orelse)
        if not is_empty:
            raise
        # As far as is known the loop ends at once: what follows may tell what it is over.
        context.skipped[node], context.env = None, before
        context.block(node.orelse)


def _is_what_is_empty(source: n.Expression) -> bool:
    """Whether it is the list or dict itself, or its items, of which nothing is known."""
    match source:
        case n.Name() | n.Attribute() | n.Subscript() | n.Call(func=n.Attribute(), args=()):
            return True
        case _:
            return False


def _look(context: Context, node: n.For, otherwise: n.Body) -> None:
    """Check what a loop does only to learn what is put into lists and containers."""
    env, problems, returns = context.env, len(context.problems), len(context.returns)
    learned = context.learned
    unions, cells = set(learned.unions), dict(learned.cells)
    names = loops.assigned(context, (node,)) - context.learned.cells.keys()
    context.loops.append(LoopFrame())
    try:
        for body in (node.body, otherwise):
            context.env = {**(env or {}), **dict.fromkeys(names, Poisoned())}
            context.block(body)
    finally:
        context.loops.pop()
        context.env = env
        del context.problems[problems:], context.returns[returns:]
        # Which variables are unions, and live in cells as what, is not known of a loop alone.
        learned.unions, learned.cells = unions, cells
