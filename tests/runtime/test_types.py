"""Types as large as NumPy's arrays go, and those that go beyond."""

# Without annotations the types come from the call.
# pyright: basic

from typing import Any

import numpy as np
import pytest

from scriptc import ScriptError, script
from tests.support.live_source import live_module


def _computed(x):
    x[...] = x * 2.0
    return x.ravel(), x.T.reshape(-1), x[0].shape, x.shape, x.ndim


def _folded(x):
    return x.sum(), x.max(axis=(0, 1)).shape, np.moveaxis(x, 0, -1).reshape(-1)


def _array(axes: int) -> Any:
    return np.arange(4.0).reshape((2, 2) + (1,) * (axes - 2))


@pytest.mark.parametrize("axes", [33, 64])
@pytest.mark.parametrize("function", [_computed, _folded])
def test_arrays_have_as_many_axes_as_numpys(function: Any, axes: int) -> None:
    assert repr(script(function, backend="interp")(_array(axes))) == repr(function(_array(axes)))


def test_compiled_code_takes_as_many_axes_as_numpy() -> None:
    assert repr(script(_added)(_array(64))) == repr(_added(_array(64)))


def _added(x):
    return (x + 1.0).ravel(), x.shape


TOO_MANY = (
    *("x[None]", "np.expand_dims(x, 0)", "np.multiply.outer(x, x)", "np.zeros((1,) * 65)"),
    *("x.reshape((1,) * 65)", "np.broadcast_to(x, (1,) * 65)", "np.stack([x, x])"),
)
DEEP = ("[" * 25 + "1" + "]" * 25, "(" * 25 + "1" + ",)" * 25)


@pytest.mark.parametrize("text", [*TOO_MANY, *DEEP])
def test_what_goes_beyond_is_refused_with_its_place(text: str) -> None:
    module = live_module(f"import numpy as np\ndef f(x):\n    return {text}\n", "large.py")
    with pytest.raises(ScriptError, match=r"large.py:3:\d+: error\[type-size\]"):
        script(module.f)(_array(64))
