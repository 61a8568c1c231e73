"""Classes of which objects are found after it was asked which ones there are: what they make.

    class Start:
        def next(self): return Middle()         state = state.next()
    class Middle:
        def next(self): return End()

The next check of the program knows of these classes from the start, and so of one more in each
check, if each makes an object of the next one.  So their methods are checked first, with what those
of other classes were called with, as the next check will: all classes are known then.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from inspect import CO_VARARGS, CO_VARKEYWORDS
from types import FunctionType

from scriptc.check.checked import CheckedFunction, Specialisation
from scriptc.check.known_classes import KnownClasses
from scriptc.check.members import class_type, find_member
from scriptc.check.scopes import plain_function
from scriptc_runtime.errors import ScriptError
from scriptc_runtime.types import ClassType, Type

_WITH_STARS = CO_VARARGS | CO_VARKEYWORDS


def look_ahead(
    classes: KnownClasses,
    done: Mapping[Specialisation, CheckedFunction],
    check: Callable[[Specialisation], object],
) -> None:
    """Check what the next check of a program asks of objects that were found too late."""
    seen: set[Specialisation] = set()
    while wanted := [key for key in _of_late_classes(classes, done) if key not in seen]:
        seen.update(wanted)
        for key in wanted:
            with suppress(ScriptError):  # of which the next check tells
                check(key)


def _of_late_classes(
    classes: KnownClasses, done: Mapping[Specialisation, CheckedFunction]
) -> Iterator[Specialisation]:
    """Yield the methods of such classes, for what those of all others were called with."""
    late = list(classes.late_heirs())
    if not late:
        return
    called: dict[FunctionType, dict[Sequence[Type], None]] = {}
    for key in done:
        owner, *types = key.types or (None,)
        if isinstance(owner, ClassType) and owner.name in classes and not (key.fixed or key.names):
            live, name = classes.named(owner.name).live, key.function.__name__
            if name != "__init__" and _methods([live], name).get(live) is key.function:
                called.setdefault(key.function, {})[tuple(types)] = None
    names = dict.fromkeys(function.__name__ for function in called)
    for others, heirs in late:
        for name in names:
            for heir, method in _methods(heirs, name).items():
                for types in _common([called.get(m, {}) for m in _methods(others, name).values()]):
                    if _takes(method, 1 + len(types)):
                        yield Specialisation(method, (class_type(heir), *types))


def _methods(lives: Sequence[type], name: str) -> Mapping[type, FunctionType]:
    members = ((live, find_member(live, name)) for live in lives)
    found = ((live, plain_function(member.value)) for live, member in members if member)
    return {live: method for live, method in found if method is not None}


def _takes(method: FunctionType, count: int) -> bool:
    """Whether a method has so many parameters: those of others may have more, with defaults."""
    code = method.__code__
    return code.co_argcount + code.co_kwonlyargcount == count and not code.co_flags & _WITH_STARS


def _common(called: Sequence[Mapping[Sequence[Type], None]]) -> Iterator[Sequence[Type]]:
    """Yield what several were called with, in order."""
    first, *others = called or [{}]
    return (types for types in first if all(types in other for other in others))
