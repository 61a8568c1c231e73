"""What Python sees of attributes of classes and of global containers that scripts have changed."""

# Types come from the calls, and classes hold lists.
# pyright: basic
# ruff: noqa: RUF012

from pathlib import Path

import pytest

from scriptc import save, script
from scriptc_runtime.errors import TypeCheckError, UnsupportedError

BACKENDS = ["interp", "llvm"]
LOG = []


class Counter:
    count = 0
    last = None
    names = []

    def __init__(self, name):
        Counter.count += 1
        Counter.last = name
        self.names.append(name)

    @classmethod
    def reset(cls):
        cls.count, cls.last, cls.names = 0, None, []


def counted(name, bad=False):
    counter = Counter(name)
    if bad:
        raise ValueError(name)
    return Counter.count, counter.names


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_class_has_the_new_values_when_the_call_ends(backend: str) -> None:
    Counter.reset()
    compiled = script(counted, backend=backend)
    assert compiled("a") == (1, ["a"])
    assert (Counter.count, Counter.last, Counter.names) == (1, "a", ["a"])
    names = Counter.names
    assert compiled("b")[1] is names
    Counter.count = 41
    assert compiled("c")[0] == 42
    with pytest.raises(ValueError, match="d"):
        compiled("d", True)
    assert (Counter.count, Counter.last, names) == (43, "d", ["a", "b", "c", "d"])
    Counter.last = None
    Counter.names = ["new"]
    assert compiled("e") == (44, ["new", "e"])
    assert (Counter.last, names) == ("e", ["a", "b", "c", "d"])


def pushed(item):
    LOG.append(item)
    return LOG


@pytest.mark.parametrize("backend", BACKENDS)
def test_global_lists_are_written_and_returned(backend: str) -> None:
    LOG.clear()
    compiled = script(pushed, backend=backend)
    assert compiled(1) is LOG
    assert compiled(2) == LOG == [1, 2]
    LOG[:] = [7]
    assert compiled(3) == [7, 3]
    LOG[:] = ["a"]
    with pytest.raises(TypeError, match="expected int, got str"):
        compiled(4)


@pytest.mark.parametrize("backend", BACKENDS)
def test_scripted_classes_change_their_attributes(backend: str) -> None:
    @script(backend=backend)
    class Ticket:
        count = 0
        sold: list[str] = []

        def __init__(self, name: str) -> None:
            Ticket.count += 1
            Ticket.sold.append(name)
            self.number = Ticket.count

        def numbers(self, more: int) -> tuple[int, int]:
            Ticket.count += more
            return self.number, Ticket.count

    first, second = Ticket("a"), Ticket("b")
    assert (first.number, second.number, Ticket.count, Ticket.sold) == (1, 2, 2, ["a", "b"])
    Ticket.count = 10
    assert first.numbers(5) == (1, 15)
    assert Ticket.count == 15


class Level:
    level = 1
    unseen = 0


def raised(n):
    Level.level = n
    return doubled()


def doubled():
    return Level.level * 2


@pytest.mark.parametrize("backend", BACKENDS)
def test_who_only_reads_an_attribute_sees_each_new_value(backend: str) -> None:
    Level.level = 1
    read, write = script(doubled, backend=backend), script(raised, backend=backend)
    assert (read(), write(4), read()) == (2, 8, 8)
    setattr(Level, "level", "ab")  # noqa: B010 -- its type changes
    assert read() == "abab"


def test_what_changes_is_not_saved(tmp_path: Path) -> None:
    Level.level = 1
    with pytest.raises(UnsupportedError, match="level"):
        save({"f": script(doubled)}, tmp_path / "level.scriptc")


def test_classes_of_functions_change_as_well() -> None:
    class Hidden:
        hidden = 0

    def store(n):
        Hidden.hidden += n
        return Hidden.hidden

    assert script(store)(2) == Hidden.hidden == 2


def test_a_store_that_nobody_looks_for_is_refused() -> None:
    def store(n):
        level = Level
        level.unseen = n
        return n

    with pytest.raises(TypeCheckError, match="stored where nobody looks"):
        script(store)(1)
