"""The wheel holds the product whole, and nothing else."""

import zipfile
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

REPO = Path(__file__).parents[2]
# Folder in the repository -> folder in the wheel.
PLACES = {
    "scriptc": "scriptc",
    "grammar": "scriptc/grammar",
    "stdlib": "scriptc/stdlib",
    "docs/errors": "scriptc/errors",
    "runtime/scriptc_runtime": "scriptc_runtime",
}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The names of all files in a wheel built from this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    (path,) = WheelBuilder(str(REPO)).build(directory=str(folder), versions=["standard"])
    with zipfile.ZipFile(path) as archive:
        return set(archive.namelist())


def _files(folder: Path) -> set[str]:
    """Every file of a folder but what Python leaves behind."""
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.mark.parametrize("folder", PLACES)
def test_the_wheel_holds_every_file_of_a_folder(wheel: set[str], folder: str) -> None:
    expected = {f"{PLACES[folder]}/{name}" for name in _files(REPO / folder)}
    assert expected, f"{folder} is empty"
    assert expected <= wheel


def test_the_wheel_holds_nothing_else(wheel: set[str]) -> None:
    roots = {name.split("/")[0] for name in wheel if ".dist-info/" not in name}
    assert roots == {"scriptc", "scriptc_runtime"}


@pytest.mark.parametrize(
    "name",
    [
        "scriptc/grammar/script.lark",
        "scriptc/grammar/ir.lark",
        "scriptc/py.typed",
        "scriptc_runtime/py.typed",
        "scriptc_runtime/interp/interpreter.py",
    ],
)
def test_the_wheel_holds(wheel: set[str], name: str) -> None:
    assert name in wheel


def test_the_wheel_holds_the_parser_tables(wheel: set[str]) -> None:
    assert any(name.startswith("scriptc/syntax/") and name.endswith(".json") for name in wheel)


def test_the_wheel_holds_its_licence(wheel: set[str]) -> None:
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in wheel)
