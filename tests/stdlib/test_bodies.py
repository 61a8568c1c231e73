"""Bodies of library ops do what NumPy does, under CPython and compiled, on every sample."""

import importlib.util
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import cast

import numpy as np
import pytest

from scriptc.device_pipeline import PICKING
from scriptc.driver import to_low
from scriptc.options import Options
from scriptc.passes.decompose import OPENED, BodyRequest, decompose
from scriptc_runtime.dims import UNKNOWN
from scriptc_runtime.ir import Function, Instr, Label, Module, Value
from scriptc_runtime.ops import reductions
from scriptc_runtime.ops.arrays import Array
from scriptc_runtime.ops.signature import result_types
from scriptc_runtime.text.attributes import attr_text
from scriptc_runtime.types import NONE, DType, ListType, TensorType, Type, element_of
from scriptc_runtime.values import EXCEPTIONS
from tests.support.ir_programs import Body, module_of
from tests.support.llvm_calls import natives
from tests.support.op_samples import samples_of
from tests.support.outcomes import freeze
from tests.support.sample_operands import Sample

WIDE_INT = "integer result does not fit in 64 bits"
STDLIB = Path(__file__).parents[2] / "stdlib"
NAMES = sorted(op.name for op in OPENED)
# Those whose body for a device is another one.
NAMES_ON_DEVICE = (
    *("argmax", "argmin", "argsort", "compress", "places", "put_at", "scan", "sort", "tally"),
)
# Bodies never see half precision, which is computed in single precision.
HALF = DType.F16


def of_op(name: str) -> Sequence[Sample]:
    found = samples_of(name)
    assert found, f"tests/support/op_samples.py has no sample of {name}"
    return found


@cache
def stdlib(file: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"stdlib_{file}", STDLIB / f"{file}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Asked:
    """A library that remembers which body it was asked for."""

    def __init__(self) -> None:
        self.requests: list[BodyRequest] = []

    def body(self, request: BodyRequest) -> tuple[str, Mapping[str, Function]]:
        self.requests.append(request)
        return request.function, {}


def function_of(sample: Sample, name: str = "f", *, vague: bool = False) -> Function:
    """A function of one instruction; a vague one takes arrays of any size."""
    types = [_unsized(t) if vague else t for t in sample.types]
    params = tuple(Value(t, f"p{i}") for i, t in enumerate(types))
    results = tuple(map(Value, result_types(sample.op, types, sample.attrs)))
    body, label = Body(), Label()
    body.open()
    body.append(Instr(sample.op, params, sample.attrs, results))
    body.exit(label, *(results or (body.none(),)))
    return Function(name, params, results[0].type if results else NONE, body.close(), label)


def _unsized(type_: Type) -> Type:
    match type_:
        case TensorType(dtype, dims):
            return TensorType(dtype, (UNKNOWN,) * len(dims))
        case ListType(item):
            return ListType(_unsized(item))
        case _:
            return type_


def meaning(sample: Sample) -> tuple[object, ...]:
    assert sample.op.evaluate is not None
    evaluate = sample.op.evaluate
    return ended(lambda *given: evaluate(*given, **sample.attrs), sample)


def ended(call: Callable[..., object], sample: Sample) -> tuple[object, ...]:
    """What a call gives or raises, then what it leaves in its operands."""
    operands = sample.operands()
    with np.errstate(all="ignore"):
        try:
            result: tuple[object, ...] = ("returned", call(*operands))
        except tuple(EXCEPTIONS.values()) as error:
            result = ("raised", type(error).__name__, str(error))
    return (*result, *map(freeze, operands))


def agree(found: tuple[object, ...], expected: tuple[object, ...], sample: Sample) -> None:
    where = f"{sample.op.name} of {sample.operands()} with {dict(sample.attrs)}"
    assert found[0] == expected[0], where
    if found[0] == "raised" or not isinstance(expected[1], np.ndarray | np.generic):
        assert list(map(freeze, found)) == list(map(freeze, expected)), where
        return
    assert found[2:] == expected[2:], where
    one, other = cast(Array, found[1]), cast(Array, expected[1])
    assert (type(one), one.dtype, one.shape) == (type(other), other.dtype, other.shape), where
    # The order of a sum is open: its last bits are, and what is left where large items cancel.
    rounded = {"float16": 1e-3, "float32": 1e-6, "complex64": 1e-6}.get(str(other.dtype), 1e-13)
    cancels = sample.op is reductions.MEAN and element_of(sample.types[0]) is DType.I64
    whole = float(2**63) if cancels else 0.0
    np.testing.assert_allclose(one, other, rtol=rounded, atol=rounded * whole, err_msg=where)


@pytest.mark.filterwarnings("ignore:Mean of empty slice")
@pytest.mark.parametrize(
    ("name", "on_device"),
    [*((name, False) for name in NAMES), *((name, True) for name in NAMES_ON_DEVICE)],
)
def test_a_body_means_under_cpython_what_its_op_means(
    name: str, on_device: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for sample in of_op(name):
        if any(element_of(t) is HALF for t in sample.types):
            continue
        expected = meaning(sample)
        if expected[0] == "raised" and expected[2] == WIDE_INT:
            continue  # Python's ints have no end
        asked = Asked()
        opened = PICKING if on_device else OPENED
        decompose(module_of(function_of(sample)), asked, opened, on_device=on_device)
        if not asked.requests:
            assert name == "put_at"  # of rows there is no body
            continue
        (request,) = asked.requests
        module = stdlib(request.file)
        for constant, value in request.constants:
            monkeypatch.setattr(module, constant, value)
        body = cast(Callable[..., object], vars(module)[request.function])
        agree(ended(body, sample), meaning(sample), sample)


def kinds(name: str) -> Iterator[tuple[Function, list[Sample]]]:
    """A function for each kind of operands and attributes, and the samples it takes."""
    groups: dict[tuple[str, ...], list[Sample]] = {}
    for sample in of_op(name):
        attrs = [f"{key}={attr_text(value)}" for key, value in sample.attrs.items()]
        key = (*(str(_unsized(t)) for t in sample.types), *attrs)
        groups.setdefault(key, []).append(sample)
    for number, group in enumerate(groups.values()):
        yield function_of(group[0], f"{name}_{number}", vague=True), group


@pytest.mark.parametrize("name", NAMES)
def test_a_compiled_body_means_what_its_op_means(name: str, thorough: bool) -> None:
    found = list(kinds(name))
    # A body takes a tenth of a second to compile; 7 has no factor in common with what repeats.
    found = found[::7] if len(found) > 20 else found
    found = found if thorough else found[:: (len(found) + 1) // 2]
    low = to_low(Module({f.name: f for f, _ in found}), Options())
    compiled = natives(list(low.functions.values()), writes=("p0",))
    for function, group in found:
        for sample in group:
            agree(ended(compiled[function.name], sample), meaning(sample), sample)
