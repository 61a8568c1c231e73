"""From a live function to its place in its file, wherever Python lets one write it."""

import functools
import inspect
import linecache
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from scriptc.syntax import nodes as n
from scriptc.syntax.functions import parse_function
from scriptc_runtime.errors import UnsupportedError
from tests.support.live_source import module_in


def load(folder: Path, text: str) -> ModuleType:
    """Write a module and import it."""
    path = folder / f"module_{len(list(folder.iterdir()))}.py"
    module = sys.modules[path.stem] = module_in(path, text)
    return module


def text_of(fn: Callable[..., Any]) -> str:
    source, node = parse_function(fn)
    return source.text[node.lo : node.hi]


def logged(fn: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(fn)
    def wrapper(*args: Any) -> Any:
        return fn(*args)

    return wrapper


class Model:
    @logged
    def decorated(self, x: float) -> float:
        return x

    @staticmethod
    def static(x: int) -> int: return x  # fmt: skip

    @classmethod
    def of_class(cls) -> int:
        return 1

    def private(self) -> int:
        self.__x = 1
        return self.__x


def test_a_function_that_wraps_another_one_is_itself() -> None:
    source, node = parse_function(Model.decorated)
    assert isinstance(node, n.FunctionDef)
    assert node.name == "wrapper"
    _, wrapped = parse_function(inspect.unwrap(Model.decorated))
    assert isinstance(wrapped, n.FunctionDef)
    assert wrapped.name == "decorated"
    assert len(wrapped.decorator_list) == 1
    assert source.file == __file__
    text = source.text[wrapped.lo : wrapped.hi]
    assert text.startswith("def decorated(self")
    assert text.endswith("return x")


def test_a_string_keeps_lines_indented_less_than_the_code(tmp_path: Path) -> None:
    module = load(tmp_path, 'class A:\n    def f(self):\n        """a\n  b"""\n        return 1\n')
    _, node = parse_function(module.A.f)
    assert isinstance(node, n.FunctionDef)
    docstring = node.body[0]
    assert isinstance(docstring, n.Expr)
    assert isinstance(docstring.value, n.Constant)
    assert docstring.value.value == "a\n  b"


def test_methods_of_every_kind_are_found() -> None:
    assert text_of(Model.static) == "def static(x: int) -> int: return x"
    assert text_of(Model.of_class).startswith("def of_class(cls)")
    assert text_of(Model().decorated).startswith("def decorated(self")
    assert text_of(Model.private).endswith("self.__x")


def test_a_nested_function_is_found() -> None:
    def inner(a: int, *rest: int, key: int = 1, **more: int) -> int:
        if a:
            return key
        # a comment in the body
        return sum(rest)

    # a comment after it
    assert text_of(inner).startswith("def inner(")
    assert text_of(inner).endswith("return sum(rest)")


def test_the_places_are_those_of_the_file() -> None:
    source, node = parse_function(test_the_places_are_those_of_the_file)
    line = test_the_places_are_those_of_the_file.__code__.co_firstlineno
    assert source.position(node.lo) == (line, 1)


def test_one_line_definitions_and_tabs(tmp_path: Path) -> None:
    module = load(
        tmp_path,
        "def f(x): return x + \\\n  1\n"
        "class A:\n\tdef g(self):\n\t\tif self:\n\t\t\treturn '''a\nb'''\n\n# end\n\tx = 1\n"
        "if True:\n    def h(a, *, b): a; return b\n",
    )
    assert text_of(module.f) == "def f(x): return x + \\\n  1"
    assert text_of(module.A.g) == "def g(self):\n\t\tif self:\n\t\t\treturn '''a\nb'''"
    assert text_of(module.h) == "def h(a, *, b): a; return b"


def test_lambdas_are_told_apart(tmp_path: Path) -> None:
    module = load(
        tmp_path,
        "two = [lambda x: x + 1, lambda x: x + 2]\n"
        "outer = lambda a: lambda b: a + b\n"
        "ü = ('ä', lambda y: (y,\n  1))[1]\n"
        "class A:\n    f = lambda self: 0\n",
    )
    assert [text_of(f) for f in module.two] == ["lambda x: x + 1", "lambda x: x + 2"]
    assert text_of(module.outer) == "lambda a: lambda b: a + b"
    assert text_of(module.outer(1)) == "lambda b: a + b"
    assert text_of(module.ü) == "lambda y: (y,\n  1)"
    assert text_of(module.A.f) == "lambda self: 0"


def test_text_given_to_exec_is_found_through_linecache() -> None:
    text: str = "def cell(x):\n    return x\n"
    variables: dict[str, Any] = {}
    lines = list[str](text.splitlines(keepends=True))
    linecache.cache["<cell 7>"] = (len(text), None, lines, "<cell 7>")
    exec(compile(text, "<cell 7>", "exec"), variables)
    source, node = parse_function(variables["cell"])
    assert source.file == "<cell 7>"
    assert source.text[node.lo : node.hi] == text.rstrip()


def test_a_function_without_text_is_refused_with_a_way_out() -> None:
    variables: dict[str, Any] = {}
    exec("def ghost(x):\n    return x\n", variables)
    with pytest.raises(UnsupportedError, match=r"error\[no-source\]: the source text of ghost"):
        parse_function(variables["ghost"])


def test_a_function_typed_at_the_prompt_is_refused_as_that() -> None:
    variables: dict[str, Any] = {}
    exec(compile("def typed(x):\n    return x\n", "<stdin>", "exec"), variables)
    with pytest.raises(UnsupportedError, match="typed at the prompt of Python"):
        parse_function(variables["typed"])


@pytest.mark.parametrize("fn", [len, np.sin, functools.partial(len), int])
def test_what_is_not_a_python_function_is_refused(fn: Callable[..., Any]) -> None:
    with pytest.raises(UnsupportedError, match="not-a-function"):
        parse_function(fn)


STALE = {
    "another name": "def g(x, y):\n    z = x\n    return z + y\n",
    "other parameters": "def f(x, w):\n    z = x\n    return z + w\n",
    "a shorter body": "def f(x, y):\n    return x + y\n",
    "another variable": "def f(x, y):\n    w = x\n    return w + y\n",
    "moved down": "import sys\n\n\ndef f(x, y):\n    z = x\n    return z + y\n",
    "broken": "def f(x, y:\n    z = x\n    return z + y\n",
    "empty": "\n",
    "a class": "class f:\n    z = x = y = 1\n",
}


@pytest.mark.parametrize("change", STALE)
def test_an_edited_file_is_noticed(change: str, tmp_path: Path) -> None:
    module = load(tmp_path, "def f(x, y):\n    z = x\n    return z + y\n")
    assert text_of(module.f).startswith("def f(x, y):")
    Path(module.f.__code__.co_filename).write_text(STALE[change], encoding="utf-8")
    with pytest.raises(UnsupportedError, match=r"error.(stale|no)-source"):
        parse_function(module.f)


def test_an_edit_below_the_function_does_no_harm(tmp_path: Path) -> None:
    module = load(tmp_path, "def f(x):\n    return x\n")
    Path(module.f.__code__.co_filename).write_text("def f(x):\n    return x\n\ny = (1\n")
    assert text_of(module.f) == "def f(x):\n    return x"
