"""Exceptions of classes of a program leave every way of running it as CPython's do."""

# The programs have no annotations.
# pyright: basic

import gc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import scriptc
import scriptc_runtime
from scriptc import script
from tests.programs import exception_classes as programs
from tests.support.llvm_calls import live_blocks
from tests.support.outcomes import lineage


def raised(call: Callable[..., Any], *arguments: object) -> BaseException:
    with pytest.raises(BaseException) as caught:  # noqa: PT011 -- which one is the question
        call(*arguments)
    return caught.value


@pytest.mark.parametrize("backend", ["llvm", "interp"])
def test_they_are_objects_of_the_programs_own_class(backend: Any) -> None:
    compiled = script(backend=backend)(programs.fails_deep)
    for kind in (0, 1, 2):
        mine, other = raised(compiled, kind), raised(programs.fails_deep, kind)
        assert type(mine) is type(other)
        assert (str(mine), repr(mine), mine.args) == (str(other), repr(other), other.args)
        assert vars(mine) == vars(other)


@pytest.mark.parametrize("backend", ["llvm", "interp"])
def test_causes_and_contexts_are_objects_of_their_classes(backend: Any) -> None:
    compiled = script(backend=backend)(programs.raised_again)
    for kind in range(1, 9):
        mine, other = raised(compiled, kind), raised(programs.raised_again, kind)
        assert lineage(mine) == lineage(other)
        for older in ("__cause__", "__context__"):
            assert type(getattr(mine, older)) is type(getattr(other, older))


@pytest.mark.parametrize("load", [scriptc.load, scriptc_runtime.load])
def test_a_loaded_module_has_classes_of_their_names(load: Any, tmp_path: Path) -> None:
    saved = tmp_path / "fails.scriptc"
    scriptc.save({"fails": script(programs.fails_deep).sig(int)}, saved)
    found = raised(load(saved).fails, 1)
    names = [cls.__name__ for cls in type(found).__mro__]
    assert names[:5] == ["Deeper", "Deep", "TooMuch", "BankError", "Exception"]
    assert found.args == ("4 is more than 3",)
    assert vars(found)["history"] == [4, 5, 3]
    assert type(raised(load(saved).fails, 1)) is type(found)


def test_nothing_of_them_stays() -> None:
    compiled = script(programs.raised_again)
    before = live_blocks()
    for kind in range(1, 9):
        raised(compiled, kind)
    gc.collect()
    assert live_blocks() == before


def test_fields_with_objects_stay_behind() -> None:
    found = raised(script(raises_with_object), 1)
    assert found.args == ("node",)
    assert not hasattr(found, "node")


def raises_with_object(k: int) -> int:
    if k > 0:
        raise programs.E(programs.Node(k))
    return k


def collected(k: int) -> tuple[list[programs.AppError], int]:
    errors: list[programs.AppError] = []
    for i in range(k):
        try:
            programs.serves(i)
        except programs.AppError as e:
            errors.append(e)
    return errors, k


def last_one(k: int) -> programs.AppError | None:
    try:
        programs.serves(k)
    except programs.AppError as e:
        return e
    return None


@pytest.mark.parametrize("backend", ["llvm", "interp"])
def test_they_can_be_results(backend: Any) -> None:
    before = live_blocks()
    compiled = script(backend=backend)(last_one)
    for kind in range(5):
        assert shown(compiled(kind)) == shown(last_one(kind))
    mine, other = script(backend=backend)(collected)(4), collected(4)
    assert list(map(shown, mine[0])) == list(map(shown, other[0]))
    gc.collect()
    assert live_blocks() == before


def shown(error: BaseException | None) -> object:
    return error and (type(error), error.args, vars(error))


@pytest.mark.parametrize("load", [scriptc.load, scriptc_runtime.load])
def test_a_loaded_module_returns_them(load: Any, tmp_path: Path) -> None:
    saved = tmp_path / "last.scriptc"
    scriptc.save({"last_one": script(last_one), "collected": script(collected)}, saved)
    found = load(saved).last_one(0)
    assert (type(found).__name__, found.args) == ("NotFound", ("page not found",))
    assert load(saved).last_one(4) is None
    errors, _ = load(saved).collected(4)
    assert [type(e).__name__ for e in errors] == ["NotFound", "Denied", "AppError", "AppError"]
