"""`pytest --bless`, and a cache folder that no test shares with the user."""

import gc
import os
import shutil
import tempfile
from pathlib import Path

import pytest

from tests.support.thoroughness import is_thorough, mark_exhaustive

CACHE_DIR = "SCRIPTC_CACHE_DIR"

# It asserts on behalf of the tests, so its failures should show both sides too.
pytest.register_assert_rewrite("tests.support.cases")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--bless", action="store_true", help="accept the actual output as expected")


def pytest_configure(config: pytest.Config) -> None:
    # Set before any test module imports scriptc. Workers of xdist inherit the first process's
    # folder, so that the support code is compiled once and two processes do share a cache.
    if hasattr(config, "workerinput"):
        return
    # This processor plays the GPU: host code cannot touch its memory, and kernels are watched.
    os.environ.setdefault("SCRIPTC_EMULATE_CUDA", "shadow")
    folder = tempfile.mkdtemp(prefix="scriptc-tests-")
    os.environ[CACHE_DIR] = folder
    if is_thorough(config):
        # Otherwise a module is verified after its last pass, and after each where that fails.
        os.environ.setdefault("SCRIPTC_VERIFY", "1")
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))


@pytest.hookimpl(tryfirst=True)  # before pytest looks at the marks
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what is exhaustive, and run only what can be blessed where that is asked for."""
    mark_exhaustive(items)
    if config.getoption("--bless"):
        items[:] = [i for i in items if "bless" in getattr(i, "fixturenames", ())]


def pytest_collection_finish() -> None:
    """Let full collections of garbage be seldom: with Python's thresholds, a quarter of the time.

    They walk over all that thousands of tests have and leave.
    """
    gc.set_threshold(10_000, 20, 20)


@pytest.fixture(autouse=True, scope="module")
def _only_what_is_new() -> None:
    """Let collections that tests of a module ask for walk over none of what was there before."""
    _freeze()


@pytest.fixture
def only_what_is_new() -> None:
    """Do so for one test: those before it may have moved objects, which thaws all."""
    _freeze()


def _freeze() -> None:
    gc.collect(1)
    gc.freeze()


@pytest.fixture
def bless(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--bless"))


@pytest.fixture(scope="session")
def thorough(request: pytest.FixtureRequest) -> bool:
    """Whether the run does what is exhaustive too; a test may loop less otherwise."""
    return is_thorough(request.config)


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder of this test alone, for the processes the test starts too."""
    folder = tmp_path / "cache"
    monkeypatch.setenv(CACHE_DIR, str(folder))
    return folder
