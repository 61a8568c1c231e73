"""The passes that make kernels for a device of optimised core IR, in their order.

Library ops have bodies that share the work of more threads than a processor has.  What masks pick
is opened behind the folds of it, which become folds of all.
"""

from collections.abc import Callable, Mapping, Sequence

from scriptc.backends.cuda.pipeline import TO_KERNELS, TO_LOOPS
from scriptc.driver import OPENED
from scriptc.kernels.device.plain_messages import plain_messages
from scriptc.kernels.device.share_updates import share_updates
from scriptc.kernels.device.split_tuples import split_tuples
from scriptc.kernels.fusion.indexing.masked_stores import mask_stores
from scriptc.kernels.fusion.reductions.masked import reduce_masked
from scriptc.kernels.scalar_replacement import scalar_replacement
from scriptc.passes import decompose
from scriptc.passes.inline import inline, inline_for_kernels
from scriptc.passes.pipeline import CLEAN, Pass
from scriptc.passes.reach import reach_library
from scriptc.standard_library import StandardLibrary
from scriptc_runtime.ir import Module
from scriptc_runtime.ops import picking
from scriptc_runtime.ops.opdef import OpDef

# Picking by masks and writing to places, too, and what that needs.
PICKING: Mapping[OpDef, str] = {
    **decompose.OPENED,
    **dict.fromkeys((picking.COMPRESS, picking.PUT_AT), "picking"),
}

UPDATES: Mapping[OpDef, str] = {**decompose.OPENED, picking.COMBINE: "picking"}


def decompose_for_device(opened: Mapping[OpDef, str], tag: str) -> Callable[[Module], Module]:
    """Return the pass that opens library ops with the bodies that a device has for them.

    `tag` is in the names of functions, which other runs of the pass must not make.
    Cases: tests/cases/device/decompose_for_device.
    """

    def run(module: Module) -> Module:
        return decompose.decompose(module, StandardLibrary(tag), opened, on_device=True)

    run.__name__ = decompose_for_device.__name__
    return run


def open_updates(module: Module) -> Module:
    """Return `module` with the bodies of what `share_updates` needs, with loops as all others.

    Needs: low IR; other library ops are opened.
    Gives: the same without `combine`.
    Does not: look at functions that are there already.
    Cases: tests/cases/device/open_updates.
    """
    opened = decompose.decompose(module, StandardLibrary("updates"), UPDATES, on_device=True)
    new = {n: f for n, f in opened.functions.items() if n not in module.functions}
    if not new:
        return module
    bodies = opened.with_functions(new)
    for step in (inline, scalar_replacement, *CLEAN, *TO_LOOPS):
        bodies = step(bodies)
    return reach_library(opened.with_functions({**opened.functions, **bodies.functions}))


FOR_DEVICE: Sequence[Pass] = (
    *(plain_messages, inline_for_kernels, split_tuples, *CLEAN),
    *(decompose_for_device(decompose.OPENED, ""), *OPENED, mask_stores, reduce_masked),
    *(decompose_for_device(PICKING, "picking"), *OPENED, *TO_LOOPS),
    *(share_updates, open_updates, *TO_KERNELS),
)
