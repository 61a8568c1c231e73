"""The programs of samples/programs: CPython, the interpreter and machine code give the same."""

import importlib
from pathlib import Path

import pytest

from scriptc import script

FOLDER = Path(__file__).parents[2] / "samples" / "programs"
# What keeps each of them short.
SIZES = {
    "bank": 60,
    "bpe": 3,
    "bytecode": 1,
    "dijkstra": 8,
    "events": 1,
    "expressions": 6,
    "json_reader": 3,
    "life": 12,
    "lru_cache": 900,
    "matrix": 6,
    "text_statistics": 4,
    "trie": 60,
}


def test_every_program_is_run() -> None:
    assert {path.stem for path in FOLDER.glob("*.py")} == {*SIZES, "__init__"}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", SIZES)
def test_a_program_does_what_cpython_does(name: str) -> None:
    run = importlib.import_module(f"samples.programs.{name}").run
    expected = repr(run.python(SIZES[name]))
    assert repr(run(SIZES[name])) == expected
    assert repr(script(run.python, backend="interp")(SIZES[name])) == expected
