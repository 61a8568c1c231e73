"""Variables that stand for a generator: `squares = (x * x for x in xs)`, taken at one place later.

Such a variable is no value: where its items are taken stands what it is assigned, over values that
are computed at the assignment, as Python does. That is what Python does as well if nothing else
takes an item: the variable is mentioned once, and in no loop that goes round it again.
"""

from collections.abc import Iterator

from scriptc.check.bindings import Fixed, LazyGenerator, Static
from scriptc.check.context import Context
from scriptc.check.desugar.dict_loops import is_view
from scriptc.check.desugar.generator_loops import gives_items, kept
from scriptc.check.scopes import bound_by, walk, walk_own
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion


def check_lazy(context: Context, node: n.Assign) -> bool:
    """Check the assignment of a generator to a variable; whether it is one that is taken once."""
    target, *others = node.targets
    if others or not isinstance(target, n.Name):
        return False
    name = target.id
    if (
        name in context.learned.cells
        or name in context.learned.kept
        or not gives_items(context, node.value)
        or is_view(context, node.value)  # which is a value
    ):
        return False
    if not _is_taken_once(context, node, name):
        return False
    known = context.learned.expansions.get(node)
    if known is None:
        made: list[n.Statement] = []
        items = kept(context, node.value, made)
        names = frozenset(name for s in made for name in bound_by(s))
        known = context.learned.expansions[node] = Expansion(tuple(made), items, names)
    else:
        context.locals |= known.names
        context.block(known.body)
    assert context.env is not None
    context.env[name] = Fixed(Static(LazyGenerator(name, known.value), context.span(node.value)))
    context.facts.expanded[node] = known
    return True


def _is_taken_once(context: Context, node: n.Assign, name: str) -> bool:
    """Whether a variable is bound here alone, and mentioned once, in each iteration around it."""
    if context.definition is None or context.rounds.have_ends:
        return False  # one that has to be ended is, where the variable is given up
    body = context.definition.body
    bindings = [inner for inner in walk_own(body) if name in bound_by(inner)]
    mentions = [inner for inner in walk(body) if isinstance(inner, n.Name) and inner.id == name]
    taken = [inner for inner in mentions if inner is not node.targets[0]]
    if bindings != [node] or len(taken) != 1:
        return False
    if any(isinstance(inner, n.Attribute) and inner.value is taken[0] for inner in walk(body)):
        return False  # a method of a generator is called
    return not any(_holds(around, taken[0]) and not _holds(around, node) for around in _again(body))


def _again(body: n.Body) -> Iterator[n.Node]:
    """Yield what may run several times: bodies of loops, parts of comprehensions, functions."""
    for inner in walk(body):
        match inner:
            case n.For(body=again):
                yield n.Node(again[0].lo, again[-1].hi)
            case n.While(test=test, body=again):
                yield n.Node(test.lo, again[-1].hi)
            case n.ListComp() | n.SetComp() | n.DictComp() | n.GeneratorExp():
                yield from (part for part in n.children(inner) if part is not inner.generators[0])
                first = inner.generators[0]
                yield from (part for part in n.children(first) if part is not first.iter)
            case n.FunctionDef() | n.Lambda():
                yield inner
            case _:
                pass


def _holds(around: n.Node, node: n.Node) -> bool:
    return around.lo <= node.lo and node.hi <= around.hi
