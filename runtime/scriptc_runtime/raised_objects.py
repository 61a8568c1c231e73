"""Exceptions of classes of a program, as they leave for Python: with their class and fields."""

from collections.abc import Callable, Mapping, Sequence
from typing import ParamSpec, TypeVar, cast

from scriptc_runtime.held_values import Give, Held, as_it_is, holds_any
from scriptc_runtime.ops.exceptions import object_in, with_object
from scriptc_runtime.types import Type, holds_class
from scriptc_runtime.values import EXCEPTION_FIELD, Instance

P = ParamSpec("P")
R = TypeVar("R")
# Gives Python's exception for an object, and the built-in one that has its arguments.
Make = Callable[[Instance, BaseException], BaseException]


def made(
    cls: type[BaseException],
    base: BaseException,
    fields: Mapping[str, object],
    give: Give = as_it_is,
) -> BaseException:
    """Return an exception of a class with the arguments of a built-in one, and with these fields.

    The built-in `__init__` alone runs.
    """
    new = cast(Callable[..., BaseException], cls.__new__)
    args = given_arguments(base.args, give)
    exception = new(cls, *args)
    type(base).__init__(exception, *args)
    vars(exception).update(fields)
    return exception


def given_arguments(args: tuple[object, ...], give: Give = as_it_is) -> tuple[object, ...]:
    """Return the arguments of an exception as Python sees them."""
    return tuple(a.given(give) if isinstance(a, Held) else a for a in args)


def as_given(exception: BaseException, give: Give = as_it_is) -> BaseException:
    """Return a built-in exception as Python sees it: another one, if it holds values."""
    return made(type(exception), exception, {}, give) if holds_any(exception.args) else exception


def is_given(type_: Type) -> bool:
    """Whether Python has an object for what an exception holds."""
    return not holds_class(type_)


def leaves(name: str, type_: Type) -> bool:
    """Whether a field of an exception goes along where it leaves for Python.

    Objects of other classes stay: Python has no objects for those of plain classes.
    """
    return name != EXCEPTION_FIELD and is_given(type_)


def stand_in(line: Sequence[str], builtin: type[BaseException]) -> type[BaseException]:
    """Return a class for exceptions whose own class this process does not have.

    `line` names it and the classes that it inherits from, the nearest first; behind these comes one
    that is built in.  Where it is asked for again it is the same class.
    """
    found = builtin
    for name in reversed(line):
        key = name, found
        found = _STAND_INS.setdefault(key, type(name, (found,), {"__module__": "<script>"}))
    return found


_STAND_INS: dict[tuple[str, type[BaseException]], type[BaseException]] = {}


def leaving(run: Callable[P, R], make: Make, give: Give) -> Callable[P, R]:
    """Return `run` with exceptions as Python sees them."""

    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return cast(R, _shown(run(*args, **kwargs), make, give))
        except BaseException as error:
            found = as_python(error, make, give)
            if found is error:
                raise
            context = found.__context__
            try:
                raise found
            except BaseException:
                found.__context__ = context  # which raising it here has set anew
                raise

    return call


def _shown(value: object, make: Make, give: Give) -> object:
    """Return a result with its exceptions as Python sees them."""
    if isinstance(value, Instance) and EXCEPTION_FIELD in value.fields:
        value = with_object(value)
    if isinstance(value, BaseException):
        return as_python(value, make, give)
    if isinstance(value, tuple):
        items = given_arguments(cast("tuple[object, ...]", value), give)
        return tuple(_shown(item, make, give) for item in items)
    if isinstance(value, list):
        listed = cast("list[object]", value)
        if any(isinstance(item, BaseException | Instance) for item in listed):
            listed[:] = [_shown(item, make, give) for item in listed]
    return cast(object, value)


def as_python(error: BaseException, make: Make, give: Give) -> BaseException:
    """Return an exception of the interpreter as Python sees it, with those that it comes from."""
    found = _family(error)
    mine: dict[int, BaseException] = {}
    for one in found:
        owner = object_in(one)
        mine[id(one)] = as_given(one, give) if owner is None else make(owner, one)
    for one in found:
        other = mine[id(one)]
        cause, context, hides = one.__cause__, one.__context__, one.__suppress_context__
        if other is not one:
            other.__traceback__ = one.__traceback__
        if other is not one or id(cause) in mine or id(context) in mine:
            other.__cause__ = mine.get(id(cause), cause)
            other.__context__ = mine.get(id(context), context)
            other.__suppress_context__ = hides
    return mine[id(error)]


def _family(error: BaseException) -> list[BaseException]:
    """Return an exception and all that it comes from."""
    found: dict[int, BaseException] = {}
    waiting: list[BaseException | None] = [error]
    for one in waiting:
        if one is not None and id(one) not in found:
            found[id(one)] = one
            waiting += (one.__cause__, one.__context__)
    return list(found.values())
