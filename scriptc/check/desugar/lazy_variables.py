"""Variables that stand for a generator: `squares = (x * x for x in xs)`, taken at one place later.

Such a variable is no value: where its items are taken stands what it is assigned, over values that
are computed at the assignment, as Python does. That is what Python does as well if nothing else
takes an item: the variable is mentioned once, and in no loop that goes round it again.
"""

from collections.abc import Iterator, Mapping, Sequence

from scriptc.check.bindings import Fixed, LazyGenerator, Static
from scriptc.check.context import Context
from scriptc.check.desugar.comprehensions import check_unpacked
from scriptc.check.desugar.dict_loops import is_view
from scriptc.check.desugar.generator_loops import gives_items, kept
from scriptc.check.scopes import bindings_of, bound_by, holds, once_a_function, walk
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.record import record


def check_lazy(context: Context, node: n.Assign) -> bool:
    """Check the assignment of a generator to a variable; whether it is one that is taken once.

    Or whether its items are taken apart at once.
    """
    if isinstance(node.value, n.GeneratorExp) and check_unpacked(context, node, node.value):
        return True
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
    bindings = bindings_of(context.definition).get(name, ())
    mentions = _mentions_of(context.definition).get(name, ())
    taken = [mention for mention in mentions if mention.place is not node.targets[0]]
    if [binding.place for binding in bindings] != [node] or len(taken) != 1:
        return False
    (mention,) = taken
    if mention.has_attribute:
        return False  # a method of a generator is called
    return mention.repeated is None or holds(mention.repeated, node)


@record(eq=False)
class _Mention:
    """Where a variable stands, and the innermost part around that may run several times."""

    place: n.Name
    repeated: n.Node | None
    has_attribute: bool


@once_a_function
def _mentions_of(node: n.FunctionDef) -> Mapping[str, Sequence[_Mention]]:
    """Return where the variables of a function stand, in it and in what is nested in it."""
    found: dict[str, list[_Mention]] = {}
    owners: set[n.Node] = set()
    begun: dict[n.Node, list[n.Node]] = {}  # by the first node in each
    around: list[n.Node] = []
    for inner in walk(node.body):
        while around and not holds(around[-1], inner):
            around.pop()
        for first, part in _repeated_by(inner):
            begun.setdefault(first, []).append(part)
        around += begun.get(inner, ())
        if isinstance(inner, n.Attribute):
            owners.add(inner.value)
        if isinstance(inner, n.Name):
            innermost = around[-1] if around else None
            mention = _Mention(inner, innermost, inner in owners)
            found.setdefault(inner.id, []).append(mention)
    return found


def _repeated_by(node: n.Node) -> Iterator[tuple[n.Node, n.Node]]:
    """Yield what a node may run several times, with the first node in it."""
    match node:
        case n.For(body=again):
            yield again[0], n.Node(again[0].lo, again[-1].hi)
        case n.While(test=test, body=again):
            yield test, n.Node(test.lo, again[-1].hi)
        case n.ListComp() | n.SetComp() | n.DictComp() | n.GeneratorExp():
            first = node.generators[0]
            yield from ((part, part) for part in n.children(node) if part is not first)
            yield from ((part, part) for part in n.children(first) if part is not first.iter)
        case n.FunctionDef() | n.Lambda():
            yield node, node
        case _:
            pass
