"""What an op is: one record that every stage of the compiler reads."""

import enum
from collections.abc import Callable, Mapping, Sequence

from scriptc_runtime.record import record
from scriptc_runtime.types import Type

Attr = bool | int | float | complex | str | None | Type | tuple["Attr", ...]
Attrs = Mapping[str, Attr]
TypeRule = Callable[[Sequence[Type], Attrs], tuple[Type, ...]]


class OpTypeError(Exception):
    """An op was given operand types that its type rule does not accept."""


class OpSizeError(OpTypeError):
    """An op was given operands whose sizes, or numbers of axes, do not go together."""


class Level(enum.Enum):
    """Where an op may stand."""

    CORE = "core"  # saved, read, interpreted; checked and total on its types
    LIBRARY = "library"  # core, with a body in stdlib/ that `decompose` opens
    LOW = "low"  # only inside a compilation; unchecked


class Trait(enum.Flag):
    """Facts about an op that do not depend on the types of its operands."""

    NONE = 0
    ELEMENTWISE = enum.auto()  # works on scalars, and element by element on tensors
    COMMUTATIVE = enum.auto()  # two operands, and their order does not matter
    TERMINATOR = enum.auto()  # ends a block
    REGION = enum.auto()  # has blocks and a label


@record(kw_only=True)
class Effects:
    """What running an instruction does besides computing its results.

    `reads`, `writes` and `aliases` are indices of operands: whose memory is read, written, or
    shared with a result. What raises only lest its result be no value of its type `guards` it.
    """

    reads: frozenset[int] = frozenset()
    writes: frozenset[int] = frozenset()
    aliases: frozenset[int] = frozenset()
    raises: bool = False
    allocates: bool = False
    io: bool = False
    guards: bool = False

    @property
    def removable(self) -> bool:
        """Whether an instruction without users may be dropped."""
        return not (self.writes or (self.raises and not self.guards) or self.io)

    @property
    def only_reads(self) -> bool:
        """Whether nothing is written or made, though it may raise."""
        return not (self.writes or self.allocates or self.io)


PURE = Effects()
EffectRule = Callable[[Sequence[Type], Attrs], Effects]


def pure(types: Sequence[Type], attrs: Attrs) -> Effects:
    """Return the effects of an op that only computes."""
    return PURE


@record(kw_only=True, eq=False)
class OpDef:
    """The definition of one op: its text form, its type rule, its meaning and its effects.

    A last operand named `*x` stands for any number of operands.  `evaluate` takes the operands
    as Python and NumPy values and the attributes by name; it is None for ops with blocks, which
    the interpreter runs itself.  `blocks` is the number of blocks of a REGION op.
    """

    name: str
    doc: str
    operands: tuple[str, ...]
    infer: TypeRule
    evaluate: Callable[..., object] | None
    attrs: tuple[str, ...] = ()
    effects: EffectRule = pure
    level: Level = Level.CORE
    traits: Trait = Trait.NONE
    blocks: int = 0

    def __repr__(self) -> str:
        return f"<op {self.name}>"
