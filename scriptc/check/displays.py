"""Displays and comprehensions of dicts and sets; a program of loops has none."""

from scriptc.check.bindings import Typed
from scriptc.check.context import Context
from scriptc.check.desugar import comprehensions, made_containers
from scriptc.check.open_types import block_in
from scriptc.check.python.dicts import displays
from scriptc.check.python.hash_sets import displays as hash_sets_displays
from scriptc.syntax import nodes as n
from scriptc_runtime.types import DictType, Type


def check_dict(context: Context, node: n.Dict, expected: Type | None) -> Typed:
    """Check `{key: value, ...}`."""
    if None in node.keys:
        return made_containers.check_merged(context, node, expected)
    return displays.check_display(
        context, node, expected if node.keys else block_in(expected, DictType)
    )


def check_dict_comprehension(context: Context, node: n.DictComp, expected: Type | None) -> Typed:
    """Check `{key: value for ...}`."""
    return comprehensions.check_dict(context, node, expected)


def check_set(context: Context, node: n.Set, expected: Type | None) -> Typed:
    """Check `{item, ...}`."""
    if any(isinstance(elt, n.Starred) for elt in node.elts):
        return made_containers.check_united(context, node, expected)
    return hash_sets_displays.check_display(context, node, expected)


def check_set_comprehension(context: Context, node: n.SetComp, expected: Type | None) -> Typed:
    """Check `{item for ...}`."""
    return comprehensions.check_set(context, node, expected)
