"""Every notebook of the samples runs from its first cell to its last, and has no outputs."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

REPO = Path(__file__).parents[2]
NOTEBOOKS = sorted((REPO / "samples").glob("*.ipynb"))

# Takes the cells from stdin and stops at the first that raises.
RUN = """\
import json, sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.history_manager.enabled = False
for cell in json.load(sys.stdin):
    shell.run_cell(cell, store_history=True).raise_error()
"""


def _code_cells(notebook: Path) -> "list[dict[str, Any]]":
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_has_no_outputs(notebook: Path) -> None:
    for cell in _code_cells(notebook):
        assert not cell["outputs"], cell["id"]
        assert cell["execution_count"] is None, cell["id"]


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(notebook: Path, tmp_path: Path) -> None:
    cells = ["".join(cell["source"]) for cell in _code_cells(notebook)]
    places = {"IPYTHONDIR": str(tmp_path), "PYTHONPATH": f"{REPO}:{REPO / 'runtime'}"}
    done = subprocess.run(
        [sys.executable, "-c", RUN],
        input=json.dumps(cells),
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | places,
    )
    assert done.returncode == 0, done.stdout + done.stderr
