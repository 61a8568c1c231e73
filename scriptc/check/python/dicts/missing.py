"""What dicts give for a key that they lack: KeyError, 0 in a Counter, a new value in a defaultdict.

What a defaultdict makes is the class of its values, as `int` or `list`: its type says so.
"""

from scriptc.check.bindings import Typed
from scriptc.check.borrowed_lists import refuse_borrowed
from scriptc.check.checked import Computation, Literal
from scriptc.check.context import Context
from scriptc.check.open_types import is_open
from scriptc.check.python.dicts.displays import (
    fit_key,
    found_key,
    learn_key,
    own_key,
    standard,
)
from scriptc.check.python.lists.items import inner_list
from scriptc.syntax import nodes as n
from scriptc_runtime.types import (
    INT,
    DictType,
)


def learn_missing(context: Context, at: n.Node, base: Typed, key: Typed) -> None:
    """Note what the keys of a dict are where it is read, if it need not have them."""
    if isinstance(base.type, DictType) and base.type.kind in ("defaultdict", "Counter"):
        learn_key(context, at, base, key)


def learn_update(context: Context, node: n.AugAssign, target: n.Subscript, base: Typed) -> None:
    """Note what a defaultdict of lists or the like holds by what is added to them."""
    if not (isinstance(base.type, DictType) and base.type.kind == "defaultdict"):
        return
    learn_missing(context, target, base, context.typed(target.slice))
    context.require_item(target, base)
    if is_open(base.type.value):
        inner = inner_list(context, base)
        made = Typed(base.type.value, context.span(target), open_list=inner)
        context.learn_items(made, context.typed(node.value))
        raise context.not_known_yet(target)


def read(
    context: Context, node: n.Node, base: Typed, whole: Computation, key: Computation
) -> Computation:
    """Return `whole[key]` of a dict."""
    type_ = whole.type
    assert isinstance(type_, DictType)
    if isinstance(node, n.Subscript):
        learn_missing(context, node, base, context.typed(node.slice))
    context.suggest_items(base, DictType(key.type, INT))
    context.require_items(node, base)
    fit = {"Counter": fit_key, "defaultdict": own_key}.get(type_.kind, found_key)
    fitting = fit(context, node, key, type_, base)
    if type_.kind == "Counter":
        return standard(context, node, "get", whole, fitting, Literal(0, INT))
    if type_.kind != "defaultdict":
        return standard(context, node, "get_item", whole, fitting)
    refuse_borrowed(context, node, base, "written to")
    name = "default_item" if type_.factory is None else "made_item"
    return standard(context, node, name, whole, fitting)


def seed_counter(context: Context, node: n.Call) -> None:
    """Note that a new Counter holds ints."""
    at = (node, context.path)
    context.learned.items.setdefault(at, Typed(INT, context.span(node)))
