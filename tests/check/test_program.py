"""What checking finds out: types of arguments and annotations, what is reached, deviations."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from types import FunctionType
from typing import Annotated, Any, Optional, cast

import numpy as np
import numpy.typing as npt
import pytest

from scriptc import types
from scriptc.check.annotations import annotated_type, required_type
from scriptc.check.bindings import represents
from scriptc.check.checked import CheckedProgram
from scriptc.check.live_values import type_of
from scriptc.check.program import check_program
from scriptc.check.roots import Root
from scriptc.check.scopes import look_up
from scriptc.lower.program import lower_program
from scriptc.types import M, N, f32, f64, i64
from scriptc_runtime.dims import UNKNOWN, Dim, symbol
from scriptc_runtime.errors import ScriptError, TypeCheckError
from scriptc_runtime.interp.interpreter import Interpreter
from scriptc_runtime.types import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    STR,
    ClassType,
    DType,
    ListType,
    OptionalType,
    TensorType,
    TupleType,
    Type,
)

LIMIT = 3
TABLE = np.array([1.0, 2.0])


def nested_results(n: int):  # pyright: ignore
    if n > 0:
        return (np.ones(3), nested_results(n - 1))  # pyright: ignore


def test_types_without_an_end_are_refused() -> None:
    with pytest.raises(TypeCheckError) as caught:
        check(nested_results, INT)  # pyright: ignore
    assert caught.value.diagnostics[0].code == "recursion"


@pytest.mark.parametrize("value", [0, 1, 2**24 + 1, 2**53 + 1, 2**63 - 1, 0.1, 0.5, 1e300, 1e-50])
def test_a_type_represents_a_literal_that_comes_back_unchanged(value: float) -> None:
    for sign in (1, -1):
        assert represents(FLOAT, sign * value) is (Fraction(float(value)) == Fraction(value))
        for dtype in (DType.F32, DType.F64):
            with np.errstate(over="ignore"):
                rounded = float(dtype.numpy.type(value))
            exact = math.isfinite(rounded) and Fraction(rounded) == Fraction(value)
            assert represents(dtype, sign * value) is exact


def test_infinity_and_nan_are_represented_by_every_float() -> None:
    for value in (math.inf, -math.inf, math.nan):
        assert all(represents(t, value) for t in (FLOAT, DType.F32, DType.F64))


class Scale:
    factor: float

    def __init__(self, factor: float) -> None:
        self.factor = factor

    def apply(self, x: float) -> float:
        return self.factor * x


def check(function: Callable[..., object], *given: Type | None) -> CheckedProgram:
    assert isinstance(function, FunctionType)
    return check_program([Root(function, given)])


def run(function: Callable[..., object], *arguments: Any) -> object:
    program = check(function, *map(type_of, arguments))
    root = program.functions[program.roots[0]]
    captured = [capture.value for capture in root.captures]
    return Interpreter(lower_program(program)).call(root.name, [*arguments, *captured])


def _label(value: object) -> str:
    """Name a case; the text of a plain object holds its address, which differs in every process."""
    text = str(value)
    return type(value).__name__ if " object at 0x" in text else text


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1, INT),
        (True, BOOL),
        (1.5, FLOAT),
        ("a", STR),
        (None, NONE),
        (np.float32(1), DType.F32),
        (np.float64(1), DType.F64),
        (np.zeros((2, 3)), TensorType(DType.F64, (UNKNOWN, UNKNOWN))),
        ((1, (2.0, "a")), TupleType((INT, TupleType((FLOAT, STR))))),
        ([1, 2], ListType(INT)),
        ([np.zeros(2), np.zeros(3)], ListType(TensorType(DType.F64, (UNKNOWN,)))),
        (Scale(1.0), ClassType("Scale")),
    ],
    ids=_label,
)
def test_a_value_has_this_type(value: object, expected: Type) -> None:
    assert type_of(value) == expected


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (2**63, "int-size"),
        (np.zeros(2, np.longdouble), "dtype"),
        (np.array(["a"]), "dtype"),
        ([], "empty-list"),
        (bytearray(b"a"), "value"),
        (object(), "value"),
        (np.ma.zeros(3), "value"),
    ],
    ids=_label,
)
def test_a_value_the_language_does_not_have_is_refused(value: object, code: str) -> None:
    with pytest.raises(TypeCheckError) as caught:
        type_of(value)
    assert caught.value.diagnostics[0].code == code


F64_N_M = TensorType(DType.F64, (symbol("N"), symbol("M")))


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        (int, INT),
        (None, NONE),
        (f64[N, M], F64_N_M),
        (f32[N, 3], TensorType(DType.F32, (symbol("N"), Dim(3)))),
        (cast(Any, i64)[...], TensorType(DType.I64, (UNKNOWN,))),
        (types.f64[types.dim("rows")], TensorType(DType.F64, (symbol("rows"),))),
        (f64, DType.F64),
        (np.float32, DType.F32),
        (list[float], ListType(FLOAT)),
        (tuple[int, f64[N]], TupleType((INT, TensorType(DType.F64, (symbol("N"),))))),
        (float | None, OptionalType(FLOAT)),
        (Optional[int], OptionalType(INT)),  # noqa: UP045 -- both spellings are in use
        (Annotated[int, "units"], INT),
        (np.ndarray[tuple[int, int], np.dtype[np.float64]], TensorType(DType.F64, (UNKNOWN,) * 2)),
        (Scale, ClassType("Scale")),
        ("f64[N, M]", F64_N_M),
        ("int | None", OptionalType(INT)),
        ("list['float']", ListType(FLOAT)),
        ("types.f64[N, M]", F64_N_M),
    ],
    ids=str,
)
def test_an_annotation_stands_for_this_type(annotation: object, expected: Type) -> None:
    assert annotated_type(annotation, lambda name: look_up(FUNCTION, name)) == expected


@pytest.mark.parametrize(
    "annotation",
    [set[memoryview], int | memoryview, npt.NDArray[np.float64], 3, memoryview],
    ids=str,
)
def test_what_is_no_type_is_refused_as_one_with_a_way_out(annotation: object) -> None:
    with pytest.raises(TypeCheckError) as caught:
        required_type(annotation)
    assert caught.value.diagnostics[0].code == "annotation"
    assert caught.value.diagnostics[0].instead


def here(x: float) -> float:
    return x


assert isinstance(here, FunctionType)
FUNCTION = here


def scaled(x: float, n: int) -> float:
    for _ in range(LIMIT):
        x = plus(x, n)
    return x


def plus(x: float, n: int) -> float:
    return x + n + TABLE[0]


def test_a_program_holds_what_its_roots_reach() -> None:
    program = check(scaled, FLOAT, INT)
    assert [f.name for f in program.functions.values()] == ["scaled", "plus", "plus.2"]
    assert [c.name for c in program.captures] == ["TABLE"]
    # After the first round x is NumPy's, which is another specialisation of `plus`.
    assert all(f.captures for f in program.functions.values())


def test_what_a_result_depends_on_is_listed() -> None:
    found = {(d.kind, d.name.rpartition(".")[2]) for d in check(scaled, FLOAT, INT).dependencies}
    assert found == {("function", "scaled"), ("function", "plus"), ("constant", "LIMIT")}


def shape_of(a, b):  # pyright: ignore[reportMissingParameterType, reportUnknownParameterType]
    return a.shape[0] + b.shape[1]  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]


def test_sizes_without_a_name_get_one_for_each_axis() -> None:
    vector = TensorType(DType.F64, (UNKNOWN,))
    matrix = TensorType(DType.F64, (UNKNOWN, UNKNOWN))
    program = check(cast(Any, shape_of), vector, matrix)
    params = program.functions[program.roots[0]].params
    assert [str(p.type) for p in params] == ["f64[a0]", "f64[b0, b1]"]


ROWS = types.dim("x0")


def named_like_a_fresh_size(a: f64[ROWS], x):  # pyright: ignore
    return a + x  # pyright: ignore


def test_a_fresh_size_is_not_called_like_one_of_the_user() -> None:
    program = check(cast(Any, named_like_a_fresh_size), None, TensorType(DType.F64, (UNKNOWN,)))
    params = program.functions[program.roots[0]].params
    assert [str(p.type) for p in params] == ["f64[x0]", "f64[x_0]"]


def dot(a: f64[N], b: f64[N]) -> float:
    return np.sum(a * b)


def calls_dot(n: int, m: int) -> float:
    return dot(np.ones(n), np.ones(m))


def test_sizes_of_one_name_are_checked_in_a_call_between_scripts() -> None:
    assert run(calls_dot, 3, 3) == 3.0
    with pytest.raises(ValueError, match="axis 0 of the argument 'b' is not of size N"):
        run(calls_dot, 3, 1)


def test_sizes_that_are_proven_are_not_checked_again() -> None:
    def text(function: Callable[..., object], *types: Type) -> Sequence[str]:
        module = lower_program(check(function, *types))
        return [i.op.name for i in module.functions[function.__name__].body.body]

    assert "if" not in text(cast(Any, twice_dot), TensorType(DType.F64, (UNKNOWN,)))


def twice_dot(a):  # pyright: ignore[reportMissingParameterType, reportUnknownParameterType]
    return dot(a, a) + dot(a, a)  # pyright: ignore[reportUnknownArgumentType]


def test_methods_and_constructors_are_roots() -> None:
    init, apply = Scale.__init__, Scale.apply
    assert isinstance(init, FunctionType)
    assert isinstance(apply, FunctionType)
    roots = [
        Root(init, (None,), Scale, constructs=True),
        Root(apply, (ClassType("Scale"), FLOAT), Scale),
    ]
    program = check_program(roots)
    assert [f.name for f in program.functions.values()] == ["Scale.__init__", "Scale.apply"]
    interpreter = Interpreter(lower_program(program))
    instance = interpreter.call("Scale.__init__", [2.0])
    assert interpreter.call("Scale.apply", [instance, 1.5]) == 3.0


def double(n: int) -> int:
    return n + n


def half_up(x: float) -> float:
    return x / 2


def halves(n: int) -> float:
    return half_up(n)


@pytest.mark.parametrize(
    ("function", "argument", "error"),
    [
        # Ints have 64 bits, and an int becomes a declared float only where that is exact.
        (double, 2**62, OverflowError),
        (halves, 2**53 + 1, OverflowError),
    ],
)
def test_a_listed_deviation_raises(
    function: Callable[..., object], argument: int, error: type[Exception]
) -> None:
    function(argument)
    with pytest.raises(error):
        run(function, argument)


def power(a: int, n: int) -> int:
    return a**n


def test_a_negative_exponent_that_is_no_constant_raises() -> None:
    with pytest.raises(ValueError, match="negative exponent"):
        run(power, 2, -1)


def test_the_types_of_every_expression_are_known() -> None:
    program = check(scaled, FLOAT, INT)
    facts = program.functions[program.roots[0]].facts
    assert {str(t) for t in facts.types.values()} >= {"int", "f64"}


def test_a_function_without_source_is_refused() -> None:
    namespace: dict[str, Any] = {}
    exec("def nowhere(x): return x", namespace)
    with pytest.raises(ScriptError, match="source text"):
        check(namespace["nowhere"], INT)
