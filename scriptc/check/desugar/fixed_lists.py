"""Lists whose length the text of a function tells: `shape = list(x.shape); shape[0] += 2`.

Nothing that is done to such a variable gives its list another item or another name, so the number
of its items is that of the list it was last bound to, and may decide on types, as that of a tuple.
"""

import builtins
from collections.abc import Iterator

import numpy as np

from scriptc.check.bindings import Typed
from scriptc.check.context import Context
from scriptc.check.scopes import look_up, walk
from scriptc.syntax import nodes as n
from scriptc_runtime.record import replace

# Functions that read a list and keep nothing of it.
_READERS = (
    *(builtins.len, builtins.list, builtins.max, builtins.min, builtins.sum, builtins.tuple),
    *(np.empty, np.full, np.ones, np.reshape, np.zeros),
)


def if_steady(context: Context, name: str, binding: Typed) -> Typed:
    """Return what is known of a list, without its length where the variable may get another."""
    if context.learned.steady_lists is None:
        context.learned.steady_lists = _steady_lists(context)
    return binding if name in context.learned.steady_lists else replace(binding, length=None)


def _steady_lists(context: Context) -> frozenset[str]:
    """Return the variables whose lists keep their length and have no other name."""
    if context.definition is None:
        return frozenset()
    every = list(walk(context.definition.body))
    mentions: dict[str, int] = {}
    for node in every:
        if isinstance(node, n.Name):
            mentions[node.id] = mentions.get(node.id, 0) + 1
        for name in _harmless(context, node):
            mentions[name] = mentions.get(name, 0) - 1
    shortened = frozenset(name for node in every for name in _shortened(node))
    return frozenset(name for name, left in mentions.items() if left == 0) - shortened


def _harmless(context: Context, node: n.Node) -> Iterator[str]:
    """Yield the names that stand in `node` where a list keeps its length and its one name."""
    match node:
        case n.Assign(targets=(n.Name(id=name),)) | n.For(iter=n.Name(id=name)):
            yield name
        case n.Subscript(value=n.Name(id=name), slice=index) if not isinstance(index, n.Slice):
            yield name
        case n.Call(func=func, args=args) if _only_reads(context, func):
            yield from (arg.id for arg in args if isinstance(arg, n.Name))
        case _:
            pass


def _only_reads(context: Context, func: n.Expression) -> bool:
    """Whether a callee is one of `_READERS`: the object, whatever stands for it in the text."""
    match func:
        case n.Name(id=name) if name not in context.locals:
            found = look_up(context.function, name)
            live = found and found.value
        case n.Attribute(value=n.Name(id=name), attr=attr) if name not in context.locals:
            found = look_up(context.function, name)
            live = getattr(np, attr, None) if found and found.value is np else None
        case _:
            return False
    return any(live is reader for reader in _READERS)


def _shortened(node: n.Node) -> Iterator[str]:
    """Yield the variables of whose lists a statement deletes an item."""
    for target in node.targets if isinstance(node, n.Delete) else ():
        if isinstance(target, n.Subscript) and isinstance(target.value, n.Name):
            yield target.value.id
