"""What the calls of functions that return empty lists say of what these hold."""

from collections.abc import Mapping

from scriptc.check.checked import CheckedFunction, Specialisation
from scriptc.check.open_types import is_open
from scriptc.check.signatures import Signature
from scriptc.check.united_fields import closed
from scriptc_runtime.record import replace
from scriptc_runtime.types import Type


class ToldResults:
    """The types of such results, which outlive what was checked with others."""

    def __init__(self) -> None:
        self._told: dict[Specialisation, Type] = {}
        self._open: dict[Specialisation, Type] = {}
        self._has_grown = False

    def tell(self, callee: Specialisation, type_: Type) -> None:
        """Note what a function returns, for the next check."""
        self._has_grown = self._has_grown or callee not in self._told
        self._told.setdefault(callee, type_)

    def take_told(self) -> bool:
        """Return whether something was told since this was asked."""
        told, self._has_grown = self._has_grown, False
        return told

    def note_open(self, callee: Specialisation, type_: Type) -> None:
        """Note what does not say what it holds."""
        self._open[callee] = type_

    def close(self, done: Mapping[Specialisation, CheckedFunction]) -> bool:
        """Give types to what nothing is put into; return whether there is any.

        What is said here of a function that calls itself may be other than what it came to.
        """
        left = {
            callee: closed(t)
            for callee, t in self._open.items()
            if callee not in self._told and (callee not in done or is_open(done[callee].result))
        }
        self._told |= left
        return bool(left)

    def promised(self, signature: Signature, key: Specialisation) -> Signature:
        """Return the signature of a function, with the result that it is to have."""
        told = self._told.get(key)
        return signature if told is None else replace(signature, result=told)
