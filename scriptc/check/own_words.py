"""Names of the compiler's own in refusals, and what users call what they stand for.

Functions and generators are objects of classes of the checker, `max_function`; some classes of
Python's library are compiled from classes with other names.
"""

import re
import sys
from collections.abc import Mapping

from scriptc_runtime.errors import Diagnostic, Note, ScriptError, TypeCheckError
from scriptc_runtime.record import replace
from scriptc_runtime.records import classes_made

_ARRAYS = "scriptc.stand_ins.number_arrays"
_ARRAY_NAMES = dict.fromkeys(("FloatArray", "IntArray"), "array.array")


def in_own_words(error: ScriptError, *known: Mapping[str, str]) -> ScriptError:
    """Return a refusal with words of the user in place of the names in `known`."""
    names: dict[str, str] = {**_ARRAY_NAMES} if _ARRAYS in sys.modules else {}
    names |= {cls.__name__: f"a structured array of {cls.dtype}" for cls in classes_made()}
    for words in known:
        names |= words
    if not names or not isinstance(error, TypeCheckError):
        return error
    mentions = re.compile(rf"\b({'|'.join(map(re.escape, names))})\b")

    def said(text: str) -> str:
        return mentions.sub(lambda found: names[found[0]], text)

    def diagnostic(told: Diagnostic) -> Diagnostic:
        notes = tuple(Note(said(note.message), note.span) for note in told.notes)
        texts = {"message": said(told.message), "why": said(told.why)}
        return replace(told, **texts, instead=said(told.instead), notes=notes)

    told = [diagnostic(one) for one in error.diagnostics]
    return error if told == list(error.diagnostics) else TypeCheckError(*told)
