"""Dicts and sets that calls and displays make, as the loops that they are short for.

dict(pairs, a=1)       dict@ = {}; for key@, value@ in pairs: dict@.__setitem__(key@, value@)
                       dict@.__setitem__("a", 1)
dict(d), {**d}         dict@ = {}; dict@.update(d)
d.update(pairs, a=1)   dict@ = d, and then as `dict(pairs, a=1)`
dict.fromkeys(xs, v)   value@ = v; dict@ = {}; for item@ in xs: dict@.__setitem__(item@, value@)
set(xs), {*xs}         set@ = set(); for item@ in xs: set@.add(item@)
frozenset(xs)          set@ likewise, and then set@.@frozen()
"""

from collections.abc import Callable

from scriptc.syntax import expand
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.record import replace

# Whether the items of an expression are those of another container, taken at once.
AtOnce = Callable[[n.Expression], bool]


def set_of(node: n.Call | n.Set, at_once: AtOnce) -> Expansion:
    """Return the items of the argument of `set()`, or of a display with stars, as a set."""
    parts = node.elts if isinstance(node, n.Set) else tuple(map(_starred, node.args))
    if isinstance(node, n.Call) and node.args and isinstance(node.args[0], n.GeneratorExp):
        return expand.gathered(node.args[0])
    total = _name(node, "set")
    body: list[n.Statement] = [n.Assign(node.lo, node.hi, (total,), n.Set(node.lo, node.hi, ()))]
    names = {total.id}
    for part in parts:
        if not isinstance(part, n.Starred):
            body.append(_call(total, "add", part))
        elif at_once(part.value):
            body.append(_call(total, "update", part.value))
        else:
            item = _name(part.value, "item")
            names.add(item.id)
            body.append(_for(item, part.value, _call(total, "add", item)))
    return Expansion(tuple(body), total, frozenset(names))


def frozen(made: Expansion) -> Expansion:
    """Return a frozenset in place of the set that loops fill."""
    func = n.Attribute(made.value.lo, made.value.hi, made.value, "@frozen")
    return replace(made, value=n.Call(made.value.lo, made.value.hi, func, (), ()))


def deque_of(node: n.Call, source: n.Expression, empty: n.Expression) -> Expansion:
    """Return the items of `source` in an empty deque."""
    total = _name(node, "deque")
    start = n.Assign(node.lo, node.hi, (total,), empty)
    return Expansion((start, _call(total, "extend", source)), total, frozenset((total.id,)))


def dict_of(node: n.Call, at_once: AtOnce, empty: n.Expression | None = None) -> Expansion:
    """Return what `dict(...)` makes of its argument, and of keywords, in an empty dict."""
    match node.args if empty is None else ():
        case (n.GeneratorExp(elt=n.Tuple(elts=(k, v)), generators=loops),) if not node.keywords:
            return expand.keyed(n.DictComp(node.lo, node.hi, k, v, loops))
        case _:
            pass
    total = _name(node, "dict")
    start = n.Assign(node.lo, node.hi, (total,), empty) if empty else _empty(node, total)
    return _filled(node, at_once, start, total, total, is_new=empty is not None)


def updated(node: n.Call, base: n.Expression, at_once: AtOnce) -> Expansion:
    """Return what `d.update(...)` does with its argument and keywords; `base` is the dict."""
    total = _name(node, "dict")
    nothing = n.Constant(node.lo, node.hi, None, None)
    start = n.Assign(node.lo, node.hi, (total,), base)
    return _filled(node, at_once, start, total, nothing)


def _filled(
    node: n.Call,
    at_once: AtOnce,
    start: n.Statement,
    total: n.Name,
    result: n.Expression,
    *,
    is_new: bool = False,
) -> Expansion:
    """Return the statements that put the arguments of a call into a dict after `start`.

    A display that is put into a new dict of a class of `collections` is not made: its items are
    the dict's.
    """
    key, value = (_name(node, name) for name in ("key", "value"))
    body: list[n.Statement] = [start]
    for source in node.args:
        if is_new and isinstance(source, n.Dict) and None not in source.keys:
            pairs = zip(source.keys, source.values, strict=True)
            body += [_call(total, "__setitem__", k, v) for k, v in pairs if k is not None]
        elif at_once(source):
            body.append(_call(total, "update", source))
        else:
            pair = n.Tuple(source.lo, source.hi, (key, value))
            body.append(_for(pair, source, _call(total, "__setitem__", key, value)))
    for keyword in node.keywords:
        name = n.Constant(keyword.lo, keyword.hi, keyword.arg, None)
        body.append(_call(total, "__setitem__", name, keyword.value))
    return Expansion(tuple(body), result, frozenset((total.id, key.id, value.id)))


def merged(node: n.Dict) -> Expansion:
    """Return the dict of a display with `**`."""
    total = _name(node, "dict")
    body: list[n.Statement] = [_empty(node, total)]
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            body.append(_call(total, "update", value))
        else:
            body.append(_call(total, "__setitem__", key, value))
    return Expansion(tuple(body), total, frozenset((total.id,)))


def from_keys(node: n.Call) -> Expansion:
    """Return what `dict.fromkeys(keys, value)` makes."""
    total, item, value = (_name(node, name) for name in ("dict", "item", "value"))
    nothing = n.Constant(node.lo, node.hi, None, None)
    keys, given = (*node.args, nothing)[:2]
    body = (
        n.Assign(given.lo, given.hi, (value,), given),
        _empty(node, total),
        _for(item, keys, _call(total, "__setitem__", item, value)),
    )
    return Expansion(body, total, frozenset((total.id, item.id, value.id)))


def _starred(node: n.Expression) -> n.Starred:
    return n.Starred(node.lo, node.hi, node)


def _name(node: n.Expression, name: str) -> n.Name:
    return n.Name(node.lo, node.hi, f"{name}@{node.lo}:{node.hi}")


def _empty(node: n.Expression, total: n.Name) -> n.Statement:
    return n.Assign(node.lo, node.hi, (total,), n.Dict(node.lo, node.hi, (), ()))


def _for(target: n.Expression, source: n.Expression, body: n.Statement) -> n.Statement:
    return n.For(source.lo, source.hi, target, source, (body,), (), False)


def _call(total: n.Name, name: str, *given: n.Expression) -> n.Statement:
    """Return a call of a method as a statement."""
    lo, hi = given[0].lo, given[0].hi
    return n.Expr(lo, hi, n.Call(lo, hi, n.Attribute(lo, hi, total, name), given, ()))
