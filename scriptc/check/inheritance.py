"""`super()`: members that a class has from those behind it, and the `__init__` of its base.

In a constructor fields are variables.  `super().__init__(x)` is short for

    made = Base(x)
    self.a, self.b = made.a, made.b

as an object of the base has exactly the fields that its `__init__` sets.
"""

from collections.abc import Sequence
from types import FunctionType
from typing import NoReturn

from scriptc.check import dispatch, init_fields
from scriptc.check.bindings import Fixed, Static, Typed
from scriptc.check.checked import Computation, Literal, Stored
from scriptc.check.context import Context
from scriptc.check.desugar import constructors, exception_inits
from scriptc.check.desugar.inits import init_of
from scriptc.check.members import (
    bases_of,
    exception_base,
    find_member,
    is_class,
    line_of,
    wrapped_function,
)
from scriptc.check.scopes import plain_function
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.record import record
from scriptc_runtime.types import NONE
from scriptc_runtime.values import EXCEPTIONS

# No name that a program can have.
_BASE = "@base"


@record(eq=False)
class SuperMember:
    """What `super().name` is about: the object, and the class behind which the name is looked up.

    In a constructor there is no object yet.
    """

    place: n.Expression
    receiver: Typed | None
    live: type
    after: type


def find_super(context: Context, node: n.Attribute) -> SuperMember:
    """Return what `super().name` or `super(Class, self).name` is about."""
    assert isinstance(node.value, n.Call)
    definition = context.definition
    own = definition.args.args if definition else ()
    after = _class_around(context, node.value)
    if after is None or not own or len(node.value.args) not in (0, 2):
        context.fail(
            "super",
            "super() says nothing here",
            node.value,
            why="it is about the first parameter of a method, and the bases of its class",
            instead="call it in a method of a class, as super() or super(Class, self)",
        )
    first = node.value.args[1] if node.value.args else own[0]
    name = first.id if isinstance(first, n.Name) else own[0].arg
    place = n.Name(first.lo, first.hi, name)
    if context.constructs is not None and name == context.owner:
        return SuperMember(place, None, context.constructs, after)
    found = context.expression(place)
    if isinstance(found, Static) and isinstance(found.value, type):
        context.fail(
            "super",
            "super() of a class method",
            node.value,
            why="it stands for a class that is known by its name",
            instead="name the base: Base.make(...)",
        )
    receiver = context.as_typed(place, found)
    live = context.class_named(str(receiver.type)).live
    return SuperMember(place, receiver, live, after)


def class_method_of_super(context: Context, node: n.Attribute) -> tuple[FunctionType, type] | None:
    """Return the method that `super().make` is in a class method, and the class it is given."""
    assert isinstance(node.value, n.Call)
    own = context.definition.args.args if context.definition else ()
    if context.constructs is not None or not own or node.value.args:
        return None
    found = context.expression(n.Name(own[0].lo, own[0].hi, own[0].arg))
    live = found.value if isinstance(found, Static) else None
    after = _class_around(context, node.value)
    if not isinstance(live, type) or after is None:
        return None
    member = find_member(live, node.attr, after)
    function = member and wrapped_function(member.value, classmethod)
    return (function, live) if function else None


def refuse_member_of_super(context: Context, node: n.Attribute, found: SuperMember) -> NoReturn:
    """Refuse a name that no base has."""
    what = f"no base of {found.after.__name__} has a member {node.attr!r}"
    context.fail("super", what, node, instead="name one that is written in a base")


def _class_around(context: Context, node: n.Call) -> type | None:
    """Return the class whose method the function is, or that `super(...)` names."""
    if node.args:
        found = context.expression(node.args[0])
        value = found.value if isinstance(found, Static) else None
        return value if isinstance(value, type) else None
    name = node.func.id if isinstance(node.func, n.Name) else ""
    function, _ = context.learned.foreign.get(name, (context.function, name))
    code = function.__code__
    if "__class__" not in code.co_freevars:
        return None
    cells = function.__closure__ or ()
    try:
        value: object = cells[code.co_freevars.index("__class__")].cell_contents
    except ValueError:
        return None  # the class is not made yet
    return value if isinstance(value, type) else None


def is_part(node: n.Call) -> bool:
    """Whether a call makes an object for its fields alone: those of another one's base."""
    return isinstance(node.func, n.Name) and node.func.id == _BASE


def named_base(context: Context, node: n.Call) -> type | None:
    """Return the base whose `__init__` a constructor calls by name: `Base.__init__(self, ...)`."""
    match node:
        case n.Call(
            func=n.Attribute(value=n.Name() as cls, attr="__init__"), args=(n.Name(id=name), *_)
        ) if context.constructs is not None and name == context.owner:
            found = context.expression(cls)
            value = found.value if isinstance(found, Static) else None
            if not isinstance(value, type):
                return None
            bases = bases_of(context.constructs)  # where another class may stand for it
            return next((base for base in bases if is_class(base, value)), value)
        case _:
            return None


def base_behind(live: type, after: type) -> type | None:
    """Return the class behind `after` in the bases of a class, None for what has no fields."""
    bases = bases_of(live)
    place = next(i for i, cls in enumerate(bases) if is_class(cls, after))
    behind = bases[place + 1 :]
    if len(line_of(live)) == len(bases):
        return behind[0] if behind else None
    return next((cls for cls in behind if "__init__" in vars(cls)), None)


def call_base_init(
    context: Context, node: n.Call, base: type | None, arguments: tuple[n.Expression, ...]
) -> Typed:
    """Check the call of a base's `__init__` in a constructor."""
    bodies = [context.definition.body] if context.definition else []
    bodies += [inner for _, inner in context.learned.methods.values()]
    # Without its stars it is another call, at the same place.
    lines = [s for body in bodies for s in body if isinstance(s, n.Expr)]
    if not any((s.lo, s.hi) == (node.lo, node.hi) for s in lines):
        context.fail(
            "super",
            "the __init__ of a base is called inside of another statement",
            node,
            why="it sets fields, each of which an object has exactly once",
            instead="call it in a line of its own, on every path of __init__",
        )
    builtin = exception_base(context.constructs) if context.constructs else None
    if builtin and (base is None or base in EXCEPTIONS.values()):
        return _call_builtin_init(context, node, arguments)
    if base is None or (not builtin and find_member(base, "__init__") is None and not arguments):
        return context.constant(node, Literal(None, NONE), Typed(NONE, context.span(node)))
    _require_kept(context, node, base)
    if (live := context.constructs) and init_fields.used_anew(live, base, context.syntax_of):
        init = init_of(base, context.span(node))
        if init and (checked := constructors.check_method(context, node, init, arguments)):
            return checked
    _require_own_methods(context, node, base)
    _require_same_order(context, node, base)
    assert context.env is not None
    names = frozenset({_BASE, init_fields.MADE})
    context.locals |= names
    context.env[_BASE] = Fixed(Static(base, context.span(node.func)))
    if node not in context.learned.expansions:
        fields = _fields_set(context, node, base)
        expansion = _expansion(context.owner, node, fields, arguments)
        context.learned.expansions[node] = expansion
    expansion = context.learned.expansions[node]
    context.block(expansion.body)
    left = context.reached() or {}
    for name in names:
        left.pop(name, None)
    context.facts.expanded[node] = expansion
    context.facts.types[node] = NONE
    context.constant(expansion.value, Literal(None, NONE), Typed(NONE, context.span(node)))
    return Typed(NONE, context.span(node))


def _fields_set(context: Context, node: n.Call, base: type) -> Sequence[str]:
    """Return the fields that a base sets, without those that start with a value of the class."""
    live = context.constructs
    assert live is not None
    set_by: set[str] = set()
    for cls in bases_of(base):
        init = init_of(cls, context.span(node))
        if init is not None:
            set_by |= set(
                init_fields.fields_of_init(cls, context.syntax_of(init)[1], context.syntax_of)
            )
    first = init_fields.first_values(live)
    names = context.class_of(base, node).names
    return [name for name in names if name in set_by or name not in first]


def _require_kept(context: Context, node: n.Call, base: type) -> None:
    """Refuse an `__init__` of a base that hands its object on: it would be that of the base."""
    init = init_of(base, context.span(node))
    if init is not None and context.class_of(base, node).hands_on:
        context.fail(
            "super",
            f"{base.__name__}.__init__ hands its object to others before it ends",
            node,
            why="an object of the base is made for its fields alone",
            instead="hand it on in a method that is called after super().__init__(...)",
        )


def _require_own_methods(context: Context, node: n.Call, base: type) -> None:
    """Refuse an `__init__` of a base that uses what the class defines anew."""
    live = context.constructs
    name = live and init_fields.used_anew(live, base, context.syntax_of)
    if live is not None and name is not None:
        context.fail(
            "super",
            f"{base.__name__}.__init__ uses {name!r}, of which {live.__name__} has another one",
            node,
            why="Python takes that of the class that the object is of",
            instead="a method that is called after it",
        )


def _require_same_order(context: Context, node: n.Call, base: type) -> None:
    """Refuse an `__init__` of a base whose `super()` is another class in what inherits from it."""
    init, live = init_of(base, context.span(node)), context.constructs
    if init is None or live is None or "super" not in init.__code__.co_names:
        return
    member = find_member(base, "__init__")
    after = member.owner if member else base
    if base_behind(live, after) is not base_behind(base, after):
        context.fail(
            "super",
            f"super() in {after.__name__}.__init__ stands for another class in {live.__name__}",
            node,
            why="an object of the base is made for its fields, with the bases that it has itself",
            instead=f"call each __init__ by name: {after.__name__}.__init__(self, ...)",
        )


def _call_builtin_init(
    context: Context, node: n.Call, arguments: tuple[n.Expression, ...]
) -> Typed:
    """Check the call of the `__init__` of a built-in exception, which sets its arguments."""
    expansion = context.learned.expansions.get(node)
    if expansion is None:
        done = n.Constant(node.lo, node.hi, None, None)
        made = exception_inits.made_of(node, context.owner, arguments, node.keywords)
        expansion = context.learned.expansions[node] = Expansion((made,), done, frozenset())
    context.block(expansion.body)
    context.facts.expanded[node] = expansion
    context.facts.types[node] = NONE
    context.constant(expansion.value, Literal(None, NONE), Typed(NONE, context.span(node)))
    return Typed(NONE, context.span(node))


def _expansion(
    owner: str, node: n.Call, fields: Sequence[str], arguments: tuple[n.Expression, ...]
) -> Expansion:
    lo, hi = node.lo, node.hi
    made = n.Call(lo, hi, n.Name(lo, hi, _BASE), arguments, node.keywords)
    body: list[n.Statement] = [n.Assign(lo, hi, (n.Name(lo, hi, init_fields.MADE),), made)]
    for field in fields:
        target = n.Attribute(lo, hi, n.Name(lo, hi, owner), field)
        value = n.Attribute(lo, hi, n.Name(lo, hi, init_fields.MADE), field)
        body.append(n.Assign(lo, hi, (target,), value))
    return Expansion(
        tuple(body), n.Constant(lo, hi, None, None), frozenset({_BASE, init_fields.MADE})
    )


def set_property(
    context: Context, target: n.Attribute, live: type, owner: Computation, value: Typed
) -> Computation | None:
    """Return the call of the setter of a property; None where the class has none."""
    if _setter(live, target.attr) is None:
        return None
    found = dispatch.cases(context, target, owner, dispatch.member_key(target.attr))
    results: list[Computation] = []
    for case in found:
        setter = _setter(case.live, target.attr)
        if setter is None:
            what = (
                f"{target.attr!r} of class {case.live.__name__} is a property, which is only read"
            )
            context.fail("class-field", what, target, instead="write a setter there, too")
        context.depend("function", f"{setter.__module__}.{setter.__qualname__}", setter)
        context.signature(setter, case.live)
        results.append(context.call(target, setter, (case.owner, Stored(value.type))))
    return dispatch.chosen(context, target, owner, found, results, target.attr)


def _setter(live: type, name: str) -> FunctionType | None:
    member = find_member(live, name)
    return plain_function(getattr(member.value, "fset", None)) if member else None
