"""What users see of an exception that leaves scriptc: their frames, and none of scriptc's own."""

import traceback
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
from numpy.linalg import tensorinv

from scriptc import ScriptError, script
from scriptc_runtime.tracebacks import REFUSING

# What is in it is called wrongly, or is no script, on purpose.
# pyright: basic


class Counter:
    def __init__(self, n: int) -> None:
        if n < 0:
            raise ValueError("below zero")
        self.n = n

    def share(self, k: int) -> int:
        return self.n // k


def ratio(x: int) -> int:
    return 1 // x


def no_script(x):
    return x.nothing


def far(x):
    return np.linalg.tensorinv(x)


def near(x):
    return tensorinv(x)


def never(x: int) -> int:
    raise ValueError("never")


def made(cls: Any) -> Any:
    return cls(1)


def set_wrongly(cls: Any) -> None:
    cls(1).n = object()


CALLS: list[tuple[str, Callable[..., object], list[str]]] = [
    ("raised", lambda f, cls: f(ratio)(0), ["ratio"]),
    ("only raises", lambda f, cls: f(never)(0), ["never"]),
    ("no int", lambda f, cls: f(ratio)("one"), []),
    ("too few", lambda f, cls: f(ratio)(), []),
    ("too large", lambda f, cls: f(ratio)(2**70), []),
    ("no script", lambda f, cls: f(no_script)(1), []),
    ("compile", lambda f, cls: f(no_script).compile(int), []),
    ("dump", lambda f, cls: f(ratio).dump("nothing"), []),
    ("constructor", lambda f, cls: cls(-1), ["__init__"]),
    ("no int for a constructor", lambda f, cls: cls("one"), []),
    ("method", lambda f, cls: made(cls).share(0), ["share"]),
    ("no int for a method", lambda f, cls: made(cls).share("one"), []),
    ("field", lambda f, cls: set_wrongly(cls), ["set_wrongly"]),
    ("again", lambda f, cls: made(cls).__init__(1), []),
    ("blank", lambda f, cls: object.__new__(type(made(cls))).share(1), []),
    ("blank field", lambda f, cls: object.__new__(type(made(cls))).n, []),
]


@pytest.mark.parametrize("backend", ["llvm", "interp"])
@pytest.mark.parametrize(("call", "own"), [c[1:] for c in CALLS], ids=[c[0] for c in CALLS])
def test_frames_are_those_of_users(
    call: Callable[..., object], own: list[str], backend: str
) -> None:
    def scripted(function: Any) -> Any:
        return script(function, backend=backend)

    cls = scripted(Counter)
    with pytest.raises((ValueError, TypeError, ArithmeticError, ScriptError, AttributeError)) as e:
        call(scripted, cls)
    frames = traceback.extract_tb(e.value.__traceback__)
    assert {frame.filename for frame in frames} == {__file__}
    names = [frame.name for frame in frames]
    assert names == ["test_frames_are_those_of_users", "<lambda>", *own]


@pytest.mark.parametrize("backend", ["llvm", "interp"])
def test_a_blank_object_says_that_it_is_one(backend: str) -> None:
    cls: Any = script(Counter, backend=backend)
    cls(1)
    blank = object.__new__(cls)
    with pytest.raises(TypeError, match="this Counter object was never initialised"):
        blank.share(1)
    with pytest.raises(AttributeError, match=r"never initialised.* no 'n'"):
        _ = blank.n
    assert not hasattr(blank, "n")


@pytest.mark.parametrize("function", [far, near])
def test_a_function_that_is_not_built_is_named_in_full(function: Any) -> None:
    with pytest.raises(ScriptError, match=r"\bnp\.linalg\.tensorinv is not built"):
        script(function)(np.ones(3))


def test_a_mistake_of_ours_shows_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    scripted = script(ratio)
    monkeypatch.setattr(type(scripted), "_bound", lambda *_: {}["mistake"])
    with pytest.raises(KeyError) as caught:
        scripted(1)
    assert "scripted_function.py" in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize("module", sorted(REFUSING))
def test_what_refuses_arguments_is_a_module(module: str) -> None:
    assert find_spec(module) is not None
