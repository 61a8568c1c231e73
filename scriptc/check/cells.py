"""Variables that live in cells: of those that nested functions write to, all have the same cell.

    def counted(xs):                a cell is made for `count`; `add` has it as a parameter,
        count = 0                   and what it puts there, the function around it sees
        def add(x):
            nonlocal count
            count += x

A cell has one type. What a nested function puts into one of its callers, its callers learn from it,
as they learn which lists it writes to.
"""

from collections.abc import Iterable, Mapping

from scriptc.check.bindings import Typed, merge, unite_all
from scriptc.check.borrowed_lists import refuse_borrowed
from scriptc.check.checked import CellOf, Computation
from scriptc.check.context import Context
from scriptc.check.open_types import is_open
from scriptc.check.scopes import local_names, nonlocal_names, once_a_function, walk_own
from scriptc.check.size_names import without_sizes
from scriptc.syntax import nodes as n
from scriptc_runtime.record import replace
from scriptc_runtime.types import NONE, CellType, OptionalType, Type, UnionType


@once_a_function
def shared_names(node: n.FunctionDef) -> frozenset[str]:
    """Return the variables of a function that functions nested in it write to."""
    return _written_outside(node.body) & local_names(node)


def _written_outside(body: n.Body) -> frozenset[str]:
    """Return the variables further out that functions defined in `body` write to."""
    found: frozenset[str] = frozenset()
    for inner in walk_own(body):
        if isinstance(inner, n.FunctionDef):
            found |= nonlocal_names(inner) | (_written_outside(inner.body) - local_names(inner))
    return found


def take_cells(
    context: Context, node: n.FunctionDef, names: Iterable[str], types: Iterable[Type]
) -> None:
    """Let the variables whose cells are parameters live there."""
    given = {
        name: type_.item
        for name, type_ in zip(names, types, strict=True)
        if isinstance(type_, CellType)
    }
    context.given_cells = given
    context.shared = shared_names(node) | given.keys() | context.learned.shared
    for name, item in given.items():
        if context.learned.cells.get(name) is None:
            context.learned.cells[name] = Typed(item, context.span(node))
    nonlocals = nonlocal_names(node) - given.keys()
    for statement in walk_own(node.body) if nonlocals else ():
        lost = set(statement.names) - given.keys() if isinstance(statement, n.Nonlocal) else ()
        if lost:
            context.fail(
                "nonlocal",
                f"{min(lost)!r} is a variable of a function that Python called",
                statement,
                why="compiled code does not rebind variables of Python's functions",
                instead="keep the value in a field of an object, or return the new one",
            )


def cell_of(context: Context, node: n.Node, name: str) -> CellOf:
    """Return the cell of a variable, as an argument of a call."""
    known = context.learned.cells[name]
    if known is None:
        raise context.not_known_yet(node)
    return CellOf(name, CellType(without_sizes(known.type)))


def learn_stored(
    context: Context, node: n.Node, cells: Iterable[tuple[str, str]], stored: Mapping[str, Typed]
) -> None:
    """Learn what a callee has put into cells: pairs of its parameter and of the variable here."""
    for parameter, name in cells:
        value = stored.get(parameter)
        if value is None:
            continue
        known = context.learned.cells[name]
        assert known is not None
        merged = _merged(context, node, name, known, replace(value, span=context.span(node)))
        if name in context.given_cells:
            context.stored[name] = merged
        if merged.type != known.type:
            context.learned.cells[name] = merged
            raise context.not_known_yet(node)


def require_stored(
    context: Context,
    node: n.Node,
    captured: Mapping[str, Computation],
    stored: Mapping[str, Typed],
) -> None:
    """Refuse a call of a function that puts values of another type into a cell it has captured."""
    for parameter, value in stored.items():
        cell = captured.get(parameter)
        if cell is not None and CellType(without_sizes(value.type)) != cell.type:
            context.refuse_merge(
                f"a variable that the function has captured holds {cell.type}, not {value.type}",
                node,
                Typed(cell.type, value.span),
                value,
                why="a variable that nested functions write to has one type",
                instead="give it a value of that type where the function is made",
            )


def bind_cell(context: Context, at: n.Node, name: str, value: Typed) -> None:
    """Give a variable in a cell a value: it keeps one type wherever it is assigned."""
    assert context.env is not None
    known = context.learned.cells[name]
    if is_open(value.type) and known is None:
        # What follows in this function may say what it holds.
        context.unknown.append(at)
        context.env[name] = value
        return
    if is_open(value.type):
        assert known is not None
        context.learn_items(value, known)
        raise context.not_known_yet(at)
    if name in context.shared:
        refuse_borrowed(context, at, value, "kept in a variable that nested functions share")
        value = replace(value, type=without_sizes(value.type))
    merged = value if known is None else _merged(context, at, name, known, value)
    if name in context.given_cells:
        earlier = context.stored.get(name)
        both = value if earlier is None else merge(earlier, value) or unite_all((earlier, value))
        context.stored[name] = both or value
    context.learned.cells[name] = merged
    narrowed = merged
    if isinstance(merged.type, OptionalType):
        given = value.type is NONE or isinstance(value.type, OptionalType)
        held = merged.type if given else merged.type.item
        narrowed = replace(merged, type=value.type if value.type is NONE else held)
    elif isinstance(merged.type, UnionType):
        narrowed = replace(merged, type=without_sizes(value.type))
    context.env[name] = replace(narrowed, known=None, span=value.span)


def _merged(context: Context, at: n.Node, name: str, known: Typed, value: Typed) -> Typed:
    given = name in context.given_cells
    merged = merge(known, value) if given else context.merge_or_unite(known, value)
    if merged is not None:
        return merged
    if known.type == context.given_cells.get(name):
        # The callers say whether the two go together: to them what is there may be a literal.
        return value
    context.refuse_merge(
        f"{name!r} is {known.type} at one place and {value.type} here",
        at,
        known,
        value,
        why="a variable that nested functions write to, that a `try` may leave half-way, or that "
        "may be unset, has one type",
        is_variable=True,
    )
