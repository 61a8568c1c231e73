"""Decorators of nested functions, which are calls of what is defined.

    @twice                  def step(x): ...
    def step(x): ...        step = twice(step)

`@functools.wraps(f)` stays: all that it changes is what the function is called. So does
`@contextlib.contextmanager`, of which `with` makes something.
"""

import contextlib
import functools
from collections.abc import Sequence

from scriptc.check.scopes import walk
from scriptc.syntax import nodes as n


def decorated(node: n.FunctionDef, meant: Sequence[object]) -> Sequence[n.Statement]:
    """Return the statements that stand for a definition; `meant` are its decorators outside.

    One stays as it is where defaults are computed before what decorates it, which Python does
    after that, where that has its name, and where its results are kept in a way that is not built.
    """
    given = list(node.decorator_list)
    is_manager = len(given) == 1 and meant and meant[0] is contextlib.contextmanager
    stays = is_manager or (meant and meant[-1] is functools.wraps)
    wraps = (given.pop(),) if stays else ()
    plain = all(isinstance(d, n.Name | n.Attribute) for d in given)
    defaults = (*node.args.defaults, *node.args.kw_defaults)
    in_order = plain or all(d is None or isinstance(d, n.Constant) for d in defaults)
    known = meant[: len(given)]
    names = (part.id for part in walk(given) if isinstance(part, n.Name))
    in_order = in_order and node.name not in names
    if not given or not in_order or any(m in (functools.cache, functools.lru_cache) for m in known):
        return (node,)
    rest = node.args, node.body, wraps, node.returns, node.type_params, node.is_async
    defined = n.FunctionDef(node.lo, node.hi, node.name, *rest)
    lo, hi = given[0].lo, given[0].hi
    value: n.Expression = n.Name(lo, hi, node.name)
    for decorator in reversed(given):
        value = n.Call(decorator.lo, decorator.hi, decorator, (value,), ())
    # Behind the definition, as what the function reads by its name is changed by it.
    return defined, n.Assign(node.hi, node.hi, (n.Name(lo, hi, node.name),), value)


def wrapping(node: n.FunctionDef | n.Lambda) -> n.Expression | None:
    """Return what may be `functools.wraps`, or is `contextlib.contextmanager`, before a function.

    None without such a decorator.
    """
    decorators = node.decorator_list if isinstance(node, n.FunctionDef) else ()
    match decorators:
        case (n.Call(func=maker, args=(n.Name(),), keywords=()),):
            return maker
        case (n.Name() | n.Attribute() as maker,):
            return maker
        case _:
            return None
