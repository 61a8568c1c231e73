"""`names, ages = zip(*people)`: one tuple for each target, whose items may be of other types.

names, ages = zip(*people)              rows@ = [*people]
names = tuple([row[0] for row in rows@]), ...
xs, ys = map(list, zip(*pairs))         xs = list(tuple([row[0] for row in rows@])), ...
xs, ys = (sum(c) for c in zip(*pairs))  with c in turn each of the tuples
"""

from collections.abc import Callable, Sequence

from scriptc.check.bindings import Static, Typed
from scriptc.check.context import Context
from scriptc.check.desugar.comprehensions import as_loops
from scriptc.check.desugar.computed_stars import builtin_name
from scriptc.check.library.standard import standard_function
from scriptc.syntax import nodes as n
from scriptc.syntax.copies import with_parts
from scriptc.syntax.expansion import Expansion

_Wrap = Callable[[n.Expression], n.Expression]


def columns_unpacked(
    context: Context, targets: Sequence[n.Expression], node: n.Expression
) -> Typed | None:
    """Return the tuple of the columns of rows that variables get; None for anything else."""
    if len(targets) > 1 or not isinstance(targets[0], n.Tuple):
        return None
    target = targets[0]
    if any(isinstance(elt, n.Starred) for elt in target.elts):
        return None
    found = _columns(context, node)
    if found is None:
        return None
    rows, wrap = found
    for live in (tuple, len, standard_function("stars", "require_columns")):
        builtin_name(context, node, live)
    return as_loops(context, node, lambda: _expanded(node, rows, wrap, len(target.elts)))


def _columns(context: Context, node: n.Expression) -> tuple[n.Expression, _Wrap] | None:
    """Return the rows of `zip(*rows)`, and what is made of each column."""
    match node:
        case n.Call(args=(n.Starred(value=rows),), keywords=()) if _is(context, node, zip):
            return rows, lambda column: column
        case n.Call(args=(n.Name() | n.Lambda() as function, inner), keywords=()) if _is(
            context, node, map
        ):
            return _wrapped(context, inner, lambda column: _applied(function, column))
        case n.Call(args=(inner,), keywords=()) if _is(context, node, list, tuple):
            return _columns(context, inner)
        case n.List(elts=(n.Starred(value=inner),)) | n.Tuple(elts=(n.Starred(value=inner),)):
            return _columns(context, inner)
        case (
            n.ListComp(elt=elt, generators=(single,))
            | n.GeneratorExp(elt=elt, generators=(single,))
        ) if not single.ifs:
            return _wrapped(context, single.iter, lambda column: _in_turn(elt, single, column))
        case _:
            return None


def _wrapped(
    context: Context, node: n.Expression, wrap: _Wrap
) -> tuple[n.Expression, _Wrap] | None:
    match node:
        case n.Call(args=(n.Starred(value=rows),), keywords=()) if _is(context, node, zip):
            return rows, wrap
        case _:
            return None


def _is(context: Context, node: n.Call, *functions: object) -> bool:
    if not isinstance(node.func, n.Name):
        return False
    callee = context.callee(node)
    return isinstance(callee, Static) and any(callee.value is live for live in functions)


def _applied(function: n.Expression, column: n.Expression) -> n.Expression:
    return n.Call(column.lo, column.hi - 1, with_parts(function, {}), (column,), ())


def _in_turn(elt: n.Expression, single: n.comprehension, column: n.Expression) -> n.Expression:
    """Return what a comprehension makes of one column."""
    at = column.lo, column.hi - 1
    alone = n.comprehension(*at, with_parts(single.target, {}), _only(column), (), False)
    made = n.ListComp(*at, with_parts(elt, {}), (alone,))
    return n.Subscript(*at, made, n.Constant(*at, 0, None))


def _only(column: n.Expression) -> n.List:
    return n.List(column.lo, column.hi - 2, (column,))


def _expanded(node: n.Expression, rows: n.Expression, wrap: _Wrap, count: int) -> Expansion:
    at, first = (node.lo, node.hi), (node.lo - 1 - count, node.hi)
    held = n.Name(*at, f"rows@{node.lo}:{node.hi}")
    body: list[n.Statement] = [n.Assign(*at, (held,), n.List(*first, (n.Starred(*at, rows),)))]
    check = n.Name(*at, "require_columns@star")
    body.append(n.Expr(*at, n.Call(*at, check, (held, n.Constant(*at, count, None)), ())))
    columns: list[n.Expression] = []
    for place in range(count):
        # Variables of comprehensions are called by where these stand: each from another target.
        at = node.lo - 1 - place, node.hi
        row = n.Name(*at, f"row@{at[0]}:{at[1]}")
        item = n.Subscript(*at, row, n.Constant(*at, place, None))
        listed = n.ListComp(*at, item, (n.comprehension(*at, row, held, (), False),))
        columns.append(wrap(n.Call(*at, n.Name(*at, "tuple@star"), (listed,), ())))
    whole = n.Tuple(node.lo, node.hi, tuple(columns))
    return Expansion(tuple(body), whole, frozenset({held.id}))
