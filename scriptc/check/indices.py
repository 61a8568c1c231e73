"""What stands in a subscript: indices and bounds of slices, as ints, and arrays that pick."""

from collections.abc import Sequence

from scriptc.check import protocols
from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Literal
from scriptc.check.context import Context, operand
from scriptc.check.conversion import converted
from scriptc.check.library.call_site import CallSite
from scriptc.check.member_choices import by_member
from scriptc.check.named_types import plain_type
from scriptc.check.operators import INDEX_TYPES
from scriptc.syntax import nodes as n
from scriptc_runtime.record import record
from scriptc_runtime.types import (
    BIGINT,
    BOOL,
    INT,
    NONE,
    ClassType,
    DType,
    ListType,
    OptionalType,
    TensorType,
    TupleType,
    UnionType,
)

_NONE = Literal(None, NONE)
MOST_ARRAYS = 3


@record
class Pick:
    """An array in a subscript: which axis of the view it picks from, and of the array."""

    index: Computation
    place: int
    axis: int

    @property
    def is_mask(self) -> bool:
        """Whether the array says for each place whether it is picked."""
        return isinstance(self.index.type, TensorType) and self.index.type.dtype is DType.B1


@record
class Picking:
    """A view and the arrays that pick from it; `apart` says that others stand between them."""

    view: Computation
    picks: tuple[Pick, ...]
    apart: bool


def bound(context: Context, node: n.Expression | None) -> tuple[list[n.Expression], Computation]:
    """Return what a bound of a slice evaluates, and its value, None where it is left out."""
    if node is None:
        return [], _NONE
    value = context.typed(node)
    if value.type is NONE:
        return [] if isinstance(node, n.Constant) else [node], _NONE
    if isinstance(value.type, OptionalType) and value.type.item in INDEX_TYPES:
        return [node], operand(node, value)
    return [node], as_int(context, node, value)


def present(call: CallSite, bounds: Sequence[Computation]) -> tuple[Computation, ...]:
    """Return the bounds of a slice, some of them `int | None`, as ints that mean the same."""
    lower, upper, step = bounds
    one = Literal(1, INT)
    if step.type is NONE:
        step = one
    elif isinstance(step.type, OptionalType):
        step = call.standard("shapes", "given_or", step, one)
    if isinstance(lower.type, OptionalType):
        lower = call.standard("shapes", "lower_bound", lower, step)
    if isinstance(upper.type, OptionalType):
        upper = call.standard("shapes", "upper_bound", upper, step)
    return lower, upper, step


def as_int(context: Context, node: n.Expression, value: Typed) -> Computation:
    """Return an expression that must be a whole number as an int: a bool is 0 or 1."""
    if value.type is BOOL:
        return converted(operand(node, value), INT)
    return int_of(context, node, operand(node, value), value)


def int_of(context: Context, node: n.Expression, whole: Computation, value: Typed) -> Computation:
    """Return a value that must be a whole number as an int."""
    if plain_type(value.type) in INDEX_TYPES:
        return converted(whole, INT)
    if isinstance(value.type, UnionType) and set(value.type.members) <= set(INDEX_TYPES):
        found = by_member(context, node, whole, lambda part: converted(part, INT))
        assert found is not None  # all of them are ints
        return found
    if isinstance(value.type, ClassType):
        found = protocols.called(context, node, "__index__", whole)
        if found is not None and found.type in (INT, BIGINT):
            return converted(found, INT)
    instead = whole_number(node)
    if isinstance(value.type, TensorType | ListType):
        instead = "one int; arrays alone are indexed by several, and lists by [xs[i] for i in ...]"
    if isinstance(value.type, TupleType):
        instead = (
            "xs[i][j] of lists in a list, or an index for each axis of an array: np.array(xs)[i, j]"
        )
    context.fail("index-type", f"an index must be int, not {value.type}", node, instead=instead)


def whole_number(node: n.Expression) -> str:
    """Return how an expression that must be an int, and is a float, becomes one."""
    if isinstance(node, n.BinOp) and node.op == "/":
        return "a // b divides ints to an int; a / b gives a float"
    return "convert it: int(x)"
