"""Blocks that are left early: what `match` and generators are short for.

Inside of `Block(mark)`, both `Unless(test, mark)`, where its test fails, and `Leave(mark)` go on
after the block.  `LeaveTo(label)` goes to the end of `Labelled(label)`, also out of loops and of a
`try`: what a program wrote may stand between them.
"""

from __future__ import annotations

from scriptc.syntax import nodes as n

# ruff: noqa: D101, RUF023 -- the text above says what they are


class Mark(n.Node):
    """Names a block; identity is all it has."""

    __slots__ = ()


class Block(n.Statement):
    __slots__ = ("mark", "body")
    mark: Mark
    body: n.Body


class Unless(n.Statement):
    __slots__ = ("test", "mark")
    test: n.Expression
    mark: Mark | None  # None where the test never fails


class Leave(n.Statement):
    __slots__ = ("mark",)
    mark: Mark


class Labelled(n.Statement):
    __slots__ = ("label", "body")
    label: str
    body: n.Body


class LeaveTo(n.Statement):
    __slots__ = ("label",)
    label: str


class Rest(n.Expression):
    """What `*args` takes of a call, as one tuple of any length."""

    __slots__ = ("value",)
    value: n.Expression
