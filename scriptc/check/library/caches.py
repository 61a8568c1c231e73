"""Functions behind `functools.cache` and `lru_cache`: results are kept for a call from Python."""

from collections.abc import Mapping
from types import FunctionType
from typing import cast

from scriptc.check import checked, hashes, kept_results
from scriptc.check.bindings import Fixed, Static, Typed
from scriptc.check.checked import Capture
from scriptc.check.closures import Closure
from scriptc.check.context import Context, Value, operand
from scriptc.check.desugar.caches import KEY, call_in
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
        case checked.RESULTS:
            return _results(context, node)
        case _:
            return Static(kept_results.function_called(context.function), context.span(node))


def _arguments(context: Context, node: n.Name) -> Typed:
    """Return what a result is kept under: all that the function is given, but for constants."""
    bindings = (context.env or {}).items()
    for name, binding in bindings:
        if isinstance(binding, Fixed):
            _require_steady(context, node, name, binding)
    given = [n.Name(node.lo, node.hi, name) for name, b in bindings if isinstance(b, Typed)]
    values = [context.typed(name) for name in given]
    for name, value in zip(given, values, strict=True):
        if not hashes.may_be_key(context, value.type):
            context.fail(
                "unknown-function",
                f"{context.function.__name__} has a cache, and {name.id!r} is {value.type} here",
                node,
                why="results are kept under what has a hash",
                instead="leave the cache out, or pass a tuple of numbers and texts",
            )
    operands = [operand(name, value) for name, value in zip(given, values, strict=True)]
    one = operands[0] if len(operands) == 1 else context.apply(node, data.TUPLE, *operands)
    return context.record(node, given, one)


def _require_steady(context: Context, node: n.Name, name: str, binding: Fixed) -> None:
    """Refuse a function among the arguments that may give another result the next time."""
    value = binding.static.value if binding.static else None
    if isinstance(value, Closure) and value.held:
        context.fail(
            "unknown-function",
            f"{context.function.__name__} has a cache, and {name!r} is a function that reads "
            f"{value.held[0][0]!r} of the function around it",
            node,
            why="that may change, and a result that is kept would not",
            instead="leave the cache out, or pass what the function reads",
        )


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


def require_own(context: Context, node: n.Call, function: FunctionType, result: Typed) -> Typed:
    """Refuse the result of a method where it is kept and may have changed meanwhile."""
    if kept_results.function_called(function) is not None:
        require_values(context, node, result)
    return result


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
