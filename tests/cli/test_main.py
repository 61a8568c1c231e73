"""The command line: what it prints, what it refuses, and with which status it ends."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from scriptc.check.roots import Root
from scriptc.cli.argument_types import read_types
from scriptc.cli.main import main
from scriptc.inspection.device_stages import DEVICE_STAGES
from scriptc.inspection.dump import STAGES, live_stage
from scriptc.inspection.target import import_file
from scriptc.saved.save import save
from scriptc.scripted_function import store_of
from scriptc_runtime.errors import TypeCheckError

REPO = Path(__file__).parents[2]
PROGRAM = '''
import numpy as np
from scriptc import script
from scriptc.types import N, f64

print("imported")

@script
def total(x: f64[N], scale: float = 2.0):
    """Sum what is positive."""
    result = 0.0
    for i in range(x.shape[0]):
        if x[i] > 0.0:
            result += x[i] * scale
    return result

@script
class Counter:
    count: int

    def __init__(self, start: int) -> None:
        self.count = start

    def add(self, more: int) -> int:
        self.count += more
        return self.count

@script
def shares(x: f64[N, N]):
    e = np.exp(x)
    return e / np.sum(e, axis=1, keepdims=True)

def untyped(x, y):
    return x + y

@script
def untyped_sum(x: int, y: int):
    return untyped(x, y)
'''
BROKEN = """
from scriptc import script

@script
def first(x: int) -> int:
    return x + missing

@script
def second(x: int) -> float:
    return b"x"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with programs, as the current one; what is imported from it is forgotten."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    for name, text in {"program": PROGRAM, "broken": BROKEN, "syntax": "def f(:\n"}.items():
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if name.rstrip("_") in ("program", "broken", "syntax"):
            del sys.modules[name]


class Command:
    """Runs the command line in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: str) -> tuple[int, str, str]:
        """Return the exit status, what was printed, and what went to stderr."""
        self._capsys.readouterr()
        status = main(arguments)
        captured = self._capsys.readouterr()
        return status, captured.out, captured.err


@pytest.fixture
def scriptc(folder: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


STAGES_OF_HOSTS = tuple(s for s in STAGES if s not in DEVICE_STAGES)


@pytest.mark.parametrize("stage", [*STAGES_OF_HOSTS, "cuda", "plan"])
def test_each_stage_of_a_function_is_shown(scriptc: Command, stage: str) -> None:
    status, out, err = scriptc("dump", "program.py:total", "--stage", stage)
    assert (status, err) == (0, "")
    assert len(out.splitlines()) > (0 if stage in DEVICE_STAGES else 5)


def test_tokens_and_ast_do_not_execute_the_file(scriptc: Command) -> None:
    for stage in ("tokens", "ast"):
        assert "imported" not in scriptc("dump", "program.py:total", "--stage", stage)[1]
    assert "imported" in scriptc("dump", "program.py:total", "--stage", "types")[1]


def test_tokens_and_ast_take_a_whole_file(scriptc: Command) -> None:
    assert "ClassDef" in scriptc("dump", "program.py", "--stage", "ast")[1]


def test_a_method_is_named_with_its_class(scriptc: Command) -> None:
    out = scriptc("dump", "program.py:Counter.add")[1]
    assert "func @Counter.add(%self: class<Counter>, %more: int) -> int" in out
    assert "set_field" in scriptc("dump", "program.py:Counter.add")[1]
    assert "new" in scriptc("dump", "program.py:Counter.__init__")[1]


def test_a_class_has_to_be_narrowed_to_a_method(scriptc: Command) -> None:
    status, _, err = scriptc("dump", "program.py:Counter")
    assert status == 2
    assert "Counter.__init__, Counter.add" in err


def test_types_of_an_unannotated_function_are_given(scriptc: Command) -> None:
    out = scriptc("dump", "program.py:untyped", "--args", "f64[N], float")[1]
    assert "func @untyped(%x: tensor<f64, [N]>, %y: float)" in out
    out = scriptc("dump", "program.py:untyped", "--args", "f64[...], f64[...]")[1]
    assert "func @untyped(%x: tensor<f64, [x0]>, %y: tensor<f64, [y0]>)" in out


def test_without_types_the_command_says_what_to_type(scriptc: Command) -> None:
    status, _, err = scriptc("dump", "program.py:untyped")
    assert status == 2
    assert '--args "f64[N], int"' in err
    assert "the parameters 'x' and 'y' have no annotation and no default" in err


def test_as_many_types_as_parameters_must_be_given(scriptc: Command) -> None:
    status, _, err = scriptc("dump", "program.py:untyped", "--args", "int")
    assert status == 2
    assert "2 parameters (x, y)" in err


@pytest.mark.parametrize(
    ("text", "types"),
    [
        ("", []),
        ("int, float, bool, str, None", ["int", "float", "bool", "str", "None"]),
        ("f64", ["f64"]),
        ("f64[N, M], f32[?], i64[3, ...]", ["f64[N, M]", "f32[...]"]),
        ("list[float], tuple[int, f64[N]]", ["list[float]", "tuple[int, f64[N]]"]),
        ("float | None", ["float | None"]),
    ],
)
def test_types_are_read_from_text(text: str, types: list[str]) -> None:
    assert [str(t) for t in read_types(text)][: len(types)] == types


@pytest.mark.parametrize("text", ["flot", "f64[", "f64[N", "int int", "list[]", "int |", "f64[-1]"])
def test_a_type_that_is_none_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(TypeCheckError, match=r"(?s)--args:1:\d+: error\[arguments\].*\^"):
        read_types(text)


def test_passes_show_what_each_of_them_changed(scriptc: Command) -> None:
    out = scriptc("dump", "program.py:total", "--passes", "--stage", "low")[1]
    titles = [line.split()[1] for line in out.splitlines() if line.startswith("== ")]
    assert titles[:5] == ["ir:", "inline:", "sizes:", "characters:", "steady:"]
    assert titles[-1] == "ownership:"
    assert any(line.startswith("-  ") for line in out.splitlines())
    assert any(line.startswith("+  ") for line in out.splitlines())


def test_passes_belong_to_the_ir(scriptc: Command) -> None:
    status, _, err = scriptc("dump", "program.py:total", "--passes", "--stage", "ast")
    assert status == 2
    assert "--stage opt or low" in err


def test_source_lines_stand_between_those_of_the_ir(scriptc: Command) -> None:
    out = scriptc("dump", "program.py:total", "--source")[1]
    assert "# 14 | result += x[i] * scale" in out
    assert "#" not in scriptc("dump", "program.py:total")[1]


def test_colour_is_for_terminals_or_on_demand(scriptc: Command) -> None:
    for stage in STAGES_OF_HOSTS:
        assert "\x1b[" not in scriptc("dump", "program.py:total", "--stage", stage)[1]
        out = scriptc("dump", "program.py:total", "--stage", stage, "--color", "always")[1]
        assert "\x1b[" in out


def test_a_live_function_shows_the_same_stages(scriptc: Command, folder: Path) -> None:
    function = vars(import_file(folder / "program.py"))["total"].python
    for stage in (*STAGES_OF_HOSTS, "cuda", "plan"):
        printed = scriptc("dump", "program.py:total", "--stage", stage)[1]
        assert live_stage(Root(function, [None, None]), stage) == printed.removeprefix("imported\n")
    with pytest.raises(ValueError, match="there is no stage 'nothing': choose one of tokens"):
        live_stage(Root(function, [None, None]), "nothing")


def test_ir_text_is_an_input_too(scriptc: Command, folder: Path) -> None:
    text = scriptc("dump", "program.py:total")[1].partition("imported\n")[2]
    (folder / "total.ir").write_text(text, encoding="utf-8")
    assert scriptc("dump", "total.ir")[1] == text
    opt = scriptc("dump", "program.py:total", "--stage", "opt")[1].partition("imported\n")[2]
    assert scriptc("dump", "total.ir", "--stage", "opt")[1] == opt
    assert scriptc("dump", "total.ir:nothing")[0] == 2


def test_low_ir_goes_on_from_where_it_is(scriptc: Command, folder: Path) -> None:
    text = scriptc("dump", "program.py:total", "--stage", "low")[1].partition("imported\n")[2]
    (folder / "low.ir").write_text(text, encoding="utf-8")
    assert scriptc("dump", "low.ir", "--stage", "low")[1] == text
    assert "define" in scriptc("dump", "low.ir", "--stage", "llvm")[1]


def test_damaged_ir_is_refused_with_its_place(scriptc: Command, folder: Path) -> None:
    (folder / "bad.ir").write_text("func @f() -> int {\n  nonsense\n}\n", encoding="utf-8")
    status, _, err = scriptc("dump", "bad.ir")
    assert status == 1
    assert "bad.ir:2:3" in err


def test_ir_that_breaks_a_rule_is_refused(scriptc: Command, folder: Path) -> None:
    (folder / "open.ir").write_text("func @f(%x: int) -> int {\n}\n", encoding="utf-8")
    status, _, err = scriptc("dump", "open.ir")
    assert status == 1
    assert "error[" in err


def test_an_early_stage_of_ir_is_refused(scriptc: Command, folder: Path) -> None:
    (folder / "empty.ir").write_text("", encoding="utf-8")
    status, _, err = scriptc("dump", "empty.ir", "--stage", "ast")
    assert status == 2
    assert "first stage is ir" in err


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("nowhere.py:f", "there is no file nowhere.py"),
        ("program.py:nothing", "has no 'nothing'; it has total, Counter, shares, untyped, "),
        ("program.py:Counter.nothing", "has no 'Counter.nothing'"),
        (
            "program.py",
            "name a function: program.py:NAME, with NAME one of total, Counter, shares, ",
        ),
        ("program.txt", "expected FILE.py:NAME"),
        ("program.py:np", "not a function"),
    ],
)
def test_an_input_that_is_not_there_is_explained(
    scriptc: Command, given: str, message: str
) -> None:
    status, _, err = scriptc("dump", given)
    assert status == 2
    assert message in err


def test_a_file_that_is_no_python_is_refused_before_it_is_imported(scriptc: Command) -> None:
    status, _, err = scriptc("dump", "syntax.py:f")
    assert status == 1
    assert "syntax.py:1:7" in err
    assert "^" in err


def test_check_reports_every_script_of_a_file(scriptc: Command) -> None:
    status, _, err = scriptc("check", "broken.py")
    assert status == 1
    assert "broken.py:6:16: error[unknown-name]" in err
    assert "broken.py:10:12: error[argument-type]" in err


def test_check_of_what_compiles_says_so(scriptc: Command) -> None:
    status, out, err = scriptc("check", "program.py", "program.py:total")
    assert (status, err) == (0, "")
    assert "program.py: nothing to report on total, Counter, shares, untyped_sum" in out


def test_check_of_what_has_no_types_is_of_its_syntax(scriptc: Command, folder: Path) -> None:
    text = "from scriptc import script\n@script\ndef f(x):\n    return x\n"
    (folder / "program.py").write_text(text, encoding="utf-8")
    status, out, _ = scriptc("check", "program.py")
    assert status == 0
    assert "only the syntax of f was checked: the parameter 'x' has no annotation" in out
    assert 'for instance --args "f64[N]"' in out
    assert "nothing to report" not in out
    status, out, _ = scriptc("check", "program.py:f", "--args", "f64[N]")
    assert (status, out) == (0, "program.py: nothing to report on f\n")
    status, _, err = scriptc("check", "program.py", "--args", "f64[N]")
    assert (status, "name it" in err) == (2, True)
    (folder / "broken.py").write_text(text.replace("def f", "async def f"), encoding="utf-8")
    status, _, err = scriptc("check", "broken.py")
    assert status == 1
    assert "error[async]" in err


def test_an_error_of_an_imported_file_shows_its_own_frames(folder: Path) -> None:
    text = "def half(x):\n    return x / 0\n\nhalf(1)\n"
    (folder / "failing.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "scriptc", "check", "failing.py"]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, env=_environment()
    )
    assert done.returncode == 1
    files = [line for line in done.stderr.splitlines() if line.startswith("  File ")]
    assert len(files) == 2
    assert all("failing.py" in line for line in files)
    assert done.stderr.endswith("ZeroDivisionError: division by zero\n")


def _environment() -> dict[str, str]:
    root = Path(__file__).parents[2]
    return {**os.environ, "PYTHONPATH": f"{root}:{root / 'runtime'}"}


def test_check_does_not_speak_of_types_where_the_syntax_is_refused(
    scriptc: Command, folder: Path
) -> None:
    text = "from scriptc import script\n@script\nasync def f(n):\n    return n\n"
    (folder / "program.py").write_text(text, encoding="utf-8")
    status, out, err = scriptc("check", "program.py")
    assert status == 1
    assert "error[async]" in err
    assert "only the syntax" not in out


def test_check_of_a_dataclass_is_of_what_its_author_wrote(scriptc: Command, folder: Path) -> None:
    text = """
from dataclasses import dataclass
from scriptc import script
@script
@dataclass(order=True)
class Point:
    x: float
    def twice(self) -> float:
        return 2 * self.x
    def __eq__(self, other: "Point") -> bool:
        return self.x == other.x
"""
    (folder / "program.py").write_text(text, encoding="utf-8")
    status, out, err = scriptc("check", "program.py")
    assert (status, err) == (0, "")
    assert "nothing to report on Point" in out
    (folder / "untyped.py").write_text(text.replace(', other: "Point"', ", other"))
    assert scriptc("check", "untyped.py")[::2] == (0, "")
    (folder / "broken.py").write_text(text.replace("2 * self.x", "self.y"))
    status, _, err = scriptc("check", "broken.py")
    assert status == 1
    assert err.count("error[") == 1
    assert "has no field 'y'" in err
    setting = text.replace("order", "frozen").replace("def twice", "def __post_init__")
    setting = setting.replace("return 2 * self.x", "self.x = 2.0")
    (folder / "refused.py").write_text(setting)
    status, _, err = scriptc("check", "refused.py")
    assert status == 1
    assert "its __post_init__ sets a field, and it is frozen" in err


def test_check_wants_something_to_check(scriptc: Command, folder: Path) -> None:
    (folder / "program.py").write_text("x = 1\n", encoding="utf-8")
    status, _, err = scriptc("check", "program.py")
    assert status == 2
    assert "has no @script" in err


def test_an_entry_of_a_saved_file_is_an_input(scriptc: Command, folder: Path) -> None:
    module = import_file(folder / "program.py")
    save({"total": vars(module)["total"], "sum": vars(module)["untyped_sum"]}, folder / "m.scriptc")
    text = scriptc("dump", "m.scriptc:total")[1]
    assert "func @total" in text
    assert "untyped_sum" not in text
    assert "func @untyped_sum" in scriptc("dump", "m.scriptc")[1]
    assert "define" in scriptc("dump", "m.scriptc:total", "--stage", "llvm")[1]
    status, _, err = scriptc("dump", "m.scriptc:other")
    assert status == 2
    assert "it has total, sum" in err


def test_the_command_runs_as_a_program(folder: Path) -> None:
    program = (
        f"import sys; sys.path[:0] = {[str(REPO), str(REPO / 'runtime')]!r}; "
        "from scriptc.cli.main import main; sys.exit(main(['dump', 'program.py:total']))"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert "func @total" in result.stdout


# --------------------------------------------------------------------- compile, run, info, cache


def test_a_function_is_compiled_into_the_cache(scriptc: Command, folder: Path) -> None:
    status, out, err = scriptc("compile", "program.py:total")
    assert (status, err) == (0, "")
    assert out.splitlines()[-1].startswith("total(f64[N], float): ")
    out = scriptc("compile", "program.py:Counter.add")[1]
    assert out.splitlines()[-1].startswith("Counter.add(Counter, ")
    assert scriptc("compile", "program.py:untyped", "--args", "f64[N], int")[0] == 0
    status, _, err = scriptc("compile", "program.py:Counter")
    assert status == 2
    assert "Class.method" in err


def test_types_of_a_method_leave_out_its_object(scriptc: Command, folder: Path) -> None:
    text = """
from scriptc import script

@script
class Scaled:
    def __init__(self, k: float):
        self.k = k

    def of(self, x):
        return x * self.k

    @staticmethod
    def more(x: int) -> int:
        return x + 1
"""
    (folder / "scaled.py").write_text(text, encoding="utf-8")
    out = scriptc("compile", "scaled.py:Scaled.of", "--args", "f64[N]")[1]
    assert out.startswith("Scaled.of(Scaled, f64[")
    assert scriptc("explain", "scaled.py:Scaled.of", "--args", "f64[N]")[0] == 0
    assert scriptc("compile", "scaled.py:Scaled.more")[1].startswith("Scaled.more(int): ")
    status, _, err = scriptc("compile", "scaled.py:Scaled.of", "--args", "f64[N], int, int")
    assert status == 1
    assert "Scaled.of() has 1 parameter, not 3" in err


def test_the_time_of_each_stage_is_told(scriptc: Command) -> None:
    lines = scriptc("compile", "program.py:shares", "--time")[1].splitlines()
    names = [line.split("  ")[0].split(" (")[0] for line in lines]
    for stage in ("parse", "check", "lower", "passes", "emit llvm", "llvm optimise", "load"):
        assert stage in names
    assert not any(name.startswith("pass ") for name in names)
    assert "pass fuse" in scriptc("compile", "program.py:shares", "--passes")[1]


def test_the_stages_make_up_the_time_of_the_first_thread(scriptc: Command) -> None:
    text = scriptc("compile", "program.py:shares", "--json")[1]
    found = json.loads(text[text.index("{") :])
    first = [stage["seconds"] for stage in found["stages"] if stage["thread"] == 0]
    assert 0.75 * found["seconds"] < sum(first) <= found["seconds"]
    (emitted,) = (stage for stage in found["stages"] if stage["name"] == "emit llvm")
    assert emitted["lines"] > 100


@pytest.mark.parametrize("backend", ["llvm", "interp", "python"])
def test_a_function_is_run_with_arrays_and_literals(
    scriptc: Command, folder: Path, backend: str
) -> None:
    np.save(folder / "x.npy", np.array([1.0, -2.0, 3.0]))
    status, out, err = scriptc("run", "program.py:total", "x.npy", "0.5", "--backend", backend)
    assert (status, err) == (0, "")
    assert out.splitlines()[-1] == "2.0"


def test_functions_without_a_decorator_run_too(scriptc: Command) -> None:
    assert scriptc("run", "program.py:untyped", "2", "-3")[1].splitlines()[-1] == "-1"


def test_a_result_is_written_to_a_file(scriptc: Command, folder: Path) -> None:
    np.save(folder / "x.npy", np.zeros((2, 2)))
    status, out, _ = scriptc("run", "program.py:shares", "x.npy", "--output", "y.npy", "--time")
    assert status == 0
    assert "first call" in out
    assert np.load(folder / "y.npy").tolist() == [[0.5, 0.5], [0.5, 0.5]]


@pytest.mark.parametrize("backend", ["llvm", "interp"])
def test_an_entry_of_a_saved_file_is_run(scriptc: Command, folder: Path, backend: str) -> None:
    module = import_file(folder / "program.py")
    save(module.Counter(40), folder / "counter.scriptc")
    assert scriptc("run", "counter.scriptc:add", "2", "--backend", backend)[1] == "42\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["program.py"], "name what to call"),
        (["program.py:Counter.add", "1"], "Counter.add is part of a class: run a function"),
        (["program.py:Counter"], "Counter is a class: run a function that makes an object"),
        (["program.py:np"], ">, which is no function"),
        (
            ["program.py:untyped", "__import__('os')", "1"],
            "argument 1, __import__('os'), is no literal",
        ),
        (["program.py:untyped", "missing.npy", "1"], "missing.npy"),
        (["program.py:untyped", "1"], "scriptc: untyped() missing 1 required positional argument"),
        (["program.py:untyped_sum", "1", "1.5"], "scriptc: untyped_sum(): parameter 'y'"),
        (["program.py:untyped", "1", "2", "--output", "x.txt"], ".npy"),
        (["program.py:untyped", "1", "2", "--output", "none/x.npy"], "no such folder"),
    ],
)
def test_what_cannot_be_run_is_told(scriptc: Command, arguments: list[str], message: str) -> None:
    status, _, err = scriptc("run", *arguments)
    assert status == 2
    assert message in err


def test_a_tuple_is_written_as_several_arrays(scriptc: Command, folder: Path) -> None:
    (folder / "program.py").write_text("def pair(x, y):\n    return x, y\n", encoding="utf-8")
    assert scriptc("run", "program.py:pair", "1", "2.5", "--output", "x.npy")[0] == 2
    assert scriptc("run", "program.py:pair", "1", "2.5", "--output", "x.npz")[0] == 0
    assert dict(np.load(folder / "x.npz")) == {"arr_0": 1, "arr_1": 2.5}


def test_info_describes_the_machine_and_saved_files(scriptc: Command, folder: Path) -> None:
    status, out, _ = scriptc("info")
    assert status == 0
    assert ["NumPy", np.__version__] in [line.split() for line in out.splitlines()]
    module = import_file(folder / "program.py")
    save(module.Counter(40), folder / "counter.scriptc")
    out = scriptc("info", "counter.scriptc")[1]
    assert "add(more: int) -> int" in out
    assert scriptc("info", "program.py")[0] == 2


def test_the_cache_is_shown_and_cleared(
    scriptc: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCRIPTC_CACHE_DIR", str(folder / "cache"))
    scriptc("run", "program.py:untyped_sum", "1", "2")
    store_of(str(folder / "cache")).settled()  # as at the end of a process
    mine = {"notes.txt", "main.o", "lib.so", "stamp-collection", "app.manifest", "sub"}
    (folder / "cache" / "sub").mkdir()
    for name in (*mine - {"sub"}, f"sub/{'0' * 40}.o"):
        (folder / "cache" / name).write_text("mine", encoding="utf-8")
    (folder / "cache" / f"{'0' * 40}.part").write_text("", encoding="utf-8")
    assert "1 specialisations" in scriptc("cache")[1]
    assert "1 parts of programs" in scriptc("cache")[1]
    assert "removed" in scriptc("cache", "clear")[1]
    assert {path.name for path in (folder / "cache").iterdir()} == mine
    assert list((folder / "cache" / "sub").iterdir()) != []
    assert "specialisations" not in scriptc("cache", "show")[1]


def test_check_reports_mistakes_of_types_beside_those_of_syntax(
    scriptc: Command, folder: Path
) -> None:
    text = """
from scriptc import script
@script
class Pair:
    def __init__(self, x: int) -> None:
        self.x = x
    def both(self) -> int:
        return self.x + "a"
    async def all(self):
        pass
"""
    (folder / "program.py").write_text(text, encoding="utf-8")
    status, _, err = scriptc("check", "program.py")
    assert status == 1
    assert err.count("error[operand-type]") == err.count("error[async]") == 1


def test_an_argument_that_is_no_literal_is_named(scriptc: Command) -> None:
    status, _, err = scriptc("run", "program.py:total", "word")
    assert status == 2
    way = "give a .npy file, which numpy.save writes, for an array"
    assert f"argument 1, word, is no literal; {way}" in err
    assert "Traceback" not in err
    assert "argument 1, no.npy, cannot be read" in scriptc("run", "program.py:total", "no.npy")[2]


def test_a_cache_that_is_open_to_others_is_not_used_and_info_says_so(
    scriptc: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = folder / "kept"
    cache.mkdir(mode=0o700)
    monkeypatch.setenv("SCRIPTC_CACHE_DIR", str(cache))
    assert "not used" not in scriptc("info")[1]
    cache.chmod(0o755)
    why = f"{cache} (not used: it is open to other users: chmod 700)"
    assert why in scriptc("info")[1]
    assert why in scriptc("cache")[1]
    monkeypatch.setenv("SCRIPTC_CACHE_DIR", str(folder / "later"))
    assert "not used" not in scriptc("info")[1]
    assert not (folder / "later").exists()
