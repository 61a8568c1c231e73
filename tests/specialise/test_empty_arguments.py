"""Arguments that hold nothing are taken by the code for others of their kind."""

# Without annotations the types come from the call.
# pyright: basic

from collections import deque

import numpy as np
import pytest

from scriptc import ScriptError, script

WEIGHTS = {0: 1.5}


@pytest.fixture(params=["llvm", "interp"])
def backend(request: pytest.FixtureRequest) -> str:
    return request.param


def _weighed(items):
    return len(items) * WEIGHTS[0]


def _mean(items):
    return np.mean(items)


def _wrong(items):
    return undefined(items)  # noqa: F821


def _kept(items):
    items.append((1, "a"))
    return items


def test_code_that_there_is_takes_what_is_empty(backend: str) -> None:
    weighed = script(_weighed, backend=backend)
    assert weighed(["a"]) == 1.5
    assert weighed([]) == 0.0
    assert len(weighed.seen) == 1
    # For others of another kind there is none.
    assert weighed({}) == 0.0
    assert weighed.seen == [("list[str]",), ("dict[int, int]",)]


def test_what_is_empty_comes_first(backend: str) -> None:
    weighed = script(_weighed, backend=backend)
    assert weighed([]) == 0.0
    assert weighed.seen == [("list[int]",)]
    assert weighed([2]) == 1.5
    assert len(weighed.seen) == 1


def test_numpy_says_what_holds_nothing(backend: str) -> None:
    mean = script(_mean, backend=backend)
    with pytest.raises(ScriptError, match="does not say what it holds"):
        mean([])
    assert mean([1.5, 2.5]) == 2.0


def test_what_fits_no_type_is_refused(backend: str) -> None:
    for _ in range(2):
        with pytest.raises(ScriptError, match="does not say what it holds"):
            script(_kept, backend=backend)([])
    with pytest.raises(ScriptError, match="does not say what it holds"):
        script(_weighed, backend=backend)(deque())


def test_a_mistake_that_no_type_mends_is_told(backend: str) -> None:
    with pytest.raises(ScriptError, match="'undefined' is not defined"):
        script(_wrong, backend=backend)([])


@script
class Bag:
    """A class whose first object says what its field holds."""

    def __init__(self, items):
        self.items = items.copy()


def test_a_constructor_is_given_items_first() -> None:
    with pytest.raises(ScriptError, match="does not say what it holds"):
        Bag([])
    assert Bag(["a"]).items == ["a"]
    assert Bag([]).items == []
