"""Which sizes the dim symbols of a callee stand for in one call."""

from collections.abc import Sequence

from scriptc_runtime.dims import Dim
from scriptc_runtime.types import (
    CellType,
    ListType,
    OptionalType,
    TensorType,
    TupleType,
    Type,
    assignable,
    substitute_dims,
)


class DimMismatchError(Exception):
    """Argument `index` does not fit the parameter's type, given the arguments before it."""

    def __init__(self, index: int, message: str) -> None:
        super().__init__(message)
        self.index = index


def bind_dims(params: Sequence[Type], arguments: Sequence[Type]) -> dict[str, Dim]:
    """Return the dim of every symbol of `params`.  Raises DimMismatchError.

    A symbol that stands on several axes must be proven one size there: code compiled for the
    callee relies on it.
    """
    bindings: dict[str, Dim] = {}
    for index, (param, argument) in enumerate(zip(params, arguments, strict=True)):
        _bind(param, argument, bindings, index, False)
    for index, (param, argument) in enumerate(zip(params, arguments, strict=True)):
        expected = substitute_dims(param, bindings)
        if not _fits(argument, expected, param):
            raise DimMismatchError(index, f"{argument} does not fit {param}")
    return bindings


def _bind(param: Type, argument: Type, bindings: dict[str, Dim], index: int, shared: bool) -> None:
    """Bind the symbols that stand alone on an axis; `shared`: several arrays have this type."""
    match param, argument:
        case TensorType(_, dims), TensorType(_, sizes) if len(dims) == len(sizes):
            for dim, size in zip(dims, sizes, strict=True):
                name = lone_symbol(dim)
                if name is None:
                    continue
                # One size may be unknown, a second one must be proven equal to it.
                first = name not in bindings and not shared
                bound = bindings.setdefault(name, size)
                if not first and not bound.same(size):
                    raise DimMismatchError(index, f"{name} is {bound} and {size}")
        case TupleType(items), TupleType(others) if len(items) == len(others):
            for item, other in zip(items, others, strict=True):
                _bind(item, other, bindings, index, shared)
        case OptionalType(item), OptionalType(other):
            _bind(item, other, bindings, index, shared)
        case (ListType(item), ListType(other)) | (CellType(item), CellType(other)):
            _bind(item, other, bindings, index, True)
        case _:
            pass


def lone_symbol(dim: Dim) -> str | None:
    """Return the name of the symbol that `dim` is, None where it is anything else."""
    if dim.known and dim.constant == 0 and len(dim.terms) == 1 and dim.terms[0][1] == 1:
        return dim.terms[0][0]
    return None


def _fits(argument: Type, expected: Type, param: Type) -> bool:
    """Whether `argument` fits; a `?` that a symbol was bound to is not a `?` of the parameter."""
    match argument, expected, param:
        case TensorType(dtype, sizes), TensorType(other, dims), TensorType(_, declared):
            same_rank = dtype is other and len(sizes) == len(dims)
            return same_rank and all(
                not d.known or lone_symbol(d) is not None or size.same(dim)
                for size, dim, d in zip(sizes, dims, declared, strict=True)
            )
        case TupleType(items), TupleType(others), TupleType(declared):
            return len(items) == len(others) and all(map(_fits, items, others, declared))
        case OptionalType(item), OptionalType(other), OptionalType(declared):
            return _fits(item, other, declared)
        case _:
            return assignable(argument, expected)
