"""Names for the sizes of arrays that no annotation names."""

from collections.abc import Iterable, Iterator

from scriptc_runtime.dims import symbol
from scriptc_runtime.types import OptionalType, TensorType, TupleType, Type, parts_of


def with_sizes(type_: Type, name: str, taken: frozenset[str] = frozenset()) -> Type:
    """Return `type_` with a fresh symbol, made of `name`, for each axis of its arrays."""
    fresh = _named(type_, name)
    # A user may have called a size `x0`: equal names would mean equal sizes.
    if taken.isdisjoint(size_names([fresh])):
        return fresh
    return with_sizes(type_, f"{name}_", taken)


def size_names(types: Iterable[Type]) -> frozenset[str]:
    """Return the symbols in the sizes of `types`."""
    return frozenset(name for type_ in types for name in _names(type_))


def _names(type_: Type) -> Iterator[str]:
    if isinstance(type_, TensorType):
        yield from (name for dim in type_.dims for name, _ in dim.terms)
    for part in parts_of(type_):
        yield from _names(part)


def _named(type_: Type, name: str) -> Type:
    match type_:
        case TensorType(dtype, dims):
            return TensorType(dtype, tuple(symbol(f"{name}{axis}") for axis in range(len(dims))))
        case TupleType(items):
            return TupleType(tuple(_named(t, f"{name}_{i}_") for i, t in enumerate(items)))
        case OptionalType(item):
            return OptionalType(_named(item, name))
        case _:
            return type_
