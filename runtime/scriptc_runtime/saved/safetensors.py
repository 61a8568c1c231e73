"""Arrays in the safetensors format: a JSON header of names, dtypes, shapes and places, then data.

8 bytes: size of the header | header | data, without holes
"""

import json
import math
from collections.abc import Mapping
from typing import BinaryIO, Protocol

import numpy as np

from scriptc_runtime.ops.arrays import Array
from scriptc_runtime.saved.strict_json import Record, read_json, refuse
from scriptc_runtime.type_limits import MAX_RANK
from scriptc_runtime.types import FROM_NUMPY, DType

MAX_HEADER = 2**24
MAX_TENSORS = 100_000
_METADATA = "__metadata__"
_WHERE = "weights"
# The format has no complex numbers of 128 bits.
_NAMES: Mapping[DType, str] = {
    **{d: d.value.upper() for d in DType if d not in (DType.B1, DType.C128)},
    DType.B1: "BOOL",
}
_DTYPES: Mapping[str, DType] = {name: dtype for dtype, name in _NAMES.items()}


def write_tensors(stream: BinaryIO, tensors: Mapping[str, Array]) -> None:
    """Write `tensors`, ordered by name.  Raises ValueError for a dtype the format lacks."""
    header: dict[str, object] = {}
    position = 0
    for name, array in sorted(tensors.items()):
        dtype = FROM_NUMPY.get(array.dtype)
        if dtype is None or dtype not in _NAMES or name == _METADATA:
            raise ValueError(f"{name}: an array of {array.dtype} cannot be saved")
        offsets = [position, position + array.nbytes]
        header[name] = {
            "dtype": _NAMES[dtype],
            "shape": list(array.shape),
            "data_offsets": offsets,
        }
        position += array.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    stream.write(len(text).to_bytes(8, "little") + text)
    for _, array in sorted(tensors.items()):
        stream.write(np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<")).tobytes())


class Bytes(Protocol):
    """What is read from its start to its end."""

    def read(self, size: int, /) -> bytes:
        """Return the next bytes, fewer than `size` only at the end."""
        ...


def read_tensors(stream: Bytes, size: int) -> dict[str, Array]:
    """Return the arrays in `stream`, which is `size` bytes long.  Raises LoadError."""
    if size < 8:
        refuse(_WHERE, "shorter than its own header")
    length = int.from_bytes(_exactly(stream, 8), "little")
    if length > min(MAX_HEADER, size - 8):
        refuse(_WHERE, f"a header of {length} bytes")
    header = read_json(_exactly(stream, length), _WHERE)
    return _data(stream, header, size - 8 - length)


def _data(stream: Bytes, header: Record, size: int) -> dict[str, Array]:
    names = [name for name in header if name != _METADATA]
    if len(names) > MAX_TENSORS:
        refuse(_WHERE, f"more than {MAX_TENSORS} arrays")
    places = sorted((_place(header.record(name)), name) for name in names)
    end = 0
    for (start, stop, _, _), name in places:
        # Neither holes nor overlaps: every byte of the file is used once.
        if start != end:
            refuse(_WHERE, f"{name!r} starts at {start}, not at {end}")
        end = stop
    if end != size:
        refuse(_WHERE, f"{size} bytes of data, {end} of them used")
    return {
        name: _array(stream, stop - start, _DTYPES[dtype], shape)
        for (start, stop, shape, dtype), name in places
    }


def _place(record: Record) -> tuple[int, int, tuple[int, ...], str]:
    record.only("dtype", "shape", "data_offsets")
    dtype, shape = record.string("dtype"), tuple(record.integers("shape"))
    offsets = record.integers("data_offsets")
    if dtype not in _DTYPES:
        refuse(record.where, f"no arrays of {dtype[:20]} in a saved module")
    if len(shape) > MAX_RANK or any(n < 0 for n in shape):
        refuse(record.where, "an impossible shape")
    if len(offsets) != 2 or offsets[0] < 0:
        refuse(record.where, "an impossible place")
    start, stop = offsets
    if math.prod(shape) * _DTYPES[dtype].itemsize != stop - start:
        refuse(record.where, f"{stop - start} bytes do not hold its shape")
    # NumPy multiplies the sizes of an empty array too.
    if math.prod(max(n, 1) for n in shape) > 2**40:
        refuse(record.where, "an impossible shape")
    return start, stop, shape, dtype


def _array(stream: Bytes, size: int, dtype: DType, shape: tuple[int, ...]) -> Array:
    data = _exactly(stream, size)
    if dtype is DType.B1 and data.strip(b"\0\1"):
        refuse(_WHERE, "a bool that is neither 0 nor 1")
    little = np.frombuffer(data, dtype.numpy.newbyteorder("<"))
    # A copy in this machine's byte order: the module may write to its state.
    return little.astype(dtype.numpy).reshape(shape)


def _exactly(stream: Bytes, size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        refuse(_WHERE, "the file ends early")
    return data
