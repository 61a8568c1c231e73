"""Code that nobody can run any more is given back, and no sooner."""

import gc
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scriptc import load, save, script
from scriptc.backends.llvm.loading.callable import Word, get_word
from scriptc.backends.llvm.loading.elfload import Pages
from tests.support.live_source import live_module

REPO = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="LLVM's own linker keeps code")
_NUMBERS = count()


def made(text: str, name: str = "f") -> Any:
    """Return a function or class of a file of its own."""
    return script(vars(live_module(text, f"cell{next(_NUMBERS)}.py"))[name])


def load_other_code() -> None:
    """Have what is not in use given back."""
    number = next(_NUMBERS)
    other = made(f"def f(x):\n    return x + {number}")
    assert other(1) == number + 1


def kept() -> int:
    """Return of how many programs the code is kept."""
    gc.collect()
    return sum(type(thing) is Pages for thing in gc.get_objects())


def is_mapped(address: int) -> bool:
    """Whether there is memory at an address."""
    lines = Path("/proc/self/maps").read_text().splitlines()
    spans = (line.split()[0].split("-") for line in lines)
    return any(int(start, 16) <= address < int(end, 16) for start, end in spans)


def test_a_function_is_freed_with_its_code() -> None:
    before = kept()
    function = made("def f(x):\n    return x * 2.5")
    assert function(2.0) == 5.0
    assert function(np.ones(2)).tolist() == [2.5] * 2
    assert kept() == before + 2
    code = get_word(function, Word.VECTORCALL)
    del function  # nothing else: a notebook does not call the collector
    load_other_code()
    assert not is_mapped(code)
    assert kept() == before


def test_recursive_functions_are_freed_by_the_collector() -> None:
    before = kept()
    module = live_module("def f(n):\n    return 1 if n < 2 else n * f(n - 1)", "recursive.py")
    vars(module)["f"] = script(vars(module)["f"])
    assert vars(module)["f"](5) == 120
    assert kept() == before + 1
    del module
    assert kept() == before


def test_a_running_function_keeps_its_code() -> None:
    text = """
def f(n, seen):
    total = 0
    for k in range(n):
        total += k % 7
        seen[0] = k
    return total
"""
    function, seen = made(text), np.zeros(1, dtype=np.int64)
    function(10, seen)
    results = list[object]()
    rounds = 30_000_000

    def run(held: list[Any]) -> None:
        results.append(held.pop()(rounds, seen))  # only the call holds it

    thread = threading.Thread(target=run, args=([function],))
    thread.start()
    del function
    for _ in range(2):
        gc.collect()
        load_other_code()
    thread.join()
    assert results == [sum(range(7)) * (rounds // 7) + sum(range(rounds % 7))]


def test_what_a_function_has_made_outlives_its_code() -> None:
    function = made("def f(x):\n    return x[::2] * 2, [x, x + 1], 'of ' + str(len(x))")
    given = function(np.arange(4.0))
    del function
    gc.collect()
    load_other_code()
    assert given[0].tolist() == [0.0, 4.0]
    assert given[1][1].tolist() == [1.0, 2.0, 3.0, 4.0]
    assert given[2] == "of 4"


def test_an_exception_outlives_its_code() -> None:
    function = made("def f(x, k):\n    return x[k]")
    with pytest.raises(IndexError) as caught:
        function(np.ones(2), 5)
    del function
    load_other_code()
    assert "index 5" in str(caught.value)


_NODE = """
class Node:
    def __init__(self, name: str, values: list[str]):
        self.name = name
        self.values = values.copy()

    def more(self, text: str) -> int:
        self.values = self.values + [text]
        return len(self.values)
"""


def test_objects_outlive_the_functions_that_have_filled_them() -> None:
    node_class = made(_NODE, "Node")
    fill = made("def f(node, n):\n    node.values = ['v' + str(k) for k in range(n)]")
    node = node_class("a", ["b", "c"])
    assert node.more("d") == 3
    fill(node, 3)
    before = kept()
    del fill
    assert kept() == before  # other code might come to lie in the place of the deleter
    del node_class
    gc.collect()
    load_other_code()
    assert node.values == ["v0", "v1", "v2"]
    assert node.more("w") == 4
    del node  # runs a deleter of the function that is gone
    gc.collect()


def test_classes_are_freed_with_the_code_for_their_objects() -> None:
    before = kept()
    for _ in range(3):
        node_class = made(_NODE, "Node")
        node = node_class("a", ["b"])
        node.more("c")
        assert node.values == ["b", "c"]
        assert kept() > before
        del node, node_class
        load_other_code()  # lists that Python has read from fields are let go at the next call
        assert kept() == before


def test_saved_objects_outlive_their_module(tmp_path: Path) -> None:
    path = tmp_path / "node.scriptc"
    node = made(_NODE, "Node")("a", ["b"])
    node.more("c")
    save(node, path)
    del node
    before = kept()
    for _ in range(2):
        loaded: Any = load(path)
        more: Callable[[str], int] = loaded.more
        del loaded
        gc.collect()
        load_other_code()
        assert more("d") == 3
        del more
        assert kept() == before


_REDEFINED = """
import ctypes, linecache
import numpy as np
from scriptc import script

TEXT = '''
def f(x, n):
    y = np.zeros_like(x)
    for i in range(n):
        y = y + x * {k}.0
    a = [1.0, {k}.0]
    a.append(float(n))
    return y, sum(a)
'''

def resident():
    lines = open("/proc/self/smaps_rollup").read().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Rss"))

for k in range(LAST):
    text, name = TEXT.format(k=k), f"<cell {k}>"
    linecache.cache[name] = len(text), None, text.splitlines(True), name
    space = {"np": np}
    exec(compile(text, name, "exec"), space)
    f = script(space["f"])
    y, total = f(np.ones(3), 2)
    assert total == 3.0 + k and y[0] == 2.0 * k
    del linecache.cache[name]
    if k == FIRST:
        before = resident()
print(resident() - before)
"""


def test_memory_does_not_grow_with_redefinitions(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(_REDEFINED.replace("FIRST", "15").replace("LAST", "50"))
    environment = os.environ | {
        "PYTHONPATH": f"{REPO}:{REPO / 'runtime'}",
        "SCRIPTC_CACHE_DIR": str(tmp_path / "cache"),
    }
    done = subprocess.run(
        [sys.executable, str(program)],
        env=environment, capture_output=True, text=True, timeout=300, check=True,
    )  # fmt: skip
    # Kept for ever, each one would take 600 kB of what compiling it leaves, 20 MB in all. The
    # system gives and takes back large pages of 2 MB as it likes.
    assert int(done.stdout) < 5000


def test_what_a_program_has_frozen_stays_so() -> None:
    kept_for_long = ["of the program"]
    gc.freeze()
    for number in range(2):
        assert made(f"def f(x):\n    return x * {number + 2}")(1) == number + 2
        assert not any(thing is kept_for_long for thing in gc.get_objects())
