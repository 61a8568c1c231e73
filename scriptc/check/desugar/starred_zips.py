"""`zip(*rows)`: of a tuple a call with each of its items, of a list its columns in turn.

zip(*pair)      zip(pair[0], pair[1])
zip(*rows)      zipped_rows([*rows])        of `stdlib/stars.py`
"""

from scriptc.check.bindings import Static, Typed
from scriptc.check.context import Context
from scriptc.check.desugar.stars import has_star, without_stars
from scriptc.check.named_types import plain
from scriptc.check.python.iterators import IteratorCall
from scriptc.syntax import nodes as n
from scriptc_runtime.types import ClassType, ListType, PyType, TensorType, TupleType, Type


def spread(context: Context, node: n.Expression) -> n.Call | None:
    """Return `zip(*pair)` as the call without `*` that it is short for; None for anything else."""
    if not (isinstance(node, n.Call) and has_star(node)):
        return None
    callee = context.callee(node)
    if not (isinstance(callee, Static) and callee.value is zip):
        return None
    if any(isinstance(item, n.Starred) and is_long(context, item) for item in node.args):
        return None
    found = without_stars(context, node)
    assert isinstance(found, n.Call)
    return found


def is_long(context: Context, star: n.Starred) -> bool:
    """Whether it is not known how many items stand behind a `*`."""
    if isinstance(star.value, n.Tuple | n.List):
        return has_star(star.value)
    if isinstance(star.value, n.GeneratorExp):
        return True
    found = context.expression(star.value)
    return not (isinstance(found, Typed) and isinstance(plain(found).type, TupleType))


def zipped_rows(context: Context, node: n.Call, live: object) -> IteratorCall | None:
    """Return what gives the columns of the rows of a list, `zip(*rows)`; None for anything else."""
    match node.args:
        case (n.Starred() as star,) if live is zip and is_long(context, star):
            pass
        case _:
            return None
    if any(k.arg != "strict" for k in node.keywords):
        message = "zip() takes iterables, and strict=True or strict=False"
        context.fail("call-arity", message, node)
    # One node for all passes: what is learned of it stays known.
    made = context.learned.spreads.get((node, ("rows",)))
    if made is None:
        listed = n.List(star.lo, star.hi, (star,))
        made = n.Call(node.lo, node.hi, node.func, (listed,), node.keywords)
        context.learned.spreads[node, ("rows",)] = made
    assert isinstance(made, n.Call)
    return IteratorCall(_zipped_by(context, star.value, made.args[0]), made, "stars")


def _zipped_by(context: Context, rows: n.Expression, listed: n.Expression) -> str:
    """Return the function that zips rows; refuse those whose items are of another type at each."""
    found = None if isinstance(rows, n.GeneratorExp) else context.expression(rows)
    is_read = isinstance(found, Typed) and isinstance(found.type, ListType | TensorType)
    value = context.typed(rows if is_read else listed)
    context.require_items(rows, value)
    match _row_of(value.type):
        case ListType() | PyType.STR | PyType.BYTES | TensorType():
            return "zipped_rows"
        case TupleType(items) if len(set(items)) == 1:
            return "zipped_rows"
        case ClassType(name) if context.generator_class(name):
            return "zipped_iterators"
        case TupleType():
            context.fail(
                "starred",
                f"zip(*rows) of {value.type} gives tuples of several types in turn",
                rows,
                why="what a loop or a list meets has one type",
                instead="a comprehension for each, [row[0] for row in rows]",
            )
        case _:
            context.fail(
                "starred",
                f"zip(*rows) of {value.type}",
                rows,
                why="as many rows as the run says are lists, tuples, texts, arrays or iterators",
                instead="rows that are lists: zip(*[list(row) for row in rows])",
            )


def _row_of(type_: Type) -> Type | None:
    match type_:
        case ListType(item):
            return item
        case TensorType(dtype, dims) if len(dims) > 1:
            return TensorType(dtype, dims[1:])
        case _:
            return None
