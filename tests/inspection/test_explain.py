"""`explain`: golden cases of what passes say, as text and HTML, and how remarks are shown.

LLVM speaks of one processor here, whichever the tests run on.
"""

import platform
from html.parser import HTMLParser
from pathlib import Path
from types import FunctionType

import numpy as np
import pytest

import scriptc
from scriptc import script
from scriptc.analysis.remarks import (
    Kind,
    Message,
    Reason,
    Topic,
    about,
    remark,
    remarks_kept,
    remarks_wanted,
)
from scriptc.backends.llvm.host import has_fused_multiply_add, host
from scriptc.function_types import request_of
from scriptc.inspection.explain import Explanation, explain
from scriptc.inspection.llvm_remarks import UnknownProcessorError
from scriptc.scripted_function import ScriptFunction
from scriptc.specialise.arguments import explicit_arguments
from scriptc.types import N, f64
from scriptc_runtime.ir import NOWHERE, Block, Function, Label, Loc, Role
from scriptc_runtime.types import NONE
from tests.support.cases import Case, case_paths
from tests.support.live_source import last_function, live_module, types_from_text

PROCESSOR = "x86-64-v3"
fixed_processor = pytest.mark.skipif(
    platform.machine() not in ("x86_64", "AMD64") or not has_fused_multiply_add(host().features),
    reason="LLVM compiles for processors of this kind of machine alone",
)


def explained(function: FunctionType, args: str = "") -> Explanation:
    scripted = script(function)
    assert isinstance(scripted, ScriptFunction)
    arguments = explicit_arguments(request_of(scripted, ()), types_from_text(args))
    return explain(request_of(scripted, arguments), cpu=PROCESSOR)


def of_case(case: Case) -> Explanation:
    function = last_function(live_module(case.inputs["source"] + "\n"))
    return explained(function, case.inputs.get("args", ""))


@fixed_processor
@pytest.mark.parametrize("path", case_paths("explain"), ids=lambda path: path.stem)
def test_golden(path: Path, bless: bool) -> None:
    case = Case.read(path)
    found = of_case(case)
    body = found._repr_html_().partition("</style>")[2]  # pyright: ignore[reportPrivateUsage]
    lines = body.replace('<div class="line">', '\n<div class="line">')
    lines = lines.replace("<details", "\n<details").replace("<li", "\n<li")
    case.check({"explain": lambda _: str(found), "html": lambda _: lines}, bless=bless)


class _Page(HTMLParser):
    """The tags of a page that are open, and what they name outside of it."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "input"):
            self.open.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("src", "href")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_a_page_needs_no_network_and_is_closed() -> None:
    case = Case.read(case_paths("explain")[0])
    text = of_case(case).html
    page = _Page()
    page.feed(text)
    page.close()
    assert text.startswith("<!DOCTYPE html>")
    assert not page.open
    assert not page.links
    assert "<script" not in text
    assert "http" not in text
    assert "url(" not in text
    assert "prefers-color-scheme: dark" in text


def norm(x: f64[N]) -> float:
    total = 0.0
    for value in x:
        total += value * value
    return total**0.5


def middle(x: f64[N]) -> float:
    return np.median(x)


PLAIN = """
def plain(x, y):
    return x + y
"""


def test_types_come_from_calls_examples_and_annotations() -> None:
    f = script(last_function(live_module(PLAIN)))
    with pytest.raises(scriptc.ScriptError, match="no annotation"):
        f.explain()
    assert str(f.explain(np.ones((2, 3)), np.ones(3))).startswith("plain(x: f64[")
    f(1, 2)
    assert str(f.explain()).startswith("plain(x: int, y: int)")
    assert str(script(norm).explain()).startswith("norm(x: f64[N])")
    with pytest.raises(scriptc.ScriptError, match="has 1 parameter, not 2"):
        script(norm).explain(f64[N], f64[N])


def test_what_the_library_does_is_folded_at_the_line_that_calls_it() -> None:
    found = script(middle).explain()
    assert "of the standard library" in str(found)
    assert len(found.with_library) > len(str(found))
    assert "<summary>inside" in found.html


def test_explain_keeps_nothing_and_changes_nothing(empty_cache: Path) -> None:
    f = script(norm)
    first = str(f.explain())
    assert not empty_cache.exists()
    assert f(np.array([3.0, 4.0])) == 5.0
    assert str(f.explain()) == first  # what is compiled already is compiled anew


def test_a_processor_that_llvm_does_not_know_is_refused() -> None:
    scripted = script(norm)
    arguments = explicit_arguments(request_of(scripted, ()), ())
    with pytest.raises(UnknownProcessorError, match="nonsense"):
        explain(request_of(scripted, arguments), cpu="nonsense")


# ------------------------------------------------------------------------------------- remarks

SAID = Message("a pass", Topic.CHECKS, Kind.DONE, "no check of {array}, as {why}")
AT = Loc(3, 5)


def function_of(role: Role) -> Function:
    return Function("f", (), NONE, Block((), ()), Label(), role=role)


def test_nothing_is_kept_where_nobody_listens() -> None:
    remark(SAID, AT, array="x", why="it is short")
    assert not remarks_wanted()
    with remarks_kept() as remarks:
        assert remarks_wanted()
    assert not remarks.found


def test_a_remark_is_put_into_words_when_it_is_read() -> None:
    class Unwritten:
        def __str__(self) -> str:
            raise AssertionError

    with remarks_kept() as remarks:
        remark(SAID, AT, array=Unwritten(), why="")
        remark(SAID, AT, array=["x", "y", "x"], why=Reason("{n} is small", n=4))
    assert remarks.found[1].text == "no check of x and y, as 4 is small"


def test_fallbacks_and_code_of_no_line_leave_nothing() -> None:
    with remarks_kept() as remarks:
        about(function_of(Role.FALLBACK))
        assert not remarks_wanted()
        remark(SAID, AT, array="x", why="")
        about(function_of(Role.KERNEL))
        remark(SAID, NOWHERE, array="x", why="")
        assert not remarks.found
        remark(SAID, AT, array="x", why="")
    assert len(remarks.found) == 1
