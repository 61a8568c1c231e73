"""What a function does with the lists that it is given."""

from scriptc.check.bindings import Typed
from scriptc_runtime.errors import Diagnostic
from scriptc_runtime.record import record
from scriptc_runtime.types import Type


class GivenLists:
    """What is found out of the list parameters while a function is checked.

    They are written to, and kept, each in the words for that; one of them may be the result.
    `placed` are lists of Python's that are put somewhere.
    """

    def __init__(self) -> None:
        self.written: set[str] = set()
        self.lends = False
        self.kept: dict[str, str] = {}
        self.placed: list[tuple[Diagnostic, Type]] = []


@record
class ListUses:
    """The list parameters that a function writes to, and whether it may return one.

    `kept` are those that it puts somewhere, each with the words for it; `stored` is what it puts
    into the cells that it is given, by the names of the parameters; `told` are the items, and the
    keys, that it puts into what did not say what it holds. `placed` are the types of the lists of
    Python's that it puts somewhere, each with what is said where something may keep it.
    """

    written: frozenset[str] = frozenset()
    lends: bool = False
    stored: tuple[tuple[str, Typed], ...] = ()
    kept: tuple[tuple[str, str], ...] = ()
    told: tuple[tuple[str, Typed, Typed | None], ...] = ()
    placed: tuple[tuple[Diagnostic, Type], ...] = ()
