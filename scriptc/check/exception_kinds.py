"""Which classes of exceptions there are, and what they are made of."""

import builtins

from scriptc.check.bindings import Typed
from scriptc.check.context import Context
from scriptc.syntax import nodes as n
from scriptc_runtime.types import is_hashable
from scriptc_runtime.values import EXCEPTIONS


def require_argument(context: Context, node: n.Expression, value: Typed) -> None:
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
        why, instead = "only some built-in exceptions are built", f"one of {', '.join(EXCEPTIONS)}"
    else:
        why = "compiled code raises and catches built-in exceptions, no classes of a program"
        instead = (
            f"{known if known != 'Exception' else 'ValueError or RuntimeError'} with a message"
        )
        instead += f" that tells what happened; turn it into {name} where the script is called"
    context.fail(
        "exception-value", f"scripts know no exception {name!r}", node, why=why, instead=instead
    )
