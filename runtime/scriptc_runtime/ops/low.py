"""Low ops: unchecked memory, counted references, loop nests, kernels.

They exist only inside a compilation; a saved file never holds them.  Indices and sizes are `i64`,
NumPy's wrapping integer, so ordinary arithmetic ops serve for them.  Whoever emits a low op has
proven or tested what it assumes.
"""

from collections.abc import Callable, Sequence
from typing import cast

import numpy as np

from scriptc_runtime.dims import UNKNOWN
from scriptc_runtime.ops.arrays import Array, tensor
from scriptc_runtime.ops.control import check_exception
from scriptc_runtime.ops.opdef import (
    Attrs,
    Effects,
    Level,
    OpDef,
    OpTypeError,
    Trait,
    TypeRule,
    pure,
)
from scriptc_runtime.types import BOOL, INT, DType, TensorType, Type, element_of
from scriptc_runtime.values import EXCEPTIONS

I64 = DType.I64
REDUCTIONS = ("sum", "product", "max", "min")
MOST_NUMBERS = 4  # in the message of a `fail`
# Of a fold in chunks: how many there are at most, and what each has at least.
FOLD_CHUNKS, FOLD_ELEMENTS = 256, 65536


def all_i64(types: Sequence[Type]) -> None:
    """Raise OpTypeError unless all types are i64."""
    if any(t is not I64 for t in types):
        raise OpTypeError("indices and sizes of low ops are i64")


def _load(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    base = tensor(types[0])
    all_i64(types[1:])
    if len(types) - 1 != base.rank:
        raise OpTypeError(f"one index for each axis of {base} is needed")
    return (base.dtype,)


def _store(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    (element,) = _load([types[0], *types[2:]], attrs)
    if types[1] is not element:
        raise OpTypeError(f"an element of {types[0]} is {element}, not {types[1]}")
    return ()


def _new_array(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    all_i64(types)
    type_ = tensor(cast(Type, attrs["type"]))
    if len(types) != type_.rank:
        raise OpTypeError(f"{len(types)} sizes do not make {type_}")
    return (type_,)


def _select(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    if types[0] is not BOOL or types[1] != types[2] or element_of(types[1]) != types[1]:
        raise OpTypeError("select takes a bool and two scalars of one type")
    return (types[1],)


def _subview(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    base, result = tensor(types[0]), tensor(cast(Type, attrs["type"]))
    axes = cast(str, attrs["axes"])
    all_i64(types[1:])
    taken = len(axes) - axes.count("n")
    rank = base.rank - axes.count("i") + axes.count("n")
    if taken > base.rank or result.rank != rank or result.dtype is not base.dtype:
        raise OpTypeError(f"{axes!r} of {base} is no {result}")
    return (result,)


def _same_tensor(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    return (tensor(types[0]),)


def _either(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    if types[2] is not BOOL or tensor(types[0]) != types[1]:
        raise OpTypeError("either takes two arrays of one type and a bool")
    return (types[0],)


def _lengthwise(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    type_ = tensor(types[0])
    if type_.rank != 2 or types[1] is not BOOL:
        raise OpTypeError("lengthwise takes a matrix and a bool")
    return (TensorType(type_.dtype, (UNKNOWN, UNKNOWN)),)


def _is_contiguous(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    for type_ in types:
        tensor(type_)
    return (BOOL,)


def _adjoin(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    axis = attrs["axis"]
    all_i64(types[:1])
    for type_ in types[1:]:
        if not isinstance(axis, int) or not -tensor(type_).rank <= axis < -1:
            raise OpTypeError(f"{type_} has no rows along axis {axis}")
    return (BOOL,)


def _low_dim(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    axis = attrs["axis"]
    if not isinstance(axis, int) or not 0 <= axis < tensor(types[0]).rank:
        raise OpTypeError(f"{types[0]} has no axis {axis}")
    return (I64,)


def _loop(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    all_i64(types)
    return ()


def _fold(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    if attrs["kind"] not in REDUCTIONS:
        raise OpTypeError(f"no fold is called {attrs['kind']!r}")
    return _loop(types, attrs)


def _chunk(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    all_i64(types)
    return (I64,)


def _fail(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    if any(t not in (INT, I64) for t in types) or len(types) > MOST_NUMBERS:
        raise OpTypeError("a message takes up to four ints")
    message = cast(str, attrs["message"]).replace("{{", "").replace("}}", "")
    named = [message.count(f"{{{place}}}") for place in range(len(types))]
    if message.count("{}") != len(types) and (0 in named or sum(named) != message.count("{")):
        raise OpTypeError("each {} of the message stands for one operand, or {0} and so on do")
    check_exception(attrs)
    return ()


def _tasks_pay(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    return (BOOL,)


def _nothing(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    return ()


def reads(types: Sequence[Type], attrs: Attrs) -> Effects:
    """Say that the first operand is read."""
    return Effects(reads=frozenset({0}))


def writes(types: Sequence[Type], attrs: Attrs) -> Effects:
    """Say that the first operand is written."""
    return Effects(writes=frozenset({0}))


def allocates(types: Sequence[Type], attrs: Attrs) -> Effects:
    """Say that memory is asked for."""
    return Effects(allocates=True)


def _aliases(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(aliases=frozenset({0}))


def _raises(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(raises=True)


def _launch_effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    arrays = frozenset(i for i, t in enumerate(types) if isinstance(t, TensorType))
    return Effects(reads=arrays, writes=arrays, raises=True)


def _evaluate_load(base: Array, *index: np.int64) -> object:
    return _reached(base, index)[index]


def _evaluate_store(base: Array, value: object, *index: np.int64) -> None:
    _reached(base, index)[index] = value


def _reached(base: Array, index: Sequence[np.int64]) -> Array:
    """Return `base`, with its axes as long as the index needs where rows are read as one."""
    if all(i < size for i, size in zip(index, base.shape, strict=True)):
        return base
    longer = [max(int(i) + 1, size) for i, size in zip(index, base.shape, strict=True)]
    return np.lib.stride_tricks.as_strided(base, longer, base.strides)


def _evaluate_new(*sizes: np.int64, type: TensorType, scratch: bool = False) -> Array:
    return np.empty([int(s) for s in sizes], type.dtype.numpy)


def _evaluate_select(condition: bool, x: object, y: object, seldom: bool = False) -> object:
    return x if condition else y


def _evaluate_subview(base: Array, *operands: np.int64, axes: str, type: TensorType) -> Array:
    items: list[object] = []
    numbers = iter(map(int, operands))
    for letter in axes:
        match letter:
            case "n":
                items.append(None)
            case "i":
                items.append(next(numbers))
            case _:
                start, size, step = next(numbers), next(numbers), next(numbers)
                stop = start + size * step
                # A stop below zero would count from the end.
                items.append(slice(start, None if stop < 0 else stop, step) if size else slice(0))
    return base[(*cast("tuple[int, ...]", tuple(items)), ...)]


def _evaluate_overlap(first: Array, second: Array) -> bool:
    return bool(np.may_share_memory(first, second))


def _evaluate_dim(base: Array, *, axis: int) -> np.int64:
    return np.int64(base.shape[axis])


def _evaluate_is_contiguous(*arrays: Array) -> bool:
    return all(not a.ndim or a.shape[-1] < 2 or a.strides[-1] == a.itemsize for a in arrays)


def _evaluate_has_runs(*arrays: Array) -> bool:
    return all(_evaluate_is_contiguous(a) or a.strides[0] == a.itemsize for a in arrays)


def _evaluate_same(base: object) -> object:
    return base


def _evaluate_is_spread(base: Array) -> bool:
    axes = list(zip(base.shape, base.strides, strict=True))
    return _reaches_apart(axes[::-1]) or _reaches_apart(axes)


def _reaches_apart(axes: Sequence[tuple[int, int]]) -> bool:
    """Whether each stride is larger than what the axes before it reach."""
    reach = 0
    for size, stride in axes:
        if size > 1 and abs(stride) <= reach:
            return False
        reach += max(size - 1, 0) * abs(stride)
    return True


def _in_rows(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    type_, kinds = tensor(types[0]), "f" if attrs["summed"] else "biufc"
    fits = type_.rank == 2 and type_.dtype.itemsize in (4, 8) and type_.dtype.kind in kinds
    if not fits or types[1] is not BOOL:
        raise OpTypeError("in_rows takes a matrix, of floats for their sums, and a bool")
    return (TensorType(type_.dtype, (type_.dims[0], UNKNOWN)) if attrs["summed"] else type_,)


def _in_rows_effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    array = frozenset({0})
    return Effects(reads=array, aliases=array, raises=True, allocates=True)


def _evaluate_in_rows(base: Array, wanted: bool, *, summed: bool) -> Array:
    if not wanted or not base.flags.f_contiguous or base.shape[1] < 2:
        return base
    # Added in order, as the interpreter adds up a row.
    return base.cumsum(1)[:, -1:] + base.dtype.type(0) if summed else np.ascontiguousarray(base)


def _evaluate_adjoin(row: np.int64, *arrays: Array, axis: int) -> bool:
    return all(a.shape[axis] < 2 or a.strides[axis] == int(row) * a.itemsize for a in arrays)


def _evaluate_first(base: object, *others: object) -> object:
    return base


def _evaluate_either(x: object, y: object, turned: bool) -> object:
    return y if turned else x


def _evaluate_lengthwise(x: Array, crosswise: bool) -> Array:
    return x.T if crosswise else x


def _evaluate_shares(most: np.int64) -> np.int64:
    return np.int64(min(most, 1))


def _evaluate_tasks_pay(*args: object, callee: str) -> bool:
    return True


def _evaluate_chunks(count: np.int64, size: np.int64) -> np.int64:
    return np.int64(max(-(-int(count) // int(size)), 1))


def _evaluate_chunk(count: np.int64, inner: np.int64) -> np.int64:
    share = -(-int(count) // FOLD_CHUNKS)
    size = max(share, FOLD_ELEMENTS // max(int(inner), 1), 1)
    return np.int64(size if inner > 1 else 1 << (size - 1).bit_length())


def _evaluate_digits(n: np.int64) -> np.int64:
    return np.int64(max(int(n), 0).bit_length())


def _evaluate_fail(*values: int, kind: str, message: str) -> None:
    raise EXCEPTIONS[kind](message.format(*map(int, values)))


def _evaluate_keep(value: object) -> None:
    """Do nothing: Python counts references itself."""


def low_op(
    name: str,
    doc: str,
    operands: tuple[str, ...],
    infer: TypeRule,
    evaluate: Callable[..., object] | None,
    effects: Callable[[Sequence[Type], Attrs], Effects],
    attrs: tuple[str, ...] = (),
) -> OpDef:
    """Return an op that stands for itself: no region, nothing left to say."""
    return OpDef(
        name=name,
        doc=doc,
        operands=operands,
        infer=infer,
        evaluate=evaluate,
        effects=effects,
        attrs=attrs,
        level=Level.LOW,
    )


LOAD = low_op(
    "load",
    "The element at `index`; where rows `adjoin`, an index may run on into the next rows.",
    ("x", "*index"),
    _load,
    _evaluate_load,
    reads,
)
STORE = low_op(
    "store",
    "Write the element at `index`, as `load` reads it.",
    ("x", "value", "*index"),
    _store,
    _evaluate_store,
    writes,
)
SIZE = low_op("size", "Size of an axis.", ("x",), _low_dim, _evaluate_dim, reads, ("axis",))
NEW_ARRAY = low_op(
    "new_array",
    "A new C-contiguous array of `type` with unspecified elements.  With the attribute `scratch`, "
    "each iteration of a loop that uses it writes those that it reads.",
    ("*sizes",),
    _new_array,
    _evaluate_new,
    allocates,
    ("type", "scratch"),
)
SELECT = low_op(
    "select",
    "`x` where `condition` holds, which may be `seldom`, else `y`; both are computed.",
    ("condition", "x", "y"),
    _select,
    _evaluate_select,
    pure,
    ("seldom",),
)
SUBVIEW = low_op(
    "subview",
    "The part of `x` that `axes` selects: `i` takes an index in range, `s` a start, a size and a "
    "step that stay in range, `n` nothing.",
    ("x", "*numbers"),
    _subview,
    _evaluate_subview,
    _aliases,
    ("axes", "type"),
)
MAY_OVERLAP = low_op(
    "may_overlap",
    "Whether the lowest and highest addresses of two arrays overlap.",
    ("x", "y"),
    _is_contiguous,
    _evaluate_overlap,
    pure,
)
IS_CONTIGUOUS = low_op(
    "is_contiguous",
    "Whether the rows of every array, along its last axis, are contiguous.",
    ("*arrays",),
    _is_contiguous,
    _evaluate_is_contiguous,
    lambda types, attrs: Effects(),
)
HAS_RUNS = low_op(
    "has_runs",
    "Whether the rows of every array, along its last axis, are contiguous, or what is along its "
    "first one.",
    ("*arrays",),
    _is_contiguous,
    _evaluate_has_runs,
    lambda types, attrs: Effects(),
)
ASSUME_CONTIGUOUS = low_op(
    "assume_contiguous",
    "`x`, whose rows a guard proved contiguous: the stride of its last axis is one element.",
    ("x",),
    _same_tensor,
    _evaluate_same,
    _aliases,
)
IN_ROWS = low_op(
    "in_rows",
    "The matrix `x`, or a copy with contiguous rows, or their sums in a column if `summed`; it is "
    "made if `wanted`, columns are contiguous and it pays, and read while nobody writes to `x`.",
    ("x", "wanted"),
    _in_rows,
    _evaluate_in_rows,
    _in_rows_effects,
    ("summed",),
)
IS_SPREAD = low_op(
    "is_spread",
    "Whether the strides of `x` show that no two indices lead to one element.",
    ("x",),
    _is_contiguous,
    _evaluate_is_spread,
    pure,
)
ADJOIN = low_op(
    "adjoin",
    "Whether a step along `axis`, which counts from the last, is one of `row` elements in every "
    "array: rows of as many lie one behind the other.",
    ("row", "*arrays"),
    _adjoin,
    _evaluate_adjoin,
    lambda types, attrs: Effects(),
    ("axis",),
)
ASSUME_DISTINCT = low_op(
    "assume_distinct",
    "`x`, which a guard proved to share no memory with `others`; if it is written, all its indices "
    "lead to elements of their own.",
    ("x", "*others"),
    _same_tensor,
    _evaluate_first,
    _aliases,
)
EITHER = low_op(
    "either",
    "`x`, or `y` where `turned`: arrays of one shape that live as long as the result is used. It "
    "counts as memory of `x` alone; whoever emits it has made sure that this does no harm.",
    ("x", "y", "turned"),
    _either,
    _evaluate_either,
    _aliases,
)
LENGTHWISE = low_op(
    "lengthwise",
    "The matrix `x`, or its transposed view where it lies `crosswise`, sharing its memory.",
    ("x", "crosswise"),
    _lengthwise,
    _evaluate_lengthwise,
    _aliases,
)
LOOP = OpDef(
    name="loop",
    doc="Run the block for i = 0, 1, ... below `count`; its iterations only load, compute and "
    "store. `parallel` iterations are independent of each other. One that `polls` looks for "
    "Ctrl-C.",
    operands=("count",),
    attrs=("parallel", "polls"),
    infer=_loop,
    evaluate=None,
    level=Level.LOW,
    traits=Trait.REGION,
    blocks=1,
)
REDUCE = OpDef(
    name="reduce",
    doc="Reduce the values that `exit .next` gives for i = 0, 1, ... below `count`; without "
    "iterations the result is 0, 1, -inf or inf (for integers the least or greatest). One over a "
    "row is not `parallel`, because it is too short; several sums of a row may be computed "
    "together. A `chunk` is a part of a long reduction; one that `polls` tests for Ctrl-C.",
    operands=("count",),
    attrs=("kind", "parallel", "chunk", "polls"),
    infer=_fold,
    evaluate=None,
    level=Level.LOW,
    traits=Trait.REGION,
    blocks=1,
)
CHUNK = low_op(
    "chunk",
    "The iterations in a chunk of a reduction of `count` iterations with `inner` elements each: "
    "65536 elements, more if there were more than 256 chunks; of single elements a power of two.",
    ("count", "inner"),
    _chunk,
    _evaluate_chunk,
    pure,
)
CHUNKS = low_op(
    "chunks",
    "How many chunks of `size` iterations `count` iterations make, at least one.",
    ("count", "size"),
    _chunk,
    _evaluate_chunks,
    pure,
)
DIGITS = low_op(
    "digits", "How many binary digits n has; 0 below 0.", ("n",), _chunk, _evaluate_digits, pure
)
SHARES = low_op(
    "shares",
    "How many threads there are for a loop of `most` parts; 1 where that is not known. "
    "No result may depend on it.",
    ("most",),
    _chunk,
    _evaluate_shares,
    pure,
)
TASKS_PAY = low_op(
    "tasks_pay",
    "Whether threads gain from tasks, the iterations of the kernel `callee`: it takes `args` and "
    "what tasks hand over behind them. No result may depend on it.",
    ("*args",),
    _tasks_pay,
    _evaluate_tasks_pay,
    pure,
    ("callee",),
)
LAUNCH = OpDef(
    name="launch",
    doc="Run the kernel `callee` on 0 .. `count`; its last two parameters are begin and end. Of "
    "`tasks`, each iteration is a piece of work of its own.",
    operands=("count", "*args"),
    attrs=("callee", "tasks"),
    infer=_nothing,
    evaluate=None,
    effects=_launch_effects,
    level=Level.LOW,
)
FAIL = OpDef(
    name="fail",
    doc="Raise `kind` with `message`, whose {}, or {0} and so on, stand for the operands; {{ and "
    "}} are braces.",
    operands=("*values",),
    attrs=("kind", "message"),
    infer=_fail,
    evaluate=_evaluate_fail,
    effects=_raises,
    level=Level.LOW,
    traits=Trait.TERMINATOR,
)
RETAIN = low_op("retain", "Count one more owner.", ("x",), _nothing, _evaluate_keep, writes)
RELEASE = low_op("release", "Count one owner less.", ("x",), _nothing, _evaluate_keep, writes)
OPS = (
    LOAD,
    STORE,
    SIZE,
    NEW_ARRAY,
    SELECT,
    SUBVIEW,
    MAY_OVERLAP,
    IS_CONTIGUOUS,
    HAS_RUNS,
    ASSUME_CONTIGUOUS,
    IN_ROWS,
    IS_SPREAD,
    ADJOIN,
    ASSUME_DISTINCT,
    EITHER,
    LENGTHWISE,
    LOOP,
    REDUCE,
    CHUNK,
    CHUNKS,
    DIGITS,
    SHARES,
    TASKS_PAY,
    LAUNCH,
    FAIL,
    RETAIN,
    RELEASE,
)
