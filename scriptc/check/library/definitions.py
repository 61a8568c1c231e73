"""Library functions that are a `def` in `stdlib/`: the `def` is their record.

    def isclose(a: float, b: float, *, rel_tol: float = 1e-09, abs_tol: float = 0.0) -> bool:

Names, kinds, defaults and how arguments are read stand there, and the text is read when a program
calls the function. Arguments are bound as Python binds them. An annotation names a reader of
`readers.py`; a parameter without one takes whatever it is given. Where a reader gives a constant,
such as an axis, the body is checked for that constant: arms that it decides against drop out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from types import FunctionType
from typing import cast

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Constant
from scriptc.check.context import Context
from scriptc.check.desugar import comprehensions, computed_stars, stars
from scriptc.check.library import readers as library_readers
from scriptc.check.library.binding import bind
from scriptc.check.library.call import Library, LibraryCall, refuse_complex
from scriptc.check.library.standard import annotations_of, standard_definition, standard_function
from scriptc.check.parameters import signature_of
from scriptc.check.signatures import Signature
from scriptc.syntax import nodes as n
from scriptc_runtime.errors import TypeCheckError
from scriptc_runtime.ops import data
from scriptc_runtime.record import field, record, replace
from scriptc_runtime.types import BIGINT, TensorType


@record(eq=False)
class Definition:
    """A library function by the name that users know, and the file of `stdlib/` with its `def`."""

    name: str
    file: str
    real: bool = False  # whether complex numbers are refused
    any_size: str = ""  # the file with the function of this name for ints of any size
    prefix: str = ""  # what the name of the `def` begins with

    @property
    def function(self) -> FunctionType:
        """The function, made of its text."""
        return standard_function(self.file, self.prefix + self.name.rpartition(".")[2])

    @property
    def signature(self) -> Signature:
        """The parameters and their defaults."""
        return _signature(self.function)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the parameters."""
        return self.signature.names

    @property
    def variadic(self) -> bool:
        """Whether one parameter takes all further arguments."""
        return self.signature.starred is not None

    @property
    def required(self) -> int:
        """How many parameters must be given."""
        return len(self.names) - len(self.signature.defaults) - self.variadic


# What a table of library functions holds.
Entry = Library | Definition


def check_defined(
    context: Context,
    node: n.Call,
    definition: Definition,
    receiver: tuple[n.Expression, Typed] | None,
) -> Typed:
    """Check a call of a function that is a `def`; of a method, `receiver` is the object."""
    signature, readers = definition.signature, _readers(definition.function)
    call = LibraryCall(context, node, definition.name)
    if receiver:
        call.add(signature.names[0], *receiver)
    more: list[str] = []  # what the starred parameter takes
    for parameter, argument in bind(context, node, definition.name, signature, len(call.values)):
        name = parameter
        if parameter == signature.starred:
            name = f"{parameter}{len(more)}"
            more.append(name)
        _evaluate(call, name, argument, readers[parameter])
    is_of_any_size = context.whole is BIGINT or any(
        call.typed(name).type is BIGINT for name in call.values
    )
    if definition.any_size and is_of_any_size:
        definition = replace(definition, file=definition.any_size)
    try:
        return _of_arguments(call, definition, more)
    except TypeCheckError:
        if not call.narrow():
            raise
        return _of_arguments(call, definition, more)


def _of_arguments(call: LibraryCall, definition: Definition, more: Sequence[str]) -> Typed:
    """Return the call; `more` are the arguments that the starred parameter takes."""
    signature, readers = definition.signature, _readers(definition.function)
    if definition.real:
        refuse_complex(call)
    passed = _Passed(call)
    for parameter in signature.names:
        reader = readers[parameter]
        if parameter == signature.starred:
            items = [passed.operand(parameter, reader.read(call, name)) for name in more]
            passed.operands[parameter] = call.context.apply(call.node, data.TUPLE, *items)
        elif parameter in call.values:
            passed.give(parameter, reader.read(call, parameter))
        elif reader.is_constant:
            passed.give(parameter, signature.defaults[parameter])
        else:
            default = signature.defaults[parameter]
            passed.operands[parameter] = passed.operand(parameter, default)
    return call.into_out(passed.result(definition.function))


def _evaluate(
    call: LibraryCall, name: str, node: n.Expression, reader: library_readers.Reader
) -> None:
    """Check an argument as its reader takes it."""
    if isinstance(node, n.List | n.Tuple) and stars.has_star(node):
        node = computed_stars.spread_display(call.context, node)
    if reader.displays and isinstance(node, n.List | n.Tuple) and not stars.has_star(node):
        call.evaluate_display(name, node)
    elif items := _items_taken(call.context, node, reader):
        call.add(name, node, items)
    else:
        call.evaluate(name, node)
        if reader.consumes:
            comprehensions.list_container(call, name, tuples=True)


def _items_taken(
    context: Context, node: n.Expression, reader: library_readers.Reader
) -> Typed | None:
    """Check what only a loop can take, as the list of its items."""
    if reader.consumes:
        return comprehensions.loop_items(context, node)
    return comprehensions.loop_items(context, node, (range,)) if reader.displays else None


@record(frozen=False, eq=False)
class _Passed:
    """What a call passes to the function."""

    call: LibraryCall
    operands: dict[str, Computation] = field(default_factory=dict[str, Computation])
    constants: dict[str, Constant] = field(default_factory=dict[str, Constant])

    def give(self, parameter: str, value: object) -> None:
        """Give a parameter a value, or a constant for which the body is checked."""
        self.operands[parameter] = operand = self.operand(parameter, value)
        if not isinstance(value, Computation):
            self.constants[parameter] = cast("Constant", value)
        if isinstance(operand.type, TensorType) and self.call.rank is None:
            self.call.rank = operand.type.rank

    def operand(self, parameter: str, value: object) -> Computation:
        """Return a value, or a constant, as a computation."""
        if isinstance(value, Computation):
            return value
        return self.call.constant(parameter, value)

    def result(self, function: FunctionType) -> Typed:
        """Record the call."""
        operands, constants = tuple(self.operands.values()), tuple(self.constants.items())
        return self.call.result(self.call.invoked(function, operands, constants))


@cache
def _signature(function: FunctionType) -> Signature:
    source, node = standard_definition(function)
    return signature_of(function, source, node, None)


@cache
def _readers(function: FunctionType) -> Mapping[str, library_readers.Reader]:
    written = annotations_of(function)
    return {name: library_readers.reader_of(annotation) for name, annotation in written.items()}
