"""Lists whose length the text of a function tells: `shape = list(x.shape); shape[0] += 2`.

Nothing that is done to such a variable gives its list another item or another name, so the number
of its items is that of the list it was last bound to, and may decide on types, as that of a tuple.
"""

from collections.abc import Iterator

from scriptc.check.bindings import Typed
from scriptc.check.context import Context
from scriptc.check.scopes import walk
from scriptc.syntax import nodes as n
from scriptc_runtime.record import replace

_READERS = frozenset({"len", "list", "max", "min", "sum", "tuple"})
_TAKE_SIZES = frozenset({"empty", "full", "ones", "reshape", "zeros"})


def if_steady(context: Context, name: str, binding: Typed) -> Typed:
    """Return what is known of a list, without its length where the variable may get another."""
    if context.learned.steady_lists is None:
        found = steady_lists(context.definition) if context.definition else frozenset[str]()
        context.learned.steady_lists = found
    return binding if name in context.learned.steady_lists else replace(binding, length=None)


def steady_lists(function: n.FunctionDef) -> frozenset[str]:
    """Return the variables whose lists keep their length and have no other name."""
    mentions: dict[str, int] = {}
    for node in walk(function.body):
        if isinstance(node, n.Name):
            mentions[node.id] = mentions.get(node.id, 0) + 1
        for name in _harmless(node):
            mentions[name] = mentions.get(name, 0) - 1
    return frozenset(name for name, left in mentions.items() if left == 0) - _shortened(function)


def _harmless(node: n.Node) -> Iterator[str]:
    """Yield the names that stand in `node` where a list keeps its length and its one name."""
    match node:
        case n.Assign(targets=(n.Name(id=name),)) | n.For(iter=n.Name(id=name)):
            yield name
        case n.Subscript(value=n.Name(id=name), slice=index) if not isinstance(index, n.Slice):
            yield name
        case n.Call(func=n.Name(id=function), args=args) if function in _READERS:
            yield from (arg.id for arg in args if isinstance(arg, n.Name))
        case n.Call(func=n.Attribute(attr=function), args=args) if function in _TAKE_SIZES:
            yield from (arg.id for arg in args if isinstance(arg, n.Name))
        case _:
            pass


def _shortened(function: n.FunctionDef) -> frozenset[str]:
    """Return the variables of whose lists an item is deleted."""
    deletes = (node for node in walk(function.body) if isinstance(node, n.Delete))
    targets = (target for node in deletes for target in node.targets)
    bases = (target.value for target in targets if isinstance(target, n.Subscript))
    return frozenset(base.id for base in bases if isinstance(base, n.Name))
