"""What kernels of a device may fail with: the table of it, and that it comes first.

A kernel notes the number of a site.  Host code raises what the table has for it, when it asks.
"""

from scriptc.backends.llvm.emitter.function import Emitter, ModuleState

FAILURES = "sc_failures"


def failures(state: ModuleState) -> str:
    """Return the table: of each site, the number of a kind of exception, and that of a place."""
    rows = [state.failures.get(site, (0, 0)) for site in range(max(state.failures, default=0) + 1)]
    numbers = ", ".join(f"i32 {number}" for row in rows for number in row)
    return f"@{FAILURES} = global [{2 * len(rows)} x i32] [{numbers}]"


def raise_first(e: Emitter) -> None:
    """Have what a kernel has failed with take the place of an exception of host code."""
    kernels = (e.state.device or {}).values()
    if next((kernel.guarded for kernel in kernels), False):  # all of them are, or none
        e.state.routines.add("device_raise_first")
        e.write(f"call void @sc.device_raise_first(ptr %ctx, ptr @{FAILURES})")
