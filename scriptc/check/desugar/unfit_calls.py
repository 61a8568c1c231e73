"""Calls of one of several functions that do not fit the parameters of some of them.

Python says so where it calls such a one: `fn(*args)` of callbacks that take other arguments.
"""

import re
from collections.abc import Sequence
from inspect import Parameter
from inspect import Signature as Bound
from types import FunctionType

from scriptc.call_errors import call_error
from scriptc.check.bindings import Typed
from scriptc.check.closures import Closure
from scriptc.check.context import Context
from scriptc.check.desugar.keywords import names_of
from scriptc.check.function_classes import SELF, FunctionValue
from scriptc.check.members import find_member
from scriptc.check.named_types import plain
from scriptc.check.scopes import plain_function
from scriptc.check.signatures import Signature
from scriptc.syntax import nodes as n
from scriptc_runtime.types import ClassType, TupleType


def unfit_calls(context: Context, node: n.Call, values: Sequence[FunctionValue]) -> dict[int, str]:
    """Return what Python says of each function that a call does not fit, by its place."""
    count = _count(context, node)
    if count is None:
        return {}
    pairs = (pair for keyword in node.keywords for pair in names_of(context, keyword))
    names = [name for name, _ in pairs if name]
    found = {place: _problem(context, value, count, names) for place, value in enumerate(values)}
    return {place: problem for place, problem in found.items() if problem}


def _count(context: Context, node: n.Call) -> int | None:
    """Return how many arguments a call gives by position; None where only the run knows."""
    total = 0
    for item in node.args:
        if not isinstance(item, n.Starred):
            total += 1
            continue
        value = context.expression(item.value) if isinstance(item.value, n.Name) else None
        type_ = plain(value).type if isinstance(value, Typed) else None
        if not isinstance(type_, TupleType):
            return None
        total += len(type_.items)
    return total


def _problem(
    context: Context, value: FunctionValue, count: int, names: Sequence[str]
) -> str | None:
    live, owner = value.target, None
    if value.is_method:
        whole = value.fields[SELF]
        if not isinstance(whole, ClassType):
            return None
        owner = context.class_named(whole.name).live
        member = find_member(owner, str(value.target))
        live = plain_function(member.value) if member else None
    function = live.function if isinstance(live, Closure) else live
    if not isinstance(function, FunctionType):
        return None
    signature = context.signature(function, owner)
    if not all(map(str.isidentifier, signature.names)):
        return None  # a function that the compiler has made
    parameters = _parameters(signature)
    given = [None] * (count + value.is_method)
    named = dict.fromkeys(names)
    try:
        Bound(parameters).bind(*given, **named)
    except TypeError:
        name = re.sub(r"\blambda$", "<lambda>", function.__qualname__)
        return str(call_error(name, parameters, given, named))
    return None


def _parameters(signature: Signature) -> list[Parameter]:
    """Return the parameters as Python has them."""
    placed: list[Parameter] = []
    named: list[Parameter] = []
    for place, name in enumerate(signature.names):
        if name in (signature.starred, signature.keywords):
            continue
        default = None if name in signature.defaults else Parameter.empty
        if place >= signature.positional:
            named.append(Parameter(name, Parameter.KEYWORD_ONLY, default=default))
            continue
        is_named = name in signature.by_name
        kind = Parameter.POSITIONAL_OR_KEYWORD if is_named else Parameter.POSITIONAL_ONLY
        placed.append(Parameter(name, kind, default=default))
    if signature.starred:
        placed.append(Parameter(signature.starred, Parameter.VAR_POSITIONAL))
    if signature.keywords:
        named.append(Parameter(signature.keywords, Parameter.VAR_KEYWORD))
    return [*placed, *named]
