"""A function is compiled for the pattern of a call's sizes, and does nothing else for that."""

# The programs have no annotations: their types are those of the calls.
# pyright: basic

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from scriptc import load, save, script
from scriptc.specialise import specialise as specialising
from scriptc.types import M, N, f64
from scriptc.values.size_patterns import NUMBERS, PATTERNS, fits, sizes_of
from scriptc_runtime.errors import TypeCheckError
from tests.support.outcomes import freeze

REPO = Path(__file__).parents[2]
Array = npt.NDArray[np.float64]


@pytest.fixture
def compiled(empty_cache: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the functions that were compiled since the test began."""
    del empty_cache  # so that nothing is found there
    names: list[str] = []
    original = specialising.specialise

    def specialise(request: Any, *others: Any) -> object:
        names.append(request.name)
        return original(request, *others)

    monkeypatch.setattr(specialising, "specialise", specialise)
    return names


def array(*shape: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed).standard_normal(shape)


def result(function: Callable[..., Any], arguments: Sequence[object]) -> object:
    """Return what a call gives, or the class and the message of what it raises."""
    try:
        return freeze(function(*arguments))
    except ValueError as error:
        return type(error).__name__, str(error)


def agree(scripted: Any, *arguments: object) -> None:
    assert result(scripted, arguments) == result(scripted.python, arguments)


def _mixed(x, y, z):
    r = np.zeros_like(x) + x * y
    s = np.where(r > 0.0, r - z, y * 0.5)
    r += 1.0
    return r, s * r, s.sum(axis=0), s[1:] - s[:-1]


def test_a_thousand_random_shapes_compile_five_times(compiled: list[str]) -> None:
    scripted = script(_mixed)
    rng = np.random.default_rng(5)
    for number in range(1000):
        axes = rng.choice([0, 1, 1, 2, 3, 4, 7], 2)
        shapes = [[int(n) if rng.random() < 0.7 else int(rng.integers(0, 5)) for n in axes]]
        shapes += [[int(n) if rng.random() < 0.8 else 1 for n in shapes[0]] for _ in range(2)]
        rng.shuffle(shapes)
        agree(scripted, *(array(*shape, seed=number) for shape in shapes))
    assert 1 < len(compiled) <= PATTERNS + 1


def test_layouts_of_random_shapes_add_no_compilation(compiled: list[str]) -> None:
    def fitted(x, y):
        return x * 2.0 + y, (x - y).sum(axis=0)

    scripted = script(fitted)
    rng = np.random.default_rng(7)
    for number in range(300):
        shapes = [[int(rng.choice([1, 1, 3, 4])) for _ in range(2)] for _ in range(2)]
        x, y = (array(*shape, seed=number) for shape in shapes)
        match number % 4:
            case 1:
                x = np.asfortranarray(x)
            case 2:
                y = array(shapes[1][0], 2 * shapes[1][1])[::-1, ::2]
            case 3:
                y = x[::-1]
        agree(scripted, x, y)
    assert 1 < len(compiled) <= PATTERNS + 1


def test_a_new_size_of_a_known_pattern_does_not_compile(compiled: list[str]) -> None:
    scripted = script(_mixed)
    for rows, columns in [(3, 4), (5, 5), (1, 7), (7, 1), (1, 1), (0, 3), (3, 0), (0, 0), (40, 2)]:
        agree(scripted, *(array(rows, columns, seed=n) for n in range(3)))
    assert len(compiled) == 1


def test_code_for_one_pattern_of_sizes_is_not_given_another(compiled: list[str]) -> None:
    def row_sums(x, y):
        return (x + y).sum(axis=1)

    scripted = script(row_sums)
    shapes = [(2, 2), (3, 4), (1, 4), (3, 1), (1, 1)]
    for _ in range(2):
        for first in shapes:
            for second in shapes:
                agree(scripted, array(*first), array(*second, seed=1))
    assert len(compiled) <= PATTERNS + 1


def test_columns_of_matrices_of_several_columns_have_a_pattern(compiled: list[str]) -> None:
    def first_column(x):
        return np.sqrt(np.abs(x[:, 0])) * 2.0 + x[..., -1] + x.T[0][::-1]

    scripted = script(first_column)
    shapes = [(5, 3), (4, 2), (0, 3), (1, 7), (5, 1), (1, 1), (0, 1), (3, 3)]
    for rows, columns in shapes:
        agree(scripted, array(rows, columns))
        agree(scripted, array(columns, rows).T)
        agree(scripted, array(2 * rows, 2 * columns)[::2, ::-2])
    # Several columns, one, and both in any layout: matrices with as many rows are no others.
    assert len(compiled) <= PATTERNS + 1


def test_the_weaker_pattern_serves_where_nothing_more_is_asked(compiled: list[str]) -> None:
    def product(x, y):
        return x @ y

    scripted = script(product)
    for n, m, k in [(2, 3, 4), (3, 3, 3), (4, 3, 4), (1, 2, 3), (3, 2, 1), (5, 6, 5)]:
        assert np.allclose(scripted(array(n, m), array(m, k)), array(n, m) @ array(m, k))
    assert len(compiled) == 1
    with pytest.raises(ValueError, match="matmul"):
        scripted(array(2, 3), array(4, 2))


def test_a_call_that_fails_does_not_decide_for_those_that_do_not(compiled: list[str]) -> None:
    def total(x, y):
        return x + y

    scripted = script(total)
    agree(scripted, array(3), array(4))
    agree(scripted, array(3), array(3))
    agree(scripted, array(3), array(1))
    agree(scripted, array(5), array(6))
    agree(scripted, array(7), array(7))
    assert len(compiled) == 3


# With annotations.


def _weighed(x: f64[N, M], w, y: f64[N, M]) -> f64[N, M]:
    return x * w + y


def test_names_of_sizes_keep_their_meaning(compiled: list[str]) -> None:
    scripted = script(_weighed)
    for shape in [(2, 3), (3, 3), (3, 2), (1, 1), (0, 2), (4, 5)]:
        for other in [shape, (1, shape[1]), (shape[0], 1), (1, 1)]:
            agree(scripted, array(*shape), array(*other, seed=1), array(*shape, seed=2))
    before = len(compiled)
    assert before <= PATTERNS + 1
    for w in (array(2, 3), array(1, 3), array(2, 2), array(1, 1)):
        with pytest.raises(ValueError, match="N is 2 in parameter 'x', but 4 in parameter 'y'"):
            scripted(array(2, 3), w, array(4, 3))


@pytest.mark.filterwarnings("ignore::scriptc.SizeWarning")
def test_sizes_that_are_all_named_are_one_pattern(compiled: list[str]) -> None:
    def added(x: f64[N], y: f64[M]) -> f64[N]:
        return x + y

    scripted = script(added)
    for first, second in [(3, 3), (3, 1), (1, 3), (1, 1), (4, 5), (0, 1)]:
        agree(scripted, array(first), array(second))
    assert len(compiled) == 1


def test_axes_that_an_annotation_leaves_open_have_a_pattern() -> None:
    def scaled(x: f64[...], y: f64[...], pair: tuple[f64[...], f64[3]]) -> f64[...]:  # pyright: ignore
        return x * y + pair[0] - pair[1]

    scripted = script(scaled)
    for n in (3, 1, 4, 3):
        for m in (n, 1):
            agree(scripted, array(n), array(m), (array(n), array(3)))
    with pytest.raises(ValueError, match="has an axis of size 4, not 3"):
        scripted(array(3), array(3), (array(3), array(4)))


def test_compile_takes_the_names_in_types_for_a_pattern(compiled: list[str]) -> None:
    def total(x, y):
        return x + y

    scripted = script(total)
    scripted.compile(f64[N], f64[N])
    scripted.compile(array(3), array(1))
    assert len(compiled) == 2
    agree(scripted, array(4), array(4))
    agree(scripted, array(4), array(1))
    assert len(compiled) == 2


# What a program means does not depend on the pattern it is compiled for.


def test_what_is_refused_does_not_depend_on_sizes() -> None:
    def squeezed(x):
        return np.squeeze(x)

    for shape in [(1, 1), (1, 3), (2, 3)]:
        with pytest.raises(TypeCheckError, match="which axes have size 1"):
            script(squeezed)(array(*shape))


def test_types_do_not_depend_on_sizes() -> None:
    def counted(x, y):
        n = x.shape[0]
        if n == 1:
            return n, y
        return n * 2, np.ones((3, 3)) @ y + x

    scripted = script(counted)
    for n in (1, 3, 1, 3):
        got, want = scripted(array(n, 3), array(3, 3)), counted(array(n, 3), array(3, 3))
        assert type(got[0]) is int
        assert got[0] == want[0]
        assert np.allclose(got[1], want[1])
    # In a part of the program that does not run for such sizes they would not fit.
    one = scripted(array(1, 3), array(1, 2))
    assert one[1].shape == (1, 2)


def test_what_never_fits_raises_as_numpy_does() -> None:
    def product(x):
        return np.ones((3, 3)) @ x

    scripted = script(product)
    for shape in [(1, 2), (3, 2), (2, 2), (1, 1), (3, 3)]:
        agree(scripted, array(*shape))


def test_arrays_that_change_their_sizes_in_a_loop() -> None:
    def grown(x, y, rounds):
        a, b = x, y
        for _ in range(rounds):
            a, b = a[1:] + b[:-1], np.append(a[1:], 2.0)[:-1]
        c = a
        while c.shape[0] > 2:
            c = c[:-1] * c[1:]
        return a + b, c

    scripted = script(grown)
    for rounds in (0, 1, 3):
        for n in (8, 5, 9):
            agree(scripted, array(n), array(n, seed=1), rounds)


def test_sizes_that_change_after_many_rounds() -> None:
    def shifted(x, y, rounds):
        a = b = c = d = e = f = g = h = x
        for _ in range(rounds):
            a, b, c, d, e, f, g, h = b, c, d, e, f, g, h, h[:1]
        return a + y, h

    scripted = script(shifted)
    for rounds in (0, 3, 7, 8, 9):
        agree(scripted, array(4), array(4, seed=1), rounds)


def test_captured_arrays_and_fields_have_any_sizes(compiled: list[str]) -> None:
    weights = array(3)

    @script
    class Scale:
        def __init__(self, by):
            self.by = by

        def apply(self, x, y):
            return x * self.by + y

    def weighed(x, y):
        return x * weights + y

    scripted = script(weighed)
    for n, m in [(3, 3), (1, 3), (3, 1), (1, 1), (3, 3)]:
        agree(scripted, array(n), array(m))
        scale = Scale(array(m))
        assert np.array_equal(scale.apply(array(n), array(n)), array(n) * array(m) + array(n))
    for _ in range(2):
        agree(scripted, array(4), array(4))
    assert sum(name.endswith("Scale") for name in compiled) == 1


def test_a_function_that_calls_itself_takes_other_sizes_inside() -> None:
    def halved(x, y):
        if x.shape[0] < 2:
            return (x * y).sum()
        m = x.shape[0] // 2
        return halved(x[:m], y[:1]) + halved(x[m:], y)

    scripted = script(halved)
    for n in (1, 2, 7):
        assert np.isclose(scripted(array(n), array(1)), halved(array(n), array(1)))


def test_callees_know_the_sizes_of_their_arguments_or_do_not() -> None:
    def inner(x, y):
        r = x
        for i in range(3):
            r = r * y + i if i != 1 else r - y
        return r, y + r

    def outer(x, y):
        a, b = inner(x, y)
        c, d = inner(y, x)
        e, f = inner(a[1:], y[:1])
        return a + c, b * d, e, f

    scripted = script(outer)
    for n, m in [(4, 4), (4, 1), (1, 4), (1, 1), (5, 5)]:
        agree(scripted, array(n), array(m, seed=1))


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (2, 0, 3, 1)])
def test_layouts_have_the_same_patterns(order: Sequence[int], compiled: list[str]) -> None:
    def added(x, y):
        y += x * 2.0
        return x.T + y.T

    scripted = script(added)
    layouts: list[Callable[[Array], Array]] = [
        np.ascontiguousarray, np.asfortranarray, lambda a: a[::-1], lambda a: a[:, ::-2],
    ]  # fmt: skip
    for number in order:
        x, y = layouts[number](array(4, 6)), layouts[number](array(4, 6, seed=1))
        other = y.copy(order="K")
        assert freeze(scripted(x, y)) == freeze(added(x, other))
        assert np.array_equal(y, other)
    whole = array(9, 3)
    for view in (whole[1:], whole[:-1][::-1], whole):
        twin = whole.copy()
        start = (view.__array_interface__["data"][0] - whole.__array_interface__["data"][0]) // 8
        same = np.ndarray(view.shape, view.dtype, twin, 8 * start, view.strides)
        assert freeze(scripted(whole[: len(view)], view)) == freeze(added(twin[: len(view)], same))
        assert np.array_equal(whole, twin)
    # One for arrays that lie plainly, if such a call was the first, and one for all.
    assert len(compiled) == (2 if order[0] == 0 else 1)


def test_patterns_give_the_bits_of_the_general_code(tmp_path: Path) -> None:
    def many(x, y):
        d = np.exp(x) - y / 3.0
        return d.sum(), d.mean(axis=0), d.var(), np.dot(d.ravel(), d.ravel()), d.max(axis=1)

    scripted = script(many)
    save({"many": scripted.sig(f64[M, N], np.ones((1, 1)))}, tmp_path / "many")
    general = load(tmp_path / "many")
    for n, m in [(1, 1), (1, 40), (40, 1), (33, 33), (70, 129), (1, 1000), (1000, 1), (257, 3)]:
        for shape in [(n, m), (1, m), (n, 1), (1, 1)]:
            x, y = array(n, m), array(*shape, seed=1)
            assert freeze(scripted(x, y)) == freeze(general.many(x, y))


# The cache, and who else may be there.


PROGRAM = """\
import sys
import numpy as np
from scriptc import script

@script
def f(x, y):
    return x * y + x

for shapes in SHAPES:
    x, y = (np.arange(float(np.prod(s))).reshape(s) for s in shapes)
    assert np.array_equal(f(x, y), f.python(x, y))
print(*(name for name in ("llvmlite", "lark", "scriptc.driver") if name in sys.modules))
"""


def _run(folder: Path, shapes: object) -> str:
    file = folder / "program.py"
    # Edits of the list are no edits of the function: it does not read it.
    file.write_text(PROGRAM.replace("SHAPES", repr(shapes)))
    environment = os.environ | {
        "PYTHONPATH": f"{REPO}:{REPO / 'runtime'}",
        "SCRIPTC_CACHE_DIR": str(folder / "cache"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [sys.executable, str(file)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_later_start_finds_the_code_of_each_pattern(tmp_path: Path) -> None:
    equal, row, column, one = ((3, 4), (3, 4)), ((3, 4), (4,)), ((3, 4), (3, 1)), ((3, 4), (1, 1))
    assert _run(tmp_path, [equal, row, column]) != ""
    assert _run(tmp_path, [column, equal, row]) == ""
    assert _run(tmp_path, [((9, 9), (9, 9)), ((5, 9), (9,))]) == ""
    assert _run(tmp_path, [one, equal]) != ""
    assert _run(tmp_path, [one, equal, column, ((7, 2), (7, 1))]) == ""


def test_a_later_start_finds_the_general_code(tmp_path: Path) -> None:
    sizes = [(3, 4), (1, 4), (3, 1), (1, 1)]
    every = [(first, second) for first in sizes for second in sizes]
    assert _run(tmp_path, every) != ""
    assert _run(tmp_path, every[::-1]) == ""
    assert _run(tmp_path, every[7:]) == ""


def test_threads_may_bring_different_patterns() -> None:
    scripted = script(_mixed)
    shapes = [(3, 4), (1, 4), (3, 1), (1, 1), (4, 4), (0, 4)]

    def work(number: int) -> bool:
        for round_ in range(30):
            x, y, z = (array(*shapes[(number + k * round_) % 4], seed=k) for k in range(3))
            if result(scripted, (x, y, z)) != result(_mixed, (x, y, z)):
                return False
        return True

    with ThreadPoolExecutor(6) as pool:
        assert all(pool.map(work, range(6)))


def test_the_interpreter_needs_no_patterns() -> None:
    scripted = script(_mixed, backend="interp")
    for shape in [(3, 4), (1, 4), (3, 1)]:
        agree(scripted, array(3, 4), array(*shape), array(1, 1))
    assert [len(known) for known in scripted._older.values()] == [1]


def test_sizes_are_those_of_all_arrays_in_their_order() -> None:
    values = [array(2, 1), 3, (array(4), (1.5, array(1, 2))), [array(9)], None]
    first = len(NUMBERS)
    assert sizes_of(values) == [*NUMBERS, 2, 1, 4, 1, 2]
    assert fits((((first + 1, 0), (first + 4, first)), ((0, first + 2),)), sizes_of(values))
    assert not fits((((first, 0),), ()), sizes_of(values))
    assert not fits(((), ((first, first + 4),)), sizes_of(values))


def test_many_short_rows_have_a_pattern_of_their_length(compiled: list[str]) -> None:
    def turned(points, matrix, shift):
        return points @ matrix + shift, points[:, 0] * points[:, -1]

    scripted = script(turned)
    for count in (40, 9, 8, 1000):
        agree(scripted, array(count, 3), array(3, 3), array(3))
    assert len(compiled) == 1
    agree(scripted, array(40, 4), array(4, 4), array(4))
    assert len(compiled) == 2
    for length in (5, 6, 9):  # a row of any length: their code is one
        agree(scripted, array(40, length), array(length, length), array(length))
    assert len(compiled) == 3


def test_few_short_rows_are_rows_of_any_length(compiled: list[str]) -> None:
    def scaled(x, y):
        return x * y.sum()

    scripted = script(scaled)
    for rows, columns in [(2, 3), (7, 2), (3, 4), (2, 2), (60, 7)]:
        agree(scripted, array(rows, columns), array(5))
    assert len(compiled) == 1
