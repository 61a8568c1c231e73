"""The parameters of functions, as calls see them."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from scriptc.check.whole_types import with_bigints
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import ClassType, ListType, TupleType, Type, all_parts


@record(eq=False)
class Signature:
    """The parameters of a function: their names, what is declared of them, and defaults."""

    names: tuple[str, ...]
    declared: Mapping[str, Type]
    defaults: Mapping[str, object]
    positional: int  # how many can be given by position
    by_name: frozenset[str]
    result: Type | None = None
    is_nested: bool = False
    starred: str | None = None  # the parameter that takes all other positional arguments
    keywords: str | None = None  # the one that takes all other arguments by name
    expected: Type | None = None  # what calls of itself take its result for, until they know it

    @property
    def with_bigints(self) -> "Signature":
        """The same, with ints of any size for those that are declared."""
        declared = {name: with_bigints(type_) for name, type_ in self.declared.items()}
        return replace(
            self, declared=declared, result=with_bigints(self.result) if self.result else None
        )

    def without_classes(self, names: AbstractSet[str]) -> "Signature":
        """Return the same, where what is declared as an object of some classes is not."""
        if not names:
            return self

        def holds(type_: Type | None) -> bool:
            return type_ is not None and any(
                isinstance(part, ClassType) and part.name in names for part in all_parts(type_)
            )

        declared = {name: type_ for name, type_ in self.declared.items() if not holds(type_)}
        result = None if holds(self.result) else self.result
        expected = None if holds(self.expected) else self.expected
        return replace(self, declared=declared, result=result, expected=expected)

    def declared_as(self, name: str, given: Type) -> Type | None:
        """Return what is declared of a parameter that is given a value of type `given`."""
        if self.keywords and name.startswith(f"{self.keywords}@"):
            return self.declared.get(self.keywords)  # each value is declared
        declared = self.declared.get(name)
        if name != self.starred or declared is None:
            return declared
        if isinstance(given, ListType) and given.frozen:
            return ListType(declared, frozen=True)
        if not isinstance(given, TupleType):
            return declared
        return TupleType((declared,) * len(given.items))  # each of them is declared
