"""What the check of a program finds out too late: the next check knows it from the start."""

from scriptc.check.generator_classes import GivenToGenerators
from scriptc.check.kept_captures import KeptCaptures
from scriptc.check.result_types import ToldResults
from scriptc_runtime.record import field, record


@record(frozen=False, eq=False)
class Rounds:
    """What is known from earlier checks of a program."""

    given: GivenToGenerators = field(default_factory=GivenToGenerators)
    kept: KeptCaptures = field(default_factory=KeptCaptures)
    results: ToldResults = field(default_factory=ToldResults)

    @property
    def have_grown(self) -> bool:
        """Whether this check has found out what it did not know where it mattered."""
        return self.given.has_grown or self.kept.has_grown

    def begin(self) -> None:
        """Let another check begin, which knows it all."""
        self.given.has_grown = False
        self.kept.begin()
