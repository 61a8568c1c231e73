"""Every op is what its record says: its type rule, its effects, its place in the text."""

import io
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Any, cast

import numpy as np
import pytest

from scriptc_runtime.dims import UNKNOWN
from scriptc_runtime.errors import LoadError
from scriptc_runtime.held_values import HeldValue
from scriptc_runtime.ir import Function, Instr, Label, Value
from scriptc_runtime.ops import OPS
from scriptc_runtime.ops.arrays import Array
from scriptc_runtime.ops.opdef import Level, OpDef, OpTypeError, Trait
from scriptc_runtime.ops.signature import result_types
from scriptc_runtime.text.reader import read_module
from scriptc_runtime.text.writer import write_module
from scriptc_runtime.types import (
    EXCEPTION,
    EXCEPTION_ARGS,
    EXCEPTION_CLASS,
    HELD,
    NONE,
    TRACEBACK,
    CellType,
    ClassType,
    DequeType,
    DictType,
    DType,
    ListType,
    NamedType,
    OptionalType,
    PyType,
    SetType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    assignable,
    is_counted,
)
from scriptc_runtime.values import INT_MAX, INT_MIN, Cell, Instance
from tests.support.ir_programs import Body, module_of
from tests.support.op_samples import samples_of
from tests.support.sample_operands import Sample

# They have blocks, or end one, and the interpreter itself runs them.
WITHOUT_SAMPLES = {op.name for op in OPS.values() if op.evaluate is None}


def test_ops_without_meaning_are_those_of_control() -> None:
    traits = Trait.REGION | Trait.TERMINATOR
    others = {n for n in WITHOUT_SAMPLES if not OPS[n].traits & traits}
    assert others == {"call", "launch"}


def test_names_are_distinct_and_documented() -> None:
    assert Counter(op.name for op in OPS.values()).most_common(1)[0][1] == 1
    for op in OPS.values():
        assert op.doc.endswith(".")
        assert op.doc[0].isupper() or op.doc.startswith(("`", "a ", "start", "e "))
        assert op.blocks == 0 or Trait.REGION in op.traits
        assert sum(name.startswith("*") for name in op.operands[:-1]) == 0


def evaluate(sample: Sample, operands: list[object]) -> object:
    assert sample.op.evaluate is not None
    with np.errstate(all="ignore"), redirect_stdout(io.StringIO()):
        return sample.op.evaluate(*operands, **sample.attrs)


def has_type(value: object, type_: Type) -> bool:  # noqa: C901 -- one arm for each kind of type
    match type_:
        case PyType.INT:
            return type(value) is int and INT_MIN <= value <= INT_MAX
        case PyType.NONE:
            return value is None
        case PyType():
            names = {
                PyType.FLOAT: float,
                PyType.BOOL: bool,
                PyType.STR: str,
                PyType.BYTES: bytes,
                PyType.COMPLEX: complex,
                PyType.BIGINT: int,
                PyType.GENERATOR: np.random.Generator,
                PyType.RANDOM_STATE: np.random.RandomState,
                PyType.PYTHON_RANDOM: random.Random,
            }
            bases = {
                PyType.BIT_GENERATOR: np.random.BitGenerator,
                EXCEPTION: BaseException,
                EXCEPTION_CLASS: BaseException,  # one of the class stands for it
                EXCEPTION_ARGS: tuple,
                HELD: HeldValue,
                TRACEBACK: TracebackType | None,
            }
            if type_ in bases:
                return isinstance(value, bases[type_])
            return type(value) is names[type_]
        case DType():
            return type(value) is type_.numpy.type
        case TensorType():
            return is_array_of(value, type_)
        case TupleType(items):
            values = cast("tuple[object, ...]", value)
            return isinstance(value, tuple) and all(map(has_type, values, items))
        case ListType(item, True):
            values = cast("tuple[object, ...]", value)
            return type(value) is tuple and all(has_type(v, item) for v in values)
        case ListType(item):
            values = cast("list[object]", value)
            return isinstance(value, list) and all(has_type(v, item) for v in values)
        case NamedType(base=base):
            return has_type(value, base)
        case OptionalType(item):
            return value is None or has_type(value, item)
        case DictType() | SetType() | DequeType():
            return isinstance(value, Instance) and all(
                has_type(value.fields[name], held) for name, held in type_.fields.items()
            )
        case ClassType(name):
            return isinstance(value, Instance) and value.class_name == name
        case UnionType(members):
            return any(has_type(value, member) for member in members)
        case CellType(item):
            return isinstance(value, Cell) and (not value.is_set or has_type(value.value, item))


def is_array_of(value: object, type_: TensorType) -> bool:
    if not isinstance(value, np.ndarray):
        return False
    array = cast(Array, value)
    sizes = zip(array.shape, type_.dims, strict=False)
    return (
        array.dtype == type_.dtype.numpy
        and array.ndim == type_.rank
        and all(not d.known or d.constant == n for n, d in sizes)
    )


def inferred(sample: Sample) -> tuple[Type, ...]:
    return result_types(sample.op, sample.types, sample.attrs)


@dataclass(frozen=True)
class Raised:
    """What an op raised; an exception may also be its result."""

    error: Exception


# A sample with its operands and its result, or what it raised.
Attempt = tuple[Sample, list[object], object]


def attempts(name: str) -> Iterator[Attempt]:
    """Each sample of an op, evaluated."""
    for sample in samples_of(name):
        operands = sample.operands()
        try:
            result = evaluate(sample, operands)
        except Exception as error:
            result = Raised(error)
        yield sample, operands, result


COMPUTING = sorted(set(OPS) - WITHOUT_SAMPLES)
# No sample makes a file or a formatter fail, memory run out, or LAPACK not come to an end.
NEVER_RAISING = {
    "print",
    "print_with",
    "sort_row",
    "order_row",
    "field",
    "arange",
    "launch",
    "in_rows",
    "raise_failed",
    "eigh",
    "eigvalsh",
    "gufunc",
    "qr",
    "exception_text",
    "array_text",
    "arguments_text",
    "argument_count",
}


def _results_have_the_types_that_the_rule_gives(name: str, done: Sequence[Attempt]) -> None:
    for sample, _, result in done:
        if isinstance(result, Raised):
            continue
        types = inferred(sample)
        if name in ("list_set_size", "fail") or not types:
            assert result is None, sample
        else:
            assert has_type(result, types[0]), (sample, result, types)


def _raises_only_where_it_says_so(name: str, done: Sequence[Attempt]) -> None:
    for sample, _, result in done:
        if isinstance(result, Raised):
            effects = sample.op.effects(list(sample.types), sample.attrs)
            assert effects.raises, (sample, result)


def _raises_on_some_sample_if_it_says_so(name: str, done: Sequence[Attempt]) -> None:
    declared = [s for s in samples_of(name) if s.op.effects(list(s.types), s.attrs).raises]
    if not declared or name in NEVER_RAISING:
        return
    assert any(isinstance(result, Raised) for _, _, result in done)


def snapshot(value: object) -> object:
    """What can be seen of a value: equal before and after unless it was written to."""
    if isinstance(value, np.ndarray):
        return value.tobytes()
    if isinstance(value, list):
        return [snapshot(item) for item in cast("list[object]", value)]
    if isinstance(value, Instance):
        return {name: snapshot(v) for name, v in value.fields.items()}
    if isinstance(value, Cell):
        return (value.is_set, snapshot(value.value))
    return repr(value)


@pytest.mark.parametrize("name", COMPUTING)
def test_an_op_writes_only_to_the_operands_it_names(name: str) -> None:
    for sample in samples_of(name):
        operands = sample.operands()
        before = [snapshot(x) for x in operands]
        with suppress(Exception):  # what it raised is another test's concern
            evaluate(sample, operands)
        effects = sample.op.effects(list(sample.types), sample.attrs)
        after = [snapshot(x) for x in operands]
        changed = {i for i, (b, a) in enumerate(zip(before, after, strict=True)) if b != a}
        assert changed <= effects.writes, sample


def memory(value: object) -> list[object]:
    """The arrays and mutable objects that a value reaches."""
    if isinstance(value, tuple | list):
        inner = [m for item in cast("list[object]", value) for m in memory(item)]
        return [value, *inner] if isinstance(value, list) else inner
    if isinstance(value, Instance):
        return [value, *(m for v in value.fields.values() for m in memory(v))]
    if isinstance(value, Cell):
        return [value, *memory(value.value)]
    return [value] if isinstance(value, np.ndarray) else []


def share(first: object, second: object) -> bool:
    if isinstance(first, np.ndarray) and isinstance(second, np.ndarray):
        return np.shares_memory(cast(Any, first), cast(Any, second))
    return first is second


def _shares_memory_only_with_the_operands_it_names(name: str, done: Sequence[Attempt]) -> None:
    for sample, operands, result in done:
        effects = sample.op.effects(list(sample.types), sample.attrs)
        mine = memory(result)
        for index, operand in enumerate(operands):
            if any(share(m, o) for m in mine for o in memory(operand)):
                assert index in effects.aliases, sample


def _declares_new_memory(name: str, done: Sequence[Attempt]) -> None:
    for sample, operands, result in done:
        if isinstance(result, Raised):
            continue
        effects = sample.op.effects(list(sample.types), sample.attrs)
        reached = [o for operand in operands for o in memory(operand)]
        fresh = [m for m in memory(result) if not any(share(m, o) for o in reached)]
        some = any(not isinstance(m, np.ndarray) or cast(Array, m).size for m in fresh)
        assert not some or effects.allocates or effects.aliases, sample


_CLAIMS = (
    _results_have_the_types_that_the_rule_gives,
    _raises_only_where_it_says_so,
    _raises_on_some_sample_if_it_says_so,
    _shares_memory_only_with_the_operands_it_names,
    _declares_new_memory,
)


@pytest.mark.parametrize("name", COMPUTING)
def test_an_op_does_what_its_record_says(name: str) -> None:
    done = list(attempts(name))
    for claim in _CLAIMS:
        claim(name, done)


@pytest.mark.parametrize("name", COMPUTING)
def test_less_precise_operands_give_a_less_precise_result(name: str) -> None:
    for sample in samples_of(name):
        vague = [
            TensorType(t.dtype, (UNKNOWN,) * t.rank) if isinstance(t, TensorType) else t
            for t in sample.types
        ]
        try:
            results = result_types(sample.op, vague, sample.attrs)
        except OpTypeError:
            # A list of arrays must be given what it declares, and a record has so many bytes.
            assert any(isinstance(t, ListType | TensorType) for t in sample.types)
            assert name.startswith("list") or name == "record_field", sample
            continue
        # What can be put into a cell depends on its type, so none is more general.
        assert name == "cell" or all(map(assignable, inferred(sample), results)), sample
        precise = sample.op.effects(list(sample.types), sample.attrs)
        assert sample.op.effects(vague, sample.attrs).raises >= precise.raises


@pytest.mark.parametrize("name", COMPUTING)
def test_an_instruction_is_read_back_as_it_was(name: str) -> None:
    for sample in samples_of(name)[:: max(1, len(samples_of(name)) // 20)]:
        text = write_module(module_of(function_of(sample)))
        assert write_module(read_module(text)) == text


def function_of(sample: Sample) -> Function:
    params = tuple(Value(t, f"p{i}") for i, t in enumerate(sample.types))
    results = tuple(map(Value, inferred(sample)))
    b, label = Body(), Label()
    b.open()
    b.append(Instr(sample.op, params, sample.attrs, results))
    if Trait.TERMINATOR not in sample.op.traits:
        b.exit(label, b.none())
    return Function("f", params, NONE, b.close(), label)


JUNK: list[Type] = [
    PyType.INT,
    PyType.NONE,
    EXCEPTION,
    DType.C64,
    TensorType(DType.F64, ()),
    TensorType(DType.C128, (UNKNOWN,) * 3),
    TupleType(()),
    ListType(NONE),
    OptionalType(PyType.STR),
    ClassType("X"),
    CellType(PyType.INT),
]
JUNK_ATTRS: list[Any] = [None, True, -1, 2**62, 1.5, "x", (), (1, "a"), DType.U8, JUNK[8]]


@pytest.mark.parametrize("name", sorted(OPS))
def test_a_rule_refuses_junk_and_never_breaks(name: str) -> None:
    op = OPS[name]
    for junk in JUNK:
        for count in range(5):
            for value in JUNK_ATTRS:
                attrs = dict.fromkeys(op.attrs, value)
                try:
                    result_types(op, [junk] * count, attrs)
                    op.effects([junk] * count, attrs)
                except OpTypeError:
                    continue


@pytest.mark.parametrize("name", sorted(OPS))
def test_the_reader_refuses_an_op_without_its_operands(name: str) -> None:
    op = OPS[name]
    if op.operands and not op.operands[0].startswith("*"):
        with pytest.raises(LoadError):
            read_module(f"func @f() -> None {{\n  {name}\n}}\n")


def test_saved_levels_have_no_low_effect() -> None:
    low: list[OpDef] = [op for op in OPS.values() if op.level is Level.LOW]
    assert low
    for op in low:
        assert Trait.ELEMENTWISE not in op.traits


def test_views_of_counted_types_are_counted() -> None:
    assert is_counted(OptionalType(TupleType((DType.F64, ListType(DType.F64)))))
    assert not is_counted(OptionalType(TupleType((DType.F64,))))
