"""Compiling without one pass, to tell what it changes of a result: nothing."""

import os
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from unittest.mock import patch

from scriptc import driver
from scriptc.options import Options
from scriptc.pass_manager import run_passes
from scriptc.passes.pipeline import Pass
from scriptc_runtime.ir import Module
from scriptc_runtime.ops.opdef import Level
from tests.support.pipelines import PASSES

# Without these there is no machine code, or nothing is given back.
_NEEDED = {
    *("decompose", "reach_library", "fuse", "fuse_into_nests", "lower_prange"),
    *("open_checked_reads", "ownership"),
}
OPTIONAL = sorted(PASSES.keys() - _NEEDED)


@contextmanager
def without(name: str) -> Generator[None]:
    """Leave a pass out of what is scripted and called inside; the cache has no part in it."""

    def others(
        passes: Sequence[Pass],
        module: Module,
        level: Level,
        options: Options,
        check: Callable[[Module], None] | None = None,
        then: Callable[[Module], Sequence[Pass]] | None = None,
        verified_later: bool = False,
    ) -> Module:
        def kept(steps: Sequence[Pass]) -> Sequence[Pass]:
            return [step for step in steps if step.__name__ != name]

        def rest(made: Module) -> Sequence[Pass]:
            return kept(then(made)) if then else ()

        return run_passes(
            kept(passes), module, level, options, check, then=rest, verified_later=verified_later
        )

    no_cache = patch.dict(os.environ, {"SCRIPTC_CACHE_DIR": os.devnull})
    with patch.object(driver, "run_passes", others), no_cache:
        yield
