"""Imports inside of functions: names that stand for modules, and for what stands in them."""

import sys
from importlib import import_module
from types import ModuleType

from scriptc.check.bindings import Fixed, Static
from scriptc.check.context import Context
from scriptc.syntax import nodes as n


def check_import(context: Context, node: n.Import | n.ImportFrom) -> None:
    """Let names stand for modules, and for what stands in them."""
    assert context.env is not None
    for alias in node.names:
        name = alias.asname or alias.name.partition(".")[0]
        value = _imported(context, node, alias)
        if not callable(value) and not isinstance(value, ModuleType):
            context.fail(
                "import",
                f"{alias.name!r} is no module, function or class",
                alias,
                why="what is imported inside a function is a constant without a value",
                instead="import it at the top, or the module: import math; math.pi",
            )
        context.env[name] = Fixed(Static(value, context.span(alias)))


def _imported(context: Context, node: n.Import | n.ImportFrom, alias: n.alias) -> object:
    try:
        if isinstance(node, n.Import):
            module = _module(alias.name)
            top = alias.name.partition(".")[0]
            return module if alias.asname else _module(top)
        if node.module is None or node.level:
            context.fail("import", "a relative import", node, instead="import it at the top")
        return getattr(_module(node.module), alias.name)
    except (ImportError, AttributeError):
        context.fail(
            "import",
            f"{alias.name!r} is not found",
            alias,
            why="it is imported when the function is compiled",
            instead="import it at the top of the module",
        )


def _module(name: str) -> ModuleType:
    """Return a module, one that is being imported as well: who waits for this check may do so."""
    return sys.modules.get(name) or import_module(name)
