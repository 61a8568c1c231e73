"""What is to be compiled, and what comes of it: between `api`, the cache and the driver."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from types import FunctionType

from scriptc.cache.dependencies import Dependencies
from scriptc.cache.guards import Guard
from scriptc.cache.loader import NativeFunction
from scriptc.options import Options
from scriptc.values.size_patterns import ANY, Pattern, Sizes, fits, sizes_of
from scriptc_runtime.types import Type

# What takes the values of all parameters, in their order, checks them and gives the result.
Run = Callable[[Sequence[object]], object]

# For how many values of arguments that decide on types code is made, for each types of these.
MOST_VALUES = 16


class Request:
    """A function and the arguments it was called with, or explicit types in their place.

    `sizes` are those whose pattern it is compiled for (`patterns`), None for any; with `any_layout`
    it does not matter how the arrays lie in memory. With `any_values` no argument is a constant, as
    there is code for many values of these already.
    """

    __slots__ = (
        *("any_layout", "any_values", "arguments", "constructs", "function"),
        *("options", "owner", "sizes"),
    )

    def __init__(
        self,
        function: FunctionType,
        arguments: Sequence[object],
        options: Options,
        owner: type | None = None,
        constructs: bool = False,
        sizes: Sizes | None = None,
        any_layout: bool = False,
        any_values: bool = False,
    ) -> None:
        self.function = function
        self.any_values = any_values
        self.sizes = sizes
        self.any_layout = any_layout
        self.arguments = tuple(arguments)
        self.options = options
        self.owner = owner  # the scripted class of a method
        self.constructs = constructs  # the function is the class's `__init__`

    @property
    def for_all_calls(self) -> "Request":
        """The same for arrays of any sizes and layouts."""
        return Request(
            self.function,
            self.arguments,
            self.options,
            self.owner,
            self.constructs,
            any_layout=True,
            any_values=self.any_values,
        )

    @property
    def name(self) -> str:
        """The name that users know, for messages."""
        if self.constructs and self.owner is not None:
            return self.owner.__qualname__
        return self.function.__qualname__


class ExplicitType:
    """Stands for an argument of which only the type is known, and the classes that this names.

    `example` is a value of which its sizes are taken; None for one of which the type says them.
    """

    __slots__ = ("classes", "example", "type")

    def __init__(
        self, type: Type, classes: "Sequence[type[object]]" = (), example: object = None
    ) -> None:
        self.type = type
        self.classes = tuple(classes)
        self.example = example


class Specialisation:
    """A function ready to run on arguments of some kinds, and then the arrays it captures.

    `captures` are the numbers of the guards that hold these: under equal digests the same.
    `constants` are the places and the values of the arguments that it is compiled for alone,
    `pattern` says which sizes.
    """

    __slots__ = (
        *("captures", "constants", "for_cupy", "native", "pattern", "run", "types"),
        "watched",
    )

    def __init__(
        self,
        types: Sequence[str],
        captures: Sequence[int],
        run: Run,
        native: NativeFunction | None = None,
        constants: Sequence[tuple[int, object]] = (),
        pattern: Pattern = ANY,
        for_cupy: NativeFunction | None = None,
        watched: Sequence[int] = (),
    ) -> None:
        self.watched = tuple(watched)  # the numbers of the guards of objects outside that it uses
        self.pattern = pattern
        self.for_cupy = for_cupy  # takes arrays of CuPy's as they are
        self.types = tuple(types)  # of the parameters, as IR text
        self.captures = tuple(captures)
        self.run = run
        self.native = native  # machine code only
        self.constants = tuple(constants)


def are_many(specialisations: Iterable[Specialisation]) -> bool:
    """Whether code was made for as many values of arguments as it is."""
    values = {found.constants for found in specialisations if found.constants}
    return len(values) >= MOST_VALUES


class Record:
    """A specialisation, what it depends on, and where its captured arrays are found.

    If `has_static`, it is compiled for functions or dtypes among the arguments.
    """

    __slots__ = ("_watched", "captures", "dependencies", "has_static", "specialisation")

    def __init__(
        self,
        specialisation: Specialisation,
        dependencies: Dependencies,
        captures: tuple[Guard, ...],
        has_static: bool,
    ) -> None:
        self.specialisation = specialisation
        self.dependencies = dependencies
        self.captures = captures
        self.has_static = has_static
        guards = dependencies.guards
        self._watched = tuple(guards[number] for number in specialisation.watched)

    @property
    def holds(self) -> bool:
        """Whether all that the code depends on is as it was."""
        return self.dependencies.hold and all(guard.holds for guard in self._watched)


def fitting(records: Sequence[Record], values: Sequence[object]) -> Record | None:
    """Return what serves a call with the sizes of these values."""
    if len(records) == 1 and records[0].specialisation.pattern is ANY:
        return records[0]
    sizes = sizes_of(values)
    return next((r for r in records if fits(r.specialisation.pattern, sizes)), None)


def standing_alone(records: Mapping[tuple[Hashable, ...], Sequence[Record]]) -> list[Record]:
    """Return what machine code alone serves, of what is known for each key."""
    return [record for found in records.values() for record in found if _stands_alone(record)]


def _stands_alone(record: Record) -> bool:
    """Whether the kinds of arguments say all there is to know for a call of machine code."""
    found = record.specialisation
    looked_up = found.constants or record.captures or record.has_static or found.watched
    return bool(found.native and not looked_up) and record.holds
