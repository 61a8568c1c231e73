"""Sets that are written as constants: their order is that of code which CPython has just compiled.

In code that CPython loads from a `.pyc` file it is another one, so these are no programs.
"""

import pytest

from scriptc import script
from tests.support.live_source import live_module

DISPLAYS = (
    *("{3, 11, 19}", "{3, 11, 19, 27, 35, 43}", "{64, 8, 0, 16}", "{8, 16, 24, 32, 40}"),
    *("{3, 11}", "{8, 0}", "{10, 20, 30, 40, 50}", "{2, 3, 5, 7, 11, 13, 17, 19}"),
    *("{-1, -2, 7, 15}", "{1.5, 2.5, 1e10, 3.25}", "{(1, 2), (3, 4), (5, 6)}", "{8, 0, n}"),
)


@pytest.mark.parametrize("display", DISPLAYS)
def test_a_set_of_constants_has_the_order_of_cpython(display: str) -> None:
    module = live_module(
        f"""
def f(n):
    looped = []
    for item in {display}:
        looped.append(item)
    grown = {display}
    grown |= {{item for item in {display}}}
    return looped, [item for item in {display}], list({display}), [*{display}], list(grown)
"""
    )
    assert script(module.f, backend="interp")(99) == module.f(99)
