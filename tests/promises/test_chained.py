"""What an exception raised in a handler tells: its traceback and its contexts are CPython's."""

import ctypes
import traceback
from collections.abc import Callable
from functools import cache
from types import FunctionType, TracebackType

import pytest

from scriptc import script
from scriptc.options import from_environment
from scriptc.scripted_function import store_of
from tests.promises import chained

Link = tuple[str, str, list[tuple[str, int]]]
IDS = [f"{function.__name__}-{n}" for function, n in chained.CASES]


@cache
def scripted(function: FunctionType, backend: str) -> Callable[..., object]:
    return script(function, backend=backend)


def live_blocks() -> int:
    """The blocks of memory that scripts hold in this process."""
    support = store_of(from_environment().cache_dir).support
    return ctypes.c_int64.from_address(support["sc_live_blocks"]).value


def lines(entry: TracebackType | None) -> list[tuple[str, int]]:
    found: list[tuple[str, int]] = []
    while entry is not None:
        code = entry.tb_frame.f_code
        # This file's own frames apart, there are frames of the script and no others.
        if code.co_filename != __file__:
            assert code.co_filename == chained.__file__
            found.append((code.co_name, entry.tb_lineno))
        entry = entry.tb_next
    return found


def chain(error: BaseException | None) -> list[Link]:
    links: list[Link] = []
    while error is not None:
        links.append((type(error).__name__, str(error), lines(error.__traceback__)))
        error = error.__context__
    return links


def ending(call: Callable[..., object], *arguments: object) -> list[Link]:
    try:
        call(*arguments)
    except Exception as error:
        return chain(error)
    return []


@pytest.mark.parametrize("backend", ["llvm", "interp"])
@pytest.mark.parametrize(("function", "n"), chained.CASES, ids=IDS)
def test_contexts_and_their_lines_are_those_of_cpython(
    function: FunctionType, n: int, backend: str
) -> None:
    expected = ending(function, n)
    assert expected
    for _ in range(2):
        assert ending(scripted(function, backend), n) == expected


@pytest.mark.parametrize("backend", ["llvm", "interp"])
def test_what_python_handles_is_the_last_context(backend: str) -> None:
    def handled(call: Callable[..., object]) -> list[Link]:
        try:
            raise LookupError("outside")
        except LookupError:
            return ending(call, 3)

    for function in chained.PLAIN:
        call = scripted(function, backend)
        ending(call, 3)
        assert handled(call) == handled(function)
        assert [name for name, _, _ in handled(call)][-1] == "LookupError"


@pytest.mark.parametrize(("function", "n"), chained.CASES, ids=IDS)
def test_traces_are_given_back(function: FunctionType, n: int) -> None:
    call = scripted(function, "llvm")
    ending(call, n)
    before = live_blocks()
    for _ in range(3):
        ending(call, n)
    assert live_blocks() == before


def test_a_traceback_is_printed_with_the_lines_of_the_source() -> None:
    call = scripted(chained.PRINTED, "llvm")
    with pytest.raises(ValueError, match="too large") as caught:
        call(3)
    text = "".join(traceback.format_exception(caught.value))
    assert "    fail(n)\n" in text
    assert "    raise ValueError(" in text
    assert "^" not in text.partition("promises")[2]
