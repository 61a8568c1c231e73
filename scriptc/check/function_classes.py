"""The classes whose objects are functions: one for each function and types of what it captured."""

from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from zlib import crc32

from scriptc_runtime.bits import same_bits
from scriptc_runtime.record import record
from scriptc_runtime.types import ClassType, Type
from scriptc_runtime.unions import members_of

# The field that holds the object of a bound method.
SELF = "self"


@record(eq=False)
class FunctionValue:
    """What a call of an object of one of the classes calls.

    `target` is a closure, whose variables are the fields; or something else that Python calls; or
    the name of a method of what the field `SELF` holds.  `captured` are variables and their types.
    """

    name: str
    captured: Mapping[str, Type]
    target: object
    is_method: bool

    @property
    def fields(self) -> Mapping[str, Type]:
        """The fields of the class, in the order of `captured`."""
        names = [SELF] if self.is_method else [f"captured{i}" for i in range(len(self.captured))]
        return dict(zip(names, self.captured.values(), strict=True))


def functions_in(
    type_: Type, called: Callable[[str], FunctionValue | None]
) -> Sequence[FunctionValue]:
    """Return the functions that an object of a type may be; none where it may be something else.

    `called` says what a call of an object of a class calls.
    """
    members = members_of(type_)
    values = [called(m.name) for m in members if isinstance(m, ClassType)]
    known = [value for value in values if value is not None]
    return known if len(known) == len(members) else ()


class FunctionClasses:
    """The classes of a program whose objects are functions, by name."""

    def __init__(self, declare: Callable[[type, Mapping[str, Type]], None]) -> None:
        self._declare = declare
        self._named: dict[str, FunctionValue] = {}
        self._library: set[type] = set()

    def declare(self, live: type, fields: Mapping[str, Type]) -> None:
        """Note a class of the library, whose objects stay in the program as functions do."""
        if live not in self._library:
            self._library.add(live)
            self._declare(live, fields)

    @property
    def words(self) -> Mapping[str, str]:
        """What users call the objects of each class."""
        return {name: f"function {_plain(value.target)}" for name, value in self._named.items()}

    def find(self, name: str) -> FunctionValue | None:
        """Return what the objects of a class stand for, if they are functions."""
        return self._named.get(name)

    def value_of(
        self, target: object, captured: Mapping[str, Type], is_method: bool
    ) -> FunctionValue:
        """Return the class for a function with what it captured; one for equal ones."""
        for known in self._named.values():
            same = known.captured == captured and known.is_method == is_method
            if same and same_bits(known.target, target):
                return known
        base = f"{_plain(target)}_function"
        name = f"{base}{len(self._named)}" if base in self._named else base
        value = self._named[name] = FunctionValue(name, dict(captured), target, is_method)
        # Tests of classes, and only they, want a class.
        self._declare(type(name, (), {}), value.fields)
        return value


def _plain(target: object) -> str:
    """Return the name of a function, or of a method."""
    live = getattr(target, "function", target)
    name = live if isinstance(live, str) else getattr(live, "__name__", type(live).__name__)
    return name.strip("<>")


def is_of_module(value: FunctionValue) -> bool:
    """Whether there is one function of a class: it has captured nothing, and is defined once."""
    function = getattr(value.target, "function", value.target)
    is_nested = isinstance(function, FunctionType) and "<locals>" in function.__qualname__
    return not value.captured and not is_nested


def number_of(value: FunctionValue) -> int:
    """Return what stands for the place in memory of a function."""
    return crc32(value.name.encode())


def text_of_function(value: FunctionValue) -> str:
    """Return what Python shows of a function of a module, but for its place in memory."""
    function = getattr(value.target, "function", value.target)
    if not isinstance(function, FunctionType):
        return repr(function)
    return f"<function {function.__qualname__} at {number_of(value):#x}>"
