"""Sizes that annotations call by different names are found where they meet, and no others."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray

from scriptc.analysis.size_promises.facts import NO_FACTS, Facts, differ
from scriptc.analysis.size_promises.forms import Form, atom, constant, number, quotient
from scriptc.analysis.size_promises.quotients import Quotients
from scriptc.analysis.size_promises.slices import size_of_slice
from scriptc.analysis.size_promises.walk import Meeting, meetings
from scriptc.check.program import check_program
from scriptc.check.roots import Root
from scriptc.check.size_names import size_names
from scriptc.cli.scripts import root_of, scripted_names, starts_of
from scriptc.inspection import dump
from scriptc.inspection.target import import_file
from scriptc.lower.program import lower_program
from scriptc_runtime.dims import Dim, symbol
from scriptc_runtime.errors import Diagnostic, ScriptError
from scriptc_runtime.text.reader import read_module
from scriptc_runtime.types import TensorType, TupleType, Type
from tests.support import right_sizes, wrong_sizes
from tests.support.cases import Case, case_paths
from tests.support.live_source import argument_types, last_function, live_module
from tests.support.program_cases import PROGRAMS, Program, as_function, call_types, outcome
from tests.support.right_sizes import RIGHT
from tests.support.wrong_sizes import WRONG

SAMPLES = sorted((Path(__file__).parents[2] / "samples").glob("*.py"))
CASES = [
    path
    for path in case_paths()
    if not {"errors", "syntax"} & set(path.parts) and "source" in Case.read(path).inputs
]
Function = Callable[..., Any]


def found_in(module: ModuleType, name: str) -> Sequence[Diagnostic]:
    """Return what `scriptc check` says of the sizes in a function."""
    return dump.check(root_of(module, name, None))


def name_of(function: Function) -> str:
    """Return the name of a scripted function."""
    name: str = function.__name__
    return name


# ----------------------------------------------------------------------------- what is, what is not


@pytest.mark.parametrize("function", WRONG, ids=name_of)
def test_a_wrong_size_is_found_once_at_its_place(function: Function) -> None:
    expected, first, second = WRONG[function]
    (found,) = found_in(wrong_sizes, name_of(function))
    assert found.span is not None
    assert found.span.source.text[found.span.lo : found.span.hi] == expected
    words = f" {found.message} "
    assert words.index(f" {first} ") < words.rindex(f" {second} ")
    assert found.code == "size-mismatch"
    assert found.instead


def test_there_are_many_wrong_functions() -> None:
    assert len(WRONG) >= 30


TWO_MISTAKES = """
from scriptc.types import K, M, N, f64

def two(x: f64[N], y: f64[M], z: f64[K]):
    a = x + y
    return (a - y) * z, x * y
"""


def test_a_mistake_hides_no_other_and_is_found_once() -> None:
    found = found_in(live_module(TWO_MISTAKES, "two_mistakes.py"), "two")
    lines = [d.span and d.span.source.position(d.span.lo) for d in found]
    assert lines == [(5, 9), (6, 12)]


DECLARED = """
import numpy as np
from scriptc.types import f64

def corners() -> f64[4]:
    return np.zeros(5)
"""


def test_numbers_of_results_are_compared_without_names() -> None:
    (found,) = found_in(live_module(DECLARED, "declared.py"), "corners")
    assert found.message == "an axis of the result has the size 5 where its annotation says 4"


@pytest.mark.parametrize("function", RIGHT, ids=name_of)
def test_sizes_that_fit_or_may_fit_are_not_reported(function: Function) -> None:
    assert not found_in(right_sizes, name_of(function))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_no_sample_is_reported(path: Path) -> None:
    module = import_file(path)
    for name in scripted_names(module):
        for start in starts_of(module, name, None).values():
            assert isinstance(start, Root)
            assert not dump.check(start)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_no_golden_case_is_reported(path: Path) -> None:
    case = Case.read(path)
    function = last_function(live_module(case.inputs["source"]))
    types = argument_types(function, case.inputs.get("args", ""))
    assert not dump.check(Root(function, types, sized=True))


# A program of tests/programs has no names of sizes. The test gives it one for each size of a call
# that CPython makes without an exception: what is reported then are sizes that are equal in this
# call, which the names do not say. Sizes that differ would be those of a call that fails.
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.sampled(10)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_what_is_reported_of_a_call_that_works_are_equal_sizes(
    program: Program, thorough: bool
) -> None:
    calls = [c for c in program.calls if any(isinstance(a, np.ndarray) for a in c)]
    # Where nothing is asked for, a loop has no iterations.
    asked = [c for c in calls if not any(type(a) is int and a == 0 for a in c)]
    right = [c for c in asked if outcome(program.function, c)[0] == "returned"]
    function = as_function(program.function)
    names = function.__code__.co_varnames
    for arguments in right if thorough else right[:2]:
        types = call_types(program, arguments)
        given = [*arguments, *[None] * (len(types) - len(arguments))]
        named = [_named(t, a) for t, a in zip(types, given, strict=True)]
        root = Root(function, named, sized=True)
        try:
            found = _meetings(root)
        except ScriptError:
            continue  # for a size of 1, which the types say here
        for meeting in found:
            values = {f"#{n}": a for n, a in zip(names, given, strict=False)}
            assert _value(meeting.first, values) == _value(meeting.second, values), meeting


def _named(type_: Type | None, argument: object) -> Type | None:
    if isinstance(type_, TensorType) and isinstance(argument, np.ndarray):
        array = cast("NDArray[Any]", argument)
        dims = (symbol(f"size{n}") if n > 1 else Dim(n) for n in array.shape)
        return TensorType(type_.dtype, tuple(dims))
    if isinstance(type_, TupleType) and isinstance(argument, tuple):
        items = cast("tuple[object, ...]", argument)
        named = (_named(t, a) or t for t, a in zip(type_.items, items, strict=True))
        return TupleType(tuple(named))
    return type_


def _meetings(root: Root) -> Sequence[Meeting]:
    program = check_program([root])
    function = program.functions[program.roots[0]]
    promised = size_names(p.type for p in function.params)
    return meetings(lower_program(program), function.name, promised, {})


def _value(form: Form, values: Mapping[str, object]) -> int:
    """Return what a form is in a call; the name of a size has it, and a quotient is its text."""
    total = 0
    for monomial, coefficient in form.terms.items():
        for name in monomial:
            value = values[name] if name in values else eval(re.sub(r"size|\?", "", name))
            assert isinstance(value, int)
            coefficient *= value
        total += coefficient
    return total


LIBRARY = """
func @f(%x: tensor<f64, [N]>, %y: tensor<f64, [M]>, %flag: bool) -> None {
  %0 = dim %x [axis=0] : int
  %1 = dim %y [axis=0] : int
  %2 = call %0, %1, %flag [callee="tested", result=None] : None
  exit @return %2
}

func library @tested(%n: int, %m: int, %flag: bool) -> None {
  if @L0 CONDITION {
    %0 = ne %n, %m : bool
    if @L1 %0 {
      raise [kind="ValueError"]
    } {
      exit @L1
    }
    exit @L0
  } {
    exit @L0
  }
  %1 = const [value=none] : None
  exit @return %1
}
"""


@pytest.mark.parametrize("condition", ["%flag", "%always"])
def test_a_raise_that_the_library_may_not_reach_is_not_reported(condition: str) -> None:
    text = LIBRARY.replace("CONDITION", condition)
    text = text.replace(
        "  if @L0 %always", "  %always = const [value=true] : bool\n  if @L0 %always"
    )
    found = meetings(read_module(text), "f", {"N", "M"}, {})
    assert len(found) == (condition == "%always")


# ------------------------------------------------------------------------------------ what is said


def test_a_report_has_both_places_the_reason_and_the_way_out() -> None:
    (found,) = found_in(wrong_sizes, "added")
    assert [note.message for note in found.notes] == [
        "N is the size of axis 0 of 'x'",
        "M is the size of axis 0 of 'y'",
    ]
    spans = [note.span for note in found.notes]
    assert [s and s.source.text[s.lo : s.hi] for s in spans] == ["N", "M"]
    assert found.render().startswith(f"{found.span and found.span.place}: warning[size-mismatch]: ")
    assert found.instead == (
        "give both one name in the annotations, or say `assert x.shape[0] == y.shape[0]` before"
    )


def test_a_report_in_a_helper_has_the_call() -> None:
    (found,) = found_in(wrong_sizes, "through_a_helper")
    last = found.notes[-1]
    assert last.message == "half_of() is called"
    assert last.span is not None
    assert last.span.source.text[last.span.lo : last.span.hi] == "half_of(x, y)"


def test_what_is_said_to_be_equal_is_no_mistake_any_more() -> None:
    for function in (wrong_sizes.added, wrong_sizes.heads):
        (found,) = found_in(wrong_sizes, name_of(function))
        assertion = found.instead.partition("`")[2].partition("`")[0]
        text = Path(wrong_sizes.__file__).read_text("utf-8")
        start = text.index(f"def {name_of(function)}(")
        body = text.index("    return", start)
        module = live_module(f"{text[:body]}    {assertion}\n{text[body:]}", "mended.py")
        assert not found_in(module, name_of(function))


# ------------------------------------------------------------------------------------- the algebra


LARGE = ({"N": 1009, "M": 2003}, {"N": 4001, "M": 997})


def _large(form: Form, values: Mapping[str, int] = LARGE[0]) -> int:
    return sum(c * math.prod(values[a] for a in m) for m, c in form.terms.items())


def _random_form(rng: np.random.Generator) -> Form:
    form = constant(int(rng.integers(-4, 5)))
    for name in ("N", "M"):
        form = form.plus(atom(name), int(rng.integers(-1, 2)))
    return form


@pytest.mark.parametrize("values", LARGE)
def test_the_size_of_a_slice_is_that_of_pythons_for_large_sizes(values: Mapping[str, int]) -> None:
    rng = np.random.default_rng(5)
    known = 0
    for _ in range(20_000):
        size = _random_form(rng)
        start, stop = (None if rng.random() < 0.3 else _random_form(rng) for _ in range(2))
        step = int(rng.choice([-3, -2, -1, 1, 1, 1, 2, 3]))
        if _large(size, values) < 0:
            continue
        found = size_of_slice(size, start, stop, step, NO_FACTS)
        first = None if start is None else _large(start, values)
        last = None if stop is None else _large(stop, values)
        expected = len(range(*slice(first, last, step).indices(_large(size, values))))
        if found is not None and found.is_promised:
            known += 1
            assert _large(found, values) == expected, (size, start, stop, step)
    assert known > 2_000


def test_forms_compute_as_numbers_do() -> None:
    rng = np.random.default_rng(7)
    for _ in range(500):
        first, second = _random_form(rng), _random_form(rng)
        assert _large(first.plus(second)) == _large(first) + _large(second)
        assert _large(first.minus(second)) == _large(first) - _large(second)
        assert _large(first.times(second)) == _large(first) * _large(second)
        assert first.times(atom("N")).divided(atom("N")) == first
        square = first.times(first).replaced("N", second)
        other = {"N": _large(second), "M": LARGE[0]["M"]}
        assert _large(square) == _large(first, other) ** 2


def _random_quotient(rng: np.random.Generator, facts: Facts) -> tuple[Form, Callable[[int], int]]:
    """Return a form of one name of a size, and what it is of a number."""
    form = atom("N")
    value: Callable[[int], int] = int
    for _ in range(int(rng.integers(1, 6))):
        number_, op = int(rng.integers(1, 5)), int(rng.integers(3))
        if op == 0:
            form, value = form.plus(constant(number_ - 3)), partial(_add, value, number_ - 3)
        elif op == 1:
            form, value = form.times(constant(number_)), partial(_times, value, number_)
        else:
            found = facts.quotient(form, constant(number_))
            assert found is not None
            form, value = found, partial(_over, value, number_)
    return form, value


def _add(value: Callable[[int], int], number: int, n: int) -> int:
    return value(n) + number


def _times(value: Callable[[int], int], number: int, n: int) -> int:
    return value(n) * number


def _over(value: Callable[[int], int], number: int, n: int) -> int:
    return value(n) // number


def test_quotients_that_differ_are_not_equal_for_any_large_size() -> None:
    rng = np.random.default_rng(11)
    facts = Facts(quotients=Quotients())
    differing = 0
    for _ in range(4_000):
        (first, one), (second, other) = (_random_quotient(rng, facts) for _ in range(2))
        if differ(first, second, facts):
            differing += 1
            assert all(one(n) != other(n) for n in range(10_000, 10_060)), (first, second)
        elif first == second:
            assert all(one(n) == other(n) for n in range(10_000, 10_060)), (first, second)
    assert 1_000 < differing < 4_000


def test_the_sign_of_a_form_with_quotients_is_that_of_large_sizes() -> None:
    rng = np.random.default_rng(13)
    facts = Facts(quotients=Quotients())
    for _ in range(2_000):
        (first, one), (second, other) = (_random_quotient(rng, facts) for _ in range(2))
        sign = facts.sign_of(first.minus(second))
        if sign is not None:
            found = {(one(n) > other(n)) - (one(n) < other(n)) for n in range(10_000, 10_060)}
            assert found == {sign}, (first, second)


def test_forms_are_written_as_a_program_writes_them() -> None:
    n, m = atom("N"), atom("M")
    assert str(n.plus(constant(-1))) == "N - 1"
    assert str(n.times(m).plus(n, 2).plus(constant(3))) == "M*N + 2*N + 3"
    assert str(constant(0)) == "0"
    assert str(number("count").minus(n)) == "count - N"
    assert str(quotient(n.plus(constant(1)), constant(2))) == "(N + 1) // 2"
    assert str(quotient(n, m).times(m)) == "(N // M)*M"
