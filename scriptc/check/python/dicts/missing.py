"""What dicts give for a key that they lack: KeyError, 0 in a Counter, a new value in a defaultdict.

What a defaultdict makes is the class of its values, as `int` or `list`: its type says so.
"""

from collections import defaultdict

from scriptc.check.bindings import ListKey, Static, Typed
from scriptc.check.borrowed_lists import refuse_borrowed
from scriptc.check.checked import Computation, Literal
from scriptc.check.context import Context
from scriptc.check.open_types import EMPTY_DICT, EMPTY_LIST, empty_set, is_open
from scriptc.check.python.dicts.displays import fit_key, found_key, learn_key, standard
from scriptc.check.python.lists.items import inner_list
from scriptc.syntax import nodes as n
from scriptc_runtime.collection_classes import CLASSES, NESTED, factory_name
from scriptc_runtime.errors import Span
from scriptc_runtime.types import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    STR,
    DequeType,
    DictType,
    Type,
)

_NUMBERS: dict[type, Type] = {bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX, str: STR}
_OPEN: dict[type, Type] = {
    **{list: EMPTY_LIST, dict: EMPTY_DICT, set: empty_set(), CLASSES["deque"]: DequeType(NONE)},
    **{CLASSES[kind]: DictType(NONE, NONE, kind) for kind in ("Counter", "OrderedDict")},
}
_ZEROS = (False, 0, 0.0, 0j, "")


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
    context.require_items(node, base)
    fit = found_key if type_.kind in ("dict", "OrderedDict") else fit_key
    fitting = fit(context, node, key, type_, base)
    if type_.kind == "Counter":
        return standard(context, node, "get", whole, fitting, Literal(0, INT))
    if type_.kind != "defaultdict":
        return standard(context, node, "get_item", whole, fitting)
    refuse_borrowed(context, node, base, "written to")
    return standard(context, node, "default_item", whole, fitting)


def seed(context: Context, node: n.Call, factory: n.Expression, declared: Type | None) -> None:
    """Note what the values of a new defaultdict are: what `factory` makes."""
    name = _factory(context, factory)
    if isinstance(declared, DictType) and declared.kind in ("defaultdict", "dict"):
        wanted = factory_name(declared.value)
        if name != wanted:
            context.fail(
                "argument",
                f"the values of {declared} are not what {name} makes",
                factory,
                instead=f"defaultdict({wanted})" if wanted else "a dict, and setdefault",
            )
        return
    at = (node, context.path)
    if at not in context.learned.items:
        context.learned.items[at] = _made(context, at, name, context.span(factory))


def seed_counter(context: Context, node: n.Call) -> None:
    """Note that a new Counter holds ints."""
    at = (node, context.path)
    context.learned.items.setdefault(at, Typed(INT, context.span(node)))


def _made(context: Context, at: ListKey, name: str, span: Span) -> Typed:
    """Return what a factory makes, with what is known of what it holds."""
    node, path = at
    inner: ListKey = (node, (*path, -2))
    if name.startswith(NESTED):
        within = name.removeprefix(NESTED)
        context.learned.items.setdefault(inner, _made(context, inner, within, span))
        return Typed(DictType(NONE, NONE, "defaultdict"), span, open_list=inner)
    for cls, type_ in _NUMBERS.items():
        if cls.__name__ == name:
            return Typed(type_, span)
    if name == "Counter":
        context.learned.items.setdefault(inner, Typed(INT, span))
    (type_,) = (type_ for cls, type_ in _OPEN.items() if cls.__name__ == name)
    return Typed(type_, span, open_list=inner)


def _factory(context: Context, node: n.Expression) -> str:
    """Return the name of a factory: a class, or a lambda that makes an empty object of one."""
    if isinstance(node, n.Lambda):
        found = _empty_made(context, node.body)
    else:
        value = context.expression(node)
        found = _class_name(value.value) if isinstance(value, Static) else ""
    if not found:
        context.fail(
            "argument",
            "what this defaultdict makes for a key that is missing is not known",
            node,
            why="it is the class of its values, which are empty or 0 then",
            instead="a class, as int or list; `lambda: defaultdict(int)`; or a dict and setdefault",
        )
    return found


def _class_name(live: object) -> str:
    known = (*_NUMBERS, *_OPEN)
    return next((cls.__name__ for cls in known if live is cls), "")


def _empty_made(context: Context, node: n.Expression) -> str:
    """Return what makes what an expression is, where that is empty or 0."""
    match node:
        case n.Constant(value=value):
            zeros = {repr(zero): type(zero).__name__ for zero in _ZEROS}
            return zeros.get(repr(value), "")
        case n.List(elts=()):
            return "list"
        case n.Dict(keys=()):
            return "dict"
        case n.Call(func=func, args=args, keywords=()):
            called = context.expression(func)
            live = called.value if isinstance(called, Static) else None
            if live is defaultdict and len(args) == 1:
                return NESTED + _factory(context, args[0])
            return "" if args else _class_name(live)
        case _:
            return ""
