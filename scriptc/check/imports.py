"""Imports inside of functions: names that stand for modules, and for what stands in them."""

import sys
from importlib import import_module
from types import ModuleType

from scriptc.check.bindings import Fixed, Static
from scriptc.check.context import Context
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion


def check_import(context: Context, node: n.Import | n.ImportFrom) -> None:
    """Let names stand for modules, and for what stands in them; a constant is assigned."""
    assert context.env is not None
    assigned: list[n.Statement] = []
    for alias in node.names:
        name = alias.asname or alias.name.partition(".")[0]
        value = _imported(context, node, alias)
        if isinstance(node, n.Import) or callable(value) or isinstance(value, ModuleType):
            context.env[name] = Fixed(Static(value, context.span(alias)))
        else:
            assigned.append(_assignment(context, node, alias, name))
    if not assigned:
        return
    expansion = context.learned.expansions.get(node)
    if expansion is None:
        nothing = n.Constant(node.lo, node.hi, None, None)
        expansion = Expansion(tuple(assigned), nothing, frozenset())
        context.learned.expansions[node] = expansion
    context.block(expansion.body)
    context.facts.expanded[node] = expansion


def _assignment(context: Context, node: n.ImportFrom, alias: n.alias, name: str) -> n.Assign:
    """Return `name = module.constant`, which an import of a constant is short for."""
    assert context.env is not None
    assert node.module is not None
    lo, hi = alias.lo, alias.hi
    module = f"{node.module}@"
    context.locals |= {module}
    context.env[module] = Fixed(Static(_module(node.module), context.span(alias)))
    value = n.Attribute(lo, hi, n.Name(lo, hi, module), alias.name)
    return n.Assign(lo, hi, (n.Name(lo, hi, name),), value)


def _imported(context: Context, node: n.Import | n.ImportFrom, alias: n.alias) -> object:
    try:
        if isinstance(node, n.Import):
            module = _module(alias.name)
            top = alias.name.partition(".")[0]
            return module if alias.asname else _module(top)
        if node.module is None or node.level:
            context.fail("import", "a relative import", node, instead="import it at the top")
        return getattr(_module(node.module), alias.name)
    except (ImportError, AttributeError) as error:
        context.fail(
            "import",
            _what_failed(node, alias, error),
            alias,
            why="it is imported when the function is compiled",
            instead="import it at the top of the module",
        )


def _what_failed(node: n.Import | n.ImportFrom, alias: n.alias, error: Exception) -> str:
    """Say what an import does not find, or what the code of the module raises."""
    module = alias.name if isinstance(node, n.Import) else node.module
    if isinstance(error, AttributeError):
        return f"{alias.name!r} is not found in {module!r}"
    raised = error.__cause__ if isinstance(error, _RaisedError) else None
    if raised is None:
        return f"{module!r} is not found"
    said = f": {raised}" if str(raised) else ""
    return f"{module!r} raises {type(raised).__name__}{said}"


class _RaisedError(ImportError):
    """The code of a module raises something else when it is imported."""


def _module(name: str) -> ModuleType:
    """Return a module, one that is being imported as well: who waits for this check may do so."""
    try:
        return sys.modules.get(name) or import_module(name)
    except ImportError:
        raise
    except Exception as error:  # whatever its own code raises
        raise _RaisedError from error
