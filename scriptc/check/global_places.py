"""Variables of modules that scripts assign: `global count`, and then `count += 1`.

`count` is short for `count@global[0]`: the call is handed a list with the value, and the module
gets what is in it when the call ends.
"""

import sys
from collections.abc import Iterator, Mapping
from types import FunctionType

from scriptc.check import class_places
from scriptc.check.bindings import Typed
from scriptc.check.context import Context
from scriptc.check.scopes import bound_by, target_names, walk_own
from scriptc.syntax import nodes as n
from scriptc.syntax.copies import with_parts
from scriptc.syntax.expansion import own_names
from scriptc.values.global_variables import GlobalVariable, assigned_in, is_data
from scriptc.values.outside_places import OutsidePlace
from scriptc_runtime.errors import Diagnostic, Source, Span, UnsupportedError

_PLACE = "@global"
_COMPREHENSIONS = (n.ListComp, n.SetComp, n.DictComp, n.GeneratorExp)
_BINDING = (n.Assign, n.AugAssign, n.AnnAssign, n.For, n.withitem)  # to a target of any form


def with_globals(source: Source, function: FunctionType, node: n.FunctionDef) -> n.FunctionDef:
    """Return a definition in which variables that are declared global are items of their lists."""
    given: dict[n.Node, n.Node] = {}
    assigned = frozenset(assigned_in(function.__code__))
    for definition in _definitions(node):
        statements = [s for s in walk_own(definition.body) if isinstance(s, n.Global)]
        names = frozenset(name for statement in statements for name in statement.names)
        given |= {s: n.Pass(s.lo, s.hi) for s in statements}
        names &= assigned  # others are read as they are without the statement
        for found in _mentioned(definition.body, names) if names else ():
            if not isinstance(found, n.Name):
                raise _refused(source, found)
            place = n.Name(found.lo, found.hi, _place_name(function, found.id))
            first = n.Constant(found.lo, found.hi, 0, None)
            given[found] = n.Subscript(found.lo, found.hi, place, first)
    return with_parts(node, given) if given else node


def _definitions(node: n.FunctionDef) -> Iterator[n.FunctionDef]:
    waiting: list[n.Node] = [node]
    for inner in waiting:
        if isinstance(inner, n.FunctionDef):
            yield inner
        waiting += n.children(inner)


def _mentioned(body: tuple[n.Statement, ...], names: frozenset[str]) -> Iterator[n.Node]:
    """Yield where a function itself mentions variables, and what binds them in other ways."""
    waiting: list[tuple[n.Node, frozenset[str]]] = [(statement, names) for statement in body]
    while waiting:
        node, meant = waiting.pop()
        if isinstance(node, n.Name) and node.id in meant:
            yield node
        if not isinstance(node, _BINDING) and not meant.isdisjoint(bound_by(node)):
            yield node
        if isinstance(node, n.Delete) and not meant.isdisjoint(_deleted(node)):
            yield node
        if isinstance(node, n.FunctionDef | n.Lambda):
            continue
        if isinstance(node, _COMPREHENSIONS):
            meant -= frozenset(own_names(node))
        waiting += ((child, meant) for child in n.children(node))


def _deleted(node: n.Delete) -> Iterator[str]:
    for target in node.targets:
        yield from target_names(target)


def _refused(source: Source, node: n.Node) -> UnsupportedError:
    return UnsupportedError(
        Diagnostic(
            "global",
            "a global variable is deleted, or bound by something else than an assignment",
            Span(source, node.lo, max(node.lo + 1, min(node.hi, node.lo + 40))),
            why="only values that are assigned are given back to the module",
            instead="a local name, and an assignment: name = ...",
        )
    )


def _place_name(function: FunctionType, name: str) -> str:
    return f"{function.__module__}.{name}{_PLACE}"


def global_place(context: Context, name: str) -> str | None:
    """Return the list that holds a global variable during a call; None for any other name.

    In a part of another function it has another name than in the function itself.
    """
    own = context.learned.foreign.get(name, (context.function, name))[1]
    return own if own.endswith(_PLACE) else None


def place_named(context: Context, node: n.Name) -> tuple[str, OutsidePlace] | None:
    """Return what is stored outside and kept under a name during a call, and its own name."""
    place = global_place(context, node.id)
    if place is not None:
        return place, variable_of(context, node, place)
    known = context.learned.places.get(node.id)
    return None if known is None else (node.id, known)


def variable_of(context: Context, node: n.Node, place: str) -> GlobalVariable:
    """Return the variable that a list holds; refused where Python would not see what it gets."""
    module, _, name = place.removesuffix(_PLACE).rpartition(".")
    variables = context.function.__globals__
    if variables.get("__name__") != module:
        variables = vars(sys.modules[module])
    if not context.outside.is_assigned(variables, name):
        context.fail(
            "global",
            f"the global variable {name!r} {_state_of(variables, name)}",
            node,
            why="what functions of a module assign, and a script gives back to it, are numbers, "
            "texts, None, and lists, dicts and sets",
            instead="give it such a value in the module before the first call",
        )
    return GlobalVariable(variables, name)


def _state_of(variables: Mapping[str, object], name: str) -> str:
    """Return what is wrong with a variable that is assigned."""
    if name not in variables:
        return "has no value before the first call"
    if is_data(variables[name]):
        return "is assigned by a function that no name of the module stands for"
    return f"holds a {type(variables[name]).__name__}"


def read_global(
    context: Context, node: n.Expression, variables: dict[str, object], name: str
) -> Typed | None:
    """Check a variable of a module that functions of it assign; None for any other."""
    if not context.outside.is_assigned(variables, name):
        return None
    held = n.Name(node.lo, node.hi, f"{variables['__name__']}.{name}{_PLACE}")
    first = n.Constant(node.lo, node.hi, 0, None)
    place = n.Subscript(node.lo, node.hi, held, first)
    known = context.learned.spreads.setdefault((node, (held.id,)), place)
    assert isinstance(known, n.Subscript)
    return class_places.read_item(context, node, known, name)
