"""What the check of a program finds out too late: the next check knows it from the start."""

from collections.abc import Callable, Collection
from types import FunctionType

from scriptc.check.checked import Specialisation
from scriptc.check.generator_classes import GivenToGenerators
from scriptc.check.joined_types import JoinedTypes
from scriptc.check.kept_captures import KeptCaptures, Place, place_of
from scriptc.check.kept_results import KeepingFunctions
from scriptc.check.outside_makers import OutsideMakers
from scriptc.check.result_types import ToldResults
from scriptc.check.split_refusals import SplitClasses
from scriptc.check.stopping_functions import StoppingFunctions
from scriptc.check.told_arguments import ToldArguments
from scriptc.check.told_captures import ToldCaptures
from scriptc.check.united_fields import Objects, UnitedFields, naming_none
from scriptc.syntax import nodes as n
from scriptc_runtime.errors import ScriptError
from scriptc_runtime.record import field, record


@record(frozen=False, eq=False)
class Rounds:
    """What is known from earlier checks of a program."""

    given: GivenToGenerators = field(default_factory=GivenToGenerators)
    kept: KeptCaptures = field(default_factory=KeptCaptures)
    results: ToldResults = field(default_factory=ToldResults)

    keeping: KeepingFunctions = field(default_factory=KeepingFunctions)

    makers: OutsideMakers = field(default_factory=OutsideMakers)

    split: SplitClasses = field(default_factory=SplitClasses)

    stopping: StoppingFunctions = field(default_factory=StoppingFunctions)
    arguments: ToldArguments = field(default_factory=ToldArguments)
    fields: UnitedFields = field(default_factory=UnitedFields)
    captures: ToldCaptures = field(default_factory=ToldCaptures)
    joins: JoinedTypes = field(default_factory=JoinedTypes)

    # The lambdas that calls as `partial(f, x)` are short for, by function and call.
    made: dict[tuple[FunctionType, n.Call], n.Lambda] = field(
        default_factory=dict[tuple[FunctionType, n.Call], n.Lambda]
    )
    # Calls and displays without `*` and `**`, by how many items each argument stands for, and by
    # which names: functions that they make are of the same class in each check.
    spreads: dict[tuple[n.Node, tuple[object, ...]], n.Expression] = field(
        default_factory=dict[tuple[n.Node, tuple[object, ...]], n.Expression]
    )
    # Variables of functions that hold generators which end when the function does.
    ended: set[Place] = field(default_factory=set[Place])
    # Functions that are called for one of several types, and may have no meaning for it.
    raising: set[Specialisation] = field(default_factory=set[Specialisation])
    # Whether any generator has something left to do if it is never resumed.
    have_ends: bool = False
    _ends_more: bool = False

    def note_ends(self) -> None:
        """Note that a generator has something left to do if it is never resumed."""
        self._ends_more = self._ends_more or not self.have_ends
        self.have_ends = True

    def end(self, function: FunctionType, variable: str) -> None:
        """Note that the generator in a variable ends when the function does."""
        place = place_of(function, variable)
        self._ends_more = self._ends_more or place not in self.ended
        self.ended.add(place)

    @property
    def have_grown(self) -> bool:
        """Whether this check has found out what it did not know where it mattered."""
        found = self.given, self.kept, self.arguments, self.makers, self.split, self.fields
        return self._ends_more or any(k.has_grown for k in (*found, self.captures))

    @property
    def classes_are_others(self) -> bool:
        """Whether functions and objects that fields hold are of other classes in the next check."""
        found = self.kept, self.captures, self.split
        return self.fields.was_misread or any(k.has_grown for k in found)

    def promote(self) -> bool:
        """Let the next check do what may help a program that is refused; whether there is any."""
        return self.captures.promote() or self.split.promote(self.fields)

    def keep(self, refusal: ScriptError) -> None:
        """Note what a check ends with, which the next one may mend."""
        if not self.fields.was_misread:
            self.split.keep(refusal)

    def begin(self, objects: Callable[[], Objects], functions: Collection[str]) -> Objects:
        """Let another check begin, which knows it all; it names `functions` anew.

        Return the objects that it knows of those of this one.
        """
        anew = self.split.has_grown or self.fields.was_misread
        known = {} if self.classes_are_others else objects()
        self.fields.forget(functions)
        if self.classes_are_others:
            is_careful = self.fields.is_careful or self.fields.was_misread
            self.fields = UnitedFields(is_careful=is_careful)
        if anew:
            self.results, self.arguments, self.joins = ToldResults(), ToldArguments(), JoinedTypes()
            self.captures = ToldCaptures()
        self.given.has_grown = self.fields.has_grown = self._ends_more = False
        self.kept.begin()
        self.captures.begin()
        self.arguments.begin()
        self.makers.begin()
        self.split.begin()
        return {live: naming_none(fields, functions) for live, fields in known.items()}
