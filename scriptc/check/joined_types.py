"""Types of lists and containers that meet where no display is at hand: all such hold more.

    def ages(): return {"Ann": 3}               both are dict[str, int | dict[str, bool]] in the
    def flags(): return {"x": {"y": True}}      next check of the program, as one dict takes what
    merged = ages()                             is in the other one
    merged.update(flags())

Only where a program is refused for it, as other lists of the same type become slower by it.
"""

from collections.abc import Iterator

from scriptc.check.open_types import is_open
from scriptc_runtime import type_graphs
from scriptc_runtime.record import field, record
from scriptc_runtime.recursive_types import RecursiveUnion
from scriptc_runtime.types import Container, ListType, Type, all_parts
from scriptc_runtime.unions import kind_of, members_of, without_dims

# So often a program is checked anew for what is told here.
_MOST_CHECKS = 4


@record(frozen=False, eq=False)
class JoinedTypes:
    """Which types of lists and containers hold more from the next check on, and what.

    What takes more than one check is of many types: from then on all that it holds may be of any of
    them, `whole`, and what holds such is of it, too.
    """

    wider: dict[Type, Type] = field(default_factory=dict[Type, Type])
    whole: Type | None = None
    # Whether lists of numbers or texts that are computed hold more, too: nothing else has helped.
    also_computed: bool = False
    _is_no_help: bool = False
    _told: dict[Type, Type] = field(default_factory=dict[Type, Type])
    _checks: int = 0
    _found: dict[Type, Type] = field(default_factory=dict[Type, Type])

    def tell(self, first: Type, second: Type) -> None:
        """Note that values of both types meet."""
        if self._checks and not self.also_computed and self._knows(first, second):
            self._is_no_help = True
            return
        more = () if self.whole is None else (self.whole,)
        whole = type_graphs.joined((first, second, *more), alike=self._checks > 0)
        found = [] if whole is None else [*_differences(first, whole), *_differences(second, whole)]
        if not found:
            return  # arrays and numbers hold nothing
        if self._checks:
            self.whole = whole
        for narrow, wide in found:
            if is_open(narrow):  # as all lists are at first
                continue
            known = self._told.get(narrow, self.wider.get(narrow))
            wide = wide if known is None else type_graphs.joined((known, wide)) or known
            if wide != known:
                self._told[narrow] = wide
            else:
                self._is_no_help = True

    def _knows(self, first: Type, second: Type) -> bool:
        """Whether it was told before that both meet, which has not helped."""
        whole = type_graphs.joined((first, second))
        found = [] if whole is None else [*_differences(first, whole), *_differences(second, whole)]
        return bool(found) and all(self.wider.get(narrow) == wide for narrow, wide in found)

    def take_told(self) -> bool:
        """Let the next check know it; return whether there is something new, and another check."""
        told, self._told = self._told, {}
        if not told and self._is_no_help and not self.also_computed:
            self.also_computed = True
            return True
        self._checks += bool(told)
        self.wider |= told
        self._found.clear()
        return bool(told) and self._checks <= _MOST_CHECKS

    def widened(self, type_: Type) -> Type:
        """Return a type in which all lists and containers are as wide as they are told to be."""
        if not self.wider:
            return type_
        if type_ not in self._found:
            try:
                found = (
                    type_graphs.type_at(type_graphs.Graph(wider=self.wider).node(type_)) or type_
                )
            except type_graphs.NoTypeError:
                found = type_
            self._found[type_] = self._alike(found)
        return self._found[type_]

    def _alike(self, type_: Type) -> Type:
        """Return the one type of lists, or containers, that hold what may be of any type."""
        if not isinstance(self.whole, RecursiveUnion) or self.whole not in all_parts(type_):
            return type_
        return next((m for m in self.whole.members if kind_of(m) == kind_of(type_)), type_)


def _differences(narrow: Type, wide: Type) -> Iterator[tuple[Type, Type]]:
    """Yield the lists and containers in a type with what another one has in their places."""
    seen: set[tuple[Type, Type]] = set()
    waiting = [(narrow, wide)]
    while waiting:
        one, other = waiting.pop()
        if (one, other) in seen or one == other:
            continue
        seen.add((one, other))
        there = {kind_of(without_dims(member)): member for member in members_of(other)}
        for member in members_of(one):
            plain = without_dims(member)
            match = there.get(kind_of(plain))
            if match is None or match == plain:
                continue
            if isinstance(plain, ListType | Container):
                yield plain, match
            waiting += zip(type_graphs.places_of(plain), type_graphs.places_of(match), strict=False)
