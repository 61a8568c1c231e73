"""How a library function is described: its parameters, and what a call of it computes."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from scriptc.check.bindings import Static, Typed
from scriptc.check.checked import After, Apply, Computation, Literal, Operand
from scriptc.check.constants import known_ints
from scriptc.check.context import Context, operand
from scriptc.check.conversion import converted
from scriptc.check.indices import whole_number
from scriptc.check.library.call_site import CallSite, Display
from scriptc.check.named_types import plain
from scriptc.check.numpy import dtype_objects, sequences
from scriptc.check.operators import INDEX_TYPES
from scriptc.check.whole_types import without_bigints
from scriptc.syntax import nodes as n
from scriptc.values.outside_places import is_outside
from scriptc_runtime.ops import arrays, data, elementwise
from scriptc_runtime.ops.opdef import Attr, OpDef
from scriptc_runtime.record import field, record, replace
from scriptc_runtime.types import (
    DEFAULT_DTYPE,
    FLOAT,
    INT,
    NONE,
    STR,
    DType,
    Element,
    ListType,
    PyType,
    TensorType,
    TupleType,
    Type,
    element_of,
    is_complex,
    is_number,
)


@record
class Library:
    """A function or method that scriptc knows; the first `required` names have no default."""

    name: str
    names: tuple[str, ...]
    required: int
    check: "Callable[[LibraryCall], Typed]"
    variadic: bool = False
    # What else a variadic function takes, by keyword.
    options: tuple[str, ...] = ()
    keywords: bool = False  # whether a variadic one takes arguments of any name
    # Whether a list written in place is no list but says what an array, or a shape, is made of.
    displays: bool = False
    # Whether a generator expression is taken at once, as the list of its items.
    consumes: bool = False
    # Whether `check` tells an empty list among the arguments what it holds.
    tells_items: bool = False


def _with_known(
    items: Sequence[Computation], value: Typed
) -> list[tuple[Computation, int | None]] | None:
    """Return items, each with the int that it is known to be; None where none is known."""
    constants = value.known.value if value.known else None
    if not isinstance(constants, tuple) or len(constants) != len(items):
        return None
    pairs = zip(items, constants, strict=True)
    return [(item, c if type(c) is int else None) for item, c in pairs]


def _display(node: n.Expression) -> Display | n.Expression:
    if isinstance(node, n.List | n.Tuple):
        return Display(tuple(map(_display, node.elts)))
    return node


def standard_stream(context: Context, node: n.Expression) -> Static | None:
    """Return what stands for `sys.stdout` or `sys.stderr`, whatever file that is just now."""
    if not isinstance(node, n.Attribute) or node.attr not in ("stdout", "stderr"):
        return None
    module = context.expression(node.value)
    return module if isinstance(module, Static) and module.value is sys else None


class _Given(dict[str, Typed | Static]):
    """The arguments of a call; it knows which of them nobody has looked at."""

    def __init__(self) -> None:
        super().__init__()
        self.unread: set[str] = set()

    def __setitem__(self, name: str, value: Typed | Static) -> None:
        super().__setitem__(name, value)
        self.unread.add(name)

    def __getitem__(self, name: str) -> Typed | Static:
        self.unread.discard(name)
        return super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        self.unread.discard(str(name))
        return super().__contains__(name)

    def __iter__(self) -> Iterator[str]:
        self.unread.clear()
        return super().__iter__()


# Of an array that stands for a shape, or for other numbers one by one.
_MOST_ITEMS = 32


@record(frozen=False)
class LibraryCall(CallSite):
    """One call of a library function, its arguments evaluated in source order."""

    context: Context
    node: n.Call
    name: str
    parts: list[n.Expression] = field(default_factory=list[n.Expression])
    values: _Given = field(default_factory=_Given)
    nodes: dict[str, n.Expression] = field(default_factory=dict[str, n.Expression])
    displays: dict[str, Display] = field(default_factory=dict[str, Display])
    default_axis: int | None = None  # where `axis` is not given
    is_plain: bool = False  # whether the class of a named tuple or a member does not matter
    is_narrow: bool = False
    rank: int | None = None  # of the array whose axes `axis` counts, where that has been read

    def add(self, name: str, node: n.Expression, value: Typed) -> None:
        """Give a parameter a value that has been checked already."""
        self.values[name], self.nodes[name] = value, node
        self._add_parts(node)

    def _add_parts(self, node: n.Expression) -> None:
        # The items of a tuple written in place are parts themselves: no tuple is built.
        self.parts += node.elts if isinstance(node, n.Tuple) else [node]

    def evaluate(
        self,
        name: str,
        node: n.Expression,
        expected: Type | None = None,
        *,
        tells_items: bool = False,
    ) -> None:
        """Check the expression that is given for a parameter."""
        self.nodes[name] = node
        stream = standard_stream(self.context, node) if name == "file" else None
        if name == "dtype" and isinstance(node, n.List):
            value = dtype_objects.of_fields(self.context, node)
        else:
            value = stream or self.context.expression(node, expected)
        if isinstance(value, Static) and not value.receiver and is_outside(value.value):
            value = self.context.as_typed(node, value)
        self.values[name] = value
        if isinstance(value, Typed):
            if not tells_items:
                if self.name.startswith("np."):
                    self.context.suggest_items(value, ListType(FLOAT))  # as NumPy takes []
                self.context.require_items(node, value)
            self._add_parts(node)

    def evaluate_display(self, name: str, node: n.Expression) -> None:
        """Check the items of a list or tuple written in place for a parameter."""
        if name == "dtype" and isinstance(node, n.List):
            self.evaluate(name, node)
            return
        display = _display(node)
        assert isinstance(display, Display)
        self.nodes[name], self.displays[name] = node, display
        values: list[Typed] = []
        for leaf in display.leaves():
            value = self.context.typed(leaf)
            self.context.require_items(leaf, value)
            values.append(value)
            self.parts.append(leaf)
        type_ = TupleType(tuple(value.type for value in values))
        self.values[name] = Typed(type_, self.context.span(node), known=known_ints(values))

    def narrow(self) -> bool:
        """Take ints of any size as those of 64 bits from now on; whether there are any."""
        if self.is_narrow:
            return False
        self.is_narrow = True
        before = dict(self.values.items())
        for name, value in before.items():
            if isinstance(value, Typed) and without_bigints(value.type) != value.type:
                self.values[name] = replace(value, type=without_bigints(value.type))
        return self.values != before

    def argument(self, name: str) -> n.Node | None:
        """Return what the call gives for a parameter, None where it gives nothing."""
        return self.nodes.get(name)

    def given_types(self) -> Mapping[str, Type]:
        """Return the types of the arguments by the names of the parameters."""
        given = self.values.items()
        return {name: value.type for name, value in given if isinstance(value, Typed)}

    def typed(self, name: str) -> Typed:
        """Return what is known of an argument that must be a value."""
        node, value = self.nodes[name], self.values[name]
        typed = self.context.as_typed(node, value)
        if typed is not value:
            self.add(name, node, typed)  # a function, as an object
            self.values.unread.discard(name)
        # A member of an IntEnum is an int to all but those that ask for its class or its text.
        return plain(typed) if self.is_plain else typed

    def operand(self, name: str) -> Computation:
        """Return an argument as a computation."""
        value, node = self.typed(name), self.nodes[name]
        if name in self.displays or isinstance(node, n.Tuple):
            items = [item for item, _ in self.items(name)]
            return self.context.apply(self.node, data.TUPLE, *items)
        return operand(node, value)

    def scalar(self, name: str) -> Computation:
        """Return an argument of which an array without axes is the number that it holds."""
        value = self.operand(name)
        if isinstance(value.type, TensorType) and not value.type.dims:
            return self.context.apply(self.node, arrays.INDEX, value)
        return value

    def items(self, name: str) -> list[tuple[Computation, int | None]]:
        """Return the items of a tuple or list, or the one value, each with its constant if known.

        How many items a list has is known of few.
        """
        value, node = self.typed(name), self.nodes[name]
        written = self.displays[name].items if name in self.displays else None
        if written is None and isinstance(node, n.Tuple):
            written = node.elts
        if written is not None:
            found = [self._item(name, item) for item in written]
            return _with_known([item for item, _ in found], value) or found
        if isinstance(value.type, TupleType):
            whole = operand(node, value)
            items = [
                self.context.apply(self.node, data.ITEM, whole, index=i)
                for i in range(len(value.type.items))
            ]
            return _with_known(items, value) or [(item, None) for item in items]
        listed = self.items_of_list(name)
        if listed is not None:
            return [(item, None) for item in listed]
        return [(operand(node, value), self._known_int(value))]

    def list_of(self, name: str, item: Element) -> Computation:
        """Return a list of the items of a tuple, each of which is, or becomes, such an item."""
        whole = (converted(value, item) for value, _ in self.items(name))
        return self.context.apply(self.node, data.LIST, *whole, item=item)

    def items_of_list(self, name: str) -> list[Computation] | None:
        """Return the items of a list or an array of which it is known how many there are.

        None of all else.
        """
        value, node = self.typed(name), self.nodes[name]
        if isinstance(value.type, TensorType) and len(value.type.dims) == 1:
            (size,) = value.type.dims
            if not size.is_constant or size.constant > _MOST_ITEMS:
                return None
            array = operand(node, value)
            apply, at = self.context.apply, self.node
            return [apply(at, arrays.INDEX, array, Literal(i, INT)) for i in range(size.constant)]
        if not isinstance(value.type, ListType) or value.length is None:
            return None
        places = (Literal(place, INT) for place in range(value.length))
        whole = operand(node, value)
        return [self.context.apply(self.node, data.LIST_GET, whole, place) for place in places]

    def known_int(self, name: str) -> int | None:
        """Return the int that an argument is known to be, None where it is not known."""
        return self._known_int(self.typed(name))

    def _item(self, name: str, node: Display | n.Expression) -> tuple[Computation, int | None]:
        if isinstance(node, Display):
            self.refuse(f"{name} holds lists or tuples, not numbers", self.nodes[name])
        return self.leaf(node), self._constant(node)

    def rows(self, name: str) -> "Sequence[Display | n.Expression | Computation]":
        """Return the items of an argument that may be nested: `leaves` gives those of each."""
        if name in self.displays:
            return self.displays[name].items
        return [item for item, _ in self.items(name)]

    def leaves(self, row: "Display | n.Expression | Computation") -> list[Computation]:
        """Return the numbers of a row of a nested argument, or the one number."""
        if isinstance(row, Display):
            return [part for leaf in row.leaves() for part in self.leaves(leaf)]
        whole = self.leaf(row) if isinstance(row, n.Expression) else row
        if not isinstance(whole.type, TupleType):
            return [whole]
        items = range(len(whole.type.items))  # of `(k,) * 2`, or of a variable
        apply = self.context.apply
        parts = (apply(self.node, data.ITEM, whole, index=i) for i in items)
        return [number for part in parts for number in self.leaves(part)]

    def is_row(self, row: "Display | n.Expression | Computation") -> bool:
        """Whether an item of a nested argument is nested itself."""
        if isinstance(row, n.Expression):
            row = self.leaf(row)
        return isinstance(row, Display) or isinstance(row.type, TupleType)

    def known_value(self, item: Computation) -> object:
        """Return the constant that an item of a display is, None where it is none."""
        literal = self.context.facts.constants.get(item.node) if isinstance(item, Operand) else None
        return literal.value if literal else None

    def _constant(self, node: n.Expression) -> int | None:
        literal = self.context.facts.constants.get(node)
        value = literal.value if literal else None
        return value if type(value) is int else None

    def _known_int(self, value: Typed) -> int | None:
        known = value.known.value if value.known else None
        return known if type(known) is int else None

    def apply(self, op: OpDef, *operands: Computation, **attrs: Attr) -> Typed:
        """Record that the call is this op."""
        return self.result(self.context.apply(self.node, op, *operands, **attrs))

    def refuse_ignored(self) -> None:
        """Refuse an argument that the check has not looked at: its result would be another."""
        for name in self.values.unread - set(self.displays):
            self.refuse(f"{name} is not built", self.nodes[name], "leave it out")

    def result(self, computation: Computation) -> Typed:
        """Record what the call computes."""
        return self.context.record(self.node, self.parts, computation)

    def array(self, name: str) -> Computation:
        """Return an argument that must be an array."""
        if name in self.displays:
            return sequences.array_of(self, self.displays[name], self.nodes[name])
        value = sequences.array_of_sequence(self, self.operand(name), self.nodes[name])
        if not (isinstance(value.type, TensorType) or is_number(value.type)):
            self.refuse(f"{name} must be an array, not {value.type}", self.nodes[name])
        return self.as_array(value)

    def as_array(self, value: Computation) -> Computation:
        """Return an array, or a number as one without axes."""
        if isinstance(value.type, TensorType):
            return value
        return self.context.apply(self.node, arrays.FULL, as_numpy(value), dims=())

    def numeric(self, name: str) -> Computation:
        """Return an argument that must be a number or an array."""
        if name in self.displays or isinstance(self.typed(name).type, ListType | TupleType):
            return self.array(name)
        value = self.operand(name)
        if element_of(value.type) is None:
            self.refuse(f"{name} must be a number or an array, not {value.type}", self.nodes[name])
        return value

    def one_by_one(self, name: str) -> Type:
        """Return the type of the items of an argument that a loop could run over."""
        match self.typed(name).type:
            case ListType(item):
                return item
            case TensorType(dtype, dims) if len(dims) == 1:
                return dtype
            case PyType.STR:
                return STR
            case type_:
                self.refuse(
                    f"items of {type_} are not taken one by one here",
                    self.nodes[name],
                    "an array with one axis, a list of numbers, or a loop",
                )

    def axis(self, rank: int, *, of_number: bool = False) -> int | tuple[int, ...] | None:
        """Return the constant `axis`, counted from the front.

        With `of_number` a number may be folded along an axis 0 or -1, as NumPy's ufuncs do it.
        """
        if "axis" not in self.values:
            return self.default_axis
        if self.typed("axis").type is NONE:
            return None
        items = self.items("axis")
        axes: list[int] = []
        single = not isinstance(self.typed("axis").type, TupleType)
        if of_number and rank == 0 and single and items[0][1] in (0, -1):
            self.drop("axis")
            return None
        for _, known in items:
            if known is None:
                self.refuse(
                    "axis must be a constant",
                    self.nodes["axis"],
                    "write the number, or loop over numbers, for axis in (0, 1): the number of "
                    "axes of the result depends on it",
                )
            if not -rank <= known < rank:
                self.context.fail(
                    "dims",
                    f"axis {known} does not exist in an array with {rank} axes",
                    self.nodes["axis"],
                    instead=f"use 0 to {rank - 1}" if rank else "an array without axes has none",
                )
            axes.append(known % rank)
        self.drop("axis")
        return axes[0] if single else tuple(axes)

    def flag(self, name: str, default: bool = False) -> bool:
        """Return a constant bool argument."""
        if name not in self.values:
            return default
        known = self.typed(name).known
        if known is None or not isinstance(known.value, int):
            self.refuse(f"{name} must be True or False", self.nodes[name])
        self.drop(name)
        return bool(known.value)

    def word(self, name: str, *words: str) -> str:
        """Return a constant argument, one of these words; the first where it is not given."""
        if name not in self.values:
            return words[0]
        known = self.typed(name).known
        if known is None or known.value not in words:
            self.refuse(f"{name} must be {' or '.join(map(repr, words))}", self.nodes[name])
        self.drop(name)
        return str(known.value)

    def constant_int(self, name: str, default: int) -> int:
        """Return a constant int argument."""
        if name not in self.values:
            return default
        known = self.typed(name).known
        if known is None or type(known.value) is not int:
            self.refuse(f"{name} must be a constant int", self.nodes[name])
        self.drop(name)
        return known.value

    def is_given(self, name: str) -> bool:
        """Whether an argument is given and is not None."""
        if name not in self.values:
            return False
        value = self.values[name]
        if isinstance(value, Typed) and value.type is NONE:
            self.drop(name)
            return False
        return True

    def into_out(self, result: Typed, *, masked: bool = False) -> Typed:
        """Write what the call computes into the argument `out`, where it is given.

        If `masked`, the argument `where` says to which of its elements.
        """
        if not self.is_given("out"):
            if masked and self.is_given("where"):
                self.refuse(
                    "what `where` leaves out is not written at all",
                    self.nodes["where"],
                    "give `out`, with something in it",
                )
            return result
        out, at = self.array("out"), self.nodes["out"]
        assert isinstance(out.type, TensorType)
        element = element_of(result.type)
        if not isinstance(element, DType):
            self.refuse(f"{result.type} cannot be written to an array", at)
        if not np.can_cast(element.numpy, out.type.dtype.numpy, "same_kind"):
            self.refuse(f"{result.type} does not fit into {out.type}", at, "make `out` with it")
        value = converted(self.context.facts.steps[self.node].result, out.type.dtype)
        if masked:
            value = self._where_true(value, out)
        self.context.check_op(self.node, arrays.ASSIGN, out, value)
        effect = Apply(arrays.ASSIGN, (out, value), {}, NONE)
        return self.result(After((effect,), out, out.type))

    def _where_true(self, value: Computation, out: Computation) -> Computation:
        """Return `value` where the argument `where` is true, and what `out` holds elsewhere."""
        if not self.is_given("where"):
            return value
        mask = as_numpy(self.numeric("where"))
        if element_of(mask.type) is not DType.B1:
            self.refuse(f"where must hold truth values, not {mask.type}", self.nodes["where"])
        return self.context.apply(self.node, elementwise.WHERE, self.as_array(mask), value, out)

    def drop(self, name: str) -> None:
        """Leave out an argument whose value is not needed when the program runs."""
        node = self.nodes[name]
        if name in self.displays:
            unused = set(self.displays[name].leaves())
        else:
            unused = set(node.elts) if isinstance(node, n.Tuple) else {node}
        self.parts = [part for part in self.parts if part not in unused]

    def dtype(self, name: str, default: DType) -> DType:
        """Return the dtype an argument names."""
        if name not in self.values:
            return default
        value = self.values[name]
        if isinstance(value, Typed):
            if value.type is NONE:
                self.drop(name)
                return default
            if value.type is STR and value.known:
                self.drop(name)
                return self.known_dtype(value.known.value, self.nodes[name])
            instead = "np.float64"
            if value.type in INDEX_TYPES:  # np.zeros(n, m), np.sum(x, 0, 1)
                instead = f"{name}=np.float64; several sizes, or axes, stand in a tuple: (2, 3)"
            self.refuse(f"{name} must be a constant dtype", self.nodes[name], instead)
        return self.known_dtype(value.value, self.nodes[name])

    def known_dtype(self, value: object, at: n.Node) -> DType:
        """Return the dtype that a live object stands for."""
        found = dtype_objects.dtype_named(value)
        if found is not None:
            return found
        self.context.fail(
            "dtype",
            f"{getattr(value, '__name__', value)} is no dtype of the language",
            at,
            instead=f"use one of {', '.join(f'np.{d.numpy.type.__name__}' for d in DType)}",
        )


def refuse_complex(call: LibraryCall) -> None:
    """Refuse complex arguments."""
    for name, value in call.values.items():
        if isinstance(value, Typed) and is_complex(element_of(value.type)):
            message = f"{value.type} is not built here"
            call.refuse(message, call.nodes[name], "write it with x.real and x.imag")


def as_numpy(value: Computation) -> Computation:
    """Return a number as NumPy takes it where nothing else decides its dtype."""
    element = element_of(value.type)
    if isinstance(element, PyType):
        return converted(value, DEFAULT_DTYPE[element])
    return value


def into_out(check: "Callable[[LibraryCall], Typed]") -> "Callable[[LibraryCall], Typed]":
    """Return the check of a function that can write its result to the argument `out`."""
    return lambda call: call.into_out(check(call))


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
        instead = whole_number(at) if isinstance(at, n.Expression) else "convert it: int(x)"
        if isinstance(value.type, TupleType):
            instead = "give the sizes one by one, each as an int"
        call.refuse(f"a size must be int, not {value.type}", at, instead)
    return converted(value, INT)
