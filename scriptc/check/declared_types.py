"""Values where a type is declared: parameters, results, annotated variables, fields."""

from scriptc.check import meeting_lists, ways_to_merge
from scriptc.check.bindings import Typed, merge_types, represents
from scriptc.check.checked import Check, Computation, Convert
from scriptc.check.context import Context
from scriptc.check.conversion import converted
from scriptc.check.member_choices import by_member
from scriptc.check.parameter_types import specialised
from scriptc.check.size_names import without_sizes
from scriptc.syntax.nodes import Node
from scriptc_runtime import type_graphs, wording
from scriptc_runtime.errors import Note
from scriptc_runtime.ops import data
from scriptc_runtime.ops.classes import classes_widened
from scriptc_runtime.types import (
    FLOAT,
    NONE,
    Container,
    DictType,
    DType,
    ListType,
    OptionalType,
    PyType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    is_number,
    is_tuple_of,
)


def declare(
    context: Context, at: Node, known: Typed, value: Computation, declared: Type, what: str
) -> Computation:
    """Return `value` as what is declared of `what`, or refuse."""
    given = value.type
    type_ = specialised(given, declared)
    if type_ is None and known.literal and given is not NONE:
        # A literal takes the declared dtype: 0.5 for np.float32.
        type_ = merge_types(given, declared, known.literals)
    if type_ is None and (
        context.learn_items(known, Typed(declared, known.span))
        or _let_hold(context, known, declared)
    ):
        raise context.not_known_yet(at)
    if type_ is None:
        why, instead = ways_to_merge.lost_literal(known, Typed(declared, known.span)) or ("", "")
        context.fail(
            "argument-type",
            f"{what} is declared {declared}, not {given}",
            at,
            why=why,
            instead=instead or _way_out(given, declared),
            notes=(Note(f"{given} comes from here", known.span),),
        )
    exact = known.literal and all(represents(FLOAT, v) for v in known.literals)
    return _as(context, at, value, type_, exact)


def _let_hold(context: Context, known: Typed, declared: Type) -> bool:
    """Let a display hold what is declared of it, where that is more; return whether it did not."""
    is_wider = type_graphs.joined((declared, known.type)) == declared
    return is_wider and meeting_lists.let_hold(context.learned, known, declared)


def _way_out(given: Type, declared: Type) -> str:
    if isinstance(given, OptionalType):
        return "test `is not None` first"
    if isinstance(given, TensorType) and isinstance(declared, TensorType):
        if given.dtype is declared.dtype:
            meant = wording.other_axes(declared, given.rank)
            return meant or "index or reduce the array until it has as many axes"
        name = ways_to_merge.numpy_name(declared.dtype)
        return f"convert it: x.astype({name}), or change the annotation"
    if isinstance(given, ListType) and isinstance(declared, ListType):
        return "convert its items, or leave sizes out of the annotation: list[f64[...]]"
    if isinstance(given, ListType | TupleType) and isinstance(declared, TensorType):
        dtype = ways_to_merge.numpy_name(declared.dtype)
        return f"make an array of it: np.array(values, {dtype}), or change the annotation"
    return "convert the value, or change the annotation"


def _as(context: Context, at: Node, value: Computation, type_: Type, literal: bool) -> Computation:
    """Return `value` as `type_`; sizes of arrays stay what they are."""
    given = value.type
    match type_, given:
        case TensorType(), TensorType():
            return value
        case PyType() | DType(), UnionType():
            # A number of one of several types.
            found = by_member(context, at, value, lambda one: _as(context, at, one, type_, False))
            assert found is not None  # all of them are of the declared type
            return found
        case (UnionType(), _) | (_, UnionType()):
            return value if given == type_ else Convert(value, type_)
        case OptionalType(item), OptionalType(held) if is_number(item) and item != held:
            found = by_member(context, at, value, lambda one: _as(context, at, one, type_, False))
            assert found is not None  # None and a number are of the declared type
            return found
        case OptionalType(), OptionalType():
            return Convert(value, type_) if classes_widened(given, type_) else value
        case OptionalType(item), _ if given is not NONE:
            inner = _as(context, at, value, item, literal)
            return Convert(inner, OptionalType(inner.type))
        case TupleType(items), TupleType(others) if items != others:
            parts = [
                _as(context, at, context.apply(at, data.ITEM, value, index=i), item, literal)
                for i, item in enumerate(items)
            ]
            return context.apply(at, data.TUPLE, *parts)
        case OptionalType(), PyType.NONE:
            # The names of sizes are the callee's.
            return Convert(value, without_sizes(type_))
        case PyType.FLOAT, PyType.INT | PyType.BIGINT if not literal:
            return _exact_float(context, at, value)
        case _:
            return value if given == type_ else Convert(value, type_)


def _exact_float(context: Context, at: Node, value: Computation) -> Computation:
    """Return an int as a float; beyond 2**53 only where nothing is lost."""
    result = converted(value, FLOAT)
    sides = [(Typed(side.type, context.span(at)), side) for side in (value, result)]
    same = context.compared(at, "==", *sides)
    return Check(same, "OverflowError", "int too large to convert to float exactly", result, FLOAT)


def store_as(
    context: Context, at: Node, known: Typed, value: Computation, type_: Type, what: str
) -> Computation:
    """Return `value` as exactly `type_`, for a field: NumPy's scalars become Python's there."""
    fitting = declare(context, at, known, value, type_, what)
    is_other = is_number(fitting.type) or isinstance(type_, UnionType) or is_tuple_of(type_)
    if fitting.type != type_ and is_other:
        return Convert(fitting, type_)
    if isinstance(type_, ListType | Container) and fitting.type != type_:
        is_dict = isinstance(type_, DictType)
        context.fail(
            "argument-type",
            f"{what} is declared {type_}, not {fitting.type}",
            at,
            why="a field holds dicts of one class, with what makes their values" if is_dict else "",
            instead="leave the annotation out, or convert the items",
        )
    if isinstance(type_, OptionalType) and isinstance(fitting.type, OptionalType):
        if isinstance(fitting, Convert) and is_number(fitting.value.type):
            return Convert(Convert(fitting.value, type_.item), type_)
        if is_number(type_.item):
            return _as(context, at, fitting, type_, False)
    return fitting
