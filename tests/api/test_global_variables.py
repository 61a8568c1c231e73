"""Variables of a module that scripts assign, as Python and later calls see them."""

# Types come from the calls.
# pyright: basic

import pytest

from scriptc import script
from scriptc_runtime.errors import TypeCheckError, UnsupportedError

BACKENDS = ["interp", "llvm"]

count = 0
latest = None
items: list[int] = []
made = object()


def bump(by):
    global count, latest
    count += by
    latest = f"by {by}"
    return count


def fill(n):
    global items
    items = list(range(n))
    items.append(n)


def fail():
    global count
    count += 100
    raise ValueError("late")


def set_made():
    global made
    made = 1


def set_nothing():
    global never_there
    never_there = 1


def bind_otherwise():
    global count
    return (count := 1)


def delete():
    global count
    count = 1
    del count


@pytest.mark.parametrize("backend", BACKENDS)
def test_python_and_later_calls_see_new_values(backend):
    global count, latest
    count, latest = 0, None
    scripted = script(bump, backend=backend)
    assert [scripted(2), scripted(3)] == [2, 5]
    assert (count, latest) == (5, "by 3")
    count = 100
    assert scripted(1) == 101
    assert len(scripted.seen) == 1
    assert script(lambda: count, backend=backend)() == 101


@pytest.mark.parametrize("backend", BACKENDS)
def test_lists_are_those_that_were_assigned(backend):
    global items
    before = items = []
    script(fill, backend=backend)(2)
    assert items == [0, 1, 2]
    assert before == []


@pytest.mark.parametrize("backend", BACKENDS)
def test_values_are_kept_after_an_exception(backend):
    global count
    count = 1
    with pytest.raises(ValueError, match="late"):
        script(fail, backend=backend)()
    assert count == 101


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (set_made, "'made' holds a object"),
        (set_nothing, "'never_there' has no value before the first call"),
        (delete, "is deleted"),
        (bind_otherwise, "bound by something else than an assignment"),
    ],
)
def test_what_is_refused(function, message):
    with pytest.raises((TypeCheckError, UnsupportedError), match=message):
        script(function)()
