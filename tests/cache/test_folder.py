"""The cache is never stale, never half written, and loads no compiler."""

import ctypes
import enum
import os
import signal
import stat
import subprocess
import sys
import threading
import tracemalloc
import warnings
from pathlib import Path
from types import FunctionType

import pytest

from scriptc.cache.dependencies import find_dependencies
from scriptc.cache.folder import Cache

REPO = Path(__file__).parents[2]
COMPILER = ("llvmlite", "lark", "scriptc.syntax", "scriptc.driver")
PROGRAM = """\
import sys
import numpy as np
from scriptc import script
from scriptc.types import N, f64

RATE = 2.0

def helper(x: float) -> float:
    return x + 1.0

@script
def f(x: float) -> float:
    return helper(x) * RATE

@script
def at(a: f64[N], i: int):
    return a[i]

print(f(1.0), at(np.arange(3.0), 2))
try:
    at(np.arange(3.0), 5)
except IndexError as error:
    frame = error.__traceback__
    while frame.tb_next:
        frame = frame.tb_next
    print(error, frame.tb_frame.f_code.co_name, frame.tb_lineno)
print(*(name for name in COMPILER if name in sys.modules))
""".replace("COMPILER", repr(COMPILER))


class Runner:
    """Runs one program again and again, with edits between the runs."""

    def __init__(self, folder: Path, cache: Path) -> None:
        self.file = folder / "program.py"
        self.cache = cache
        self.text = PROGRAM
        self.restricted = False  # even a superuser

    def edit(self, old: str, new: str) -> None:
        assert old in self.text
        self.text = self.text.replace(old, new)

    def start(self) -> "subprocess.Popen[str]":
        self.file.write_text(self.text)
        environment = os.environ | {
            "PYTHONPATH": f"{REPO}:{REPO / 'runtime'}",
            "SCRIPTC_CACHE_DIR": str(self.cache),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        pipe = subprocess.PIPE
        command = [sys.executable, str(self.file)]
        restrict = without_override if self.restricted else None
        return subprocess.Popen(
            command, env=environment, stdout=pipe, stderr=pipe, text=True, preexec_fn=restrict
        )

    def run(self) -> list[str]:
        """The lines that a run prints: the last one names what was loaded of the compiler."""
        return self.finish(self.start())

    def finish(self, process: "subprocess.Popen[str]") -> list[str]:
        out, error = process.communicate(timeout=60)
        assert process.returncode == 0, error
        return out.splitlines()

    @property
    def objects(self) -> set[str]:
        return {path.name for path in self.cache.glob("*.o")}


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    return Runner(tmp_path, tmp_path / "cache")


LINE = PROGRAM.splitlines().index("    return a[i]") + 1
EXPECTED = ["4.0 2.0", f"index 5 is out of bounds for axis 0 with size 3 at {LINE}"]


def test_a_second_start_loads_no_compiler_and_does_the_same(runner: Runner) -> None:
    assert runner.run() == [*EXPECTED, "llvmlite scriptc.syntax scriptc.driver"]
    assert runner.run() == [*EXPECTED, ""]


def test_a_line_added_above_reuses_the_machine_code_and_moves_the_traceback(
    runner: Runner,
) -> None:
    runner.run()
    before = runner.objects
    runner.edit("RATE = 2.0\n", "RATE = 2.0\n# a comment\n")
    moved = EXPECTED[1].replace(str(LINE), str(LINE + 1))
    assert runner.run()[:2] == [EXPECTED[0], moved]
    assert runner.objects == before
    assert runner.run() == [EXPECTED[0], moved, ""]


@pytest.mark.parametrize(
    ("old", "new", "result"),
    [
        ("return helper(x) * RATE", "return helper(x) - RATE", "0.0"),
        ("return x + 1.0", "return x + 2.0", "6.0"),
        ("RATE = 2.0", "RATE = 5.0", "10.0"),
        ("def helper(x: float)", "def helper(x: float, more: float = 1.0)", "4.0"),
        ("def f(x: float)", "def f(x)", "4.0"),
    ],
)
def test_an_edit_is_never_missed(runner: Runner, old: str, new: str, result: str) -> None:
    runner.run()
    runner.edit(old, new)
    assert runner.run()[0] == f"{result} 2.0"
    assert runner.run()[-1] == ""


def test_a_local_annotation_is_part_of_the_key(runner: Runner) -> None:
    # It leaves no trace in the code object, so only the text can tell.
    runner.edit("    return helper(x) * RATE", "    items: list[float] = []\n    return x * RATE")
    runner.run()
    runner.edit("list[float]", "list[bool] ")
    assert "scriptc.driver" in runner.run()[-1]


def test_damaged_entries_are_made_again(runner: Runner) -> None:
    runner.run()
    for path in runner.cache.iterdir():
        path.write_bytes(path.read_bytes()[:-3])
    assert runner.run()[:2] == EXPECTED
    for path in runner.cache.iterdir():
        path.write_bytes(b"")
    assert runner.run()[:2] == EXPECTED
    assert runner.run() == [*EXPECTED, ""]


def test_a_process_may_end_before_all_is_written(runner: Runner) -> None:
    runner.text += "import os\nsys.stdout.flush()\nos._exit(0)\n"
    for _ in range(3):
        assert runner.run()[:2] == EXPECTED


def test_two_processes_may_compile_at_once(runner: Runner) -> None:
    processes = [runner.start() for _ in range(2)]
    assert [runner.finish(process)[:2] for process in processes] == [EXPECTED, EXPECTED]
    assert runner.run() == [*EXPECTED, ""]


def test_a_process_killed_at_any_time_leaves_a_cache_that_works(runner: Runner) -> None:
    for delay in (0.15, 0.3, 0.45):
        process = runner.start()
        threading.Event().wait(delay)
        process.kill()
        process.communicate()
    assert runner.run()[:2] == EXPECTED


KILLED = """\
import os, signal, sys
from pathlib import Path
from scriptc.cache import folder

class Dying:
    def __init__(self, file):
        self.file = file
    def __enter__(self):
        return self
    def __exit__(self, *_):
        self.file.close()
    def write(self, content):
        self.file.write(content[: len(content) * PART // 2])
        self.file.flush()
        if PART < 2:
            os.kill(os.getpid(), signal.SIGKILL)

def replace(*_):
    os.kill(os.getpid(), signal.SIGKILL)

opened = os.fdopen
folder.open = lambda *given: Dying(opened(*given))
os.replace = replace
folder.Cache(sys.argv[1]).write("entry", b"content" * 100)
"""


@pytest.mark.parametrize("part", [0, 1, 2], ids=["before", "half way", "before the rename"])
def test_a_kill_during_a_write_leaves_the_entry_as_it_was(tmp_path: Path, part: int) -> None:
    cache = Cache(str(tmp_path / "cache"))
    cache.write("entry", b"earlier")
    program = KILLED.replace("PART", str(part))
    environment = os.environ | {"PYTHONPATH": f"{REPO}:{REPO / 'runtime'}"}
    command = [sys.executable, "-c", program, str(tmp_path / "cache")]
    assert subprocess.run(command, env=environment, check=False).returncode == -signal.SIGKILL
    (left,) = (path for path in (tmp_path / "cache").iterdir() if path.name != "entry")
    cache.write("whole", b"content" * 100)
    assert left.stat().st_size == (tmp_path / "cache" / "whole").stat().st_size * part // 2
    assert cache.read("entry") == b"earlier"
    os.utime(left, (1, 1))
    cache.tidy()
    assert not left.exists()


def without_override() -> None:
    """Let permissions hold for a superuser too: what is started next may not override them."""
    drop_from_bounding_set, override = 24, 1
    ctypes.CDLL(None).prctl(drop_from_bounding_set, override, 0, 0, 0)


@pytest.mark.skipif(sys.platform != "linux", reason="a superuser can write anywhere")
def test_a_read_only_folder_is_read_and_not_written(runner: Runner) -> None:
    runner.cache.mkdir(mode=0o500)
    runner.restricted = True
    assert runner.run()[:2] == EXPECTED
    assert not list(runner.cache.iterdir())
    runner.cache.chmod(0o700)
    runner.run()
    held = sorted(path.name for path in runner.cache.iterdir())
    runner.cache.chmod(0o500)
    assert runner.run() == [*EXPECTED, ""]
    runner.edit("return x + 1.0", "return x + 2.0")
    assert runner.run()[0] == "6.0 2.0"
    assert sorted(path.name for path in runner.cache.iterdir()) == held
    runner.cache.chmod(0o700)


def test_a_folder_that_cannot_be_written_or_trusted_is_done_without(runner: Runner) -> None:
    runner.cache.mkdir(mode=0o777)
    runner.cache.chmod(0o777)  # others could put code there
    assert runner.run()[:2] == EXPECTED
    assert not list(runner.cache.iterdir())
    runner.cache.chmod(0o700)
    runner.cache.rmdir()
    runner.cache.write_text("no folder")
    assert runner.run()[:2] == EXPECTED


def test_the_folder_and_its_files_are_private(runner: Runner) -> None:
    runner.run()
    assert stat.S_IMODE(runner.cache.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in runner.cache.iterdir()} == {0o600}


def test_a_pipe_or_a_device_is_no_entry(tmp_path: Path) -> None:
    cache = Cache(str(tmp_path / "cache"))
    os.mkfifo(tmp_path / "cache" / "pipe")
    (tmp_path / "cache" / "zero").symlink_to("/dev/zero")
    assert cache.read("pipe") is None
    assert cache.read("zero") is None
    cache.write("pipe", b"code")
    assert cache.read("pipe") == b"code"


def test_a_link_to_a_folder_is_not_trusted(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with pytest.warns(RuntimeWarning, match="keeps no compiled code in .*link: it is no folder"):
        cache = Cache(str(tmp_path / "link"))
    cache.write("entry", b"content")
    assert not list((tmp_path / "real").iterdir())


def test_a_folder_that_is_not_used_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "open"
    folder.mkdir()
    folder.chmod(0o777)
    with pytest.warns(RuntimeWarning, match=r"open to other users: chmod 700$"):
        cache = Cache(str(folder))
    used = Cache(str(tmp_path / "own"))

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.warns(RuntimeWarning, match=r"own: No space left on device$"):
        used.write("entry", b"content")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(3):
            cache.write("entry", b"content")
            used.write("entry", b"content")
        assert Cache("").read("entry") is None  # asked for


def test_an_entry_is_whole_or_not_there(tmp_path: Path) -> None:
    cache = Cache(str(tmp_path / "cache"))
    assert cache.read("entry") is None
    cache.write("entry", b"content\nof two lines")
    assert cache.read("entry") == b"content\nof two lines"
    path = tmp_path / "cache" / "entry"
    whole = path.read_bytes()
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        assert cache.read("entry") is None
    path.write_bytes(whole[:-1] + b"x")
    assert cache.read("entry") is None


def test_an_entry_under_another_name_is_not_there(tmp_path: Path) -> None:
    cache = Cache(str(tmp_path / "cache"))
    for name in ("one", "two"):
        cache.write(name, name.encode())
    one, two = (tmp_path / "cache" / name for name in ("one", "two"))
    kept = one.read_bytes()
    two.replace(one)
    two.write_bytes(kept)
    assert cache.read("one") is None
    assert cache.read("two") is None


def test_an_entry_that_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    cache = Cache(str(tmp_path / "cache"))
    os.mkfifo(tmp_path / "cache" / "pipe")
    (tmp_path / "cache" / "endless").symlink_to("/dev/zero")
    (tmp_path / "cache" / "folder").mkdir()
    for name in ("pipe", "endless", "folder"):
        assert cache.read(name) is None
        cache.write(name, b"content")
    assert cache.read("pipe") == cache.read("endless") == b"content"


def test_exchanged_entries_are_compiled_anew(runner: Runner) -> None:
    runner.run()
    for suffix in ("manifest", "o"):
        paths = sorted(runner.cache.glob(f"*.{suffix}"))
        contents = [path.read_bytes() for path in paths]
        for path, content in zip(paths, [*contents[1:], contents[0]], strict=True):
            path.write_bytes(content)
    first = runner.run()
    assert first[:2] == EXPECTED
    assert "llvmlite" in first[2]
    assert runner.run() == [*EXPECTED, ""]


def test_left_over_temporary_files_go(tmp_path: Path) -> None:
    cache = Cache(str(tmp_path / "cache"))
    old, new = tmp_path / "cache" / ".old.1.2", tmp_path / "cache" / ".new.1.2"
    old.touch()
    new.touch()
    os.utime(old, (1, 1))
    cache.tidy()
    assert (old.exists(), new.exists()) == (False, True)


def test_tidying_bears_with_files_that_others_take_away(tmp_path: Path) -> None:
    cache = Cache(str(tmp_path / "cache"))
    (tmp_path / "cache" / ".renamed").symlink_to(tmp_path / "nothing")
    cache.tidy()
    (tmp_path / "cache" / ".renamed").unlink()
    (tmp_path / "cache").rmdir()
    cache.tidy()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return helper(x) * RATE", "return helper(x)"),
        ("return x + 1.0", "return x + 3.0"),
        ("def helper(x: float)", "def helper(y: float)"),
    ],
)
def test_a_file_edited_after_its_import_is_refused_and_nothing_is_kept(
    runner: Runner, old: str, new: str
) -> None:
    runner.edit(
        "print(f(1.0), at(np.arange(3.0), 2))",
        "text = open(__file__).read()\n"
        f"open(__file__, 'w').write(text.replace({old!r}, {new!r}, 1))\n"
        "f(1.0)",
    )
    process = runner.start()
    _, error = process.communicate(timeout=60)
    assert "the file has changed since it was imported" in error
    assert not runner.objects


def outer(x: float) -> float:
    return inner(x) + CONSTANT


def inner(x: float) -> float:
    return x * 2.0


CONSTANT = 1.0


def test_dependencies_are_hashed_through_and_through(monkeypatch: pytest.MonkeyPatch) -> None:
    before = find_dependencies([outer])
    assert before.hold
    assert [f.__name__ for f in before.functions] == ["outer", "inner"]
    assert find_dependencies([outer]).digest == before.digest
    monkeypatch.setitem(globals(), "CONSTANT", 1)
    assert not before.hold
    assert find_dependencies([outer]).digest != before.digest
    monkeypatch.setitem(globals(), "CONSTANT", 1.0)
    assert find_dependencies([outer]).digest == before.digest


def _names_a_member(number: int, kind: type[enum.Enum]) -> FunctionType:
    color = kind("Color", {"RED": number, "GREEN": 7})
    color.__module__ = __name__

    def value() -> object:
        return color.RED.value  # pyright: ignore

    return value


@pytest.mark.parametrize("kind", [enum.Enum, enum.IntEnum])
def test_the_values_of_an_enumeration_are_part_of_the_key(kind: type[enum.Enum]) -> None:
    one, same, other = (find_dependencies([_names_a_member(k, kind)]).digest for k in (1, 1, 2))
    assert one == same
    assert one != other


class Point:
    CONSTANT: float


class Many:
    """A class whose method is called by its name."""

    @staticmethod
    def of(point: Point) -> float:
        return point.CONSTANT


def uses_an_attribute(point: Point) -> float:
    return point.CONSTANT + Many.of(point)


def test_a_name_after_a_dot_is_no_global(monkeypatch: pytest.MonkeyPatch) -> None:
    found = find_dependencies([uses_an_attribute])
    monkeypatch.setitem(globals(), "CONSTANT", 3.0)
    assert found.hold
    assert {guard.name for guard in found.guards} == {"Many"}


def test_the_last_of_many_names_is_found() -> None:
    lines = [f"    x = x.a{number}" for number in range(300)]
    text = "\n".join(["LAST = 1", "def f(x):", *lines, "    return x + LAST"])
    space: dict[str, object] = {}
    exec(text, space)
    function = space["f"]
    assert isinstance(function, FunctionType)
    assert [guard.name for guard in find_dependencies([function]).guards] == ["LAST"]


def test_an_entry_takes_the_memory_that_it_has(tmp_path: Path) -> None:
    cache = Cache(str(tmp_path / "cache"))
    cache.write("entry", b"content")
    tracemalloc.start()
    assert cache.read("entry") == b"content"
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10**6
