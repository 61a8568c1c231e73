"""Smaller programs that fail as a random one does: what can go of it goes, piece by piece."""

import ast
import copy
import time
from collections.abc import Callable, Iterator
from typing import cast

Fails = Callable[[str], bool]
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


def reduced(text: str, fails: Fails, seconds: float = 60.0) -> str:
    """Return a program that `fails` accepts as well, found within a time."""
    end = time.monotonic() + seconds
    tree = ast.parse(text)
    changed = True
    while changed:
        changed = False
        for smaller in _steps(tree):
            if time.monotonic() > end:
                return ast.unparse(tree)
            try:
                if fails(ast.unparse(smaller)):
                    tree, changed = smaller, True
                    break
            except SyntaxError:
                continue
    return ast.unparse(tree)


def _steps(tree: ast.Module) -> Iterator[ast.Module]:
    """Yield programs with one thing less; whole statements first, large ones before small ones."""
    yield from _without_statements(tree)
    yield from _opened(tree)
    yield from _simpler(tree)


def _nodes(tree: ast.AST) -> list[ast.AST]:
    return list(ast.walk(tree))


def _without_statements(tree: ast.Module) -> Iterator[ast.Module]:
    for number, node in enumerate(_nodes(tree)):
        for block in _BLOCKS:
            held = _block(node, block)
            for place in reversed(range(len(held))):
                if _is_kept(held[place]):
                    continue
                smaller = copy.deepcopy(tree)
                lines = _block(_nodes(smaller)[number], block)
                del lines[place]
                if not lines and block == "body":
                    lines.append(ast.Pass())
                yield smaller


def _block(node: ast.AST, name: str) -> list[ast.AST]:
    """Return a list of statements, handlers or cases of a node; an empty one where it has none."""
    held: object = getattr(node, name, None)
    return cast("list[ast.AST]", held) if isinstance(held, list) else []


def _is_kept(node: ast.AST) -> bool:
    return isinstance(node, ast.Pass | ast.Import | ast.ImportFrom)


def _opened(tree: ast.Module) -> Iterator[ast.Module]:
    """Yield programs in which a compound statement is its body alone."""
    for number, node in enumerate(_nodes(tree)):
        for place, line in enumerate(_block(node, "body")):
            if not isinstance(line, ast.If | ast.For | ast.While | ast.Try | ast.With):
                continue
            smaller = copy.deepcopy(tree)
            lines = _block(_nodes(smaller)[number], "body")
            lines[place : place + 1] = _block(lines[place], "body")
            yield smaller


def _simpler(tree: ast.Module) -> Iterator[ast.Module]:
    """Yield programs in which an expression is one of its parts, or a small constant."""
    for number, node in enumerate(_nodes(tree)):
        for name, value in cast("Iterator[tuple[str, object]]", ast.iter_fields(node)):
            is_many = isinstance(value, list)
            items = cast("list[object]", value if is_many else [value])
            for place, item in enumerate(items):
                if not isinstance(item, ast.expr) or isinstance(item, ast.Constant | ast.Name):
                    continue
                for part in _parts(item):
                    smaller = copy.deepcopy(tree)
                    owner = _nodes(smaller)[number]
                    if is_many:
                        getattr(owner, name)[place] = copy.deepcopy(part)
                    else:
                        setattr(owner, name, copy.deepcopy(part))
                    yield smaller


def _parts(node: ast.expr) -> list[ast.expr]:
    small: list[ast.expr] = [ast.Constant(value) for value in (0, "", True, 1.0)]
    return [*(n for n in ast.iter_child_nodes(node) if isinstance(n, ast.expr)), *small]
