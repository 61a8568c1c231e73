"""`with` in Python over an object of a scripted class, whose body an exception leaves.

Scripts have exceptions of their own, so the method is called where a script handles the same one:

    with timer: fail()      try: raise KIND(*arguments)
                            except BaseException as error: timer.__exit__(type(error), error, ...)
"""

from collections.abc import Callable
from types import FunctionType
from typing import Any, cast

from scriptc.options import Options
from scriptc_runtime.errors import Diagnostic, UnsupportedError
from scriptc_runtime.tracebacks import without_files, without_own

_Make = Callable[[Options, object], object]


def is_exit(method: object, args: tuple[object, ...]) -> bool:
    """Whether a call is that of an `__exit__` for an exception."""
    return len(args) == 4 and isinstance(args[2], BaseException) and _name(method) == "__exit__"


def left_by(method: Any, make: _Make, options: Options, args: tuple[object, ...]) -> object:
    """Call the `__exit__` of an object, which is given an exception of Python's."""
    manager, _, error, _ = args
    assert isinstance(error, BaseException)  # `is_exit` says so
    _require_same(error)
    key = type(error), method.__module__, method.__qualname__, options
    if key not in _LEAVING:
        leave = _leaving(type(error), cast(FunctionType, method.python))
        _LEAVING[key] = cast("Callable[..., object]", make(options, leave))
    try:
        return _LEAVING[key](manager, error.args)
    except BaseException as raised:
        found = _in_place_of(error, raised)
        rest = error.__traceback__ if found is error else None
        found.__traceback__ = without_files(without_own(raised.__traceback__), __file__, rest)
    raise found


def _name(method: object) -> str:
    return cast(FunctionType, getattr(method, "python", method)).__name__


def _leaving(kind: Any, method: FunctionType) -> FunctionType:
    """Return the function that leaves an object by an exception of some class."""

    # Compiled: without annotations, as those of any program.
    def leave(manager, arguments):  # pyright: ignore
        try:
            raise kind(*arguments)
        except BaseException as error:
            return manager.__exit__(type(error), error, error.__traceback__)  # pyright: ignore

    # For messages; and what it captures counts, as it is none of this package's functions.
    leave.__module__, leave.__qualname__ = method.__module__, method.__qualname__
    return leave  # pyright: ignore


_LEAVING: dict[object, Callable[..., object]] = {}


def _require_same(error: BaseException) -> None:
    """Refuse an exception that its arguments do not make once more."""
    kind = type(error)
    if kind.__init__ is BaseException.__init__ or kind.__module__ == "builtins":
        return
    try:
        made = kind(*error.args)
    except Exception:
        made = None
    if made is None or made.args != error.args or vars(made) != vars(error):
        message = (
            f"an exception of class {kind.__qualname__} left a `with` in Python, whose arguments "
            f"{error.args!r} do not make it once more"
        )
        why = "the __exit__ of a @script class is given an exception that a script makes of these"
        instead = "let __init__ hand its own arguments to super().__init__, or have no __init__"
        raise UnsupportedError(Diagnostic("with", message, None, why, instead)) from error


def _in_place_of(error: BaseException, raised: BaseException) -> BaseException:
    """Return what `raised` is in Python: the exception of the script stands for `error`."""
    last, chain = raised, [raised]
    # Python, which handles `error`, ends the chain with it.
    while last.__context__ is not None and last.__context__ is not error:
        last = last.__context__
        chain.append(last)
    if type(last) is not type(error) or last.args != error.args:
        last.__context__ = error
        return raised
    if last is raised:
        return error
    chain[-2].__context__ = error
    for later in chain[:-1]:
        if later.__cause__ is last:
            suppresses = later.__suppress_context__
            later.__cause__, later.__suppress_context__ = error, suppresses
    return raised
