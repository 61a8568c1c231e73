"""Which functions may raise StopIteration, by what they say and by what they call.

A call means whatever may stand behind its name: methods are those of all classes that the module
knows, and a local variable that holds a function may hold each one that is made beside it.  What a
function that was passed in raises is not known here.

Needs: live functions, and the syntax of those that mention what raises it.
Gives: an answer for each function, found once for a whole check; the time is linear in the calls.
Does not: look at operators and items of objects, or into the libraries of Python and NumPy.
"""

import builtins
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from inspect import CO_GENERATOR
from types import CodeType, FunctionType, ModuleType
from typing import cast

from scriptc.check.members import find_member
from scriptc.check.scopes import look_up, plain_function, walk
from scriptc.syntax import nodes as n
from scriptc.syntax.functions import parse_function
from scriptc.values.class_attributes import functions_in
from scriptc_runtime.record import record

_RESUMING = frozenset(("send", "throw", "__next__"))
_RAISING = frozenset(("next", "StopIteration", *_RESUMING))
_CATCHING = ("StopIteration", "Exception", "BaseException")
_MAKING = ("__init__", "__post_init__")
_Made = n.FunctionDef | n.Lambda


@record
class _Methods:
    """All methods and properties of one name, of the classes that a module knows."""

    module: int
    name: str


class Scope:
    """A live function, with what its variables are given, by their names, and what it makes."""

    # No dataclass: as a field, a function would be taken for a method.
    def __init__(self, function: FunctionType) -> None:
        self.function = function
        self.given: dict[str, list[n.Expression | n.FunctionDef]] = {}
        self.made: list[_Made] = []

    def give(self, name: str, value: n.Expression | n.FunctionDef) -> None:
        """Note that a variable may be a value."""
        self.given.setdefault(name, []).append(value)


# What may raise: a live function, one that is made inside of another, any of those that are made
# in a function, or any method of a name.
_Unit = FunctionType | _Made | Scope | _Methods


class StoppingFunctions:
    """Remembers for a whole check which functions may raise StopIteration."""

    def __init__(self) -> None:
        self._known = set[_Unit]()
        self._stopping = set[_Unit]()
        self._callers: dict[_Unit, list[_Unit]] = {}
        self._scopes: dict[_Made, Scope] = {}
        self._methods: dict[int, Mapping[str, Sequence[FunctionType]]] = {}

    def scope(self, function: FunctionType, bodies: Iterable[n.Node]) -> Scope:
        """Return what is made and assigned in the bodies of a function, and of those inside it."""
        scope = Scope(function)
        for node in walk(bodies):
            match node:
                case n.FunctionDef(name=name):
                    scope.give(name, node)
                    scope.made.append(node)
                case n.Lambda():
                    scope.made.append(node)
                case n.Assign(targets=(n.Name(id=name),), value=value):
                    scope.give(name, value)
                case _:
                    pass
        self._scopes.update(dict.fromkeys(scope.made, scope))
        return scope

    def may_stop(self, scope: Scope, nodes: Iterable[n.Node]) -> bool:
        """Whether StopIteration may leave what nodes of a function compute."""
        called = self._calls(scope, nodes)
        return called is None or any([self._stops(unit) for unit in called])

    def _stops(self, asked: _Unit) -> bool:
        waiting = [asked]
        while waiting:
            unit = waiting.pop()
            if unit in self._known:
                continue
            self._known.add(unit)
            called = self._looked_at(unit)
            for callee in called or ():
                self._callers.setdefault(callee, []).append(unit)
            waiting += called or ()
            if called is None or not self._stopping.isdisjoint(called):
                self._note(unit)
        return asked in self._stopping

    def _note(self, unit: _Unit) -> None:
        """Note that a unit may stop, and with it all that are known to call it."""
        waiting = [unit]
        while waiting:
            unit = waiting.pop()
            if unit not in self._stopping:
                self._stopping.add(unit)
                waiting += self._callers.get(unit, ())

    def _looked_at(self, unit: _Unit) -> Sequence[_Unit] | None:
        """Return what a unit calls; None if it raises StopIteration itself."""
        match unit:
            case _Methods(module=module, name=name):
                return self._methods[module].get(name, ())
            case Scope():
                return [*unit.made, self._all(unit.function, "__call__")]
            case n.FunctionDef() | n.Lambda():
                body = _body(unit)
                if any(isinstance(node, n.Yield | n.YieldFrom) for node in walk(body)):
                    return ()
                return self._calls(self._scopes[unit], body)
            case _:
                return self._calls_of_live(unit)

    def _calls_of_live(self, function: FunctionType) -> Sequence[_Unit] | None:
        code = function.__code__
        if code.co_flags & CO_GENERATOR or not _is_looked_into(function):
            return ()
        names = frozenset(_names(code))
        if _RAISING.isdisjoint(names):  # No need of its syntax, as most functions.
            methods = [self._all(function, name) for name in names]
            return [*methods, *(live for name in names for live in _live(function, name))]
        definition = parse_function(function).node
        assert isinstance(definition, _Made)
        body = _body(definition)
        return self._calls(self.scope(function, body), body)

    # -------------------------------------------------------------------------------- the syntax

    def _calls(self, scope: Scope, nodes: Iterable[n.Node]) -> Sequence[_Unit] | None:
        """Return what nodes call; None if they raise StopIteration themselves."""
        found: list[_Unit] = []
        waiting = list(nodes)  # a long sum is as deep as it is long
        while waiting:
            node = waiting.pop()
            called = None if _raises(node) else self._meant(scope, node)
            if called is None:
                return None
            found += called
            waiting += _computed_in(node)
        return found

    def _meant(self, scope: Scope, node: n.Node) -> Sequence[_Unit] | None:
        """Return what a node may call, without its parts; None if that raises by itself."""
        match node:
            case n.Name(id=name):
                return self._named(scope, name)
            case n.Attribute(value=value, attr=attr):
                found = look_up(scope.function, value.id) if isinstance(value, n.Name) else None
                if found is not None and isinstance(found.value, ModuleType):
                    return _functions_of(vars(found.value).get(attr))
                return [self._all(scope.function, attr)]
            case n.Call(func=n.Name(id=name)) if self._is_known(scope, name):
                return ()
            case n.Call(func=n.Attribute()):
                return ()
            case n.Call():  # of what a variable, an item or a call gives
                return [scope]
            case _:
                return ()

    def _named(self, scope: Scope, name: str) -> Sequence[_Unit] | None:
        """Return the functions that a name means, also one that is another name of them."""
        found: list[_Unit] = []
        names, seen = [name], {name}
        while names:
            alias = names.pop()
            if alias == "next" and alias != name:
                return None
            for value in scope.given.get(alias, ()):
                if isinstance(value, _Made):
                    found.append(value)
                elif isinstance(value, n.Name) and value.id not in seen:
                    seen.add(value.id)
                    names.append(value.id)
            if alias not in scope.given:
                found += _live(scope.function, alias)
        return found

    def _is_known(self, scope: Scope, name: str) -> bool:
        """Whether the functions are known that a name may be called by."""
        if name in scope.given:
            return all(isinstance(value, _Made | n.Name) for value in scope.given[name])
        found = look_up(scope.function, name)
        return found is not None and (
            plain_function(found.value) is not None
            or isinstance(found.value, type)
            or getattr(builtins, name, None) is found.value
        )

    def _all(self, function: FunctionType, name: str) -> _Unit:
        known = cast("dict[str, object]", function.__globals__)
        if id(known) not in self._methods:
            self._methods[id(known)] = _methods_in(known.values())
        return _Methods(id(known), name)


def _methods_in(values: Iterable[object]) -> Mapping[str, Sequence[FunctionType]]:
    """Return methods and properties by name, and what makes objects of classes inside of others."""
    found: dict[str, list[FunctionType]] = {}
    waiting = dict.fromkeys(value for value in values if isinstance(value, type))
    seen = set(waiting)
    while waiting:
        live, _ = waiting.popitem()
        for name, member in vars(live).items():
            if isinstance(member, type) and member not in seen:  # a class may hold itself
                seen.add(member)
                waiting[member] = None
            found.setdefault(name, []).extend(_functions_of(member))
    return found


def _live(function: FunctionType, name: str) -> Sequence[FunctionType]:
    found = look_up(function, name)
    return _functions_of(found.value) if found else ()


def _functions_of(value: object) -> Sequence[FunctionType]:
    """Return what a call of a value calls, or reading it from an object."""
    if isinstance(value, type):
        members = [find_member(value, name) for name in _MAKING]
        return [f for member in members if member for f, _ in functions_in(member.value)]
    return [function for function, _ in functions_in(value)]


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    yield from code.co_freevars
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _is_looked_into(function: FunctionType) -> bool:
    root = (function.__module__ or "").partition(".")[0]
    return root == "__main__" or (root not in sys.stdlib_module_names and root != "numpy")


def _body(made: _Made) -> Sequence[n.Node]:
    return made.body if isinstance(made, n.FunctionDef) else (made.body,)


def _raises(node: n.Node) -> bool:
    """Whether a node raises StopIteration, where its parts do not."""
    match node:
        case n.Raise(exc=n.Name(id="StopIteration") | n.Call(func=n.Name(id="StopIteration"))):
            return True
        case n.Call(func=n.Name(id="next"), args=(_,)):
            return True
        case n.Call(func=n.Attribute(attr=attr)):
            return attr in _RESUMING
        case _:
            return False


def _computed_in(node: n.Node) -> Iterable[n.Node]:
    """Return the parts of a node whose StopIteration leaves it."""
    match node:
        case n.FunctionDef() | n.Lambda():
            return ()
        case n.GeneratorExp(generators=(first, *_)):
            return (first.iter,)
        case n.Try(handlers=handlers, orelse=orelse, finalbody=finalbody) if _holds(handlers):
            return (*handlers, *orelse, *finalbody)
        case _:
            return n.children(node)


def _holds(handlers: Sequence[n.ExceptHandler]) -> bool:
    """Whether handlers catch StopIteration, and do not raise it again."""
    first = next(filter(_catches, handlers), None)
    if first is None:
        return False
    raised = (node.exc for node in walk(first.body) if isinstance(node, n.Raise))
    return not any(
        exc is None or (isinstance(exc, n.Name) and exc.id == first.name) for exc in raised
    )


def _catches(handler: n.ExceptHandler) -> bool:
    match handler.type:
        case None:
            return True
        case n.Name(id=name):
            return name in _CATCHING
        case n.Tuple(elts=elts):
            return any(isinstance(e, n.Name) and e.id in _CATCHING for e in elts)
        case _:
            return False
