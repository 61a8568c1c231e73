"""The safetensors format: the library agrees with us, and hostile files are refused."""

import io
import json
from collections.abc import Mapping

import numpy as np
import pytest
import safetensors.numpy

from scriptc_runtime.errors import LoadError
from scriptc_runtime.ops.arrays import Array
from scriptc_runtime.saved.safetensors import read_tensors, write_tensors


def tensors(header: object, content: bytes = b"") -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + content


def tensor(dtype: str, shape: list[object], start: object, stop: object) -> dict[str, object]:
    return {"dtype": dtype, "shape": shape, "data_offsets": [start, stop]}


HOSTILE_WEIGHTS = {
    "nothing": b"",
    "a short size": b"\1",
    "a huge header": (2**62).to_bytes(8, "little"),
    "a header over the end": (100).to_bytes(8, "little") + b"{}",
    "no object": tensors([]),
    "an unknown dtype": tensors({"a": tensor("F128", [1], 0, 16)}, bytes(16)),
    "a size that does not fit": tensors({"a": tensor("F64", [2], 0, 8)}, bytes(8)),
    "a negative size": tensors({"a": tensor("F64", [-1, -1], 0, 8)}, bytes(8)),
    "a huge size": tensors({"a": tensor("F64", [2**60, 0], 0, 0)}),
    "an overflowing size": tensors({"a": tensor("F64", [2**32, 2**32], 0, 0)}),
    "a size of true": tensors({"a": tensor("F64", [True], 0, 8)}, bytes(8)),
    "many axes": tensors({"a": tensor("F64", [1] * 100, 0, 8)}, bytes(8)),
    "a hole": tensors({"a": tensor("F64", [1], 8, 16)}, bytes(16)),
    "an overlap": tensors({"a": tensor("F64", [1], 0, 8), "b": tensor("F64", [1], 0, 8)}, bytes(8)),
    "more data": tensors({"a": tensor("F64", [1], 0, 8)}, bytes(9)),
    "less data": tensors({"a": tensor("F64", [1], 0, 8)}, bytes(7)),
    "a place before the start": tensors({"a": tensor("F64", [1], -8, 0)}),
    "a backward place": tensors({"a": tensor("F64", [0], 8, 8)}),
    "three offsets": tensors(
        {"a": {**tensor("F64", [1], 0, 8), "data_offsets": [0, 4, 8]}}, bytes(8)
    ),
    "an unknown field": tensors({"a": {**tensor("F64", [1], 0, 8), "x": 1}}, bytes(8)),
    "a bool of two": tensors({"a": tensor("BOOL", [1], 0, 1)}, b"\2"),
    "a name twice": tensors(b'{"a":1,"a":1}'),
}


@pytest.mark.parametrize("name", HOSTILE_WEIGHTS)
def test_hostile_weights_are_refused(name: str) -> None:
    content = HOSTILE_WEIGHTS[name]
    with pytest.raises(LoadError):
        read_tensors(io.BytesIO(content), len(content))


ARRAYS: dict[str, Array] = {
    "bools": np.array([True, False]),
    "scalar": np.array(1.5),
    "empty": np.zeros((0, 3), np.int64),
    "floats": np.array([[0.5, -0.0], [np.nan, np.inf]], np.float32),
    "strided": np.arange(10)[::-2],
    "transposed": np.arange(6.0).reshape(2, 3).T,
    "bytes": np.arange(5, dtype=np.uint8),
    "half": np.array([1.5], np.float16),
    "é": np.array([2**63 - 1]),
}


def written() -> bytes:
    stream = io.BytesIO()
    write_tensors(stream, ARRAYS)
    return stream.getvalue()


def same(first: Mapping[str, Array], second: Mapping[str, Array]) -> bool:
    return first.keys() == second.keys() and all(
        a.dtype == second[n].dtype
        and a.shape == second[n].shape
        and a.tobytes() == second[n].tobytes()
        for n, a in first.items()
    )


def test_the_library_reads_what_we_write() -> None:
    assert same(ARRAYS, safetensors.numpy.load(written()))


def test_we_read_what_the_library_writes() -> None:
    contiguous = {name: np.ascontiguousarray(a).reshape(a.shape) for name, a in ARRAYS.items()}
    content = safetensors.numpy.save(contiguous, {"made": "by a test"})
    assert same(contiguous, read_tensors(io.BytesIO(content), len(content)))


def test_we_read_what_we_write_and_own_it() -> None:
    back = read_tensors(io.BytesIO(written()), len(written()))
    assert same(ARRAYS, back)
    back["floats"][0, 0] = 2.0


LACKING: list[Array] = [
    np.zeros(1, np.complex128),
    np.array([None]),
    np.array(["abc"]),
    np.zeros(1, ">f8"),
    np.zeros(1, "M8[s]"),
]


@pytest.mark.parametrize("array", LACKING, ids=lambda a: str(a.dtype))
def test_arrays_that_the_format_lacks_are_refused(array: Array) -> None:
    with pytest.raises(ValueError, match="cannot be saved"):
        write_tensors(io.BytesIO(), {"a": array})
