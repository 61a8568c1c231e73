"""Abstract classes that are called in a `try`: Python raises TypeError there.

    try:                                    try:
        Shape("x")                              raise TypeError("Can't instantiate abstract ...")
    except TypeError as e:                  except TypeError as e:
        print(e)                                print(e)

Elsewhere such a call is refused, as it is a mistake.
"""

from types import FunctionType
from typing import cast

from scriptc.check.scopes import local_names, look_up, walk_own
from scriptc.syntax import nodes as n
from scriptc.syntax.copies import with_parts


def with_abstract_calls(function: FunctionType, node: n.FunctionDef) -> n.FunctionDef:
    """Return a function in which such calls raise what Python does."""
    blocks = [inner.body for inner in walk_own(node.body) if isinstance(inner, n.Try)]
    given: dict[n.Node, n.Node] = {}
    for statement in (statement for block in blocks for statement in block):
        message = _message(function, node, statement)
        if message is not None:
            given[statement] = _raised(statement, message)
    return with_parts(node, given) if given else node


def _message(function: FunctionType, node: n.FunctionDef, statement: n.Statement) -> str | None:
    """Return what Python says of a statement that calls an abstract class; None for any other."""
    match statement:
        case n.Expr(value=n.Call(func=n.Name(id=name), args=args, keywords=())):
            pass
        case n.Assign(
            targets=(n.Name(),), value=n.Call(func=n.Name(id=name), args=args, keywords=())
        ):
            pass
        case _:
            return None
    if name in local_names(node) or not all(isinstance(a, n.Constant | n.Name) for a in args):
        return None
    found = look_up(function, name)
    live = found.value if found else None
    if not isinstance(live, type) or not getattr(live, "__abstractmethods__", None):
        return None
    written = cast("type[object]", vars(live).get("python", live))  # of a scripted class
    try:
        object.__new__(written if getattr(written, "__abstractmethods__", None) else live)
    except TypeError as error:
        return str(error)
    return None


def _raised(at: n.Statement, message: str) -> n.Raise:
    text = n.Constant(at.lo, at.hi, message, None)
    call = n.Call(at.lo, at.hi, n.Name(at.lo, at.hi, "TypeError"), (text,), ())
    return n.Raise(at.lo, at.hi, call, None)
