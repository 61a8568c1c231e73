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
