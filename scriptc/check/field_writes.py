"""Which fields a call may write to: those that the functions it reaches assign.

What is known of other fields, that one is not None any more for example, holds after the call.
"""

from collections.abc import Mapping

from scriptc.check.checked import CheckedFunction, Specialisation
from scriptc_runtime.ops import data


class FieldWrites:
    """The names of the fields that functions write to; `done` are those that are checked."""

    def __init__(self, done: Mapping[Specialisation, CheckedFunction]) -> None:
        self._done = done
        self._known: dict[CheckedFunction, frozenset[str]] = {}

    def of(self, key: Specialisation) -> frozenset[str] | None:
        """Return what a call of a function may write to; None where it may be any field.

        That is where it reaches a function that is not checked yet, as one that calls itself.
        """
        names: set[str] = set()
        seen, waiting = {key}, [key]
        while waiting:
            function = self._done.get(waiting.pop())
            if function is None:
                return None
            known = self._known.get(function)
            if known is not None:
                names |= known
                continue
            names |= _own(function)
            new = [callee for callee in function.callees if callee not in seen]
            seen.update(new)
            waiting += new
        return self._known.setdefault(self._done[key], frozenset(names))


def _own(function: CheckedFunction) -> set[str]:
    """Return the fields that a function itself assigns."""
    writes = function.facts.writes.values()
    return {str(write.attrs["name"]) for write in writes if write.op is data.SET_FIELD}
