"""Results of functions that wait for one further out, which is being checked.

    def expression(self): ... self.term()           each calls the next, and the last one the first
    def term(self): ... self.factor()

Such a function is not done, and would be checked anew wherever it is called: in each pass of each
function around it, so that each level of a parser took three times as long as the one before.  As
long as what it has assumed of the others is what they are assumed to be, its result is the same;
and where that changes, its next check begins with what the last one gave.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from scriptc.check.checked import CheckedFunction, Specialisation
from scriptc.check.other_field_types import ONE_TYPE
from scriptc.check.refusals import refuse
from scriptc.check.unfinished import Unfinished
from scriptc.syntax.functions import decorated_span
from scriptc_runtime.errors import TypeCheckError
from scriptc_runtime.record import record
from scriptc_runtime.types import Type

# So often a function is checked in one check of a program: types in a ring may alternate. That of
# the first of a hundred classes whose methods call each other is checked half as often.
_MOST_CHECKS = 500
# How a function is checked, and what is known of classes.
Known = tuple[bool, bool, tuple[int, ...]]


@record(eq=False)
class _Waiting:
    result: Type | None
    refusal: TypeCheckError | None
    asked: tuple[Specialisation, ...]  # the functions further out whose results it has assumed
    known: Known
    supposed: int  # which beginnings it went by; below 0 where they changed meanwhile

    def holds_for(self, known: Known) -> bool:
        """Whether a further check would give the same.

        More classes are no help where something is of several types.
        """
        return self.known == known or (self.is_of_two_types and self.known[:-1] == known[:-1])

    @property
    def is_of_two_types(self) -> bool:
        """Whether it is refused since something is of two types, and for nothing else."""
        return self.refusal is not None and all(
            d.code == "type-merge" or d.why == ONE_TYPE for d in self.refusal.diagnostics
        )


class WaitingResults:
    """What functions gave that are not done yet."""

    def __init__(self, unfinished: Mapping[Specialisation, Unfinished]) -> None:
        self._unfinished = unfinished
        # With unions and without them: one is tried where the other is refused, time and again.
        self._kept: dict[tuple[Specialisation, bool], _Waiting] = {}
        # What each has assumed, which may be done by now.
        self._assumed: dict[Specialisation, tuple[Specialisation, ...]] = {}
        # The functions whose results were assumed, in each check that goes on.
        self._asked: list[dict[Specialisation, None]] = []
        self._ever_asked: set[Specialisation] = set()
        # What functions gave so far, with unions and without them.
        self._supposed: dict[tuple[Specialisation, bool], Type] = {}
        self._changes = 0  # of these
        self._begun: dict[Specialisation, int] = {}  # how often each has been checked

    def begin(self, key: Specialisation, state: Unfinished, unites: bool) -> None:
        """Let a function that is checked again begin with what it gave, not with nothing.

        Raises TypeCheckError for one that has been checked too often.
        """
        self._begun[key] = self._begun.get(key, 0) + 1
        if self._begun[key] > _MOST_CHECKS:
            raise _alternating(key)
        self._ever_asked.discard(key)
        if not state.is_declared:
            state.result = self._supposed.get((key, unites), state.result)

    def noted(self, key: Specialisation, result: Type | None, unites: bool) -> Type | None:
        """Return what a pass over a function gave, which is where its next check begins."""
        if result is not None and self._supposed.get((key, unites)) != result:
            self._supposed[key, unites] = result
            self._changes += 1
        return result

    def of(
        self, key: Specialisation, known: Known, check: Callable[[], Type | None]
    ) -> Type | None:
        """Return the result of a function, which `check` finds out unless it is kept.

        `known` is what else it may depend on: with the same, it gives the same.
        """
        kept = self._kept.get((key, known[0]))
        if kept is None or not kept.holds_for(known) or not self._are_assumed(kept):
            kept = self._kept[key, known[0]] = self._checked(known, check)
            self._assumed[key] = kept.asked
        for other in kept.asked:
            self.ask(other)
        if kept.refusal is not None:
            raise kept.refusal
        return kept.result

    def _checked(self, known: Known, check: Callable[[], Type | None]) -> _Waiting:
        self._asked.append({})
        before = self._changes
        result: Type | None = None
        refusal: TypeCheckError | None = None
        try:
            result = check()
        except TypeCheckError as error:
            if type(error) is not TypeCheckError:
                raise
            refusal = error
        finally:
            asked = {other: None for other in self._asked.pop() if other in self._unfinished}
            if self._asked:
                self._asked[-1] |= asked
        supposed = before if before == self._changes else -1
        return _Waiting(result, refusal, tuple(asked), known, supposed)

    def ask(self, key: Specialisation) -> Type | None:
        """Return what the result of a function that is being checked is assumed to be."""
        self._unfinished[key].ask()
        self._ever_asked.add(key)
        if self._asked:
            self._asked[-1][key] = None
        return self._unfinished[key].result

    def was_asked(self, key: Specialisation) -> bool:
        """Whether the result of a function was assumed in its last check."""
        return key in self._ever_asked

    def _are_assumed(self, kept: _Waiting) -> bool:
        """Whether the function waits for others that go on, and would so again.

        What holds something of two types may wait for none. What is refused whatever others give
        is refused again, if no check begins otherwise.
        """
        if not kept.asked:
            is_same = kept.refusal is not None and kept.supposed == self._changes
            return is_same or kept.is_of_two_types
        return all(other in self._unfinished for other in kept.asked)

    def rely(self, key: Specialisation) -> None:
        """Note that what is checked now relies on what a function that is done has assumed."""
        for other in self._assumed.get(key, ()):
            if other in self._unfinished:
                self.ask(other)

    def _that_assume(self, changed: Specialisation | None) -> list[Specialisation]:
        """Return the functions that have assumed the result of one."""
        return [key for key, asked in self._assumed.items() if changed in asked]

    def forgotten(
        self,
        since: Sequence[Specialisation],
        changed: Specialisation | None,
        done: Mapping[Specialisation, CheckedFunction],
    ) -> Sequence[Specialisation]:
        """Forget those that have assumed the result of a function, which is another.

        Return what is not done any more: of what was checked `since`, all that has assumed any
        result.  For None, where an attempt failed, nothing that was found out in it holds.
        """
        gone = since
        if changed is not None:
            # What lists and texts are made of, say, has asked for no result.
            assume = [key for key in since if self._assumed.get(key) != ()]
            gone = _leading_to([*assume, *self._that_assume(changed)], since, done)
        self.forget(changed, gone)
        return gone

    def forget(self, changed: Specialisation | None, gone: Iterable[Specialisation]) -> None:
        """Forget those that have assumed the result of a function, and `gone`."""
        if changed is None:
            self._kept.clear()
            self._supposed.clear()
            self._changes += 1
        for way in [way for way, kept in self._kept.items() if changed in kept.asked]:
            del self._kept[way]
        for key in gone:
            for unites in (False, True):
                self._kept.pop((key, unites), None)
            self._assumed.pop(key, None)


def _alternating(key: Specialisation) -> TypeCheckError:
    """Return the refusal of a function whose types are others whenever it is checked."""
    message = f"the types in {key.function.__qualname__} and in functions that it calls alternate"
    instead = "annotate the results of the functions that call each other"
    return refuse("recursion", message, instead, decorated_span(key.function))


def _leading_to(
    first: Sequence[Specialisation],
    keys: Sequence[Specialisation],
    done: Mapping[Specialisation, CheckedFunction],
) -> list[Specialisation]:
    """Return some functions, and those among `keys` that call them, others between."""
    callers: dict[Specialisation, list[Specialisation]] = {}
    for key in keys:
        for callee in done[key].callees:
            callers.setdefault(callee, []).append(key)
    found = dict.fromkeys(first)
    waiting = list(found)
    while waiting:
        new = [caller for caller in callers.get(waiting.pop(), ()) if caller not in found]
        found |= dict.fromkeys(new)
        waiting += new
    return list(found)
