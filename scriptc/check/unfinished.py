"""Functions that are being checked."""

from collections.abc import Callable, Mapping
from types import FunctionType

from scriptc.check import endless_types
from scriptc.check.endless_types import becomes, grown
from scriptc.check.generator_classes import GeneratorClass
from scriptc.check.hints import names_in
from scriptc.check.list_uses import ListUses
from scriptc.check.parameters import classes_named
from scriptc.check.signatures import Signature
from scriptc.check.size_names import without_sizes
from scriptc_runtime.errors import ScriptError, Span
from scriptc_runtime.record import field, record
from scriptc_runtime.types import BOOL, FLOAT, INT, NONE, STR, Type

# What Python demands of the result of a method, or what most of these give: a method that asks
# itself goes on with that, until its own result says otherwise.
_EXPECTED: Mapping[str, Type] = {
    **dict.fromkeys(("__repr__", "__str__", "__format__"), STR),
    **dict.fromkeys(("__len__", "__hash__"), INT),
    **dict.fromkeys(("__bool__", "__contains__", "__eq__", "__ne__"), BOOL),
    **dict.fromkeys(("__lt__", "__le__", "__gt__", "__ge__"), BOOL),
}


@record(frozen=False)
class Unfinished:
    """A function being checked: what recursive calls of it may assume."""

    result: Type | None
    is_declared: bool
    was_asked: bool = False  # for what is not declared
    was_told: bool = False  # what is declared
    was_assumed: bool = False  # that it is None, as no call comes back
    uses: ListUses = field(default_factory=ListUses)
    guesses: list[Type] = field(default_factory=lambda: [FLOAT, STR, INT])
    before: tuple[Type | None, ListUses] | None = None  # what a call could assume in this pass

    def begin_pass(self) -> None:
        """Note what calls in the pass that begins may assume."""
        self.was_asked, self.before = False, (self.result, self.uses)

    @property
    def has_changed(self) -> bool:
        """Whether the next pass may assume something else."""
        return self.before != (self.result, self.uses)

    def ask(self) -> None:
        """Note that a call assumes its result."""
        self.was_asked = self.was_asked or not self.is_declared
        self.was_told = self.is_declared

    def assumes_any(self) -> bool:
        """Take the result for any, as no call comes back; return whether that was not tried.

        What does not raise is as good as one that returns None, or a number, or a text: the first
        with which nothing is refused.
        """
        if self.was_assumed:
            return False
        self.was_assumed, self.result = True, NONE
        return True

    def is_refuted(self, result: Type | None) -> bool:
        """Whether a recursive call assumed another result than the function turned out to have.

        Where a float is declared, NumPy's float64 stays one.
        """
        if self.was_told and result is not None:
            return without_sizes(result) != self.result
        is_open = result is None and not self.was_assumed
        return self.was_asked and not is_open and result != self.result

    def settled(self, result: Type | None) -> Type | None:
        """Return the result as recursive calls assumed it, where that holds what it turned out.

        ll(n) = None if n == 0 else (n, ll(n - 1))      tuple[rec, rec] | None, with ints in rec
        """
        if not self.was_asked or result is None or self.result is None:
            return result
        is_held = grown(self.result, result) == self.result and becomes(result, self.result)
        return self.result if is_held else result

    def is_unsure(self, result: Type | None) -> bool:
        """Whether recursive calls assumed a result that nothing in this pass bears out."""
        return self.was_asked and result is None and self.result is not None

    def was_wrong(
        self, result: Type | None, generator: GeneratorClass | None, *, is_refused: bool
    ) -> bool:
        """Whether recursive calls assumed what turned out otherwise; note what it is."""
        if self.was_assumed and is_refused:
            has_another = bool(self.guesses)
            self.result = self.guesses.pop() if has_another else self.result
            return has_another
        is_refuted = self.is_refuted(result)
        if is_refuted and self.was_told and result is not None:
            self.result = without_sizes(result)
        elif is_refuted:
            self.result = result and endless_types.grown(self.result, result)
        return is_refuted or (generator is not None and generator.is_changed)


def unfinished(declared: Type | None, name: str, expected: Type | None) -> Unfinished:
    """Return what calls of a function may assume where it begins to be checked."""
    if declared is not None:
        return Unfinished(without_sizes(declared), is_declared=True)
    return Unfinished(_EXPECTED.get(name, expected), is_declared=False)


def expected_result(
    declare: Callable[[type, Span | None], None], signature: Signature, function: FunctionType
) -> Type | None:
    """Return what a result is expected to be, whose classes are declared by that."""
    if signature.expected is None:
        return None
    try:
        for live in classes_named(function.__annotations__["return"], names_in(function)):
            declare(live, None)
    except ScriptError:
        return None
    return signature.expected
