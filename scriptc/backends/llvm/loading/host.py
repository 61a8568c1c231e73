"""Name the processor for cache keys, without loading LLVM.

Machine code is compiled for the processor at hand, so a key of the cache must change with it. A
warm start imports no llvmlite, hence this second, cheaper way to tell processors apart.
"""

import platform
import sys

# What tells processor models apart. Left out is what changes from one moment or core to the next:
# frequency, core number, bogomips.
_FIELDS = frozenset(
    {
        "vendor_id",
        "cpu family",
        "model",
        "model name",
        "stepping",
        "flags",
        # The names aarch64 uses.
        "CPU implementer",
        "CPU architecture",
        "CPU variant",
        "CPU part",
        "Features",
    }
)


def host_fingerprint() -> str:
    """Return a text that differs where compiled code might: system, CPU model, features.

    It has a few thousand characters, to be hashed together with the rest of a key.
    """
    return "\n".join((sys.platform, platform.machine(), *_cpu_facts()))


def _cpu_facts() -> list[str]:
    if sys.platform != "linux":
        return [platform.processor(), platform.version()]
    facts: list[str] = []
    # Stops at the blank line after the first core: the kernel makes this text while it is read, and
    # on a machine of a hundred cores the whole of it takes milliseconds.
    with open("/proc/cpuinfo", encoding="utf-8", errors="replace", buffering=1024) as lines:
        for line in lines:
            if not line.strip():
                break
            name, _, value = line.partition(":")
            if name.strip() in _FIELDS:
                facts.append(f"{name.strip()}={value.strip()}")
    return facts
