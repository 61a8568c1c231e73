"""np.random: permutation, shuffle, choice, normal vectors, by functions of `stdlib/random.py`."""

import math
from collections.abc import Mapping

from scriptc.check.bindings import Typed
from scriptc.check.checked import After, Apply, Computation, Literal
from scriptc.check.conversion import converted
from scriptc.check.library import readers
from scriptc.check.library.call import LibraryCall, int_size
from scriptc.check.numpy import reductions
from scriptc.check.operators import INDEX_TYPES
from scriptc_runtime.ops import arrays, data, generators
from scriptc_runtime.types import FLOAT, INT, NONE, RANDOM_STATE, DType, ListType, TensorType

_FILE = "random"
# From 1.0 to the next number.
_STEPS: Mapping[DType, float] = {DType.F16: 2.0**-10, DType.F32: 2.0**-23, DType.F64: 2.0**-52}


def shuffled(call: LibraryCall, source: Computation) -> Typed:
    """Check `shuffle`, which orders the rows of an array, or the items of a list, in place."""
    if isinstance(call.typed("x").type, ListType) and not call.is_given("axis"):
        return call.result(
            call.standard(_FILE, "shuffle_items", source, readers.written_list(call, "x"))
        )
    array = _along_axis(call, call.operand("x"))
    effect = Apply(generators.SHUFFLE, (source, array), {}, NONE)
    call.context.check_op(call.node, generators.SHUFFLE, source, array)
    return call.result(After((effect,), Literal(None, NONE), NONE))


def permuted(call: LibraryCall, source: Computation) -> Typed:
    """Check `permutation`: of the ints below a number, or of the rows of an array."""
    if "x" not in call.displays and call.typed("x").type in INDEX_TYPES:
        count = converted(call.operand("x"), INT)
        return call.result(call.standard(_FILE, "permuted_range", source, count))
    array = call.array("x")
    moved = _along_axis(call, array)
    found = call.standard(_FILE, "permuted", source, moved)
    return call.result(_turned(call, found, _axis(call, reductions.rank_of(array))))


def _axis(call: LibraryCall, rank: int) -> int:
    axis = call.constant_int("axis", 0)
    if not -rank <= axis < rank:
        call.refuse(f"axis {axis} does not exist in an array with {rank} axes")
    return axis % rank


def _along_axis(call: LibraryCall, array: Computation) -> Computation:
    """Return a view of an array whose first axis is the one that `axis` says."""
    if not isinstance(array.type, TensorType) or array.type.rank == 0:
        call.refuse(f"an array with axes is needed, not {array.type}", call.nodes["x"])
    return _turned(call, array, _axis(call, array.type.rank))


def _turned(call: LibraryCall, array: Computation, axis: int) -> Computation:
    """Return a view of an array with an axis and the first one exchanged."""
    if axis == 0:
        return array
    order = list(range(reductions.rank_of(array)))
    order[0], order[axis] = axis, 0
    return call.context.apply(call.node, arrays.TRANSPOSE, array, order=tuple(order))


def chosen(call: LibraryCall, source: Computation) -> Typed:
    """Check `choice`, from a number of ints or from an array with one axis."""
    from_ = _population(call)
    if call.constant_int("axis", 0) not in (0, -1):
        call.refuse("an array with one axis has no other", call.nodes["axis"])
    constants = {
        "older": source.type is RANDOM_STATE,
        "replace": call.flag("replace", True),
        "shuffle": call.flag("shuffle", True),
    }
    weights: list[Computation] = []
    if call.is_given("p"):
        weights = _chances(call)
    name = "chosen_weighted" if weights else "chosen"
    if not call.is_given("size"):
        one = call.standard(_FILE, f"one_{name}", source, from_, *weights, **constants)
        return call.result(one if isinstance(from_.type, TensorType) else converted(one, INT))
    sizes = [int_size(call, size, call.nodes["size"]) for size, _ in call.items("size")]
    shape = call.context.apply(call.node, data.TUPLE, *sizes)
    found = call.standard(_FILE, name, source, from_, shape, *weights, **constants)
    return call.result(found)


def normals(call: LibraryCall, source: Computation) -> Typed:
    """Check `multivariate_normal`: vectors of normal numbers with a covariance."""
    mean, cov = (converted(call.array(name), DType.F64) for name in ("mean", "cov"))
    if (reductions.rank_of(mean), reductions.rank_of(cov)) != (1, 2):
        call.refuse("mean has one axis and cov two", call.nodes["cov"])
    if call.is_given("check_valid"):
        call.word("check_valid", "warn", "ignore")
    method = call.word("method", "svd", "eigh", "cholesky") if call.is_given("method") else "svd"
    sizes: list[Computation] = []
    if call.is_given("size"):
        sizes = [int_size(call, size, call.nodes["size"]) for size, _ in call.items("size")]
    length = call.context.apply(call.node, arrays.DIM, mean, axis=0)
    shape = call.context.apply(call.node, data.TUPLE, *sizes, length)
    older = source.type is RANDOM_STATE
    found = call.standard(
        _FILE, "multivariate_normal", source, mean, cov, shape, method=method, older=older
    )
    return call.result(found)


def _population(call: LibraryCall) -> Computation:
    if "a" not in call.displays and call.typed("a").type in INDEX_TYPES:
        return converted(call.operand("a"), INT)
    array = call.array("a")
    if reductions.rank_of(array) != 1:
        call.refuse("an int or an array with one axis is needed", call.nodes["a"], "choose rows")
    return array


def _chances(call: LibraryCall) -> list[Computation]:
    """Return the probabilities, and by how much their sum may differ from 1."""
    given = call.array("p")
    if reductions.rank_of(given) != 1:
        call.refuse("an array with one axis is needed", call.nodes["p"])
    dtype = reductions.dtype_of(given)
    # What a list or a tuple holds is a double.
    own = dtype if isinstance(call.typed("p").type, TensorType) else DType.F64
    slack = math.sqrt(max(_STEPS.get(own, 0.0), _STEPS[DType.F64]))
    return [converted(given, DType.F64), Literal(slack, FLOAT)]
