"""Refusals are remembered for the same arguments of the same program, and for no others."""

# Types come from the calls.
# pyright: basic

import numpy as np
import pytest

from scriptc import ScriptError, script
from scriptc.specialise import specialise
from tests.support.live_source import live_module

BACKENDS = ["interp", "llvm"]


@pytest.fixture
def checks(monkeypatch):
    """Return a list that grows with each check of a program."""
    found = []
    check = specialise.check_and_lower

    def counted(roots):
        found.append(roots)
        return check(roots)

    monkeypatch.setattr(specialise, "check_and_lower", counted)
    return found


def refused(function, *args):
    with pytest.raises(ScriptError) as caught:
        function(*args)
    return caught.value


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_call_is_checked_once(backend, checks):
    @script(backend=backend)
    def missing(x):
        return x.missing

    first = refused(missing, 1)
    count = len(checks)
    for _ in range(3):
        again = refused(missing, 1)
        assert (type(again), str(again)) == (type(first), str(first))
        assert again is not first
    assert len(checks) == count
    refused(missing, 1.5)
    assert len(checks) > count


def test_values_that_may_decide_are_told_apart():
    @script
    def along(x, axis):
        return x.sum(axis=axis)

    x = np.ones((2, 3))
    assert "axis 7" in str(refused(along, x, 7))
    assert "axis 8" in str(refused(along, x, 8))
    assert "axis 7" in str(refused(along, x, 7))
    assert along(x, 1).tolist() == [3.0, 3.0]


def test_what_changes_outside_is_looked_at():
    module = live_module(
        "def helper(x):\n    return x.missing\n\ndef f(x):\n    return helper(x)\n"
    )
    f = script(module.f)
    refused(f, 1)
    refused(f, 1)
    vars(module)["helper"] = abs
    assert f(-1) == 1
    numbers = live_module("held = [1]\n\ndef f(x):\n    return held[0] + x\n")
    g = script(numbers.f)
    refused(g, "b")
    numbers.held[0] = "A"
    assert g("b") == "Ab"


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_objects_hold_by_now_is_looked_at(backend):
    @script(backend=backend)
    class Stack:
        def __init__(self):
            self.items = []

        def put(self, x):
            self.items.append(x)

        def first(self):
            return self.items[0].upper()

    stack = Stack()
    refused(stack.first)
    refused(stack.first)
    stack.put("a")
    assert stack.first() == "A"
