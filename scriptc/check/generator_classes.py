"""Generators as values: objects of a class for each generator function and types of parameters.

A generator that a loop takes apart where it is called is a part of that loop, as
`generator_loops.py` says. Any other is an object, and has a function that resumes it, which gives
the next item in a tuple, or None at its end. Lowering splits the body at each `yield`
(`scriptc/lower/generators.py`).
"""

from collections.abc import Sequence

from scriptc.check.checked import Specialisation
from scriptc_runtime.ops.opdef import Attrs, OpDef
from scriptc_runtime.record import record
from scriptc_runtime.types import (
    STR,
    CellType,
    DType,
    OptionalType,
    TupleType,
    Type,
    UnionType,
    is_number,
)

# The field that says where a generator goes on: at a `yield` of this number, or as follows.
STATE = "state"
RUNNING, FRESH, OVER = 0, -1, -2
# The field with what it returned.
RETURNED = "returned"
# What resumes a generator, as methods of its class.
RESUME = "__resume__"


def _infer(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    return ()


# Stands in no module: lowering takes it apart.
YIELD = OpDef(
    name="yield",
    doc="Give an item to who resumes the generator.",
    operands=("item",),
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
        case UnionType():
            return OptionalType(TupleType((type_,)))
        case _:
            return OptionalType(type_)


@record(frozen=False, eq=False)
class GeneratorClass:
    """The generators that one function gives: what they give is None until it is known."""

    name: str
    key: Specialisation
    item: Type | None
    returned: Type | None = None
    asked: bool = False
    is_changed: bool = False

    @property
    def resume(self) -> Specialisation:
        """The function that resumes one."""
        key = self.key
        constants = (*key.constants, (RESUME, True))
        return Specialisation(key.function, key.types, key.names, key.fixed, constants)
