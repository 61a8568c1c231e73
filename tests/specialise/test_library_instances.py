"""Library functions on containers are compiled once for their types, for all programs."""

import os
import subprocess
import sys
import traceback
from pathlib import Path
from typing import Any

import pytest

from scriptc import script
from scriptc.analysis.effects import ModuleEffects
from scriptc.backends.llvm.backend import emit_instances
from scriptc.cache.instances import Instances, Shelf
from scriptc.check.program import check_program
from scriptc.check.roots import Root
from scriptc.driver import to_instances
from scriptc.lower.program import lower_program
from scriptc.options import Options
from scriptc.passes.inline import inline
from scriptc.passes.separate import separate
from scriptc_runtime.call_graph import callees
from scriptc_runtime.ir import Module, Role
from scriptc_runtime.types import INT, STR, ListType
from scriptc_runtime.verify.module import verify
from tests.support.live_source import live_module

REPO = Path(__file__).parents[2]
COUNT = """
def f(words):
    counts = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    return counts
"""
FIND = """
def f(words):
    places = {}
    for place, word in enumerate(words):
        places[word] = place
    return places[words[0]]
"""
BOTH = """
def f(words):
    lengths = {}
    counts = {}
    for word in words:
        lengths[len(word)] = 1
        counts[word] = counts.get(word, 0) + 1
    return counts
"""
PROGRAM = """
import sys
from scriptc import script
from scriptc.backends.llvm import machine

texts = []
compile_program = machine.compile_program
machine.compile_program = lambda text, **how: texts.append(text) or compile_program(text, **how)

@script
def count(words: list[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    return counts

assert count(["a", "b", "a"]) == {"a": 2, "b": 1}
print(sum("stdlib.dicts._place" in line for t in texts for line in t.splitlines()
          if line.startswith("define")))
"""


def made(text: str) -> Any:
    return script(vars(live_module(text))["f"])


def core(text: str, *types: Any) -> Module:
    """Return what is inlined of the functions of a file, of which `f` is asked for."""
    return inline(lower_program(check_program([Root(vars(live_module(text))["f"], types)])))


def test_programs_share_instances_of_equal_types() -> None:
    words = ListType(STR)
    one, other = (separate(core(text, words)) for text in (COUNT, FIND))
    assert set(one.instances.functions) & set(other.instances.functions)
    numbers = separate(core(COUNT, ListType(INT)))
    common = set(one.instances.functions) & set(numbers.instances.functions)
    assert all(".dicts._place" not in name for name in common)


def test_instances_have_the_same_names_whatever_else_a_program_has() -> None:
    words = ListType(STR)
    alone, beside = (separate(core(text, words)).instances.functions for text in (COUNT, BOTH))
    assert alone.keys() <= beside.keys()


def test_a_search_stands_apart_from_the_store_that_follows_it() -> None:
    called = callees(separate(core(COUNT, ListType(STR))).module.functions["f"])
    assert any(".dicts._set_at." in name for name in called)
    assert not any(".dicts.set_item." in name for name in called)


def test_instances_are_not_copied_into_others() -> None:
    separated = separate(core(COUNT, ListType(STR)))
    low = to_instances(separated.instances, Options())
    calls = {c for name in separated.instances.functions for c in callees(low.functions[name])}
    assert any("._further_place." in name for name in calls)
    assert any("._rebuild." in name for name in calls)


def test_what_is_left_calls_them_and_knows_what_they_do() -> None:
    separated = separate(core(COUNT, ListType(STR)))
    verify(separated.module)
    verify(separated.instances)
    effects, own = ModuleEffects(separated.module), ModuleEffects(separated.instances)
    assert "f" in separated.module.functions
    for name, extern in separated.module.externs.items():
        assert extern.effects == own.summary(name)
    assert effects.summary("f").allocates


@pytest.mark.parametrize(
    "text",
    [
        "def f(xs):\n    return sorted(xs, key=lambda x: -x)",
        "class P:\n    def __init__(self, x):\n        self.x = x\n"
        "    def __eq__(self, other):\n        return self.x == other.x\n"
        "def f(xs):\n    ps = [P(x) for x in xs]\n    return ps.count(ps[-1])",
    ],
)
def test_what_belongs_to_a_program_stays_in_it(text: str) -> None:
    names = separate(core(text, ListType(INT))).instances.functions
    # Sorting by words and bits knows nothing of the program's key.
    own = [name for name in names if not name.startswith("stdlib.list_sorting.")]
    assert not any(".sort" in name or ".count" in name for name in own)


OBJECTS = """
class P:
    def __init__(self, {fields}):
        self.value = a
def f(xs):
    made = {{}}
    for x in xs:
        made[x] = P(*([x] * {count}))
    return made[xs[0]].value + len(made)
"""


def test_objects_are_carried_whatever_their_fields() -> None:
    one = OBJECTS.replace("*([x] * {count})", "x").format(fields="a")
    other = OBJECTS.replace("*([x] * {count})", "x + 1, x").format(fields="b, a")
    names = [set(separate(core(t, ListType(INT))).instances.functions) for t in (one, other)]
    assert any(".dicts._place" in name for name in names[0] & names[1])
    assert made(one)([4, 5, 4]) == 6
    assert made(other)([4, 5, 4]) == 6


def test_dicts_made_by_instances_outlive_the_programs() -> None:
    found = made(COUNT)(["a", "b", "a"])
    assert found == {"a": 2, "b": 1}
    assert made(FIND)(["b", "a", "b"]) == 2


def test_instances_that_could_not_be_made_are_asked_for_again() -> None:
    def nothing(*_: object) -> None:
        return None

    def fail() -> None:
        raise MemoryError

    never: Any = nothing
    kept = Instances(Shelf(lambda *_: "", nothing, nothing, nothing, nothing, never))
    kept.expect(["one", "other"], fail)
    assert kept.has("one")
    for name in ("one", "other"):
        with pytest.raises(MemoryError):
            kept.settle([name])
        assert not kept.has(name)


def test_an_empty_cache_is_not_asked_by_name() -> None:
    def named(*_: object) -> str:
        raise AssertionError("the first name takes the sources")

    never: Any = named
    kept = Instances(Shelf(named, lambda _: None, never, never, lambda: None, never))
    assert not kept.has("one")


def test_what_an_instance_raises_is_the_callers() -> None:
    look = made("def f(d, key):\n    x = 1\n    return d[key] + x\n")
    with pytest.raises(KeyError) as caught:
        look({"a": 1}, "b")
    assert caught.value.args == ("b",)
    lines = [(frame.name, frame.lineno) for frame in traceback.extract_tb(caught.tb)]
    assert lines[-1] == ("f", 3)
    change = made(
        "def f(x):\n    d = {x: 2}\n    for k in d:\n        d[k + 1] = 0\n    return len(d)\n"
    )
    with pytest.raises(RuntimeError, match="changed size"):
        change(1)


def _run(folder: Path) -> str:
    program = folder / "program.py"
    program.write_text(PROGRAM)
    settings = {**os.environ, "SCRIPTC_CACHE_DIR": str(folder / "cache")}
    command = [sys.executable, str(program)]
    done = subprocess.run(
        command, cwd=REPO, env=settings, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_cache_that_has_lost_instances_gets_them_again(tmp_path: Path) -> None:
    assert _run(tmp_path) == "1"
    assert _run(tmp_path) == "0"
    small = [
        entry for entry in (tmp_path / "cache").glob("*.manifest") if entry.stat().st_size < 200
    ]
    assert small
    for entry in small:
        entry.unlink()
    assert _run(tmp_path) == "0"  # their code is still there
    assert small[0].exists()
    for entry in (tmp_path / "cache").glob("*.o"):
        entry.unlink()
    assert _run(tmp_path) == "1"


def test_searches_look_for_no_signals() -> None:
    separated = separate(core(COUNT, ListType(STR)))
    low = to_instances(separated.instances, Options())
    polling = {
        text.partition("(")[0].split(".")[2]
        for text in emit_instances(low).text.split("\ndefine ")
        if "stdlib.dicts." in text.partition("(")[0] and "@sc_poll" in text.partition("\n}")[0]
    }
    assert polling == {"_rebuild", "_index_for"}
    found = {name.split(".")[2] for name, f in low.functions.items() if f.role is Role.SEARCH}
    assert found >= {"_place", "_further_place"}
    # What the instances have opened, as `list_fill`, nobody else calls.
    called = separated.module.externs
    assert all(called[n].role is f.role for n, f in low.functions.items() if n in called)
    assert called.keys() <= low.functions.keys()
