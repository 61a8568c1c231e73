"""LLVM's functions as llvmlite's shared library exports them, without llvmlite's own modules.

Those take 20 ms to import, three quarters of it for what is not used here. The prototypes below are
those of llvmlite 0.50. With any other version llvmlite is imported whole, and what it says of these
functions is compared with the table: a call with other arguments would end the process.
"""

import ctypes
import os
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

_KNOWN = "0.50."
_PREFIX = "LLVMPY_"

_TEXT = ctypes.c_char_p
_OBJECT = ctypes.c_void_p  # llvmlite has a class for each kind of pointer
_OUT = ctypes.POINTER(_TEXT)  # receives a text that `DisposeString` frees
_INT, _BOOL, _SIZE = ctypes.c_int, ctypes.c_bool, ctypes.c_size_t

# What is asked of LLVM beyond its pipeline.
_SETTINGS = (
    # On x86 its vectoriser leaves a sum of floats alone, as the sum itself has to stay in order;
    # but what is summed, an exp or a power, may take far longer.
    b"-force-ordered-reductions",
    # Iterations that are left over by an unrolled loop come last. In front of it they would have
    # the same element of a row met by another copy of the body each time, and no branch that
    # depends on data be guessed by how it went for the row before.
    b"-unroll-runtime-epilog",
    # Scheduling after registers are allocated takes 7 % of all that LLVM does, and processors that
    # have vectors of these widths reorder instructions themselves: of twenty kernels one is slower
    # without, by a twentieth.
    b"-post-RA-scheduler=false",
)

# The result of each function and its arguments. ctypes takes an int where nothing is returned, and
# llvmlite leaves it at that.
PROTOTYPES: Mapping[str, tuple[type, Sequence[type]]] = {
    "GetVersionInfo": (ctypes.c_uint, ()),
    "DisposeString": (_INT, (_TEXT,)),
    "SetCommandLine": (_INT, (_TEXT, _TEXT)),
    # The machine.
    "GetDefaultTargetTriple": (_INT, (_OUT,)),
    "GetHostCPUName": (_INT, (_OUT,)),
    "GetHostCPUFeatures": (_INT, (_OUT,)),
    "GetTargetFromTriple": (_OBJECT, (_TEXT, _OUT)),
    "CreateTargetMachine": (
        _OBJECT,
        # Target, triple, CPU, features, level, relocations, code model, print, JIT, ABI.
        (_OBJECT, _TEXT, _TEXT, _TEXT, _INT, _TEXT, _TEXT, _INT, _INT, _TEXT),
    ),
    "DisposeTargetMachine": (_INT, (_OBJECT,)),
    "CreateTargetMachineData": (_OBJECT, (_OBJECT,)),
    "CopyStringRepOfTargetData": (_INT, (_OBJECT, _OUT)),
    "DisposeTargetData": (_INT, (_OBJECT,)),
    # Modules.
    "ContextCreate": (_OBJECT, ()),
    "ContextDispose": (_INT, (_OBJECT,)),
    "ParseAssembly": (_OBJECT, (_OBJECT, _TEXT, _OUT)),
    "VerifyModule": (_BOOL, (_OBJECT, _OUT)),
    "SetTarget": (_INT, (_OBJECT, _TEXT)),
    "SetDataLayout": (_INT, (_OBJECT, _TEXT)),
    "PrintModuleToString": (_INT, (_OBJECT, _OUT)),
    "DisposeModule": (_INT, (_OBJECT,)),
    # Passes.
    "CreatePipelineTuningOptions": (_OBJECT, ()),
    "PTOSetLoopVectorization": (_INT, (_OBJECT, _BOOL)),
    "PTOSetSLPVectorization": (_INT, (_OBJECT, _BOOL)),
    "PTOSetLoopUnrolling": (_INT, (_OBJECT, _BOOL)),
    "PTOSetLoopInterleaving": (_INT, (_OBJECT, _BOOL)),
    "DisposePipelineTuningOptions": (_INT, (_OBJECT,)),
    "CreatePassBuilder": (_OBJECT, (_OBJECT, _OBJECT)),
    "DisposePassBuilder": (_INT, (_OBJECT,)),
    "buildPerModuleDefaultPipeline": (_OBJECT, (_OBJECT, _INT)),
    "CreateNewModulePassManager": (_OBJECT, ()),
    "module_AddAlwaysInlinerPass": (_INT, (_OBJECT,)),
    "module_AddSimplifyCFGPass": (_INT, (_OBJECT,)),
    "module_AddInstCombinePass": (_INT, (_OBJECT,)),
    "RunNewModulePassManager": (_INT, (_OBJECT, _OBJECT, _OBJECT)),
    "DisposeNewModulePassManger": (_INT, (_OBJECT,)),  # so it is spelt there
    # Machine code.
    "TargetMachineEmitToMemory": (_OBJECT, (_OBJECT, _OBJECT, _INT, _OUT)),
    "GetBufferStart": (_OBJECT, (_OBJECT,)),
    "GetBufferSize": (_SIZE, (_OBJECT,)),
    "DisposeMemoryBuffer": (_INT, (_OBJECT,)),
}
# What reads, changes or writes a whole module.
_LONG = frozenset({"ParseAssembly", "RunNewModulePassManager", "TargetMachineEmitToMemory"})


class Library:
    """LLVM: `call` any function of `PROTOTYPES`; other threads of Python run beside the long ones.

    LLVM asks of threads that each works in a context and with a target machine of its own.
    """

    def __init__(self, path: str) -> None:
        # Functions of our own, whose prototypes nobody else sets. Who hands over the GIL may wait
        # for it for milliseconds: as long as thirty short calls take together.
        holding, releasing = ctypes.PyDLL(path), ctypes.CDLL(path)
        self._functions = {
            name: getattr(releasing if name in _LONG else holding, _PREFIX + name)
            for name in PROTOTYPES
        }
        for name, (result, arguments) in PROTOTYPES.items():
            self._functions[name].restype = result
            self._functions[name].argtypes = arguments

    # An address, a number or nothing: each call knows what comes.
    def call(self, name: str, *arguments: object) -> Any:
        """Call a function of LLVM."""
        return self._functions[name](*arguments)

    def text(self, name: str, *arguments: object) -> str:
        """Call a function that hands over a text behind its arguments."""
        return self.result_and_text(name, *arguments)[1]

    def result_and_text(self, name: str, *arguments: object) -> tuple[Any, str]:
        """Call such a function where the result counts as well."""
        out = _TEXT()
        result = self.call(name, *arguments, ctypes.byref(out))
        text = (out.value or b"").decode()
        if out:
            self.call("DisposeString", out)
        return result, text


@cache
def library() -> Library:
    """Load LLVM, ready for this machine; it takes 170 MB of addresses and 6 ms."""
    # Inside a function: a process that finds all its code in the cache needs no LLVM.
    import llvmlite
    from llvmlite.utils import get_library_name

    path = os.path.join(os.path.dirname(llvmlite.__file__), "binding", get_library_name())
    version: str = llvmlite.__version__
    if not version.startswith(_KNOWN) or not os.path.exists(path):
        path = compared_library(version)
    _initialise(path, settable=version.startswith(_KNOWN))
    return Library(path)


def _initialise(path: str, *, settable: bool) -> None:
    parts = [f"{_PREFIX}InitializeNative{name}" for name in ("Target", "AsmPrinter", "AsmParser")]
    # LLVM's tables of targets and settings take no two threads: these calls keep the GIL. Who else
    # may be about to fill them has imported llvmlite first, and calls under its lock.
    imported = "llvmlite.binding" in sys.modules
    functions = binding().ffi.lib if imported else ctypes.PyDLL(path)
    for name in parts:
        getattr(functions, name)()
    if settable:
        # LLVM ends the process over a setting that it does not know.
        for setting in _SETTINGS:
            getattr(functions, f"{_PREFIX}SetCommandLine")(b"scriptc", setting)


# llvmlite has no type information.
def binding() -> Any:
    """Return llvmlite's own module of LLVM's functions."""
    # Inside a function: few machines need it, see above.
    import llvmlite.binding

    return llvmlite.binding


def compared_library(version: str) -> str:
    """Return the path of the library of another llvmlite.

    Raises ImportError if it takes functions otherwise than `PROTOTYPES` says.
    """
    theirs = binding().ffi.lib
    for name, (result, arguments) in PROTOTYPES.items():
        found = getattr(theirs, _PREFIX + name, None)
        if found is None or not _agrees(found, result, arguments):
            raise ImportError(
                f"llvmlite {version} has {_PREFIX}{name} not as scriptc calls it; "
                f"install llvmlite {_KNOWN}*"
            )
    return str(theirs._name)  # there for those who take it for a ctypes.CDLL


def _agrees(found: Any, result: type, arguments: Sequence[type]) -> bool:
    declared = () if found.argtypes is None else found.argtypes
    # llvmlite declares no arguments of `DisposeString`.
    same_arguments = found.argtypes is None or list(map(_plain, declared)) == list(arguments)
    return same_arguments and _plain(found.restype) == result


def _plain(declared: Any) -> Any:
    """Return the type that stands in `PROTOTYPES` for one that llvmlite declares."""
    opaque = isinstance(declared, type) and hasattr(declared, "contents")
    return _OBJECT if opaque and declared is not _OUT else declared
