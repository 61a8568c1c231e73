"""Dicts that are written down, and then spread and read by their keys alone: a variable each.

    options = {"rate": 0.1, "steps": 3}        options@rate = 0.1
                                               options@steps = 3
    train(model, **options)                    train(model, rate=options@rate, steps=options@steps)

So each value keeps its own type, and the names of the arguments are known, as of `**kwargs`.
"""

from collections import Counter
from collections.abc import Container, Iterator

from scriptc.check.bindings import Fixed, KeptKeywords, Static
from scriptc.check.context import Context
from scriptc.check.scopes import bindings_of, once_a_function, walk, walk_own
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion


def check_written(context: Context, node: n.Assign) -> bool:
    """Check the assignment of such a dict to a variable; whether it is one."""
    match node:
        case n.Assign(targets=(n.Name(id=name),), value=n.Dict() as display):
            pass
        case _:
            return False
    if context.definition is None or name not in _spread_in(context.definition):
        return False
    keys = [key.value for key in display.keys if isinstance(key, n.Constant)]
    names = [key for key in keys if isinstance(key, str)]
    learned = context.learned
    if len(set(names)) < len(display.keys) or name in learned.cells or name in learned.kept:
        return False
    held = tuple((key, f"{name}@{key}") for key in names)
    expansion = learned.expansions.get(node)
    if expansion is None:
        values = zip(held, display.values, strict=True)
        body = tuple(_assign(variable, value) for (_, variable), value in values)
        variables = frozenset(variable for _, variable in held)
        expansion = learned.expansions[node] = Expansion(body, display, variables)
    context.locals |= expansion.names
    context.block(expansion.body)
    if context.env is not None:
        context.env[name] = Fixed(Static(KeptKeywords(held), context.span(display)))
    context.facts.endings[node] = expansion.body
    return True


def _assign(variable: str, value: n.Expression) -> n.Statement:
    return n.Assign(value.lo, value.hi, (n.Name(value.lo, value.hi, variable),), value)


@once_a_function
def _spread_in(node: n.FunctionDef) -> frozenset[str]:
    """Return the variables bound once that are spread, and otherwise read by written keys alone.

    All that reads one stands behind its assignment, in the same block: it has a value there.
    """
    spread: set[str] = set()
    written = {part for inner in walk_own(node.body) for part in _written_to(inner)}
    for inner in walk_own(node.body):
        match inner:
            case n.keyword(arg=None, value=n.Name(id=name)):
                spread.add(name)
            case _:
                pass
    if not spread:
        return frozenset()
    names = Counter(inner.id for inner in walk(node.body) if isinstance(inner, n.Name))
    bindings, reads = bindings_of(node), Counter[str]()
    for block in _blocks(node):
        for place, statement in enumerate(block):
            match statement:
                case n.Assign(targets=(n.Name(id=name),), value=n.Dict() as display) if (
                    name in spread
                ):
                    reads[name] += _reads(name, display, block[place + 1 :], written)
                case _:
                    pass
    return frozenset(
        name
        for name in spread
        if len(bindings.get(name, ())) == 1 and names[name] == reads[name] + 1
    )


def _blocks(node: n.FunctionDef) -> Iterator[n.Body]:
    """Yield the blocks of a function, those in others as well."""
    yield node.body
    for inner in walk_own(node.body):
        match inner:
            case n.If() | n.For() | n.While():
                yield from (inner.body, inner.orelse)
            case n.Try():
                yield from (inner.body, inner.orelse, inner.finalbody)
            case n.With() | n.ExceptHandler() | n.match_case():
                yield inner.body
            case _:
                pass


def _reads(name: str, display: n.Dict, behind: n.Body, written: Container[n.Node]) -> int:
    """Return how often a dict is spread, or read by a key that it has."""
    keys = {key.value for key in display.keys if isinstance(key, n.Constant)}
    count = 0
    for inner in walk_own(behind):
        match inner:
            case n.keyword(arg=None, value=n.Name(id=found)) if found == name:
                count += 1
            case n.Subscript(value=n.Name(id=found), slice=n.Constant(value=str() as key)) if (
                found == name and key in keys and inner not in written
            ):
                count += 1
            case _:
                pass
    return count


def _written_to(node: n.Node) -> Iterator[n.Node]:
    """Yield the targets of a statement, and what stands in them."""
    match node:
        case n.Assign(targets=targets) | n.Delete(targets=targets):
            yield from walk(targets)
        case n.AugAssign(target=target) | n.AnnAssign(target=target) | n.For(target=target):
            yield from walk((target,))
        case n.withitem(optional_vars=n.Expression() as target):
            yield from walk((target,))
        case _:
            pass
