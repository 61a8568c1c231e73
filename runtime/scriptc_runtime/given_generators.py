"""What Python gets of a generator of a script: one of Python's that goes on in compiled code."""

from collections.abc import Callable, Generator, Mapping
from typing import Any

from scriptc_runtime.ir import Function, Module, Role
from scriptc_runtime.tracebacks import ForUsers
from scriptc_runtime.types import ClassType, OptionalType, TupleType, Type

# What functions that go on with a generator are called for; the last one, where something is sent
# of which the generator makes nothing.
RESUME, VALUE, CLOSE, SEND, IGNORE = "resume", "value", "close", "send", "ignore"
_LAST = (VALUE, CLOSE)
_USES = (RESUME, SEND, IGNORE, *_LAST)
Functions = Mapping[str, Callable[..., Any]]


def are_uses(module: Module, given: Type, uses: Mapping[str, str]) -> bool:
    """Whether functions of a module, by their uses, go on with a generator that is given."""
    functions = {use: module.functions.get(name) for use, name in uses.items()}
    resume = functions.get(RESUME)
    if not isinstance(given, ClassType) or resume is None:
        return False
    match resume.result:
        case OptionalType(TupleType((_,))):
            return all(_is_use(use, f, given, resume.result) for use, f in functions.items())
        case _:
            return False


def _is_use(use: str, function: Function | None, given: Type, resumed: Type) -> bool:
    if function is None or function.role is not Role.SCRIPT or use not in _USES:
        return False
    takes, gives = [p.type for p in function.params], function.result == resumed
    return takes[:1] == [given] and len(takes) == 1 + (use == SEND) and (gives or use in _LAST)


def given_generator(name: str, functions: Functions, held: object) -> Generator[Any, Any, Any]:
    """Return a generator of Python's for one of a script.

    `functions` are called with `held`, by which they know the generator: `resume` returns the next
    item in a tuple, or None at the end. Others are there where the generator has a use for them.
    """
    made: Any = _given(functions, held)  # type checkers know no name of a generator
    made.__qualname__, made.__name__ = name, name.rpartition(".")[2]
    return made


def _given(functions: Functions, held: object) -> Generator[Any, Any, Any]:
    resume, send = functions[RESUME], functions.get(SEND, _not_sent)
    ignores = IGNORE in functions
    with ForUsers():
        found = resume(held)
        while found is not None:
            try:
                sent = yield found[0]
            except BaseException as thrown:
                _end(functions, held, thrown)
                raise
            found = resume(held) if sent is None or ignores else send(held, sent)
        value = functions.get(VALUE)
        return None if value is None else value(held)


def _end(functions: Functions, held: object, thrown: BaseException) -> None:
    """End a generator where it waits."""
    close = functions.get(CLOSE)
    if close is not None:
        close(held)
    if not isinstance(thrown, GeneratorExit):
        raise TypeError("a generator of a script ends where Python throws an exception into it")


def _not_sent(held: object, sent: object) -> object:
    raise TypeError(
        "nothing says what this generator is sent: annotate its result, Generator[int, float, None]"
    )
