"""What a program tells of fields without annotation beyond what one `__init__` gives them."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from scriptc.check.bindings import LiteralValue, Typed
from scriptc.check.class_fields import ClassFields
from scriptc.check.members import bases_of
from scriptc.check.open_types import UNTOLD, is_open
from scriptc.check.parameter_types import specialised
from scriptc.check.refusals import is_scripted
from scriptc.check.size_names import without_sizes
from scriptc.check.wider_types import wider_type
from scriptc_runtime.record import replace
from scriptc_runtime.types import (
    INT,
    NONE,
    ClassType,
    DequeType,
    DictType,
    ListType,
    OptionalType,
    SetType,
    Type,
    all_parts,
    parts_of,
)
from scriptc_runtime.unions import members_of, union_of, without_none

# Classes of which objects are made, with the types of the fields that are known.
Objects = dict[type, Mapping[str, Type]]
# So many checks in turn may tell what the one before told.
_MOST_ALIKE = 10


class UnitedFields:
    """The types of such fields, which outlive what was checked with others."""

    def __init__(self, *, is_careful: bool = False) -> None:
        self.is_careful = is_careful
        self.was_misread = False  # that something has another type than it was read as
        self._read_ahead: dict[tuple[type, str], Type] = {}
        self._types: dict[type, dict[str, Type]] = {}
        self._literals: dict[tuple[type, str], tuple[LiteralValue, ...]] = {}
        # Fields that no method of the class sets.
        self.added: dict[type, dict[str, None]] = {}
        # The types of all fields, as far as they were known before.
        self.seen: Objects = {}
        # The classes that these types name, which a program may otherwise reach too late.
        self.classes: dict[type, None] = {}
        # Fields that an `__init__` sets before anything reads them, once its object is made, and
        # those of them that may be None.
        self._sure: dict[type, frozenset[str]] = {}
        self._with_none: set[tuple[type, str]] = set()
        # The types of fields into which nothing is put, before they were given one.
        self._open: dict[type, dict[str, Type]] = {}
        self.has_grown = False
        self._told_before: dict[type, dict[str, Type]] = {}
        self._same = 0

    def of(self, live: type) -> Mapping[str, Type]:
        """Return the fields of a class of which more is known, with their types."""
        found: dict[str, Type] = {}
        for owner in reversed(bases_of(live)):
            found |= self._types.get(owner, {})
        return found

    def is_as_before(self) -> bool:
        """Whether many checks in turn have told the same types: there is no end to them."""
        told = {live: dict(types) for live, types in self._types.items()}
        self._same = self._same + 1 if told == self._told_before else 0
        self._told_before = told
        return self._same >= _MOST_ALIKE

    def see(self, live: type, fields: Mapping[str, Type]) -> None:
        """Note the types of the fields of a class, which its `__init__` may tell later again."""
        told = {name: type_ for name, type_ in fields.items() if not is_open(type_)}
        self.seen[live] = {**self.seen.get(live, {}), **told}

    def note_literals(self, live: type, name: str, literals: tuple[LiteralValue, ...]) -> None:
        """Note the literals that an `__init__` gives a field: what is none stays of its type."""
        key = live, name
        before = self._literals.get(key)
        is_none_of = before is not None and not before
        self._literals[key] = () if is_none_of else literals

    def note_open(self, live: type, name: str, type_: Type) -> None:
        """Note what is known of a field into which this program puts nothing."""
        self._open.setdefault(live, {})[name] = type_

    def open_of(self, live: type) -> Mapping[str, Type]:
        """Return the fields into which this program puts nothing, with what is known of them."""
        return self._open.get(live, {})

    def note_sure(self, live: type, names: frozenset[str]) -> None:
        """Note the fields of a class that are set late, and before anything reads them."""
        self._sure[live] = names

    def note_late(self, live: type, name: str) -> None:
        """Note that an `__init__` sets a field on some of its paths alone, or on none."""
        self.added.setdefault(live, {})[name] = None
        self.has_grown = True

    def note_none(self, live: type, name: str) -> bool:
        """Note that a field may be set to None; return whether it may, though it is set late."""
        if name not in self._sure.get(live, ()):
            return False
        self.has_grown |= (live, name) not in self._with_none
        self._with_none.add((live, name))
        return True

    def may_be_none(self, live: type, name: str) -> bool:
        """Whether a field that is set late may be set to None, and is never read before."""
        return (live, name) in self._with_none

    def wider(
        self,
        owner: ClassFields,
        name: str,
        known: Type,
        value: Typed,
        *,
        may_unite: bool,
        stays: bool,
    ) -> Type | None:
        """Return the type of a field that holds a value, too; None if that is no type.

        With `stays` what it holds is of the type that it is.
        """
        told = without_sizes(value.type)
        if is_open(known):
            is_none_besides = isinstance(known, OptionalType) and NONE not in members_of(told)
            return union_of((told, NONE)) if is_none_besides else told
        if name in owner.declared and _is_of_kind(told, known):
            return told
        # Of literals: `self.total = 0` is a float where floats are added.
        literals = self._literals.get((owner.live, name), ())
        return wider_type(known, told, literals, value.literals, may_unite=may_unite, stays=stays)

    def forget(self, classes: Collection[str]) -> None:
        """Forget the types that name some classes."""
        self._types = {live: naming_none(types, classes) for live, types in self._types.items()}
        self._open = {live: naming_none(types, classes) for live, types in self._open.items()}
        self.seen = {live: naming_none(types, classes) for live, types in self.seen.items()}
        ahead = self._read_ahead.items()
        self._read_ahead = {key: t for key, t in ahead if naming_none({"": t}, classes)}

    def is_read_ahead(self, live: type, name: str, known: Type, told: Type) -> bool:
        """Whether a field has the type that was told of it at once, not in the next check alone.

        It was None as far as was known, so it most likely has this type at the end.  Where it has
        not, what was told by those who have read it is wrong: all begins anew, and none is read so.
        """
        may_be = known is NONE and not is_open(told) and not self.is_careful
        if may_be:
            self._read_ahead[live, name] = told
        return may_be

    def tell(self, live: type, name: str, type_: Type, named: Iterable[type]) -> None:
        """Note the type of a field; `named` are the classes that it names."""
        if self._read_ahead.get((live, name), type_) != type_:
            self.was_misread = self.has_grown = True
        self._types.setdefault(live, {})[name] = type_
        self._open.get(live, {}).pop(name, None)
        self.classes |= dict.fromkeys(named)


def naming_none(fields: Mapping[str, Type], classes: Collection[str]) -> dict[str, Type]:
    """Return the fields with types that name none of some classes."""

    def is_one(part: Type) -> bool:
        return isinstance(part, ClassType) and part.name in classes

    return {name: t for name, t in fields.items() if not any(map(is_one, all_parts(t)))}


def takes(live: type, declared: Type | None, told: Type) -> bool:
    """Whether a field takes what is told of it: of declared ones, lists and their like alone do.

    These hold NumPy's numbers for Python's, where Python gives no objects of the class.
    """
    if declared is None:
        return True
    is_container = isinstance(without_none(declared), ListType | DictType | SetType | DequeType)
    return is_container and specialised(told, declared) == told and not is_scripted(live)


def _is_of_kind(told: Type, declared: Type) -> bool:
    """Whether a defaultdict or the like is told, of which `dict[str, int]` says no more."""
    if not (isinstance(declared, DictType) and isinstance(told, DictType)):
        return False
    return declared.kind == "dict" != told.kind and specialised(told, declared) == told


def closed(type_: Type) -> Type:
    """Return a type of a list or container into which nothing is ever put: one of ints."""
    match type_:
        case ListType(item, frozen):
            return ListType(closed(item), frozen)
        case SetType(item, frozen):
            return SetType(closed(item), frozen)
        case DictType(key, value):
            return replace(type_, key=closed(key), value=closed(value))
        case DequeType(item):
            return DequeType(closed(item))
        case OptionalType(item):
            return OptionalType(closed(item))
        case _:
            return INT if type_ == UNTOLD else type_


def class_names(types: Iterable[Type]) -> Iterator[str]:
    """Yield the names of the classes in types."""
    for type_ in types:
        if isinstance(type_, ClassType):
            yield type_.name
        yield from class_names(parts_of(type_))
