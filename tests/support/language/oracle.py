"""A program as CPython runs it, with ints of 64 bits: the one difference that random programs meet.

Each operation whose result may be a wide int is wrapped in a check that raises what a script does,
so that a program which catches the exception is compared too.
"""

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from types import CodeType
from typing import Any, cast

MESSAGE = "integer result does not fit in 64 bits"
_OPERATORS: Mapping[type[ast.operator], str] = {
    ast.Add: "iadd",
    ast.Sub: "isub",
    ast.Mult: "imul",
    ast.Div: "itruediv",
    ast.FloorDiv: "ifloordiv",
    ast.Mod: "imod",
    ast.Pow: "ipow",
    ast.LShift: "ilshift",
    ast.RShift: "irshift",
    ast.BitOr: "ior",
    ast.BitAnd: "iand",
    ast.BitXor: "ixor",
}
_CHECKED = {"abs", "sum", "int", "round", "pow", "divmod", "list", "max", "min"}


def fits(value: Any) -> Any:
    """Return a value; OverflowError where it is an int beyond 64 bits."""
    if type(value) is int and not -(2**63) <= value < 2**63:
        raise OverflowError(MESSAGE)
    if type(value) in (tuple, list):
        for item in cast("Sequence[object]", value):
            fits(item)
    return value


def checked_sum(values: Any, start: Any = 0) -> Any:
    """Return the sum, each step of which has to fit."""
    for value in values:
        start = fits(start + value)
    return start


class _Checks(ast.NodeTransformer):
    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        if not _is_written(node):
            self.generic_visit(node)
        return _call("_fits", node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        if not _is_written(node):
            self.generic_visit(node)
        return node if isinstance(node.op, ast.Not) else _call("_fits", node)

    def visit_MatchValue(self, node: ast.MatchValue) -> ast.MatchValue:
        return node  # Python has no calls there

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if not isinstance(node.func, ast.Name):
            is_floor = isinstance(node.func, ast.Attribute) and node.func.attr in ("floor", "gcd")
            return _call("_fits", node) if is_floor else node
        if node.func.id == "sum":
            node.func.id = "_sum"
        return _call("_fits", node) if node.func.id in _CHECKED else node

    def visit_AugAssign(self, node: ast.AugAssign) -> list[ast.stmt]:
        self.generic_visit(node)
        number = ast.Constant(list(_OPERATORS).index(type(node.op)))
        before: list[ast.stmt] = []
        target = node.target
        if isinstance(target, ast.Subscript):
            before += [_set("_o", target.value), _set("_k", target.slice)]
            target = ast.Subscript(_load("_o"), _load("_k"), ast.Load())
        elif isinstance(target, ast.Attribute):
            before.append(_set("_o", target.value))
            target = ast.Attribute(_load("_o"), target.attr, ast.Load())
        held = ast.parse(ast.unparse(target), mode="eval").body
        value = ast.Call(_load("_augmented"), [number, held, node.value], [])
        store = ast.parse(ast.unparse(target) + " = 0").body[0]
        assert isinstance(store, ast.Assign)
        store.value = value
        return [ast.copy_location(line, node) for line in (*before, store)]


def _is_written(node: ast.expr) -> bool:
    """Whether an expression is one of literals, of which only the result has to fit."""
    parts = (ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop)
    return all(isinstance(inner, parts) for inner in ast.walk(node))


def _load(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _set(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _call(name: str, argument: ast.expr) -> ast.expr:
    return ast.copy_location(ast.Call(_load(name), [argument], []), argument)


def _augmented(number: int, held: Any, value: Any) -> Any:
    apply: Callable[[Any, Any], Any] = getattr(operator, [*_OPERATORS.values()][number])
    return fits(apply(held, value))


def checked_code(text: str, file: str) -> CodeType:
    """Return the code of a module whose ints are checked."""
    tree = ast.fix_missing_locations(_Checks().visit(ast.parse(text)))
    return compile(tree, file, "exec")


NAMES: Mapping[str, object] = {
    "_fits": fits,
    "_sum": checked_sum,
    "_augmented": _augmented,
}
