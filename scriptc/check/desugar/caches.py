"""Functions that `functools.cache` or `lru_cache` decorates: results are kept in a dict.

    @cache                                  kept@go = {}
    def go(n):                              def go(n):
        if n < 2:                               key@ = n
            return n                            if key@ in kept@go:
        return go(n - 1) + go(n - 2)                return kept@go[key@]
                                                if n < 2:
                                                    result@ = n
                                                    kept@go[key@] = result@
                                                    return result@
                                                ...

A nested function keeps its results as long as the function around it runs.  Those of a module do so
during each call from Python (library/caches.py): what scripts call instead of such a function is

    def go(n):
        key@ = arguments@
        kept@ = results@
        if key@ in kept@:
            return kept@[key@]
        result@ = called@(n)
        kept@[key@] = result@
        return result@
"""

import functools
from collections.abc import Sequence
from types import FunctionType

from scriptc.check.checked import RESULTS
from scriptc.check.desugar import decorators
from scriptc.check.kept_results import ARGUMENTS, CALLED
from scriptc.check.scopes import walk
from scriptc.syntax import nodes as n
from scriptc.syntax.inline import is_generator, rewritten

_CACHES = (functools.cache, functools.lru_cache)
# Variables of what keeps results.
KEY, _KEPT, _RESULT = "key@", "kept@", "result@"


def with_caches(function: FunctionType, node: n.FunctionDef) -> n.FunctionDef:
    """Return a definition in which functions keep their results as their decorators say."""
    if any(isinstance(inner, n.FunctionDef) and inner.decorator_list for inner in walk(node.body)):

        def kept(statement: n.Statement, _: bool) -> Sequence[n.Statement] | None:
            if not isinstance(statement, n.FunctionDef):
                return None
            inner = _with_body(statement, rewritten(statement.body, kept))
            if _is_cached(inner, function):
                return _kept(_plain(inner))
            return decorators.decorated(
                inner, [_meant(_maker(d), function) for d in inner.decorator_list]
            )

        node = _with_body(node, rewritten(node.body, kept))
    return node


def keeping(node: n.FunctionDef) -> n.FunctionDef:
    """Return what looks for the result of a function, and calls it where there is none yet."""
    lo, hi = node.lo, node.hi

    def name(id: str) -> n.Name:
        return n.Name(lo, hi, id)

    def assigned(target: n.Expression, value: n.Expression) -> n.Assign:
        return n.Assign(lo, hi, (target,), value)

    def place() -> n.Subscript:
        return n.Subscript(lo, hi, name(_KEPT), name(KEY))

    args = node.args
    given: list[n.Expression] = [name(a.arg) for a in _parameters(node)]
    if args.vararg:
        given.append(n.Starred(lo, hi, name(args.vararg.arg)))
    named = [n.keyword(lo, hi, a.arg, name(a.arg)) for a in args.kwonlyargs]
    if args.kwarg:
        named.append(n.keyword(lo, hi, None, name(args.kwarg.arg)))
    body = (
        assigned(name(KEY), name(ARGUMENTS)),
        assigned(name(_KEPT), name(RESULTS)),
        n.If(
            lo,
            hi,
            n.Compare(lo, hi, name(KEY), ("in",), (name(_KEPT),)),
            (n.Return(lo, hi, place()),),
            (),
        ),
        assigned(name(_RESULT), n.Call(lo, hi, name(CALLED), tuple(given), tuple(named))),
        assigned(place(), name(_RESULT)),
        n.Return(lo, hi, name(_RESULT)),
    )
    return _with_body(_plain(node), body)


def call_in(node: n.FunctionDef) -> n.Expression:
    """Return the call of the function, in what keeps its results."""
    _, _, _, result, *_ = node.body
    assert isinstance(result, n.Assign)
    return result.value


def _is_cached(node: n.FunctionDef, function: FunctionType) -> bool:
    if len(node.decorator_list) != 1 or node.args.kwarg or is_generator(node):
        return False
    written = node.decorator_list[0]
    if isinstance(written, n.Call):
        plain = all(isinstance(a, n.Constant) for a in written.args)
        if not plain or any(k.arg != "maxsize" for k in written.keywords):
            return False
        given = [*written.args, *(k.value for k in written.keywords)]
        sizes = [a.value for a in given if isinstance(a, n.Constant)]
        if len(sizes) != len(given) or any(isinstance(s, int) and s < 1 for s in sizes):
            return False
        return _meant(written.func, function) is functools.lru_cache
    return any(_meant(written, function) is cache for cache in _CACHES)


def _maker(written: n.Expression) -> n.Expression:
    return written.func if isinstance(written, n.Call) else written


def _meant(written: n.Expression, function: FunctionType) -> object:
    match written:
        case n.Name(id=name):
            return function.__globals__.get(name)
        case n.Attribute(value=n.Name(id=name), attr=attr):
            return getattr(function.__globals__.get(name), attr, None)
        case _:
            return None


def _parameters(node: n.FunctionDef) -> Sequence[n.arg]:
    return (*node.args.posonlyargs, *node.args.args)


def _key(node: n.FunctionDef) -> n.Expression:
    """Return what the results of a nested function are kept under."""
    lo, hi, args = node.lo, node.hi, node.args
    every = (*_parameters(node), *([args.vararg] if args.vararg else ()), *args.kwonlyargs)
    names = tuple(n.Name(lo, hi, a.arg) for a in every)
    return names[0] if len(names) == 1 else n.Tuple(lo, hi, names)


def _ends(body: n.Body) -> bool:
    """Whether the end of statements is not reached: they return or raise."""
    match body[-1] if body else None:
        case n.Return() | n.Raise():
            return True
        case n.If(body=then, orelse=other):
            return _ends(then) and _ends(other)
        case n.With(body=inner):
            return _ends(inner)
        case n.Try(body=inner, handlers=handlers, orelse=other):
            return _ends(other or inner) and all(_ends(handler.body) for handler in handlers)
        case n.While(test=n.Constant(value=True)):
            return True
        case _:
            return False


def _plain(node: n.FunctionDef) -> n.FunctionDef:
    """Return a definition without its decorators."""
    rest = node.args, node.body, (), node.returns, node.type_params, node.is_async
    return n.FunctionDef(node.lo, node.hi, node.name, *rest)


def _with_body(node: n.FunctionDef, body: n.Body) -> n.FunctionDef:
    rest = node.args, body, node.decorator_list, node.returns, node.type_params, node.is_async
    return n.FunctionDef(node.lo, node.hi, node.name, *rest)


def _kept(node: n.FunctionDef) -> tuple[n.Statement, n.Statement]:
    """Return an empty dict, and a definition that keeps its results there."""
    lo, hi, kept = node.lo, node.hi, f"kept@{node.name}"
    key = _key(node)

    def place() -> n.Subscript:
        return n.Subscript(lo, hi, n.Name(lo, hi, kept), n.Name(lo, hi, "key@"))

    known = n.Compare(lo, hi, n.Name(lo, hi, "key@"), ("in",), (n.Name(lo, hi, kept),))
    start = (
        n.Assign(lo, hi, (n.Name(lo, hi, "key@"),), key),
        n.If(lo, hi, known, (n.Return(lo, hi, place()),), ()),
    )

    def keep(statement: n.Statement, _: bool) -> Sequence[n.Statement] | None:
        if not isinstance(statement, n.Return):
            return None
        at, end = statement.lo, statement.hi
        value = statement.value or n.Constant(at, end, None, None)
        found, held, given = (n.Name(at, end, "result@") for _ in range(3))
        first = n.Assign(at, end, (found,), value)
        return first, n.Assign(at, end, (place(),), held), n.Return(at, end, given)

    end = () if _ends(node.body) else (n.Return(hi, hi, None),)
    body = (*start, *rewritten((*node.body, *end), keep))
    return n.Assign(lo, hi, (n.Name(lo, hi, kept),), n.Dict(lo, hi, (), ())), _with_body(node, body)
