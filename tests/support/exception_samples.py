"""Sample operands of ops on exceptions."""

from collections.abc import Iterator

from scriptc_runtime.held_values import HeldValue
from scriptc_runtime.ops import exceptions
from scriptc_runtime.types import (
    EXCEPTION,
    EXCEPTION_ARGS,
    EXCEPTION_CLASS,
    HELD,
    INT,
    NONE,
    STR,
    ListType,
    TupleType,
)
from tests.support.sample_operands import ERROR, POINT, Operand, Sample, given, sample


def _own() -> BaseException:
    """Return an exception of a class of the program, as the interpreter has it."""
    error = ValueError("own")
    setattr(error, exceptions.OBJECT, POINT.make())
    return error


OWN = given(_own, EXCEPTION)
TEXT_AND_NUMBER = TupleType((STR, INT))
NUMBERS = ListType(INT)


def exception_samples() -> Iterator[Sample]:
    """Exceptions made, asked for what they are, and linked."""
    key = given(lambda: KeyError("k", 1), EXCEPTION)
    cls = given(lambda: KeyError("k"), EXCEPTION_CLASS)
    args = given(lambda: ("k", 1), EXCEPTION_ARGS)
    yield sample(exceptions.NEW_EXCEPTION, kind="ValueError")
    yield sample(exceptions.NEW_EXCEPTION, 2, "text", kind="OSError")
    yield sample(
        exceptions.NEW_EXCEPTION, given(lambda: ("a", 1), TEXT_AND_NUMBER), kind="KeyError"
    )
    yield sample(exceptions.NEW_EXCEPTION, "text", kind="UnicodeDecodeError")  # it takes five
    for kind in ("ZeroDivisionError", "ArithmeticError", "ValueError"):
        yield sample(exceptions.IS_EXCEPTION, ERROR, kind=kind)
    for kind in exceptions.TEXTS:
        yield sample(exceptions.EXCEPTION_TEXT, key, kind=kind)
        yield sample(exceptions.EXCEPTION_TEXT, cls, kind=kind)
    for kind in exceptions.ABOUT:
        yield sample(exceptions.ABOUT_EXCEPTION, key, kind=kind)
    for one in (key, ERROR):
        yield sample(exceptions.EXCEPTION_TRACEBACK, one)
        yield sample(exceptions.SET_CAUSE, one)
        yield sample(exceptions.SET_CAUSE, one, ERROR)
    for kind in exceptions.OLDER:
        yield sample(exceptions.OLDER_EXCEPTION, key, kind=kind)
    for raised in (OWN, ERROR):
        yield sample(exceptions.IS_OBJECT, raised, classes=("Point",))
        yield sample(exceptions.OBJECT_OF, raised, cls="Point", classes=("Point",))
        yield sample(exceptions.EXCEPTION_OF, raised, POINT)
    yield from _arguments(args)
    yield from _held()


def _arguments(args: Operand) -> Iterator[Sample]:
    for several in (args, given(tuple, EXCEPTION_ARGS)):
        yield sample(exceptions.ARGUMENTS_TEXT, several)
        yield sample(exceptions.ARGUMENT_COUNT, several)
        for index in (0, 1, -1):
            for type_ in exceptions.ARGUMENTS:
                yield sample(exceptions.EXCEPTION_ARGUMENT, several, index, type=type_, path=())
            for type_ in (INT, NONE, TupleType((INT, INT))):
                yield sample(exceptions.ARGUMENT_IS, several, index, type=type_, path=())
                yield sample(exceptions.ARGUMENT_IS, several, index, type=type_, path=(0,))


def _held() -> Iterator[Sample]:
    """Arguments that an exception keeps: one list, in another place a text."""
    items = given(lambda: [1, 2], NUMBERS)
    both = given(lambda: (HeldValue(NUMBERS, [1]), "k"), EXCEPTION_ARGS)
    yield sample(exceptions.HOLD, items, type=NUMBERS)
    yield sample(exceptions.HOLD, POINT, type=POINT.type)
    held = given(lambda: HeldValue(NUMBERS, [1]), HELD)
    yield sample(exceptions.NEW_EXCEPTION, held, "text", kind="ValueError")
    yield sample(exceptions.HOLDS_VALUES, both)
    yield sample(exceptions.HOLDS_VALUES, given(lambda: ("k",), EXCEPTION_ARGS))
    for index in (0, 1, 2, -2):
        yield sample(exceptions.HELD_ARGUMENT, both, index, type=NUMBERS)
        yield sample(exceptions.ARGUMENT_IS, both, index, type=NUMBERS, path=())
    yield sample(exceptions.HELD_ARGUMENT, both, 0, type=ListType(STR))
    for kind in ("str", "repr"):
        for index in (1, 5):
            yield sample(exceptions.ARGUMENT_TEXT, both, index, kind=kind)
