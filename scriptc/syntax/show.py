"""Tokens and syntax trees as text, for `scriptc dump` and for tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
    return "\n".join(_lines(source, node)) + "\n"


def _lines(source: Source, root: n.Node) -> Iterator[str]:
    waiting: list[tuple[object, str, str]] = [(root, "", "")]
    while waiting:
        node, label, indent = waiting.pop()
        if not isinstance(node, n.Node):
            # The default of a keyword-only parameter, the key of `**` in a dict.
            yield f"{indent}{label}{node!r}"
            continue
        plain: list[str] = []
        nested: list[tuple[object, str, str]] = []
        for name in n.field_names(node):
            value: object = getattr(node, name)
            if isinstance(value, n.Node):
                nested.append((value, f"{name}: ", indent + "  "))
            elif isinstance(value, tuple) and _holds_nodes(cast("tuple[object, ...]", value)):
                items = enumerate(cast("tuple[object, ...]", value))
                nested += ((item, f"{name}[{index}]: ", indent + "  ") for index, item in items)
            elif isinstance(node, n.Constant | n.MatchSingleton) and name == "value":
                plain.append(f" {value!r}")
            elif value not in (None, (), False):
                plain.append(f" {name}={value!r}")
        place = _place(source, node.lo)
        yield f"{indent}{label}{type(node).__name__} {place}{''.join(plain)}"
        waiting += reversed(nested)


def _holds_nodes(values: tuple[object, ...]) -> bool:
    return any(isinstance(value, n.Node) for value in values)


def _place(source: Source, offset: int) -> str:
    line, column = source.position(offset)
    return f"{line}:{column}"
