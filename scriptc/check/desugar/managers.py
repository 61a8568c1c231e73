"""`with`: a statement over one object is checked, and lowered, as a `try` with `finally`.

    with make() as x: body    manager@ = make(); entered@ = manager@.__enter__(); raised@ = False
                              try:
                                  try: x = entered@; body
                                  except BaseException as error@:
                                      raised@ = True
                                      if not manager@.__exit__(type(error@), error@, ...): raise
                              finally:
                                  if not raised@: manager@.__exit__(None, None, None)

Several objects are as many statements, each inside of the one before.
"""

import contextlib
from collections.abc import Sequence

import numpy as np

from scriptc.check.bindings import Fixed, Static
from scriptc.check.checked import INLINED
from scriptc.check.context import Context
from scriptc.check.desugar.generator_loops import Generator
from scriptc.check.desugar.generator_managers import (
    becomes_part,
    call_of_generator,
    check_manager,
    manager_called,
)
from scriptc.check.library.standard import standard_function
from scriptc.check.scopes import assigned_fields, names_in_cells_of_managers
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.types import ClassType, OptionalType

_METHODS = ("__enter__", "__exit__")


def check_with(context: Context, node: n.With) -> None:
    """Check `with` over objects, `contextlib.suppress` and `nullcontext`, and `np.errstate`."""
    items = [item for item in node.items if not _is_errstate(context, item)]
    if not items:
        context.block(node.body)
        return
    _require_cells(context, node)
    called = manager_called(context, items[0])
    if called is not None:
        inner = _inner(context, node, items[1:])
        if becomes_part(context, called, inner):
            check_manager(context, node, items[0], called, inner)
            return
    _note_closing(context, items[0].context_expr)
    expansion = context.learned.expansions.get(node)
    if expansion is None:
        body = _expanded(context, node, items, called)
        expansion = context.learned.expansions[node] = body
    elif called is not None:
        _generator_of(context, called)
    context.locals |= expansion.names
    context.block(expansion.body)
    left = context.reached() or {}
    for name in expansion.names:
        left.pop(name, None)
    context.facts.expanded[node] = expansion


def _require_cells(context: Context, node: n.With) -> None:
    """Have the variables that a `try` would keep in cells be kept in cells here, too."""
    if context.learned.managed is None:
        assert context.definition is not None
        context.learned.managed = names_in_cells_of_managers(context.definition)
    cells = context.learned.cells
    if node.lo >= INLINED and node.lo not in context.learned.managed:
        context.learned.managed[node.lo] = _cells_of_part(context, node)
    missing = context.learned.managed[node.lo] - cells.keys()
    if missing:
        cells.update(dict.fromkeys(missing))
        raise context.not_known_yet(node)


def _cells_of_part(context: Context, node: n.With) -> frozenset[str]:
    """Return the variables that a `with` of a generator or method needs cells for.

    Its body is a part of this function, in which its variables have names of their own.
    """
    number = node.lo // INLINED
    shift = number * INLINED
    _, definition = context.syntax_of(context.learned.inlined[number - 1].function)
    names = names_in_cells_of_managers(definition)[node.lo - shift]
    # The fields of an object that is being made are mentioned at the end of its constructor.
    fields = assigned_fields((node,), context.owner) if context.constructs else frozenset[str]()
    return frozenset(f"{name}@{shift}" for name in names if "." not in name) | fields


def _expanded(
    context: Context, node: n.With, items: Sequence[n.withitem], called: Generator | None
) -> Expansion:
    """Return what the first of several objects stands for; the others are inside of it."""
    first, *rest = items
    body = _inner(context, node, rest)
    if called is not None:
        return _around(context, node, first, body, _generator_of(context, called), "{}_manager@")
    made = _of_contextlib(context, first, body)
    if made is not None:
        return made
    _require_methods(context, first, context.typed(first.context_expr).type)
    return _around(context, node, first, body, first.context_expr)


def _generator_of(context: Context, called: Generator) -> n.Call:
    """Return the call that makes a generator; names stand for what enters and leaves it."""
    assert context.env is not None
    for name in ("enter_manager", "leave_manager"):
        context.locals |= {f"{name}@"}
        live = standard_function("generators", name)
        context.env[f"{name}@"] = Fixed(Static(live, context.span(called.call)))
    return call_of_generator(context, called)


def _inner(context: Context, node: n.With, rest: Sequence[n.withitem]) -> n.Body:
    """Return the body of the first of several objects: a `with` over the others."""
    if not rest:
        return node.body
    inner = n.With(rest[0].lo, node.hi, tuple(rest), node.body, False)
    assert context.learned.managed is not None
    context.learned.managed[inner.lo] = frozenset()
    return (inner,)


def _of_contextlib(context: Context, item: n.withitem, body: n.Body) -> Expansion | None:
    call = item.context_expr
    if not isinstance(call, n.Call):
        return None
    callee = context.callee(call)
    live = callee.value if isinstance(callee, Static) else None
    lo, hi = item.lo, item.hi
    if live is contextlib.nullcontext and not call.keywords and len(call.args) <= 1:
        given = call.args[0] if call.args else n.Constant(lo, hi, None, None)
        if item.optional_vars is not None:
            first: n.Statement = n.Assign(lo, hi, (item.optional_vars,), given)
        else:
            first = n.Expr(lo, hi, given)
        return Expansion((first, *body), given, frozenset())
    if live is contextlib.closing and not call.keywords and len(call.args) == 1:
        return _closing(item, call.args[0], body)
    if any(live is refused for refused in _REFUSED):
        context.fail(
            "with",
            f"contextlib.{getattr(live, '__name__', '')} is not in the language",
            call,
            instead="a `with` for each object, or try and finally",
        )
    if live is contextlib.suppress and not call.keywords and item.optional_vars is None:
        if not call.args:
            return Expansion(body, call, frozenset())
        caught = n.Tuple(lo, hi, call.args)
        handler = n.ExceptHandler(lo, hi, caught, None, (n.Pass(lo, hi),))
        return Expansion((n.Try(lo, hi, body, (handler,), (), (), False),), call, frozenset())
    return None


_REFUSED = (contextlib.ExitStack, contextlib.redirect_stdout, contextlib.redirect_stderr)


def _note_closing(context: Context, node: n.Expression) -> None:
    """Note that what `closing` takes is ended by it."""
    if not (isinstance(node, n.Call) and len(node.args) == 1):
        return
    callee = context.callee(node)
    if isinstance(callee, Static) and callee.value is contextlib.closing:
        context.ended.add(node.args[0])


def _closing(item: n.withitem, given: n.Expression, body: n.Body) -> Expansion:
    """Return `with closing(x) as y: body`: x is closed at the end, whatever happens."""
    lo, hi = given.lo, given.hi

    def thing() -> n.Name:
        return n.Name(lo, hi, f"closing@{lo}:{hi}")

    if item.optional_vars is not None:
        target = item.optional_vars
        body = (n.Assign(target.lo, target.hi, (target,), thing()), *body)
    close = n.Expr(lo, hi, n.Call(lo, hi, n.Attribute(lo, hi, thing(), "close"), (), ()))
    start = n.Assign(lo, hi, (thing(),), given)
    ended = n.Try(lo, hi, body, (), (), (close,), False)
    return Expansion((start, ended), given, frozenset((thing().id,)))


def _around(
    context: Context,
    node: n.With,
    item: n.withitem,
    body: n.Body,
    made: n.Expression,
    function: str = "",
) -> Expansion:
    """Return what stands for `with` over what `made` makes.

    Its methods are called, or functions with names like `function`.
    """
    lo, hi = item.context_expr.lo, item.context_expr.hi
    place = f"@{lo}:{hi}"
    manager, entered, raised, error = (
        n.Name(lo, hi, name + place) for name in ("manager", "entered", "raised", "error")
    )

    def called(method: str, *arguments: n.Expression) -> n.Call:
        if not function:
            return n.Call(lo, hi, n.Attribute(lo, hi, manager, f"__{method}__"), arguments, ())
        name = {"enter": "enter", "exit": "leave"}[method]
        return n.Call(lo, hi, n.Name(lo, hi, function.format(name)), (manager, *arguments), ())

    def constant(value: bool | None) -> n.Constant:
        return n.Constant(lo, hi, value, None)

    kind, traceback = (n.Attribute(lo, hi, error, name) for name in ("__class__", "__traceback__"))
    told = (error,) if function else (kind, error, traceback)
    keeps = n.UnaryOp(lo, hi, "not", called("exit", *told))
    handling = (
        n.Assign(lo, hi, (raised,), constant(True)),
        n.If(lo, hi, keeps, (n.Raise(lo, hi, None, None),), ()),
    )
    handler = n.ExceptHandler(lo, hi, None, error.id, handling)
    if item.optional_vars is not None:
        target = item.optional_vars
        body = (n.Assign(target.lo, target.hi, (target,), entered), *body)
    inner = n.Try(node.lo, node.hi, body, (handler,), (), (), False)
    leaving = n.Expr(lo, hi, called("exit", *(constant(None) for _ in told)))
    last = n.If(lo, hi, n.UnaryOp(lo, hi, "not", raised), (leaving,), ())
    context.learned.cells.setdefault(raised.id, None)
    whole = (
        n.Assign(lo, hi, (manager,), made),
        n.Assign(lo, hi, (entered,), called("enter")),
        n.Assign(lo, hi, (raised,), constant(False)),
        n.Try(node.lo, node.hi, (inner,), (), (), (last,), False),
    )
    return Expansion(whole, manager, frozenset((manager.id, entered.id, raised.id, error.id)))


def _require_methods(context: Context, item: n.withitem, type_: object) -> None:
    missing: Sequence[str] = _METHODS
    if isinstance(type_, ClassType):
        live = context.class_named(type_.name).live
        missing = [name for name in _METHODS if not hasattr(live, name)]
    if not missing:
        return
    instead = "an object of a class that has both methods, or try and finally"
    if isinstance(type_, OptionalType):
        instead = "test `is not None` first"
    context.fail(
        "with",
        f"{type_} has no {' and no '.join(missing)}",
        item.context_expr,
        why="`with` calls them before its body and after it",
        instead=instead,
    )


def _is_errstate(context: Context, item: n.withitem) -> bool:
    """Whether this is np.errstate that silences: scripts issue no warnings."""
    call = item.context_expr
    callee = context.callee(call) if isinstance(call, n.Call) else None
    if not isinstance(call, n.Call) or getattr(callee, "value", None) is not np.errstate:
        return False
    for setting in (*call.keywords, *call.args):
        if not _silences(setting):
            context.fail(
                "with",
                "np.errstate takes 'ignore' or 'warn' by name in scripts, for "
                "all, divide, over, under or invalid",
                setting,
                why="scripts issue no warnings, and raise none",
                instead="test what was computed: np.isfinite(x).all()",
            )
    if item.optional_vars is not None:
        context.fail("with", "np.errstate gives nothing", item, instead="leave the `as` out")
    return True


def _silences(setting: n.Expression | n.keyword) -> bool:
    match setting:
        case n.keyword(
            arg="all" | "divide" | "over" | "under" | "invalid", value=n.Constant(value=how)
        ):
            return how in ("ignore", "warn")
        case _:
            return False
