"""Names for the sizes of arrays that no annotation names."""

from collections.abc import Iterable, Iterator

from scriptc_runtime.dims import UNKNOWN, Dim, symbol
from scriptc_runtime.record import replace
from scriptc_runtime.types import (
    DequeType,
    DictType,
    ListType,
    OptionalType,
    SetType,
    TensorType,
    TupleType,
    Type,
    parts_of,
)


def with_sizes(
    type_: Type, name: str, taken: frozenset[str] = frozenset(), *, keep: bool = False
) -> Type:
    """Return `type_` with a fresh symbol, made of `name`, for each axis of its arrays.

    With `keep`, sizes that are known stay.
    """
    fresh = _named(type_, name, keep)
    # A user may have called a size `x0`: equal names would mean equal sizes.
    old = size_names([type_]) if keep else frozenset[str]()
    if taken.isdisjoint(size_names([fresh]) - old):
        return fresh
    return with_sizes(type_, f"{name}_", taken, keep=keep)


def without_sizes(type_: Type) -> Type:
    """Return `type_` with all sizes unknown, as items of lists have them."""
    match type_:
        case TensorType(dtype, dims):
            return TensorType(dtype, (UNKNOWN,) * len(dims))
        case TupleType(items):
            return TupleType(tuple(map(without_sizes, items)))
        case OptionalType(item):
            return OptionalType(without_sizes(item))
        case ListType(item, frozen):
            return ListType(without_sizes(item), frozen)
        case DictType(key, value):
            return replace(type_, key=without_sizes(key), value=without_sizes(value))
        case DequeType(item):
            return DequeType(without_sizes(item))
        case SetType(item, frozen):
            return SetType(without_sizes(item), frozen)
        case _:
            return type_


def may_hold_arrays(type_: Type) -> bool:
    """Whether a value of this type can be an array, or hold one whose sizes are told."""
    return isinstance(type_, TensorType | TupleType | OptionalType)


def size_names(types: Iterable[Type]) -> frozenset[str]:
    """Return the symbols in the sizes of `types`."""
    return frozenset(name for type_ in types for name in _names(type_))


def named_alike(types: Iterable[Type]) -> tuple[Type, ...]:
    """Return types with symbols of our own for their sizes: one for all that are the same size.

    Numbers stay, and an unknown size is one of its own.
    """
    names: dict[Dim, Dim] = {}

    def renamed(dim: Dim, alone: bool) -> Dim:
        # The items of a list may each have a size of their own.
        if dim.is_constant or not (dim.known or alone):
            return dim
        new = symbol(f"size{len(names)}")
        return names.setdefault(dim if dim.known else new, new)

    def with_names(type_: Type, alone: bool) -> Type:
        match type_:
            case TensorType(dtype, dims):
                return TensorType(dtype, tuple(renamed(dim, alone) for dim in dims))
            case TupleType(items):
                return TupleType(tuple(with_names(item, alone) for item in items))
            case OptionalType(item):
                return OptionalType(with_names(item, alone))
            case ListType(item, frozen):
                return ListType(with_names(item, False), frozen)
            case DictType(key, value):
                return replace(type_, key=with_names(key, False), value=with_names(value, False))
            case DequeType(item):
                return DequeType(with_names(item, False))
            case _:
                return type_

    return tuple(with_names(type_, True) for type_ in types)


def _names(type_: Type) -> Iterator[str]:
    if isinstance(type_, TensorType):
        yield from (name for dim in type_.dims for name, _ in dim.terms)
    for part in parts_of(type_):
        yield from _names(part)


def _named(type_: Type, name: str, keep: bool) -> Type:
    match type_:
        case TensorType(dtype, dims):
            named = (
                dim if keep and dim.known else symbol(f"{name}{axis}")
                for axis, dim in enumerate(dims)
            )
            return TensorType(dtype, tuple(named))
        case TupleType(items):
            return TupleType(tuple(_named(t, f"{name}_{i}_", keep) for i, t in enumerate(items)))
        case OptionalType(item):
            return OptionalType(_named(item, name, keep))
        case _:
            return type_
