"""`dataclasses.replace`, `astuple` and `asdict` of objects whose class is known.

replace(p, x=1)     Point(x=1, y=p.y)
astuple(p)          (p.x, p.y)
asdict(p)           {"x": p.x, "y": p.y}
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NoReturn, cast

from scriptc.check.bindings import Fixed, Static, Typed
from scriptc.check.context import Context
from scriptc.check.desugar.comprehensions import as_loops
from scriptc.check.members import find_member
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion
from scriptc.values.dataclass_members import FIELDS, DataclassField, is_field, is_missing
from scriptc_runtime.types import ClassType, DType, NamedType, OptionalType, PyType, TupleType, Type


def check_function(context: Context, node: n.Call, function: object) -> Typed | None:
    """Check a call of a function of `dataclasses`; None for one that is not built."""
    name = getattr(function, "__name__", "")
    make = _MAKERS.get(name)
    if make is None:
        return None
    if not node.args or isinstance(node.args[0], n.Starred):
        context.fail("call-arity", f"{name}() takes an object of a dataclass first", node)
    if not isinstance(node.args[0], n.Name):
        found = as_loops(context, node, lambda: _named(node))
        assert isinstance(found, Typed)
        return found
    live = _class_of(context, name, node, node.args[0])
    plain = context.learned.patterns.get((node, live.__name__))
    if plain is None:
        plain = context.learned.patterns[node, live.__name__] = make(context, node, live)
    assert isinstance(plain, n.Expression)
    assert context.env is not None
    owner = _name_of(live)
    context.locals |= {owner}
    context.env[owner] = Fixed(Static(live, context.span(node)))
    value = context.typed(plain)
    context.facts.expanded[node] = Expansion((), plain, frozenset())
    context.facts.types[node] = value.type
    return value


def is_of_dataclasses(function: object) -> bool:
    """Whether a function is one of these."""
    name = getattr(function, "__name__", "")
    return getattr(function, "__module__", "") == "dataclasses" and name in _MAKERS


def _named(node: n.Call) -> Expansion:
    """Return a call with an object that is computed as a variable: its fields are read one by one.

    asdict(f(x))    object@ = f(x); asdict(object@)
    """
    first, *rest = node.args
    name = n.Name(first.lo, first.hi, f"object@{node.lo}:{node.hi}")
    whole = n.Call(node.lo, node.hi, node.func, (name, *rest), node.keywords)
    return Expansion((n.Assign(first.lo, first.hi, (name,), first),), whole, frozenset({name.id}))


def _class_of(context: Context, name: str, call: n.Call, node: n.Expression) -> type:
    type_ = context.typed(node).type
    if not isinstance(type_, ClassType):
        for keyword in call.keywords:
            context.attempt(keyword.value)  # where one of several types raises, it is made before
        context.fail("argument", f"{name}() takes an object of a dataclass, not {type_}", node)
    possible = context.possible_classes(node, type_.name)
    if len(possible) > 1:
        context.fail(
            "argument",
            f"{name}() is given an object that may be of several classes",
            node,
            instead="test isinstance before",
        )
    live = context.class_named(type_.name).live
    if not _fields_of(live):
        context.fail("argument", f"{name}() takes an object of a dataclass, not {type_}", node)
    return live


def _fields_of(live: type) -> Mapping[str, DataclassField]:
    member = find_member(live, FIELDS)
    return cast("Mapping[str, DataclassField]", member.value) if member else {}


def _name_of(live: type) -> str:
    return f"class {live.__name__}@dataclasses"


def _replaced(context: Context, node: n.Call, live: type) -> n.Expression:
    fields = _fields_of(live)
    given = {keyword.arg: keyword for keyword in node.keywords}
    if len(node.args) > 1:
        context.fail("call-arity", "replace() takes an object, and fields by name", node)
    kept: list[n.keyword] = []
    for name, field in fields.items():
        if name in given and is_field(field) and not field.init:
            _refuse_change(context, given[name], f"{name!r} is no parameter of {live.__name__}")
        if not is_field(field) and name not in given and _is_parameter(field):
            _refuse_change(context, node, f"the InitVar {name!r} must be given")
        if is_field(field) and field.init and name not in given:
            kept.append(n.keyword(node.lo, node.hi, name, _read(node, name)))
    func = n.Name(node.lo, node.hi, _name_of(live))
    return n.Call(node.lo, node.hi, func, (), (*node.keywords, *kept))


def _is_parameter(field: DataclassField) -> bool:
    kind = str(getattr(field, "_field_type", ""))
    return kind == "_FIELD_INITVAR" and is_missing(field.default)


def _refuse_change(context: Context, at: n.Node, message: str) -> NoReturn:
    context.fail(
        "argument",
        f"replace(): {message}",
        at,
        why="Python raises ValueError",
        instead="the constructor, or a method that makes the object",
    )


def _read(node: n.Call, name: str) -> n.Attribute:
    owner = node.args[0]
    assert isinstance(owner, n.Name)
    base = n.Name(node.lo, node.hi, owner.id)
    return n.Attribute(node.lo, node.hi, base, name)


def _as_tuple(context: Context, node: n.Call, live: type) -> n.Expression:
    return n.Tuple(node.lo, node.hi, tuple(_parts(context, node, live)))


def _as_dict(context: Context, node: n.Call, live: type) -> n.Expression:
    parts = tuple(_parts(context, node, live))
    fields = _fields_of(live).items()
    names = [name for name, field in fields if is_field(field)]
    keys = tuple(n.Constant(node.lo, node.hi, name, None) for name in names)
    return n.Dict(node.lo, node.hi, keys, parts)


def _parts(context: Context, node: n.Call, live: type) -> Sequence[n.Expression]:
    """Return the fields, which are numbers, texts and members: of others there would be copies."""
    types = context.class_named(live.__name__).fields
    found: list[n.Expression] = []
    for name, field in _fields_of(live).items():
        if not is_field(field):
            continue
        if not _is_copied(types.get(name)):
            context.fail(
                "argument",
                f"the field {name!r} is {types.get(name)}, of which a copy would be made",
                node,
                instead="the fields one by one: (p.x, p.items.copy())",
            )
        found.append(_read(node, name))
    return found


def _is_copied(type_: Type | None) -> bool:
    match type_:
        case TupleType(items) | NamedType(base=TupleType(items)):
            return all(map(_is_copied, items))
        case OptionalType(item):
            return _is_copied(item)
        case _:
            return isinstance(type_, PyType | DType | NamedType)


_MAKERS: Mapping[str, Callable[[Context, n.Call, type], n.Expression]] = {
    "asdict": _as_dict,
    "astuple": _as_tuple,
    "replace": _replaced,
}
