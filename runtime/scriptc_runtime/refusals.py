"""Refusals of valid IR: what a stage has no code for, by name and with the place."""

from scriptc_runtime.errors import Diagnostic, UnsupportedError
from scriptc_runtime.ir import Function, Loc

INTERPRET = "scriptc_runtime.load runs the file in the interpreter"


def refusal(
    function: Function, loc: Loc, what: str, *, why: str = "", instead: str = ""
) -> UnsupportedError:
    """Return the error for a part of a function that cannot be compiled."""
    file = loc.file or function.file
    place = f"{file or '?'}:{loc.line}:{loc.column}: " if loc.line else ""
    message = f"{place}machine code for {what} is not built (in {function.name})"
    return UnsupportedError(Diagnostic("not-built", message, why=why, instead=instead))
