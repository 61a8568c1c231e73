"""Attributes of classes that programs change: `Node.count += 1`, `cls.latest = name`.

An attribute of a class is a constant of its objects, unless a method of the class, or a function or
class of its module, stores it on a class.  Such an attribute is read when a script is called, and
has its new value when the call ends.

What is stored where says the bytecode: a warm start parses nothing.
"""

import sys
from collections.abc import Iterator, Mapping
from opcode import opmap, opname
from types import CodeType, FunctionType
from typing import cast

from scriptc.values.outside_places import OutsidePlace

_EXTENDED_ARG = opmap["EXTENDED_ARG"]
_SKIPPED = ("CACHE", "NOP", "PRECALL")
DATA = (bool, int, float, complex, str, bytes, type(None), tuple, list, dict, set, frozenset)
# Since Python 3.12 the lowest bit of the number says whether a method is called.
_ATTRIBUTE_BITS = 1 if sys.version_info >= (3, 12) else 0


class AnyClass:
    """Stands for the class of an object, or for the one that a class method is called on."""


class ClassAttribute(OutsidePlace):
    """An attribute that a class has, and that a program changes."""

    __slots__ = ()

    live: type

    def __init__(self, live: type, name: str) -> None:
        super().__init__(live, name)

    @property
    def current(self) -> object:
        """The value that the class has now.  Raises KeyError if it was deleted."""
        return cast(object, vars(self.live)[self.name])

    def set(self, value: object) -> None:
        """Let the class have another value."""
        if value is not vars(self.live).get(self.name):
            setattr(self.live, self.name, value)


def changing_attributes(live: type) -> frozenset[str]:
    """Return the attributes of a class that programs change."""
    names = {name for name, value in vars(live).items() if _is_data(name, value)}
    if not names:
        return frozenset()
    found: set[str] = set()
    module = sys.modules.get(live.__module__)
    for value in (live, *defined_in(vars(module) if module else {})):
        for function, of_class in functions_in(value):
            if names.isdisjoint(_names(function.__code__)):
                continue
            for name, owner in stores(function, of_class):
                if owner is AnyClass or _is_same(owner, live):
                    found.add(name)
    return frozenset(names & found)


def defined_in(variables: Mapping[str, object]) -> Iterator[object]:
    """Yield the functions and classes that a module defines."""
    name = variables.get("__name__")
    for value in list(variables.values()):
        is_wrapper = type(value).__module__.partition(".")[0] in ("functools", "scriptc")
        if (isinstance(value, FunctionType | type) or is_wrapper) and (
            getattr(value, "__module__", None) == name
        ):
            yield value


def _is_data(name: str, value: object) -> bool:
    return isinstance(value, DATA) and not (name.startswith("__") and name.endswith("__"))


def _is_same(owner: object, live: type) -> bool:
    """Whether two classes are one: a scripted class stands for the one that was written, too."""
    if not isinstance(owner, type):
        return owner == live.__name__  # a variable of a function that is not called yet
    both = vars(owner).get("python", owner), vars(live).get("python", live)
    return both[0] is both[1]


def functions_in(value: object) -> Iterator[tuple[FunctionType, bool]]:
    """Yield the functions that something consists of, and whether their first parameter is a class.

    Of a class those are its methods and properties.
    """
    if isinstance(value, type):
        for member in vars(value).values():
            if not isinstance(member, type):
                yield from functions_in(cast(object, member))
        return
    parts = [value]
    if isinstance(value, property):
        parts = [value.fget, value.fset, value.fdel]
    of_class = isinstance(value, classmethod)
    for part in parts:
        wrapped: object = part
        for name in ("__func__", "func", "python", "__wrapped__"):
            if not isinstance(wrapped, FunctionType):
                wrapped = getattr(wrapped, name, wrapped)
        if isinstance(wrapped, FunctionType):
            yield wrapped, of_class


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def stores(function: FunctionType, of_class: bool = False) -> Iterator[tuple[str, object]]:
    """Yield the attributes that a function sets, and on which class; None for those of objects.

    A class that a function around it makes is known by its name alone.
    """
    yield from _stores_in(function, function.__code__, of_class)


def _stores_in(
    function: FunctionType, code: CodeType, of_class: bool
) -> Iterator[tuple[str, object]]:
    steps = list(steps_of(code))
    for place, (operation, number) in enumerate(steps):
        if operation == "STORE_ATTR":
            name = code.co_names[number]
            owner = _owner_before(steps, place, name, code)
            yield name, _class_loaded(function, code, steps[: owner + 1], of_class)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _stores_in(function, constant, False)


def _owner_before(steps: list[tuple[str, int]], place: int, name: str, code: CodeType) -> int:
    """Return the place of what loads the object whose attribute is stored."""
    if steps[place - 1][0] != "SWAP":
        return place - 1
    # `x.a += 1` copies x, reads the attribute, and swaps the result below the copy.
    for read in range(place - 1, 1, -1):
        operation, number = steps[read]
        is_read = operation == "LOAD_ATTR" and code.co_names[number >> _ATTRIBUTE_BITS] == name
        if is_read and steps[read - 1][0] == "COPY":
            return read - 2
    return place - 1


def _class_loaded(
    function: FunctionType, code: CodeType, steps: list[tuple[str, int]], of_class: bool
) -> object:
    """Return the class that the last of some steps loads; None where it loads an object."""
    operation, number = steps[-1]
    if operation in ("LOAD_GLOBAL", "LOAD_NAME"):
        name = code.co_names[number >> 1 if operation == "LOAD_GLOBAL" else number]
        return _if_class(function.__globals__.get(name))
    if operation in ("LOAD_DEREF", "LOAD_CLASSDEREF"):
        return _class_in_cell(function, code, number, of_class)
    if operation.startswith("LOAD_FAST"):
        local = number & 15 if operation.count("LOAD_FAST") > 1 else number
        return AnyClass if of_class and local == 0 else None
    if operation == "LOAD_ATTR":
        is_class = code.co_names[number >> _ATTRIBUTE_BITS] == "__class__"
        return AnyClass if is_class else None
    if operation == "CALL" and len(steps) > 2:
        called, which = steps[-3]
        is_type = called == "LOAD_GLOBAL" and code.co_names[which >> 1] == "type"
        return AnyClass if is_type else None
    return None


def _class_in_cell(function: FunctionType, code: CodeType, number: int, of_class: bool) -> object:
    cells = [name for name in code.co_cellvars if name not in code.co_varnames]
    name = (*code.co_varnames, *cells, *code.co_freevars)[number]
    if name in code.co_varnames[:1]:
        return AnyClass if of_class else None
    if name == "__class__":
        return AnyClass
    outer = function.__code__.co_freevars
    if name not in outer:
        return name
    try:
        return _if_class((function.__closure__ or ())[outer.index(name)].cell_contents)
    except ValueError:
        return None  # the outer function has not bound it yet


def _if_class(value: object) -> object:
    return value if isinstance(value, type) else None


def steps_of(code: CodeType) -> Iterator[tuple[str, int]]:
    """Yield the names and numbers of the steps of some bytecode."""
    high = 0
    for operation, low in zip(code.co_code[::2], code.co_code[1::2], strict=True):
        number = high | low
        high = number << 8 if operation == _EXTENDED_ARG else 0
        name = opname[operation]
        if operation != _EXTENDED_ARG and name not in _SKIPPED:
            yield name, number
