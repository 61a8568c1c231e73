"""Arguments whose values decide on types: an axis, a flag, a mode that is written down."""

from collections.abc import Mapping, Sequence
from types import FunctionType
from typing import Protocol

from scriptc.check.checked import Constant, Constants, Specialisation
from scriptc.check.library.standard import constant_parameters, is_standard
from scriptc.check.refusals import no_end
from scriptc_runtime.errors import TypeCheckError
from scriptc_runtime.record import record
from scriptc_runtime.types import BOOL, INT, STR, TupleType, Type

Mark = tuple[int, Mapping[str, int]]


class Checker(Protocol):
    """What checks functions."""

    def result(self, key: Specialisation) -> Type | None:
        """Return the result type of a function, None where recursion hides it for now."""
        ...

    def result_united(self, key: Specialisation) -> Type | None:
        """Return it for a function in which what is of several types is a union."""
        ...

    def is_settled(self) -> bool:
        """Whether what is refused stays so."""
        ...

    def mark(self) -> Mark:
        """Return what to go back to."""
        ...

    @property
    def is_outdated(self) -> bool:
        """Whether what is checked now is checked again, with other types of what is told."""
        ...

    def close_fields(self) -> bool:
        """Give types to the fields that hold empty lists alone; return whether there are any."""
        ...

    def close_lists(self) -> bool:
        """Let lists into which nothing is put hold what fits; return whether that is new."""
        ...

    def take_told(self) -> bool:
        """Return whether more is known of what held nothing, so that all is checked again."""
        ...

    def take_joined(self) -> bool:
        """Return whether lists hold more by now that meet others, so that all is checked again."""
        ...

    def go_back(self, mark: Mark) -> None:
        """Forget the functions checked since then, and the types of fields found out."""
        ...

    def go_back_partly(self, mark: Mark) -> None:
        """Forget of these what has to do with classes whose fields are others by now."""
        ...

    def is_partly_older(self, found: Specialisation | None) -> bool:
        """Whether all has to be checked again, as some of it was checked before others."""
        ...


# How many fields may turn out to be of several types, counted once for each further type.
_MOST_UNITED = 500
# What is said of something that is of several types.
_OF_SEVERAL_TYPES = frozenset(
    {"type-merge", "class-field", "unrolled-loop", "recursion", "type-size"}
)


class DecidingArguments:
    """Which parameters have to be constants, for each function and types of its parameters.

    A function is checked for any values first. Only where that is refused are those that a call
    writes down held for constants, and of these only as many as it takes.  Where that is refused,
    too, as something is of several types, such become unions.
    """

    def __init__(self, checker: Checker) -> None:
        self._checker = checker
        self._united: set[Specialisation] = set()
        self._uniting = 0
        self._depth = 0
        self._needed: dict[Specialisation, frozenset[str]] = {}
        # What was refused, without unions and with them.
        self._refused: dict[Specialisation, TypeCheckError] = {}
        self._refused_united: dict[Specialisation, TypeCheckError] = {}
        # The same whatever lists are said to hold into which nothing is put.
        self.refused_anyway: list[TypeCheckError] = []

    def choose(
        self, plain: Specialisation, constants: Constants
    ) -> tuple[Specialisation, Type | None]:
        """Return what a call with some constant arguments calls, and the type of its result."""
        self._depth += 1
        before = self._checker.mark()
        try:
            choose = self._choose if self._depth > 1 else self._choose_for_root
            return choose(plain, constants, before)
        finally:
            self._depth -= 1

    def _choose_for_root(
        self, plain: Specialisation, constants: Constants, before: Mark
    ) -> tuple[Specialisation, Type | None]:
        """Return it once a check tells nothing that the next one would have to know."""
        refused: TypeCheckError | None = None
        joined: TypeCheckError | None = None
        partly = True  # until that has left something of what was forgotten
        for _ in range(_MOST_UNITED):
            try:
                found = self._choose(plain, constants, before)
                if self._checker.take_told():
                    self._go_back(before, partly=partly)
                    continue
                older = self._checker.is_partly_older(found[0])
                if not (self._checker.close_fields() or older):
                    return found
                partly = partly and not older
            except TypeCheckError as refusal:
                if self._checker.take_told():
                    self._go_back(before, partly=partly)
                    continue
                if self._checker.is_partly_older(None):
                    partly = False
                elif _is_of_several_types(refusal) and self._checker.take_joined():
                    joined = joined or refusal  # what is said if that is no help
                elif self._closes(joined or refusal, refused):
                    refused, joined = refused or joined or refusal, None
                else:
                    first = joined or refusal
                    anyway = any(first is known for known in self.refused_anyway)
                    raise (first if anyway else refused or first) from None
            self._go_back(before)
        raise no_end()

    def _closes(self, refusal: TypeCheckError, refused: TypeCheckError | None) -> bool:
        """Whether a refusal may be due to what is empty, and that gets a type now."""
        codes = {diagnostic.code for diagnostic in refusal.diagnostics}
        closes = self._checker.close_fields, self._checker.close_lists
        return bool(refused or "empty-list" in codes) and any(close() for close in closes)

    def try_out(self, plain: Specialisation) -> None:
        """Check a function that nothing calls yet."""
        self._depth += 1
        try:
            self._choose(plain, (), self._checker.mark())
        finally:
            self._depth -= 1

    def _choose(
        self, plain: Specialisation, constants: Constants, before: Mark
    ) -> tuple[Specialisation, Type | None]:
        if plain in self._united:
            return plain, self._result_united(plain)
        needed = self._needed.get(plain)
        if needed is not None:
            key = _with(plain, [c for c in constants if c[0] in needed])
            found = self._try(key)
            if found.refusal is None:
                return key, found.result
        for_all = self._try(plain)
        if for_all.refusal is None:
            return plain, for_all.result
        if self._checker.is_outdated:
            # All is checked again: constants may not be needed then.
            return plain, self._with_unions(plain, for_all.refusal, before)
        key, found = self._least(plain, constants)
        if found.refusal is not None:
            refusal = _more_telling(for_all.refusal, found.refusal)
            return plain, self._with_unions(plain, refusal, before)
        self._needed[plain] = frozenset(name for name, _ in key.constants)
        return key, found.result

    def _with_unions(
        self, plain: Specialisation, refusal: TypeCheckError, before: Mark
    ) -> Type | None:
        """Return the result of a function in which what is of several types is a union."""
        codes = {diagnostic.code for diagnostic in refusal.diagnostics}
        # What a function with unions calls may have some, too.
        may_unite = self._checker.is_settled() or self._uniting
        is_outdated = self._checker.is_outdated
        if codes.isdisjoint(_OF_SEVERAL_TYPES) or not may_unite:
            raise refusal
        # A result that depends on itself is one that is not known yet.
        if is_outdated and not codes <= _OF_SEVERAL_TYPES - {"recursion"}:
            raise refusal  # what is not known in this check may be all that is wrong
        if not is_outdated and self._checker.mark()[1] != before[1]:
            # What was tried has told types of fields, which all that follows would have to keep.
            self._go_back(before)
        if plain in self._refused_united:
            raise self._refused_united[plain]
        try:
            result = self._result_united(plain)
        except TypeCheckError as refused:
            if self._checker.is_outdated:
                self._refused_united[plain] = refused  # another check looks into it
            raise
        self._united.add(plain)
        return result

    def _result_united(self, plain: Specialisation) -> Type | None:
        self._uniting += 1
        try:
            return self._checker.result_united(plain)
        finally:
            self._uniting -= 1

    def _go_back(self, before: Mark, *, partly: bool = False) -> None:
        go_back = self._checker.go_back_partly if partly else self._checker.go_back
        go_back(before)
        self._refused.clear()
        self._refused_united.clear()

    def _least(
        self, plain: Specialisation, constants: Constants
    ) -> "tuple[Specialisation, _Outcome]":
        """Return a function with as few constants as it needs."""
        key, kept = _with(plain, constants), list(constants)
        found = self._try(key)
        if found.refusal is None and len(constants) > 1:
            for name, _ in constants:
                fewer = _with(plain, [c for c in kept if c[0] != name])
                outcome = self._try(fewer)
                if outcome.refusal is None:
                    key, found = fewer, outcome
                    kept = [c for c in kept if c[0] != name]
        return key, found

    def _try(self, key: Specialisation) -> "_Outcome":
        if key in self._refused:
            return _Outcome(None, self._refused[key])
        try:
            return _Outcome(self._checker.result(key), None)
        except TypeCheckError as refusal:
            if self._checker.is_settled() or self._checker.is_outdated:
                self._refused[key] = refusal
            return _Outcome(None, refusal)


def _is_of_several_types(refusal: TypeCheckError) -> bool:
    """Whether what is refused is of several types, so that wider ones may help."""
    return any(diagnostic.code in _OF_SEVERAL_TYPES for diagnostic in refusal.diagnostics)


def _more_telling(general: TypeCheckError, special: TypeCheckError) -> TypeCheckError:
    """Return what is said of values that a call writes down if it is of the same place.

    What these stumble over elsewhere nobody has written.
    """
    same_place = general.diagnostics[0].span == special.diagnostics[0].span
    return special if same_place else general


@record
class _Outcome:
    result: Type | None  # None where recursion hides it for now
    refusal: TypeCheckError | None


def parted(function: FunctionType, constants: Constants) -> tuple[Constants, Constants]:
    """Return the constants that a function of the library says are such, and the others.

    Of the parameters of other functions it is found out whether they have to be constants.
    """
    if not (constants and is_standard(function)):
        return (), constants
    said = constant_parameters(function)
    others = tuple(c for c in constants if c[0] not in said)
    return tuple(c for c in constants if c[0] in said), others


def that_may_decide(constants: Constants, names: Sequence[str], types: Sequence[Type]) -> Constants:
    """Return those of the constant arguments that can be an axis, a flag or a mode."""
    kinds = dict(zip(names, types, strict=True))
    return tuple((name, value) for name, value in constants if may_decide(kinds[name]))


def may_decide(type_: Type) -> bool:
    """Whether values of a type can be an axis, a flag or a mode."""
    items = type_.items if isinstance(type_, TupleType) else (type_,)
    return all(item in (BOOL, INT, STR) for item in items)


def _with(plain: Specialisation, constants: Sequence[tuple[str, Constant]]) -> Specialisation:
    every = (*plain.constants, *constants)
    return Specialisation(plain.function, plain.types, plain.names, plain.fixed, every)
