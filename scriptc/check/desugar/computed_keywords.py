"""`**` in front of a dict whose keys the run says: `f(**d)` gives each parameter what is there.

def f(a, b=2): ...          named@ = d
f(**d)                      check_names(named@, ...)
                            f(a=named@["a"], b=named@["b"] if "b" in named@ else 2)
"""

import re
from collections.abc import Sequence
from types import FunctionType
from typing import cast

from scriptc.check import closures
from scriptc.check.bindings import Static, Typed
from scriptc.check.constants import is_scalar
from scriptc.check.context import Context, Value
from scriptc.check.desugar import computed_stars, stars
from scriptc.check.desugar.comprehensions import as_loops
from scriptc.check.desugar.computed_stars import builtin_name
from scriptc.check.desugar.inits import init_of
from scriptc.check.desugar.keywords import is_known
from scriptc.check.library.standard import standard_function
from scriptc.check.members import find_member
from scriptc.check.never_given import may_raise
from scriptc.check.scopes import assigned_names, plain_function
from scriptc.check.signatures import Signature
from scriptc.syntax import nodes as n
from scriptc.syntax.expand import is_simple
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.named_classes import kind_of
from scriptc_runtime.record import record
from scriptc_runtime.types import STR, ClassType, DictType, Type
from scriptc_runtime.unions import members_of

_FUNCTIONS = ("mapping_of", "check_names", "require_names")


@record(eq=False)
class _Called:
    """A function that is called, and the parameters that are given without the dict."""

    signature: Signature
    title: str  # what messages call the function
    name: str  # with its module
    placed: Sequence[str]
    named: Sequence[str]
    needed: Sequence[str]


def check(context: Context, node: stars.Spread, expected: Type | None) -> Value:
    """Check a call or a display with `*` or `**`."""
    if isinstance(node, n.Call) and any(keyword.arg is None for keyword in node.keywords):
        named = _of_names(context, node)
        if named is not None:
            return named
    return computed_stars.check(context, node, expected)


def _of_names(context: Context, node: n.Call) -> Value | None:
    """Check a call with `**` of one dict that is computed; None for any other call."""
    computed = [k for k in node.keywords if k.arg is None and not is_known(context, k)]
    if len(computed) != 1 or any(isinstance(item, n.Starred) for item in node.args):
        return None
    (keyword,) = computed
    value = context.typed(keyword.value)
    context.require_items(keyword.value, value)
    dicts = [member for member in members_of(value.type) if isinstance(member, DictType)]
    is_dict = [found.key for found in dicts] == [STR]
    raises = not dicts and may_raise(context)
    called = _function(context, node) if is_dict or raises else None
    rest = (k for k in node.keywords if k is not keyword)
    if called is None or any(k.arg is None for k in rest):
        return None
    for name in _FUNCTIONS:
        builtin_name(context, node, standard_function("stars", name))
    if not is_dict:
        raising = _mapping_of(keyword, called)  # which always raises
        return computed_stars.rewritten(context, node, "mapping", lambda: raising)
    return as_loops(context, node, lambda: _expansion(node, keyword, called))


def _function(context: Context, node: n.Call) -> _Called | None:
    """Return what is called; None where not all of its parameters can be given so."""
    callee = _method(context, node.func) or context.callee(node)
    live = callee.value if isinstance(callee, Static) else None
    if isinstance(live, type) and kind_of(live) is not None:
        return None
    owner = live if isinstance(live, type) else None
    live = init_of(owner, context.span(node)) if owner else closures.resolved(context, live, node)
    function = live.function if isinstance(live, closures.Closure) else live
    if not isinstance(function, FunctionType):
        return None
    signature = context.signature(function, owner)
    is_bound = owner is not None or (isinstance(callee, Static) and callee.receiver is not None)
    names = signature.names[int(is_bound) :]
    placed, named = names[: len(node.args)], [k.arg for k in node.keywords if k.arg is not None]
    needed = [name for name in names if name not in (*placed, *named)]
    defaults = [signature.defaults[name] for name in needed if name in signature.defaults]
    if signature.starred or signature.keywords or not all(map(is_scalar, defaults)):
        return None
    if not signature.by_name.issuperset(needed):
        return None
    title = re.sub(r"\blambda$", "<lambda>", function.__qualname__)
    whole = owner.__qualname__ if owner else title
    return _Called(signature, title, f"{function.__module__}.{whole}", placed, named, needed)


def _method(context: Context, func: n.Expression) -> Static | None:
    """Return the method of an object that is called; None for anything else."""
    if not isinstance(func, n.Attribute):
        return None
    base = context.expression(func.value)
    if not (isinstance(base, Typed) and isinstance(base.type, ClassType)):
        return None
    found = find_member(context.class_named(base.type.name).live, func.attr)
    function = found and plain_function(found.value)
    return function and Static(function, context.span(func), receiver=(func.value, base))


def _mapping_of(keyword: n.keyword, called: _Called) -> n.Call:
    lo, hi = keyword.lo, keyword.hi
    name = n.Constant(lo, hi, called.name, None)
    return n.Call(lo, hi, n.Name(lo, hi, "mapping_of@star"), (keyword.value, name), ())


def _expansion(node: n.Call, keyword: n.keyword, called: _Called) -> Expansion:
    lo, hi = node.lo, node.hi
    body: list[n.Statement] = []

    def held(value: n.Expression, name: str) -> n.Name:
        kept = n.Name(lo, hi, f"{name}@{lo}:{hi}")
        body.append(n.Assign(lo, hi, (kept,), value))
        return kept

    def text(value: n.ConstantValue) -> n.Constant:
        return n.Constant(lo, hi, value, None)

    def named() -> n.Name:
        return n.Name(lo, hi, f"named@{lo}:{hi}")

    def check(name: str, *told: str) -> None:
        call = n.Call(lo, hi, n.Name(lo, hi, f"{name}@star"), (named(), *map(text, told)), ())
        body.append(n.Expr(lo, hi, call))

    args = [a if is_simple(a) else held(a, f"placed{i}") for i, a in enumerate(node.args)]
    held(_mapping_of(keyword, called), "named")
    names = (" ".join(part) for part in (called.needed, called.placed, called.named))
    check("check_names", *names, called.title, called.name)
    signature, given = called.signature, [k for k in node.keywords if k is not keyword]
    places = signature.names[: signature.positional]
    for kind, is_placed in (("positional", True), ("keyword-only", False)):
        needed = [name for name in called.needed if name not in signature.defaults]
        required = [name for name in needed if (name in places) is is_placed]
        if required:
            check("require_names", " ".join(required), kind, called.title)
    for name in called.needed:
        value: n.Expression = n.Subscript(lo, hi, named(), text(name))
        if name in signature.defaults:
            test = n.Compare(lo, hi, text(name), ("in",), (named(),))
            default = cast("n.ConstantValue", signature.defaults[name])  # see `_function`
            value = n.IfExp(lo, hi, test, value, text(default))
        given.append(n.keyword(lo, hi, name, value))
    whole = n.Call(lo, hi, node.func, tuple(args), tuple(given))
    return Expansion(tuple(body), whole, assigned_names(body))
