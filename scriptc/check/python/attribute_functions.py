"""`hasattr`, `getattr` and `setattr` of objects, with names that the program writes down."""

from scriptc.check.bindings import Known, Typed
from scriptc.check.checked import Literal
from scriptc.check.context import Context, Value
from scriptc.check.members import find_member
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.types import BOOL, NONE, ClassType

_ARGUMENTS = {"hasattr": (2,), "getattr": (2, 3), "setattr": (3,)}


def check_attribute_function(context: Context, node: n.Call, function: object) -> Value | None:
    """Check a call of one of the three on an object; None where the first argument is none."""
    name = getattr(function, "__name__", "")
    if node.keywords or len(node.args) not in _ARGUMENTS[name]:
        return None
    place, said = node.args[:2]
    value = context.expression(place)
    if not isinstance(value, Typed) or not isinstance(value.type, ClassType):
        return None
    attribute = _name(context, said)
    if name == "setattr":
        return _set(context, node, attribute)
    has = _has(context, node, value.type, attribute)
    if name == "hasattr":
        known = Typed(BOOL, context.span(node), known=Known(has))
        if isinstance(place, n.Name):
            return context.constant(node, Literal(has, BOOL), known)
        context.record(node, [place], Literal(has, BOOL))
        return known
    if not has and len(node.args) == 3 and isinstance(place, n.Name):
        return _short_for(context, node, node.args[2])
    return _short_for(context, node, n.Attribute(node.lo, node.hi, place, attribute))


def _name(context: Context, node: n.Expression) -> str:
    found = context.expression(node)
    known = found.known.value if isinstance(found, Typed) and found.known else None
    if isinstance(node, n.Constant) and isinstance(node.value, str):
        known = node.value
    if not isinstance(known, str):
        context.fail(
            "argument",
            "the name of an attribute is computed",
            node,
            why="which fields an object has is known before the program runs, by their names",
            instead='a name that is written down, getattr(x, "name"), or a dict',
        )
    return known


def _has(context: Context, node: n.Call, type_: ClassType, name: str) -> bool:
    """Return whether objects have an attribute; refuse what only some have."""
    if name in context.class_named(type_.name).late:
        context.fail(
            "argument",
            f"objects of {type_.name} have {name!r} from when a method sets it",
            node,
            instead="set it in __init__, to None, and test that",
        )
    if name in context.class_named(type_.name).names:
        return True
    found = [
        name in context.class_named(live.__name__).names or find_member(live, name) is not None
        for live in context.possible_classes(node, type_.name)
    ]
    if any(found) and not all(found):
        context.fail(
            "argument",
            f"only some classes that this may be have {name!r}",
            node,
            instead="test the class: isinstance(x, ...)",
        )
    return all(found)


def _short_for(context: Context, node: n.Call, meant: n.Expression) -> Value:
    """Check what a call stands for."""
    known = context.learned.spreads.setdefault((node, ()), meant)
    value = context.expression(known)
    if isinstance(value, Typed):
        context.facts.expanded[node] = Expansion((), known, frozenset())
        context.facts.types[node] = value.type
    return value


def _set(context: Context, node: n.Call, name: str) -> Typed:
    known = context.learned.expansions.get(node)
    if known is None:
        lo, hi = node.lo, node.hi
        target = n.Attribute(lo, hi, node.args[0], name)
        body = (n.Assign(lo, hi, (target,), node.args[2]),)
        known = Expansion(body, n.Constant(lo, hi, None, None), frozenset())
        context.learned.expansions[node] = known
    context.block(known.body)
    context.facts.expanded[node] = known
    context.facts.types[node] = NONE
    nothing = Typed(NONE, context.span(node))
    context.constant(known.value, Literal(None, NONE), nothing)
    return nothing
