"""Loops over the fields of an object, whose names are known: each iteration is of one type.

    for name, value in vars(self).items():      for name, value in (("x", self.x), ("y", self.y)):
    for f in fields(point): print(f.name)       for f in ("x", "y"): print(f)

An object that may be of several classes has a loop for each of them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import cast

from scriptc.check.bindings import Fixed, Static, Typed
from scriptc.check.checked import CheckedClass
from scriptc.check.context import Context
from scriptc.check.desugar.inits import init_of
from scriptc.check.init_fields import first_values, method_of, owner_of
from scriptc.check.members import bases_of, find_member
from scriptc.check.scopes import assigned_fields, walk
from scriptc.syntax import nodes as n
from scriptc.syntax.copies import copied, with_parts
from scriptc.syntax.expansion import Expansion
from scriptc.values.dataclass_members import FIELDS, DataclassField, is_field
from scriptc_runtime.types import ClassType

_MATCH = "isinstance@match"


def check_field_loop(context: Context, node: n.For) -> bool:
    """Check a loop over fields; whether it is one."""
    match node.iter:
        case n.Call(func=n.Attribute(value=of, attr="keys" | "values" | "items" as view), args=()):
            place = _object_in(context, of)
        case n.Call(args=(place,)) if _is_call_of(context, node.iter, "dataclasses", "fields"):
            return _over_dataclass_fields(context, node, place)
        case of:
            view, place = "keys", _object_in(context, of)
    if place is None:
        return False
    value = context.typed(place)
    if not isinstance(value.type, ClassType):
        return False
    possible = context.possible_classes(node, value.type.name)
    ordered = sorted(possible, key=lambda live: -len(live.__mro__))
    names = {live: _names_in_order(context, place, live) for live in ordered}
    _check(context, node, node, place, ordered, lambda live: _pairs(place, names[live], view))
    return True


def _over_dataclass_fields(context: Context, node: n.For, place: n.Expression) -> bool:
    """Check a loop over `dataclasses.fields(x)` of an object, or of a class."""
    value = context.expression(place)
    if isinstance(value, Static) and isinstance(value.value, type):
        lives: Sequence[type] = [value.value]
    elif isinstance(value, Typed) and isinstance(value.type, ClassType):
        possible = context.possible_classes(node, value.type.name)
        lives = sorted(possible, key=lambda live: -len(live.__mro__))
    else:
        return False
    if not all(find_member(live, FIELDS) for live in lives):
        return False
    plain = _by_name(node)
    if plain is None:
        context.fail(
            "argument",
            "more than the names of the fields is asked for",
            node.iter,
            why="what describes a field is no value of the language",
            instead="for f in fields(x): and then f.name alone",
        )

    def names_of(live: type) -> Iterator[n.Expression]:
        member = find_member(live, FIELDS)
        assert member is not None
        for name, field in cast("Mapping[str, DataclassField]", member.value).items():
            if is_field(field):
                yield n.Constant(node.iter.lo, node.iter.hi, name, None)

    _check(context, node, plain, place, lives, names_of)
    return True


def _by_name(node: n.For) -> n.For | None:
    """Return a loop whose variable is the name of the field; None where more of it is asked for.

    `for f in fields(x): print(f.name)` is `for f@ in names: print(f@)`.
    """
    if not isinstance(node.target, n.Name):
        return None
    target, parts = node.target.id, list(walk((*node.body, *node.orelse)))
    name_of = n.Name(node.target.lo, node.target.hi, f"{target}@field")
    given: dict[n.Expression, n.Expression] = {node.target: name_of}
    for part in parts:
        match part:
            case n.Attribute(value=n.Name(id=name), attr="name") if name == target:
                given[part] = n.Name(part.lo, part.hi, name_of.id)
            case _:
                pass
    mentions = sum(isinstance(part, n.Name) and part.id == target for part in parts)
    return with_parts(node, given) if mentions == len(given) - 1 else None


def _check(
    context: Context,
    node: n.For,
    plain: n.For,
    place: n.Expression,
    lives: Sequence[type],
    items: Callable[[type], Iterable[n.Expression]],
) -> None:
    """Check a loop for each class that the object may be of."""
    lo, hi = node.lo, node.hi
    names = {f"class@{i}:{lo}": live for i, live in enumerate(lives)}
    known = context.learned.choices.get((node, tuple(map(str, lives))))
    if known is None:
        found: n.Body = ()
        for name, live in reversed(names.items()):
            source = n.Tuple(node.iter.lo, node.iter.hi, tuple(items(live)))
            inner = plain if len(lives) == 1 else copied(plain, {}, 0)
            fields = (inner.target, source, inner.body, inner.orelse, inner.is_async)
            loop = n.For(lo, hi, *fields)
            test = n.Call(lo, hi, n.Name(lo, hi, _MATCH), (place, n.Name(lo, hi, name)), ())
            found = (n.If(lo, hi, test, (loop,), found),) if found else (loop,)
        known = Expansion(found, node.iter, frozenset(names))
        context.learned.choices[node, tuple(map(str, lives))] = known
    target = (plain.target.id,) if isinstance(plain.target, n.Name) else ()
    context.locals |= {*names, *target, _MATCH}
    assert context.env is not None
    for name, live in {**names, _MATCH: isinstance}.items():
        context.env[name] = Fixed(Static(live, context.span(node)))
    context.block(known.body)
    for name in names:
        (context.reached() or {}).pop(name, None)
    context.facts.expanded[node] = known


def _pairs(place: n.Expression, names: Sequence[str], view: str) -> Iterator[n.Expression]:
    lo, hi = place.lo, place.hi
    for name in names:
        key = n.Constant(lo, hi, name, None)
        value = n.Attribute(lo, hi, copied(place, {}, 0), name)
        yield n.Tuple(lo, hi, (key, value)) if view == "items" else (key, value)[view == "values"]


def _object_in(context: Context, node: n.Expression) -> n.Name | None:
    """Return x of `vars(x)` and `x.__dict__`; None for anything else."""
    match node:
        case n.Attribute(value=n.Name() as place, attr="__dict__"):
            return place
        case n.Call(args=(n.Name() as place,)) if _is_call_of(context, node, "builtins", "vars"):
            return place
        case _:
            return None


def _is_call_of(context: Context, node: n.Expression, module: str, name: str) -> bool:
    match node:
        case n.Call(func=n.Name(id=written) | n.Attribute(attr=written) as func, keywords=()):
            if written != name:
                return False
            found = context.expression(func)
            value = found.value if isinstance(found, Static) else None
            return (getattr(value, "__module__", ""), getattr(value, "__name__", "")) == (
                module,
                name,
            )
        case _:
            return False


def _names_in_order(context: Context, node: n.Expression, live: type) -> Sequence[str]:
    """Return the fields of an object in the order in which `__init__` sets them."""
    declared = context.class_named(live.__name__)
    found = list(_set_in_order(context, live)) if _is_plain(declared) else []
    if set(found) != set(declared.names):
        context.fail(
            "class-field",
            f"the order in which fields of {live.__name__} are set is not known",
            node,
            why="the dict of an object has them in that order, and only those that are set",
            instead="name them one by one: (self.x, self.y)",
        )
    return found


def _is_plain(declared: CheckedClass) -> bool:
    slots = (cls for cls in bases_of(declared.live) if "__slots__" in vars(cls))
    return not declared.late and not first_values(declared.live) and not any(slots)


def _set_in_order(context: Context, live: type) -> Iterator[str]:
    """Yield the fields that lines of an `__init__` set, up to one that may set others."""
    init = init_of(live, None)
    if init is None:
        return
    member = find_member(live, "__init__")
    seen: set[str] = set()
    _, definition = context.syntax_of(init)
    yield from _set_by(context, live, member.owner if member else live, definition, seen)


def _set_by(
    context: Context, live: type, around: type, node: n.FunctionDef, seen: set[str]
) -> Iterator[str]:
    owner = owner_of(node)
    for statement in node.body:
        called = _called(statement, owner)
        if called == "__init__":
            base = find_member(live, "__init__", around)
            init = base and init_of(base.owner, None)
            if base and init:
                definition = context.syntax_of(init)[1]
                yield from _set_by(context, live, base.owner, definition, seen)
        elif called and (method := method_of(live, called)):
            yield from _set_by(context, live, around, context.syntax_of(method)[1], seen)
        for name in _targets(statement, owner):
            if name not in seen:
                seen.add(name)
                yield name
        if {f.partition(".")[2] for f in assigned_fields((statement,), owner)} - seen:
            return


def _called(statement: n.Statement, owner: str) -> str | None:
    """Return the method of the object, or `__init__`, that a line calls."""
    match statement:
        case n.Expr(value=n.Call(func=n.Attribute(attr="__init__"))):
            return "__init__"
        case (
            n.Expr(value=n.Call(func=n.Attribute(value=n.Name(id=name), attr=attr)))
            | n.Assign(value=n.Call(func=n.Attribute(value=n.Name(id=name), attr=attr)))
        ) if name == owner:
            return attr
        case _:
            return None


def _targets(statement: n.Statement, owner: str) -> Iterator[str]:
    """Yield the fields that a line sets, in order."""
    match statement:
        case n.Assign(targets=targets):
            pending = list(targets)
        case n.AnnAssign(target=target, value=value) if value is not None:
            pending = [target]
        case _:
            pending = []
    while pending:
        match pending.pop(0):
            case n.Attribute(value=n.Name(id=name), attr=attr) if name == owner:
                yield attr
            case n.Tuple(elts=elts) | n.List(elts=elts):
                pending = [*elts, *pending]
            case _:
                pass
