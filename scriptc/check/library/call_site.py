"""Where library code is called: what it refuses is refused there, what it calls is called there."""

from collections.abc import Iterator, Mapping, Sequence
from types import FunctionType
from typing import NoReturn, cast

from scriptc.check.checked import Computation, Constants, Operand
from scriptc.check.constants import constant_of
from scriptc.check.context import Context
from scriptc.check.library.standard import Constant, standard_function
from scriptc.check.live_values import type_of
from scriptc.check.whole_types import without_bigints
from scriptc.syntax import nodes as n
from scriptc_runtime.errors import TypeCheckError
from scriptc_runtime.record import record
from scriptc_runtime.types import Type

# The code of what `unsafe.refuse` says in a live arm, until the call tells it. `why` names the
# parameter that it is about, where it is about one; `{x}` in the message is the type of `x`.
REFUSED = "refused"


@record
class Display:
    """A list or tuple written in place: its items are expressions, or displays again."""

    items: "tuple[Display | n.Expression, ...]"

    def leaves(self) -> "Iterator[n.Expression]":
        """Yield the expressions in their order."""
        for item in self.items:
            if isinstance(item, Display):
                yield from item.leaves()
            else:
                yield item

    def shape(self) -> tuple[int, ...] | None:
        """Return the number of items at each depth, None where they differ."""
        inner = {item.shape() if isinstance(item, Display) else () for item in self.items}
        if len(inner) > 1 or None in inner:
            return None
        (rest,) = inner or {()}
        return (len(self.items), *(rest or ()))


class CallSite:
    """A call of a library function, without its arguments."""

    __slots__ = ()

    context: Context
    node: n.Call
    name: str
    is_narrow: bool  # whether ints of any size are taken as those of 64 bits

    def leaf(self, node: n.Expression) -> Computation:
        """Return an item of a display."""
        type_ = self.context.facts.types[node]
        return Operand(node, without_bigints(type_) if self.is_narrow else type_)

    def refuse(self, message: str, at: n.Node | None = None, instead: str = "") -> NoReturn:
        """Refuse the call."""
        self.context.fail("argument", f"{self.name}: {message}", at or self.node, instead=instead)

    def standard(
        self, file: str, name: str, *operands: Computation, **constants: Constant
    ) -> Computation:
        """Return a call of a function of `stdlib/FILE.py`, checked like one of the user's.

        Constants of its file are bound by name.
        """
        bound = tuple((key.upper(), value) for key, value in constants.items())
        return self.invoked(standard_function(file, name, bound), operands)

    def defined(
        self, file: str, name: str, *operands: Computation, **constants: object
    ) -> Computation:
        """Return a call of a `def` of `stdlib/FILE.py` whose last parameters are constants."""
        values = [*operands, *(self.constant(key, value) for key, value in constants.items())]
        held = cast("Constants", tuple(constants.items()))
        return self.invoked(standard_function(file, name), values, held)

    def constant(self, name: str, value: object) -> Computation:
        """Return a constant that a parameter of a function of the library is given."""
        type_ = type_of(value, repr(name), self.context.span(self.node))
        return constant_of(self.context, self.node, value, type_, "default", repr(name))

    def invoked(
        self, function: FunctionType, operands: Sequence[Computation], constants: Constants = ()
    ) -> Computation:
        """Return a call of a function of the standard library; what it refuses is refused here."""
        try:
            return self.context.call(self.node, function, operands, constants=constants)
        except TypeCheckError as error:
            # Its places are none of the user's.
            meant = next((d for d in error.diagnostics if d.code == REFUSED), None)
            if meant is None:
                (problem, *_) = error.diagnostics
                instead = "a loop that does what is meant with each item"
                self.refuse(problem.message, instead=instead)
            # Sizes have the names that they have here.
            message = meant.message.format_map(self.given_types())
            self.refuse(message, self.argument(meant.why), meant.instead)

    def argument(self, name: str) -> n.Node | None:
        """Return what the call gives for a parameter, None where it gives nothing."""
        return None

    def given_types(self) -> Mapping[str, Type]:
        """Return the types of the arguments by the names of the parameters."""
        return {}
