"""Ops that decide what runs next: regions, `exit`, calls, `raise`, and cells."""

from collections.abc import Sequence

from scriptc_runtime.ops.opdef import Attrs, Effects, OpDef, OpTypeError, Trait
from scriptc_runtime.types import (
    BOOL,
    EXCEPTION,
    HELD,
    INT,
    CellType,
    Type,
    assignable,
    is_counted,
    is_hashable,
)
from scriptc_runtime.values import EXCEPTIONS, Cell

_RAISES = Effects(raises=True)


def _no_results(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    """Accept anything and return nothing: `exit`, `raise`, and regions, whose exits say it."""
    return ()


def _if(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    if list(types) != [BOOL]:
        raise OpTypeError(f"the condition must be a bool, not {types[0]}")
    return ()


def _for(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    if len(types) < 3 or any(t is not INT for t in types[:3]):
        raise OpTypeError("start, stop and step must be int")
    return ()


def _call(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    result = attrs["result"]
    # The verifier compares it with the function that is called.
    return (result,)  # pyright: ignore[reportReturnType] -- attributes are checked by the verifier


def _call_effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    """Assume all that a callee may do; `passes.effects` knows better once it has seen it."""
    counted = frozenset(i for i, t in enumerate(types) if is_counted(t))
    return Effects(
        reads=counted, writes=counted, aliases=counted, raises=True, allocates=True, io=True
    )


def _region_effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    """Return none of its own: a region does what its blocks do."""
    return Effects()


def _raises(types: Sequence[Type], attrs: Attrs) -> Effects:
    return _RAISES


def check_exception(attrs: Attrs) -> None:
    """Check that `kind` names an exception that scripts know.  Raises OpTypeError."""
    if attrs["kind"] not in EXCEPTIONS:
        raise OpTypeError(f"scripts know no exception {attrs['kind']!r}")


def is_made_of(type_: Type) -> bool:
    """Whether exceptions are made of values of a type: what Python has keys for, or is held."""
    return type_ is HELD or is_hashable(type_)


def _raise(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    if len(types) > 1 or not all(map(is_made_of, types)):
        raise OpTypeError(f"no exception takes {types[0]}")
    check_exception(attrs)
    return ()


def _reraise(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    if list(types) != [EXCEPTION]:
        raise OpTypeError("only an exception can be raised again")
    return ()


def _cell_new(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    return (CellType(types[0]),)


def _cell_unset(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    return (CellType(attrs["item"]),)  # pyright: ignore[reportArgumentType] -- as in _call


def _cell_get(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    match types[0]:
        case CellType(item):
            return (item,)
        case other:
            raise OpTypeError(f"expected a cell, got {other}")


def _cell_set(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    (item,) = _cell_get(types, attrs)
    if not assignable(types[1], item):
        raise OpTypeError(f"the cell holds {item}, not {types[1]}")
    return ()


def _reads_cell(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(reads=frozenset({0}), aliases=frozenset({0}), raises=True)


def _holds(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(allocates=True, aliases=frozenset({0}))


def _writes_cell(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(writes=frozenset({0}))


def _allocates(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(allocates=True)


def _unset_cell(*, item: object) -> Cell:
    return Cell()


def _cell(value: object) -> Cell:
    return Cell(value)


def _get(cell: Cell, *, name: str, free: bool) -> object:
    return cell.get(name, free)


def _set(cell: Cell, value: object) -> None:
    cell.value = value


# How iterations of a `for` that run in any order may change what is carried.
GROWTH = ("sum", "prod", "min", "max", "and", "or", "xor")

EXIT = OpDef(
    name="exit",
    doc="Leave the region or function of the label with `values`, or start its next iteration.",
    operands=("*values",),
    infer=_no_results,
    evaluate=None,
    traits=Trait.TERMINATOR,
)
IF = OpDef(
    name="if",
    doc="Run the first block where `condition` is true, else the second.",
    operands=("condition",),
    infer=_if,
    evaluate=None,
    effects=_region_effects,
    traits=Trait.REGION,
    blocks=2,
)
FOR = OpDef(
    name="for",
    doc="Run the block for each i in range(start, stop, step); `carried` go from iteration to "
    "iteration and are the results when the range ends. With the attribute `grows`, iterations may "
    "run in any order: it says for each carried value how iterations change it.",
    operands=("start", "stop", "step", "*carried"),
    attrs=("grows",),
    infer=_for,
    evaluate=None,
    effects=_region_effects,
    traits=Trait.REGION,
    blocks=1,
)
WHILE = OpDef(
    name="while",
    doc="Run the block until it exits; `carried` go from iteration to iteration.",
    operands=("*carried",),
    infer=_no_results,
    evaluate=None,
    effects=_region_effects,
    traits=Trait.REGION,
    blocks=1,
)
BLOCK = OpDef(
    name="block",
    doc="Run the block once; it exists to be left from inside.",
    operands=(),
    infer=_no_results,
    evaluate=None,
    effects=_region_effects,
    traits=Trait.REGION,
    blocks=1,
)
TRY = OpDef(
    name="try",
    doc="Run the first block; if it raises, run the second with the exception as parameter.",
    operands=(),
    infer=_no_results,
    evaluate=None,
    effects=_region_effects,
    traits=Trait.REGION,
    blocks=2,
)
CALL = OpDef(
    name="call",
    doc="Call the function `callee`, whose result has type `result` in terms of the caller.",
    operands=("*args",),
    attrs=("callee", "result"),
    infer=_call,
    evaluate=None,
    effects=_call_effects,
)
RAISE = OpDef(
    name="raise",
    doc="Raise the built-in exception named by `kind`.",
    operands=("*message",),
    attrs=("kind",),
    infer=_raise,
    evaluate=None,
    effects=_raises,
    traits=Trait.TERMINATOR,
)
RERAISE = OpDef(
    name="reraise",
    doc="Raise the exception a handler was given, with its traceback, which gets an entry for "
    "this line where it is `traced`.",
    operands=("exception",),
    attrs=("traced",),
    infer=_reraise,
    evaluate=None,
    effects=_raises,
    traits=Trait.TERMINATOR,
)
CELL = OpDef(
    name="cell",
    doc="A new cell that holds `value`.",
    operands=("value",),
    infer=_cell_new,
    evaluate=_cell,
    effects=_holds,
)
CELL_UNSET = OpDef(
    name="cell_unset",
    doc="A new cell that holds nothing yet; reading it raises UnboundLocalError.",
    operands=(),
    attrs=("item",),
    infer=_cell_unset,
    evaluate=_unset_cell,
    effects=_allocates,
)
CELL_GET = OpDef(
    name="cell_get",
    doc="The value in `cell`; UnboundLocalError names the variable `name` where it is unset, and "
    "NameError one that is `free`.",
    operands=("cell",),
    attrs=("name", "free"),
    infer=_cell_get,
    evaluate=_get,
    effects=_reads_cell,
)
CELL_SET = OpDef(
    name="cell_set",
    doc="Put `value` into `cell`.",
    operands=("cell", "value"),
    infer=_cell_set,
    evaluate=_set,
    effects=_writes_cell,
)

OPS = (
    EXIT,
    IF,
    FOR,
    WHILE,
    BLOCK,
    TRY,
    CALL,
    RAISE,
    RERAISE,
    CELL,
    CELL_UNSET,
    CELL_GET,
    CELL_SET,
)
