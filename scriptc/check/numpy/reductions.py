"""NumPy's reductions, as functions and as methods of arrays."""

from collections.abc import Callable, Mapping
from typing import cast

import numpy as np

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Literal
from scriptc.check.conversion import converted
from scriptc.check.library import readers
from scriptc.check.library.call import Library, LibraryCall, as_numpy, into_out
from scriptc.check.library.definitions import Definition, Entry
from scriptc.check.numpy.ufuncs import Checker, truth
from scriptc.check.operators import INDEX_TYPES
from scriptc_runtime.ops import arrays, elementwise, reductions, reshaping
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.promotion import promote
from scriptc_runtime.record import record
from scriptc_runtime.types import INT, INTEGERS, DType, TensorType, element_of

# What is folded before an op is applied: takes the call and the array.
Prepare = Callable[[LibraryCall, Computation], Computation]


def rank_of(value: Computation) -> int:
    """Return the number of axes of an array."""
    assert isinstance(value.type, TensorType)
    return value.type.rank


def dtype_of(value: Computation) -> DType:
    """Return the dtype of an array or a NumPy scalar."""
    element = element_of(value.type)
    assert isinstance(element, DType)
    return element


def in_dtype(call: LibraryCall, value: Computation) -> Computation:
    """Return an array with elements of the argument `dtype`, where that is given."""
    wanted = call.dtype("dtype", dtype_of(value))
    if wanted is DType.B1:
        return truth(call, value)
    if not np.can_cast(dtype_of(value).numpy, wanted.numpy, "same_kind"):
        call.refuse(
            f"{value.type} is not converted to {wanted} here",
            call.nodes["dtype"],
            "convert it before: x.astype(...)",
        )
    return converted(value, wanted)


def in_wide_dtype(call: LibraryCall, value: Computation) -> Computation:
    """Return what NumPy adds or multiplies: small integers and bools in a wide dtype."""
    if call.is_given("dtype"):
        return in_dtype(call, value)
    return converted(value, reductions.sum_dtype(_dtype_into_out(call, value)))


def _dtype_into_out(call: LibraryCall, value: Computation) -> DType:
    """Return the dtype in which NumPy folds `value`: that of the argument `out` has a say."""
    own = dtype_of(value)
    return promote(own, dtype_of(call.array("out"))) if call.is_given("out") else own


def _as_it_is(call: LibraryCall, value: Computation) -> Computation:
    return value


def _averaged(call: LibraryCall, value: Computation) -> Computation:
    """Return what NumPy takes the mean of."""
    if not call.is_given("dtype"):
        is_whole = dtype_of(value).kind in "biu"
        return value if is_whole else converted(value, _dtype_into_out(call, value))
    value = in_dtype(call, value)
    if dtype_of(value).kind in "biu":
        call.refuse(
            f"a mean in {dtype_of(value)} is not built",
            call.nodes["dtype"],
            "convert the result: np.mean(x).astype(...)",
        )
    return value


def _fold(call: LibraryCall, op: OpDef, value: Computation) -> Computation:
    value = call.as_array(value)
    axis = call.axis(rank_of(value), of_number=op not in _AVERAGES)
    keepdims = call.flag("keepdims")
    apply = call.context.apply
    return apply(call.node, op, value, axis=axis, keepdims=keepdims)


def _folding(op: OpDef, prepare: Prepare) -> Checker:
    """Return the check of a function that is an op over axes."""

    def check(call: LibraryCall) -> Typed:
        value = call.as_array(prepare(call, call.array("a")))
        if op in _EXTREMES:
            return call.result(_extreme(call, op, value))
        if call.is_given("where"):
            nothing = constant_of(_NOTHING[op], dtype_of(value))
            value = _chosen(call, value, nothing)
        axis, keepdims = call.axis(rank_of(value), of_number=True), call.flag("keepdims")
        found = folded_in_its_dtype(call, op, value, axis, keepdims=keepdims)
        if call.is_given("initial"):
            first = _initial(call, dtype_of(found))
            found = call.context.apply(call.node, _COMBINED[op], first, found)
        return call.result(found)

    return check


def folded_in_its_dtype(
    call: LibraryCall,
    op: OpDef,
    value: Computation,
    axis: int | tuple[int, ...] | None,
    *,
    keepdims: bool,
) -> Computation:
    """Return a fold whose sums and products stay in the dtype of `value`, as NumPy's do.

    Ops add and multiply in a wide dtype: what is left of that wraps around to the same number. Sums
    of truth values are so, too.
    """
    own = dtype_of(value)
    if op in _COMBINED and own is DType.B1:
        op = _OF_TRUTHS[op]
    elif op in _COMBINED:
        value = converted(value, reductions.sum_dtype(own))
    apply = call.context.apply
    found = apply(call.node, op, value, axis=axis, keepdims=keepdims)
    return converted(found, own) if op in _COMBINED else found


def constant_of(value: int, dtype: DType) -> Computation:
    """Return a whole number as a constant of a dtype."""
    kinds = {"b": bool, "f": float, "c": complex}
    return Literal(kinds.get(dtype.kind, int)(value), dtype)


# What leaves the result as it is, and how it is combined with where it starts.
_NOTHING: Mapping[OpDef, bool | int] = {
    reductions.SUM: 0,
    reductions.PROD: 1,
    reductions.ANY: False,
    reductions.ALL: True,
}
_COMBINED: Mapping[OpDef, OpDef] = {
    reductions.SUM: elementwise.ADD,
    reductions.PROD: elementwise.MUL,
}
# What adding and multiplying truth values is.
_OF_TRUTHS: Mapping[OpDef, OpDef] = {
    reductions.SUM: reductions.ANY,
    reductions.PROD: reductions.ALL,
}
# Their number of elements is looked up along the axis, which a number has not.
_AVERAGES = (reductions.MEAN, reductions.VAR)
_EXTREMES: Mapping[OpDef, str] = {
    reductions.MAX: "largest",
    reductions.MIN: "smallest",
}


def _extreme(call: LibraryCall, op: OpDef, value: Computation) -> Computation:
    """Return the largest or smallest elements; where they start has a say and need no element."""
    if dtype_of(value).kind == "c":
        return _extreme_complex(call, op, value)
    if not call.is_given("initial"):
        if call.is_given("where"):
            call.refuse(
                "beside where, NumPy must know where to start",
                call.nodes["where"],
                "give initial, too",
            )
        return _fold(call, op, value)
    first = _initial(call, dtype_of(value))
    if call.is_given("where"):
        value = _chosen(call, value, first)
    axis, keepdims = call.axis(rank_of(value), of_number=True), call.flag("keepdims")
    name = _EXTREMES[op]
    return call.defined("reductions", name, value, first, axis=axis, keepdims=keepdims)


def _extreme_complex(call: LibraryCall, op: OpDef, value: Computation) -> Computation:
    for name in ("initial", "where"):
        if call.is_given(name):
            call.refuse(f"{name} is not built for {value.type}", call.nodes[name])
    axis, keepdims = one_axis(call, rank_of(value)), call.flag("keepdims")
    sign = 1 if op is reductions.MAX else -1
    given = {"axis": axis, "sign": sign, "keepdims": keepdims}
    return call.defined("reductions", "extreme_complex", value, **given)


def _initial(call: LibraryCall, dtype: DType) -> Computation:
    """Return the number that a reduction starts from."""
    value = call.operand("initial")
    own = element_of(as_numpy(value).type)
    if isinstance(value.type, TensorType) or not isinstance(own, DType):
        call.refuse(f"initial must be a number, not {value.type}", call.nodes["initial"])
    fits = value.type is INT and dtype in INTEGERS  # which is checked when it runs
    if not fits and not np.can_cast(own.numpy, dtype.numpy, "same_kind"):
        call.refuse(f"{value.type} does not fit into {dtype}", call.nodes["initial"])
    return converted(value, dtype)


def mask(call: LibraryCall) -> Computation:
    """Return the argument `where`: truth values."""
    value = as_numpy(call.numeric("where"))
    if element_of(value.type) is not DType.B1:
        call.refuse(
            f"where must hold truth values, not {value.type}",
            call.nodes["where"],
            "write a comparison: x != 0",
        )
    return call.as_array(value)


def _chosen(call: LibraryCall, value: Computation, nothing: Computation) -> Computation:
    """Return the elements that `where` chooses, and `nothing` in the place of the others."""
    truths = mask(call)
    return call.defined("reductions", "chosen", value, truths, nothing)


def _mean(call: LibraryCall) -> Typed:
    value = _averaged(call, call.array("a"))
    if not call.is_given("where"):
        return call.result(_fold(call, reductions.MEAN, value))
    return call.result(_where(call, "mean_where", value, 0))


def _where(call: LibraryCall, name: str, value: Computation, ddof: int) -> Computation:
    """Return a call of a function that takes a mask."""
    value = _floats(call, value)
    axis, keepdims = call.axis(rank_of(value)), call.flag("keepdims")
    operands = value, mask(call)
    return call.defined("reductions", name, *operands, axis=axis, ddof=ddof, keepdims=keepdims)


def _floats(call: LibraryCall, value: Computation) -> Computation:
    if dtype_of(value).kind == "c" or dtype_of(value) is DType.F16:
        call.refuse(f"where is not built for {value.type}", call.nodes["where"])
    return converted(value, DType.F64) if dtype_of(value).kind in "biu" else value


def _spread(root: bool) -> Checker:
    """Return the check of np.var, or of np.std, its square root."""

    def check(call: LibraryCall) -> Typed:
        value = _averaged(call, call.array("a"))
        apply, at = call.context.apply, call.node
        if dtype_of(value).kind == "c" and _known_ddof(call) == 0:
            # Distances are sizes: their squares are those of the parts, added.
            parts = [apply(at, op, value) for op in (elementwise.REAL, elementwise.IMAG)]
            variance = apply(at, elementwise.ADD, *(_variance(call, part) for part in parts))
        else:
            variance = _variance(call, value)
        return call.result(apply(at, elementwise.SQRT, variance) if root else variance)

    return check


def _variance(call: LibraryCall, value: Computation) -> Computation:
    if call.is_given("where"):
        return _where(call, "var_where", value, call.constant_int("ddof", 0))
    if _known_ddof(call) == 0 and call.constant_int("ddof", 0) == 0:
        return _fold(call, reductions.VAR, value)
    axis, keepdims = call.axis(rank_of(value)), call.flag("keepdims")
    given = value, readers.number(call, "ddof")
    return call.defined("reductions", "var_of", *given, axis=axis, keepdims=keepdims)


def _known_ddof(call: LibraryCall) -> int | None:
    return call.known_int("ddof") if "ddof" in call.values else 0


def _count(call: LibraryCall) -> Typed:
    value = truth(call, call.array("a"))
    whole = not call.is_given("axis") and not call.flag("keepdims")
    counted = _fold(call, reductions.SUM, value)
    # Without an axis older versions of NumPy give a Python int.
    python = whole and not isinstance(cast(object, np.count_nonzero(np.zeros(0))), np.generic)
    return call.result(converted(counted, INT) if python else counted)


def moved(call: LibraryCall, value: Computation, axis: int, place: int) -> Computation:
    """Return `value` with one axis at another place, sharing its memory."""
    rank = rank_of(value)
    if rank == 0:
        call.refuse("an array with axes is needed")
    order = [a for a in range(rank) if a != axis]
    order.insert(place % rank, axis)
    if order == list(range(rank)):
        return value
    return call.context.apply(call.node, arrays.TRANSPOSE, value, order=tuple(order))


def moved_back(call: LibraryCall, found: Computation, place: int, axis: int) -> Computation:
    """Return a new array with one axis where it belongs, in C order as NumPy's results are.

    What shares the memory of a result, such as its `ravel`, depends on that order.
    """
    turned = moved(call, found, place % rank_of(found), axis)
    return found if turned is found else call.context.apply(call.node, arrays.COPY, turned)


def one_axis(call: LibraryCall, rank: int, default: int | None = None) -> int | None:
    """Return the constant `axis`, which may be one alone."""
    if "axis" not in call.values:
        return default if call.default_axis is None else call.default_axis
    axis = call.axis(rank)
    if isinstance(axis, tuple):
        call.refuse("only one axis is taken", call.nodes["axis"])
    return axis


def flattened(call: LibraryCall, value: Computation) -> Computation:
    """Return the elements in C order as one axis."""
    if rank_of(value) == 1:
        return value
    apply, at = call.context.apply, call.node
    return apply(at, reshaping.RESHAPE, value, Literal(-1, INT), dims=(None,), dense=True)


def along_axis(
    call: LibraryCall, value: Computation, default: int | None = None
) -> tuple[Computation, int]:
    """Return an array and the constant `axis`; where that is None, its elements as one axis."""
    axis = one_axis(call, rank_of(value), default)
    return (flattened(call, value), 0) if axis is None else (value, axis)


def _trace(call: LibraryCall) -> Typed:
    diagonal = diagonal_of(call, in_wide_dtype(call, call.array("a")))
    axis = rank_of(diagonal) - 1 if rank_of(diagonal) > 1 else None
    return call.result(folded_in_its_dtype(call, reductions.SUM, diagonal, axis, keepdims=False))


def diagonal_of(call: LibraryCall, value: Computation) -> Computation:
    """Return the elements whose indices along two axes differ by `offset`, along a last axis."""
    rank = rank_of(value)
    if rank < 2:
        call.refuse("an array with two axes or more is needed", call.nodes["a"])
    axes = [call.constant_int(name, at) for at, name in enumerate(("axis1", "axis2"))]
    if any(not -rank <= axis < rank for axis in axes) or (axes[0] - axes[1]) % rank == 0:
        call.refuse("two different axes are needed", call.node)
    first, second = (axis % rank for axis in axes)
    rest = tuple(axis for axis in range(rank) if axis not in (first, second))
    order = (*rest, first, second)
    if order != tuple(range(rank)):
        value = call.context.apply(call.node, arrays.TRANSPOSE, value, order=order)
    offset = call.operand("offset") if "offset" in call.values else Literal(0, INT)
    if offset.type not in INDEX_TYPES:
        call.refuse(f"offset must be int, not {offset.type}", call.nodes["offset"])
    name = "diagonals" if rest else "diagonal"
    return call.standard("shapes", name, value, converted(offset, INT))


@record
class _Function:
    """A function whose first argument is the array, so that it is a method as well."""

    names: tuple[str, ...]
    check: Checker


_PLAIN = ("a", "axis", "out", "keepdims")
_TRUTH = (*_PLAIN, "where")
_FROM = (*_PLAIN, "initial", "where")
_TYPED = ("a", "axis", "dtype", "out", "keepdims", "initial", "where")
_MEAN = ("a", "axis", "dtype", "out", "keepdims", "where")
_SPREAD = ("a", "axis", "dtype", "out", "ddof", "keepdims", "where")
_BOTH: Mapping[str, _Function] = {
    "sum": _Function(_TYPED, _folding(reductions.SUM, in_wide_dtype)),
    "prod": _Function(_TYPED, _folding(reductions.PROD, in_wide_dtype)),
    "max": _Function(_FROM, _folding(reductions.MAX, _as_it_is)),
    "min": _Function(_FROM, _folding(reductions.MIN, _as_it_is)),
    "any": _Function(_TRUTH, _folding(reductions.ANY, truth)),
    "all": _Function(_TRUTH, _folding(reductions.ALL, truth)),
    "mean": _Function(_MEAN, _mean),
    "var": _Function(_SPREAD, _spread(root=False)),
    "std": _Function(_SPREAD, _spread(root=True)),
    "argmax": _Function(_PLAIN, _folding(reductions.ARGMAX, _as_it_is)),
    "argmin": _Function(_PLAIN, _folding(reductions.ARGMIN, _as_it_is)),
    "trace": _Function(("a", "offset", "axis1", "axis2", "dtype", "out"), _trace),
}
_ALONE: Mapping[str, _Function] = {
    "count_nonzero": _Function(("a", "axis", "keepdims"), _count),
}

# By name, for the methods of ufuncs that are these.
REDUCTIONS: Mapping[str, Checker] = {name: function.check for name, function in _BOTH.items()}

TABLE: Mapping[object, Entry] = {
    np.average: Definition("np.average", "statistics"),
    np.ptp: Definition("np.ptp", "statistics"),
    **{
        getattr(np, name): Library(
            f"np.{name}", function.names, 1, into_out(function.check), displays=True
        )
        for name, function in {**_BOTH, **_ALONE}.items()
    },
    np.amax: Library("np.max", _FROM, 1, into_out(_BOTH["max"].check)),
    np.amin: Library("np.min", _FROM, 1, into_out(_BOTH["min"].check)),
}
METHODS: Mapping[str, Library] = {
    name: Library(f"array.{name}", function.names, 1, into_out(function.check))
    for name, function in _BOTH.items()
}
