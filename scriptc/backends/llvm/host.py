"""The machine that code is compiled for, as LLVM describes it."""

from functools import cache

from scriptc.backends.llvm.llvm_c_api import library
from scriptc_runtime.record import record

# Without a fused multiply-add instruction llvm.fma is a library call, thirty times slower than
# calling libm for the whole function. x86 has it from "+fma" on; every 64-bit Arm has it.
_FMA_FEATURES = frozenset({"fma", "neon", "fp-armv8"})


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
    settings = {feature[1:]: feature[0] == "+" for feature in features.split(",") if feature}
    return any(settings.get(name, False) for name in _FMA_FEATURES)
