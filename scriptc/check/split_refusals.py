"""Classes that are split where no union holds what a field is: see `split_classes`."""

from scriptc.check.generics import ORIGIN, parameters_of
from scriptc.check.members import bases_of, exception_base
from scriptc.check.refusals import is_scripted
from scriptc.check.united_fields import UnitedFields
from scriptc.values.class_attributes import changing_attributes
from scriptc_runtime.errors import ScriptError
from scriptc_runtime.types import TensorType, Type
from scriptc_runtime.unions import members_of


class SplitClasses:
    """Such classes, and what is said if the program is refused with them, too."""

    def __init__(self) -> None:
        self._noted: set[type] = set()
        self._known: frozenset[type] = frozenset()
        self.has_grown = False
        # What the program is refused for without them: it is said if it is refused with them, too.
        self.refusal: ScriptError | None = None

    def __contains__(self, live: type) -> bool:
        """Whether objects of a class are of one for the types of their arguments."""
        return live in self._known

    def note(self, live: type) -> None:
        """Note that fields of the objects of a class have types that no union holds."""
        if live not in self._noted and _may_be_split(live):
            self._noted.add(live)
            self.has_grown = True

    def promote(self, fields: UnitedFields) -> bool:
        """Note the classes with arrays of several ranks in one field, of a program that is refused.

        What is computed with such an array has as many ranks, and more with each step.
        """
        for live in list(fields.seen):
            if any(
                map(_of_several_ranks, (*fields.seen[live].values(), *fields.of(live).values()))
            ):
                self.note(live)
        return self.has_grown

    def keep(self, refusal: ScriptError) -> None:
        """Note what a check ends with, which the next one may mend."""
        if self.has_grown and self.refusal is None:
            self.refusal = refusal

    def begin(self) -> None:
        """Let a check of the program begin that knows of them."""
        self._known = frozenset(self._noted)
        self.has_grown = False

    @property
    def names(self) -> frozenset[str]:
        """The names of these classes: in annotations they are hints."""
        return frozenset(live.__name__ for live in self._known)


def _may_be_split(live: type) -> bool:
    """Whether nothing but its own methods and what makes its objects is about a class."""
    is_of_its_own = bases_of(live) == [live] and not live.__subclasses__()
    is_other = is_scripted(live) or exception_base(live) or parameters_of(live)
    return is_of_its_own and not (is_other or ORIGIN in vars(live) or changing_attributes(live))


def _of_several_ranks(type_: Type) -> bool:
    ranks = {len(part.dims) for part in members_of(type_) if isinstance(part, TensorType)}
    return len(ranks) > 1
