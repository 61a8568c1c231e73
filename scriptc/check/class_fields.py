"""What is known so far of the fields of a class."""

from collections.abc import Collection, Iterator, Mapping

from scriptc.check.bindings import ListKey, LiteralValue, Typed
from scriptc.check.checked import CheckedClass
from scriptc_runtime.record import field, record
from scriptc_runtime.types import Type


@record(frozen=False)
class ClassFields:
    """The fields of a class; `names` are all of them, and `fields` those whose types are known."""

    live: type
    names: tuple[str, ...]
    base: "ClassFields | None" = None
    fields: dict[str, Type] = field(default_factory=dict[str, Type])
    declared: frozenset[str] = frozenset()
    is_function: bool = False
    inferred: frozenset[str] = frozenset()  # from what `__init__` declares of its parameters
    late: frozenset[str] = frozenset()  # which `__init__` does not set
    changes: int = 0  # how often fields were given other types, beside what was told then
    checked: tuple[tuple[tuple[int, int], ...], CheckedClass] | None = None

    @property
    def line(self) -> "Iterator[ClassFields]":
        """The class and those that it inherits from."""
        found: ClassFields | None = self
        while found is not None:
            yield found
            found = found.base


def related(classes: Mapping[str, ClassFields], names: Collection[str]) -> set[str]:
    """Return classes with all that inherit from them, and from what they inherit from."""
    roots = {name: list(found.line)[-1].live for name, found in classes.items()}
    begun = {root for name, root in roots.items() if name in names}
    return {name for name, root in roots.items() if root in begun}


def literals_inside(value: Typed, items: Mapping[ListKey, Typed]) -> tuple[LiteralValue, ...]:
    """Return the literals that a value may be, or that those inside of a display may be.

    `items` are what is known of the items of open lists.
    """
    found: Typed | None = value
    while found is not None and found.open_list is not None:
        found = items.get(found.open_list)
    return found.literals if found else ()
