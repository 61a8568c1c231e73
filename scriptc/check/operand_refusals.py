"""Why an operator is refused: what its sides are, and what to write."""

from typing import NoReturn

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation
from scriptc.check.context import Context
from scriptc.check.generics import view_name
from scriptc.syntax.nodes import Node
from scriptc_runtime.errors import Note
from scriptc_runtime.types import NONE, ClassType, ListType, OptionalType, Type, element_of

Side = tuple[Typed, Computation]

_TEST_FIRST = (
    "test `is not None` before using the value; a field that a call may write in between is "
    "put into a variable first: k = self.k"
)


def refuse_operands(context: Context, at: Node, symbol: str, left: Side, right: Side) -> NoReturn:
    """Say that an operator is not defined for the types of its sides."""
    (first, lhs), (second, rhs) = left, right
    instead = "convert one side, or use an operation that is defined on these types"
    code = "operand-type"
    for type_ in (lhs.type, rhs.type):
        if isinstance(type_, OptionalType) or type_ is NONE:
            code, instead = "optional", _TEST_FIRST
    why = ""
    lists = [t for t in (lhs.type, rhs.type) if isinstance(t, ListType) and element_of(t.item)]
    if code == "operand-type" and lists:
        why = "lists are joined and repeated; arrays are computed with, element by element"
        instead = "make an array of the list: np.array(values)"
    if code == "operand-type" and any(isinstance(t, ClassType) for t in (lhs.type, rhs.type)):
        why = "no class among them has a method for it that takes the other one"
        instead = "write the method (__add__, __lt__ and their like), or take the fields: p.x + q.x"
    views = [_view_name(context, t) for t in (lhs.type, rhs.type)]
    one, two = views[0] or lhs.type, views[1] or rhs.type
    if code == "operand-type" and any(views):
        why = "a view of a dict has the operators of sets alone, beside sets and views"
        instead = "list(...) of the view, or set(...)"
    context.fail(
        code,
        f"{symbol!r} is not defined for {one} and {two}",
        at,
        why=why,
        instead=instead,
        notes=(
            Note(f"the left side is {one} from here", first.span),
            Note(f"the right side is {two} from here", second.span),
        ),
    )


def _view_name(context: Context, type_: Type) -> str | None:
    return view_name(context.class_named(type_.name).live) if isinstance(type_, ClassType) else None


def refuse_bools(context: Context, at: Node, symbol: str) -> NoReturn:
    """Say that NumPy has no such operator for its bools."""
    context.fail(
        "dtype",
        f"{symbol!r} is not defined for bool arrays and NumPy bools",
        at,
        why="NumPy raises TypeError, or computes products of bools as logic",
        instead="use & | ^ ~ for logic, or multiply by 1 to count",
    )


def refuse_unary(context: Context, at: Node, symbol: str, type_: Type) -> NoReturn:
    """Say that an operator is not defined for its one operand."""
    context.fail(
        "operand-type",
        f"{symbol}x is not defined for {type_}",
        at,
        instead="test `is not None` first"
        if isinstance(type_, OptionalType)
        else "numbers and arrays have it; of objects and lists a method, or a loop",
    )
