"""Passes run over a module, one after the other, and what they end with is verified."""

import operator
from collections.abc import Callable, Sequence

from scriptc.faults import Stage
from scriptc.options import Options
from scriptc.passes.pipeline import Pass
from scriptc.timeline import PASS, made, stage, watcher
from scriptc_runtime.errors import InternalError
from scriptc_runtime.ir import Module, walk
from scriptc_runtime.ops.opdef import Level
from scriptc_runtime.verify.module import Known, verify


def run_passes(
    passes: Sequence[Pass],
    module: Module,
    level: Level,
    options: Options,
    check: Callable[[Module], None] | None = None,
    *,
    then: Callable[[Module], Sequence[Pass]] | None = None,
    verified_later: bool = False,
) -> Module:
    """Run passes over a module, and verify what they end with.

    `then` tells what runs after them, which what they have made decides on. Where the end fails, or
    a pass does, all run again and each is verified, so that the one whose fault it is gets the
    blame. `verified_later` leaves the end to passes that others run.
    """

    def run(*, verified: bool = False) -> Module:
        made = _run_each(passes, module, level, check, verified=verified)
        return made if then is None else _run_each(then(made), made, level, check, verified)

    if not options.verify or options.verify_passes:
        return run(verified=options.verify)
    try:
        found = run()
        if not verified_later:
            with Stage("verify", found):
                verify(found, level=level)
    except InternalError:
        run(verified=True)
        raise
    return found


def _run_each(
    passes: Sequence[Pass],
    module: Module,
    level: Level,
    check: Callable[[Module], None] | None,
    verified: bool,
) -> Module:
    known = Known()
    if verified:
        with Stage("verify", module):
            verify(module, level=level, known=known)
    for run in passes:
        before = module
        with Stage(PASS + run.__name__, module):
            module = run(module)
            tell_ops(module)
            if check:
                check(module)
            if verified and not _is_same(before, module):
                with stage("verify"):
                    verify(module, level=level, known=known)
    return module


def tell_ops(module: Module) -> None:
    """Tell who watches the compilation how large a module is."""
    if watcher():
        made(ops=sum(1 for f in module.functions.values() for _ in walk(f.body)))


def _is_same(before: Module, module: Module) -> bool:
    """Whether a pass has left everything as it was: a third of all runs of passes."""
    old, new = before.functions, module.functions
    same_names = before.classes is module.classes and list(old) == list(new)
    return same_names and all(map(operator.is_, old.values(), new.values()))
