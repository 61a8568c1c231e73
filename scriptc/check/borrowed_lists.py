"""Lists that came in as parameters: what scripts may not do to them."""

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
    if name.startswith(CAPTURED):
        plain = name.removeprefix(CAPTURED)
        context.fail(
            "captured-value",
            f"the global list {plain!r}, or one in it, cannot be {what}",
            at,
            why="a script gets a copy of it at each call, which Python would not see",
            instead=f"a copy of its own: {plain}.copy(), or list(...) of one in it",
        )
    if name == KEYWORDS:
        if what == "returned":
            return
        context.fail(
            "list-parameter",
            f"the dict of the arguments that `**` took cannot be {what}",
            at,
            why="it is made where it is asked for, so it would be seen once",
            instead="a dict of its own, dict(kwargs)",
        )
    if what == "returned":
        context.lends = True
    if what == "written to":
        context.written_lists.add(name.removesuffix(NESTED))
    plain, is_part = name.removesuffix(NESTED), name.endswith(NESTED)
    is_kept = what not in ("returned", "written to")
    if is_kept and not context.is_root:
        context.kept_lists[plain] = what
    elif is_kept:
        kind = value.type.name if isinstance(value.type, Container) else "list"
        subject = (
            f"a {kind} in the parameter {plain!r}" if is_part else f"the {kind} parameter {plain!r}"
        )
        context.fail(
            "list-parameter",
            f"{subject} cannot be {what}",
            at,
            why=f"in Python it would be the caller's own {kind}, and a script has a copy",
            instead=f"put a copy there: {'.copy() of it' if is_part else f'{plain}.copy()'}",
        )
    if isinstance(value.type, Container) and context.is_root:
        context.fail(
            "list-parameter",
            f"the {value.type.name} parameter {plain!r} cannot be {what}",
            at,
            why="a script gets a copy of what the caller has, who would not see it",
            instead=f"a copy of its own, which it returns: {plain} = {plain}.copy()",
        )
    if is_part and context.is_root:
        context.fail(
            "list-parameter",
            f"the list parameter {plain!r} cannot be {what}",
            at,
            why="a script gets a copy of the caller's list, so the caller would not see it",
            instead="build a new list from its items",
        )
