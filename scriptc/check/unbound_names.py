"""Variables without a value: what is said of them."""

from typing import NoReturn

from scriptc.check.context import Context
from scriptc.syntax import nodes as n


def refuse_unbound(context: Context, node: n.Expression, name: str) -> NoReturn:
    """Refuse a name that has no value where it is read."""
    if context.constructs is not None and name == context.owner:
        context.fail(
            "unbound-variable",
            f"{name!r} is no object before the end of its __init__",
            node,
            why="it is made of its fields, which are variables until then",
            instead="a function that stands beside the class, and gets what it needs",
        )
    plain, _, place = name.partition("@")
    if place:
        context.fail(
            "unbound-variable",
            f"{plain!r} of the comprehension has no value any more",
            node,
            why="a function that is made in a comprehension reads it when it is called",
            instead="call the function inside of the comprehension, or pass it the value",
        )
    context.fail(
        "unbound-variable",
        f"{name!r} has no value here",
        node,
        why="it is assigned in this function, so it is a local variable everywhere in it",
        instead="assign it before this line",
    )
