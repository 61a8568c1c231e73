"""StopIteration that leaves what a generator computes: Python makes a RuntimeError of it.

    sum(next(it) for _ in xs)       sum(stopped@iterators(lambda: next(it)) for _ in xs)

Generators that are objects do so themselves; one that becomes a part of a loop would pass it on.
So generator expressions have what may raise it wrapped, and generator functions stay objects.  What
a function that was passed on raises is not known here.
"""

from collections.abc import Iterable, Iterator, Mapping
from inspect import CO_GENERATOR
from types import CodeType, FunctionType, ModuleType

from scriptc.check.library.unknown_callees import is_of_users
from scriptc.check.scopes import look_up, plain_function, walk
from scriptc.syntax import nodes as n
from scriptc.syntax.copies import with_parts
from scriptc.syntax.functions import parse_function

# Stands for `stopped` of `stdlib/iterators.py`, in all functions.
STOPPED = "stopped@iterators"
_RESUMING = frozenset(("send", "throw", "__next__"))
_RAISING = frozenset(("next", "StopIteration", *_RESUMING))
_CATCHING = ("StopIteration", "Exception", "BaseException")
_Functions = Mapping[str, n.FunctionDef | n.Lambda]


def with_stops(function: FunctionType, node: n.FunctionDef) -> n.FunctionDef:
    """Return a function whose generator expressions do not let StopIteration through."""
    if not _has_expressions(function.__code__):
        return node
    search = _Search(function, _functions_in(node.body))
    wrapped: dict[n.Expression, n.Expression] = {}
    # What is inside of others comes first.
    for inner in reversed([i for i in walk(node.body) if isinstance(i, n.GeneratorExp)]):
        for part in _computed(inner):
            # What `:=` assigns to is a variable of the function.
            assigns = any(isinstance(i, n.NamedExpr) for i in walk((part,)))
            if not assigns and search.may_stop((part,)):
                wrapped[part] = _wrapped(with_parts(part, wrapped))
    return with_parts(node, wrapped) if wrapped else node


def may_stop(function: FunctionType, node: n.FunctionDef, around: n.FunctionDef | None) -> bool:
    """Whether the statements of a generator may raise StopIteration; it may stand in another."""
    functions = {**(_functions_in(around.body) if around else {}), **_functions_in(node.body)}
    return _Search(function, functions).may_stop(node.body)


def _has_expressions(code: CodeType) -> bool:
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return any(c.co_name == "<genexpr>" or _has_expressions(c) for c in inner)


def _functions_in(body: Iterable[n.Node]) -> _Functions:
    """Return the functions that are made inside of a function, by the names they have there."""
    found: dict[str, n.FunctionDef | n.Lambda] = {}
    for inner in walk(body):
        match inner:
            case n.FunctionDef(name=name):
                found[name] = inner
            case n.Assign(targets=(n.Name(id=name),), value=n.Lambda() as made):
                found[name] = made
            case _:
                pass
    return found


def _computed(node: n.GeneratorExp) -> Iterator[n.Expression]:
    """Yield what a generator expression computes itself: not what its first loop runs over."""
    yield node.elt
    for number, generator in enumerate(node.generators):
        yield from (generator.iter,) if number else ()
        yield from generator.ifs


def _wrapped(node: n.Expression) -> n.Expression:
    lo, hi = node.lo, node.hi
    nothing = n.arguments(lo, hi, (), (), None, (), (), None, ())
    return n.Call(lo, hi, n.Name(lo, hi, STOPPED), (n.Lambda(lo, hi, nothing, node),), ())


class _Search:
    """Looks for what may raise StopIteration in a function and in those that it calls."""

    def __init__(
        self,
        function: FunctionType,
        functions: _Functions,
        seen: set[FunctionType | n.Node] | None = None,
    ) -> None:
        self._function = function
        self._functions = functions
        # Asked about already: had one of them stopped, the answer would be known.
        self._seen = set[FunctionType | n.Node]() if seen is None else seen
        self._methods: dict[str, list[FunctionType]] | None = None

    def may_stop(self, nodes: Iterable[n.Node]) -> bool:
        """Whether StopIteration may leave what the nodes compute."""
        self._seen.clear()
        return self._any_stops(nodes)

    def _any_stops(self, nodes: Iterable[n.Node]) -> bool:
        waiting = list(nodes)  # a long sum is as deep as it is long
        while waiting:
            node = waiting.pop()
            if self._raises(node):
                return True
            waiting += self._computed_in(node)
        return False

    def _raises(self, node: n.Node) -> bool:
        """Whether a node itself may raise StopIteration, or what it calls."""
        match node:
            case n.Raise(exc=n.Name(id="StopIteration")):
                return True
            case n.Raise(exc=n.Call(func=n.Name(id="StopIteration"))):
                return True
            case n.Call(func=n.Name(id="next"), args=(_,)):
                return True
            case n.Call(func=n.Attribute(attr=attr)) if attr in _RESUMING:
                return True
            case n.Call(func=func):
                return self._callee_stops(func)
            case _:
                return False

    def _computed_in(self, node: n.Node) -> Iterable[n.Node]:
        """Return the parts of a node whose StopIteration leaves it."""
        match node:
            case n.FunctionDef() | n.Lambda():
                return ()
            case n.GeneratorExp(generators=(first, *_)):
                return (first.iter,)
            case n.Try(body=body, handlers=handlers) if any(map(_catches, handlers)):
                return [part for part in n.children(node) if part not in body]
            case _:
                return n.children(node)

    def _callee_stops(self, func: n.Expression) -> bool:
        match func:
            case n.Name(id=name) if name in self._functions:
                made = self._functions[name]
                if made in self._seen:
                    return False
                self._seen.add(made)
                body = made.body if isinstance(made, n.FunctionDef) else (made.body,)
                is_generator = any(isinstance(i, n.Yield | n.YieldFrom) for i in walk(body))
                return not is_generator and self._any_stops(body)
            case n.Name(id=name):
                return self._named_stops(self._function, name)
            case n.Attribute(value=value, attr=attr):
                if isinstance(value, n.Name):
                    found = look_up(self._function, value.id)
                    if found is not None and isinstance(found.value, ModuleType):
                        live = plain_function(vars(found.value).get(attr))
                        return live is not None and self._function_stops(live)
                return self._method_stops(attr)
            case _:
                return False

    def _named_stops(self, function: FunctionType, name: str) -> bool:
        found = look_up(function, name)
        live = found.value if found else None
        if isinstance(live, type):
            live = vars(live).get("__init__")
        called = plain_function(live)
        return called is not None and self._function_stops(called)

    def _method_stops(self, name: str) -> bool:
        """Whether a method of that name stops, of a class that the module knows."""
        if self._methods is None:
            self._methods = {}
            for live in self._function.__globals__.values():
                if not isinstance(live, type):
                    continue
                for member, value in vars(live).items():
                    if (method := plain_function(value)) is not None:
                        self._methods.setdefault(member, []).append(method)
        return any(map(self._function_stops, self._methods.get(name, ())))

    def _function_stops(self, function: FunctionType) -> bool:
        code = function.__code__
        if function in self._seen or code.co_flags & CO_GENERATOR or not is_of_users(function):
            return False
        self._seen.add(function)
        if _RAISING.isdisjoint(_names(code)):
            return any(
                self._named_stops(function, name) or self._method_stops(name)
                for name in _names(code)
            )
        definition = parse_function(function).node
        body = definition.body if isinstance(definition, n.FunctionDef) else (definition.body,)
        inner = _Search(function, _functions_in(body), self._seen)
        return inner._any_stops(body)


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


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
