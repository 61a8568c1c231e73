"""Tokens and syntax trees as text, for `scriptc dump` and for tests."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from scriptc.syntax import nodes as n
from scriptc.syntax.tokens import Token
from scriptc_runtime.errors import Source


def show_tokens(source: Source, tokens: Iterable[Token]) -> str:
    """Return one line for each token: place, kind, text."""
    return "".join(f"{_place(source, t.lo):>8} {t.kind:<12} {t.text!r}\n" for t in tokens)


def show_tree(source: Source, node: n.Node) -> str:
    """Return one line for each node: field, class, place, and the fields that are not nodes.

    A field that is empty, None or False is left out.
    """
    return "\n".join(_lines(source, node, "", "")) + "\n"


def _lines(source: Source, node: n.Node, label: str, indent: str) -> list[str]:
    plain: list[str] = []
    nested: list[str] = []
    for name in n.field_names(node):
        value: object = getattr(node, name)
        if isinstance(value, n.Node):
            nested += _lines(source, value, f"{name}: ", indent + "  ")
        elif isinstance(value, tuple) and _holds_nodes(cast("tuple[object, ...]", value)):
            nested += _sequence(source, cast("tuple[object, ...]", value), name, indent + "  ")
        elif isinstance(node, n.Constant | n.MatchSingleton) and name == "value":
            plain.append(f" {value!r}")
        elif value not in (None, (), False):
            plain.append(f" {name}={value!r}")
    place = _place(source, node.lo)
    return [f"{indent}{label}{type(node).__name__} {place}{''.join(plain)}", *nested]


def _sequence(source: Source, values: tuple[object, ...], name: str, indent: str) -> list[str]:
    lines: list[str] = []
    for index, value in enumerate(values):
        label = f"{name}[{index}]: "
        if isinstance(value, n.Node):
            lines += _lines(source, value, label, indent)
        else:  # the default of a keyword-only parameter, the key of `**` in a dict
            lines.append(f"{indent}{label}{value!r}")
    return lines


def _holds_nodes(values: tuple[object, ...]) -> bool:
    return any(isinstance(value, n.Node) for value in values)


def _place(source: Source, offset: int) -> str:
    line, column = source.position(offset)
    return f"{line}:{column}"
