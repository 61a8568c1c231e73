"""`**` in front of a dict whose keys the run says, in calls.

f(x, **d)           require_names(d, ...); f(x, y=d["y"], z=d["z"] if "z" in d else 0)
dict(a, k=1, **d)   {**a, "k": 1, **d}
"...".format(**d)   "...".format_map(d)

Each parameter that is given nothing else takes what the dict has for it.
"""

from collections.abc import Iterable, Mapping, Sequence

from scriptc.check.bindings import Static, Typed
from scriptc.check.context import Context, Value
from scriptc.check.desugar import computed_stars
from scriptc.check.desugar.called_functions import Called, called_function, method_of_object
from scriptc.check.desugar.comprehensions import as_loops
from scriptc.check.desugar.computed_stars import builtin_name, rewritten
from scriptc.check.desugar.keywords import are_known
from scriptc.check.desugar.stars import Spread
from scriptc.check.function_classes import functions_in
from scriptc.check.library.standard import standard_function
from scriptc.check.never_given import may_raise
from scriptc.check.signatures import Signature
from scriptc.syntax import nodes as n
from scriptc.syntax.expand import is_simple
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.record import record
from scriptc_runtime.types import STR, DictType, Type
from scriptc_runtime.unions import members_of


def check(context: Context, node: Spread, expected: Type | None) -> Value:
    """Check a call or a display with `*` or `**`."""
    value = _check_names(context, node, expected) if isinstance(node, n.Call) else None
    return value or computed_stars.check(context, node, expected)


def _check_names(context: Context, node: n.Call, expected: Type | None) -> Value | None:
    """Check a call with one `**` in front of such a dict; None for any other call."""
    found = [k for k in node.keywords if k.arg is None and not are_known(context, k)]
    if len(found) != 1 or any(isinstance(item, n.Starred) for item in node.args):
        return None
    (source,) = found
    value = context.typed(source.value)
    context.require_items(source.value, value)
    dicts = [part for part in members_of(value.type) if isinstance(part, DictType)]
    is_dict = [part.key for part in dicts] == [STR]
    if is_dict and isinstance(value.type, DictType) and _is_format(context, node):
        return rewritten(context, node, "format", lambda: _formatted(node, source), expected)
    callee = _callee(context, node)
    if callee is not None and callee.value is dict and isinstance(value.type, DictType):
        if not is_dict:
            return None
        others = builtin_name(context, node, standard_function("stars", "with_others"))
        return rewritten(context, node, "dict", lambda: _merged(node, others), expected)
    takes = callee and _takes(context, node, callee)
    if takes is None or not (is_dict or (not dicts and may_raise(context))):
        return None
    for live in (
        standard_function("stars", "mapping_of"),
        standard_function("stars", "require_names"),
        int,
    ):
        builtin_name(context, node, live)
    if not is_dict:
        raising = _mapping_of(source, source.value, takes)  # which always raises
        return rewritten(context, node, "mapping", lambda: raising)
    return as_loops(context, node, lambda: _called(node, source, takes))


def _callee(context: Context, node: n.Call) -> Static | None:
    found = method_of_object(context, node.func) or context.callee(node)
    if isinstance(found, Static):
        return found
    values = functions_in(found.type, context.function_called)
    return Static(values[0].target, context.span(node.func)) if len(values) == 1 else None


def _is_format(context: Context, node: n.Call) -> bool:
    if not isinstance(node.func, n.Attribute) or node.func.attr != "format" or node.args:
        return False
    owner = context.expression(node.func.value)
    return len(node.keywords) == 1 and isinstance(owner, Typed) and owner.type is STR


def _formatted(node: n.Call, source: n.keyword) -> n.Call:
    assert isinstance(node.func, n.Attribute)
    method = n.Attribute(node.func.lo, node.func.hi, node.func.value, "format_map")
    return n.Call(node.lo, node.hi, method, (source.value,), ())


def _merged(node: n.Call, others: n.Name) -> n.Dict:
    """Return `dict(a, k=1, **d)` as a display: `others` refuses a dict that has a key `k`."""
    keys: list[n.Expression | None] = [None for _ in node.args]
    values = list(node.args)
    written = " ".join(k.arg for k in node.keywords if k.arg)
    for k in node.keywords:
        keys.append(n.Constant(k.lo, k.hi, k.arg, None) if k.arg else None)
        value = k.value
        if k.arg is None and written:
            names = n.Constant(k.lo, k.hi, written, None)
            value = n.Call(k.lo, k.hi, others, (value, names), ())
        values.append(value)
    return n.Dict(node.lo, node.hi, tuple(keys), tuple(values))


# ---------------------------------------------------------------------------- functions of programs


@record
class _Takes:
    """What a function takes: the names that are not given by position, and how it is called."""

    title: str
    full_name: str
    given: Sequence[str]  # by position
    positional: Sequence[str]
    by_name: Sequence[str]
    defaults: Mapping[str, n.Expression]


def _takes(context: Context, node: n.Call, callee: Static) -> _Takes | None:
    """Return what a function or class takes; None where that is not known by its parameters."""
    called = called_function(context, node, callee)
    if called is None or called.signature.keywords or called.signature.starred:
        return None
    signature, bound = called.signature, called.bound
    names = signature.names[bound:]
    count = len(node.args)
    positional = names[: signature.positional - bound]
    if count > len(positional) or not set(names) <= signature.by_name | set(positional[:count]):
        return None
    written = {keyword.arg for keyword in node.keywords}
    left = [name for name in names[count:] if name not in written]
    defaults = _defaults(node, signature, left)
    if defaults is None:
        return None
    return _Takes(
        called.title,
        _full_name(called),
        (*signature.names[:bound], *positional[:count]),
        [name for name in left if name in positional],
        [name for name in left if name not in positional],
        defaults,
    )


def _full_name(called: Called) -> str:
    live = called.owner or called.function
    return f"{live.__module__}.{live.__qualname__}"


def _defaults(
    node: n.Call, signature: Signature, names: Sequence[str]
) -> Mapping[str, n.Expression] | None:
    """Return the defaults of parameters; None where one cannot be written down."""
    found: dict[str, n.Expression] = {}
    for name in names:
        if name not in signature.defaults:
            continue
        value = signature.defaults[name]
        if value is not None and not isinstance(value, bool | int | float | str):
            return None
        found[name] = _as_given(n.Constant(node.lo, node.hi, value, None))
    return found


def _as_given(default: n.Constant) -> n.Expression:
    """Return a default that stays what it is: an int that is written down gives way to floats."""
    if type(default.value) is not int:
        return default
    return n.Call(
        default.lo, default.hi, n.Name(default.lo, default.hi, "int@star"), (default,), ()
    )


def _called(node: n.Call, source: n.keyword, takes: _Takes) -> Expansion:
    """Return the call with an argument by name for each parameter that the dict may fill."""
    body: list[n.Statement] = []
    names: set[str] = set()

    def held(part: n.Expression) -> n.Expression:
        """Return the part, or a variable that has its value: all are evaluated before the check."""
        if is_simple(part) or isinstance(part, n.Lambda):
            return part
        name = n.Name(part.lo, part.hi, f"argument@{part.lo}:{part.hi}")
        names.add(name.id)
        body.append(n.Assign(part.lo, part.hi, (name,), part))
        return name

    args = tuple(held(part) for part in node.args)
    every = {keyword: held(keyword.value) for keyword in node.keywords}
    lo, hi = source.lo, source.hi
    found = n.Name(lo, hi, f"named@{lo}:{hi}")
    names.add(found.id)
    body.append(n.Assign(lo, hi, (found,), _mapping_of(source, every[source], takes)))
    written = [k for k in node.keywords if k is not source]
    fits = n.Name(lo, hi, f"fits@{lo}:{hi}")
    names.add(fits.id)
    body.append(n.Assign(lo, hi, (fits,), _checked(source, found, takes, written)))
    given = [n.keyword(k.lo, k.hi, k.arg, every[k]) for k in written]
    for name in (*takes.positional, *takes.by_name):
        key = n.Constant(lo, hi, name, None)
        item: n.Expression = n.Subscript(lo, hi, found, key)
        if name in takes.defaults:
            test = n.Compare(lo, hi, key, ("in",), (found,))
            item = n.IfExp(lo, hi, test, item, takes.defaults[name])
        given.append(n.keyword(lo, hi, name, item))
    whole = n.Call(node.lo, node.hi, node.func, args, tuple(given))
    return Expansion(tuple(body), whole, frozenset(names))


def _mapping_of(source: n.keyword, value: n.Expression, takes: _Takes) -> n.Call:
    """Return the dict that is one of what a value may be; other values are refused."""
    lo, hi = source.lo, source.hi
    name = n.Constant(lo, hi, takes.full_name, None)
    return n.Call(lo, hi, n.Name(lo, hi, "mapping_of@star"), (value, name), ())


def _checked(
    source: n.keyword, found: n.Expression, takes: _Takes, written: Sequence[n.keyword]
) -> n.Call:
    """Return the call that refuses keys which the function does not take, or lacks."""
    lo, hi = source.lo, source.hi

    def names(found: Iterable[str | None]) -> n.Expression:
        return n.Constant(lo, hi, " ".join(name for name in found if name), None)

    def needed(found: Sequence[str]) -> n.Expression:
        return names(name for name in found if name not in takes.defaults)

    given = (
        n.Constant(lo, hi, takes.title, None),
        n.Constant(lo, hi, takes.full_name, None),
        names(keyword.arg for keyword in written),
        names(takes.given),
        names((*takes.positional, *takes.by_name)),
        needed(takes.positional),
        needed(takes.by_name),
    )
    return n.Call(lo, hi, n.Name(lo, hi, "require_names@star"), (found, *given), ())
