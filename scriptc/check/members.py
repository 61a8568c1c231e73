"""Members of classes: what a class or one of its bases has under a name, as Python looks it up."""

import sys
from abc import ABC, ABCMeta
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from types import FunctionType
from typing import Generic, Protocol

from scriptc.check.generics import ORIGIN
from scriptc.check.scopes import known_as, plain_function
from scriptc.values import dataclass_members
from scriptc_runtime.conversions import class_conversion
from scriptc_runtime.errors import Diagnostic, Span
from scriptc_runtime.record import record
from scriptc_runtime.types import ClassType
from scriptc_runtime.values import EXCEPTIONS

# What is read from an object by calling a function.
PROPERTIES: tuple[type, ...] = (property, cached_property)
# Bases that give objects neither fields nor methods.
_NEUTRAL: Mapping[object, bool] = dict.fromkeys(
    (object, ABC, Generic, Protocol, *EXCEPTIONS.values()), True
)
_MODULES = ("numpy", "builtins")
# Methods by which a class decides how its objects are made, found or ended.
_DECIDING = ("__new__", "__del__", "__getattr__", "__getattribute__", "__setattr__", "__delattr__")

# What each class has that says nothing of its objects.
_NOTHING = {"__module__", "__doc__", "__weakref__", "__dict__"}


@record(eq=False)
class Member:
    """What a class has under a name, and the class of its bases, or itself, that defines it."""

    owner: type
    value: object


def _is_neutral(cls: type) -> bool:
    return known_as(_NEUTRAL, cls) is not None


def exception_base(live: type) -> type[BaseException] | None:
    """Return the built-in class that a class of exceptions derives from; None for another class."""
    for cls in live.__mro__:
        if issubclass(cls, BaseException) and cls in EXCEPTIONS.values():
            return cls
    return None


_OF_EXCEPTIONS = ("args", "__cause__", "__context__", "__class__", "__traceback__")


def is_of_exception(live: type, name: str) -> bool:
    """Whether objects of a class have an attribute because they are exceptions."""
    return name in _OF_EXCEPTIONS and exception_base(live) is not None


def find_member(live: type, name: str, after: type | None = None) -> Member | None:
    """Return the member of a class, looked up along the method resolution order.

    With `after`, behind that class alone, as `super()` does. What every object has is none.
    """
    for owner in _classes(live, after):
        if name in vars(owner):
            return Member(owner, vars(owner)[name])
    return None


def _classes(live: type, after: type | None) -> Iterator[type]:
    found = after is None
    for cls in live.__mro__:
        if found and not _is_neutral(cls):
            yield cls
        found = found or is_class(cls, after)


def is_class(cls: type, other: type | None) -> bool:
    """Whether two classes are one: a scripted class stands for the one that was written, too."""
    if cls is other or other in (vars(cls).get("python"), vars(cls).get(ORIGIN, cls)):
        return True
    if cls.__module__ == _ARRAYS:
        return other is not None and (other.__module__, other.__name__) == ("array", "array")
    return other is bytearray and other in cls.__bases__


_ARRAYS = "scriptc.stand_ins.number_arrays"


def base_of(live: type) -> type | None:
    """Return the class whose fields a class begins with, None where it has no base.

    Of several bases that is the first one that sets fields. The others are mixed in: what they
    have is looked up in them, and no type is that of their objects.
    """
    bases = _bases(live)
    first = bases[0] if bases else None
    return next((base for base in bases if _sets_fields(base)), first)


def mixed_in(live: type) -> Sequence[type]:
    """Return the bases of a class, and of its bases, that set fields apart from those of others."""
    line = line_of(live)
    bases = [base for cls in line for base in _bases(cls)]
    return [base for base in bases if base not in line and _sets_fields(base)]


def _sets_fields(cls: type) -> bool:
    told = ("__init__", "__annotations__")
    return any(name in vars(base) for base in bases_of(cls) for name in told)


def line_of(live: type) -> Sequence[type]:
    """Return a class and the bases that its objects are taken for, the nearest first."""
    found: list[type] = []
    cls: type | None = live
    while cls is not None:
        found.append(cls)
        cls = base_of(cls)
    return found


def bases_of(live: type) -> Sequence[type]:
    """Return a class and those that it inherits fields and methods from, the nearest first."""
    return [cls for cls in live.__mro__ if not _is_neutral(cls)]


def has_base(live: type, base: type) -> bool:
    """Whether a class is another one, or inherits from it."""
    return any(is_class(cls, base) for cls in bases_of(live))


def common_base(classes: Sequence[type]) -> type | None:
    """Return the nearest class of a program that all of some classes are or inherit from."""
    if not classes or not all(map(is_users, classes)):
        return None
    first, *others = map(line_of, classes)
    return next((cls for cls in first if all(cls in line for line in others)), None)


def class_type(live: type) -> ClassType:
    """Return the type of the objects of a class."""
    name, *bases = (cls.__name__ for cls in line_of(live))
    return ClassType(name, tuple(bases))


def member_function(live: type, name: str, kind: type | tuple[type, ...]) -> FunctionType | None:
    """Return the function of a member of a class, None unless it is of this kind.

    The kinds are `staticmethod`, `classmethod` and `PROPERTIES`, of which it is the getter.
    """
    member = find_member(live, name)
    return None if member is None else wrapped_function(member.value, kind)


def wrapped_function(member: object, kind: type | tuple[type, ...]) -> FunctionType | None:
    """Return the function that a static method or its like wraps; None where it is no such."""
    if not isinstance(member, kind):
        return None
    names = ("fget", "__func__", "func")
    return next((f for name in names if (f := plain_function(getattr(member, name, None)))), None)


def is_users(cls: type) -> bool:
    """Whether a class and all that it inherits from may be scripted: none comes with Python."""
    for one in cls.__mro__:
        root = one.__module__.partition(".")[0]
        known = root in sys.stdlib_module_names and root != "__main__"
        if not (_is_neutral(one) or is_name_of_exception(one)) and (known or root in _MODULES):
            return False
    return not _is_neutral(cls) and not getattr(cls, "_is_protocol", False)


# Classes of exceptions of Python's library whose methods are in the language.
_COMPILED = frozenset({("json.decoder", "JSONDecodeError")})


def is_name_of_exception(cls: type) -> bool:
    """Whether a class of Python's library names an exception, or is compiled as it is written."""
    if not issubclass(cls, Exception):
        return False
    return vars(cls).keys() <= _NOTHING or (cls.__module__, cls.__name__) in _COMPILED


def foreign_trait(cls: type) -> tuple[str, str] | None:
    """Return what of a class, or of a base, is not in the language, and the way out."""
    if type(cls) not in (type, ABCMeta, type(Protocol)):
        return f"it has the metaclass {type(cls).__name__}", "leave the metaclass out"
    if issubclass(cls, OSError):
        why = f"it derives from {OSError.__name__}, whose arguments decide which class it is"
        return why, "derive from Exception, and keep the number of the error in a field"
    for one in (c for c in cls.__mro__ if not _is_neutral(c)):
        bases = _bases(one)
        is_pythons = exception_base(one) or any("python" in vars(base) for base in bases)
        names = " and ".join(base.__name__ for base in bases)
        if len(bases) > 1 and class_conversion(one):
            # A class of another library, as pandas.Series: its methods would be refused one by one.
            return f"{one.__name__} inherits from {names}", "pass the arrays that it holds"
        if len(bases) > 1 and is_pythons:
            instead = "inherit from one, and keep an object of the other in a field"
            what = f"{one.__name__} inherits from {names}, and Python holds its objects"
            return what, instead
        if several := _of_several_kinds(one):
            return several
        written: object = vars(one).get("python", one)  # of a scripted class
        for name, member in vars(written).items() if isinstance(written, type) else ():
            if _is_descriptor(member):
                what = f"{one.__name__}.{name} is a descriptor of class {type(member).__name__}"
                return what, f"a property {name} that does the same"
            function = plain_function(getattr(member, "__func__", member))
            if (
                name in _DECIDING
                and function
                and not dataclass_members.is_made_by_dataclasses(one, name, function)
            ):
                return f"{one.__name__} has {name}", "methods that the program calls by name"
    return None


def _is_descriptor(member: object) -> bool:
    """Whether a program says itself what reading or setting an attribute does."""
    cls = type(member)
    is_ours = cls.__module__.partition(".")[0] == "scriptc"
    told = any(hasattr(cls, name) for name in ("__get__", "__set__", "__delete__"))
    return told and not is_ours and is_users(cls)


def _of_several_kinds(cls: type) -> tuple[str, str] | None:
    """Return what a class of exceptions is beside the built-in one that its objects carry."""
    carried = exception_base(cls)
    if carried is None:
        return None
    known = EXCEPTIONS.values()
    for base in cls.__mro__:
        is_other = base in known and not issubclass(carried, base)
        if is_other or not (_is_neutral(base) or exception_base(base)):
            what = f"its objects are {carried.__name__} and {base.__name__}"
            return what, f"inherit from {carried.__name__} or a class of it, and catch both by name"
    return None


def _bases(cls: type) -> Sequence[type]:
    return [base for base in cls.__bases__ if not _is_neutral(base)]


def untyped_field(name: str, field: str, span: Span | None) -> Diagnostic:
    """Return the refusal of a field that is known from calls of `__init__` alone."""
    return Diagnostic(
        "class-field",
        f"nothing says what type the field {field!r} of class {name} has",
        span,
        why=f"parameters of {name}.__init__ have no declared types, and no call of it is compiled "
        "here",
        instead="annotate the parameters of __init__, or the field in the class body, or make an "
        "object first",
    )
