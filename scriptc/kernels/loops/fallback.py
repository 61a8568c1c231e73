"""Exact versions of loops hardly ever run: most passes leave them, and are quicker for it.

`loop_functions.py` makes them functions of the role `fallback`.
"""

from functools import wraps

from scriptc.passes.pipeline import Pass
from scriptc_runtime.ir import Module, Role


def not_fallback(run: Pass) -> Pass:
    """Return a pass that leaves the exact versions of loops as they are."""

    @wraps(run)
    def on_others(module: Module) -> Module:
        exact = {n: f for n, f in module.functions.items() if f.role is Role.FALLBACK}
        if not exact:
            return run(module)
        others = {n: f for n, f in module.functions.items() if n not in exact}
        done = run(module.with_functions(others))
        return done.with_functions({**done.functions, **exact})

    return on_others
