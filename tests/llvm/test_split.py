"""One module of LLVM IR as two, for two threads."""

import ctypes

import pytest

from scriptc.backends.llvm import machine, split
from scriptc.backends.llvm.emitter.effort import Effort
from scriptc.backends.llvm.loading import elfload
from scriptc.backends.llvm.loading.elfload import ObjectError
from scriptc_runtime.errors import InvalidIRError

TEXT = """\
@sc_words = global [2 x i64] [i64 40, i64 2]
@calls = internal global i64 0
define internal i64 @word(i64 %n) noinline {
  %at = getelementptr i64, ptr @sc_words, i64 %n
  %word = load i64, ptr %at
  ret i64 %word
}
define internal i64 @unused(i64 %n) {
  ret i64 %n
}
define internal i64 @"kernel.f.0"(i64 %n) noinline "part-of-loop" {
  %count = load i64, ptr @calls
  %more = add i64 %count, 1
  store i64 %more, ptr @calls
  %word = call i64 @word(i64 %n)
  ret i64 %word
}
define internal i64 @"fallback.f.0"(i64 %n) noinline "part-of-loop" {
  %result = call i64 @"exp"(i64 %n)
  ret i64 %result
}
define internal i64 @"exp"(i64 %n) {
  %first = call i64 @"kernel.f.0"(i64 0)
  %second = call i64 @word(i64 1)
  %sum = add i64 %first, %second
  ret i64 %sum
}
define i64 @sc_entry_0() {
  %sum = call i64 @"fallback.f.0"(i64 0)
  %calls = load i64, ptr @calls
  %both = mul i64 %sum, %calls
  ret i64 %both
}
"""


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(split, "_LEAST", 1)


@pytest.mark.usefixtures("eager")
def test_kernels_go_to_a_module_of_their_own() -> None:
    variables, first, second = (part.text for part in split.split(TEXT))
    assert '\ndefine i64 @"kernel.f.0"(' in first
    assert '\ndeclare i64 @"kernel.f.0"(' in second
    # It calls a function of the script, whose name may be that of a function of C.
    assert '@"fallback.f.0"' not in first
    assert "@word(" in first
    assert "@word(" in second
    assert "@unused" not in first + second
    assert variables == "@sc_words = global [2 x i64] [i64 40, i64 2]\n@calls = global i64 0"
    assert "@calls = external global i64" in second
    # How many there are is nothing that a part depends on.
    assert "@sc_words = external global [0 x i64]\n" in second


FINISHED = (
    TEXT.replace('@"kernel.f.0"(i64 %n) noinline', '@"kernel.f.0"(i64 %n) noinline "no-passes"')
    + """\
define internal i64 @inlined() alwaysinline {
  ret i64 1, !note !1
}
define internal i64 @"kernel.f.1"() noinline "no-passes" "part-of-loop" {
  %one = call i64 @inlined()
  ret i64 %one
}
define i64 @sc_entry_1() {
  %one = call i64 @"kernel.f.1"()
  ret i64 %one
}
declare i64 @elsewhere()
!0 = !{}
!1 = !{!0}
!2 = !{}
"""
)


@pytest.mark.usefixtures("eager")
def test_vector_code_has_a_part_without_passes() -> None:
    variables, vectors, kernels, host = split.split(FINISHED)
    efforts = [part.effort for part in (variables, vectors, kernels, host)]
    assert efforts == [Effort.ONCE, Effort.NONE, Effort.SIMPLE, Effort.FULL]
    assert '\ndefine i64 @"kernel.f.0"(' in vectors.text
    # It calls what only a pass would inline.
    assert '\ndefine i64 @"kernel.f.1"(' in kernels.text
    assert "@sc_words = external global" in vectors.text
    assert "@sc_words" not in kernels.text  # which nothing in it uses
    code = machine.compile_program(FINISHED)
    loaded = elfload.load(code, _nothing)
    assert ctypes.CFUNCTYPE(ctypes.c_int64)(loaded["sc_entry_0"])() == 42
    assert ctypes.CFUNCTYPE(ctypes.c_int64)(loaded["sc_entry_1"])() == 1


@pytest.mark.usefixtures("eager")
def test_a_part_has_the_declarations_and_the_metadata_that_it_needs() -> None:
    texts = [part.text for part in split.split(FINISHED)]
    assert not any("@elsewhere" in text or "!2 =" in text for text in texts)
    found = ["!0 = !{}" in text and "!1 = !{!0}" in text for text in texts]
    assert found == [False, False, True, False]


LAUNCHING = """\
define internal i64 @"kernel.f.0"() noinline "few-passes" "part-of-loop" {
  %one = call i64 @inlined()
  ret i64 %one
}
define internal i64 @inlined() alwaysinline {
  ret i64 1
}
define internal i64 @"kernel.f.1"() noinline "part-of-loop" {
  ret i64 2
}
define internal i64 @"f."() "few-passes" {
  %one = call i64 @"kernel.f.0"()
  %two = call i64 @"kernel.f.1"()
  %sum = add i64 %one, %two
  ret i64 %sum
}
define internal i64 @"g."() "few-passes" {
  %three = call i64 @"f."()
  ret i64 %three
}
define internal i64 @"h."() {
  %three = call i64 @"f."()
  %double = add i64 %three, %three
  ret i64 %double
}
define i64 @sc_entry_0() optnone noinline "runs-once" {
  %six = call i64 @"h."()
  ret i64 %six
}
define i64 @sc_entry_1() optnone noinline "runs-once" {
  %three = call i64 @"g."()
  ret i64 %three
}
"""


@pytest.mark.usefixtures("eager")
def test_what_launches_kernels_comes_last_with_few_passes() -> None:
    simple, *full, late = split.split(LAUNCHING)
    assert simple.effort is late.effort is Effort.SIMPLE
    assert all(part.effort is Effort.FULL for part in full)
    assert 'define i64 @"kernel.f.0"(' in simple.text
    assert '\ndefine internal i64 @"g."(' in late.text
    assert "@sc_entry_1()" in late.text
    # Code that is worth all passes uses it, and may be nothing but calls of it.
    assert '@"f."() "few-passes" {' in full[-1].text
    assert "@sc_entry_0()" in full[-1].text
    loaded = elfload.load(machine.compile_program(LAUNCHING), _nothing)
    assert ctypes.CFUNCTYPE(ctypes.c_int64)(loaded["sc_entry_0"])() == 6
    assert ctypes.CFUNCTYPE(ctypes.c_int64)(loaded["sc_entry_1"])() == 3


ONCE = """\
define internal i64 @"k."() "runs-once" {
  %six = call i64 @"h."()
  ret i64 %six
}
define internal i64 @"m."() "runs-once" {
  %six = call i64 @"k."()
  ret i64 %six
}
define internal i64 @"n."() "runs-once" {
  ret i64 4
}
define internal i64 @"o."() "few-passes" {
  %four = call i64 @"n."()
  ret i64 %four
}
define i64 @sc_entry_2() optnone noinline "runs-once" {
  %six = call i64 @"m."()
  ret i64 %six
}
define i64 @sc_entry_3() optnone noinline "runs-once" {
  %four = call i64 @"o."()
  ret i64 %four
}
"""


@pytest.mark.usefixtures("eager")
def test_what_runs_once_comes_last_and_is_not_optimised() -> None:
    *_, late, once = split.split(LAUNCHING + ONCE)
    assert (late.effort, once.effort) == (Effort.SIMPLE, Effort.ONCE)
    assert all(f'\ndefine internal i64 @"{name}."(' in once.text for name in "km")
    assert "@sc_entry_2()" in once.text
    # What is optimised uses it.
    assert '@"n."() "runs-once" {' in late.text
    loaded = elfload.load(machine.compile_program(LAUNCHING + ONCE), _nothing)
    results = [ctypes.CFUNCTYPE(ctypes.c_int64)(loaded[f"sc_entry_{n}"])() for n in range(4)]
    assert results == [6, 3, 6, 4]


CALLING = """\
@sc_words = global [2 x i64] [i64 40, i64 2]
define internal i64 @"even."(i64 %n) "few-passes" {
entry:
  %done = icmp eq i64 %n, 0
  br i1 %done, label %last, label %more
last:
  %word = load i64, ptr @sc_words
  ret i64 %word
more:
  %less = sub i64 %n, 1
  %found = call i64 @"odd."(i64 %less)
  ret i64 %found
}
define internal i64 @"outer."(i64 %n) "few-passes" {
  %found = call i64 @"even."(i64 %n)
  %sum = add i64 %found, 2
  ret i64 %sum
}
define internal i64 @"odd."(i64 %n) "few-passes" {
  %less = sub i64 %n, 1
  %found = call i64 @"even."(i64 %less)
  ret i64 %found
}
define i64 @sc_entry_0() optnone noinline "runs-once" {
  %found = call i64 @"outer."(i64 4)
  ret i64 %found
}
"""


@pytest.mark.usefixtures("eager")
def test_functions_that_call_each_other_in_one_direction_are_parts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(split, "_SOME", 1)
    _, first, second, *_ = split.split(CALLING)
    assert '\ndefine i64 @"even."(' in first.text
    assert '\ndefine internal i64 @"odd."(' in first.text
    assert "@sc_words = external global" in first.text
    assert second.text.startswith('declare i64 @"even."(')
    assert '\ndefine i64 @"outer."(' in second.text
    assert "@sc_words" not in second.text  # which nothing in it uses
    loaded = elfload.load(machine.compile_program(CALLING), _nothing)
    assert ctypes.CFUNCTYPE(ctypes.c_int64)(loaded["sc_entry_0"])() == 42
    assert len(split.split(CALLING, threads=1)) == 1
    loaded = elfload.load(machine.compile_program(CALLING, alone=True), _nothing)
    assert ctypes.CFUNCTYPE(ctypes.c_int64)(loaded["sc_entry_0"])() == 42


@pytest.mark.usefixtures("eager")
def test_each_part_has_the_passes_that_its_functions_are_worth(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(split, "_SOME", 1)
    head, *others = CALLING.split('"few-passes"')
    _, mutual, outer, *_ = split.split(head + '"most-passes"' + '"few-passes"'.join(others))
    assert '@"even."(' in mutual.text
    assert (mutual.effort, outer.effort) == (Effort.MOST, Effort.SIMPLE)


def _nothing(name: str) -> int:
    raise KeyError(name)


def test_small_modules_stay_whole() -> None:
    assert split.split(TEXT) == (split.Part(TEXT),)
    quick = 'define i64 @f() "few-passes" {\n}\ndefine i64 @g() noinline "no-passes" {\n}\n'
    assert split.split(quick) == (split.Part(quick, Effort.SIMPLE),)


@pytest.mark.usefixtures("eager")
def test_two_modules_are_one_program() -> None:
    code = machine.compile_program(TEXT)
    assert elfload.undefined_symbols(code) == []
    assert {"sc_entry_0", "sc_words"} <= set(elfload.exported_symbols(code))
    loaded = elfload.load(code, _nothing)
    assert ctypes.CFUNCTYPE(ctypes.c_int64)(loaded["sc_entry_0"])() == 42


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("name", ["kernel.f.0", "exp"])
def test_what_llvm_refuses_is_told_by_the_caller(name: str) -> None:
    broken = TEXT.replace(f'@"{name}"(i64 %n) noinline {{', f'@"{name}"(i64 %n) {{\n  what')
    broken = broken.replace('@"exp"(i64 %n) {', '@"exp"(i64 %n) {\n  what')
    with pytest.raises(InvalidIRError):
        machine.compile_program(broken)


@pytest.mark.usefixtures("eager")
def test_damaged_objects_are_refused() -> None:
    code = machine.compile_program(TEXT)
    second = code.index(b"objects\n", 1)
    for damaged in (code[: second + 12], code[:-8], code[:second] + b"x" + code[second:]):
        with pytest.raises(ObjectError):
            elfload.load(damaged, _nothing)
