"""Which classes of exceptions there are, and what they are made of."""

import builtins

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation
from scriptc.check.context import Context, operand
from scriptc.check.library.standard import is_standard
from scriptc.check.members import exception_base
from scriptc.check.open_types import is_open
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import data, exceptions
from scriptc_runtime.types import EXCEPTION, ClassType, Type, holds_class
from scriptc_runtime.unions import members_of, without_dims
from scriptc_runtime.values import EXCEPTION_FIELD, EXCEPTIONS

_READ_BY_PYTHON = ("value", "code")  # of StopIteration and SystemExit


def argument_of(
    context: Context, node: n.Expression, value: Typed, kind: str, place: int = 0
) -> Computation:
    """Return what a built-in exception is made of: it holds what Python has no key for.

    Exceptions of the library have the text of an object.
    """
    given: Computation = operand(node, value)
    if is_standard(context.function) and holds_class(value.type):
        given = context.text(node, given, "r")
    type_ = given.type
    if is_open(type_):
        raise context.not_known_yet(node)
    if exceptions.is_held(type_):
        type_ = without_dims(type_)
        _require_holder(context, node, kind, type_)
        given = context.apply(node, exceptions.HOLD, given, type=type_)
    context.rounds.arguments.note(_class_made(context, kind), place, type_)
    return given


def _class_made(context: Context, kind: str) -> type:
    """Return the class of the exception that gets an argument: in a constructor that of its own."""
    live = context.constructs
    return live if live and exception_base(live) else EXCEPTIONS[kind]


def _require_holder(context: Context, node: n.Expression, kind: str, type_: Type) -> None:
    """Refuse an argument of a class whose text is more than that of its arguments."""
    live = EXCEPTIONS[kind]
    has_own_text = live.__str__ not in (BaseException.__str__, KeyError.__str__)
    is_read = any(hasattr(live, name) for name in _READ_BY_PYTHON)
    if is_standard(context.function) or has_own_text or is_read:
        context.fail(
            "exception-value",
            f"{kind} takes a str, a number or a tuple of them, not {type_}",
            node,
            instead='f"{value}", or a class of exceptions of your own',
        )


def kind_of(context: Context, node: n.Node, value: object) -> str:
    """Return the name of an exception class that scripts know.  Raises TypeCheckError."""
    for name, live in EXCEPTIONS.items():
        if value is live:
            return name
    name = getattr(value, "__name__", repr(value))
    bases = value.__mro__ if isinstance(value, type) else ()
    known = next((n for base in bases for n, live in EXCEPTIONS.items() if base is live), None)
    if getattr(builtins, str(name), None) is value or known is None:
        why = "it is no class of exceptions that a script can raise or catch"
        instead = "ValueError or another built-in class, or one of your own"
    else:
        why = "scripts raise and catch built-in exceptions, and classes that a program writes"
        instead = f"class {name}({known}) in the program, or {known}"
    context.fail(
        "exception-value", f"scripts know no exception {name!r}", node, why=why, instead=instead
    )


def exception_in(context: Context, at: n.Node, whole: Computation) -> Computation:
    """Return the exception that an object of a class of exceptions is."""
    held = context.apply(at, data.FIELD, whole, name=EXCEPTION_FIELD, type=EXCEPTION)
    return context.apply(at, exceptions.EXCEPTION_OF, held, whole)


def is_own_exception(context: Context, type_: Type, declared: Type) -> bool:
    """Whether an object of a class of the program is given where an exception is declared."""
    if EXCEPTION not in members_of(declared) or not isinstance(type_, ClassType):
        return False
    return exception_base(context.class_named(type_.name).live) is not None


def names_below(context: Context, live: type, at: n.Node) -> tuple[str, ...]:
    """Return the classes that inherit from one, itself included, of which there are objects."""
    context.class_of(live, at)
    return tuple(cls.__name__ for cls in context.made_of(live.__name__))
