"""`hasattr`, `getattr` and `setattr` of objects."""

from scriptc.check.bindings import Known, Typed
from scriptc.check.checked import Literal
from scriptc.check.context import Context, Value
from scriptc.check.desugar import computed_attributes
from scriptc.check.members import PROPERTIES, find_member
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
    if (never := _of_never_set(context, node, value.type, attribute, name)) is not None:
        return never
    if attribute is None or _asks_the_run(context, node, value.type, attribute, name):
        return computed_attributes.check_computed(context, node, name, value.type)
    if name == "setattr":
        return _set(context, node, attribute)
    (has, *_) = _having(context, node, value.type, attribute)
    if name == "hasattr":
        known = Typed(BOOL, context.span(node), known=Known(has))
        if isinstance(place, n.Name):
            return context.constant(node, Literal(has, BOOL), known)
        context.record(node, [place], Literal(has, BOOL))
        return known
    if not has and len(node.args) == 3 and isinstance(place, n.Name):
        return _short_for(context, node, "", node.args[2])
    meant = n.Attribute(node.lo, node.hi, place, attribute)
    return _short_for(context, node, attribute, meant)


def _is_never_set(context: Context, type_: ClassType, attribute: str | None) -> bool:
    """Whether nothing has set a late field so far, in the program or before it."""
    declared = context.class_named(type_.name)
    if attribute not in declared.late or declared.fields.get(attribute) is not NONE:
        return False
    return not context.rounds.fields.may_be_none(declared.live, attribute)


def _of_never_set(
    context: Context, node: n.Call, type_: ClassType, attribute: str | None, name: str
) -> Value | None:
    if not isinstance(node.args[0], n.Name) or not _is_never_set(context, type_, attribute):
        return None
    if name == "hasattr":
        typed = Typed(BOOL, context.span(node), known=Known(value=False))
        return context.constant(node, Literal(False, BOOL), typed)
    is_default = name == "getattr" and len(node.args) == 3
    return _short_for(context, node, "", node.args[2]) if is_default else None


def _asks_the_run(
    context: Context, node: n.Call, type_: ClassType, attribute: str, name: str
) -> bool:
    """Whether only the run knows if an object has an attribute, or gives its value."""
    if name == "setattr":
        return False
    found = _having(context, node, type_, attribute)
    if any(found) and not all(found):
        return True
    declared = context.class_named(type_.name)
    member = find_member(declared.live, attribute)
    may_raise = attribute in declared.late or (member and isinstance(member.value, PROPERTIES))
    return bool(may_raise) and (name == "hasattr" or len(node.args) == 3)


def _name(context: Context, node: n.Expression) -> str | None:
    """Return a name that is written down, or known before the program runs."""
    if isinstance(node, n.Constant) and isinstance(node.value, str):
        return node.value
    found = context.expression(node)
    known = found.known.value if isinstance(found, Typed) and found.known else None
    return known if isinstance(known, str) else None


def _having(context: Context, node: n.Call, type_: ClassType, name: str) -> list[bool]:
    """Return of each class that an object may be of whether it has an attribute."""
    if name in context.class_named(type_.name).names:
        return [True]
    return [
        name in context.class_named(live.__name__).names or find_member(live, name) is not None
        for live in context.possible_classes(node, type_.name)
    ]


def _short_for(context: Context, node: n.Call, name: str, meant: n.Expression) -> Value:
    """Check what a call stands for: an unrolled loop may have another name in each iteration."""
    known = context.learned.spreads.setdefault((node, (name,)), meant)
    value = context.expression(known)
    if isinstance(value, Typed):
        context.facts.expanded[node] = Expansion((), known, frozenset())
        context.facts.types[node] = value.type
    return value


def _set(context: Context, node: n.Call, name: str) -> Typed:
    known = context.learned.choices.get((node, (name,)))
    if known is None:
        lo, hi = node.lo, node.hi
        target = n.Attribute(lo, hi, node.args[0], name)
        body = (n.Assign(lo, hi, (target,), node.args[2]),)
        known = Expansion(body, n.Constant(lo, hi, None, None), frozenset())
        context.learned.choices[node, (name,)] = known
    context.block(known.body)
    context.facts.expanded[node] = known
    context.facts.types[node] = NONE
    nothing = Typed(NONE, context.span(node))
    context.constant(known.value, Literal(None, NONE), nothing)
    return nothing
