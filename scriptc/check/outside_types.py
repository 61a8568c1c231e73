"""What is captured and changes: global containers, and attributes of classes that are stored.

    class Account:
        count = 0
        log = []

        def __init__(self):
            Account.count += 1          Account.count@[0] += 1, of a hidden list
            Account.log.append("new")   list[str], as this says

Containers are handed over as they are, and what is written to them is given back when the call
ends.  An attribute that is stored is the item of a list of its own, which the call is handed.
"""

from collections.abc import Callable, Sequence

from scriptc.check.bindings import Typed, merge_types, united_types
from scriptc.check.open_types import is_open
from scriptc.check.size_names import without_sizes
from scriptc.check.united_fields import closed
from scriptc.values.global_variables import assigned_globals
from scriptc_runtime.types import INT, NONE, OptionalType, Type


class OutsideTypes:
    """The types of what a program captures, as far as the program says them."""

    def __init__(self) -> None:
        self._told: dict[str, Type] = {}
        self._open: dict[str, Type] = {}
        self._none: set[str] = set()
        self._outdated: set[str] = set()  # what has another type in the next check
        self._assigned: dict[int, frozenset[str]] = {}  # variables of modules
        # Values with their types and the classes in them: a large table has many items.
        self._held: dict[int, tuple[object, tuple[Type, Sequence[type]]]] = {}

    def is_assigned(self, variables: dict[str, object], name: str) -> bool:
        """Whether functions of a module assign a variable of it."""
        if id(variables) not in self._assigned:
            self._assigned[id(variables)] = assigned_globals(variables)
        return name in self._assigned[id(variables)]

    def held(
        self, value: object, find: Callable[[], tuple[Type, Sequence[type]]]
    ) -> tuple[Type, Sequence[type]]:
        """Return the type of a value outside and the classes in it, which are found once."""
        if id(value) not in self._held:
            self._held[id(value)] = value, find()
        return self._held[id(value)][1]

    @property
    def are_outdated(self) -> bool:
        """Whether something has another type in the next check of the program than in this one."""
        return bool(self._outdated)

    def begin(self) -> None:
        """Let another check begin, which knows what was told."""
        self._outdated.clear()

    def is_outdated(self, name: str) -> bool:
        """Whether something has another type in the next check: nothing is known of it in this."""
        return name in self._outdated

    def told(self, name: str) -> Type | None:
        """Return the type that the program says, None where the value says it."""
        return self._told.get(name)

    def note_open(self, name: str, type_: Type) -> None:
        """Note what does not say what it holds."""
        self._open[name] = type_

    def note_none(self, name: str) -> Type:
        """Note what holds None until the program says what else, and return a type for it."""
        self._none.add(name)
        return OptionalType(INT)

    def tell(self, name: str, known: Type, value: Typed) -> None:
        """Note that something holds a value, too, which its type in the next check says."""
        known = self._told[name] if name in self._outdated else known
        known = NONE if name in self._none and name not in self._told else known
        told = without_sizes(value.type)
        wider = told if is_open(known) else merge_types(known, told) or united_types(known, told)
        if wider is not None and wider != known:
            self._change(name, wider)

    def suppose(self, name: str, type_: Type) -> None:
        """Note what type something has that is not captured yet."""
        self._told.setdefault(name, type_)

    def tell_open(self, name: str, told: Type) -> None:
        """Note what is put into something that was empty, where nothing said it before."""
        if name not in self._told:
            self._change(name, told)

    def _change(self, name: str, type_: Type) -> None:
        self._told[name] = type_
        self._outdated.add(name)

    def close(self) -> bool:
        """Give types to what nothing is put into; return whether there is any."""
        left = {name: closed(t) for name, t in self._open.items() if name not in self._told}
        self._told |= left
        return bool(left)
