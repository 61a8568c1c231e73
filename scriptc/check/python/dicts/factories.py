"""What a defaultdict makes for a key that is missing.

It is the class of its values, as `int` or `list`, where a class or a lambda of something empty, or
0, says so: a type needs to say no more.  Any other function is an object, which the dict holds.
"""

from collections import defaultdict

from scriptc.check.bindings import Fixed, ListKey, Static, Typed
from scriptc.check.closures import Closure, promise, resolved
from scriptc.check.context import Context, UnknownTypeError
from scriptc.check.open_types import EMPTY_DICT, EMPTY_LIST, UNTOLD, empty_set, is_open
from scriptc.check.python.dicts.displays import Factory, learn_value
from scriptc.check.python.lists.items import known_item
from scriptc.check.scopes import free_names, parameter_names
from scriptc.check.size_names import without_sizes
from scriptc.syntax import nodes as n
from scriptc_runtime.collection_classes import CLASSES, NESTED, factory_name
from scriptc_runtime.errors import Span
from scriptc_runtime.record import replace
from scriptc_runtime.types import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    STR,
    ClassType,
    DequeType,
    DictType,
    Type,
)
from scriptc_runtime.unions import members_of

_NUMBERS: dict[type, Type] = {bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX, str: STR}
_OPEN: dict[type, Type] = {
    **{list: EMPTY_LIST, dict: EMPTY_DICT, set: empty_set(), CLASSES["deque"]: DequeType(UNTOLD)},
    **{CLASSES[kind]: DictType(UNTOLD, UNTOLD, kind) for kind in ("Counter", "OrderedDict")},
}
_ZEROS = (False, 0, 0.0, 0j, "")


def seed(
    context: Context, node: n.Call, factory: n.Expression, declared: Type | None
) -> Factory | None:
    """Note what the values of a new defaultdict are: what `factory` makes.

    Return the factory as an object where the values do not say what class it is.
    """
    name = _class_made(context, factory)
    if isinstance(declared, DictType) and declared.kind in ("defaultdict", "dict"):
        return _declared(context, factory, name, declared)
    at = (node, context.path)
    if not name:
        return _own(context, at, factory)
    if at not in context.learned.items:
        context.learned.items[at] = _made(context, at, name, context.span(factory))
    known = known_item(context, at)
    if known is None or is_open(known.type) or factory_name(known.type):
        return None
    # Values of several types: none of them says what the class is.
    return Factory(factory, _object(context, factory, known.type)[0])


def _declared(
    context: Context, factory: n.Expression, name: str, declared: DictType
) -> Factory | None:
    """Return the factory of a dict of which an annotation says what it holds."""
    wanted = factory_name(declared.value)
    if not name:
        return Factory(factory, _object(context, factory, declared.value)[0], declared.value)
    if name != wanted:
        context.fail(
            "argument",
            f"the values of {declared} are not what {name} makes",
            factory,
            instead=f"defaultdict({wanted})" if wanted else "a lambda that makes one",
        )
    return None


def _own(context: Context, at: ListKey, factory: n.Expression) -> Factory | None:
    """Return a factory as an object, None where it is not known yet what it makes."""
    if not isinstance(factory, n.Lambda) or parameter_names(factory):
        made, static = _object(context, factory, None)
        held = _called(context, factory, static)
        learn_value(context, at[0], at, held)
        return Factory(factory, made)
    _require_values(context, factory)
    # The body has the same names here, and what it makes learns here what it holds.
    first = context.typed(factory.body)
    learn_value(context, at[0], at, first)
    known = known_item(context, at)
    if first.open_list is None or known is None:
        return Factory(factory, _object(context, factory, None)[0])
    if is_open(known.type):
        return None
    made, static = _object(context, factory, _plain(without_sizes(known.type)))
    return Factory(factory, made, _called(context, factory, static).type)


def _require_values(context: Context, factory: n.Lambda) -> None:
    """Refuse a factory that reads what has no value yet, as the dict that it is the factory of."""
    env = context.env or {}
    for name in sorted(free_names(factory)):
        if name in context.locals and name not in env:
            context.fail(
                "argument",
                f"what this defaultdict makes depends on {name!r}, which has no value yet",
                factory,
                instead=f"a dict, and setdefault: {name}.setdefault(key, len({name}))",
            )


def _plain(type_: Type) -> Type:
    """Return a type of dicts as annotations say it: they do not name factories."""
    if not isinstance(type_, DictType):
        return type_
    return replace(type_, value=_plain(type_.value), factory=None)


def _object(
    context: Context, node: n.Expression, result: Type | None
) -> tuple[Typed, Static | None]:
    """Return a function that returns `result`: as an object, and as a constant if it is one."""
    found = context.expression(node)
    static = found if isinstance(found, Static) else None
    if static is not None and result is not None:
        static = Static(promise(resolved(context, static.value, node), result), static.span)
    made = found if isinstance(found, Typed) else context.function_object(node, static or found)
    if made is None or not _is_function(context, made.type):
        context.fail(
            "argument",
            "a defaultdict calls this for a key that is missing, and it cannot be called",
            node,
            instead="a class, as int or list, or a function without parameters",
        )
    return made, static


def _is_function(context: Context, type_: Type) -> bool:
    """Whether objects of a type are functions."""
    members = members_of(type_)
    return all(isinstance(m, ClassType) and context.function_called(m.name) for m in members)


def _called(context: Context, node: n.Expression, static: Static | None) -> Typed:
    """Return what a call of a factory gives."""
    name = f"factory@{node.lo}:{node.hi}"
    func = node
    if static is not None and isinstance(static.value, Closure):
        func = n.Name(node.lo, node.hi, name)
        if context.env is None:
            raise UnknownTypeError
        context.locals |= {name}
        context.env[name] = Fixed(static)
    call = n.Call(node.lo, node.hi, func, (), ())
    # One node for all passes: what is learned of it stays known.
    return context.typed(context.learned.spreads.setdefault((node, ("made",)), call))


def _made(context: Context, at: ListKey, name: str, span: Span) -> Typed:
    """Return what a factory makes, with what is known of what it holds."""
    node, path = at
    inner: ListKey = (node, (*path, -2))
    if name.startswith(NESTED):
        within = name.removeprefix(NESTED)
        context.learned.items.setdefault(inner, _made(context, inner, within, span))
        held = context.learned.items[inner].type
        return Typed(DictType(UNTOLD, held, "defaultdict"), span, open_list=inner)
    for cls, type_ in _NUMBERS.items():
        if cls.__name__ == name:
            return Typed(type_, span)
    if name == "Counter":
        context.learned.items.setdefault(inner, Typed(INT, span))
    (type_,) = (type_ for cls, type_ in _OPEN.items() if cls.__name__ == name)
    return Typed(type_, span, open_list=inner)


def _class_made(context: Context, node: n.Expression) -> str:
    """Return the name of a class that a factory is, or whose empty object a lambda makes.

    It is "" of any other function.
    """
    if isinstance(node, n.Lambda):
        return _empty_made(context, node.body)
    value = context.expression(node)
    return _class_name(value.value) if isinstance(value, Static) else ""


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
                inner = _class_made(context, args[0])
                return inner and NESTED + inner
            return "" if args else _class_name(live)
        case _:
            return ""
