"""Which classes the check of a function has asked for: without them it is what it is.

    def tsne(X): ...                                            asks for no class
    class PCA:
        def fit(self, X): self.mean_ = X.mean(axis=0)           asks for PCA

Where a field turns out to hold something else, what has asked for its class is checked again, and
what calls that; the rest of the program stays as it is.  A class goes with those that inherit from
it and with its bases.
"""

from collections.abc import Callable, Collection
from collections.abc import Set as AbstractSet
from typing import TypeVar

from scriptc.check.checked import CheckedFunction, Specialisation
from scriptc.check.finished import all_reached, for_this_attempt
from scriptc.check.generators import GeneratorClasses
from scriptc_runtime.types import Type

T = TypeVar("T")


class NotedNames(dict[str, T]):
    """What is known by the names of classes: whoever looks for one is noted."""

    def __init__(self, note: Callable[[str], None]) -> None:
        super().__init__()
        self._note = note

    def __contains__(self, name: object) -> bool:
        self._note(str(name))
        return super().__contains__(name)

    def __getitem__(self, name: str) -> T:
        self._note(name)
        return super().__getitem__(name)


class AskedClasses:
    """The names of the classes that each check has asked for, and those that it relies on."""

    def __init__(self, done: dict[Specialisation, CheckedFunction]) -> None:
        self._done = done
        self._asked: dict[Specialisation, set[str]] = {}
        self._going_on: list[set[str]] = []
        self._left: AbstractSet[Specialisation] = frozenset[Specialisation]()

    def note(self, name: str) -> None:
        """Note that what is checked now asks for a class."""
        if self._going_on:
            self._going_on[-1].add(name)

    def rely(self, key: Specialisation) -> None:
        """Note that what is checked now relies on a function that has been checked before."""
        if self._going_on:
            self._going_on[-1].update(self._asked.get(key, ()))

    def during(self, key: Specialisation, check: Callable[[], Type | None]) -> Type | None:
        """Return what a check gives, and keep what it asks for."""
        self._going_on.append(set())
        try:
            return check()
        finally:
            names = self._going_on.pop()
            self._asked.setdefault(key, set()).update(names)
            self.rely(key)

    def forget(
        self, known: int, names: Collection[str], related: Callable[[Collection[str]], set[str]]
    ) -> tuple[Collection[Specialisation], AbstractSet[str]]:
        """Forget what of the functions done since `known` has to do with some classes.

        Return it, and all classes that begin anew: those that are `related` to them, too.
        """
        since = list(self._done)[known:]
        callers: dict[Specialisation, list[Specialisation]] = {}
        for key in since:
            for callee in self._done[key].callees:
                callers.setdefault(callee, []).append(key)
        others, gone = related(names), dict[Specialisation, None]()
        while waiting := [k for k in since if k not in gone and others & self._asked[k]]:
            while waiting:
                key = waiting.pop()
                if key not in gone:
                    gone[key] = None
                    waiting += callers.get(key, ())
            made = (self._done[key].constructs for key in gone)
            others |= related([live.name for live in made if live])
        for key in gone:
            del self._done[key]
        # What asks for no class is what it would be anyway.
        left = for_this_attempt(self._done, known, None)
        self._left = frozenset(key for key in left if self._asked[key])
        return gone, others

    def are_left_over(self, found: Specialisation | None, generators: GeneratorClasses) -> bool:
        """Whether all has to be checked anew, as something is left of what was forgotten in part.

        It may be that a class has fields as an `__init__` gave them that nothing calls any more;
        and of what is refused, without `found`, more may be known if nothing is left.
        """
        left, self._left = self._left & self._done.keys(), frozenset()
        if found is None:
            return bool(left)
        made = [key for key in left if self._done[key].constructs]
        every = all_reached([found], self._done, generators) if made else ()
        return bool(made) and not {f.key for f in every}.issuperset(made)
