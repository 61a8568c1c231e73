"""Parts of a program under names of their own, which an edit elsewhere leaves as they are."""

import ctypes

import pytest

from scriptc.backends.llvm import machine, split
from scriptc.backends.llvm.emitter.function import COMMON_NODES
from scriptc.backends.llvm.loading import elfload
from scriptc.backends.llvm.loading.elfload import links_itself
from scriptc.backends.llvm.own_names import with_own_names

PART = """\
@sc_first_site = external global i8, !absolute_symbol !12
@sc_texts = external global [0 x ptr]
!12 = !{{i64 0, i64 2147483648}}
!{node} = distinct !{{!{node}}}
declare void @"kernel.f.{kernel}"()
define internal void @sc.delete_{deleter}(ptr %block) {{
  ret void
}}
define i32 @"f."() {{
  call void @"kernel.f.{kernel}"()
  %at = getelementptr ptr, ptr @sc_texts, i64 {text}
  call void @sc.delete_{deleter}(ptr %at), !note !{node}
  %first = add i32 0, add (i32 ptrtoint (ptr @sc_first_site to i32), i32 {site})
  %second = add i32 %first, add (i32 ptrtoint (ptr @sc_first_site to i32), i32 {site})
  ret i32 %second
}}
"""
BEFORE = {"node": COMMON_NODES, "kernel": 3, "deleter": 0, "text": 1, "site": 7}
AFTER = {"node": COMMON_NODES + 4, "kernel": 5, "deleter": 2, "text": 4, "site": 12}


def test_numbers_that_others_shift_are_not_in_the_text() -> None:
    before, after = (with_own_names(PART.format(**n)) for n in (BEFORE, AFTER))
    assert before.text == after.text
    stands_for = {name: place for name, place in before.names.values()}
    assert stands_for == {"kernel.f.3": 0, "f.": 0, "sc_texts": 8, "sc_first_site": 7}
    stands_for = {name: place for name, place in after.names.values()}
    assert stands_for == {"kernel.f.5": 0, "f.": 0, "sc_texts": 32, "sc_first_site": 12}


def test_sites_are_told_apart_by_how_far_they_are_from_the_first_of_their_function() -> None:
    text = PART.format(**BEFORE)
    other = text.replace("i32 7)\n  %second", "i32 9)\n  %second")
    assert with_own_names(other).text != with_own_names(text).text
    assert ("sc_first_site", 7) in with_own_names(other).names.values()


PROGRAM = """\
@sc_words = global [2 x i64] [i64 40, i64 2]
define internal i64 @"g."() noinline {{
  ret i64 2
}}
{more}
define internal i64 @"f."() {{
  %at = getelementptr i64, ptr @sc_words, i64 0
  %word = load i64, ptr %at
  %two = call i64 @"g."()
  %sum = add i64 %word, %two
  ret i64 %sum
}}
define internal i64 @"kernel.f.{kernel}"() noinline "no-passes" "part-of-loop" {{
  %site = zext i32 add (i32 ptrtoint (ptr @sc_first_site to i32), i32 {site}) to i64
  ret i64 %site
}}
define i64 @sc_entry_0() "runs-once" {{
  %found = call i64 @"f."()
  %site = call i64 @"kernel.f.{kernel}"()
  %sum = add i64 %found, %site
  ret i64 %sum
}}
@sc_first_site = external global i8, !absolute_symbol !12
!12 = !{{i64 0, i64 2147483648}}
"""
MORE = """\
define internal i64 @"kernel.f.0"() noinline "few-passes" "part-of-loop" {
  ret i64 1
}
"""


@pytest.mark.skipif(not links_itself(), reason="LLVM's linker has one space of names")
def test_an_edit_leaves_the_machine_code_of_other_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(split, "_LEAST", 1)
    monkeypatch.setattr(split, "_SOME", 1)
    kept: dict[str, bytes] = {}
    found: list[int] = []
    for texts in ({"more": "", "kernel": 0, "site": 5}, {"more": MORE, "kernel": 1, "site": 8}):
        known = len(kept)
        code = machine.compile_program(
            PROGRAM.format(**texts), known=kept.get, keep=kept.__setitem__
        )
        found.append(len(kept) - known)
        loaded = elfload.load(code, {"sc_first_site": 0}.__getitem__)
        result = ctypes.CFUNCTYPE(ctypes.c_int64)(loaded["sc_entry_0"])()
        assert result == 42 + int(texts["site"])
    first, second = found
    assert second == 1 < first
