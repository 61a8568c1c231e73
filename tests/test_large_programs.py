"""Programs that are long or deep compile, or are refused with a place."""

import pytest

from scriptc import ScriptError, script
from tests.live_source import last_function, live_module


@pytest.mark.parametrize("last", ["x", "x if x < 0 else -x"])
def test_a_chain_of_a_thousand_calls_is_refused_with_a_place(last: str) -> None:
    calls = "".join(f"def g{k}(x):\n    return g{k + 1}(x + {k})\n" for k in range(1000))
    text = f"{calls}def g1000(x):\n    return {last}\ndef f(x):\n    return g0(x)\n"
    function = script(last_function(live_module(text, f"calls of {last}.py")))
    with pytest.raises(ScriptError, match="too deep to be compiled") as caught:
        function(3)
    assert caught.value.diagnostics[0].span is not None


_CHAINS = {
    "arms": "".join(
        f"    {'elif' if k else 'if'} x == {k}:\n        y = {k} * x\n" for k in range(150)
    )
    + "    else:\n        y = -1\n    return y\n",
    "returns": "".join(
        f"    {'elif' if k else 'if'} x == {k}:\n        return {k} - x\n" for k in range(150)
    )
    + "    return x\n",
    "choices": "    return " + "".join(f"{k} if x == {k} + 1 else " for k in range(150)) + "x\n",
    "and": f"    return {' and '.join(f'x > {k}' for k in range(1000))}\n",
    "or": f"    return {' or '.join(f'x == {k}' for k in range(1000))}\n",
    "values": f"    return {' or '.join(f'(x - {k}) * 0' for k in range(300))} or x\n",
    "comparisons": f"    return {' < '.join(f'x + {k}' for k in range(300))}\n",
}


@pytest.mark.parametrize("kind", _CHAINS)
def test_long_chains_of_tests_compile(kind: str) -> None:
    function = script(last_function(live_module(f"def f(x):\n{_CHAINS[kind]}", f"{kind}.py")))
    for x in (-1, 0, 1, 7, 140, 149, 150, 1000, 2000):
        expected = function.python(x)
        assert function(x) == expected
        assert type(function(x)) is type(expected)


@pytest.mark.parametrize("head", ["if x > {k}:", "if x < {k} or x == 200:"])
def test_blocks_that_are_nested_too_deep_are_refused_with_a_place(head: str) -> None:
    lines = [" " * (k + 1) + head.format(k=k) + "\n" for k in range(95)]
    text = f"def f(x):\n y = 0\n{''.join(lines)}{' ' * 96}y = 1\n return y\n"
    function = script(last_function(live_module(text, f"{head}.py")))
    with pytest.raises(ScriptError, match="decisions around it") as caught:
        function(3)
    assert caught.value.diagnostics[0].span is not None
