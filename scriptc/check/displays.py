"""Displays and comprehensions of dicts and sets; a program of loops has none."""

from scriptc.check.bindings import Typed
from scriptc.check.context import Context
from scriptc.check.open_types import block_in
from scriptc.syntax import nodes as n
from scriptc_runtime.types import DictType, Type


def check_dict(context: Context, node: n.Dict, expected: Type | None) -> Typed:
    """Check `{key: value, ...}`."""
    # Inside a function, here and below: see above.
    from scriptc.check.desugar.made_containers import check_merged
    from scriptc.check.python.dicts.displays import check_display

    if None in node.keys:
        return check_merged(context, node, expected)
    return check_display(context, node, expected if node.keys else block_in(expected, DictType))


def check_dict_comprehension(context: Context, node: n.DictComp, expected: Type | None) -> Typed:
    """Check `{key: value for ...}`."""
    from scriptc.check.desugar.comprehensions import check_dict

    return check_dict(context, node, expected)


def check_set(context: Context, node: n.Set, expected: Type | None) -> Typed:
    """Check `{item, ...}`."""
    from scriptc.check.desugar.made_containers import check_united
    from scriptc.check.python.hash_sets.displays import check_display

    if any(isinstance(elt, n.Starred) for elt in node.elts):
        return check_united(context, node, expected)
    return check_display(context, node, expected)


def check_set_comprehension(context: Context, node: n.SetComp, expected: Type | None) -> Typed:
    """Check `{item for ...}`."""
    from scriptc.check.desugar.comprehensions import check_set

    return check_set(context, node, expected)
