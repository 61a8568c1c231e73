"""The support code is a core, which every program loads, and parts that come when needed."""

import sys
import threading
from collections import UserDict
from collections.abc import Callable, KeysView
from pathlib import Path

import pytest

from scriptc.backends.llvm.elementary import far
from scriptc.backends.llvm.loading import elfload, symbols
from scriptc.backends.llvm.loading.machine_code import (
    ARRAYS,
    BLOCKS,
    CALLS,
    CODINGS,
    DECIMALS,
    DEVICE,
    FORMATS,
    GIVEN,
    LISTS,
    MEMORY,
    MESSAGES,
    OBJECTS,
    OF_ARRAYS,
    OF_BLOCKS,
    OF_MEMORY,
    READING,
    REST,
    TEXTS,
    WORDS,
    SupportCode,
    part_of,
)
from scriptc.backends.llvm.support import assemble, transpose
from scriptc.backends.llvm.support.products import matrix_matrix, panels, tiles
from scriptc.backends.llvm.support.selection import extremes
from scriptc.backends.llvm.support.selection import routines as selection
from scriptc.backends.llvm.vectors import reductions, row_sums
from scriptc.cache import support_code
from scriptc.cache.loader import leaf_type
from scriptc.cache.support_code import part_object, parts_for, parts_for_program, support_object
from tests.cache.test_folder import Runner

PROGRAM = """
import numpy as np
from scriptc import script
from scriptc.scripted_function import store_of
from scriptc.options import from_environment

@script
def total(x: float, n: int):
    for i in range(n):
        x += 1.0 / i
    return x

@script
def doubled(x):
    return x * 2.0

parts = lambda: sorted(store_of(from_environment().cache_dir).support.parts)
try:
    total(0.0, 3)
except ZeroDivisionError:
    print(parts())
print(doubled(np.arange(3.0)).tolist(), parts())
"""


def _own(names: list[str]) -> set[str]:
    return {name for name in names if name.startswith(("sc_", "sc."))}


# Each after those that it needs.
PARTS = (
    *(MEMORY, ARRAYS, BLOCKS, CALLS, LISTS, GIVEN, OBJECTS, REST, DEVICE),
    *(MESSAGES, TEXTS, WORDS, CODINGS, FORMATS, DECIMALS, READING),
)


def test_parts_need_the_core_and_those_before_them() -> None:
    objects = [support_object(), *map(part_object, PARTS)]
    exported, needed = (
        [_own(names(code)) for code in objects]
        for names in (elfload.exported_symbols, elfload.undefined_symbols)
    )
    assert exported[1:4] == [OF_MEMORY, OF_ARRAYS, set(OF_BLOCKS)]
    assert all(exported)
    before = set[str]()
    for own, others in zip(exported, needed, strict=True):
        assert others <= before
        assert not own & before
        before |= own
    assert exported[0] >= {"sc_miss", "sc_bind", "sc_guarded", "sc_poll", "sc.fetch", "sc.report"}


@pytest.mark.parametrize("part", PARTS)
def test_names_of_symbols_say_which_part_has_them(part: str) -> None:
    names = elfload.exported_symbols(part_object(part))
    assert [part_of(name) for name in names] == [part] * len(names)


def test_a_program_needs_the_parts_whose_symbols_it_declares() -> None:
    text = (
        "declare void @sc.fetch(ptr, i32)\n@sc_words = global i64 0\n@kept = external global i8\n"
    )
    assert parts_for_program(text) == set()
    assert parts_for_program(text + "declare i32 @sc_launch(ptr)\n") == {ARRAYS}
    assert parts_for_program(text + "@sc_apart_work = external global i64\n") == {ARRAYS}
    assert parts_for_program(text + "declare void @sc.reshape(ptr)\n") == {REST}
    assert parts_for(["sc.part.product_f64", "exp", "sc_alloc"]) == {"f64", MEMORY}


def test_threads_that_load_a_part_at_once_share_one() -> None:
    both = threading.Barrier(2)

    def part(name: str) -> bytes:
        code = part_object(name)
        both.wait()
        return code

    core = elfload.load(assemble.support_object(leaf_type()), symbols.resolve)
    code = SupportCode(core, part)
    found: list[tuple[int, int]] = []
    threads = [
        threading.Thread(target=lambda: found.append((code["sc_launch"], code["sc_threads"])))
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 2
    assert found[0] == found[1]


def test_a_part_has_its_symbols_as_soon_as_it_counts_as_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found: list[int] = []

    class Watched(UserDict[str, int]):
        """Symbols of a part, looked for, as by another thread, while they are taken over."""

        def keys(self) -> KeysView[str]:
            if not found:
                found.append(0)
                found.append(code["sc_launch"])
            return super().keys()

    core = elfload.load(assemble.support_object(leaf_type()), symbols.resolve)
    code = SupportCode(core, part_object)
    load = elfload.load

    def watched(part: bytes, resolve: Callable[[str], int]) -> Watched:
        return Watched(load(part, resolve))

    monkeypatch.setattr(elfload, "load", watched)
    assert [0, code["sc_launch"]] == found


def test_a_name_that_no_part_has_is_no_key() -> None:
    core = elfload.load(assemble.support_object(leaf_type()), symbols.resolve)
    code = SupportCode(core, part_object)
    for name in ("sc_nothing", "sc_nothing", "nothing"):
        with pytest.raises(KeyError):
            code[name]
    assert not code.parts


@pytest.mark.skipif(sys.platform != "linux", reason="the linker is for Linux")
def test_a_plain_loop_loads_the_core_alone(tmp_path: Path) -> None:
    runner = Runner(tmp_path, tmp_path / "cache")
    runner.text = PROGRAM
    for _ in range(2):
        assert runner.run() == ["[]", "[0.0, 2.0, 4.0] ['arrays', 'calls', 'memory']"]


def test_what_names_of_parts_begin_with_is_what_their_modules_say() -> None:
    said = {selection.SELECTING, selection.PARTING, panels.DOTS, panels.AXPYS}
    modules = (far, matrix_matrix, tiles, transpose, row_sums, reductions, extremes)
    assert support_code.WRITTEN.keys() == said | {module.PART for module in modules}
