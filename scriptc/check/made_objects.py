"""The classes of which a program makes objects: all of them, and those of a class and its heirs."""

from collections.abc import Iterable, Iterator, Sequence

from scriptc.check.members import exception_base, line_of
from scriptc_runtime.errors import Diagnostic, TypeCheckError


class MadeObjects:
    """Which classes the objects are of, in the order in which these were found."""

    def __init__(self, known: Iterable[type]) -> None:
        self._heirs: dict[type, dict[type, None]] = {}
        self._made: dict[type, None] = {}
        self._exceptions: list[type] = []
        # What was answered about the classes that a type stands for.
        self._answers: dict[str, tuple[type | None, Sequence[type]]] = {}
        for live in known:
            self.note(live)

    def __iter__(self) -> Iterator[type]:
        """Yield the classes."""
        return iter(self._made)

    @property
    def count(self) -> int:
        """How many classes there are."""
        return len(self._made)

    def note(self, live: type) -> None:
        """Note that the program makes objects of a class, or is given some."""
        if live in self._made:
            return
        self._made[live] = None
        for base in line_of(live):
            self._heirs.setdefault(base, {})[live] = None
        if exception_base(live):
            self._exceptions.append(live)

    def heirs(self, live: type | None) -> Sequence[type]:
        """Return those of a class and of what inherits from it; without one, of exceptions."""
        return list(self._exceptions if live is None else self._heirs.get(live, ()))

    def answer(self, name: str, live: type | None) -> Sequence[type]:
        """Return the same as long as nothing is forgotten: what follows from it is to agree."""
        return self._answers.setdefault(name, (live, self.heirs(live)))[1]

    def forget_answer(self, name: str) -> None:
        """Forget what was answered about a class."""
        self._answers.pop(name, None)

    def have_grown(self) -> bool:
        """Whether any answer is another one by now."""
        return any(self.heirs(live) != found for live, found in self._answers.values())

    def asked_too_early(self) -> Iterator[str]:
        """Yield the classes about which the answer is another one by now."""
        for name, (live, found) in self._answers.items():
            if live is not None and self.heirs(live) != found:
                yield name

    def late_heirs(self) -> Iterator[tuple[Sequence[type], Sequence[type]]]:
        """Yield answers, with the classes that are no part of them and inherit as these do."""
        for live, found in self._answers.values():
            late = [heir for heir in self.heirs(live) if heir not in found]
            if live is not None and late:
                yield found, late

    def refuse_lacking(self, first: Diagnostic) -> None:
        """Say instead of an endless recursion that there are no objects of what was asked for."""
        lacking = [name for name, (_, found) in self._answers.items() if name and not found]
        if lacking and first.code == "recursion":
            message = f"the program makes no object of {lacking[0]}, or of a class that inherits"
            why = "what an object does is known of the classes of which there are some"
            instead = "leave out what is done with them"
            raise TypeCheckError(Diagnostic("recursion", message, first.span, why, instead))
