"""What a function does with the lists that it is given."""

from scriptc.check.bindings import Typed
from scriptc_runtime.record import record


@record
class ListUses:
    """The list parameters that a function writes to, and whether it may return one.

    `kept` are those that it puts somewhere, each with the words for it; `stored` is what it puts
    into the cells that it is given, by the names of the parameters; `told` are the items, and the
    keys, that it puts into what did not say what it holds.
    """

    written: frozenset[str] = frozenset()
    lends: bool = False
    stored: tuple[tuple[str, Typed], ...] = ()
    kept: tuple[tuple[str, str], ...] = ()
    told: tuple[tuple[str, Typed, Typed | None], ...] = ()
