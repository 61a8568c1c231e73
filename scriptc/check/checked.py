"""What checking decides and lowering obeys: every type, callee, conversion and dead arm.

The tree is not rewritten. `Facts` says beside it, for each node, how its value is computed: a
`Step` lists the parts to evaluate, in CPython's order, and the computation over their values.
Lowering emits that and infers nothing.

    computation = Operand(node) | Literal(value) | Stored | Apply(op, computation*)
                | Convert(computation, type) | Invoke(function, computation*)
                | Select(computation, computation, computation)
                | Check(computation, error, computation) | After(computation*, computation)
                | CellOf(variable)
"""

from collections.abc import Mapping, Sequence
from types import FunctionType, MappingProxyType
from typing import cast

from scriptc.syntax.expansion import Expansion
from scriptc.syntax.nodes import Expression, FunctionDef, Node, Statement
from scriptc_runtime.bits import same_bits
from scriptc_runtime.errors import Source
from scriptc_runtime.ops.opdef import Attrs, OpDef
from scriptc_runtime.record import field, record, replace
from scriptc_runtime.types import Type

Scalar = bool | int | float | complex | str | None
Constant = Scalar | tuple[Scalar, ...]
# Values of parameters, by name.
Constants = tuple[tuple[str, Constant], ...]
# What is captured by functions that keep results: the dicts of them.
RESULTS = "results@"


class Specialisation:
    """One live function with the types of its parameters; the key of everything compiled.

    `fixed` are parameters that stand for functions and the like, and so are constants.  `names` are
    those of the other parameters, where they are not just the ones of the function.  `constants`
    are values of some of these that types depend on, as an axis.
    """

    # No dataclass: as a field, a function would be taken for a method.
    __slots__ = ("constants", "fixed", "function", "names", "types")

    def __init__(
        self,
        function: FunctionType,
        types: tuple[Type, ...],
        names: tuple[str, ...] | None = None,
        fixed: tuple[tuple[str, object], ...] = (),
        constants: Constants = (),
    ) -> None:
        self.function = function
        self.types = types
        self.names = names
        self.fixed = fixed
        self.constants = constants

    @property
    def for_all_values(self) -> "Specialisation":
        """The same without `constants`."""
        return Specialisation(self.function, self.types, self.names, self.fixed)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Specialisation)
            and self.function is other.function
            and self.types == other.types
            and self.names == other.names
            and same_bits(self.fixed, other.fixed)
            and same_bits(self.constants, other.constants)
        )

    def __hash__(self) -> int:
        return hash((self.function, self.types, self.names, self.constants))


@record
class Operand:
    """The value of a part that the step has evaluated."""

    node: Expression
    type: Type


@record(exact=True)
class Literal:
    """A constant: Python's, or the NumPy scalar of it where `type` is a dtype."""

    value: Scalar
    type: Type


@record
class Stored:
    """The value that an assignment puts in place."""

    type: Type


@record(exact=True)
class Apply:
    """An op on computed values."""

    op: OpDef
    operands: tuple["Computation", ...]
    attrs: Attrs
    type: Type


@record
class Convert:
    """A value as another type that can hold it."""

    value: "Computation"
    type: Type


@record
class Invoke:
    """A call of another specialised function, which `never` returns where it always raises."""

    callee: Specialisation
    operands: tuple["Computation", ...]
    type: Type
    never: bool = False


@record
class Select:
    """One of two values; the other one is not computed."""

    condition: "Computation"
    when_true: "Computation"
    when_false: "Computation"
    type: Type


@record
class Check:
    """`value`, after raising the exception `kind` unless `condition` holds."""

    condition: "Computation"
    kind: str
    message: str
    value: "Computation"
    type: Type


@record
class After:
    """`value`, once `effects` have been computed in their order, each of which writes something."""

    effects: tuple["Computation", ...]
    value: "Computation"
    type: Type


@record
class CellOf:
    """The cell that a variable lives in."""

    name: str
    type: Type


Computation = (
    Operand | Literal | Stored | Apply | Convert | Invoke | Select | Check | After | CellOf
)


@record
class Step:
    """Evaluate `parts` in order, then compute."""

    parts: tuple[Expression, ...]
    result: Computation


@record(exact=True)
class Write:
    """How a target that is no name takes a value: an op without results over `Stored`.

    Without an op, computing the operands writes it.
    """

    parts: tuple[Expression, ...]
    op: OpDef | None
    operands: tuple[Computation, ...]
    attrs: Attrs


@record
class Update:
    """An augmented assignment: what is read, what is computed from it and the new operand.

    `in_place` arrays take the result themselves, lists and the like are changed by computing it;
    what was read is stored back then, if anything is.
    """

    parts: tuple[Expression, ...]
    current: Computation | None  # None for a variable
    result: Computation
    in_place: bool
    is_stored: bool


@record
class RangeSource:
    """A range; the bounds are parts that the loop evaluates once."""

    start: Computation
    stop: Computation
    step: Computation
    type: Type


@record
class LongRangeSource:
    """A range of ints of any size, and how many there are."""

    start: Computation
    step: Computation
    count: Computation
    type: Type


@record
class ArraySource:
    """The elements, or rows, of an array."""

    array: Computation
    type: Type


@record
class ListSource:
    """The items of a list, whose length is read again each iteration."""

    items: Computation
    type: Type


@record
class EnumerateSource:
    """Pairs of a count and an item."""

    start: Computation
    inner: "LoopSource"
    type: Type


@record
class ZipSource:
    """Tuples of items, as long as every part has one; `strict` raises where only some have."""

    inner: tuple["LoopSource", ...]
    type: Type
    strict: bool = False


@record
class ReversedSource:
    """The items of an array or a list, from the last one to the first."""

    inner: "LoopSource"
    type: Type


@record
class TupleSource:
    """The iterations of a loop that is unrolled: each computes its item, of its own type."""

    iterations: tuple[Computation, ...]
    type: Type


LoopSource = (
    RangeSource | LongRangeSource | ArraySource | ListSource
    | EnumerateSource | ZipSource | ReversedSource
)  # fmt: skip


@record
class Loop:
    """What a `for` runs over, after evaluating `parts`.

    `grows` is for `prange` alone: the variables that are loop-carried, and how each grows.
    """

    parts: tuple[Expression, ...]
    source: LoopSource | TupleSource
    grows: Mapping[str, str] | None = None


@record
class Arms:
    """Which arms of a statement can run, whether their ends are reached, and what follows."""

    body_runs: bool
    orelse_runs: bool
    body_ends: bool
    orelse_ends: bool
    goes_on: bool


# Nodes of generators that are a part of a function stand behind its text: those of the first one
# from here on, those of the second one from twice as far on.
INLINED = 1 << 40


@record(eq=False)
class Inlined:
    """A generator whose body is a part of a function: its text, and where the function calls it."""

    live: object
    source: Source
    place: int
    end: int

    @property
    def function(self) -> FunctionType:
        """The function object; as a field it would be taken for a method."""
        return cast(FunctionType, self.live)


@record(exact=True)
class Arm:
    """What an operation is for one member of a union: an expression, or what it raises.

    Where that depends on the member that another variable holds, `beside` names it and says it for
    each.
    """

    member: Type
    value: Expression | None  # where it raises, too, its value is dropped before
    kind: str = ""
    message: str | int | float | None = ""
    beside: tuple[str, tuple["Arm", ...]] | None = None


@record
class MemberArms:
    """One operation for each member of what the variable `subject` holds.

    `firsts` are the operands that are evaluated before, with the variables that hold them.
    """

    firsts: tuple[tuple[str, Expression], ...]
    subject: str
    arms: tuple[Arm, ...]


# The variables that a join carries, with the type each has afterwards.
Joined = Mapping[str, Type]


@record(frozen=False)
class Facts:
    """All that checking decided about one function, or one iteration of an unrolled loop."""

    types: dict[Node, Type] = field(default_factory=dict[Node, Type])
    rest: Write | None = None  # what a constructor does with its object, once that is made
    # Expressions whose value is known and which are not evaluated.
    constants: dict[Node, Literal] = field(default_factory=dict[Node, Literal])
    # Tests that hold, or fail, for every run: only one arm is alive.
    tests: dict[Node, bool] = field(default_factory=dict[Node, bool])
    # Whether the value of a test counts as true.
    truths: dict[Node, Computation] = field(default_factory=dict[Node, Computation])
    steps: dict[Node, Step] = field(default_factory=dict[Node, Step])
    # What statements do that always raise.
    endings: dict[Node, tuple[Statement, ...]] = field(
        default_factory=dict[Node, tuple[Statement, ...]]
    )
    # Statements that stand for an expression, and what has its value after them.
    expanded: dict[Node, Expansion] = field(default_factory=dict[Node, Expansion])
    # The comparisons of a chain, each over its two sides.
    comparisons: dict[Node, tuple[Computation, ...]] = field(
        default_factory=dict[Node, tuple[Computation, ...]]
    )
    # Operations on unions that no test has narrowed.
    # Operands of `and` that are None where they decide.
    nothings: set[Node] = field(default_factory=set[Node])
    arms_of_members: dict[Node, MemberArms] = field(default_factory=dict[Node, MemberArms])
    # The members that an `isinstance` finds, where a union has them and others.
    instances: dict[Node, tuple[Type, ...]] = field(default_factory=dict[Node, tuple[Type, ...]])
    # The values of `and` and `or` that can be reached.
    operands: dict[Node, tuple[Expression, ...]] = field(
        default_factory=dict[Node, tuple[Expression, ...]]
    )
    captures: dict[Node, str] = field(default_factory=dict[Node, str])
    # A variable or field whose declared type converts what is `Stored` in it.
    conversions: dict[Node, Computation] = field(default_factory=dict[Node, Computation])
    # The items that a target takes, over what is `Stored`, where that is no tuple.
    unpacked: dict[Node, tuple[Computation, ...]] = field(
        default_factory=dict[Node, tuple[Computation, ...]]
    )
    # What a variable becomes whose shape is set to what is `Stored`.
    reshaped: dict[Node, Step] = field(default_factory=dict[Node, Step])
    writes: dict[Node, Write] = field(default_factory=dict[Node, Write])
    updates: dict[Node, Update] = field(default_factory=dict[Node, Update])
    # Targets with their values where `a, b = x, y` needs no tuple.
    pairs: dict[Node, tuple[tuple[Expression, Expression], ...]] = field(
        default_factory=dict[Node, tuple[tuple[Expression, Expression], ...]]
    )
    loops: dict[Node, Loop] = field(default_factory=dict[Node, Loop])
    arms: dict[Node, Arms] = field(default_factory=dict[Node, Arms])
    heads: dict[Node, Joined] = field(default_factory=dict[Node, Joined])
    joins: dict[Node, Joined] = field(default_factory=dict[Node, Joined])
    # One for each iteration of an unrolled loop, and the joins at their ends.
    iterations: dict[Node, tuple["Facts", ...]] = field(
        default_factory=dict[Node, tuple["Facts", ...]]
    )
    round_joins: dict[Node, tuple[Joined, ...]] = field(
        default_factory=dict[Node, tuple[Joined, ...]]
    )
    # Assignments of what is no value, but a constant of the program.
    silent: set[Node] = field(default_factory=set[Node])
    # The class an `except` clause or a `raise` names.
    exceptions: dict[Node, tuple[str, ...]] = field(default_factory=dict[Node, tuple[str, ...]])
    # The classes of the program that an `except` clause catches, and those that inherit from them.
    caught: dict[Node, tuple[str, ...]] = field(default_factory=dict[Node, tuple[str, ...]])
    # Objects that a `raise` names, as exceptions.
    raised: dict[Node, Step] = field(default_factory=dict[Node, Step])


@record(eq=False)
class Capture:
    """An array or a generator in a function's globals or closure: a hidden last parameter."""

    name: str
    type: Type
    value: object
    qualified: str


class MadeOutside:
    """Stands for an object outside in what is captured: the function that makes it in a call."""

    def __init__(self, maker: FunctionType, value: object) -> None:
        self.maker = maker
        self.value = value


@record
class Parameter:
    """A parameter and the type it has in this specialisation."""

    name: str
    type: Type


@record
class GeneratorParts:
    """What a function that gives generators becomes two functions for: it makes, or resumes one."""

    class_name: str
    item: Type
    returned: Type
    resumes: bool
    sent: Type | None = None
    is_thrown: bool = False


@record(eq=False)
class CheckedFunction:
    """A function with all its types; `constructs` is set for the `__init__` of that class."""

    key: Specialisation
    name: str
    source: Source
    node: FunctionDef
    params: tuple[Parameter, ...]
    result: Type
    facts: Facts
    cells: Mapping[str, Type]
    captures: tuple[Capture, ...]
    callees: tuple[Specialisation, ...]
    constructs: "CheckedClass | None" = None
    is_library: bool = False
    size_names: frozenset[str] = frozenset()  # of its parameters, in annotations
    declared: Type | None = None  # what its annotation says of the result, sizes included
    inlined: Sequence[Inlined] = ()
    generator: GeneratorParts | None = None
    shared: frozenset[str] = frozenset()  # the variables whose cells functions capture
    never: bool = False  # whether it always raises
    # The tuple of dicts of results, which a root makes and others capture; `inner` is what these
    # call instead, and of what captures it itself it is said which dict is meant.
    made: tuple[Capture, ...] = ()
    places_of_results: Mapping[str, int] = MappingProxyType({})
    inner: str = ""

    @property
    def as_inner(self) -> "CheckedFunction":
        """The function as those call it that have captured the dicts."""
        captures = (*self.captures, *self.made)
        return replace(self, name=self.inner, captures=captures, made=()) if self.made else self

    def offset(self, node: Node) -> int:
        """Return where a node stands in the text: one of a generator where it is called."""
        lo = node.lo
        while lo >= INLINED:
            lo = self.inlined[lo // INLINED - 1].place
        return lo


@record
class CheckedClass:
    """A class that scripts use, with its fields in order and the types of those that are known.

    `is_function`: its objects are functions.  `late`: the fields that `__init__` does not set.
    `hands_on`: its `__init__` needs the object before it ends.  `outdated`: the fields that have
    another type in the next check of the program.  `opened`: what is known of those into which the
    program puts nothing, beside the type that they have been given.
    """

    name: str
    live: type
    names: Sequence[str]
    fields: Mapping[str, Type]
    is_function: bool = False
    base: str | None = None
    late: frozenset[str] = frozenset()
    hands_on: bool = False
    outdated: frozenset[str] = frozenset()
    opened: Mapping[str, Type] = field(default_factory=dict[str, Type])


@record(eq=False)
class Dependency:
    """Something outside that the result depends on: `function`, `class` or `constant`."""

    kind: str
    name: str
    value: object


@record
class LeavingGenerator:
    """A generator that a root gives to Python: its name, its items, and what Python calls of it."""

    root: Specialisation
    name: str
    item: Type
    functions: Mapping[str, Specialisation]
    writes: bool  # to what its function was given: lists, dicts and sets


@record
class CheckedProgram:
    """Every function and class reached from the roots, which come first and in order."""

    roots: tuple[Specialisation, ...]
    functions: Mapping[Specialisation, CheckedFunction]
    classes: Mapping[str, CheckedClass]
    captures: tuple[Capture, ...]
    dependencies: Sequence[Dependency]
    named: Mapping[str, type] = MappingProxyType({})  # enumerations and named tuples
    # What Python calls of the generators that the roots give, by their classes.
    leaving: Mapping[str, LeavingGenerator] = MappingProxyType({})

    @property
    def entered(self) -> Sequence[Specialisation]:
        """The functions that Python enters: the roots, and what they give is resumed by."""
        return entered(self.roots, self.leaving)


def entered(
    roots: Sequence[Specialisation], leaving: Mapping[str, LeavingGenerator]
) -> Sequence[Specialisation]:
    """Return the functions that Python enters."""
    return [*roots, *(f for given in leaving.values() for f in given.functions.values())]
