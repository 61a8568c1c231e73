"""Which classes of exceptions there are, and what they are made of."""

import builtins

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation
from scriptc.check.context import Context, operand
from scriptc.check.library.standard import is_standard
from scriptc.check.members import exception_base
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import data, exceptions
from scriptc_runtime.types import EXCEPTION, ClassType, Type, holds_class, is_hashable
from scriptc_runtime.unions import members_of
from scriptc_runtime.values import EXCEPTION_FIELD, EXCEPTIONS


def argument_of(
    context: Context, node: n.Expression, value: Typed, kind: str, place: int = 0
) -> Computation:
    """Return what a built-in exception is made of: of an object that is no key, the text."""
    given: Computation = operand(node, value)
    if is_standard(context.function) and holds_class(value.type):
        given = context.text(node, given, "r")
    else:
        _require_argument(context, node, value)
    context.rounds.arguments.note(kind, place, given.type)
    return given


def _require_argument(context: Context, node: n.Expression, value: Typed) -> None:
    """Refuse what no built-in exception is made of in scripts."""
    if not is_hashable(value.type):
        context.fail(
            "exception-value",
            f"an exception takes a str, a number or a tuple of them, not {value.type}",
            node,
            instead='f"{value}"',
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
