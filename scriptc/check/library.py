"""How a library function is described: its parameters, and what a call of it computes."""

from collections.abc import Callable, Mapping, Sequence
from typing import NoReturn, cast

import numpy as np

from scriptc.check.bindings import Static, Typed
from scriptc.check.checked import Computation, Operand
from scriptc.check.context import Context, operand
from scriptc.check.operators import INDEX_TYPES, converted
from scriptc.check.values import BUILT
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import data
from scriptc_runtime.ops.opdef import Attr, OpDef
from scriptc_runtime.record import field, record
from scriptc_runtime.types import (
    DEFAULT_DTYPE,
    FROM_NUMPY,
    INT,
    NONE,
    STR,
    DType,
    PyType,
    TensorType,
    TupleType,
    Type,
    element_of,
)


@record
class Library:
    """A function or method that scriptc knows; the first `required` names have no default."""

    name: str
    names: tuple[str, ...]
    required: int
    check: "Callable[[LibraryCall], Typed]"
    variadic: bool = False


@record(frozen=False)
class LibraryCall:
    """One call of a library function, its arguments evaluated in source order."""

    context: Context
    node: n.Call
    name: str
    parts: list[n.Expression] = field(default_factory=list[n.Expression])
    values: dict[str, Typed | Static] = field(default_factory=dict[str, Typed | Static])
    nodes: dict[str, n.Expression] = field(default_factory=dict[str, n.Expression])

    def add(self, name: str, node: n.Expression, value: Typed) -> None:
        """Give a parameter a value that has been checked already."""
        self.values[name], self.nodes[name] = value, node
        self.parts.append(node)

    def evaluate(self, name: str, node: n.Expression) -> None:
        """Check the expression that is given for a parameter."""
        self.nodes[name] = node
        value = self.context.expression(node)
        self.values[name] = value
        if isinstance(value, Typed):
            self.context.require_items(node, value)
            # The items of a tuple written in place are parts themselves: no tuple is built.
            self.parts += node.elts if isinstance(node, n.Tuple) else [node]

    def typed(self, name: str) -> Typed:
        """Return what is known of an argument that must be a value."""
        value = self.values[name]
        if isinstance(value, Typed):
            return value
        self.refuse(f"{name} must be a value", self.nodes[name])

    def operand(self, name: str) -> Computation:
        """Return an argument as a computation."""
        value, node = self.typed(name), self.nodes[name]
        if isinstance(node, n.Tuple):
            items = [Operand(e, self.context.facts.types[e]) for e in node.elts]
            return self.context.apply(self.node, data.TUPLE, *items)
        return operand(node, value)

    def items(self, name: str) -> list[tuple[Computation, int | None]]:
        """Return the items of a tuple, or the one value, each with its constant if known."""
        value, node = self.typed(name), self.nodes[name]
        if isinstance(node, n.Tuple):
            return [(Operand(e, self.context.facts.types[e]), self._constant(e)) for e in node.elts]
        if isinstance(value.type, TupleType):
            whole = operand(node, value)
            items = [
                self.context.apply(self.node, data.ITEM, whole, index=i)
                for i in range(len(value.type.items))
            ]
            constants = value.known.value if value.known else None
            if not isinstance(constants, tuple):
                return [(item, None) for item in items]
            pairs = zip(items, constants, strict=True)
            return [(item, c if type(c) is int else None) for item, c in pairs]
        return [(operand(node, value), self._known_int(value))]

    def known_int(self, name: str) -> int | None:
        """Return the int that an argument is known to be, None where it is not known."""
        return self._known_int(self.typed(name))

    def _constant(self, node: n.Expression) -> int | None:
        literal = self.context.facts.constants.get(node)
        value = literal.value if literal else None
        return value if type(value) is int else None

    def _known_int(self, value: Typed) -> int | None:
        known = value.known.value if value.known else None
        return known if type(known) is int else None

    def apply(self, op: OpDef, *operands: Computation, code: str = "type", **attrs: Attr) -> Typed:
        """Record that the call is this op."""
        return self.result(self.context.apply(self.node, op, *operands, code=code, **attrs))

    def result(self, computation: Computation) -> Typed:
        """Record what the call computes."""
        return self.context.record(self.node, self.parts, computation)

    def refuse(self, message: str, at: n.Node | None = None, instead: str = "") -> NoReturn:
        """Refuse the call."""
        self.context.fail("argument", f"{self.name}: {message}", at or self.node, instead=instead)

    def array(self, name: str) -> Computation:
        """Return an argument that must be an array."""
        value = self.operand(name)
        if not isinstance(value.type, TensorType):
            self.refuse(
                f"{name} must be an array, not {value.type}",
                self.nodes[name],
                "for numbers use Python's operators and builtins",
            )
        return value

    def numeric(self, name: str) -> Computation:
        """Return an argument that must be a number or an array."""
        value = self.operand(name)
        if element_of(value.type) is None:
            self.refuse(f"{name} must be a number or an array, not {value.type}", self.nodes[name])
        return value

    def axis(self, rank: int) -> int | tuple[int, ...] | None:
        """Return the constant `axis`, counted from the front."""
        if "axis" not in self.values or self.typed("axis").type is NONE:
            return None
        items = self.items("axis")
        axes: list[int] = []
        for _, known in items:
            if known is None:
                self.refuse(
                    "axis must be a constant",
                    self.nodes["axis"],
                    "write the number: the number of axes of the result depends on it",
                )
            if not -rank <= known < rank:
                self.context.fail(
                    "dims",
                    f"axis {known} does not exist in an array with {rank} axes",
                    self.nodes["axis"],
                    instead=f"use 0 to {rank - 1}" if rank else "an array without axes has none",
                )
            axes.append(known % rank)
        self._drop("axis")
        single = not isinstance(self.typed("axis").type, TupleType)
        return axes[0] if single else tuple(axes)

    def flag(self, name: str) -> bool:
        """Return a constant bool argument, False where it is not given."""
        if name not in self.values:
            return False
        known = self.typed(name).known
        if known is None or not isinstance(known.value, bool):
            self.refuse(f"{name} must be True or False", self.nodes[name])
        self._drop(name)
        return known.value

    def constant_int(self, name: str, default: int) -> int:
        """Return a constant int argument."""
        if name not in self.values:
            return default
        known = self.typed(name).known
        if known is None or type(known.value) is not int:
            self.refuse(f"{name} must be a constant int", self.nodes[name])
        self._drop(name)
        return known.value

    def _drop(self, name: str) -> None:
        node = self.nodes[name]
        unused = set(node.elts) if isinstance(node, n.Tuple) else {node}
        self.parts = [part for part in self.parts if part not in unused]

    def dtype(self, name: str, default: DType) -> DType:
        """Return the dtype an argument names."""
        if name not in self.values:
            return default
        value = self.values[name]
        if isinstance(value, Typed):
            if value.type is NONE:
                self._drop(name)
                return default
            if value.type is STR and value.known:
                self._drop(name)
                return self.known_dtype(value.known.value, self.nodes[name])
            self.refuse(f"{name} must be a constant dtype", self.nodes[name], "np.float64")
        return self.known_dtype(value.value, self.nodes[name])

    def known_dtype(self, value: object, at: n.Node) -> DType:
        """Return the dtype that a live object stands for."""
        found = dtype_named(value)
        if found in BUILT:
            return found
        self.context.fail(
            "dtype",
            f"{getattr(value, '__name__', value)} is no dtype that is built",
            at,
            instead=f"use one of {', '.join(f'np.{d.numpy.type.__name__}' for d in BUILT)}",
        )


def dtype_named(value: object) -> DType | None:
    """Return the dtype that a live object or a text stands for, as NumPy reads them."""
    if isinstance(value, np.dtype):
        return FROM_NUMPY.get(cast("np.dtype[np.generic]", value))
    if isinstance(value, type) and value in _DTYPE_OF:
        return FROM_NUMPY.get(_DTYPE_OF[value])
    if isinstance(value, str):
        try:
            return FROM_NUMPY.get(np.dtype(value))
        except TypeError:
            return None
    return None


# Abstract classes of NumPy's, such as np.integer, are no dtypes.
_DTYPE_OF: Mapping[type, np.dtype[np.generic]] = {
    **{np.dtype(code).type: np.dtype(code) for code in "?" + np.typecodes["AllInteger"]},
    **{np.dtype(code).type: np.dtype(code) for code in np.typecodes["AllFloat"]},
    **{kind: np.dtype(kind) for kind in (float, int, bool, complex)},
}


def as_numpy(value: Computation) -> Computation:
    """Return a number as NumPy takes it where nothing else decides its dtype."""
    element = element_of(value.type)
    if isinstance(element, PyType):
        return converted(value, DEFAULT_DTYPE[element])
    return value


def common(
    values: Sequence[Computation], dtype_of: Callable[[Type, Type], DType]
) -> list[Computation]:
    """Return values converted to the dtype in which NumPy combines them."""
    elements = [element_of(v.type) for v in values]
    if all(isinstance(e, PyType) for e in elements):
        values = [as_numpy(v) for v in values]
    type_ = next(v.type for v in values if isinstance(element_of(v.type), DType))
    dtype = element_of(type_)
    for value in values:
        assert isinstance(dtype, DType)
        dtype = dtype_of(dtype, value.type)
    assert isinstance(dtype, DType)
    return [converted(v, dtype) for v in values]


def int_size(call: LibraryCall, value: Computation, at: n.Node) -> Computation:
    """Return one size of a shape as an int."""
    if value.type not in INDEX_TYPES:
        call.refuse(f"a size must be int, not {value.type}", at)
    return converted(value, INT)
