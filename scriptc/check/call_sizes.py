"""Sizes in a call: axes that the callee calls by one name are of one size, proven or checked."""

from collections.abc import Sequence
from typing import NoReturn

from scriptc.check.checked import Check, Computation, Convert, Literal, Select
from scriptc.check.context import Context
from scriptc.check.size_names import size_names, with_sizes
from scriptc.syntax.nodes import Node
from scriptc_runtime.dims import Dim, symbol
from scriptc_runtime.ops import arrays, data, elementwise
from scriptc_runtime.ops.opdef import Attr, OpDef
from scriptc_runtime.record import record
from scriptc_runtime.types import BOOL, INT, NONE, OptionalType, TensorType, TupleType, Type


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
class _Axis:
    """The size of an axis of an argument, and whether the array that has it is there."""

    size: Dim
    actual: Computation
    present: Computation | None


class _Sizes:
    def __init__(self, context: Context, node: Node, taken: frozenset[str]) -> None:
        self._context = context
        self._node = node
        self._taken = taken
        # What each name stands for: the first axis that it names.
        self._named: dict[str, _Axis] = {}
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
            case TensorType(), TensorType():
                return self._fit_array(param, value, present)
            case TupleType(items), TupleType():
                parts = [self._apply(data.ITEM, value, index=i) for i in range(len(items))]
                fitted = (self.fit(i, p, present) for i, p in zip(items, parts, strict=True))
                return TupleType(tuple(fitted))
            case OptionalType(), OptionalType():
                return self._fit_optional(param, value, present)
            case _:
                return param

    def _fit_optional(
        self, param: OptionalType, value: Computation, present: Computation | None
    ) -> Type:
        assert isinstance(value.type, OptionalType)
        wrapped = value.value if isinstance(value, Convert) else value
        if wrapped.type is NONE:
            return with_sizes(param, self._name, self._taken)
        if not isinstance(wrapped.type, OptionalType):
            return OptionalType(self.fit(param.item, wrapped, present))
        there: Computation = self._apply(data.HAS_VALUE, value)
        if present is not None:
            there = Select(present, there, Literal(False, BOOL), BOOL)
        return OptionalType(self.fit(param.item, Convert(value, value.type.item), there))

    def _fit_array(
        self, param: TensorType, value: Computation, present: Computation | None
    ) -> TensorType:
        assert isinstance(value.type, TensorType)
        dims: list[Dim] = []
        for axis, (dim, size) in enumerate(zip(param.dims, value.type.dims, strict=True)):
            fresh = f"{self._name}{self._count}"
            self._count += 1
            here = _Axis(size, self._apply(arrays.DIM, value, axis=axis), present)
            wanted = self._wanted(dim, here)
            if wanted is None:
                dims.append(dim)
                continue
            if size.is_constant and wanted.size.is_constant and present is None:
                self._refuse(axis, dim, wanted.size, size)
            dims.append(symbol(f"{fresh}_" if fresh in self._taken else fresh))
            message = f"axis {axis} of the argument {self._name!r} is not of size {dim}"
            self.checks.append((self._same(here, wanted), message))
        return TensorType(param.dtype, tuple(dims))

    def _wanted(self, dim: Dim, here: _Axis) -> _Axis | None:
        """Return the axis whose size `here` must have and is not proven to have."""
        if not dim.known:
            return None
        if dim.is_constant:
            return None if here.size.same(dim) else _Axis(dim, Literal(dim.constant, INT), None)
        first = self._named.setdefault(dim.terms[0][0], here)
        return None if first is here or first.size.same(here.size) else first

    def _same(self, here: _Axis, wanted: _Axis) -> Computation:
        result: Computation = self._apply(elementwise.EQ, here.actual, wanted.actual)
        for axis in (wanted, here):
            if axis.present is not None:
                result = Select(axis.present, result, Literal(True, BOOL), BOOL)
        return result

    def _apply(self, op: OpDef, *operands: Computation, **attrs: Attr) -> Computation:
        return self._context.apply(self._node, op, *operands, **attrs)

    def _refuse(self, axis: int, dim: Dim, wanted: Dim, size: Dim) -> NoReturn:
        self._context.fail(
            "dims",
            f"axis {axis} of the parameter {self._name!r} is declared {dim}, which is {wanted} "
            f"in this call, not {size}",
            self._node,
            instead="pass arrays whose sizes fit the annotations",
        )
