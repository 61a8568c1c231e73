"""Sizes in a call: axes that the callee calls by one name are of one size, proven or checked."""

from collections.abc import Sequence

from scriptc.check.checked import Apply, Check, Computation, Convert, Literal, Select
from scriptc.check.context import Context
from scriptc.check.sizes import size_names
from scriptc.syntax.nodes import Node
from scriptc_runtime.dims import Dim, symbol
from scriptc_runtime.ops import arrays, data, elementwise
from scriptc_runtime.record import record
from scriptc_runtime.types import (
    BOOL,
    INT,
    NONE,
    OptionalType,
    TensorType,
    TupleType,
    Type,
)


def fit_sizes(
    context: Context,
    node: Node,
    params: Sequence[Type],
    values: Sequence[Computation],
    names: Sequence[str],
) -> tuple[tuple[Type, ...], list[Computation]]:
    """Return parameter types whose sizes are proven here; the others are checked when run."""
    sizes = _Sizes(context, node, size_names(params))
    types = list(params)
    checked = list(values)
    # An array that may be missing tells no size while there is one that is always there.
    for index in sorted(range(len(params)), key=lambda i: isinstance(params[i], OptionalType)):
        sizes.start(names[index])
        types[index] = sizes.fit(params[index], values[index], None)
        for same, message in sizes.checks:
            value = checked[index]
            checked[index] = Check(same, "ValueError", message, value, value.type)
    return tuple(types), checked


@record
class _Bound:
    """The size that a name stands for, and whether the array that says so is there."""

    size: Dim
    actual: Computation
    present: Computation | None


class _Sizes:
    def __init__(self, context: Context, node: Node, taken: frozenset[str]) -> None:
        self._context = context
        self._node = node
        self._taken = taken
        self._bound: dict[str, _Bound] = {}
        self._name = ""
        self._count = 0
        self.checks: list[tuple[Computation, str]] = []

    def start(self, name: str) -> None:
        """Go on with the parameter `name`."""
        self._name = name
        self._count = 0
        self.checks = []

    def fit(self, param: Type, value: Computation, present: Computation | None) -> Type:
        """Return the type of a parameter for `value`, which is there where `present` holds."""
        match param, value.type:
            case TensorType(dtype), TensorType():
                return TensorType(dtype, self._dims(param, value, present))
            case TupleType(items), TupleType():
                return TupleType(
                    tuple(
                        self.fit(item, self._apply(data.ITEM, value, index=i), present)
                        for i, item in enumerate(items)
                    )
                )
            case OptionalType(item), OptionalType(other):
                if isinstance(value, Convert) and not isinstance(value.value.type, OptionalType):
                    if value.value.type is NONE:
                        return value.type
                    return OptionalType(self.fit(item, value.value, present))
                there = self._apply(data.HAS_VALUE, value)
                if present is not None:
                    there = Select(present, there, Literal(False, BOOL), BOOL)
                return OptionalType(self.fit(item, Convert(value, other), there))
            case _:
                return param

    def _apply(self, op, *operands, **attrs) -> Apply: ...

    def _dims(
        self, param: TensorType, value: Computation, present: Computation | None
    ) -> tuple[Dim, ...]:
        assert isinstance(value.type, TensorType)
        dims: list[Dim] = []
        for dim, size in zip(param.dims, value.type.dims, strict=True):
            axis = len(dims)
            here = _Bound(size, self._apply(arrays.DIM, value, axis=axis), present)
            wanted = self._wanted(dim, here)
            if wanted is None:
                dims.append(dim)
                continue
            if size.is_constant and wanted.size.is_constant and present is None:
                self._refuse(axis, dim, wanted.size, size)
            dims.append(self._fresh())
            message = f"axis {axis} of the argument {self._name!r} is not of size {dim}"
            self.checks.append((self._same(here, wanted), message))
        return tuple(dims)
