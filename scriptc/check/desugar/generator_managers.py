"""`with` over a generator with `contextlib.contextmanager`: its body stands around that of `with`.

    @contextmanager                with timed("a") as t:     name@ = "a"
    def timed(name):                   work(t)               try:
        try:                                                     t = Clock()
            yield Clock()                                        work(t)
        finally:                                             finally:
            print(name)                                          print(name@)

What the body raises comes out of the `yield`, as CPython has it.  A body that is left by `return`,
`break` or `continue` lets the generator go on, so there nothing but `finally` may follow.
"""

import contextlib
from collections.abc import Generator as Yields
from types import FunctionType
from typing import cast

from scriptc.check.bindings import Static
from scriptc.check.checked import INLINED, Inlined
from scriptc.check.context import Context
from scriptc.check.desugar.generator_loops import Generator, give_parameters, is_inside, new_names
from scriptc.check.scopes import local_names, walk_own
from scriptc.syntax import nodes as n
from scriptc.syntax.copies import copied
from scriptc.syntax.expansion import Expansion
from scriptc.syntax.inline import in_place_of_yield, path_to_yield
from scriptc.syntax.leaves import leaves


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
    live = callee.value if isinstance(callee, Static) and callee.receiver is None else None
    if not isinstance(live, FunctionType) or live.__code__ is not _MADE:
        return None
    function = cast(object, getattr(live, "__wrapped__", None))
    if not isinstance(function, FunctionType):
        return None
    return Generator(function, context.signature(function), call)


def check_manager(
    context: Context, node: n.With, item: n.withitem, called: Generator, body: n.Body
) -> None:
    """Check `with` over a call of a generator function, whose body is put around `body`."""
    call = called.call
    source, definition = context.syntax_of(called.function)
    _require_part(context, call, called, definition, body)
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


def _require_part(
    context: Context, call: n.Call, called: Generator, definition: n.FunctionDef, body: n.Body
) -> None:
    """Refuse a generator that is no manager, or in which the body would mean something else."""
    why = "its body becomes a part of the function, around the one of `with`"
    path = path_to_yield(definition.body)
    if path is None or is_inside(context, call, called.function):
        context.fail(
            "with",
            f"{called.function.__name__} does not yield once, outside of loops and conditions",
            call,
            why=why,
            instead="a class with __enter__ and __exit__",
        )
    if any(isinstance(inner, _NO_PART) for inner in walk_own(definition.body)):
        context.fail(
            "with",
            f"{called.function.__name__} returns, or defines or imports something",
            call,
            why=why,
            instead="leave that out, or write a class with __enter__ and __exit__",
        )
    if not path.is_last and any(leaves(body).values()):
        context.fail(
            "with",
            f"the body is left, and {called.function.__name__} goes on behind its yield",
            call,
            why=why,
            instead="put what follows the yield into a `finally`, or leave `with` at its end",
        )


_NO_PART = (n.Return, n.FunctionDef, n.ClassDef, n.Import, n.ImportFrom, n.Global, n.Nonlocal)
