"""Scripts in cells of IPython: what its magics compile has a text, and messages name the cell.

A stand-in keeps what was entered and compiles as IPython does; where IPython itself is installed,
the same is done there.
"""

import ast
import codeop
import dis
import importlib.util
import linecache
import sys
import traceback
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from scriptc import ScriptError

SETUP = "from scriptc import script\nimport numpy as np"


class Compiler(codeop.Compile):
    def __init__(self) -> None:
        super().__init__()
        self.cells: dict[str, int] = {}

    def format_code_name(self, name: str) -> tuple[str, str] | None:
        return ("Cell", f"In[{self.cells[name]}]") if name in self.cells else None


class Shell:
    """What IPython is asked for, and how it runs cells and two of its magics."""

    def __init__(self) -> None:
        self.compile = Compiler()
        self.history_manager = self
        self.input_hist_raw = [""]
        self.names: dict[str, Any] = {"__name__": "__main__"}

    def transform_cell(self, text: str) -> str:
        return text.lstrip("\n") + "\n"

    def run(self, cell: str) -> None:
        self.input_hist_raw.append(cell)
        number = len(self.input_hist_raw) - 1
        first, _, rest = cell.partition("\n")
        if first.startswith("%%timeit"):
            return self._timed(rest, first.rpartition(" ")[2])
        if first.startswith(("%%time", "%time")):
            text = rest if first.startswith("%%") else first.partition(" ")[2]
            return self._execute(self.transform_cell(text), "<timed exec>")
        file = f"<ipython-input-{number}-{hash(cell)}>"
        self.compile.cells[file] = number
        linecache.cache[file] = (len(cell), None, cell.splitlines(keepends=True), file)
        return self._execute(cell, file)

    def _execute(self, text: str, file: str) -> None:
        exec(self.compile(ast.parse(text), file, "exec"), self.names)  # pyright: ignore

    def _timed(self, text: str, setup: str) -> None:
        timed = ast.parse("def inner(_it, _timer):\n    for _i in _it: pass\n")
        function: Any = timed.body[0]
        loop: Any = function.body[0]
        loop.body = ast.parse(self.transform_cell(text)).body
        function.body = [*ast.parse(setup).body, loop]
        ast.fix_missing_locations(timed)
        exec(self.compile(timed, "<magic-timeit>", "exec"), self.names)  # pyright: ignore
        self.names["inner"](range(1), None)


def ipythons() -> Callable[[str], None]:
    kind: Any = importlib.import_module("IPython.core.interactiveshell").InteractiveShell
    shell = kind()
    kind._instance = shell  # the one of the process, that `get_ipython` gives

    def run(cell: str) -> None:
        shell.run_cell(cell, store_history=True).raise_error()

    return run


@pytest.fixture(params=["stand-in", "IPython"])
def run(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    if request.param == "IPython":
        if importlib.util.find_spec("IPython") is None:
            pytest.skip("IPython is not installed")
        return ipythons()
    shell, library = Shell(), ModuleType("IPython")
    setattr(library, "get_ipython", lambda: shell)  # noqa: B010
    monkeypatch.setitem(sys.modules, "IPython", library)
    return shell.run


CELL = """\
offset = 1.0

def helper(x):
    return x + offset

@script
def f(x):
    return helper(x) * 2

assert f(1.0) == 4.0
assert script(lambda x: x * 3)(2.0) == 6.0
"""


@pytest.mark.parametrize("magic", ["", "%%time\n", "%%timeit -n1 -r1 \n", "%%timeit -n1 -r1 a=3\n"])
def test_a_cell_runs_under_magics(run: Callable[[str], None], magic: str) -> None:
    run(SETUP)
    run(magic + CELL)
    if "timeit" not in magic:
        run("assert f(2) == 6.0 and f(np.ones(1))[0] == 4.0")
        run("import pickle\nassert pickle.loads(pickle.dumps(f))(3.0) == 8.0")


def test_a_cell_that_is_entered_anew_has_its_own_text(run: Callable[[str], None]) -> None:
    run(SETUP)
    cell = "%%time\n@script\ndef f(x):\n    return x + 1\nassert f(1.0) == 2.0"
    run(cell)
    run("older = f")
    run(cell.replace("x + 1", "x - 1").replace("== 2.0", "== 0.0"))
    run("assert older(1) == 2 and f(1) == 0")  # an int is compiled for now


def test_a_statement_behind_a_magic_runs(run: Callable[[str], None]) -> None:
    run(SETUP)
    run("%time f = script(lambda x: x * 5)")
    run("assert f(2.0) == 10.0")


@pytest.mark.parametrize(
    ("magic", "place"), [("", r"Cell In\[2\]:3:9: "), ("%%time\n", r"Cell In\[2\] in %%time:3:9: ")]
)
def test_messages_name_the_cell(run: Callable[[str], None], magic: str, place: str) -> None:
    run(SETUP)
    with pytest.raises(ScriptError, match=place):
        run(magic + "@script\ndef f(x: float) -> float:\n    y = {}\n    return x\nf(1.0)")


def test_an_exception_of_a_script_is_shown(run: Callable[[str], None]) -> None:
    """IPython looks for the instruction that raised, as rich does: there is one."""
    run(SETUP)
    with pytest.raises(ZeroDivisionError) as raised:
        run("@script\ndef f(x: int) -> int:\n    return 1 // x\nf(0)")
    last = raised.tb
    while last.tb_next is not None:
        last = last.tb_next
    code = last.tb_frame.f_code
    assert last.tb_lasti in {i.offset for i in dis.get_instructions(code)}
    assert set(code.co_positions()) == {(None, None, None, None)}
    assert traceback.extract_tb(raised.tb)[-1].lineno == last.tb_lineno == 3


def test_without_ipython_the_text_is_missing(tmp_path: Any) -> None:
    names: dict[str, Any] = {}
    exec(f"{SETUP}\nf = script(lambda x: x)", names)
    with pytest.raises(ScriptError, match="no-source"):
        names["f"](1.0)
