"""`e.value` of a StopIteration: what the generator returned that came to its end.

    try:
        x = next(g)
    except StopIteration as e:
        print(e.value)            print(g.__value__())

An exception holds texts and numbers alone, so it is the generator that is asked. It has to be one
that a variable or a field holds, and the only one that the `try` resumes.
"""

from collections.abc import Iterator, Sequence

from scriptc.check.bindings import Typed
from scriptc.check.context import Context, operand
from scriptc.check.desugar import generator_values
from scriptc.check.generator_classes import VALUE
from scriptc.check.scopes import assigned_names, walk_own
from scriptc.syntax import nodes as n

_METHODS = ("send", "throw", "__next__")


def find_stop_values(context: Context, node: n.Try) -> None:
    """Note what `e.value` is in the handlers of a `try`."""
    for handler in node.handlers:
        if handler.name is None or not _is_stop(handler):
            continue
        asked = [
            inner
            for inner in walk_own(handler.body)
            if isinstance(inner, n.Attribute)
            and inner.attr == "value"
            and isinstance(inner.value, n.Name)
            and inner.value.id == handler.name
        ]
        over = _the_one(list(_resumed(node.body))) if asked else None
        if over is None or _base(over).id in assigned_names(handler.body):
            continue
        for inner in asked:
            lo, hi = inner.lo, inner.hi
            ask = n.Attribute(lo, hi, _again(over), VALUE)
            context.learned.made.setdefault(inner, n.Call(lo, hi, ask, (), ()))


def check_stop_value(context: Context, node: n.Attribute) -> Typed | None:
    """Check `e.value` where it is known whose it is; None for any other attribute."""
    made = context.learned.made.get(node)
    if not isinstance(made, n.Call) or not isinstance(made.func, n.Attribute):
        return None
    over = context.expression(made.func.value)
    if not isinstance(over, Typed) or not generator_values.generators_of(context, over.type):
        return None
    value = context.typed(made)
    return context.record(node, [made], operand(made, value))


def _is_stop(handler: n.ExceptHandler) -> bool:
    return isinstance(handler.type, n.Name) and handler.type.id == "StopIteration"


def _resumed(body: n.Body) -> Iterator[n.Expression]:
    """Yield what stands for a generator wherever one is resumed."""
    for node in walk_own(body):
        match node:
            case n.Call(func=n.Name(id="next"), args=(over, *_)):
                yield over
            case n.Call(func=n.Attribute(value=over, attr=method)) if method in _METHODS:
                yield over
            case _:
                pass


def _the_one(found: Sequence[n.Expression]) -> n.Name | n.Attribute | None:
    """Return the variable, or the field of one, that all of the expressions are, or None."""
    paths = {_path(over) for over in found}
    first = found[0] if found else None
    alone = len(paths) == 1 and None not in paths
    return first if alone and isinstance(first, n.Name | n.Attribute) else None


def _path(node: n.Expression) -> tuple[str, ...] | None:
    match node:
        case n.Name(id=name):
            return (name,)
        case n.Attribute(value=n.Name(id=name), attr=field):
            return name, field
        case _:
            return None


def _again(node: n.Name | n.Attribute) -> n.Name | n.Attribute:
    """Return another mention of a variable, or of a field of one."""
    if isinstance(node, n.Name):
        return n.Name(node.lo, node.hi, node.id)
    return n.Attribute(node.lo, node.hi, _again(_base(node)), node.attr)


def _base(node: n.Name | n.Attribute) -> n.Name:
    base = node.value if isinstance(node, n.Attribute) else node
    assert isinstance(base, n.Name)
    return base
