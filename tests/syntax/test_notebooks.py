"""Scripts in cells of IPython: what its magics compile has a text, and messages name the cell."""

import dis
import importlib
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from scriptc import ScriptError

SETUP = "from scriptc import script\nimport numpy as np"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[[str], None]]:
    """What runs a cell in a shell of its own, which writes to a temporary folder alone."""
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    kind: Any = importlib.import_module("IPython.core.interactiveshell").InteractiveShell
    shell = kind.instance()

    def run_cell(cell: str) -> None:
        shell.run_cell(cell, store_history=True).raise_error()

    yield run_cell
    shell.history_manager.end_session()
    kind.clear_instance()


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
        run(magic + "@script\ndef f(x: float) -> float:\n    y = x.none\n    return x\nf(1.0)")


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
    assert set(code.co_positions()) == {(3, 3, None, None)}
    assert last.tb_frame.f_lineno == 3  # debuggers, and IPython's tracebacks with context, ask it
    assert traceback.extract_tb(raised.tb)[-1].lineno == last.tb_lineno == 3


def test_without_ipython_the_text_is_missing() -> None:
    names: dict[str, Any] = {}
    exec(f"{SETUP}\nf = script(lambda x: x)", names)
    with pytest.raises(ScriptError, match="no-source"):
        names["f"](1.0)
