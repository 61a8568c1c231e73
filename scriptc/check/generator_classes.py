"""Generators as values: objects of a class for each generator function and types of parameters.

A generator that a loop takes apart where it is called is a part of that loop, as
`generator_loops.py` says. Any other is an object, and has a function that resumes it, which gives
the next item in a tuple, or None at its end. Lowering splits the body at each `yield`
(`scriptc/lower/generators.py`).
"""

from collections.abc import Sequence

from scriptc.check.checked import Specialisation
from scriptc.check.open_types import is_open
from scriptc_runtime.ops.opdef import Attrs, OpDef
from scriptc_runtime.record import record
from scriptc_runtime.types import (
    EXCEPTION,
    STR,
    CellType,
    DType,
    OptionalType,
    PyType,
    TupleType,
    Type,
    UnionType,
    is_number,
)

# The field that says where a generator goes on: at a `yield` of this number, or as follows. One
# that is over has returned; later it is gone, and what it returned with it.
STATE = "state"
RUNNING, FRESH, OVER, GONE = 0, -1, -2, -3
# The field with what it returned.
RETURNED = "returned"
# What resumes a generator, as methods of its class.
RESUME = "__resume__"


# Its methods that give it something.
SENT, THROWN = "__sent__", "__thrown__"
# The one that says that it gets what the one gets that hands it on.
LIKE = "__like__"
# The one that ends it where nothing refers to it any more.
DROP = "__drop__"
# Those that say whether it has just returned, and what.
ENDED, VALUE = "__ended__", "__value__"


def _infer(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    sent = attrs.get("sent")
    return (sent,) if isinstance(sent, Type) else ()


# Stands in no module: lowering takes it apart.
YIELD = OpDef(
    name="yield",
    doc="Give an item to who resumes the generator; the result is what that sends, if it may.",
    operands=("item",),
    attrs=("sent",),
    infer=_infer,
    evaluate=None,
)


def resumed(item: Type) -> OptionalType:
    """Return the type of what resuming a generator gives."""
    return OptionalType(TupleType((item,)))


def field_of(type_: Type) -> Type:
    """Return the type of a field that holds a value of some type, or nothing yet."""
    match type_:
        case OptionalType() | CellType() | DType():
            return type_
        case _ if is_number(type_) or type_ is STR:
            return type_
        case UnionType() | PyType.NONE:
            return OptionalType(TupleType((type_,)))
        case _:
            return OptionalType(type_)


@record(frozen=False, eq=False)
class Given:
    """What generators are given where they are resumed: what is sent, and exceptions."""

    sent: Type | None = None
    is_thrown: bool = False

    @property
    def types(self) -> tuple[Type, ...]:
        """The types of the parameters more that a function that resumes has."""
        sent = () if self.sent is None else (OptionalType(self.sent),)
        return (*sent, OptionalType(EXCEPTION)) if self.is_thrown else sent


@record(frozen=False, eq=False)
class GeneratorClass:
    """The generators that one function gives: what they give is None until it is known."""

    name: str
    key: Specialisation
    given: Given
    item: Type | None
    returned: Type | None = None
    has_ends: bool = False  # whether something is left to do where it is never resumed
    asked: bool = False
    is_changed: bool = False

    @property
    def resume(self) -> Specialisation:
        """The function that resumes one."""
        key = self.key
        constants = (*key.constants, (RESUME, True))
        return Specialisation(key.function, key.types, key.names, key.fixed, constants)


def _is_told(types: Sequence[Type], others: Sequence[Type]) -> bool:
    """Whether some types are others, but for what lists and containers hold."""
    pairs = zip(types, others, strict=False)
    are_alike = all(a == b or (is_open(a) and type(a) is type(b)) for a, b in pairs)
    return are_alike and len(types) == len(others)


class GivenToGenerators:
    """What generators are given where they are resumed, by function and types of parameters.

    A program is checked anew once more of it is known.
    """

    def __init__(self) -> None:
        self._of: dict[tuple[object, ...], dict[tuple[Type, ...], Given]] = {}
        self.classes: set[type] = set()  # those of objects that are sent
        self.has_grown = False

    def of(self, key: Specialisation) -> Given:
        """Return what generators of a function are given.

        Where a parameter does not say yet what it holds, that is what they are given where it does.
        """
        code = key.function.__code__
        known = self._of.setdefault((code.co_filename, code.co_firstlineno, code.co_name), {})
        given = known.setdefault(key.types, Given())
        if given.sent is None and any(map(is_open, key.types)):
            others = (other for types, other in known.items() if _is_told(key.types, types))
            given.sent = next((other.sent for other in others if other.sent is not None), None)
        return given

    def send(self, given: Given, sent: Type) -> None:
        """Note that something is sent."""
        self.has_grown = self.has_grown or given.sent != sent
        given.sent = sent

    def throw(self, given: Given) -> None:
        """Note that exceptions are thrown into generators."""
        self.has_grown = self.has_grown or not given.is_thrown
        given.is_thrown = True
