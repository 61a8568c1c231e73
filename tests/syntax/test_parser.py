"""The parser builds the tree that CPython builds, places included.

The whole of a folder instead of a sample:

    python -m tests.syntax.test_parser FOLDER...
"""

import ast
import random
import sys
import sysconfig
import warnings
from contextlib import suppress
from pathlib import Path

import pytest

from scriptc.syntax import nodes as n
from scriptc.syntax.lexer import tokenize
from scriptc.syntax.parser import MAX_DEPTH, parse_expression, parse_module
from scriptc.syntax.show import show_tokens, show_tree
from scriptc_runtime.errors import ParseError, Source
from tests.support.cases import Case, case_paths
from tests.support.syntax_as_ast import Converter, dump

STDLIB = Path(sysconfig.get_path("stdlib"))
CASES = case_paths("syntax")


def python_tree(text: str) -> str | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return dump(ast.parse(text))
        except (SyntaxError, ValueError):
            return None


def our_tree(text: str) -> str | None:
    try:
        tree = parse_module(Source("text", text))
    except ParseError:
        return None
    return dump(Converter(text).convert(tree))


def sample_of_the_standard_library(count: int) -> list[Path]:
    files = sorted(p for p in STDLIB.rglob("*.py") if "site-packages" not in p.parts)
    return random.Random(1).sample(files, min(count, len(files)))


def test_trees_equal_those_of_python_on_a_sample_of_the_standard_library() -> None:
    compared = 0
    for path in sample_of_the_standard_library(60):
        try:
            text = path.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError:
            continue  # a test file of CPython's in another encoding
        if len(text) < 60_000:
            expected = python_tree(text)
            assert our_tree(text) == expected, path
            compared += expected is not None
    assert compared > 40


SNIPPETS = [
    "",
    "\n\n# only a comment",
    "x = 1  # no newline at the end",
    "x = (1)\ny = (a, b), c\nz = (a),\n",
    "a = b = c, d\nx: int = 1\n(x): int\nx.y: (a | b) = d\n",
    "x += 1; y **= 2; z //= 3\n",
    "def f(a, b: int = 1, /, c=2, *args: int, d, e=3, **kw) -> int: return a\n",
    "def f(*, a): pass\ndef g(a, /): pass\ndef h(a=1, /, b=2, *, c, d=4): pass\n",
    "lambda: 0\nlambda x, *y, z=1, **k: x\n",
    "if a: pass\nelif b: pass\nelif c:\n    pass\nelse: pass\n",
    "for i, in x: pass\nfor a, *b in c:\n    break\nelse:\n    continue\n",
    "while (n := f()):\n    x\nelse:\n    y\n",
    "try:\n    a\nexcept: b\n",
    "try:\n    a\nexcept (A, B) as e:\n    b\nelse:\n    c\nfinally:\n    d\n",
    "try:\n    a\nexcept* A:\n    b\n",
    "with a as b, c: pass\nwith (a as b, c as d,): pass\nwith (a, b): pass\nwith (a): pass\n",
    "with (a) as b: pass\nwith (a, b) as c: pass\nwith (yield): pass\nwith (open(a) as b): pass\n",
    "async def f():\n    async for x in y: await z\n    async with a as b: pass\n",
    "@a\n@b.c(d)\n\n# comment\nclass C(A, metaclass=B, **k):\n    'doc'\n    x: int\n",
    "from . import a\nfrom ...b.c import (d as e, f,)\nfrom x import *\nimport a.b as c, d\n",
    "match x:\n    case 1 | -2 | 3 + 4j: pass\n    case [a, *_, b] if a: pass\n",
    "match x, y:\n    case {'a': 1, **rest}: pass\n    case A.B(1, c=d) as e: pass\n",
    "match (x):\n    case (a, b): pass\n    case (a): pass\n    case None: pass\n    case _: 1\n",
    "match = 1\nmatch.a = match[0]\nmatch(x)\nmatch: int\ncase = type\ntype = 1\ntype(x)\n",
    "match match:\n    case case: case(1)\nprint(type in x)\n",
    "x = f(a, *b, c=d, **e)\nf(x for x in y)\nf((x for x in y), 1)\nf(a)(b)[c].d\n",
    "a[1:2, ::3, None, ...]\na[:]\na[b,]\na[*b]\na[*b, c]\n",
    "not a and b or c if d else e\n-x ** -y\nawait_ = ~a\na < b <= c is not d not in e\n",
    "[x for x in y if a if b for z in w]\n{x: y for x, y in z}\n{*a, b}\n{**a, b: c}\n{}\n",
    "x = yield\nx = yield a, b\nx = yield from c\n",
    "f'{{\\}}'\n",
    "f'{x}' f\"{x!r:>{w}}\" 'a{b}' f'{{}}{x = }'\n",
    "f'''{\nx}'''\nf'{x:%Y-%m}' rf'\\d{x}'\nf'{(lambda: 1)()}{a[\"b\"]}{ {1: 2}[1] }'\n",
    "'a' 'b' \"\"\"c\nd\"\"\" r'\\n' u'x'\nb'\\x00\\777' b'a'\n'\\N{BULLET}\\u1234\\\n'\n",
    "0xFF_FF + 0o17 + 0b1_0 + 1_0.5e-3 + .5 + 5. + 1e10 + 3j + 1if x else 2\n",
    "if x:\n\ty\n\tif z:\n\t\tw\nelse:\n  y\n",
    "x = 1 + \\\n    2\nif a and \\\n   b:\n    pass\n",
    "def f():\n    x = [\n1,\n  2]\n# comment at the margin\n    return x\n",
    "é = ﬁ = 1\nprint('ä', é)\nx = 'ü'; y = é\n",
    "del a, b[0], (c, d)\nglobal x, y\nassert a, b\nraise A from b\nraise\n",
    "class A: x = 1; y = 2\nif x: a; b;\n",
    "\x0cx = 1\n\x0c\ndef f():\n    pass\n",
    "x = 1\r\nif x:\r\n    y = '''a\r\nb'''\r\n",
]


@pytest.mark.parametrize("text", SNIPPETS)
def test_the_tree_equals_that_of_python(text: str) -> None:
    expected = python_tree(text)
    assert expected is not None, "not Python"
    assert our_tree(text) == expected


# Newer than the oldest Python that scriptc runs on, so not all of them are compared with it.
NEWER = [
    "type X[T: int, *Ts, **P] = list[T]\n",
    "def f[T](x: T) -> T: return x\nclass C[T]: pass\n",
    "f'{x:{y:{z}}}' f'{'a'}' f'{x!r}'\n",
    "f'{a['b']}{\n# comment\n1}'\n",
]


@pytest.mark.parametrize("text", NEWER)
def test_newer_syntax_parses_on_every_python(text: str) -> None:
    assert isinstance(parse_module(Source("text", text)), n.Module)
    if python_tree(text) is not None:
        assert our_tree(text) == python_tree(text)


BROKEN = [
    "x = (1,\ny = 2",
    "if x = 3:\n    pass",
    "def f(x):\nreturn x",
    "  x = 1",
    "if a:\n    b\n  c",
    "if x:\n\ty\n        z",
    "if x:\n    if y:\n\tz",
    "x = 'abc",
    "x = '''abc",
    "f'{x'",
    "f'}'",
    "1 = x",
    "f() = 1",
    "a, b += 1",
    "del f()",
    "del *a",
    "match x:\n    case 1 - 2: pass",
    "match x:\n    case -1j + 2j: pass",
    "f(**a, *b)",
    "f(a=1, b)",
    "def f(a=1, b): pass",
    "def f(*): pass",
    "(*a)",
    "08",
    "x = 1 \\",
    "x = $",
    "for f() in x: pass",
    "'\\x4'",
    "b'é'",
    "'a' b'b'",
    "x\0y",
    "try:\n    x\ny = 2",
    "return return",
    "f'{x!z}'",
    "(a) as b",
    "9" * 5000,
]


@pytest.mark.parametrize("text", BROKEN)
def test_broken_text_is_refused_with_a_place(text: str) -> None:
    assert python_tree(text) is None
    with pytest.raises(ParseError) as raised:
        parse_module(Source("text", text))
    (diagnostic,) = raised.value.diagnostics
    assert diagnostic.code == "syntax"
    assert diagnostic.span is not None
    assert "text:" in str(raised.value)


def test_a_syntax_error_has_the_words_and_the_place_of_python() -> None:
    text = "x = 1\ny = foo(a, b\nz = 3\n"
    with pytest.raises(ParseError, match=r"text:2:8: error\[syntax\]: '\(' was never closed"):
        parse_module(Source("text", text))


@pytest.mark.parametrize("seed", range(6))
def test_damaged_text_is_parsed_or_refused_but_never_crashes(seed: int) -> None:
    chance = random.Random(seed)
    text = "\n".join(SNIPPETS + NEWER)
    for _ in range(60):
        start = chance.randrange(len(text))
        piece = text[start : start + chance.randrange(1, 400)]
        cut = chance.randrange(len(piece) + 1)
        damaged = piece[:cut] + chance.choice("()[]{}'\"\\\n\t :=*.#f@0e") + piece[cut + 1 :]
        for part in (piece, damaged):
            with suppress(ParseError):
                parse_module(Source("text", part))


def nested(depth: int) -> list[str]:
    return [
        "x = " + "-" * depth + "1",
        "x = " + " ** ".join(["1"] * depth),
        "x = " + "f(" * depth + ")" * depth,
        "x" + ".a" * depth,
    ]


@pytest.mark.parametrize("text", nested(20_000))
def test_deep_nesting_is_refused_with_a_message(text: str) -> None:
    with pytest.raises(ParseError, match=f"nested more than {MAX_DEPTH} levels deep"):
        parse_module(Source("text", text))


@pytest.mark.parametrize("text", nested(MAX_DEPTH // 2 - 4))
def test_reasonable_nesting_is_accepted(text: str) -> None:
    assert our_tree(text) == python_tree(text)


def test_a_long_list_takes_linear_time() -> None:
    tree = parse_module(Source("text", "x = [" + "1, " * 20_000 + "]\n" + "y = 1\n" * 5_000))
    assert len(tree.body) == 5_001


def test_a_chain_of_elif_is_not_deep() -> None:
    text = "if a: pass\n" + "elif b: pass\n" * 20_000
    (tree,) = parse_module(Source("text", text)).body
    for _ in range(20_000):
        assert isinstance(tree, n.If)
        (tree,) = tree.orelse
    short = text[: len("if a: pass\n" + "elif b: pass\n" * 80)]
    assert our_tree(short) == python_tree(short)
    inside = "if a: pass\n" + "elif b: pass\n" * 300 + f"elif {'-' * 20_000}1: pass\n"
    with pytest.raises(ParseError, match=f"nested more than {MAX_DEPTH} levels deep"):
        parse_module(Source("text", inside))


def test_a_long_sum_is_not_deep() -> None:
    text = " + ".join(["1"] * 20_000)
    tree = parse_expression(Source("text", text))
    for _ in range(19_999):
        assert isinstance(tree, n.BinOp)
        tree = tree.left
    with pytest.raises(ParseError, match=f"nested more than {MAX_DEPTH} levels deep"):
        parse_expression(Source("text", f"{text} + {'-' * 300}1"))
    with pytest.raises(ParseError, match=f"nested more than {MAX_DEPTH} levels deep"):
        parse_expression(Source("text", f"{'-' * 300}1 + {text}"))


def test_an_expression_parses_alone() -> None:
    tree = parse_expression(Source("text", " (a + b) * 2 "))
    assert isinstance(tree, n.BinOp)
    assert (tree.lo, tree.hi, tree.op) == (1, 12, "*")
    with pytest.raises(ParseError):
        parse_expression(Source("text", "a = 1"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_golden_case_of_syntax(path: Path, bless: bool) -> None:
    def source(case: Case) -> Source:
        return Source("case.py", case.inputs["source"])

    def tokens(case: Case) -> str:
        return show_tokens(source(case), tokenize(source(case)))

    def tree(case: Case) -> str:
        return show_tree(source(case), parse_module(source(case)))

    Case.read(path).check({"tokens": tokens, "ast": tree}, bless=bless)


def compare_folders(folders: list[str]) -> int:
    """Compare every file of some folders; print and count the differences."""
    wrong = 0
    for path in sorted(p for folder in folders for p in Path(folder).rglob("*.py")):
        try:
            text = path.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError:
            continue
        if our_tree(text) != python_tree(text):
            wrong += 1
            print(path)
    return wrong


if __name__ == "__main__":
    sys.setrecursionlimit(10_000)
    sys.exit(compare_folders(sys.argv[1:]) > 0)
