"""What Python's syntax does with sets: searches, comparisons, and the operators of sets."""

from collections.abc import Mapping

from scriptc.check.bindings import Typed
from scriptc.check.borrowed_lists import refuse_borrowed
from scriptc.check.checked import Computation, Literal
from scriptc.check.context import Context
from scriptc.check.python.dicts.displays import fit_hashed, is_told_apart, learn_length, may_equal
from scriptc.check.python.hash_sets.displays import empty, standard
from scriptc.check.python.type_errors import never_equal, never_in
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import elementwise
from scriptc_runtime.types import BOOL, SetType, Type

Side = tuple[Typed, Computation]

_BINARY: Mapping[str, str] = {
    "|": "union",
    "&": "intersection",
    "-": "difference",
    "^": "symmetric_difference",
}


def fit(context: Context, at: n.Node, item: Computation, type_: SetType) -> Computation:
    """Return an item as one of a set that is searched for it."""
    if may_equal(item.type, type_.item) or is_told_apart(context, item.type, type_.item):
        return item
    return fit_hashed(context, at, item, type_.item, f"the items of {type_}")


def comparison(context: Context, at: n.Node, symbol: str, left: Side, right: Side) -> Computation:
    """Return `item in items`, or how two sets compare."""
    if symbol in ("in", "not in"):
        context.suggest_items(right[0], SetType(left[1].type))
        context.require_items(at, right[0])
        assert isinstance(right[1].type, SetType)
        if never_in(left[1].type, right[1].type):
            return Literal(symbol == "not in", BOOL)
        if right[0].open_list:
            learn_length(context, at, right[0].open_list, right[1].type.item, left[1].type)
        found = standard(
            context, at, "contains", right[1], fit(context, at, left[1], right[1].type)
        )
        return context.apply(at, elementwise.NOT, found) if symbol == "not in" else found
    sides = [side[1].type.item for side in (left, right) if isinstance(side[1].type, SetType)]
    if symbol in ("==", "!=") and len(sides) == 2 and never_equal(*sides):
        found = standard(context, at, "are_empty", left[1], right[1])
        return context.apply(at, elementwise.NOT, found) if symbol == "!=" else found
    _require_alike(context, at, symbol, left, right)
    if symbol in (">", ">="):
        left, right, symbol = right, left, "<" if symbol == ">" else "<="
    names = {"==": "same", "!=": "same", "<=": "issubset", "<": "is_proper_subset"}
    found = standard(context, at, names[symbol], left[1], right[1])
    return context.apply(at, elementwise.NOT, found) if symbol == "!=" else found


def binary(context: Context, at: n.Node, symbol: str, left: Side, right: Side) -> Computation:
    """Return `a | b` and its like: a new set, of the class of the first one."""
    type_ = _require_alike(context, at, symbol, left, right)
    into = empty(context, at, type_)
    return standard(context, at, _BINARY[symbol], left[1], right[1], into)


def join(context: Context, at: n.Node, symbol: str, left: Side, right: Side) -> Computation | None:
    """Return `a |= b` and its like, which change a set; None where a frozenset is replaced."""
    type_ = _require_alike(context, at, symbol, left, right)
    if type_.frozen:
        return None
    refuse_borrowed(context, at, left[0], "written to")
    if symbol == "|":
        return standard(context, at, "update", left[1], right[1])
    name = f"{_BINARY[symbol]}_update"
    more = () if symbol == "-" else (empty(context, at, SetType(type_.item)),)
    return standard(context, at, name, left[1], right[1], *more)


def _require_alike(context: Context, at: n.Node, symbol: str, left: Side, right: Side) -> SetType:
    one, two = left[1].type, right[1].type
    if context.learn_items(left[0], right[0]):
        raise context.not_known_yet(at)
    context.require_items(at, left[0])
    context.require_items(at, right[0])
    if not (isinstance(one, SetType) and isinstance(two, SetType) and _alike(symbol, one, two)):
        context.fail(
            "operand-type",
            f"{symbol!r} is not defined for {one} and {two}",
            at,
            instead=_way_out(one, two),
        )
    if symbol not in (*_BINARY, "==", "!=", "<", "<=", ">", ">="):
        instead = "sets have |, &, - and ^, and comparisons"
        context.fail("operand-type", f"{symbol!r} is not defined for sets", at, instead=instead)
    return one


def _alike(symbol: str, one: SetType, two: SetType) -> bool:
    """Whether an operator is defined for two sets: numbers of both are compared."""
    searches = symbol not in ("|", "&", "^")
    return one.item == two.item or (searches and may_equal(one.item, two.item))


def _way_out(one: Type, two: Type) -> str:
    if isinstance(one, SetType) and isinstance(two, SetType):
        return "sets of items of one type: convert them, {float(x) for x in xs}"
    return "both must be sets: set(xs)"
