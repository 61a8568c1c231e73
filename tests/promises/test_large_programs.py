"""Programs that are long or deep compile, or are refused with a place."""

import threading
from typing import Any

import numpy as np
import pytest

from scriptc import ScriptError, script
from tests.support.live_source import last_function, live_module


def _chain(count: int, last: str, head: str = "def g{k}(x):\n") -> str:
    """Return the text of functions that call one another, and of `f`, which calls the first."""
    links = "".join(f"{head.format(k=k)}    return g{k + 1}(x + {k}.0)\n" for k in range(count))
    return f"{links}{head.format(k=count)}    {last}\ndef f(x):\n    return g0(x)\n"


def _function_of(text: str, file: str) -> Any:
    return script(last_function(live_module(text, file)))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("head", ["def g{k}(x):\n", "def g{k}(x: float) -> float:\n"])
def test_a_chain_of_calls_may_be_longer_than_the_stack_of_python(head: str) -> None:
    function = _function_of(_chain(1000, "return -x", head), f"chain of {head}.py")
    assert function(3.0) == -3.0 - sum(range(1000))
    assert not any(t.name.startswith("ThreadPoolExecutor") for t in threading.enumerate())


def test_a_long_chain_may_call_itself() -> None:
    # Its result is known to none of the functions until the last is checked.
    last = "return g0(x) if x < 0.0 else x"
    function = _function_of(_chain(150, last), "ring.py")
    for x in (1.0, -5.0, -30000.0):
        want = x + sum(range(150))
        while want < 0.0:
            want += sum(range(150))
        assert function(x) == want


def test_a_long_chain_that_only_calls_itself_ends_as_in_python() -> None:
    function = _function_of(_chain(150, "return g0(x)"), "endless ring.py")
    with pytest.raises(RecursionError):
        function(1.0)


@pytest.mark.parametrize("count", [3, 300])
def test_a_mistake_at_the_end_of_a_chain_is_told_at_its_place(count: int) -> None:
    text = _chain(count, "return x + 'a'")
    function = _function_of(text, f"mistake {count}.py")
    with pytest.raises(ScriptError) as caught:
        function(1.0)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.span is not None
    assert text[diagnostic.span.lo : diagnostic.span.hi] == "x + 'a'"


_SUMS = {
    "floats": ("a * {k}.5 - b", (1.5, 2.0)),
    "arrays": ("a * {k}.5 - b", (np.arange(5.0), np.ones(5))),
    "ints": ("{k}", (0, 0)),
    "ints, of which some are too large": ("2**70 - 2**70", (0, 0)),
    "texts": ("'{k}' + a", ("x", "")),
    "lists": ("[{k}, a]", (1, 2)),
}


@pytest.mark.parametrize(
    "body",
    [
        "[{sum} for i in range(3)]",
        "sum({sum} for i in range(3))",
        "(lambda i: {sum})(x)",
        "(x, 1)[0 * (lambda i: {sum})(x)]",
        "x if sum([{sum} for i in (1, 2)]) > 0 else -x",
    ],
)
def test_long_sums_may_stand_anywhere(body: str) -> None:
    text = body.format(sum=" + ".join(["i"] * 900))
    python = last_function(live_module(f"def f(x):\n    return {text}\n", f"{body}.py"))
    assert script(python)(3) == python(3)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", _SUMS)
def test_long_sums_compile(kind: str) -> None:
    term, arguments = _SUMS[kind]
    count = 900 if kind != "lists" else 200
    terms = " + ".join(term.format(k=k) for k in range(count))
    python = last_function(live_module(f"def f(a, b):\n    return {terms}\n", f"sum of {kind}.py"))
    assert np.array_equal(script(python)(*arguments), python(*arguments))


_CHAINS = {
    "arms": "".join(
        f"    {'elif' if k else 'if'} x == {k}:\n        y = {k} * x\n" for k in range(1000)
    )
    + "    else:\n        y = -1\n    return y\n",
    "returns": "".join(
        f"    {'elif' if k else 'if'} x == {k}:\n        return {k} - x\n" for k in range(1000)
    )
    + "    return x\n",
    "loop": "    y = 0\n    for z in range(x):\n"
    + "".join(
        f"        {'elif' if k else 'if'} z == {k}:\n            y += {k}\n" for k in range(1000)
    )
    + "    return y\n",
    "choices": "    return " + "".join(f"{k} if x == {k} + 1 else " for k in range(150)) + "x\n",
    "and": f"    return {' and '.join(f'x > {k}' for k in range(1000))}\n",
    "or": f"    return {' or '.join(f'x == {k}' for k in range(1000))}\n",
    "values": f"    return {' or '.join(f'(x - {k}) * 0' for k in range(300))} or x\n",
    "comparisons": f"    return {' < '.join(f'x + {k}' for k in range(300))}\n",
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", _CHAINS)
def test_long_chains_of_tests_compile(kind: str) -> None:
    function = script(last_function(live_module(f"def f(x):\n{_CHAINS[kind]}", f"{kind}.py")))
    for x in (-1, 0, 1, 7, 140, 149, 150, 998, 999, 1000, 2000):
        expected = function.python(x)
        assert function(x) == expected
        assert type(function(x)) is type(expected)


_NESTS = {
    "sums": ("sum({} for x{k} in range(2))", "1", 12),
    "lists": ("max([{} for x{k} in range(2)])", "1", 12),
    "sources": ("[x{k} for x{k} in {}]", "[n, 1]", 24),
    "sorted lists": ("sorted({})", "[n, 1]", 24),
    "reversed lists": ("list(reversed({}))", "[n, 1]", 24),
    "numbered items": ("list(enumerate({}))", "[n, 1]", 12),
    "dicts": ("{{k{k}: v{k} for k{k}, v{k} in {}.items()}}", "{n: 1}", 16),
    "texts": ("'-'.join([c{k} for c{k} in {}])", "str(n)", 8),
}


@pytest.mark.parametrize("kind", _NESTS)
def test_each_level_of_a_nest_adds_to_what_is_checked_and_does_not_double_it(kind: str) -> None:
    level, text, depth = _NESTS[kind]
    for k in range(depth):
        text = (
            level.replace("{k}", str(k)).replace("{{", "{").replace("}}", "}").replace("{}", text)
        )
    python = last_function(live_module(f"def f(n):\n    return {text}\n", f"nest of {kind}.py"))
    assert script(python)(3) == python(3)


@pytest.mark.parametrize("first", ["for i{k} in range(2):", "s{k} = 0\n{in}while s{k} < 2:"])
def test_each_loop_around_others_adds_to_what_is_checked(first: str) -> None:
    lines = ["def f(n):", "    r = 0", "    t = 0"]
    for k in range(14):
        indent = "    " * (k + 1)
        lines += (indent + first.replace("{k}", str(k)).replace("{in}", indent)).split("\n")
        lines += [f"{indent}    s{k} = s{k} + 1"] if "while" in first else []
    lines += ["    " * 15 + "r += 1", *("    " * k + "t = t + 0.5" for k in range(14, 1, -1))]
    python = last_function(live_module("\n".join([*lines, "    return r, t", ""]), "loops.py"))
    assert script(python)(3) == python(3)


@pytest.mark.parametrize("head", ["if x > {k}:", "if x < {k} or x == 200:"])
def test_blocks_that_are_nested_too_deep_are_refused_with_a_place(head: str) -> None:
    lines = [" " * (k + 1) + head.format(k=k) + "\n" for k in range(95)]
    text = f"def f(x):\n y = 0\n{''.join(lines)}{' ' * 96}y = 1\n return y\n"
    function = script(last_function(live_module(text, f"{head}.py")))
    with pytest.raises(ScriptError, match="decisions around it") as caught:
        function(3)
    assert caught.value.diagnostics[0].span is not None
