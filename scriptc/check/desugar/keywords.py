"""`**kwargs`: the arguments that a function takes by name, each of which is a variable.

Their names are known for each call, so `kwargs` stands for them as a variable may stand for a
function: `kwargs["x"]` is the variable `kwargs@x`, `f(**kwargs)` is `f(x=kwargs@x)`, and where the
dict itself is asked for it is made, `{"x": kwargs@x}`.
"""

from collections.abc import Sequence
from typing import NoReturn

from scriptc.check.bindings import KEYWORDS, Fixed, KeptKeywords, Known, Static, Typed
from scriptc.check.checked import Literal
from scriptc.check.context import Context, Value
from scriptc.check.scopes import holds, walk
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.record import replace
from scriptc_runtime.types import BOOL, INT

# What one argument of a call stands for: its name, or a name for each of a `**`, with the variable
# that has the value, or None where it is written down.
Names = tuple[tuple[str | None, str | None], ...]


def kept_in(context: Context, node: n.Expression) -> KeptKeywords | None:
    """Return what a name stands for, if that is what `**kwargs` took."""
    binding = (context.env or {}).get(node.id) if isinstance(node, n.Name) else None
    value = binding.static.value if isinstance(binding, Fixed) and binding.static else None
    return value if isinstance(value, KeptKeywords) else None


# ---------------------------------------------------------------------------------- `**` in calls


def names_of(context: Context, keyword: n.keyword) -> Names:
    """Return the names of the arguments that one written argument stands for."""
    found = _known_names(context, keyword)
    if found is None:
        context.fail(
            "keyword-unpacking",
            "`**` stands in front of what no names are known of",
            keyword,
            why="a parameter that it may fill takes *args or **kwargs, or has no plain default",
            instead="name each argument, or pass on the **kwargs of this function",
        )
    return found


def are_known(context: Context, keyword: n.keyword) -> bool:
    """Whether the names of the arguments are known that one written argument stands for."""
    return _known_names(context, keyword) is not None


def _known_names(context: Context, keyword: n.keyword) -> Names | None:
    if keyword.arg is not None:
        return ((keyword.arg, None),)
    kept = kept_in(context, keyword.value)
    if kept is not None:
        return kept.held
    match keyword.value:
        case n.Dict(keys=keys) if all(_is_name(key) for key in keys):
            return tuple((_name(key), None) for key in keys)
        case n.Call(func=n.Name(id="dict"), args=(), keywords=inner) if all(k.arg for k in inner):
            return tuple((k.arg, None) for k in inner)
        case _:
            return None


def is_known(context: Context, keyword: n.keyword) -> bool:
    """Whether the names are known of what stands behind a `**`."""
    if kept_in(context, keyword.value) is not None:
        return True
    match keyword.value:
        case n.Dict(keys=keys):
            return all(map(_is_name, keys))
        case n.Call(func=n.Name(id="dict"), args=(), keywords=inner):
            return all(k.arg for k in inner)
        case _:
            return False


def _is_name(key: n.Expression | None) -> bool:
    return isinstance(key, n.Constant) and isinstance(key.value, str)


def _name(key: n.Expression | None) -> str:
    assert isinstance(key, n.Constant)
    assert isinstance(key.value, str)
    return key.value


def spread(keyword: n.keyword, names: Names) -> Sequence[n.keyword]:
    """Return an argument for each name that one written argument stands for."""
    if keyword.arg is not None:
        return (keyword,)
    lo, hi = keyword.value.lo, keyword.value.hi
    match keyword.value:
        case n.Dict(values=values):
            pairs = zip(names, values, strict=True)
            return tuple(n.keyword(value.lo, value.hi, name, value) for (name, _), value in pairs)
        case n.Call(keywords=inner):
            return inner
        case _:
            return tuple(
                n.keyword(lo, hi, name, n.Name(lo, hi, variable or "")) for name, variable in names
            )


# ------------------------------------------------------------------------------ what is asked of it


def whole(context: Context, node: n.Expression, kept: KeptKeywords) -> Typed:
    """Return the dict that a function has from its callers; it is made where it is asked for."""
    lo, hi = node.lo, node.hi
    plain = context.learned.spreads.get((node, kept.held))
    if plain is None:
        keys = tuple(n.Constant(lo, hi, key, None) for key, _ in kept.held)
        values = tuple(n.Name(lo, hi, variable) for _, variable in kept.held)
        plain = context.learned.spreads[node, kept.held] = n.Dict(lo, hi, keys, values)
    value = _instead(context, node, plain)
    assert isinstance(value, Typed)
    return value if _is_lone(context, node) else replace(value, borrowed=KEYWORDS)


def _is_lone(context: Context, node: n.Expression) -> bool:
    """Whether nothing else mentions the dict, and nothing does so twice: one is made, as in Python.

    `self.options = kwargs` keeps it.
    """
    if context.definition is None or not isinstance(node, n.Name):
        return False
    places = [part for part in walk(context.definition.body) if _names(part, node.id)]
    again = n.For | n.While | n.ListComp | n.SetComp | n.DictComp | n.GeneratorExp | n.Lambda
    around = (
        part for part in walk(context.definition.body) if isinstance(part, again | n.FunctionDef)
    )
    return places == [node] and not any(holds(part, node) for part in around)


def _names(node: n.Node, name: str) -> bool:
    return isinstance(node, n.Name) and node.id == name


def check_item(context: Context, node: n.Subscript, kept: KeptKeywords) -> Value | None:
    """Check `kwargs["x"]`; None where the key is computed."""
    key = node.slice.value if isinstance(node.slice, n.Constant) else None
    if not isinstance(key, str):
        return None
    variable = dict(kept.held).get(key)
    if variable is None:
        _refuse_missing(context, node, key, kept)
    return _instead(context, node, n.Name(node.lo, node.hi, variable))


def check_method(context: Context, node: n.Call) -> Value | None:
    """Check `kwargs.get("x", default)` and `kwargs.pop("x", default)`; None for anything else."""
    if not isinstance(node.func, n.Attribute) or node.func.attr not in ("get", "pop"):
        return None
    kept = kept_in(context, node.func.value)
    match node.args:
        case (n.Constant(value=str(key)), *defaults) if kept is not None and len(defaults) < 2:
            pass
        case _:
            return None
    is_pop = node.func.attr == "pop"
    variable = dict(kept.held).get(key)
    if variable is not None:
        plain: n.Expression = n.Name(node.lo, node.hi, variable)
    elif defaults:
        plain = defaults[0]
    elif is_pop:
        _refuse_missing(context, node, key, kept)
    else:
        plain = n.Constant(node.lo, node.hi, None, None)
    if variable is not None and not all(map(_only_reads, defaults)):
        context.fail(
            "keyword-unpacking",
            "the default is computed, though the argument is there",
            defaults[0],
            instead='kwargs["x"] if "x" in kwargs else ...',
        )
    value = _instead(context, node, plain)
    if is_pop and variable is not None:
        assert isinstance(node.func.value, n.Name)
        assert context.env is not None
        left = tuple(pair for pair in kept.held if pair[0] != key)
        static = Static(KeptKeywords(left), context.span(node))
        context.env[node.func.value.id] = Fixed(static)
    return value


def _only_reads(default: n.Expression) -> bool:
    """Whether it is all the same if a default is evaluated that is not needed."""
    match default:
        case n.Constant() | n.Name():
            return True
        case n.UnaryOp(operand=n.Constant()):
            return True
        case n.Tuple(elts=elts) | n.List(elts=elts):
            return all(map(_only_reads, elts))
        case n.Dict(keys=(), values=()):
            return True
        case _:
            return False


def _refuse_missing(context: Context, node: n.Node, key: str, kept: KeptKeywords) -> NoReturn:
    context.fail(
        "call-arity",
        f"no argument {key!r} is given here",
        node,
        why=f"this call gives by name: {', '.join(name for name, _ in kept.held) or 'nothing'}",
        instead=f"kwargs.get({key!r}, default), or test {key!r} in kwargs",
    )


def check_membership(context: Context, node: n.Compare) -> Typed | None:
    """Check `"x" in kwargs`, which is known."""
    kept = kept_in(context, node.comparators[-1])
    match node:
        case n.Compare(left=n.Constant(value=str(key)), ops=("in" | "not in" as op,)) if kept:
            found = (key in dict(kept.held)) == (op == "in")
            known = Typed(BOOL, context.span(node), known=Known(found))
            return context.constant(node, Literal(found, BOOL), known)
        case _:
            return None


def check_len(context: Context, node: n.Call, callee: Value) -> Typed | None:
    """Check `len(kwargs)`, which is known; None for anything else."""
    kept = kept_in(context, node.args[0]) if len(node.args) == 1 else None
    if kept is None or not (isinstance(callee, Static) and callee.value is len):
        return None
    count = len(kept.held)
    known = Typed(INT, context.span(node), known=Known(count))
    return context.constant(node, Literal(count, INT), known)


def looped_over(context: Context, node: n.For) -> n.For | None:
    """Return a loop over `kwargs`, `kwargs.items()` or the like as one over a tuple."""
    match node.iter:
        case n.Name() as name:
            view = "keys"
        case n.Call(
            func=n.Attribute(value=n.Name() as name, attr="keys" | "values" | "items" as view),
            args=(),
            keywords=(),
        ):
            pass
        case _:
            return None
    kept = kept_in(context, name)
    if kept is None:
        return None
    lo, hi = node.iter.lo, node.iter.hi
    plain = context.learned.spreads.get((node.iter, kept.held))
    if plain is None:
        items: list[n.Expression] = []
        for key, variable in kept.held:
            pair = n.Constant(lo, hi, key, None), n.Name(lo, hi, variable)
            items.append(n.Tuple(lo, hi, pair) if view == "items" else pair[view == "values"])
        plain = context.learned.spreads[node.iter, kept.held] = n.Tuple(lo, hi, tuple(items))
    return n.For(node.lo, node.hi, node.target, plain, node.body, node.orelse, node.is_async)


def _instead(context: Context, node: n.Expression, plain: n.Expression) -> Value:
    """Check the expression that another one is short for."""
    value = context.expression(plain)
    if isinstance(value, Typed):
        context.facts.expanded[node] = Expansion((), plain, frozenset())
        context.facts.types[node] = value.type
    return value
