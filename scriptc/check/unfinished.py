"""Functions that are being checked."""

from scriptc.check.generator_classes import GeneratorClass
from scriptc.check.list_uses import ListUses
from scriptc.check.size_names import without_sizes
from scriptc_runtime.record import field, record
from scriptc_runtime.types import Type


@record(frozen=False)
class Unfinished:
    """A function being checked: what recursive calls of it may assume."""

    result: Type | None
    is_declared: bool
    was_asked: bool = False  # for what is not declared
    was_told: bool = False  # what is declared
    was_assumed: bool = False  # that it is None, as no call comes back
    uses: ListUses = field(default_factory=ListUses)

    def is_refuted(self, result: Type | None) -> bool:
        """Whether a recursive call assumed another result than the function turned out to have.

        Where a float is declared, NumPy's float64 stays one.
        """
        if self.was_told and result is not None:
            return without_sizes(result) != self.result
        return self.was_asked and result != self.result

    def was_wrong(self, result: Type | None, generator: GeneratorClass | None) -> bool:
        """Whether recursive calls assumed what turned out otherwise; note what it is."""
        is_refuted = self.is_refuted(result)
        if is_refuted:
            self.result = without_sizes(result) if self.was_told and result else result
        return is_refuted or (generator is not None and generator.is_changed)
