"""Ops that make, index, view, write and rearrange arrays.

Indexing is spelled by `axes`, one letter per item of the subscript: `i` takes one int operand,
`s` three (start, stop, step; each an int or None), `n` none (a new axis).  Axes that the letters
do not reach stay whole.
"""

import math
from collections.abc import Iterator, Sequence
from typing import Any, cast

import numpy as np

from scriptc_runtime.dims import ONE, UNKNOWN, Dim
from scriptc_runtime.ops.elementwise import broadcast_dims
from scriptc_runtime.ops.opdef import Attrs, Effects, OpDef, OpSizeError, OpTypeError
from scriptc_runtime.types import COMPLEX_DTYPES, INT, NONE, DType, TensorType, Type, part_of
from scriptc_runtime.values import INT_MAX, length_of_range

# NumPy's own stubs want a dtype here; an op takes arrays of any built dtype.
Array = np.ndarray[tuple[Any, ...], np.dtype[Any]]
_PRODUCTS = ("matmul", "dot", "vdot")
_OPERANDS_PER_LETTER = {"i": 1, "s": 3, "n": 0}


def tensor(type_: Type) -> TensorType:
    """Return `type_` as a tensor type.  Raises OpTypeError."""
    if not isinstance(type_, TensorType):
        raise OpTypeError(f"expected an array, got {type_}")
    return type_


def _axes(types: Sequence[Type], attrs: Attrs) -> str:
    """Return the letters after checking them against the operands that follow the array."""
    axes = attrs["axes"]
    if not isinstance(axes, str) or set(axes) - set("isn"):
        raise OpTypeError(f"axes must be letters of i, s and n, got {axes}")
    if len(types) != sum(_OPERANDS_PER_LETTER[a] for a in axes):
        raise OpTypeError(f"{len(types)} index operands do not fit the axes {axes!r}")
    position = 0
    for letter in axes:
        for type_ in types[position : position + _OPERANDS_PER_LETTER[letter]]:
            if type_ is not INT and not (letter == "s" and type_ is NONE):
                raise OpTypeError(f"an index must be int, got {type_}")
        position += _OPERANDS_PER_LETTER[letter]
    return axes


def _view(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    base = tensor(types[0])
    axes = _axes(types[1:], attrs)
    if len(axes) - axes.count("n") > base.rank:
        raise OpSizeError(f"too many indices for {base}")
    known = _slice_dims(axes, attrs)
    dims: list[Dim] = []
    axis = operand = 0
    for letter in axes:
        if letter == "n":
            dims.append(ONE)
            continue
        if letter == "s":
            whole = all(t is NONE for t in types[1 + operand : 4 + operand])
            size = next(known)
            dims.append(base.dims[axis] if whole else UNKNOWN if size is None else Dim(size))
        operand += _OPERANDS_PER_LETTER[letter]
        axis += 1
    return (TensorType(base.dtype, (*dims, *base.dims[axis:])),)


def _slice_dims(axes: str, attrs: Attrs) -> Iterator[int | None]:
    """Yield the size of each slice that is a constant: `dims`, checked when run."""
    unknown = (None,) * axes.count("s")
    dims = cast("tuple[int | None, ...]", attrs.get("dims", unknown))
    if len(dims) != len(unknown) or ("dims" in attrs and dims == unknown):
        raise OpTypeError("a size for each slice is needed, one of them at least known")
    return iter(dims)


def _index(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    base = tensor(types[0])
    if len(types) - 1 != base.rank or any(t is not INT for t in types[1:]):
        raise OpTypeError(f"one int for each axis of {base} is needed")
    return (base.dtype,)


def _set_index(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    (element,) = _index([types[0], *types[2:]], attrs)
    if types[1] is not element:
        raise OpTypeError(f"an element of {types[0]} is {element}, not {types[1]}")
    return ()


def _assign(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    target = tensor(types[0])
    source = types[1]
    dtype = source.dtype if isinstance(source, TensorType) else source
    if dtype is not target.dtype:
        raise OpTypeError(f"an element of {target} is {target.dtype}, not {dtype}")
    if isinstance(source, TensorType) and source.rank > target.rank:
        raise OpSizeError(f"{source} does not fit into {target}")
    broadcast_dims(types)
    return ()


def _sized(types: Sequence[Type], attrs: Attrs) -> tuple[Dim, ...]:
    """Return the dims of a new array: `dims` where known, checked against the operands when run."""
    dims = attrs["dims"]
    assert isinstance(dims, tuple)
    if len(dims) != len(types) or any(t is not INT for t in types):
        raise OpTypeError("one int for each axis is needed")
    return tuple(Dim(d) if isinstance(d, int) else UNKNOWN for d in dims)


def _empty(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    dtype = attrs["dtype"]
    if not isinstance(dtype, DType):
        raise OpTypeError(f"there are no arrays of {dtype}")
    return (TensorType(dtype, _sized(types, attrs)),)


def _full(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    if not isinstance(types[0], DType):
        raise OpTypeError(f"there are no arrays of {types[0]}")
    return (TensorType(types[0], _sized(types[1:], attrs)),)


def _arange(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    if len(types) != 3 or len(set(types)) != 1 or types[0] not in (DType.I64, DType.F64):
        raise OpTypeError("start, stop and step must all be i64 or all f64")
    return (TensorType(cast(DType, types[0]), (UNKNOWN,)),)


def _dim(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    axis = attrs["axis"]
    if not isinstance(axis, int) or not 0 <= axis < tensor(types[0]).rank:
        raise OpTypeError(f"{types[0]} has no axis {axis}")
    return (INT,)


def _copy(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    return (tensor(types[0]),)


def _transpose(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    base, order = tensor(types[0]), attrs["order"]
    if not isinstance(order, tuple) or sorted(cast("tuple[int, ...]", order)) != list(
        range(base.rank)
    ):
        raise OpTypeError(f"{order} is no order of the axes of {base}")
    return (TensorType(base.dtype, tuple(base.dims[cast(int, a)] for a in order)),)


def _part(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    base = tensor(types[0])
    if base.dtype not in COMPLEX_DTYPES or attrs["index"] not in (0, 1):
        raise OpTypeError(f"{base} has no real and imaginary parts")
    return (TensorType(cast(DType, part_of(base.dtype)), base.dims),)


def _record_field(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    base, dtype = tensor(types[0]), attrs["dtype"]
    offset, shape = attrs["offset"], attrs["shape"]
    if base.dtype is not DType.U8 or not base.rank or not base.dims[-1].is_constant:
        raise OpTypeError(f"{base} has no bytes of records")
    if not isinstance(dtype, DType) or not isinstance(offset, int) or not isinstance(shape, tuple):
        raise OpTypeError("a field has a dtype, an offset and a shape")
    own = [size for size in shape if isinstance(size, int) and size >= 0]
    record, size = base.dims[-1].constant, dtype.itemsize
    if len(own) != len(shape) or offset < 0 or offset + size * math.prod(own) > record:
        raise OpTypeError(f"there is no such field in {record} bytes")
    if offset % size or record % size:
        raise OpTypeError(f"a {dtype} does not stand at multiples of its size")
    return (TensorType(dtype, (*base.dims[:-1], *map(Dim, own))),)


def _matmul(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    lhs, rhs = tensor(types[0]), tensor(types[1])
    if lhs.dtype is not rhs.dtype or lhs.dtype is DType.B1:
        raise OpTypeError(f"no product of {lhs} and {rhs}")
    if not (1 <= lhs.rank <= 2 and 1 <= rhs.rank <= 2):
        raise OpTypeError("the second factor of a product has at most two axes for now")
    called = attrs.get("called", "matmul")
    if called not in _PRODUCTS or (called == "vdot" and lhs.rank + rhs.rank > 2):
        raise OpTypeError(f"no product of {lhs} and {rhs} is called {called!r}")
    inner, other = lhs.dims[-1], rhs.dims[0]
    if inner.is_constant and other.is_constant and inner != other:
        raise OpSizeError(f"sizes {inner} and {other} of the summed axis differ")
    dims = (*lhs.dims[:-1], *rhs.dims[1:])
    return (TensorType(lhs.dtype, dims) if dims else lhs.dtype,)


def _aliases(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(aliases=frozenset({0}))


def _view_effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    axes = cast(str, attrs["axes"])
    # A slice can fail only on a step of zero, which a constant step excludes; see `decompose`.
    return Effects(aliases=frozenset({0}), raises="i" in axes or "s" in axes)


def _index_effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(reads=frozenset({0}), raises=len(types) > 1)


def _set_index_effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(writes=frozenset({0}), raises=True)


def _assign_effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    target, source = tensor(types[0]), types[1]
    if not isinstance(source, TensorType):
        return Effects(writes=frozenset({0}))
    pairs = zip(source.dims[::-1], target.dims[::-1], strict=False)
    fits = all(size == ONE or size.same(whole) for size, whole in pairs)
    return Effects(reads=frozenset({1}), writes=frozenset({0}), raises=not fits)


def _new_effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(allocates=True, raises=True)


def _copy_effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(reads=frozenset({0}), allocates=True)


def _evaluate_matmul(lhs: Array, rhs: Array, *, called: str = "matmul") -> object:
    if called == "vdot" and lhs.size != rhs.size:
        np.vdot(lhs, rhs)  # which raises
    return np.dot(lhs, rhs) if called == "dot" else np.matmul(lhs, rhs)


def _matmul_effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    fits = tensor(types[0]).dims[-1].same(tensor(types[1]).dims[0])
    return Effects(reads=frozenset({0, 1}), allocates=True, raises=not fits)


def subscript(axes: str, operands: Sequence[object]) -> tuple[object, ...]:
    """Return the NumPy subscript that `axes` and its operands spell."""
    items: list[object] = []
    position = 0
    for letter in axes:
        match letter:
            case "n":
                items.append(None)
            case "i":
                items.append(operands[position])
            case "s":
                items.append(slice(*operands[position : position + 3]))
            case _:
                raise ValueError(axes)
        position += _OPERANDS_PER_LETTER[letter]
    return tuple(items)


def _evaluate_view(
    base: Array, *operands: object, axes: str, dims: tuple[int | None, ...] = ()
) -> object:
    # The ellipsis keeps a full index an array of rank 0 instead of a scalar.
    view = base[(*cast("tuple[int, ...]", subscript(axes, operands)), ...)]
    if dims:
        kept = axes.replace("i", "")
        sizes = [size for size, letter in zip(view.shape, kept, strict=False) if letter == "s"]
        check_declared(sizes, dims)
    return view


def _evaluate_index(base: Array, *index: int) -> object:
    return base[index]


def _evaluate_set_index(base: Array, value: object, *index: int) -> None:
    base[index] = value


def _evaluate_assign(target: Array, source: object) -> None:
    # NumPy copies some overlapping views of different strides wrong.
    if isinstance(source, np.ndarray):
        array = cast(Array, source)
        target[...] = array.copy() if np.may_share_memory(target, array) else array
    else:
        target[...] = source


def check_sizes(sizes: Sequence[int], dims: Sequence[int | None]) -> None:
    """Raise ValueError for sizes that are negative, or not what is declared."""
    if any(size < 0 for size in sizes):
        raise ValueError("negative dimensions are not allowed")
    check_declared(sizes, dims)


def check_declared(sizes: Sequence[int], dims: Sequence[int | None]) -> None:
    """Raise ValueError for sizes that are not what is declared."""
    for size, dim in zip(sizes, dims, strict=True):
        if dim is not None and size != dim:
            raise ValueError(f"an axis declared as {dim} has size {size}")


def _evaluate_empty(*sizes: int, dtype: DType, dims: tuple[int | None, ...]) -> Array:
    check_sizes(sizes, dims)
    # Not what the memory held before: a module may come from a stranger.
    return np.zeros(sizes, dtype.numpy)


def _evaluate_full(value: np.generic, *sizes: int, dims: tuple[int | None, ...]) -> Array:
    check_sizes(sizes, dims)
    return np.full(sizes, value, value.dtype)


def _evaluate_arange(start: Any, stop: Any, step: Any) -> Array:
    if step == 0:
        raise ZeroDivisionError("division by zero")
    if type(start) is np.float64:
        return cast(Array, np.arange(start, stop, step))
    # NumPy divides as floats to count them: too many or too few where steps are large.
    count = length_of_range(int(start), int(stop), int(step))
    if count > INT_MAX // 8:
        raise ValueError("Maximum allowed size exceeded")
    return cast(Array, np.arange(count) * step + start)


def _evaluate_dim(base: Array, *, axis: int) -> int:
    return base.shape[axis]


def _evaluate_copy(base: Array) -> Array:
    return np.array(base, order="C")


def _evaluate_transpose(base: Array, *, order: tuple[int, ...]) -> Array:
    return base.transpose(order)


def _evaluate_part(base: Array, *, index: int) -> Array:
    waves = cast("np.ndarray[tuple[int, ...], np.dtype[np.complex128]]", base)
    return waves.imag if index else waves.real


def _evaluate_record_field(
    base: Array, *, offset: int, dtype: DType, shape: tuple[int, ...]
) -> Array:
    count = math.prod(shape)
    numbers = base[..., offset : offset + count * dtype.itemsize].view(dtype.numpy)
    return numbers.reshape(*base.shape[:-1], *shape)


DIM = OpDef(
    name="dim",
    doc="Size of an axis.",
    operands=("x",),
    attrs=("axis",),
    infer=_dim,
    evaluate=_evaluate_dim,
)
INDEX = OpDef(
    name="index",
    doc="The element at an int for every axis, negative ones counted from the end.",
    operands=("x", "*index"),
    infer=_index,
    evaluate=_evaluate_index,
    effects=_index_effects,
)
SET_INDEX = OpDef(
    name="set_index",
    doc="Write `value` to the element at an int for every axis.",
    operands=("x", "value", "*index"),
    infer=_set_index,
    evaluate=_evaluate_set_index,
    effects=_set_index_effects,
)
VIEW = OpDef(
    name="view",
    doc="The part of `x` that basic indexing selects, sharing its memory; `dims` holds the sizes "
    "of slices that are constant.",
    operands=("x", "*index"),
    attrs=("axes", "dims"),
    infer=_view,
    evaluate=_evaluate_view,
    effects=_view_effects,
)
ASSIGN = OpDef(
    name="assign",
    doc="Write `source`, broadcast, to every element of `target`, as if it were copied first.",
    operands=("target", "source"),
    infer=_assign,
    evaluate=_evaluate_assign,
    effects=_assign_effects,
)
EMPTY = OpDef(
    name="empty",
    doc="A new array with unspecified elements; `dims` holds the sizes that are constant.",
    operands=("*sizes",),
    attrs=("dtype", "dims"),
    infer=_empty,
    evaluate=_evaluate_empty,
    effects=_new_effects,
)
FULL = OpDef(
    name="full",
    doc="A new array filled with `value`; `dims` holds the sizes that are constant.",
    operands=("value", "*sizes"),
    attrs=("dims",),
    infer=_full,
    evaluate=_evaluate_full,
    effects=_new_effects,
)
ARANGE = OpDef(
    name="arange",
    doc="start, start + step, ... below stop.",
    operands=("start", "stop", "step"),
    infer=_arange,
    evaluate=_evaluate_arange,
    effects=_new_effects,
)
COPY = OpDef(
    name="copy",
    doc="A new array with the elements of `x`, contiguous in C order.",
    operands=("x",),
    infer=_copy,
    evaluate=_evaluate_copy,
    effects=_copy_effects,
)
TRANSPOSE = OpDef(
    name="transpose",
    doc="`x` with its axes in `order`, sharing its memory.",
    operands=("x",),
    attrs=("order",),
    infer=_transpose,
    evaluate=_evaluate_transpose,
    effects=_aliases,
)
PART = OpDef(
    name="part",
    doc="The real parts of a complex array, or with `index` 1 the imaginary ones, sharing its "
    "memory.",
    operands=("x",),
    attrs=("index",),
    infer=_part,
    evaluate=_evaluate_part,
    effects=_aliases,
)
RECORD_FIELD = OpDef(
    name="record_field",
    doc="A field of the records whose bytes the rows of `x` are, which is in C order, sharing its "
    "memory; `shape` holds the axes that each record has in it.",
    operands=("x",),
    attrs=("offset", "dtype", "shape"),
    infer=_record_field,
    evaluate=_evaluate_record_field,
    effects=_aliases,
)
MATMUL = OpDef(
    name="matmul",
    doc="Product of matrices and vectors; two vectors give a scalar. The attribute `called` names "
    "the function of NumPy's that says what is wrong with sizes: `dot`, `vdot`, else `matmul`.",
    operands=("lhs", "rhs"),
    attrs=("called",),
    infer=_matmul,
    evaluate=_evaluate_matmul,
    effects=_matmul_effects,
)

OPS = (
    DIM,
    INDEX,
    SET_INDEX,
    VIEW,
    ASSIGN,
    EMPTY,
    FULL,
    ARANGE,
    COPY,
    TRANSPOSE,
    PART,
    RECORD_FIELD,
    MATMUL,
)
