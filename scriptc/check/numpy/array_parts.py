"""Small parts of which functions of arrays are made: sizes, views, new arrays, what is written."""

from collections.abc import Sequence
from typing import NoReturn

from scriptc.check.checked import After, Apply, Check, Computation, Literal
from scriptc.check.library.call import LibraryCall, int_size
from scriptc.check.numpy import reductions
from scriptc_runtime.ops import arrays, elementwise, reshaping
from scriptc_runtime.types import INT, NONE, DType

WHOLE = (Literal(None, NONE),) * 3  # a slice that leaves an axis as it is


def number(value: int) -> Computation:
    """Return a Python int."""
    return Literal(value, INT)


def size_of(call: LibraryCall, value: Computation, axis: int) -> Computation:
    """Return the size of one axis."""
    return call.context.apply(call.node, arrays.DIM, value, axis=axis)


def sizes_of(call: LibraryCall, value: Computation) -> list[Computation]:
    """Return the sizes of all axes."""
    return [size_of(call, value, axis) for axis in range(reductions.rank_of(value))]


def view(call: LibraryCall, value: Computation, letters: str, *indices: Computation) -> Computation:
    """Return a part of an array, as the op `view` spells it."""
    return call.context.apply(call.node, arrays.VIEW, value, *indices, axes=letters)


def with_axis(call: LibraryCall, value: Computation, place: int) -> Computation:
    """Return an array with a new axis of size 1 before axis `place`."""
    return view(call, value, "s" * place + "n", *WHOLE * place)


def empty(call: LibraryCall, dtype: DType, sizes: Sequence[Computation]) -> Computation:
    """Return a new array whose elements are still to be written."""
    dims = tuple(s.value if isinstance(s, Literal) else None for s in sizes)
    known = tuple(d if type(d) is int and d >= 0 else None for d in dims)
    return call.context.apply(call.node, arrays.EMPTY, *sizes, dtype=dtype, dims=known)


def written(
    call: LibraryCall, array: Computation, part: Computation, source: Computation
) -> Computation:
    """Return `array` once `source` has been written to `part` of it."""
    call.context.check_op(call.node, arrays.ASSIGN, part, source)
    effect = Apply(arrays.ASSIGN, (part, source), {}, NONE)
    return After((effect,), array, array.type)


def reshaped(
    call: LibraryCall, value: Computation, sizes: Sequence[Computation], *, dense: bool = False
) -> Computation:
    """Return an array in another shape."""
    dims = tuple(s.value if isinstance(s, Literal) else None for s in sizes)
    known = tuple(d if type(d) is int and d >= 0 else None for d in dims)
    apply = call.context.apply
    return apply(call.node, reshaping.RESHAPE, value, *sizes, dims=known, dense=dense)


def plus(call: LibraryCall, first: Computation, second: Computation) -> Computation:
    """Return the sum of two ints."""
    return call.context.apply(call.node, elementwise.ADD, first, second)


def times(call: LibraryCall, first: Computation, second: Computation) -> Computation:
    """Return the product of two ints."""
    return call.context.apply(call.node, elementwise.MUL, first, second)


def asked_sizes(call: LibraryCall, name: str) -> list[Computation]:
    """Return the sizes that an argument, an int or a tuple of ints, asks for."""
    at = call.nodes[name]
    return [
        int_size(call, size, at) if known is None else number(known)
        for size, known in call.items(name)
    ]


def no_negative(call: LibraryCall, sizes: Sequence[Computation], message: str) -> list[Computation]:
    """Return sizes, with the first one checked to be no less than 0, as all others are then."""
    value = sizes[0]
    for size in sizes:
        fits = call.context.apply(call.node, elementwise.GE, size, number(0))
        value = Check(fits, "ValueError", message, value, INT)
    return [value, *sizes[1:]]


def constant_axes(call: LibraryCall, name: str, rank: int) -> list[int]:
    """Return constant axes, counted from the front."""
    found: list[int] = []
    for _, known in call.items(name):
        if known is None:
            call.refuse(f"{name} must be constant", call.nodes[name], "write the numbers")
        if not -rank <= known < rank:
            _refuse_axis(call, name, known, rank)
        found.append(known % rank)
    call.drop(name)
    return found


def _refuse_axis(call: LibraryCall, name: str, axis: int, rank: int) -> NoReturn:
    call.context.fail(
        "dims",
        f"axis {axis} does not exist in an array with {rank} axes",
        call.nodes[name],
        instead=f"use 0 to {rank - 1}" if rank else "an array without axes has none",
    )


def at_least(call: LibraryCall, value: Computation, rank: int) -> Computation:
    """Return an array with at least one axis, or two: new ones stand in front."""
    missing = rank - reductions.rank_of(value)
    return view(call, value, "n" * missing) if missing > 0 else value


_MODES = ("raise", "wrap", "clip")


def index_mode(call: LibraryCall) -> str:
    """Return what becomes of an index outside of the array."""
    if not call.is_given("mode"):
        return "raise"
    known = call.typed("mode").known
    if known is None or known.value not in _MODES:
        call.refuse("mode must be 'raise', 'wrap' or 'clip'", call.nodes["mode"])
    call.drop("mode")
    return str(known.value)


def rows_along(
    call: LibraryCall, value: Computation
) -> tuple[Computation, list[Computation] | None]:
    """Return an array whose last axis is `axis`, or several as one, and the sizes that stay.

    The sizes are those of a result that keeps the axes, None where it does not.
    """
    rank = reductions.rank_of(value)
    axis = call.axis(rank)
    axes = tuple(range(rank)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    kept = [number(1) if i in axes else size for i, size in enumerate(sizes_of(call, value))]
    sizes = kept if call.flag("keepdims") else None
    rest = [i for i in range(rank) if i not in axes]
    order = (*rest, *axes)
    if order != tuple(range(rank)):
        value = call.context.apply(call.node, arrays.TRANSPOSE, value, order=order)
    if len(axes) == 1:
        return value, sizes
    left = sizes_of(call, value)[: len(rest)]
    count: Computation = number(1)
    for place in range(len(rest), rank):
        count = times(call, count, size_of(call, value, place))
    return reshaped(call, value, [*left, count], dense=True), sizes
