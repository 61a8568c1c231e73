"""`with` over a generator with `contextlib.contextmanager`: its body stands around that of `with`.

    @contextmanager                with timed("a") as t:     name@ = "a"
    def timed(name):                   work(t)               try:
        try:                                                     t = Clock()
            yield Clock()                                        work(t)
        finally:                                             finally:
            print(name)                                          print(name@)

What the body raises comes out of the `yield`, as CPython has it.  A body that is left by `return`,
`break` or `continue` lets the generator go on, so there nothing but `finally` may follow.  Where it
does, or the generator yields in a condition, it is one that is kept, and resumed or thrown into by
functions of `stdlib/generators.py`: `managers.py` says what for.
"""

import contextlib
from collections.abc import Generator as Yields
from types import FunctionType
from typing import cast

from scriptc.check.bindings import Fixed, Static, Typed
from scriptc.check.checked import INLINED, Inlined
from scriptc.check.closures import Definition
from scriptc.check.context import Context
from scriptc.check.desugar.generator_loops import (
    Generator,
    give_parameters,
    is_inside,
    is_one_method,
    new_names,
)
from scriptc.check.members import find_member, member_function
from scriptc.check.scopes import local_names, walk_own
from scriptc.syntax import nodes as n
from scriptc.syntax.copies import copied
from scriptc.syntax.expansion import Expansion
from scriptc.syntax.inline import in_place_of_yield, path_to_yield
from scriptc.syntax.leaves import leaves
from scriptc_runtime.types import ClassType


@contextlib.contextmanager
def _example() -> Yields[None]:
    yield


_MADE = cast(FunctionType, _example).__code__


def manager_called(context: Context, item: n.withitem) -> Generator | None:
    """Return the generator function that makes a manager; None where the item is another one."""
    call = item.context_expr
    if not isinstance(call, n.Call):
        return None
    callee = context.callee(call)
    if not isinstance(callee, Static):
        return None
    if callee.receiver is not None:
        return _method_called(context, call, callee.receiver, callee.value)
    live = callee.value
    if isinstance(live, Definition):
        signature = context.signature(live.function) if live.is_manager else None
        return signature and Generator(live.function, signature, call, nested=live)
    function = _generator_of(live)
    return None if function is None else Generator(function, context.signature(function), call)


def call_of_generator(context: Context, called: Generator) -> n.Call:
    """Return the call that makes the generator below `@contextlib.contextmanager`."""
    call, owner = called.call, called.receiver
    func = n.Name(call.lo, call.hi, f"made@{call.lo}:{call.hi}")
    context.locals |= {func.id}
    assert context.env is not None
    context.env[func.id] = Fixed(Static(called.function, context.span(call)))
    # One node for all passes: what is learned of it stays known.
    args = call.args if owner is None else (owner, *call.args)
    made = n.Call(call.lo, call.hi, func, args, call.keywords)
    kept = context.learned.spreads.setdefault((call, ("generator",)), made)
    assert isinstance(kept, n.Call)
    context.ended.add(kept)
    return kept


def _method_called(
    context: Context, call: n.Call, receiver: tuple[n.Node, Typed], name: object
) -> Generator | None:
    """Return the generator that a method is, which has to be the same for all objects."""
    at, whole = receiver
    if not (isinstance(whole.type, ClassType) and isinstance(name, str)):
        return None
    owner = context.class_named(whole.type.name).live
    static = member_function(owner, name, staticmethod)
    member = find_member(owner, name)
    function = _generator_of(static or (member and member.value))
    if function is None:
        return None
    if not is_one_method(context, call, whole.type.name, name):
        context.fail(
            "with",
            f"{name} is another generator in other classes that the object may be of",
            call,
            why="which one it is has to be known",
            instead="a class with __enter__ and __exit__",
        )
    signature = context.signature(function, None if static else owner)
    return Generator(function, signature, call, None if static else cast(n.Expression, at))


def _generator_of(live: object) -> FunctionType | None:
    """Return the function below `@contextlib.contextmanager`."""
    if not isinstance(live, FunctionType) or live.__code__ is not _MADE:
        return None
    function = cast(object, getattr(live, "__wrapped__", None))
    return function if isinstance(function, FunctionType) else None


def becomes_part(context: Context, called: Generator, body: n.Body) -> bool:
    """Whether a generator may stand around the body: nothing in it would mean something else there.

    It yields once, outside of loops and conditions, and where the body is left, it ends there.
    """
    _, definition = context.syntax_of(called.function)
    path = path_to_yield(definition.body)
    if path is None or is_inside(context, called.call, called.function):
        return False
    if any(isinstance(inner, _NO_PART) for inner in walk_own(definition.body)):
        return False
    return path.is_last or not any(leaves(body).values())


def check_manager(
    context: Context, node: n.With, item: n.withitem, called: Generator, body: n.Body
) -> None:
    """Check `with` over a call of a generator function, whose body is put around `body`."""
    call = item.context_expr
    source, definition = context.syntax_of(called.function)
    name = f"{called.function.__module__}.{called.function.__qualname__}"
    context.depend("function", name, called.function)
    known = context.learned.generator_loops.get((node, called.function))
    number = known[0] if known else len(context.learned.inlined) + 1
    if known is None:
        context.learned.inlined.append(Inlined(called.function, source, call.lo, call.hi))
    names = new_names(context, called, definition, number * INLINED)
    first = give_parameters(context, called, names, frozenset(), {})
    if known is None:
        statements = tuple(copied(s, names, number * INLINED) for s in definition.body)
        whole = in_place_of_yield(statements, item.optional_vars, body)
        known = context.learned.generator_loops[node, called.function] = number, whole
    own = frozenset(names[name] for name in local_names(definition))
    context.locals |= own
    context.block(known[1])
    left = context.reached() or {}
    for name in own:
        left.pop(name, None)
    context.facts.expanded[node] = Expansion((*first, *known[1]), call, own)


_NO_PART = (n.Return, n.FunctionDef, n.ClassDef, n.Import, n.ImportFrom, n.Global, n.Nonlocal)
