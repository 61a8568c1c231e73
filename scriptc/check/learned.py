"""What one pass over a function finds out for the next one."""

from collections.abc import Mapping
from types import FunctionType

from scriptc.check.bindings import ListKey, Typed
from scriptc.check.checked import Inlined
from scriptc.syntax.expansion import Expansion
from scriptc.syntax.nodes import Assign, Body, Call, Expression, For, Node
from scriptc.values.outside_places import OutsidePlace
from scriptc_runtime.errors import TypeCheckError
from scriptc_runtime.record import field, record
from scriptc_runtime.types import Type


@record(eq=False)
class Table:
    """A table of functions outside: its functions by the names that the display has for them."""

    value: object
    functions: Mapping[str, object]
    assign: Assign


@record(frozen=False, eq=False)
class Learned:
    """What one pass over a function finds out for the next one."""

    # The type of each variable that lives in a cell; None before its first assignment.
    cells: dict[str, Typed | None] = field(default_factory=dict[str, Typed | None])
    items: dict[ListKey, Typed] = field(default_factory=dict[ListKey, Typed])
    # Displays into which nothing is ever put, and over which loops end at once.
    unfilled: set[ListKey] = field(default_factory=set[ListKey])
    # The types of displays that are declared to hold something.
    declared: dict[ListKey, Type] = field(default_factory=dict[ListKey, Type])
    # The loops of comprehensions: the same nodes in each pass.
    expansions: dict[Node, Expansion] = field(default_factory=dict[Node, Expansion])
    # What statements do that raise, by what it is that always does.
    endings: dict[tuple[object, ...], Body] = field(default_factory=dict[tuple[object, ...], Body])
    # The calls that classes stand for where they are raised.
    made: dict[Node, Call] = field(default_factory=dict[Node, Call])
    # What expressions are short for, by what decides on it: the same nodes in each pass.
    spreads: dict[tuple[Node, tuple[object, ...]], Expression] = field(
        default_factory=dict[tuple[Node, tuple[object, ...]], Expression]
    )
    # What tests of patterns are made of, by pattern and part.
    patterns: dict[tuple[Node, str], Node] = field(default_factory=dict[tuple[Node, str], Node])
    # The variables that each `with` keeps in cells if it is one over an object.
    managed: dict[int, frozenset[str]] | None = None
    # Loops over all indices of so many axes, as nested ones.
    index_loops: dict[tuple[Node, int], Expansion] = field(
        default_factory=dict[tuple[Node, int], Expansion]
    )
    # Loops over generators: which generator it is, and the statements that stand for the loop.
    object_loops: dict[Node, For] = field(default_factory=dict[Node, For])
    # Loops over what is of several types, as one for each.
    member_loops: dict[tuple[For, Type], Expansion] = field(
        default_factory=dict[tuple[For, Type], Expansion]
    )
    # Items that are written in what is of several types, as one statement for each.
    member_stores: dict[tuple[Node, Type], Expansion] = field(
        default_factory=dict[tuple[Node, Type], Expansion]
    )
    generator_loops: dict[tuple[Node, FunctionType], tuple[int, Body]] = field(
        default_factory=dict[tuple[Node, FunctionType], tuple[int, Body]]
    )
    # The generators that are parts of this function, and the global names in them.
    inlined: list[Inlined] = field(default_factory=list[Inlined])
    # The methods that a constructor calls, by call, with their numbers among those.
    methods: dict[Node, tuple[int, Body]] = field(default_factory=dict[Node, tuple[int, Body]])
    foreign: dict[str, tuple[FunctionType, str]] = field(
        default_factory=dict[str, tuple[FunctionType, str]]
    )
    # Calls of functions that are objects, as choices among the classes they may be of.
    choices: dict[tuple[Node, tuple[str, ...]], Expansion] = field(
        default_factory=dict[tuple[Node, tuple[str, ...]], Expansion]
    )
    # Parameters that do not say yet what they hold, as the displays that they stand for.
    open_parameters: dict[str, Node] = field(default_factory=dict[str, Node])
    # Variables that hold functions as objects, and those whose cells functions capture.
    objects: set[str] = field(default_factory=set[str])
    shared: set[str] = field(default_factory=set[str])
    # Variables whose generators are objects, as something else is done with them than looping.
    kept: set[str] = field(default_factory=set[str])
    # Sums of generator expressions whose items are arrays.
    array_sums: set[Node] = field(default_factory=set[Node])
    # Operations on unions, for each member.
    arms: dict[tuple[Node, tuple[int, ...], Type], Expression] = field(
        default_factory=dict[tuple[Node, tuple[int, ...], Type], Expression]
    )
    # Tables of functions outside, by the variables that hold them from the start of the function.
    tables: dict[str, Table] = field(default_factory=dict[str, Table])
    # What is stored outside, as attributes of classes, by the names of the lists that hold them.
    places: dict[str, OutsidePlace] = field(default_factory=dict[str, OutsidePlace])
    # Objects outside that are defaults of parameters, by the names that stand for them.
    outside: dict[str, object] = field(default_factory=dict[str, object])
    # Updates of one member of what is of several types.
    member_updates: set[Node] = field(default_factory=set[Node])
    # Variables that hold values of several types, and whether these may be unions.
    unions: set[str] = field(default_factory=set[str])
    may_unite: bool = False
    may_raise: bool = False  # whether an operation without a meaning raises when it is reached
    raises_declined: bool = False  # whether NotImplemented is raised, as for some values alone
    # Assignments of methods, and calls with such as keys, whose list or the like is held first.
    held: dict[Assign, Expansion] = field(default_factory=dict[Assign, Expansion])
    held_keys: dict[Call, Expansion] = field(default_factory=dict[Call, Expansion])
    # What is refused if no other pass finds out more.
    doubts: list[TypeCheckError] = field(default_factory=list[TypeCheckError])
    # Variables whose lists keep their length; None until one is asked for.
    steady_lists: frozenset[str] | None = None

    @property
    def state(self) -> tuple[object, ...]:
        """What another pass is needed for where it has changed."""
        sets = self.unions, self.objects, self.shared, self.tables, self.kept, self.held
        names = tuple(map(len, sets))
        types = dict(self.cells), dict(self.items), dict(self.declared)
        return *types, names, self.raises_declined

    def forget_outdated(self, before: Mapping[ListKey, Typed]) -> None:
        """Forget what lists hold where some have begun to hold a union in the pass that is over.

        What was learned in it may follow from what these held before.
        """
        if any(
            v.unites and (k not in before or before[k].type != v.type)
            for k, v in self.items.items()
        ):
            self.items = {key: value for key, value in self.items.items() if value.unites}
