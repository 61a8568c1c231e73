"""Which names a function binds, which of them need a cell, and what the others mean."""

import builtins
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import CodeType, FunctionType
from typing import TypeVar

from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import own_names
from scriptc_runtime.record import record

_MISSING = object()
_T = TypeVar("_T")
# A function is checked several times, for other types and until nothing new is learned.
once_a_function = lru_cache(maxsize=512)


@record(eq=False)
class Found:
    """A live object behind a name: where it was found, and under which qualified name."""

    value: object
    name: str


def look_up(function: FunctionType, name: str) -> Found | None:
    """Return what `name` means in `function` where it is not local: closure, globals, builtins."""
    code: CodeType = function.__code__
    closure = function.__closure__ or ()
    if name in code.co_freevars:
        cell = closure[code.co_freevars.index(name)]
        try:
            return Found(cell.cell_contents, f"{function.__qualname__}.{name}")
        except ValueError:
            return None  # the outer function has not bound it yet
    if name in function.__globals__:
        return Found(function.__globals__[name], f"{function.__module__}.{name}")
    value: object = getattr(builtins, name, _MISSING)
    return None if value is _MISSING else Found(value, name)


def plain_function(value: object) -> FunctionType | None:
    """Return the Python function that `value` is, or that a scripted function wraps."""
    if isinstance(value, FunctionType):
        return value
    wrapped: object = getattr(value, "python", None)
    return wrapped if isinstance(wrapped, FunctionType) else None


def known_as(table: Mapping[object, _T], value: object) -> _T | None:
    """Return what a table of live objects has for a value, which need not be hashable."""
    try:
        return table.get(value)
    except TypeError:  # an unhashable object is nothing of ours
        return None


def walk(nodes: Iterable[n.Node]) -> Iterator[n.Node]:
    """Yield `nodes` and all nodes inside them, in source order."""
    waiting = [iter(nodes)]  # a generator in a generator would hand each node up all the way
    while waiting:
        for node in waiting[-1]:
            yield node
            waiting.append(n.children(node))
            break
        else:
            waiting.pop()


def walk_own(nodes: Iterable[n.Node]) -> Iterator[n.Node]:
    """Yield `nodes` and all nodes inside them that no nested function holds."""
    waiting = [iter(nodes)]
    while waiting:
        for node in waiting[-1]:
            yield node
            if not isinstance(node, n.FunctionDef | n.Lambda):
                waiting.append(n.children(node))
                break
        else:
            waiting.pop()


@once_a_function
def free_names(node: n.FunctionDef | n.Lambda) -> frozenset[str]:
    """Return the names that a nested function reads and does not bind itself."""
    if isinstance(node, n.Lambda):
        own, body = _own_parameters(node.args), (node.body,)
        own |= frozenset(name for inner in walk_own(body) for name in bound_by(inner))
    else:
        own, body = local_names(node), node.body
        # Those it writes to by `nonlocal` may stand in no expression.
        return frozenset(_free(body)) - own | nonlocal_names(node)
    return frozenset(_free(body)) - own


def _free(nodes: Iterable[n.Node]) -> Iterator[str]:
    waiting = list(nodes)
    while waiting:
        match node := waiting.pop():
            case n.Name(id=name):
                yield name
            case n.FunctionDef() | n.Lambda():
                yield from free_names(node)
            case n.ListComp() | n.GeneratorExp() | n.SetComp() | n.DictComp():
                first, own = node.generators[0].iter, set(own_names(node))
                waiting.append(first)
                rest = [child for child in n.children(node) if child is not node.generators[0]]
                rest += [node.generators[0].target, *node.generators[0].ifs]
                yield from (name for name in _free(rest) if name not in own)
            case _:
                waiting += n.children(node)


def target_names(target: n.Expression) -> Iterator[str]:
    """Yield the variables that assigning to `target` binds."""
    match target:
        case n.Name(id=name):
            yield name
        case n.Tuple(elts=elts) | n.List(elts=elts):
            for elt in elts:
                yield from target_names(elt)
        case n.Starred(value=value):
            yield from target_names(value)
        case _:
            pass


def bound_by(node: n.Node) -> Iterator[str]:
    """Yield the variables that a statement or expression itself binds."""
    match node:
        case n.Assign(targets=targets):
            for target in targets:
                yield from target_names(target)
        case (
            n.AugAssign(target=target)
            | n.For(target=target)
            | n.withitem(optional_vars=n.Expression() as target)
        ):
            yield from target_names(target)
        case n.AnnAssign(target=target, value=value) if value is not None:
            yield from target_names(target)
        case n.NamedExpr(target=target):
            yield target.id
        case (
            n.ExceptHandler(name=str(name))
            | n.FunctionDef(name=name)
            | n.MatchAs(name=str(name))
            | n.MatchStar(name=str(name))
            | n.MatchMapping(rest=str(name))
        ):
            yield name
        case n.Import(names=names) | n.ImportFrom(names=names):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in names)
        case _:
            pass


@record(eq=False)
class Binding:
    """What binds a variable, and the outermost loop of the function around it."""

    place: n.Node
    loop: n.Node | None


@once_a_function
def bindings_of(node: n.FunctionDef) -> Mapping[str, Sequence[Binding]]:
    """Return what a function itself binds each of its variables by, in source order."""
    found: dict[str, list[Binding]] = {}
    loop: n.Node | None = None
    for inner in walk_own(node.body):
        if loop is not None and not holds(loop, inner):
            loop = None
        if loop is None and isinstance(inner, n.For | n.While):
            loop = inner
        for name in bound_by(inner):
            found.setdefault(name, []).append(Binding(inner, loop))
    return {name: sorted(each, key=lambda b: b.place.lo) for name, each in found.items()}


def holds(outer: n.Node, node: n.Node) -> bool:
    """Whether a node stands in another one, or is it."""
    return outer.lo <= node.lo and node.hi <= outer.hi


def _shaped_by(node: n.Node) -> Iterator[str]:
    """Yield the variables whose shape a statement sets, which gives them another type."""
    targets = list(node.targets) if isinstance(node, n.Assign) else []
    for target in targets:
        match target:
            case n.Attribute(value=n.Name(id=name), attr="shape"):
                yield name
            case n.Tuple(elts=elts):
                targets += elts
            case _:
                pass


def assigned_names(nodes: Iterable[n.Node]) -> frozenset[str]:
    """Return the variables that anything in `nodes` may give another value or type."""
    return _assigned_in(tuple(nodes))


@once_a_function
def _assigned_in(nodes: tuple[n.Node, ...]) -> frozenset[str]:
    bind = (bound_by, _shaped_by)
    return frozenset(name for node in walk_own(nodes) for found in bind for name in found(node))


def assigned_fields(nodes: Iterable[n.Node], owner: str) -> frozenset[str]:
    """Return `owner.field` for each field that `nodes` assign, as constructors keep them."""
    return frozenset(_assigned_fields(nodes, owner))


def _assigned_fields(nodes: Iterable[n.Node], owner: str) -> Iterator[str]:
    for node in walk_own(nodes):
        match node:
            case n.Assign(targets=targets):
                for target in targets:
                    yield from _fields(target, owner)
            case n.AugAssign(target=target) | n.AnnAssign(target=target) | n.For(target=target):
                yield from _fields(target, owner)
            case n.With(items=items):
                for item in items:
                    if item.optional_vars is not None:
                        yield from _fields(item.optional_vars, owner)
            case _:
                pass


def fields_assigned_in(node: n.FunctionDef, owner: str) -> list[str]:
    """Return the fields that a constructor assigns, in source order."""
    found = dict.fromkeys(_assigned_fields(node.body, owner))
    return [name.partition(".")[2] for name in found]


def _fields(target: n.Expression, owner: str) -> Iterator[str]:
    match target:
        case n.Attribute(value=n.Name(id=name), attr=attr) if name == owner:
            yield f"{owner}.{attr}"
        case n.Tuple(elts=elts) | n.List(elts=elts):
            for elt in elts:
                yield from _fields(elt, owner)
        case n.Starred(value=value):
            yield from _fields(value, owner)
        case _:
            pass


def parameter_names(node: n.FunctionDef | n.Lambda) -> list[str]:
    """Return the parameters in the order in which a specialisation lists their types."""
    return [parameter.arg for parameter in parameters(node.args)]


def parameters(args: n.arguments) -> Sequence[n.arg]:
    """Return the parameters as a signature has them: `*args` stands before keyword-only ones."""
    starred = (args.vararg,) if args.vararg else ()
    return (*args.posonlyargs, *args.args, *starred, *args.kwonlyargs)


def _own_parameters(args: n.arguments) -> frozenset[str]:
    """Return the names of all parameters, `**kwargs` included."""
    keywords = (args.kwarg,) if args.kwarg else ()
    return frozenset(parameter.arg for parameter in (*parameters(args), *keywords))


@once_a_function
def local_names(node: n.FunctionDef) -> frozenset[str]:
    """Return every name that Python takes for a local variable of the function."""
    names = set(_own_parameters(node.args))
    for inner in walk_own(node.body):
        names.update(bound_by(inner))
        if isinstance(inner, n.AnnAssign) and isinstance(inner.target, n.Name):
            names.add(inner.target.id)  # declared
    return frozenset(names) - nonlocal_names(node)


@once_a_function
def nonlocal_names(node: n.FunctionDef) -> frozenset[str]:
    """Return the variables of functions further out that a nested function writes to."""
    statements = (s for s in walk_own(node.body) if isinstance(s, n.Nonlocal))
    return frozenset(name for statement in statements for name in statement.names)


def _mentions(nodes: Iterable[n.Node]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for node in walk(nodes):
        names = [node.id] if isinstance(node, n.Name) else []
        match node:
            case n.ExceptHandler(name=str(name)):
                names = [name]
            case n.Attribute(value=n.Name(id=owner), attr=attr):
                # Counted for the fields of a constructor, which are variables there.
                names = [f"{owner}.{attr}"]
            case _:
                pass
        for name in names:
            counts[name] = counts.get(name, 0) + 1
    return counts


_CELL_MAKERS = frozenset({n.Try, n.NamedExpr})


def names_in_cells(node: n.FunctionDef) -> frozenset[str]:
    """Return the variables that need a cell whatever their types.

    Those assigned in one part of a `try` and mentioned outside of it: when the part is left is
    not known. Those bound by `:=` in an operand that may not be evaluated.
    """
    if not any(type(inner) in _CELL_MAKERS for inner in walk(node.body)):
        return frozenset()
    everywhere = _mentioned_in(node)
    found: set[str] = set()
    covered: set[n.Node] = set()
    for statement in walk_own(node.body):
        found |= _kept_by(node, _try_parts(statement), everywhere)
        # What one of them holds is looked at with it.
        outer = [e for e in _perhaps_evaluated(statement) if e not in covered]
        for inner in walk_own(outer):
            covered.add(inner)
            found.update(bound_by(inner))
    return frozenset(found) - _handler_names(node)


def names_in_cells_of_managers(node: n.FunctionDef) -> dict[int, frozenset[str]]:
    """Return the variables that each `with` needs cells for, as its body is a part of a `try`.

    It is known by its place: the body of a loop may stand in a function several times.
    """
    everywhere = _mentioned_in(node)
    handled = _handler_names(node)
    return {
        inner.lo: _kept_by(node, [(inner,)], everywhere) - handled
        for inner in walk_own(node.body)
        if isinstance(inner, n.With)
    }


def _mentioned_in(node: n.FunctionDef) -> dict[str, int]:
    counts = _mentions(node.body)
    for name in parameter_names(node):
        counts[name] = counts.get(name, 0) + 1
    return counts


def _kept_by(
    node: n.FunctionDef, parts: Iterable[n.Body], everywhere: dict[str, int]
) -> frozenset[str]:
    """Return what a part of a `try` assigns, and something outside of it mentions."""
    found: set[str] = set()
    params = parameter_names(node)
    for part in parts:
        assigned = assigned_names(part)
        if params:
            assigned |= assigned_fields(part, params[0])
        inside = _mentions(part)
        found.update(a for a in assigned if inside.get(a, 0) < everywhere.get(a, 0))
    return frozenset(found)


def _try_parts(node: n.Node) -> list[n.Body]:
    if not isinstance(node, n.Try):
        return []
    return [node.body, *(h.body for h in node.handlers), node.orelse, node.finalbody]


def _perhaps_evaluated(node: n.Node) -> tuple[n.Expression, ...]:
    match node:
        case n.BoolOp(values=values):
            return values[1:]
        case n.IfExp(body=body, orelse=orelse):
            return body, orelse
        case n.Compare(comparators=comparators):
            return comparators[1:]
        case n.Assert(msg=msg) if msg is not None:
            return (msg,)
        case _:
            return ()


def unsure_parts(nodes: Iterable[n.Node]) -> Iterator[Sequence[n.Node]]:
    """Yield what may be left early, or not be evaluated at all: parts of `try`, operands."""
    for node in walk(nodes):
        yield from _try_parts(node)
        if operands := _perhaps_evaluated(node):
            yield operands


def _handler_names(node: n.FunctionDef) -> frozenset[str]:
    handlers = (h for h in walk(node.body) if isinstance(h, n.ExceptHandler))
    return frozenset(h.name for h in handlers if h.name)
