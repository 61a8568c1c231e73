"""Typed trees as text: each statement, and below it each expression with its type.

    3:5     total = total + x * 2.0
    3:5       total : f64
    3:13      total + x * 2.0 : f64
    3:13        total : f64

Every line starts with its place in the source.
"""

from collections.abc import Iterator

from scriptc.check.checked import CheckedFunction
from scriptc.syntax import nodes as n
from scriptc_runtime.errors import Source

_WIDTH = 60


def show_types(functions: list[CheckedFunction]) -> str:
    """Return the functions with the types of all their parts."""
    return "\n".join("\n".join(_Writer(f).lines()) + "\n" for f in functions)


class _Writer:
    def __init__(self, function: CheckedFunction) -> None:
        self._function = function
        self._source: Source = function.source

    def lines(self) -> Iterator[str]:
        function = self._function
        params = ", ".join(f"{p.name}: {p.type}" for p in function.params)
        yield self._line(function.node, "", f"def {function.name}({params}) -> {function.result}")
        for capture in function.captures:
            yield self._line(function.node, "  ", f"captured {capture.name} : {capture.type}")
        waiting: list[tuple[n.Node, str]] = [(s, "  ") for s in reversed(function.node.body)]
        while waiting:
            node, indent = waiting.pop()
            if isinstance(node, n.Expr) and isinstance(node.value, n.Constant):
                continue  # a docstring
            type_ = function.facts.types.get(node) if isinstance(node, n.Expression) else None
            if isinstance(node, n.Statement):
                yield self._line(node, indent, self._text(node))
            elif type_ is not None:
                yield self._line(node, indent, f"{self._text(node)} : {type_}")
            if isinstance(node, n.Statement) or type_ is not None:
                indent += "  "
            waiting += reversed([(child, indent) for child in n.children(node)])

    def _text(self, node: n.Node) -> str:
        """Return the first line of a node's text, cut to a readable width."""
        whole = self._source.text[node.lo : node.hi]
        first = whole.split("\n", 1)[0].rstrip()
        short = first if len(first) <= _WIDTH else f"{first[: _WIDTH - 4]} ..."
        continued = short == first and first != whole and isinstance(node, n.Expression)
        return f"{short} ..." if continued else short

    def _line(self, node: n.Node, indent: str, text: str) -> str:
        line, column = self._source.position(node.lo)
        return f"{f'{line}:{column}':<8}{indent}{text}"
