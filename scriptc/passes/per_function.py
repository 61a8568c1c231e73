"""Passes that look at one function at a time, as passes over modules."""

from collections.abc import Callable
from functools import wraps

from scriptc.analysis.remarks import about
from scriptc_runtime.ir import Function, Module


def per_function(run: Callable[[Function], Function]) -> Callable[[Module], Module]:
    """Return the pass that does `run` to each function; a module that stays alike is the same."""

    @wraps(run)
    def over_module(module: Module) -> Module:
        functions: dict[str, Function] = {}
        for name, function in module.functions.items():
            about(function)
            functions[name] = run(function)
        if all(function is module.functions[name] for name, function in functions.items()):
            return module
        return module.with_functions(functions)

    return over_module
