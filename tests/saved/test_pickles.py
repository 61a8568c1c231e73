"""Scripted functions, classes and objects in pickles and copies: what comes back does the same."""

import copy
import io
import linecache
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import scriptc
import scriptc_runtime
from scriptc import script
from scriptc.types import N, dim, f64
from tests.support.live_source import live_module

# Types come from the calls, and classes are defined in texts.
# pyright: basic

REPO = Path(__file__).parents[2]
TEXT = '''
from __future__ import annotations
import math
from dataclasses import dataclass, field
import numpy as np
import numpy.linalg as la
from scriptc import script
from scriptc.types import N, f64

TABLE = np.arange(4.0)
FACTOR, NAMES = 3.0, ("a", "b")

def tripled(x):
    """A function without @script that calls another one, and itself."""
    return rest(x) * FACTOR if x > 0 else tripled(-x)

def rest(x):
    return x - math.floor(x)

@script
def table(x, i=1):
    return tripled(x) + TABLE[i]

@script
def factorial(n: int) -> int:
    return 1 if n < 2 else n * factorial(n - 1)

@script
def norm(x: f64[N], *, scale: float = 2.0) -> float:
    return la.norm(x) * scale

def adder(step):
    @script
    def add(x):
        return x + step
    return add

add_one, add_table = adder(1.0), adder(np.ones(2))
halved = script(lambda x: x / 2)

@script
class Node:
    """Knows the next one."""
    other: Node | None
    names = "left"

    def __init__(self, value: float, xs: f64[N]) -> None:
        self.value = value
        self.xs = xs
        self.other = None

    def total(self) -> float:
        found = self.value + self.xs.sum() + TABLE.sum()
        if self.other is not None:
            found += self.other.value
        return found

    def clone(self, value: float) -> Node:
        return Node(value, self.xs)

    @staticmethod
    def square(x: float) -> float:
        return x * x

    @property
    def first(self) -> float:
        return self.xs[0]

@script
@dataclass(order=True)
class Pair:
    a: float
    b: float = field(default=2.0, repr=False)

    def product(self) -> float:
        return self.a * self.b * Node.square(1.0)

@script
class Holder:
    """Holds objects and lists."""
    def __init__(self, nodes: list[Node], numbers: list[float], pair: tuple[Pair, int]) -> None:
        self.nodes = nodes.copy()
        self.numbers = numbers.copy()
        self.pair = pair

    def count(self) -> int:
        return len(self.nodes) + len(self.numbers) + self.pair[1]

@script
class Open:
    def __init__(self, values):
        self.values = values

    def last(self):
        return self.values[-1]
'''


@pytest.fixture(params=["llvm", "interp"])
def module(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The text as a main script, which no other process can import."""
    monkeypatch.setenv("SCRIPTC_BACKEND", request.param)
    return main_script(TEXT, f"pickled-{request.param}.py")


def main_script(text: str, file: str) -> Any:
    return live_module(text, file, "__main__")


def again(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


def ring(module: Any) -> Any:
    first, second = module.Node(1.0, np.ones(3)), module.Node(2.0, np.ones(2))
    second.xs = first.xs
    first.other, second.other = second, first
    return first


# ------------------------------------------------------------------------------------- functions


def calls(module: Any) -> Iterator[tuple[str, Any, tuple[object, ...]]]:
    yield "table", module.table, (1.5,)
    yield "factorial", module.factorial, (5,)
    yield "norm", module.norm, (np.ones(4),)
    yield "add_one", module.add_one, (1.0,)
    yield "add_table", module.add_table, (np.ones(2),)
    yield "halved", module.halved, (5.0,)
    yield "square", module.Node.square, (3.0,)


def test_a_function_that_cannot_be_imported_comes_back_as_one_that_does_the_same(
    module: Any,
) -> None:
    for name, function, arguments in calls(module):
        back = again(function)
        assert type(back) is type(function), name
        assert back.__name__ == function.__name__
        assert str(back(*arguments)) == str(function(*arguments)) == str(back(*arguments)), name
        assert str(back.python(*arguments)) == str(function.python(*arguments))
        assert str(again(back)(*arguments)) == str(function(*arguments)), name
        assert copy.copy(function) is copy.deepcopy(function) is function


def test_functions_that_differ_in_what_they_capture_stay_different(module: Any) -> None:
    made = [module.adder(np.full(2, float(i))) for i in range(3)]
    back = [again(add) for add in made]
    assert [add(np.zeros(2))[0] for add in back] == [0.0, 1.0, 2.0]
    numbers = again([module.adder(float(i)) for i in range(3)])
    assert [add(0.0) for add in numbers] == [0.0, 1.0, 2.0]


def test_what_code_and_constants_decide_on_is_one_function_however_often_it_comes(
    module: Any,
) -> None:
    data = pickle.dumps([module.factorial, module.table])
    (first, one), (second, other) = pickle.loads(data), pickle.loads(data)
    assert first is second
    assert one is not other  # each has its array
    one.python.__globals__["TABLE"][1] = 9.0
    assert (one(0.5), other(0.5)) == (10.5, 2.5)


def test_a_name_that_means_something_else_now_goes_with_its_new_meaning(module: Any) -> None:
    assert again(module.table)(1.5) == 2.5
    module.FACTOR = 10.0
    assert again(module.table)(1.5) == module.table(1.5) == 6.0
    module.TABLE = np.full(4, 0.5)
    assert again(module.table)(1.5) == 5.5


def test_an_importable_function_goes_by_name() -> None:
    assert pickle.loads(pickle.dumps(IMPORTABLE)) is IMPORTABLE
    assert len(pickle.dumps(IMPORTABLE)) < 80
    assert again(Importable) is Importable
    assert again(Importable.grown) is Importable.grown
    made = Importable(2.0)
    assert again(made.grown)(1.0) == 3.0
    assert type(again(made)) is Importable
    assert len(pickle.dumps(made)) < 300


@script
def IMPORTABLE(x: float) -> float:
    return x


@script
class Importable:
    def __init__(self, x: float) -> None:
        self.x = x

    def grown(self, by: float) -> float:
        return self.x + by


def test_a_text_that_is_another_one_there_goes_under_another_name(module: Any) -> None:
    file = module.table.python.__code__.co_filename
    data = pickle.dumps((module.table, module.halved))
    kept = linecache.cache[file]
    try:
        # As on a machine that has an older version of the program at this place.
        lines = ["# older\n", *TEXT.splitlines(keepends=True)]
        linecache.cache[file] = (sum(map(len, lines)), None, lines, file)
        table, halved = pickle.loads(data)
        assert table(1.5) == 2.5
        assert halved(3.0) == 1.5
        assert table.python.__code__.co_filename.startswith(f"{file} (")
    finally:
        linecache.cache[file] = kept


def test_code_of_another_python_is_refused(module: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    tag = sys.implementation.cache_tag
    data = pickle.dumps(module.table).replace(tag.encode(), tag.encode()[:-2] + b"99")
    with pytest.raises(TypeError, match=f"was pickled by .*and this is {tag}"):
        pickle.loads(data)


# --------------------------------------------------------------------------------------- objects


def test_an_object_comes_back_with_its_fields_and_methods(module: Any) -> None:
    node = module.Node(1.0, np.arange(3.0))
    for back in (again(node), copy.deepcopy(node), copy.copy(node)):
        assert back is not node
        assert back.total() == node.total() == 10.0
        assert back.value == 1.0
        assert back.first == 0.0
        back.value = 2.0
        assert node.value == 1.0
    back = again(node)
    assert type(back).__name__ == "Node"
    assert type(back).__doc__ == "Knows the next one."
    assert back.square(2.0) == 4.0
    assert type(back.clone(3.0)) is type(back)
    assert again(back).total() == 10.0
    assert again(node.total)() == 10.0


def test_a_copy_shares_what_the_object_holds_and_a_deep_one_does_not(module: Any) -> None:
    node = ring(module)
    shallow, deep = copy.copy(node), copy.deepcopy(node)
    assert shallow.xs is node.xs
    assert shallow.other is node.other
    assert deep.xs is not node.xs
    assert not np.shares_memory(deep.xs, node.xs)
    assert deep.other is not node.other
    assert deep.other.other is deep
    assert deep.other.xs is deep.xs
    deep.xs[0] = 9.0
    assert deep.total() == node.total() + 8.0


def test_what_is_one_stays_one(module: Any) -> None:
    node = ring(module)
    array = node.xs
    for back in (again([node, array, node.other]), copy.deepcopy([node, array, node.other])):
        first, xs, second = back
        assert first.other is second
        assert second.other is first
        assert first.xs is second.xs is xs
    # Also where the array was made in a script, and Python has another object for it each time.
    made = node.clone(3.0)
    made.xs = module.norm.python.__globals__["np"].ones(2)
    pair = again([made, made.clone(4.0)])
    assert pair[0].xs is pair[1].xs


def test_objects_in_lists_tuples_and_optionals(module: Any) -> None:
    node = ring(module)
    holder = module.Holder([node, node.other], [1.0, 2.0], (module.Pair(3.0), 4))
    for back in (again(holder), copy.deepcopy(holder)):
        assert back.count() == holder.count() == 8
        assert back.nodes[0].other is back.nodes[1]
        assert back.nodes[0] is not node
        assert back.numbers == [1.0, 2.0]
        assert back.pair[0].product() == 6.0
    empty = again(module.Holder([], [], (module.Pair(1.0), 0)))
    assert empty.count() == 0
    assert empty.nodes == []


def test_a_dataclass_is_one_again(module: Any) -> None:
    pair = module.Pair(1.0, 5.0)
    back = again(pair)
    assert back.product() == 5.0
    assert repr(back) == repr(pair) == "Pair(a=1.0)"
    assert again([pair, pair])[0] == again(pair)
    assert again(pair) < again(module.Pair(2.0))
    assert copy.deepcopy(pair) == pair


def test_fields_that_come_from_calls(module: Any) -> None:
    for values in (np.arange(3.0),):
        made = module.Open(values)
        assert again(made).last() == 2.0
        assert copy.deepcopy(made).last() == 2.0


def test_objects_that_come_one_after_the_other_are_of_one_class(module: Any) -> None:
    data = pickle.dumps(module.Node(1.0, np.ones(1)))
    first, second = pickle.loads(data), pickle.loads(data)
    assert type(first) is type(second)
    module.TABLE = np.full(4, 2.0)
    third = again(module.Node(1.0, np.ones(1)))
    assert type(third) is type(first)
    assert third.total() == first.total() == 10.0  # what the name means now


def test_an_array_that_comes_read_only_is_copied(module: Any) -> None:
    class Unpickler(pickle.Unpickler):
        """As that of joblib: large arrays are files, which are not written."""

        def find_class(self, module_name: str, global_name: str) -> Any:
            found = super().find_class(module_name, global_name)
            return frozen if global_name in ("_reconstruct", "_frombuffer") else found

    def frozen(*args: Any) -> Any:
        return np.full(3, 2.0).view(ReadOnly)

    data = pickle.dumps(module.Node(1.0, np.ones(3)))
    back = Unpickler(io.BytesIO(data)).load()
    assert type(back.xs) is np.ndarray
    assert back.xs.flags.writeable
    assert back.total() == 13.0


class ReadOnly(np.ndarray):
    def __array_finalize__(self, obj: object) -> None: ...

    def __setstate__(self, state: object) -> None:
        self.flags.writeable = False


def test_an_object_without_fields_is_neither_pickled_nor_completed_twice(module: Any) -> None:
    node = module.Node(1.0, np.ones(1))
    with pytest.raises(TypeError, match="never initialised"):
        pickle.dumps(object.__new__(module.Node))
    with pytest.raises(TypeError, match="has its fields already"):
        node.__setstate__({"value": 1.0, "xs": np.ones(1), "other": None})
    assert node.total() == 8.0


def test_a_class_by_its_members_is_refused_with_the_way_out(module: Any) -> None:
    with pytest.raises(TypeError, match="put it into a module, which other processes import"):
        pickle.dumps(module.Node.__new__.__closure__[1].cell_contents)  # its constructor


# ------------------------------------------------------------------------------- loaded modules


@script
class Counter:
    def __init__(self, count: f64[N]) -> None:
        self.count = count

    def add(self, x: f64[N]) -> float:
        self.count += x
        return self.count.sum()


@pytest.mark.parametrize("load", [scriptc.load, scriptc_runtime.load])
def test_loaded_entries_and_modules_go_as_the_bytes_of_their_file(
    load: Callable[[Path], Any], tmp_path: Path
) -> None:
    @script
    def doubled(x: f64[N]) -> f64[N]:
        return x * 2.0

    scriptc.save({"doubled": doubled}, tmp_path / "function.scriptc")
    module = load(tmp_path / "function.scriptc")
    back = again(module.doubled)
    assert back(np.ones(2)).tolist() == [2.0, 2.0]
    assert repr(back) == repr(module.doubled)
    assert again(module.doubled) is back  # nothing in it can change
    assert copy.deepcopy(module).doubled(np.ones(1)).tolist() == [2.0]

    scriptc.save(Counter(np.zeros(2)), tmp_path / "object.scriptc")
    counter = load(tmp_path / "object.scriptc")
    assert counter.add(np.ones(2)) == 2.0
    copies = [again(counter), copy.deepcopy(counter), copy.copy(counter)]
    assert counter.add(np.ones(2)) == 4.0
    for other in copies:
        assert other.count.tolist() == [1.0, 1.0]
        assert other.add(np.ones(2)) == 4.0
    entry = again(counter.add)
    assert entry(np.ones(2)) == 6.0
    assert counter.count.tolist() == [2.0, 2.0]


def test_annotations_pickle() -> None:
    for annotation in (f64[N, 3], f64, dim("width"), f64[N] | None, N):
        assert str(again(annotation)) == str(annotation)
    assert again(f64) is f64


# -------------------------------------------------------------------------------- other processes


def run(folder: Path, program: str, **variables: str) -> list[str]:
    paths = os.pathsep.join([str(REPO), str(REPO / "runtime")])
    folders = {"PYTHONPATH": paths, "TMPDIR": str(folder), **variables}
    result = subprocess.run(
        [sys.executable, program],
        env={**os.environ, **folders},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines()


def test_another_process_reads_what_it_cannot_import(tmp_path: Path) -> None:
    """Also where scripts are disabled: then they are plain functions and classes there."""
    module = main_script(TEXT, str(tmp_path / "gone.py"))
    values = (module.table, module.add_table, ring(module), module.Pair(2.0), module.factorial)
    (tmp_path / "values.pickle").write_bytes(pickle.dumps(values))
    (tmp_path / "reader.py").write_text(
        "import pickle, numpy as np\n"
        f"values = pickle.load(open({str(tmp_path / 'values.pickle')!r}, 'rb'))\n"
        "table, add, node, pair, factorial = values\n"
        "print(float(table(1.5)), add(np.zeros(2)).tolist(), node.total())\n"
        "print(node.other.other is node, pair.product(), pair, factorial(4))\n"
        "print(type(table).__name__)\n"
    )
    lines = ["2.5 [1.0, 1.0] 12.0", "True 4.0 Pair(a=2.0) 24"]
    for disabled, kind in (("0", "ScriptFunction"), ("1", "function")):
        found = run(tmp_path, str(tmp_path / "reader.py"), SCRIPTC_DISABLE=disabled)
        assert found == [*lines, kind]


MAIN = (
    TEXT
    + """
def work(i):
    return float(table(i + 0.5)), factorial(i)

if __name__ == "__main__":
    import multiprocessing
    node = Node(1.0, np.ones(3))
    node.other = Node(2.0, node.xs)
    holder = Holder([node], [1.0], (Pair(1.0), 1))

    def show(what, run):
        made = run(node.clone, [5.0])[0]
        print(what, run(work, [1, 2]), run(factorial, [3, 4]), run(node.total, *TOTAL)[0],
              run(holder.count, *TOTAL)[0], type(made) is Node, type(run(Pair, [1.0])[0]) is Pair)

    TOTAL = ([()],)
    for method in ("spawn", "fork"):
        with multiprocessing.get_context(method).Pool(1) as pool:
            def run(f, arguments):
                return pool.starmap(f, [a if a == () else (a,) for a in arguments])
            show(method, run)
    try:
        import joblib
    except ImportError:
        joblib = None
    if joblib:
        with joblib.Parallel(n_jobs=2) as parallel:
            def run(f, arguments):
                if f is Pair:
                    return [Pair(1.0)]
                return parallel(joblib.delayed(f)(*(() if a == () else (a,))) for a in arguments)
            show("loky", run)
            made = parallel(joblib.delayed(lambda p: p)(p) for p in [Pair(3.0)])
            print(type(made[0]) is Pair, made[0].product())
"""
)


def test_functions_and_objects_of_the_main_script_go_to_workers(tmp_path: Path) -> None:
    """By spawn and fork, and by joblib's loky, which pickles the main script by value."""
    (tmp_path / "main.py").write_text(MAIN)
    lines = run(tmp_path, str(tmp_path / "main.py"))
    told = "[(2.5, 1), (2.5, 2)] [6, 24] 12.0 3 True True"
    assert lines[:2] == [f"spawn {told}", f"fork {told}"]
    if len(lines) > 2:
        assert lines[2:] == [f"loky {told}", "True 6.0"]
