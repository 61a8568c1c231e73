"""Exact versions: the copy of a loop that keeps its checks becomes a function of its own.

    if %proven {                            if %proven {
      for ... the loop without checks         for ... the loop without checks
    } {                               =>    } {
      for ... %x, %n ...                      call %x, %n [callee="fallback.f.0"]
    }                                       }

                                   func fallback @fallback.f.0(%x, %n) -> None { for ... }

Such code hardly ever runs. Apart from the rest it is compiled with less care, and what runs often
is optimised as if it were not there. A call of it is no frame of its own: the function stands for
the lines of the one it comes from.
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
