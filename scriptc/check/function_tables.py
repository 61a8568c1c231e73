"""Tables of functions outside: a dict by names, or a tuple, that holds functions or classes.

    OPERATORS = {"+": add, "*": lambda a, b: a * b}     def value(x):
                                                            table@ = {"+": add, "*": ...}
    def value(x): ... OPERATORS[x] ...                      ... table@[x] ...

A function that reads such a table begins with making it.  It is looked at before each call whether
the table outside still holds what it held.
"""

from typing import cast

from scriptc.check.bindings import OUTSIDE_FUNCTIONS, Fixed, Static, Typed
from scriptc.check.context import Context
from scriptc.check.learned import Table
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.record import replace


def table_of(context: Context, node: n.Expression, value: object, name: str) -> Typed | None:
    """Return the variable that holds a table; None for what holds no functions.

    Raises UnknownTypeError where the function does not begin with it yet.
    """
    tables = context.learned.tables
    # Two closures may have different tables under one name.
    variable = next((known for known, table in tables.items() if table.value is value), None)
    if variable is None:
        variable = f"table{len(tables)}@{name}"
        table = _table(node, value, variable)
        if table is None:
            return None
        tables[variable] = table
    if variable not in context.locals:
        raise context.not_known_yet(node)
    known = context.learned.spreads.setdefault((node, ()), n.Name(node.lo, node.hi, variable))
    found = context.typed(known)
    context.facts.expanded[node] = Expansion((), known, frozenset())
    context.facts.types[node] = found.type
    return replace(found, borrowed=f"{OUTSIDE_FUNCTIONS}{name.rpartition('.')[2]}")


def make_tables(context: Context) -> None:
    """Check the statements that a function begins with, which make its tables."""
    assert context.env is not None
    for variable, table in context.learned.tables.items():
        span = context.span(table.assign)
        context.locals |= {variable, *table.functions}
        for name, function in table.functions.items():
            context.env[name] = Fixed(Static(function, span))
        context.block((table.assign,))


def with_tables(node: n.FunctionDef, context: Context) -> n.FunctionDef:
    """Return a definition with those statements."""
    first = tuple(table.assign for table in context.learned.tables.values())
    fields = {field: getattr(node, field) for field in n.field_names(node)}
    fields["body"] = (*first, *node.body)
    return n.FunctionDef(node.lo, node.hi, *fields.values()) if first else node


def _table(node: n.Expression, value: object, variable: str) -> Table | None:
    lo, hi = node.lo, node.hi
    keys: list[object] = []
    held: list[object] = []
    kind: type = type(value)
    if kind is dict:
        table = cast("dict[object, object]", value)
        keys, held = list(table), list(table.values())
    elif kind is tuple:
        held = list(cast("tuple[object, ...]", value))
    functions = {f"{variable}.{i}": item for i, item in enumerate(held) if callable(item)}
    items: list[n.Expression] = []
    for place, item in enumerate(held):
        if callable(item):
            items.append(n.Name(lo, hi, f"{variable}.{place}"))
        elif isinstance(item, bool | int | float | str | None):
            items.append(n.Constant(lo, hi, item, None))
        else:
            return None
    names = [n.Constant(lo, hi, key, None) for key in keys if isinstance(key, str)]
    if not functions or len(names) != len(keys) or "\0size" in keys:
        return None
    display: n.Expression = n.Tuple(lo, hi, tuple(items))
    if kind is dict:
        display = n.Dict(lo, hi, tuple(names), tuple(items))
    return Table(value, functions, n.Assign(lo, hi, (n.Name(lo, hi, variable),), display))
