"""`@script` from the user's side: kinds of calls, refusals, classes, pickling, captured values."""

# Without annotations the types come from the call, which is what some of this is about.
# pyright: basic

import copy
import gc
import inspect
import os
import pickle
import re
import subprocess
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scriptc import ScriptFunction, script
from scriptc.types import M, N, f32, f64
from scriptc_runtime.errors import ScriptError, TypeCheckError

REPO = Path(__file__).parents[2]
BACKENDS = ("interp", "llvm")
RATE = 2.0
TABLE = np.array([1.0, 2.0, 4.0])


@script
def scale(x: float, factor: float = 3.0) -> float:
    """Return `factor` times `x`."""
    return x * factor


@script
def plus(x, y):
    return x + y


def dot(a: f64[N], b: f64[N]) -> float:
    total = 0.0
    for i in range(a.shape[0]):
        total += a[i] * b[i]
    return total


def _rated(x: float) -> float:
    return x * RATE


def _looked_up(i: int):
    return TABLE[i]


def _fill(out: f64[N], value: float) -> None:
    for i in range(out.shape[0]):
        out[i] = value


class _Layer:
    """Weights and a rate."""

    weight: f64[N, M]
    rate: float

    def __init__(self, weight: f64[N, M], rate: float = 0.5) -> None:
        self.weight = weight
        self.rate = rate
        self.steps = 0

    def forward(self, x: f64[M]) -> f64[N]:
        return self.weight @ x

    def step(self, by: f64[N, M]) -> None:
        self.weight -= self.rate * by
        self.steps += 1

    def itself(self):
        return self


class _Box:
    def __init__(self, held):
        self.held = held

    def content(self):
        return self.held


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_arguments_come_by_position_by_keyword_and_by_default() -> None:
    assert scale(2.0) == 6.0
    assert scale(2.0, 0.5) == 1.0
    assert scale(factor=0.5, x=2.0) == 1.0
    assert scale(2.0, factor=0.5) == 1.0


def test_each_kind_of_argument_has_its_specialisation() -> None:
    assert plus(1, 2) == 3
    assert type(plus(1.0, 2)) is float
    assert type(plus(np.float64(1.0), 2.0)) is np.float64
    assert plus("a", "b") == "ab"
    assert plus(np.ones(2), np.ones(2)).tolist() == [2.0, 2.0]
    assert plus(1, 2) == 3


def test_more_kinds_than_places_in_the_chain_still_work(backend: str) -> None:
    def both(x, y):
        return x + y

    scripted = script(both, backend=backend)
    kinds = [1, 1.5, np.float64(2.5), np.float32(0.5), np.int64(7)]
    for _ in range(2):
        for x in kinds:
            for y in kinds:
                expected, found = both(x, y), scripted(x, y)
                if {type(x), type(y)} == {int, float}:
                    continue
                assert (type(found), found) == (type(expected), expected)


def test_a_scripted_function_looks_like_the_function() -> None:
    assert scale.__name__ == "scale"
    assert scale.__doc__ == "Return `factor` times `x`."
    assert scale.__module__ == __name__
    assert str(inspect.signature(scale)) == "(x: float, factor: float = 3.0) -> float"
    assert isinstance(scale, ScriptFunction)
    assert scale.python(2.0) == 6.0
    assert isinstance(scale.python, type(dot))


def test_a_scripted_function_pickles_and_copies_by_name() -> None:
    assert pickle.loads(pickle.dumps(scale)) is scale
    assert copy.copy(scale) is scale
    assert copy.deepcopy(scale) is scale


def test_script_takes_functions_and_classes_only() -> None:
    for wrong in (3, len, staticmethod(dot)):
        with pytest.raises(TypeError, match="takes a function or a class"):
            script(wrong)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="next to the function, below other decorators"):
        script(lru_cache(dot))
    with pytest.raises(ValueError, match="no backend 'gpu'"):
        script(dot, backend="gpu")


def test_parameters_take_any_name() -> None:
    @script
    def first(x: int, **others: int) -> int:
        return x + len(others)

    assert (first(1), first(1, a=2, b=3)) == (1, 3)


def test_the_decorator_takes_settings() -> None:
    @script(backend="interp")
    def twice(x: float) -> float:
        return x * 2.0

    assert twice(1.5) == 3.0


@pytest.mark.parametrize(
    ("arguments", "error", "parts"),
    [
        (("a",), TypeError, ["scale()", "'x'", "expected float", "got str"]),
        ((None,), TypeError, ["'x'", "expected float", "got None"]),
        ((True,), TypeError, ["'x'", "expected float", "got bool"]),
        ((np.float32(1),), TypeError, ["'x'", "expected float", "got f32"]),
        ((1.0, [1.0]), TypeError, ["'factor'", "expected float", "got list"]),
        ((2**53 + 1,), OverflowError, ["'x'", "9007199254740993"]),
        ((10**400,), OverflowError, ["'x'"]),
        ((), TypeError, ["scale()", "missing", "'x'"]),
        ((1.0, 2.0, 3.0), TypeError, ["scale()", "takes from 1 to 2 positional arguments"]),
    ],
)
def test_a_wrong_argument_is_refused_by_name(
    arguments: tuple[Any, ...], error: type[Exception], parts: list[str], backend: str
) -> None:
    scripted = script(scale, backend=backend)
    for _ in range(2):  # before anything is compiled, and afterwards
        with pytest.raises(error) as caught:
            scripted(*arguments)
        assert all(part in str(caught.value) for part in parts), str(caught.value)
        assert scripted(1.0) == 3.0


def test_an_int_is_taken_for_a_float_where_that_is_exact(backend: str) -> None:
    scripted = script(scale, backend=backend)
    for value in (0, -3, 2**30, -(2**52), 2**53, 2**70):
        found = scripted(value)
        assert type(found) is float
        assert found == float(value) * 3.0


def grow(a: list[float], b: list[float]) -> list[float]:
    a.append(0.5)
    b.append(len(a) + 1.5)
    return b


def grow_both(a: list[int], b: list[float]) -> None:
    a.append(1)
    b.append(0.5)


def test_one_list_of_ints_given_twice_for_floats_is_one_list(backend: str) -> None:
    mine: Any = [1, 2]
    other: Any = [3]
    scripted: Any = script(grow, backend=backend)
    assert scripted(mine, mine) is mine
    assert mine == [1.0, 2.0, 0.5, 4.5]
    assert scripted(mine, other) is other
    assert (len(mine), other) == (5, [3.0, 6.5])
    refusing: Any = script(grow_both, backend=backend)
    for both in ([], [1]):
        with pytest.raises(TypeError, match=r"'b': expected list\[float\], .* as list\[int\], too"):
            refusing(both, both)


def test_a_numpy_float_for_a_float_stays_a_numpy_float(backend: str) -> None:
    found = script(scale, backend=backend)(np.float64(1.5))
    assert type(found) is np.float64
    assert found == 4.5


def test_equal_names_of_sizes_mean_equal_sizes(backend: str) -> None:
    scripted = script(dot, backend=backend)
    assert scripted(np.ones(3), np.ones(3)) == 3.0
    with pytest.raises(ValueError, match=r"N is 3 in parameter 'a', but 4 in parameter 'b'"):
        scripted(np.ones(3), np.ones(4))


@pytest.mark.parametrize(
    ("given", "way"),
    [
        (np.ones(2, ">f8"), "x.astype(np.float64)"),
        (np.ones(2, object), "if all are numbers"),
        (np.zeros(2, "M8[D]"), "x.astype(np.int64)"),
        (np.zeros(2, "m8[s]"), "x.astype(np.int64)"),
        (np.array(["a", "b"]), "x.tolist()"),
        (np.zeros(2, [("a", "f8"), ("b", "i4")]), 'x["a"].copy()'),
    ],
)
def test_values_that_are_no_arrays_of_the_language_are_told_a_way(given: Any, way: str) -> None:
    with pytest.raises(TypeCheckError, match=re.escape(way)):
        script(lambda x: x)(given)


@pytest.mark.skipif(
    np.dtype(np.longdouble).itemsize == np.dtype(np.float64).itemsize, reason="no wider floats"
)
def test_wider_floats_are_told_what_they_lose() -> None:
    with pytest.raises(TypeCheckError, match="which has fewer digits"):
        script(lambda x: x)(np.ones(2, np.longdouble))


def _misaligned() -> Any:
    return np.frombuffer(bytearray(17), np.uint8)[1:].view(np.float64)


def _field_of_a_record() -> Any:
    return np.zeros(2, np.dtype([("a", "i4"), ("b", "f8")]))["b"]


@pytest.mark.parametrize(
    ("array", "part"),
    [
        (np.ones(2, ">f8"), "swap its bytes"),
        (np.ones(2, object), "object"),
        (np.ones(2, np.float16), "float16"),
        (np.ones((2, 1)), "2 axes"),
        (np.float64(1.0), "got f64"),
        ([1.0, 2.0], "np.asarray"),
        (np.ma.masked_array([1.0, 2.0]), "MaskedArray"),
        (_misaligned(), "pass a copy"),
        (_field_of_a_record(), "pass a copy"),
    ],
)
def test_an_array_that_compiled_code_cannot_read_is_refused_by_name(
    array: Any, part: str, backend: str
) -> None:
    scripted = script(dot, backend=backend)
    for _ in range(2):
        with pytest.raises(TypeError) as caught:
            scripted(np.ones(2), array)
        assert "parameter 'b'" in str(caught.value)
        assert part in str(caught.value)
        assert scripted(np.ones(2), np.ones(2)) == 2.0


def test_views_of_any_stride_are_taken(backend: str) -> None:
    base = np.arange(12.0)
    views = [base[::-1][:3], base[::3][:3], base.reshape(3, 4)[:, 1], np.broadcast_to(2.0, 3)]
    scripted = script(dot, backend=backend)
    for view in views:
        assert scripted(view, np.ones(3)) == view.sum()


def test_a_read_only_array_is_never_written(backend: str) -> None:
    scripted = script(_fill, backend=backend)
    own = np.zeros(3)
    scripted(own, 2.0)
    assert own.tolist() == [2.0] * 3
    own.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        scripted(own, 3.0)
    assert own.tolist() == [2.0] * 3


def test_a_captured_number_is_never_stale(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    scripted = script(_rated, backend=backend)
    assert scripted(1.0) == 2.0
    monkeypatch.setitem(globals(), "RATE", 5.0)
    assert scripted(1.0) == 5.0
    monkeypatch.setitem(globals(), "RATE", 2.0)
    assert scripted(1.0) == 2.0


def test_a_captured_array_is_the_one_that_is_bound_now(
    backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted = script(_looked_up, backend=backend)
    assert scripted(1) == 2.0
    monkeypatch.setitem(globals(), "TABLE", np.array([10.0, 20.0]))
    assert scripted(1) == 20.0
    monkeypatch.setitem(globals(), "TABLE", np.array([1.5], np.float32))
    found = scripted(0)
    assert (type(found), found) == (np.float32, 1.5)


PAIRED: Any = None
OTHER: Any = None


def _both() -> float:
    return (PAIRED * 10.0 + OTHER).sum()


def _drawn() -> float:
    return PAIRED.random() * 10.0 + OTHER.random()


def _listed() -> float:
    return PAIRED[0] * 10.0 + OTHER[0]


@pytest.mark.parametrize(
    ("function", "make"),
    [
        (_both, lambda number: np.full(2, float(number))),
        (_drawn, np.random.default_rng),
        (_listed, lambda number: [float(number)]),
    ],
)
def test_two_names_of_one_captured_object_come_to_stand_for_two(
    function: Any, make: Any, backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted = script(function, backend=backend)
    for first, second in ((1, 1), (1, 2), (3, 1), (2, 2)):
        monkeypatch.setitem(globals(), "PAIRED", make(first))
        same = PAIRED if first == second else make(second)
        monkeypatch.setitem(globals(), "OTHER", same)
        found = scripted()
        monkeypatch.setitem(globals(), "PAIRED", make(first))
        monkeypatch.setitem(globals(), "OTHER", PAIRED if first == second else make(second))
        assert found == function()


def test_a_value_captured_from_a_closure_is_never_stale(backend: str) -> None:
    offset = 1.0

    def shifted(x: float) -> float:
        return x + offset

    scripted = script(shifted, backend=backend)
    assert scripted(1.0) == 2.0
    offset = 3.0
    assert scripted(1.0) == 4.0


def test_a_callee_bound_anew_is_noticed(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def outer(x: float) -> float:
        return _rated(x) + 1.0

    def other(x: float) -> float:
        return x * 100.0

    scripted = script(outer, backend=backend)
    assert scripted(1.0) == 3.0
    monkeypatch.setitem(globals(), "_rated", other)
    assert scripted(1.0) == 101.0


def test_compile_prepares_for_a_call() -> None:
    def half(x):
        return x * 0.5

    scripted = script(half)
    with pytest.raises(TypeCheckError, match="'x' has no annotation"):
        scripted.compile()
    scripted.compile(f32[N])
    scripted.compile(2.0)
    assert scripted.seen == [("f32[x0]",), ("float",)]
    assert scripted(np.ones(2, np.float32)).dtype == np.float32
    assert scripted(3.0) == 1.5
    assert len(scripted.seen) == 2


def test_kernels_run_on_the_cuda_device() -> None:
    def smoothed(x: f32[M, N]) -> f32[M, N]:
        powers = np.exp(x - np.max(x, axis=1, keepdims=True))
        return powers / np.sum(powers, axis=1, keepdims=True)

    x = np.linspace(-2.0, 3.0, 35, dtype=np.float32).reshape(5, 7)
    np.testing.assert_allclose(script(smoothed, backend="cuda")(x), smoothed(x), rtol=1e-6)


def test_dump_shows_the_stages() -> None:
    assert "func @scale(%x: float" in scale.dump("ir")
    assert "define internal" in scale.dump("llvm")
    assert "func @plus" in plus.dump("ir", 1, 2)


def test_what_the_language_lacks_is_refused_at_the_call(backend: str) -> None:
    def looks_at_bytes(x: float):
        return x, memoryview(b"x")

    with pytest.raises(ScriptError, match="memoryview"):
        script(looks_at_bytes, backend=backend)(1.0)


# Classes.


def test_an_object_keeps_its_fields(backend: str) -> None:
    layer_class = script(_Layer, backend=backend)
    weight = np.arange(6.0).reshape(2, 3)
    layer = layer_class(weight)
    assert (layer.rate, layer.steps) == (0.5, 0)
    assert layer.weight is weight
    assert layer.forward(np.ones(3)).tolist() == [3.0, 12.0]
    layer.step(np.ones((2, 3)))
    layer.step(by=np.ones((2, 3)))
    assert layer.steps == 2
    assert weight[0, 0] == -1.0
    layer.rate = 2
    assert type(layer.rate) is float
    layer.weight = np.zeros((2, 3))
    assert layer.forward(np.ones(3)).tolist() == [0.0, 0.0]


def test_objects_of_a_class_may_hold_values_of_other_types(backend: str) -> None:
    scripted: Any = script(_Box, backend=backend)
    first = scripted(np.ones(3))
    assert first.held.tolist() == [1.0, 1.0, 1.0]
    assert scripted(1).held == 1
    assert first.held.tolist() == [1.0, 1.0, 1.0]
    assert scripted(np.ones(2)).held.tolist() == [1.0, 1.0]


def test_a_field_without_a_type_of_its_own_has_that_of_the_objects(backend: str) -> None:
    scripted: Any = script(_Box, backend=backend)
    assert scripted(1.0).content() == _Box(1.0).content()


def test_an_object_is_itself_when_it_comes_back(backend: str) -> None:
    layer = script(_Layer, backend=backend)(np.zeros((1, 1)))
    assert layer.itself() is layer


def test_a_scripted_class_looks_like_the_class(backend: str) -> None:
    scripted = script(_Layer, backend=backend)
    assert (scripted.__name__, scripted.__doc__) == ("_Layer", "Weights and a rate.")
    assert scripted.__qualname__ == _Layer.__qualname__
    assert str(inspect.signature(scripted)).startswith("(weight:")
    assert isinstance(scripted(np.zeros((1, 1))), scripted)


def test_wrong_values_for_fields_and_constructors_are_refused(backend: str) -> None:
    scripted: Any = script(_Layer, backend=backend)
    layer = scripted(np.zeros((2, 2)))
    with pytest.raises(TypeError, match="field 'rate': expected float, got str"):
        layer.rate = "fast"
    with pytest.raises(AttributeError):
        layer.other = 1
    with pytest.raises(TypeError, match="'weight': expected an array of float64 with 2 axes"):
        scripted(3.0)
    with pytest.raises(TypeError, match="missing"):
        scripted()
    with pytest.raises(TypeError, match="'self': expected _Layer, got int"):
        scripted.forward(3, np.ones(2))
    assert layer.rate == 0.5


def test_an_object_that_was_not_initialised_is_refused(backend: str) -> None:
    scripted: Any = script(_Layer, backend=backend)
    scripted(np.zeros((1, 1)))
    empty = object.__new__(scripted)
    with pytest.raises(TypeError):
        empty.forward(np.zeros(1))


def test_objects_give_back_what_they_hold(backend: str) -> None:
    scripted: Any = script(_Layer, backend=backend)
    weight = np.zeros((2, 2))
    scripted(weight)
    gc.collect()
    before = sys.getrefcount(weight)
    objects = [scripted(weight) for _ in range(10)]
    assert sys.getrefcount(weight) == before + 10
    del objects
    gc.collect()
    assert sys.getrefcount(weight) == before


def test_disabled_scripts_are_plain_python(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import sys\n"
        "from types import FunctionType\n"
        "from scriptc import script\n"
        "@script\n"
        "def f(x): return {x: 1}\n"
        "@script(backend='llvm')\n"
        "class C:\n"
        "    def __init__(self): self.x = 1\n"
        "assert type(f) is FunctionType and f.python is f\n"
        "assert f(2) == {2: 1} and C().x == 1 and C.python is C\n"
        "assert 'scriptc.driver' not in sys.modules\n"
        "import scriptc\n"
        "for what in ({'f': f}, C()):\n"
        "    try: scriptc.save(what, 'never.scriptc')\n"
        "    except TypeError as error: assert 'SCRIPTC_DISABLE=1' in str(error)\n"
        "    else: raise AssertionError(what)\n"
    )
    environment = {"SCRIPTC_DISABLE": "1", "PYTHONPATH": f"{REPO}:{REPO / 'runtime'}"}
    subprocess.run([sys.executable, str(program)], check=True, env=environment)


@pytest.mark.skipif(sys.platform == "win32", reason="names of files are text there")
def test_an_error_in_a_file_whose_name_is_no_utf8_is_an_exception(tmp_path: Path) -> None:
    # The traceback is made of C strings, which cannot hold such a name.
    folder = os.fsencode(tmp_path) + b"/\xff"
    os.mkdir(folder)
    program = folder + b"/program.py"
    with open(program, "wb") as file:
        file.write(
            b"from scriptc import script\n"
            b"@script\n"
            b"def quotient(a: int, b: int) -> int:\n"
            b"    return a // b\n"
            b"try:\n"
            b"    quotient(1, 0)\n"
            b"except ZeroDivisionError:\n"
            b"    quotient(4, 2)\n"
            b"try:\n"
            b"    quotient(1, 0)\n"
            b"except ZeroDivisionError as error:\n"
            b"    print('raised', error)\n"
        )
    environment = os.environ | {"PYTHONPATH": f"{REPO}:{REPO / 'runtime'}"}
    ran = subprocess.run([sys.executable, program], capture_output=True, env=environment)
    assert (ran.returncode, ran.stdout[:6]) == (0, b"raised"), ran.stderr


def test_an_array_with_fields_is_passed_field_by_field() -> None:
    packed = np.zeros(5, dtype=[("a", "i1"), ("b", "f8")])
    aligned = np.zeros(5, dtype=np.dtype([("a", "i1"), ("b", "f8")], align=True))
    with pytest.raises(ScriptError, match=r'x\["b"\]\.copy\(\)'):
        plus(packed, 1)
    with pytest.raises(TypeError, match="multiples of their size in memory; pass a copy"):
        plus(packed["b"], 1)
    assert plus(aligned["b"], 1).tolist() == plus(packed["b"].copy(), 1).tolist() == [1.0] * 5


def test_an_array_of_another_dtype_is_told_how_to_fit(backend: str) -> None:
    scripted: Any = script(dot, backend=backend)
    with pytest.raises(TypeError, match=r"pass b\.astype\(np\.float64\), or drop the annotation"):
        scripted(np.ones(2), np.ones(2, np.float32))
