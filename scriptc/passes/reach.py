"""Reach: drop the functions that nobody can call.

    func @f() { ... the body of @g ... }      =>      func @f() { ... }
    func @g() { ... }

Needs: the names of the functions that are called from outside.
Gives: these and what they reach, in the order they had.
Cases: tests/cases/passes/reach_library.
"""

from collections.abc import Iterable

from scriptc_runtime.call_graph import callees
from scriptc_runtime.ir import Module, Role
from scriptc_runtime.ops import control, low

_CALLS = (control.CALL, low.LAUNCH)


def reach(module: Module, roots: Iterable[str]) -> Module:
    """Return `module` with `roots` and the functions that they call, directly or not."""
    seen: set[str] = set()
    waiting = list(roots)
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            called = callees(module.functions[name], _CALLS)
            waiting += [callee for callee in called if callee not in module.externs]
    if len(seen) == len(module.functions):
        return module
    return module.with_functions({n: f for n, f in module.functions.items() if n in seen})


def reach_library(module: Module) -> Module:
    """Return `module` without the library functions that nobody calls any more."""
    return reach(module, [n for n, f in module.functions.items() if f.role is not Role.LIBRARY])
