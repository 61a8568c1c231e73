"""An `__init__` that hands its object to others before it ends.

    def __init__(self, name, owner):        def __init__(self, name, owner):
        self.name = name                        self.name = name
        owner.add(self)                         (the object is made of its fields)
        self.is_known = True                    self._init_rest(owner)

                                            def _init_rest(self, owner):
                                                owner.add(self)
                                                self.is_known = True

In a constructor fields are variables, until the object is made.  So what begins with the first
statement that needs the object becomes a method, which the constructor calls at its end.  The
fields that it sets are set late: see `late_fields`.  Methods that call themselves, and generators,
need the object, too: the others that a constructor calls become a part of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from types import FunctionType

from scriptc.check import init_fields
from scriptc.check.bindings import Environment
from scriptc.check.cells import cell_of, learn_stored
from scriptc.check.checked import Computation, Stored, Write
from scriptc.check.context import Context, UnknownTypeError, operand
from scriptc.check.desugar.base_inits import with_base_init
from scriptc.check.desugar.kept_methods import methods_last
from scriptc.check.desugar.keywords import kept_in
from scriptc.check.members import class_type, find_member
from scriptc.check.open_parameters import learn_told
from scriptc.check.open_types import is_open
from scriptc.check.outside_makers import is_rebuilding
from scriptc.check.scopes import (
    assigned_names,
    free_names,
    local_names,
    nonlocal_names,
    walk,
)
from scriptc.syntax import nodes as n
from scriptc.syntax.copies import copied
from scriptc.syntax.inline import is_generator, rewritten
from scriptc_runtime.record import record

_REST = "_init_rest"
# What looks at the class of an object alone.
_OF_CLASSES = ("type", "isinstance", "super")


@record(eq=False)
class Parted:
    """The definitions that an `__init__` is parted into, and the variables that both have."""

    whole: n.FunctionDef
    first: n.FunctionDef
    rest: n.FunctionDef
    given: tuple[str, ...]
    shared: frozenset[str]  # of those, what functions of the first part read and others assign to
    sure: frozenset[str]  # fields that the rest sets before anything may read them


def parted(
    live: type,
    node: n.FunctionDef,
    parse: init_fields.Parse,
    inherited: Sequence[str],
    rests: Mapping[type, tuple[FunctionType, Parted]],
) -> Parted | None:
    """Return the parts of an `__init__`; None where it keeps its object to itself.

    The `inherited` fields are those that a base has; `rests` are the parts of other classes.
    """
    if not node.args.args:
        return None
    node = with_base_init(live, node, lambda cls: rests[cls][1].whole if cls in rests else None)
    search = _Search(live, parse)
    owner = init_fields.owner_of(node)
    body = methods_last(live, node, lambda s: search.hands_on((s,), owner))
    place = next((i for i, s in enumerate(body) if search.hands_on((s,), owner)), None)
    if place is None or _calls_base(body[place:]):
        return None
    rest = body[place:]
    held = set(init_fields.fields_of_init(live, _with_body(node, body[:place]), parse))
    held |= set(inherited) if _calls_base(body[:place]) else set()
    empty = [(s, field) for s in rest if (field := _set_empty(s, owner))]
    empty = [(s, f) for s, f in empty if f not in held and find_member(live, f) is None]
    before = (*body[:place], *(copied(s, {}, 0) for s, _ in empty))
    first = _with_body(node, before or (n.Pass(node.lo, node.hi),))
    mentioned = {part.id for part in walk(rest) if isinstance(part, n.Name)}
    given = tuple(sorted(mentioned & local_names(first) - {owner}))
    lo, hi = node.lo, node.hi
    kept = node.args.kwarg
    if kept is not None and (kept.arg not in given or kept.arg in assigned_names(first.body)):
        kept = None  # it is a variable as others are
    given = tuple(name for name in given if kept is None or name != kept.arg)
    names = tuple(n.arg(lo, hi, name, None) for name in (owner, *given))
    arguments = n.arguments(lo, hi, (), names, None, (), (), kept, ())
    method = n.FunctionDef(lo, hi, _REST, arguments, rest, (), None, (), False)
    shared, sure = frozenset(given) & _shared(first, method), search.set_first(rest, owner)
    return Parted(node, first, method, given, shared, frozenset(sure))


def _shared(first: n.FunctionDef, rest: n.FunctionDef) -> frozenset[str]:
    """Return the variables that functions in the first part read, and that change later."""
    functions = [i for i in walk(first.body) if isinstance(i, n.FunctionDef | n.Lambda)]
    read = frozenset(name for function in functions for name in free_names(function))
    inner = (i for i in walk((first, *rest.body)) if isinstance(i, n.FunctionDef))
    written = frozenset(name for function in inner for name in nonlocal_names(function))
    return read & (written | assigned_names(rest.body))


def rest_function(init: FunctionType) -> FunctionType:
    """Return a function for the rest of an `__init__`, whose names mean the same."""
    code, names = init.__code__, init.__globals__
    found = FunctionType(code, names, init.__name__, None, init.__closure__)
    found.__dict__ |= init.__dict__  # the text of what is in no file
    return found


def call_rest(context: Context, rest: FunctionType, parts: Parted, env: Environment) -> None:
    """Check the call of the rest of an `__init__`, of an object that has been made."""
    if is_rebuilding(context.function):
        return  # the object outside has done it
    live, definition = context.constructs, context.definition
    assert live is not None
    assert definition is not None
    context.env = dict(env)
    lo, hi = definition.lo, definition.hi
    copied_here = [n.Name(lo, hi, name) for name in parts.given if name not in parts.shared]
    values: list[Computation] = [Stored(class_type(live))]
    # What it waits for is known in a later pass.
    with suppress(UnknownTypeError):
        given_here = [(part.id, context.typed(part)) for part in copied_here]
        read = {p.id: operand(p, v) for p, (_, v) in zip(copied_here, given_here, strict=True)}
        last = definition.body[-1]
        for name in parts.given:
            values.append(read[name] if name in read else cell_of(context, last, name))
        names, fixed = _keywords(context, parts, copied_here, values)
        context.signature(rest)
        silent = [(name, value) for name, value in given_here if is_open(value.type)]
        if silent:
            uses = context.told_by(definition, rest, values, None, names, fixed, ())
            learn_told(context, uses, silent)
            raise context.not_known_yet(copied_here[0])
        call = context.call(last, rest, values, None, names, fixed)
        stored = dict(context.uses_of_lists(call.callee).stored)
        learn_stored(context, last, [(name, name) for name in sorted(parts.shared)], stored)
        context.facts.rest = Write(tuple(copied_here), None, (call,), {})
    context.env = None


def _keywords(
    context: Context, parts: Parted, read: list[n.Name], values: list[Computation]
) -> tuple[tuple[str, ...] | None, tuple[tuple[str, object], ...]]:
    """Pass on what `**kwargs` took; return the names of all that is passed, and what that is."""
    kept = parts.rest.args.kwarg
    if kept is None:
        return None, ()
    held = kept_in(context, n.Name(kept.lo, kept.hi, kept.arg))
    assert held is not None
    names = [parameter.arg for parameter in parts.rest.args.args]
    for _, variable in held.held:
        part = n.Name(kept.lo, kept.hi, variable)
        values.append(operand(part, context.typed(part)))
        names.append(variable)
        read.append(part)
    return tuple(names), ((kept.arg, held),)


def _without_returns(body: n.Body, owner: str) -> n.Body:
    """Return statements with `return` for `return self`."""

    def plain(statement: n.Statement, _: bool) -> n.Body | None:
        if isinstance(statement, n.Return) and isinstance(statement.value, n.Name):
            is_own = statement.value.id == owner
            return (n.Return(statement.lo, statement.hi, None),) if is_own else None
        return None

    return rewritten(body, plain)


class _Search:
    """Looks for where a constructor needs its object as a whole."""

    def __init__(self, live: type, parse: init_fields.Parse) -> None:
        self._live = live
        self._parse = parse
        # Whether methods need the object; those that are looked at right now call themselves.
        # One whose result is not used may return its object, as methods that are chained do.
        self._known: dict[tuple[FunctionType, bool], bool] = {}

    def hands_on(self, nodes: Iterable[n.Node], owner: str, inside: bool = False) -> bool:
        """Whether statements do more with the object than to set and read fields.

        `inside` of a function that they make, methods need the object as well.
        """
        return any(self._needs(node, owner, inside) for node in nodes)

    def _needs(self, node: n.Node, owner: str, inside: bool) -> bool:
        match node:
            case n.Name(id=name):
                return name == owner
            case n.Attribute(value=n.Name(id=name), attr=attr) if name == owner:
                return init_fields.method_of(self._live, attr) is not None
            case n.Call(func=n.Attribute(value=n.Name(id=name), attr=attr)) if name == owner:
                return self._call_needs(node, attr, owner, inside, used=True)
            case n.Expr(
                value=n.Call(func=n.Attribute(value=n.Name(id=name), attr=attr)) as call
            ) if name == owner:
                return self._call_needs(call, attr, owner, inside, used=False)
            case n.Call(func=n.Name(id=name)) if name in _OF_CLASSES:
                others = (a for a in node.args if not isinstance(a, n.Name))
                return self.hands_on(others, owner, inside)
            case n.Call(func=n.Attribute(attr="__init__")):
                return self.hands_on((*node.args[1:], *node.keywords), owner, inside)
            case n.FunctionDef() | n.Lambda():
                return self.hands_on(n.children(node), owner, True)
            case _:
                return self.hands_on(n.children(node), owner, inside)

    def _call_needs(self, call: n.Call, attr: str, owner: str, inside: bool, *, used: bool) -> bool:
        called = init_fields.method_of(self._live, attr)
        needs = called is not None and (inside or self._method_needs(called, used))
        return needs or self.hands_on((*call.args, *call.keywords), owner, inside)

    def _method_needs(self, method: FunctionType, used: bool) -> bool:
        """Whether a method cannot become a part of the constructor, or hands the object on."""
        key = method, used
        if key not in self._known:
            self._known[key] = True
            _, definition = self._parse(method)
            own = init_fields.owner_of(definition)
            body = definition.body if used else _without_returns(definition.body, own)
            self._known[key] = self.hands_on(body, own) or is_generator(definition)
        return self._known[key]

    def set_first(self, rest: n.Body, owner: str) -> Iterator[str]:
        """Yield the fields that lines of the rest set before anything may read them."""
        read: set[str] = set()
        for statement in rest:
            target = statement.targets[0] if isinstance(statement, n.Assign) else None
            mentioned = self._mentioned((statement,), owner, set())
            if mentioned is None:
                return
            match target:
                case n.Attribute(value=n.Name(id=name), attr=field) if name == owner:
                    mentioned.remove(field)
                    if field not in read and field not in mentioned:
                        yield field
                    read.add(field)
                case _:
                    pass
            read.update(mentioned)

    def _mentioned(
        self, nodes: Iterable[n.Node], owner: str, seen: set[FunctionType]
    ) -> list[str] | None:
        """Return all attributes that statements, and methods that they call, mention.

        None where they do more with the object: what has it may read all of it.
        """
        found: list[str] = []
        names = 0
        for part in walk(nodes):
            if isinstance(part, n.Name):
                names += part.id in (owner, "super")
            if not isinstance(part, n.Attribute):
                continue
            found.append(part.attr)
            if not isinstance(part.value, n.Name) or part.value.id != owner:
                continue
            names -= 1
            method, member = (
                init_fields.method_of(self._live, part.attr),
                find_member(self._live, part.attr),
            )
            if method is None and member is not None and hasattr(type(member.value), "__get__"):
                return None
            if method is not None and method not in seen:
                seen.add(method)
                _, definition = self._parse(method)
                inner = self._mentioned(definition.body, init_fields.owner_of(definition), seen)
                if inner is None:
                    return None
                found += inner
        return None if names else found


def _set_empty(node: n.Statement, owner: str) -> str | None:
    """Return the field that a statement sets to None, or to what is empty; None for any other.

    It holds that from the start, if it has no other value before.  Fields that are set late hold
    None until then, and what they are set to says their type.
    """
    match node:
        case n.Assign(targets=(n.Attribute(value=n.Name(id=name), attr=field),), value=value) if (
            name == owner
        ):
            pass
        case _:
            return None
    match value:
        case n.Constant(value=None) | n.List(elts=()) | n.Dict(keys=()):
            return field
        case n.Call(func=n.Name(id="list" | "dict" | "set"), args=(), keywords=()):
            return field
        case _:
            return None


def _calls_base(nodes: Iterable[n.Node]) -> bool:
    """Whether the fields of a base are set there, which belong to the object as it is made."""
    calls = (part for part in walk(nodes) if isinstance(part, n.Attribute))
    return any(part.attr == "__init__" for part in calls)


def _with_body(node: n.FunctionDef, body: n.Body) -> n.FunctionDef:
    fields = {name: getattr(node, name) for name in n.field_names(node)}
    fields["body"] = body
    return n.FunctionDef(node.lo, node.hi, *fields.values())
