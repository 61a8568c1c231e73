"""Generators that yield where something is left to do if they are never resumed.

    def lines(log):            for x in lines(log):        over@ = lines(log)
        try:                       if x > 1: break         try:
            yield 1                                            for x in over@: ...
            yield 2                                        finally:
        finally:                                               over@.__drop__()
            log.append("closed")

Python ends such a generator as soon as nothing refers to it. So one has to be made where it is
known who takes its items, and when that is over: in the head of a loop, after `yield from`, or in
`closing`.
"""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from types import FunctionType

from scriptc.check.context import Context
from scriptc.check.generator_classes import DROP
from scriptc.check.kept_captures import Place, place_of
from scriptc.check.scopes import (
    assigned_names,
    bound_by,
    free_names,
    local_names,
    parameter_names,
    walk_own,
)
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.types import ClassType, Type
from scriptc_runtime.unions import members_of


def end_of_loop(context: Context, node: n.For, expansion: Expansion) -> Expansion:
    """Return a loop over a generator that is made in its head, with what ends that."""
    generator = context.generator
    if generator is not None and any(isinstance(i, _YIELDS) for i in walk_own(node.body)):
        generator.has_ends = True
    _keep_in_cells(context, node)
    start, loop = expansion.body
    lo, hi = node.iter.lo, node.iter.hi
    assert isinstance(expansion.value, n.Name)
    over = expansion.value.id
    ended = n.Try(node.lo, node.hi, (loop,), (), (), (_drop(lo, hi, over),), False)
    return Expansion((start, ended), expansion.value, expansion.names)


_YIELDS = (n.Yield, n.YieldFrom)


def _keep_in_cells(context: Context, node: n.For) -> None:
    """Have the variables that a `try` would keep in cells be kept in cells here, too."""
    bound = {name for name in assigned_names((node,)) if "." not in name}
    missing = bound - context.learned.cells.keys()
    if missing:
        context.learned.cells.update(dict.fromkeys(missing))
        raise context.not_known_yet(node)


def require_end(context: Context, node: n.Node, type_: Type) -> None:
    """Refuse a generator that is made where nobody knows when Python would end it."""
    if node in context.ended:
        return
    for member in members_of(type_):
        found = context.generator_class(member.name) if isinstance(member, ClassType) else None
        if found is None or not found.has_ends:
            continue
        definition = context.definition
        variable = _own_variable(definition, node) if definition else None
        if definition is not None and variable is not None:
            if _drops(definition, variable):
                return
            context.rounds.end(context.function, variable)
        context.fail(
            "yield",
            "a generator is kept here that yields inside of `try` or `with`",
            node,
            why="Python ends it where nothing refers to the generator any more",
            instead="call it in the head of a loop, in list(...), after `yield from`, in "
            "`with contextlib.closing(...)`, or for a variable of a function that is not passed on",
        )


def with_ends(
    function: FunctionType, node: n.FunctionDef, ended: AbstractSet[Place]
) -> n.FunctionDef:
    """Return a function that ends the generators in some variables when it ends itself."""
    names = {name for name in local_names(node) if place_of(function, name) in ended}
    if not names:
        return node
    rest = node.decorator_list, node.returns, node.type_params, node.is_async
    return n.FunctionDef(node.lo, node.hi, node.name, node.args, _ended(node.body, names), *rest)


def _ended(body: n.Body, names: AbstractSet[str], earlier: Sequence[str] = ()) -> n.Body:
    for place, statement in enumerate(body):
        match statement:
            case n.Assign(targets=(n.Name(id=name),), lo=lo, hi=hi) if name in names:
                all_of_them = (*earlier, name)  # in the order in which Python gives variables up
                ends = tuple(_drop(lo, hi, variable) for variable in all_of_them)
                rest = _ended(body[place + 1 :], names, all_of_them) or (n.Pass(lo, hi),)
                return (*body[: place + 1], n.Try(lo, rest[-1].hi, rest, (), (), ends, False))
            case _:
                pass
    return body


def _drop(lo: int, hi: int, variable: str) -> n.Expr:
    ask = n.Attribute(lo, hi, n.Name(lo, hi, variable), DROP)
    return n.Expr(lo, hi, n.Call(lo, hi, ask, (), ()))


def _drops(definition: n.FunctionDef, name: str) -> bool:
    return any(
        isinstance(inner, n.Attribute)
        and inner.attr == DROP
        and isinstance(inner.value, n.Name)
        and inner.value.id == name
        for inner in walk_own(definition.body)
    )


def _own_variable(definition: n.FunctionDef, call: n.Node) -> str | None:
    """Return the variable of a function that alone holds what a call makes, until it ends."""
    name = next((name for value, name in _assigned(definition.body) if value is call), None)
    if name is None or name in parameter_names(definition):
        return None
    inside = list(walk_own(definition.body))
    functions = (i for i in inside if isinstance(i, n.FunctionDef | n.Lambda))
    if any(name in free_names(function) for function in functions):
        return None
    mentions = [i for i in inside if isinstance(i, n.Name) and i.id == name]
    bindings = [i for i in inside if name in bound_by(i)]
    taken = {part for i in inside for part in _taking(i)}
    others = [mention for mention in mentions if mention not in taken]
    return name if len(bindings) == len(others) == 1 else None


def _assigned(body: n.Body) -> Iterator[tuple[n.Expression, str]]:
    """Yield what is assigned to variables in no loop and no condition."""
    for statement in body:
        match statement:
            case n.Assign(targets=(n.Name(id=name),), value=value):
                yield value, name
            case n.Try(
                finalbody=(n.Expr(value=n.Call(func=n.Attribute(attr=attr))), *_), body=inner
            ):
                yield from _assigned(inner) if attr == DROP else ()
            case _:
                pass


_METHODS = ("send", "throw", "close", "__next__", DROP)
_FUNCTIONS = ("next", "list", "tuple", "set", "sum", "min", "max", "sorted", "any", "all")


def _taking(node: n.Node) -> Iterator[n.Expression]:
    """Yield what only takes items: its parts are no other names for a generator."""
    match node:
        case n.Call(func=n.Attribute(value=over, attr=attr)) if attr in _METHODS:
            yield over
        case n.Call(func=n.Name(id=name), args=(over, *_)) if name in _FUNCTIONS:
            yield over
        case n.For(iter=over) | n.comprehension(iter=over):
            yield over
        case _:
            pass
