"""What the language does not have is refused, all of it in one run, with a way out."""

import pytest

from scriptc.syntax import nodes as n
from scriptc.syntax.parser import parse_module
from scriptc.syntax.subset import REFUSED, check
from scriptc_runtime.errors import Source, UnsupportedError

ACCEPTED = '''
import numpy as np
from math import *
table = {i: [j for j in range(i)] for i in range(3)}
with open(__file__) as f: pass

@script(inline=True)
class Model(Base, metaclass=Meta):
    """Doc."""
    weights: dict[str, int] = 0
    name = "x"

    def step(self, x: "f64[N]" = lambda: 0, /, *, key: Callable[[int], int] = {}) -> [int]:
        """Doc."""
        a, (b, self.c) = d = x, (1, 2.5)
        a += b[1:2, ::3, None] @ d[-1]
        y: list[int] = [1, 2]
        while (n := a) > 0 and not b is None:
            if a < b <= 3 != n:
                continue
            elif True:
                break
        else:
            pass
        for i, j in zip(x, y=2):
            for k in x:
                pass
            else:
                break
        try:
            assert a in y, f"{a!r:>{b}} {a=}"
        except (ValueError, KeyError) as e:
            raise ValueError("x")
        except OverflowError:
            raise
        else:
            print(-a ** 2 if b else ~a)
        finally:
            return None
'''


def codes(text: str) -> list[str]:
    source = Source("case.py", text)
    try:
        check(source, parse_module(source))
    except UnsupportedError as error:
        return [diagnostic.code for diagnostic in error.diagnostics]
    return []


def test_the_language_is_accepted() -> None:
    assert codes(ACCEPTED) == []


BODY_CASES = {
    "with a as b: pass": [],
    "async with a: pass": ["async"],
    "match a:\n        case [*b] if (lambda: 1): yield": [],
    "await a": ["await"],
    "nonlocal a": [],
    "class C: pass": ["nested-class"],
    "async def g(): await x": ["async", "await"],
    "def g(a, **a): pass": ["same-parameter"],
    "x = [i async for i in y]": ["async"],
    "x = [i for [i] in y]": [],
    "x = {i for i in {1}}": [],
    "x = {... for i in {...}}": ["ellipsis", "ellipsis"],
    "x = {1: ...}": ["ellipsis"],
    "x = {i: ... for i in y}": ["ellipsis"],
    "x = lambda: ...": ["ellipsis"],
    "f(*a, **b)": [],
    "x = ...": ["ellipsis"],
    "x = a[..., 0]": ["ellipsis"],
    "x = t'{a}'": ["template-string"],
    "x = (a as b)": ["as-in-parentheses"],
    "[a, (b, [c])] = d": [],
    "for [a] in b: pass": [],
    "type X = int": ["type-alias"],
    "raise A from b": [],
    "try: pass\n    except* A: pass": ["except-star"],
    "break": ["misplaced"],
    "for i in x: pass\n    else: continue": ["misplaced"],
    "x: {1: ...} = ...": ["ellipsis"],
}


@pytest.mark.parametrize("statement", BODY_CASES)
def test_a_construct_is_refused_inside_a_function(statement: str) -> None:
    assert codes(f"def f():\n    {statement}\n") == BODY_CASES[statement]


DEFINITION_CASES = {
    "def f(*args, **kw): pass": [],
    "def f(a, *, a): pass": ["same-parameter"],
    "def f[T](x: T): pass": ["type-parameters"],
    "async def f(): pass": ["async"],
    "class C[T]: pass": ["type-parameters"],
    "class C:\n    class D: pass": ["nested-class"],
    "class C:\n    for i in x: pass": ["class-body"],
    "class C:\n    import a": ["class-body"],
    "class C:\n    return 1": ["class-body", "misplaced"],
    "class C:\n    def f(self): return ...": ["ellipsis"],
}


@pytest.mark.parametrize("definition", DEFINITION_CASES)
def test_a_form_of_definition_is_refused(definition: str) -> None:
    assert sorted(codes(definition)) == sorted(DEFINITION_CASES[definition])


def test_every_refused_class_has_a_case() -> None:
    texts = [f"def f():\n    {statement}\n" for statement in BODY_CASES]
    met: set[type[n.Node]] = set()
    for text in texts:
        pending: list[n.Node] = [parse_module(Source("case.py", text))]
        while pending:
            node = pending.pop()
            met.add(type(node))
            pending += n.children(node)
    assert REFUSED.keys() <= met


def test_all_violations_come_in_one_run_in_the_order_of_the_text() -> None:
    text = "def f(x):\n    y = ...\n    try:\n        await y\n    except* x:\n        return ...\n"
    assert codes(text) == ["ellipsis", "except-star", "await", "ellipsis"]


def test_a_refusal_says_what_where_why_and_what_to_write_instead() -> None:
    source = Source("case.py", "async def f(x):\n    pass\n")
    with pytest.raises(UnsupportedError) as raised:
        check(source, parse_module(source))
    assert str(raised.value) == (
        "case.py:1:1: error[async]: async: not supported in a script\n"
        "  1 | async def f(x):\n"
        "    | ^^^^^^^^^^^^^^^\n"
        "  = why: compiled code has no event loop\n"
        "  = instead: a plain one, called from the async code"
    )
