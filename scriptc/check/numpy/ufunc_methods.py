"""Methods of ufuncs: `reduce`, `accumulate`, `reduceat`, `at` and `outer`.

Sums, products, extremes and truths are the reductions that ops compute.  The others are loops in
`stdlib/folds.py`; NumPy is asked which dtypes it folds, and whether several axes at once.
"""

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Literal
from scriptc.check.conversion import converted
from scriptc.check.indices import Pick, Picking
from scriptc.check.library.call import Library, LibraryCall, as_numpy, into_out
from scriptc.check.library.call_site import Display
from scriptc.check.numpy import array_parts, float_parts, reductions, sequences
from scriptc.check.numpy import functions as numpy_functions
from scriptc.check.numpy.advanced_indexing import put, update
from scriptc.check.numpy.more_ufuncs import MORE
from scriptc.check.numpy.scans import SCANS
from scriptc.check.numpy.ufuncs import MEANINGS, Checker, Meaning, truth
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import arrays, elementwise
from scriptc_runtime.ops import picking as picking_ops
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import (
    FROM_NUMPY,
    INT,
    DType,
    Element,
    TensorType,
    TupleType,
    element_of,
    holds_int,
    int_limits,
    is_number,
)


@cache
def _asked(ufunc: np.ufunc, method: str, dtype: DType, axes: int) -> DType | None:
    """Return the dtype that a method gives for an array of `dtype`, None where NumPy refuses.

    That is told by trying it on one element: the rules are those of the version that runs.
    """
    one = np.ones((1,) * axes, dtype.numpy)
    try:
        if method == "reduce":
            found = ufunc.reduce(one, axis=tuple(range(axes)))
        elif method == "accumulate":
            found = ufunc.accumulate(one)
        else:
            found = ufunc.reduceat(one, [0])
    except (TypeError, ValueError):
        return None
    return FROM_NUMPY.get(np.asarray(found).dtype)


def _in_its_dtype(
    call: LibraryCall, ufunc: np.ufunc, method: str, value: Computation
) -> Computation:
    """Return an array in the dtype in which a method folds it."""
    if call.is_given("dtype"):
        value = reductions.in_dtype(call, value)
    wanted = _asked(ufunc, method, reductions.dtype_of(value), 1)
    if wanted is None:
        call.refuse(f"NumPy does not define it for {value.type}")
    return truth(call, value) if wanted is DType.B1 else converted(value, wanted)


def _start(call: LibraryCall, ufunc: np.ufunc, dtype: DType) -> Computation | None:
    """Return where a fold starts, None where it starts with the first element."""
    if call.is_given("initial"):
        value = call.operand("initial")
        fits = dtype is DType.B1 or _holds(dtype, element_of(value.type))
        if not is_number(value.type) or not fits:
            call.refuse(f"{value.type} does not fit into {dtype}", call.nodes["initial"])
        return truth(call, value) if dtype is DType.B1 else converted(value, dtype)
    identity: object = ufunc.identity
    if identity is None:
        return None
    if dtype is DType.B1:
        return Literal(bool(identity), dtype)
    if dtype.kind in "iu":
        assert isinstance(identity, int)
        # All bits set, as NumPy's -1 is, in a dtype without signs.
        return Literal(identity if holds_int(dtype, identity) else int_limits(dtype)[1], dtype)
    assert isinstance(identity, int | float)
    return Literal(float(identity), dtype)


def _holds(dtype: DType, element: Element | None) -> bool:
    """Whether a number, weak where it is Python's, fits into a dtype by kind."""
    if isinstance(element, DType):
        return np.can_cast(element.numpy, dtype.numpy, "same_kind")
    return dtype.kind in _KINDS_HOLDING.get(str(element), "")


_KINDS_HOLDING = {"bool": "biufc", "int": "iufc", "float": "fc", "complex": "c"}


def _folded(ufunc: np.ufunc) -> Checker:
    """Return the check of `ufunc.reduce` that is a loop."""

    def check(call: LibraryCall) -> Typed:
        value = call.array("a")
        axis = call.axis(reductions.rank_of(value))
        folded = (
            reductions.rank_of(value)
            if axis is None
            else len(axis)
            if isinstance(axis, tuple)
            else 1
        )
        if folded > 1 and _asked(ufunc, "reduce", reductions.dtype_of(value), folded) is None:
            call.refuse("NumPy folds one axis alone, as the order counts", instead="axis=0")
        value = _in_its_dtype(call, ufunc, "reduce", value)
        value, sizes = array_parts.rows_along(call, value)
        rows = reductions.moved(call, value, reductions.rank_of(value) - 1, 0)
        first = _start(call, ufunc, reductions.dtype_of(value))
        name = "numbers" if reductions.rank_of(rows) == 1 else "rows"
        if first is None:
            found = call.standard("folds", name, rows, ufunc=ufunc, called=ufunc.__name__)
        else:
            constants = {"ufunc": ufunc, "called": ufunc.__name__}
            found = call.standard("folds", f"{name}_from", rows, first, **constants)
        if sizes is not None:
            found = array_parts.reshaped(call, call.as_array(found), sizes, dense=True)
        return call.result(found)

    return check


def _accumulated(ufunc: np.ufunc) -> Checker:
    def check(call: LibraryCall) -> Typed:
        value = _in_its_dtype(call, ufunc, "accumulate", call.array("a"))
        value, axis = reductions.along_axis(call, value, 0)
        rows = reductions.moved(call, value, axis, 0)
        found = call.standard("folds", "accumulated", rows, ufunc=ufunc, called=ufunc.__name__)
        return call.result(reductions.moved_back(call, found, 0, axis))

    return check


def _reduceat(ufunc: np.ufunc) -> Checker:
    """Return the check of `ufunc.reduceat`: slices that begin at indices are folded."""

    def check(call: LibraryCall) -> Typed:
        value = call.array("a")
        if ufunc in (np.add, np.multiply):
            value = reductions.in_wide_dtype(call, value)
        else:
            value = _in_its_dtype(call, ufunc, "reduceat", value)
        axis = reductions.one_axis(call, reductions.rank_of(value), 0)
        places = call.array("indices")
        if (
            axis is None
            or reductions.rank_of(places) != 1
            or reductions.dtype_of(places).kind not in "iu"
        ):
            call.refuse("ints along one axis, and one axis, are needed")
        rows = reductions.moved(call, value, axis, 0)
        starts = converted(places, DType.I64)
        if ufunc in _REDUCED and ufunc not in (np.logical_and, np.logical_or):
            constants = {"kind": _REDUCED[ufunc], "ufunc": ufunc.__name__}
            found = call.standard("scans", "folded_at", rows, starts, **constants)
        else:
            constants = {"ufunc": ufunc, "called": ufunc.__name__}
            found = call.standard("folds", "folded_at", rows, starts, **constants)
        return call.result(reductions.moved_back(call, found, 0, axis))

    return check


_COMBINED = {ufunc: name for name, ufunc in picking_ops.COMBINED.items()}


def _updating(ufunc: np.ufunc) -> Checker:
    """Return the check of `ufunc.at`: repeated indices are all counted."""

    def check(call: LibraryCall) -> Typed:
        array = call.array("a")
        value = call.numeric("b")
        element = element_of(value.type)
        target = reductions.dtype_of(array)
        # A Python number is as weak here as in the ufunc itself.
        source = value if isinstance(element, DType) else converted(value, target)
        fits = _updates(ufunc, target, reductions.dtype_of(source))
        if not fits or not (isinstance(element, DType) or _holds(target, element)):
            call.refuse(f"{value.type} does not fit into {array.type}", call.nodes["b"])
        indices = _indices(call)
        if len(indices) > reductions.rank_of(array):
            call.refuse(
                f"{len(indices)} indices for an array with {reductions.rank_of(array)} axes"
            )
        picks = tuple(Pick(index, k, k) for k, index in enumerate(indices))
        picking = Picking(array, picks, False)
        own = reductions.dtype_of(source)
        kind = _COMBINED.get(ufunc)
        if kind is None or DType.B1 in (target, own) or not _is_within(own, target):
            return call.result(update(call, picking, source, ufunc))
        return call.result(put(call, picking, converted(source, target), kind))

    return check


def _is_within(value: DType, target: DType) -> bool:
    """Whether a ufunc of two such elements computes in the dtype of the array."""
    return np.result_type(target.numpy, value.numpy) == target.numpy


@cache
def _updates(ufunc: np.ufunc, target: DType, value: DType) -> bool:
    """Whether NumPy combines elements with such values and puts back what it gets."""
    try:
        ufunc.at(np.ones(1, target.numpy), [0], np.ones(1, value.numpy))
    except TypeError:
        return False
    return True


def _indices(call: LibraryCall) -> list[Computation]:
    at = call.nodes["indices"]
    known = call.typed("indices")
    if "indices" in call.displays and isinstance(at, n.List):
        found = [sequences.array_of(call, call.displays["indices"], at)]
    elif "indices" in call.displays:
        items = call.displays["indices"].items
        found = [
            sequences.array_of(call, item, at) if isinstance(item, Display) else call.leaf(item)
            for item in items
        ]
    elif isinstance(known.type, TupleType):
        found = [item for item, _ in call.items("indices")]
    else:
        found = [call.operand("indices")]
    return [_index(call, index, at) for index in found]


def _index(call: LibraryCall, index: Computation, at: n.Node) -> Computation:
    element = element_of(index.type)
    if is_number(index.type) and str(element) != "bool":
        value = as_numpy(index)
        index = call.context.apply(call.node, arrays.FULL, value, Literal(1, INT), dims=(1,))
    if not isinstance(index.type, TensorType) or index.type.dtype.kind not in "biu":
        call.refuse(f"an index must be an array of ints, not {index.type}", at)
    if index.type.rank == 0:
        call.refuse("an array with axes is needed", at)
    return index


def _outer(ufunc: np.ufunc) -> Checker:
    """Return the check of `ufunc.outer`: every element with every other one."""

    def check(call: LibraryCall) -> Typed:
        first, second = call.array("A"), call.array("B")
        return call.result(crossed(call, ufunc, first, second))

    return check


def crossed(
    call: LibraryCall, ufunc: np.ufunc, first: Computation, second: Computation
) -> Computation:
    """Return what a ufunc gives for each pair of elements."""
    rank = reductions.rank_of(first)
    left = array_parts.view(
        call, first, "s" * rank + "n" * reductions.rank_of(second), *array_parts.WHOLE * rank
    )
    return _ALL[ufunc](call, [left, second])


def _np_outer(call: LibraryCall) -> Typed:
    flat = [reductions.flattened(call, call.array(name)) for name in ("a", "b")]
    return call.result(crossed(call, np.multiply, *flat))


def _extreme(op: OpDef) -> Meaning:
    def compute(call: LibraryCall, values: Sequence[Computation]) -> Computation:
        pair = numpy_functions.common_pair(values)
        return call.context.apply(call.node, op, *pair)

    return compute


def _reduce(ufunc: np.ufunc) -> Checker:
    """Return the check of `ufunc.reduce`, which folds the first axis unless told otherwise."""
    plain, by_loop = reductions.REDUCTIONS[_REDUCED[ufunc]], _folded(ufunc)

    def check(call: LibraryCall) -> Typed:
        call.default_axis = 0
        is_truth = ufunc in (np.logical_and, np.logical_or)
        if (is_truth and call.is_given("initial")) or _is_complex_product(call, ufunc):
            return by_loop(call)
        return plain(call)

    return check


def _is_complex_product(call: LibraryCall, ufunc: np.ufunc) -> bool:
    """Whether this multiplies complex numbers, which no op does along an axis."""
    return (
        ufunc is np.multiply
        and call.dtype("dtype", reductions.dtype_of(call.array("a"))).kind == "c"
    )


def _product(call: LibraryCall) -> Typed:
    """Check np.prod."""
    if _is_complex_product(call, np.multiply):
        return _folded(np.multiply)(call)
    return reductions.REDUCTIONS["prod"](call)


def _first_axis(check: Checker) -> Checker:
    """Return a check of a call that folds the first axis unless told otherwise."""

    def with_default(call: LibraryCall) -> Typed:
        call.default_axis = 0
        return check(call)

    return with_default


_REDUCED: Mapping[np.ufunc, str] = {
    np.add: "sum",
    np.multiply: "prod",
    np.maximum: "max",
    np.minimum: "min",
    np.logical_and: "all",
    np.logical_or: "any",
}
_ACCUMULATED: Mapping[np.ufunc, str] = {
    np.add: "cumsum",
    np.multiply: "cumprod",
    np.maximum: "cummax",
    np.minimum: "cummin",
}
# What each ufunc of two operands and one result computes.
_ALL: Mapping[np.ufunc, Meaning] = {
    **{ufunc: meaning for ufunc, meaning in MEANINGS.items() if ufunc.nin == 2},
    **MORE,
    **float_parts.MEANINGS,
    np.maximum: _extreme(elementwise.MAXIMUM),
    np.minimum: _extreme(elementwise.MINIMUM),
}
# Of two dtypes, or of which NumPy's vector code computes folds otherwise than its scalar code.
_PAIRS_ALONE = (np.ldexp, np.arctan2)
_PLAIN = ("a", "axis", "dtype", "out", "keepdims", "initial")
_REDUCE = (*_PLAIN, "where")


def _of(ufunc: np.ufunc, method: str, check: Checker, *names: str, required: int = 1) -> Library:
    return Library(f"np.{ufunc.__name__}.{method}", names, required, check, displays=True)


def _methods(ufunc: np.ufunc) -> Mapping[object, Library]:
    if ufunc in _REDUCED:
        reduce = _of(ufunc, "reduce", into_out(_reduce(ufunc)), *_REDUCE)
    else:
        reduce = _of(ufunc, "reduce", into_out(_first_axis(_folded(ufunc))), *_PLAIN)
    outer = _of(ufunc, "outer", _outer(ufunc), "A", "B", required=2)
    if ufunc in _PAIRS_ALONE:
        return {ufunc.outer: outer}
    scan = _accumulated(ufunc)
    if ufunc in _ACCUMULATED:
        scan = _first_axis(SCANS[_ACCUMULATED[ufunc]])
    return {
        ufunc.reduce: reduce,
        ufunc.accumulate: _of(ufunc, "accumulate", into_out(scan), "a", "axis", "dtype", "out"),
        ufunc.reduceat: _of(
            ufunc, "reduceat", _reduceat(ufunc), "a", "indices", "axis", required=2
        ),
        ufunc.at: _of(ufunc, "at", _updating(ufunc), "a", "indices", "b", required=3),
        ufunc.outer: outer,
    }


TABLE: Mapping[object, Library] = {
    np.prod: Library("np.prod", _REDUCE, 1, into_out(_product), displays=True),
    np.outer: Library("np.outer", ("a", "b", "out"), 2, into_out(_np_outer), displays=True),
    **{method: row for ufunc in _ALL for method, row in _methods(ufunc).items()},
}
METHODS: Mapping[str, Library] = {"prod": Library("array.prod", _REDUCE, 1, into_out(_product))}
