"""Compiles LLVM IR text in tests, through the optimiser, to something that can be called."""

import ctypes
import platform
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import llvmlite.binding
import numpy as np
import numpy.typing as npt

from scriptc.backends.llvm.elementary import functions as llvm_math
from scriptc.backends.llvm.elementary.far import PART

llvm: Any = llvmlite.binding  # its functions have no types

LLVM_TYPES = {"f64": "double", "f32": "float"}
DTYPES: dict[str, type[np.float64] | type[np.float32]] = {"f64": np.float64, "f32": np.float32}
Array = npt.NDArray[np.floating]


X86 = platform.machine().lower() in ("x86_64", "amd64")


def host_features() -> str:
    return llvm.get_host_cpu_features().flatten()


@dataclass(frozen=True, slots=True)
class Compiled:
    """Machine code of a module; `engine` keeps it alive."""

    engine: object
    optimised: str
    address: int


def compile_text(text: str, entry: str, cpu: str = "") -> Compiled:
    """Optimise at O2 for this machine, or a plainer one, and return the address of `entry`."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = llvm.parse_assembly(text)
    target = llvm.Target.from_triple(llvm.get_process_triple())
    machine = target.create_target_machine(
        cpu=cpu or llvm.get_host_cpu_name(),
        features="" if cpu else host_features(),
        opt=2,
        jit=True,
    )
    module.triple = machine.triple
    module.data_layout = str(machine.target_data)
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=2)
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    optimised = str(module)
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    return Compiled(engine, optimised, engine.get_function_address(entry))


def declared(declarations: Iterable[str]) -> str:
    """Return declarations but for those of what `apart_text` defines."""
    return "\n".join(sorted(d for d in declarations if f"_{PART}" not in d))


def apart_text(declarations: Iterable[str]) -> str:
    """Return the parts of the support code that are among declarations, without what they share."""
    found = re.findall(rf"@[\w.]+_({PART}\w+)\(", "\n".join(sorted(declarations)))
    texts = "\n".join(llvm_math.text_apart(part) for part in found)
    lines = texts.split("\n")
    shared = {line for line in lines if line.startswith("declare") or " constant " in line}
    return "\n".join((*sorted(shared - set(declarations)), *(v for v in lines if v not in shared)))


def map_text(names: Iterable[str], type_: str) -> str:
    """Return a module with one function: out[i] = f(g(...(x[i]))) for the named functions."""
    names = list(names)
    text = llvm_math.functions((name, type_) for name in names)
    t = LLVM_TYPES[type_]
    calls = "\n".join(
        f"  %y{k + 1} = call {t} {llvm_math.symbol(name, type_)}({t} %y{k})"
        for k, name in enumerate(names)
    )
    return f"""
{declared(text.declarations)}
{text.definitions}
{apart_text(text.declarations)}
define void @map(ptr noalias %out, ptr noalias readonly %x, i64 %n) {{
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %exit
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr inbounds {t}, ptr %x, i64 %i
  %y0 = load {t}, ptr %from
{calls}
  %to = getelementptr inbounds {t}, ptr %out, i64 %i
  store {t} %y{len(names)}, ptr %to
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %exit, label %loop
exit:
  ret void
}}
"""


@dataclass(frozen=True, slots=True)
class ArrayMap:
    """A compiled `map_text`, called on NumPy arrays."""

    compiled: Compiled

    def __call__(self, x: Array) -> Array:
        x = np.ascontiguousarray(x)
        out = np.empty_like(x)
        signature = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)
        signature(self.compiled.address)(out.ctypes.data, x.ctypes.data, x.size)
        return out


def map_of_two_text(name: str, type_: str) -> str:
    """Return a module with one function: out[i] = f(x[i], y[i])."""
    text = llvm_math.functions([(name, type_)])
    t = LLVM_TYPES[type_]
    return f"""
{declared(text.declarations)}
{text.definitions}
{apart_text(text.declarations)}
define void @map(ptr noalias %out, ptr noalias readonly %x, ptr noalias readonly %y, i64 %n) {{
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %exit
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr inbounds {t}, ptr %x, i64 %i
  %other = getelementptr inbounds {t}, ptr %y, i64 %i
  %first = load {t}, ptr %from
  %second = load {t}, ptr %other
  %value = call {t} {llvm_math.symbol(name, type_)}({t} %first, {t} %second)
  %to = getelementptr inbounds {t}, ptr %out, i64 %i
  store {t} %value, ptr %to
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %exit, label %loop
exit:
  ret void
}}
"""


@dataclass(frozen=True, slots=True)
class ArrayMapOfTwo:
    """A compiled `map_of_two_text`, called on NumPy arrays."""

    compiled: Compiled

    def __call__(self, x: Array, y: Array) -> Array:
        x, y = np.ascontiguousarray(x), np.ascontiguousarray(y)
        out = np.empty_like(x)
        pointers = [ctypes.c_void_p] * 3
        signature = ctypes.CFUNCTYPE(None, *pointers, ctypes.c_int64)
        address = self.compiled.address
        signature(address)(out.ctypes.data, x.ctypes.data, y.ctypes.data, x.size)
        return out


def compile_map_of_two(name: str, type_: str) -> ArrayMapOfTwo:
    return ArrayMapOfTwo(compile_text(map_of_two_text(name, type_), "map"))


def compile_map(name: str, type_: str) -> ArrayMap:
    return ArrayMap(compile_text(map_text([name], type_), "map"))
