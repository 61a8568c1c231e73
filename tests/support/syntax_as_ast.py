"""The syntax tree as CPython's `ast`, to compare the two parsers."""

import ast
import sys
from bisect import bisect_right
from collections.abc import Callable, Mapping
from typing import Any, cast

from scriptc.syntax import nodes as n

OPERATORS: Mapping[str, type[ast.AST]] = {
    **{"+": ast.Add, "-": ast.Sub, "*": ast.Mult, "/": ast.Div, "//": ast.FloorDiv},
    **{"%": ast.Mod, "@": ast.MatMult, "**": ast.Pow, "<<": ast.LShift, ">>": ast.RShift},
    **{"&": ast.BitAnd, "|": ast.BitOr, "^": ast.BitXor, "and": ast.And, "or": ast.Or},
    **{"<": ast.Lt, ">": ast.Gt, "==": ast.Eq, ">=": ast.GtE, "<=": ast.LtE, "!=": ast.NotEq},
    **{"in": ast.In, "not in": ast.NotIn, "is": ast.Is, "is not": ast.IsNot},
}
UNARY: Mapping[str, type[ast.AST]] = {
    **{"+": ast.UAdd, "-": ast.USub, "~": ast.Invert, "not": ast.Not}
}
# Fields whose expressions are written to.
STORED: Mapping[type[n.Node], str] = {
    **{n.Assign: "targets", n.AugAssign: "target", n.AnnAssign: "target", n.For: "target"},
    **{n.NamedExpr: "target", n.comprehension: "target", n.withitem: "optional_vars"},
    **{n.TypeAlias: "name"},
}
WITH_CONTEXT = (n.Name, n.Attribute, n.Subscript, n.Starred, n.Tuple, n.List)
UNPACKED = (n.Starred, n.Tuple, n.List)


class Converter:
    """Turns nodes of one text into nodes of `ast`, with their positions."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0, *(i + 1 for i, c in enumerate(text) if c == "\n")]

    def convert(self, value: Any, context: type[ast.expr_context] = ast.Load) -> Any:
        if isinstance(value, tuple):
            items = cast("tuple[Any, ...]", value)
            return [self.convert(item, context) for item in items]
        if not isinstance(value, n.Node):
            return int(value) if value is True or value is False else value
        return self._positioned(self._node(value, context), value)

    def _node(self, node: n.Node, context: type[ast.expr_context]) -> Any:
        fields = {name: self._field(node, name, context) for name in n.field_names(node)}
        match node:
            case n.Module():
                fields["type_ignores"] = []
            case n.BinOp() | n.BoolOp() | n.AugAssign():
                fields["op"] = OPERATORS[node.op]()
            case n.UnaryOp():
                fields["op"] = UNARY[node.op]()
            case n.Compare():
                fields["ops"] = [OPERATORS[op]() for op in node.ops]
            case n.Constant() | n.MatchSingleton():
                fields["value"] = node.value
            case _:
                pass
        if isinstance(node, WITH_CONTEXT):
            fields["ctx"] = context()
        return self._class(node, fields)(**fields)

    def _field(self, node: n.Node, name: str, context: type[ast.expr_context]) -> Any:
        if isinstance(node, n.Delete):
            context = ast.Del
        elif STORED.get(type(node)) == name:
            context = ast.Store
        elif not (isinstance(node, UNPACKED) and name in ("elts", "value")):
            context = ast.Load
        return self.convert(getattr(node, name), context)

    def _class(self, node: n.Node, fields: dict[str, Any]) -> Callable[..., Any]:
        name = type(node).__name__
        if fields.pop("is_async", 0) and not isinstance(node, n.comprehension):
            name = "Async" + name
        elif isinstance(node, n.comprehension):
            fields["is_async"] = int(node.is_async)
        if fields.pop("is_star", 0):
            name = "TryStar"
        if isinstance(node, n.FunctionDef | n.ClassDef) and sys.version_info < (3, 12):
            assert not fields.pop("type_params")
        if isinstance(node, n.TypeParameter) and sys.version_info < (3, 13):
            assert not fields.pop("default_value")
        return getattr(ast, name)

    def _positioned(self, converted: Any, node: n.Node) -> Any:
        if "lineno" in converted._attributes:
            converted.lineno, converted.col_offset = self._position(node.lo)
            converted.end_lineno, converted.end_col_offset = self._position(node.hi)
        return converted

    def _position(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._starts, offset)
        return line, len(self._text[self._starts[line - 1] : offset].encode())


def without_fstring_positions(tree: ast.AST) -> ast.AST:
    """Take away what Python 3.11 gives wrongly: the places inside f-strings."""
    for string in ast.walk(tree):
        if isinstance(string, ast.JoinedStr):
            for node in ast.walk(string):
                for name in ("lineno", "col_offset", "end_lineno", "end_col_offset"):
                    if hasattr(node, name):
                        setattr(node, name, 0)
    return tree


def dump(tree: ast.AST) -> str:
    """Return a text that is equal for equal trees, places included."""
    return ast.dump(without_fstring_positions(tree), include_attributes=True)
