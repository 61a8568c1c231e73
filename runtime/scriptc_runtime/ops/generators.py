"""Ops that make NumPy's random generators and draw from them.

A draw changes the state of its generator, which others may hold too, so all draws happen, once and
in order: each is an effect, as a print is.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, cast

import numpy as np

from scriptc_runtime import distributions
from scriptc_runtime.dims import UNKNOWN, Dim
from scriptc_runtime.ops.arrays import check_sizes, tensor
from scriptc_runtime.ops.elementwise import broadcast_dims
from scriptc_runtime.ops.opdef import Attrs, Effects, Level, OpDef, OpTypeError
from scriptc_runtime.random_generators import draw_index, global_state, seed
from scriptc_runtime.types import (
    BIT_GENERATOR,
    DEFAULT_DTYPE,
    GENERATOR,
    INT,
    RANDOM_SOURCES,
    RANDOM_STATE,
    DType,
    PyType,
    TensorType,
    Type,
)

# The classes of np.random that `new_random` calls, and what they make.
MAKERS = {
    **dict.fromkeys(("PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64"), BIT_GENERATOR),
    "Generator": GENERATOR,
    "RandomState": RANDOM_STATE,
}


def _made(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    maker = attrs["maker"]
    made = MAKERS.get(maker) if isinstance(maker, str) else None
    taken = [[BIT_GENERATOR]] if made is GENERATOR else [[], [INT]]
    if made is RANDOM_STATE:
        taken.append([BIT_GENERATOR])
    if made is None or list(types) not in taken:
        raise OpTypeError(f"{maker} makes nothing of {list(map(str, types))}")
    return (made,)


def _global(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    return (RANDOM_STATE,)


def _seeded(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    if list(types) not in ([RANDOM_STATE], [RANDOM_STATE, INT]):
        raise OpTypeError(f"{list(map(str, types))} cannot be seeded")
    return ()


def distribution_of(source: Type, attrs: Attrs) -> distributions.Distribution:
    """Return the distribution that the attributes name.  Raises OpTypeError."""
    table = distributions.DISTRIBUTIONS.get(source) if isinstance(source, PyType) else None
    name, dtype = attrs["name"], attrs["dtype"]
    found = table.get(name) if table and isinstance(name, str) else None
    if found is None:
        raise OpTypeError(f"{name} is not drawn from a {source}")
    if name == distributions.BOUNDED:
        fits = dtype in distributions.BOUNDED_DTYPES and isinstance(attrs["closed"], bool)
    else:
        own = DEFAULT_DTYPE[found.result]
        fits = dtype is own or (dtype is DType.F32 and found.single != "")
        fits = fits and attrs["closed"] is False
    if not fits:
        raise OpTypeError(f"{name} is not drawn as {dtype}")
    return found


def _parameters(types: Sequence[Type], attrs: Attrs, rank: int = -1) -> int:
    """Check the operands up to the last parameter, and return their number.

    Arrays of no more than `rank` axes are taken for numbers. Bounds of short integers, of which
    NumPy makes several from one draw, are numbers.
    """
    found = distribution_of(types[0], attrs)
    wanted = [p.type for p in found.parameters]
    given = types[1 : 1 + len(wanted)]
    most = -1 if cast(DType, attrs["dtype"]).itemsize < 4 else rank
    if len(given) < len(wanted) or not all(map(partial(_is_parameter, most), given, wanted)):
        raise OpTypeError(f"{attrs['name']} takes {list(map(str, wanted))}")
    return 1 + len(wanted)


def _is_parameter(rank: int, given: Type, wanted: PyType) -> bool:
    if isinstance(given, TensorType):
        return given.dtype is DEFAULT_DTYPE[wanted] and given.rank <= rank
    return given is wanted


def _drawn(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    if len(types) != _parameters(types, attrs):
        raise OpTypeError(f"{attrs['name']} takes no more")
    dtype = cast(DType, attrs["dtype"])
    return (
        dtype
        if attrs["name"] == distributions.BOUNDED
        else distribution_of(types[0], attrs).result,
    )


def _array(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    dims = attrs["dims"]
    assert isinstance(dims, tuple)
    first = _parameters(types, attrs, len(dims))
    if len(types) - first != len(dims) or any(t is not INT for t in types[first:]):
        raise OpTypeError("one int for each axis is needed")
    dtype = cast(DType, attrs["dtype"])
    result = TensorType(dtype, tuple(Dim(d) if isinstance(d, int) else UNKNOWN for d in dims))
    for parameter in types[1:first]:
        broadcast_dims([result, parameter])
    return (result,)


def _filled(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    source, array, *rest = types
    if tensor(array).dtype is not attrs["dtype"]:
        raise OpTypeError(f"{array} does not take {attrs['dtype']}")
    if len(rest) + 1 != _parameters([source, *rest], attrs, tensor(array).rank):
        raise OpTypeError(f"{attrs['name']} takes no more")
    return ()


def _ordered(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    source, array = types
    if source not in RANDOM_SOURCES or tensor(array).rank == 0:
        raise OpTypeError(f"{source} does not order {array}")
    return ()


def _index(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    source, last = types
    if source not in RANDOM_SOURCES or last is not INT:
        raise OpTypeError(f"no index up to {last} is drawn from {source}")
    return (INT,)


def may_refuse(source: Type, attrs: Attrs) -> bool:
    """Whether a distribution does not take all numbers as parameters."""
    name = attrs["name"]
    if name in (distributions.BOUNDED, "uniform", "triangular"):
        return True
    found = distribution_of(source, attrs)
    return any(p.rule is not distributions.Rule.NONE for p in found.parameters)


def _makes(types: Sequence[Type], attrs: Attrs) -> Effects:
    # Each is one of its own, and takes entropy of the system where it is given no seed.
    return Effects(aliases=frozenset(range(len(types))), raises=True, allocates=True, io=True)


def _draws(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(reads=frozenset({0}), raises=may_refuse(types[0], attrs), io=True)


def _draws_array(types: Sequence[Type], attrs: Attrs) -> Effects:
    read = frozenset(range(len(types)))
    return Effects(reads=read, raises=True, allocates=True, io=True)


def _fills(types: Sequence[Type], attrs: Attrs) -> Effects:
    raises = may_refuse(types[0], attrs)
    read = frozenset({0, *range(2, len(types))})
    return Effects(reads=read, writes=frozenset({1}), raises=raises, io=True)


def _shuffles(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(reads=frozenset({0, 1}), writes=frozenset({1}), io=True)


def _draws_index(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(reads=frozenset({0}), io=True)


def _seeds(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(reads=frozenset({0}), raises=True, io=True)


def _evaluate_new(*arguments: Any, maker: str) -> object:
    return getattr(np.random, maker)(*arguments)


def _drawn_by_numpy(
    source: Any, values: Sequence[Any], size: Any, name: str, dtype: DType, closed: bool
) -> Any:
    """Return what NumPy's method gives."""
    type_ = GENERATOR if isinstance(source, np.random.Generator) else RANDOM_STATE
    found = distributions.DISTRIBUTIONS[type_][name]
    options: dict[str, Any] = {}
    if name == distributions.BOUNDED:
        options["dtype"] = dtype.numpy
        if type_ is GENERATOR:
            options["endpoint"] = closed
    elif dtype is DType.F32:
        options["dtype"] = dtype.numpy
    return getattr(source, found.method or name)(*values, size=size, **options)


def _evaluate_draw(source: Any, *values: Any, name: str, dtype: DType, closed: bool) -> object:
    drawn = _drawn_by_numpy(source, values, None, name, dtype, closed)
    # `randint` gives some as Python's ints.
    return dtype.numpy.type(drawn) if name == distributions.BOUNDED else drawn


def _evaluate_array(
    source: Any, *values: Any, name: str, dtype: DType, closed: bool, dims: tuple[int | None, ...]
) -> object:
    count = len(values) - len(dims)
    sizes = values[count:]
    check_sizes(sizes, dims)
    return _drawn_by_numpy(source, values[:count], sizes, name, dtype, closed)


def _evaluate_fill(
    source: Any, array: Any, *values: Any, name: str, dtype: DType, closed: bool
) -> None:
    array[...] = _drawn_by_numpy(source, values, array.shape, name, dtype, closed)


def _evaluate_shuffle(source: Any, x: Any) -> None:
    source.shuffle(x)


_ATTRS = ("name", "dtype", "closed")
NEW_RANDOM = OpDef(
    name="new_random",
    doc="A new generator: what the class `maker` of np.random makes of a seed, or of bits.",
    operands=("*arguments",),
    attrs=("maker",),
    infer=_made,
    evaluate=_evaluate_new,
    effects=_makes,
)
GLOBAL_RANDOM = OpDef(
    name="global_random",
    doc="The state that functions of np.random draw from.",
    operands=(),
    infer=_global,
    evaluate=global_state,
)
SEED_RANDOM = OpDef(
    name="seed_random",
    doc="Start a state anew, from a seed or from entropy of the system.",
    operands=("state", "*seed"),
    infer=_seeded,
    evaluate=seed,
    effects=_seeds,
)
DRAW = OpDef(
    name="draw",
    doc="One random number, as the method `name` of NumPy's generators draws it.",
    operands=("source", "*parameters"),
    attrs=_ATTRS,
    infer=_drawn,
    evaluate=_evaluate_draw,
    effects=_draws,
)
DRAW_ARRAY = OpDef(
    name="draw_array",
    doc="An array of random numbers; parameters are numbers or arrays that are broadcast to it, "
    "and its sizes stand behind them.",
    operands=("source", "*parameters"),
    attrs=(*_ATTRS, "dims"),
    infer=_array,
    evaluate=_evaluate_array,
    effects=_draws_array,
)
FILL_RANDOM = OpDef(
    name="fill_random",
    doc="Fill a contiguous array with random numbers; parameters are numbers, or contiguous arrays "
    "of its shape.",
    operands=("source", "array", "*parameters"),
    attrs=_ATTRS,
    infer=_filled,
    evaluate=_evaluate_fill,
    effects=_fills,
    level=Level.LOW,
)

SHUFFLE = OpDef(
    name="shuffle",
    doc="Put the rows of an array, along its first axis, in a random order.",
    operands=("source", "x"),
    infer=_ordered,
    evaluate=_evaluate_shuffle,
    effects=_shuffles,
    level=Level.LIBRARY,
)
DRAW_INDEX = OpDef(
    name="draw_index",
    doc="An int from 0 to `last`, as NumPy draws it to shuffle.",
    operands=("source", "last"),
    infer=_index,
    evaluate=draw_index,
    effects=_draws_index,
    level=Level.LOW,
)

CORE_OPS = (NEW_RANDOM, GLOBAL_RANDOM, SEED_RANDOM, DRAW, DRAW_ARRAY)
LIBRARY_OPS = (SHUFFLE,)
LOW_OPS = (FILL_RANDOM, DRAW_INDEX)
# What needs the lock of its generator.
LOCKED_OPS = (DRAW, FILL_RANDOM, DRAW_INDEX, SEED_RANDOM)
OPS = (*CORE_OPS, *LIBRARY_OPS, *LOW_OPS)
