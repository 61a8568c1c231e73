"""The machine that code is compiled for, as LLVM describes it."""

from functools import cache

from scriptc.backends.llvm.llvm_c_api import library
from scriptc_runtime.record import record

# Without a fused multiply-add instruction llvm.fma is a library call, thirty times slower than
# calling libm for the whole function. x86 has it from "+fma" on; every 64-bit Arm has it.
_FMA_FEATURES = frozenset({"fma", "neon", "fp-armv8"})
_MASK_FEATURES = frozenset({"avx512vl", "sve"})


@record
class Host:
    """The machine that code is compiled for, in LLVM's words."""

    triple: str
    cpu: str
    features: str
    llvm_version: str


@cache
def host() -> Host:
    """Return the machine this process runs on."""
    llvm = library()
    triple = llvm.text("GetDefaultTargetTriple")
    # Mach-O and COFF objects would need two more readers in `elfload`; LLVM's linker takes ELF on
    # every system when the triple asks for it.
    if "linux" not in triple:
        triple += "-elf"
    version = llvm.call("GetVersionInfo").to_bytes(4)
    # In an order that does not change from process to process.
    features = sorted(filter(None, llvm.text("GetHostCPUFeatures").split(",")), key=_name)
    return Host(
        triple=triple,
        cpu=llvm.text("GetHostCPUName"),
        features=",".join(features),
        llvm_version=".".join(str(part) for part in version.lstrip(bytes(1))),
    )


def _name(feature: str) -> str:
    return feature[1:]  # behind "+" or "-"


def has_fused_multiply_add(features: str) -> bool:
    """Say whether a target with these features ("+fma,-avx512f,...") has that instruction.

    Elementary functions of our own need it; without it they are libm's.
    """
    return not _FMA_FEATURES.isdisjoint(_present(features))


def has_mask_registers(features: str) -> bool:
    """Say whether a target stores some lanes of a vector alone as fast as all of them.

    With AVX2 alone that takes AMD's processors several times as long, and LLVM makes a branch for
    each lane of elements of less than four bytes.
    """
    return not _MASK_FEATURES.isdisjoint(_present(features))


def _present(features: str) -> frozenset[str]:
    """Return the features that are there: the last word on one counts."""
    settings = {feature[1:]: feature[0] == "+" for feature in features.split(",") if feature}
    return frozenset(name for name, present in settings.items() if present)
