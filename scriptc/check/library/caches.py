"""Functions behind `functools.cache` and `lru_cache`: they are called as if nothing was kept."""

from types import FunctionType

from scriptc.check.bindings import Typed
from scriptc.check.context import Context, Value
from scriptc.syntax import nodes as n
from scriptc_runtime.types import EXCEPTION, ClassType, DictType, ListType, TensorType, parts_of


def cached_function(value: object) -> FunctionType | None:
    """Return the function that a cache stands before; None for anything else."""
    function: object = getattr(value, "__wrapped__", None)
    return function if isinstance(function, FunctionType) and hasattr(value, "cache_info") else None


def require_pure(context: Context, node: n.Call, function: FunctionType, cache: object) -> None:
    """Refuse a function that calls itself through a cache that is not kept: it takes for ever."""
    names = [name for name in function.__code__.co_names if name != function.__name__]
    if any(function.__globals__.get(name) is cache for name in names):
        context.fail(
            "unknown-function",
            f"{function.__name__} calls itself through its cache",
            node.func,
            why="scripts keep no results from call to call, and without them it would take long",
            instead="a dict or a list of results that it is given",
        )


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
