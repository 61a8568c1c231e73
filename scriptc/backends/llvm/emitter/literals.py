"""Constants in LLVM IR: floats to the bit, zeros of every type, texts."""

import math
import struct
from collections.abc import Mapping

import numpy as np

from scriptc.backends.llvm.emitter.function import Emitter
from scriptc.backends.llvm.loading import abi
from scriptc_runtime.types import FLOAT, DType, Type


def float_constant(value: float, type_: Type = FLOAT) -> str:
    """Return a float as LLVM takes it, to the bit: the bits of a double, for f32 as well."""
    if type_ is DType.F16:
        return f"0xH{int(np.float16(value).view(np.uint16)):04X}"
    if type_ is DType.F32 and math.isfinite(value):
        with np.errstate(over="ignore"):
            value = float(np.float32(value))  # an infinity beyond its range
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


_ZEROS: Mapping[str, str] = {
    "ptr": "null",
    "i1": "false",
    "double": "0.0",
    "float": "0.0",
    "half": "0.0",
}


def zeros(type_: Type) -> tuple[str, ...]:
    """Return components that are all zero."""
    return tuple(_ZEROS.get(part, "0") for part in abi.flatten(type_))


def text_constant(e: Emitter, text: str) -> str:
    """Return a text that lives as long as the process."""
    place = e.state.texts.setdefault(text, len(e.state.texts))
    at = e.let(f"getelementptr ptr, ptr @sc_texts, i64 {place}")
    return e.let(f"load ptr, ptr {at}, !invariant.load !2")


def string_constant(e: Emitter, text: str) -> str:
    """Return a str of Python's, of the table of constants; it is borrowed."""
    place = e.state.strings.setdefault(text, len(e.state.strings))
    at = e.let(f"getelementptr ptr, ptr @sc_constants, i64 {place}")
    return e.let(f"load ptr, ptr {at}, !invariant.load !2")
