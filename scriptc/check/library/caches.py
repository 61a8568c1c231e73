"""Functions behind `functools.cache` and `lru_cache`: results are kept for a call from Python."""

from collections.abc import Mapping
from types import FunctionType
from typing import cast

from scriptc.check import kept_results
from scriptc.check.bindings import Static, Typed
from scriptc.check.checked import Capture
from scriptc.check.context import Context, Value, operand
from scriptc.check.desugar.caches import KEY, call_in
from scriptc.check.python.dicts.displays import require_hashable
from scriptc.check.scopes import plain_function
from scriptc.check.size_names import without_sizes
from scriptc.syntax import nodes as n
from scriptc.syntax.inline import is_generator
from scriptc_runtime.ops import data
from scriptc_runtime.types import (
    EXCEPTION,
    ClassType,
    DictType,
    ListType,
    TensorType,
    parts_of,
)


def cached_function(value: object) -> FunctionType | None:
    """Return the function that a cache stands before; None for anything else."""
    return (
        plain_function(getattr(value, "__wrapped__", None))
        if hasattr(value, "cache_info")
        else None
    )


def keeping_function(context: Context, function: FunctionType, cache: object) -> FunctionType:
    """Return what is called instead of a function that a cache stands before."""
    parameters = cast("Mapping[str, object]", getattr(cache, "cache_parameters", dict)())
    is_kept = parameters.get("maxsize") != 0 and not is_generator(context.syntax_of(function)[1])
    return context.rounds.keeping.of(function) if is_kept else function


def check_made_name(context: Context, node: n.Name, name: str) -> Value:
    """Check a name in what keeps the results of a function, which is not in a program."""
    match name:
        case kept_results.ARGUMENTS:
            return _arguments(context, node)
        case kept_results.RESULTS:
            return _results(context, node)
        case _:
            return Static(kept_results.function_called(context.function), context.span(node))


def _arguments(context: Context, node: n.Name) -> Typed:
    """Return what a result is kept under: all that the function is given, but for constants."""
    if context.given_cells:
        context.fail(
            "unknown-function",
            f"a cache before {context.function.__name__}, which is given a function that changes "
            f"{min(context.given_cells).rpartition('@')[2]!r}",
            node,
            why="a result that is kept would leave that change out",
            instead="leave the cache out",
        )
    bindings = (context.env or {}).items()
    given = [n.Name(node.lo, node.hi, name) for name, b in bindings if isinstance(b, Typed)]
    values = [operand(name, context.typed(name)) for name in given]
    one = values[0] if len(values) == 1 else context.apply(node, data.TUPLE, *values)
    found = context.record(node, given, one)
    require_hashable(context, node, found.type)
    return found


def _results(context: Context, node: n.Name) -> Typed:
    """Return the dict of the results, which the call from Python has made."""
    assert context.definition is not None
    key = context.typed(n.Name(node.lo, node.hi, KEY))
    result = context.typed(call_in(context.definition))
    type_ = DictType(without_sizes(key.type), without_sizes(result.type))
    kept, name = kept_results.KeptResults(), f"{context.function.__name__}_results"
    qualified = f"{name} {id(kept)}"
    context.captures[qualified] = Capture(name, type_, kept, qualified)
    context.facts.captures[node] = qualified
    context.facts.types[node] = type_
    return Typed(type_, context.span(node))


def require_values(context: Context, node: n.Call, result: Value) -> Value:
    """Refuse a result that a later call would give again, and that may have changed meanwhile."""
    waiting = [result.type] if isinstance(result, Typed) else []
    for type_ in waiting:
        if isinstance(type_, ListType | DictType | TensorType | ClassType) or type_ is EXCEPTION:
            context.fail(
                "unknown-function",
                f"what is kept in a cache is {type_}",
                node.func,
                why="each call would give the same object, and scripts make one for each",
                instead="leave the cache out, or return numbers, strings and tuples",
            )
        waiting += parts_of(type_)
    return result
