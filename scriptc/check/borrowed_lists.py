"""Lists that came in as parameters: what scripts may not do to them."""

from typing import NoReturn

from scriptc.check.bindings import CAPTURED, KEYWORDS, NESTED, Typed
from scriptc.check.context import Context
from scriptc.syntax import nodes as n
from scriptc_runtime.types import Container


def refuse_borrowed(context: Context, at: n.Node, value: Typed, what: str) -> None:
    """Refuse to change or keep a list that came in as a parameter, where the caller would not see.

    To a list without lists in it what is written comes back to Python. Between scripts any list may
    be written or kept: whoever has it from Python refuses the call.
    """
    name = value.borrowed
    if name is None:
        return
    kind = value.type.name if isinstance(value.type, Container) else "list"
    if name.startswith(CAPTURED):
        _refuse_captured(context, at, name.removeprefix(CAPTURED), kind, what)
    if name == KEYWORDS:
        _refuse_keywords(context, at, what)
        return
    _note(context, name.removesuffix(NESTED), what)
    if context.is_root:
        _refuse_of_python(context, at, value, what)


def _note(context: Context, parameter: str, what: str) -> None:
    """Note what a function does with a list that it is given, for those that call it."""
    if what == "returned":
        context.lends = True
    elif what == "written to":
        context.written_lists.add(parameter)
    else:
        context.kept_lists[parameter] = what


def _refuse_captured(context: Context, at: n.Node, name: str, kind: str, what: str) -> NoReturn:
    context.fail(
        "captured-value",
        f"the global {kind} {name!r}, or one in it, cannot be {what}",
        at,
        why="a script gets a copy of it at each call, which Python would not see",
        instead=f"a copy of its own: {name}.copy(), or {kind}(...) of one in it",
    )


def _refuse_keywords(context: Context, at: n.Node, what: str) -> None:
    if what != "returned":
        context.fail(
            "list-parameter",
            f"the dict of the arguments that `**` took cannot be {what}",
            at,
            why="it is made where it is asked for, so it would be seen once",
            instead="a dict of its own, dict(kwargs)",
        )


def _refuse_of_python(context: Context, at: n.Node, value: Typed, what: str) -> None:
    """Refuse what Python, which calls the function, would not see."""
    name = value.borrowed or ""
    plain, is_part = name.removesuffix(NESTED), name.endswith(NESTED)
    kind = value.type.name if isinstance(value.type, Container) else "list"
    if what not in ("returned", "written to"):
        subject = f"a {kind} in the parameter" if is_part else f"the {kind} parameter"
        context.fail(
            "list-parameter",
            f"{subject} {plain!r} cannot be {what}",
            at,
            why=f"in Python it would be the caller's own {kind}, and a script has a copy",
            instead=f"put a copy there: {'.copy() of it' if is_part else f'{plain}.copy()'}",
        )
    if isinstance(value.type, Container):
        context.fail(
            "list-parameter",
            f"the {kind} parameter {plain!r} cannot be {what}",
            at,
            why="a script gets a copy of what the caller has, who would not see it",
            instead=f"a copy of its own, which it returns: {plain} = {plain}.copy()",
        )
    if is_part:
        context.fail(
            "list-parameter",
            f"the list parameter {plain!r} cannot be {what}",
            at,
            why="a script gets a copy of the caller's list, so the caller would not see it",
            instead="build a new list from its items",
        )
