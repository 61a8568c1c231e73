"""Empty lists and dicts that kept functions have captured: what these put in says what they hold.

    log = []
    subject.on(lambda event: log.append(event))         list[str], as emit() passes texts
    subject.emit("start")

Where a program is refused as nothing says what such a list holds, it is checked again with objects
that have captured a list of which nothing is known. They are called with what says more, which the
next check knows from the start. If none of them is called, all is as it was.
"""

from scriptc.check.bindings import Typed
from scriptc.check.kept_captures import Place

_Key = tuple[Place, int]
_Told = tuple[Typed, Typed | None]


class ToldCaptures:
    """What is known of such lists, by the variable and the place where the function is made."""

    def __init__(self) -> None:
        self._wanted: set[_Key] = set()
        self._open: set[_Key] = set()  # in this check
        self._next: set[_Key] = set()
        self._given_up: set[_Key] = set()
        self._told: dict[_Key, _Told] = {}
        self._new: dict[_Key, _Told] = {}
        self._captured: dict[tuple[str, str], _Key] = {}

    def of(self, key: _Key) -> _Told | None:
        """Return what an earlier check has told of a list: its items, or values, and keys."""
        return self._told.get(key)

    def want(self, key: _Key) -> bool:
        """Note that nothing is known of a list; return whether it is captured all the same.

        With one, all are: each may be beside another one that calls tell something of.
        """
        self._wanted.add(key)
        if self._open and key not in self._given_up:
            self._open.add(key)
        return key in self._open

    def capture(self, cls: str, name: str, key: _Key) -> None:
        """Note that objects of a class have captured a list of which nothing is known."""
        self._captured[cls, name] = key

    def tell(self, cls: str, name: str, told: _Told) -> None:
        """Say what a call of an object of a class puts into what that has captured."""
        key = self._captured.get((cls, name))
        if key is not None:
            self._new.setdefault(key, told)

    @property
    def has_grown(self) -> bool:
        """Whether another check is needed, as this one or the next one captures such lists."""
        return bool(self._open or self._next)

    def promote(self) -> bool:
        """Let the next check capture those of which nothing was known in one that failed."""
        self._next = self._wanted - self._given_up - self._told.keys()
        return bool(self._next)

    def begin(self) -> None:
        """Let another check begin."""
        if not self._new:
            self._given_up |= self._open
        self._told |= self._new
        self._open, self._next = self._next, set()
        self._wanted, self._new, self._captured = set(), {}, {}
