"""Records behave as frozen data classes with slots do."""

import copy
import pickle
from collections.abc import Callable

import pytest

from scriptc_runtime.record import field, record, replace


@record
class Point:
    """Two numbers."""

    x: int
    y: int = 0

    @property
    def total(self) -> int:
        """Their sum."""
        return self.x + self.y


@record
class Other:
    """The same fields in another class."""

    x: int
    y: int = 0


@record(eq=False)
class Node:
    """Compared by identity."""

    children: tuple["Node", ...] = ()


@record(frozen=False)
class Builder:
    """A list for each instance."""

    items: list[int] = field(default_factory=list[int])


@record(kw_only=True)
class Named:
    """Arguments by name alone."""

    name: str
    size: int = 1


def test_records_compare_by_class_and_fields() -> None:
    assert Point(1, 2) == Point(1, y=2)
    assert hash(Point(1, 2)) == hash(Point(1, 2))
    assert Point(1, 2) != Point(2, 1)
    assert Point(1, 2) != Other(1, 2)
    assert Point(1).total == 1


def test_records_without_equality_are_themselves_alone() -> None:
    node = Node()
    assert node != Node()
    assert len({node, Node()}) == 2


def test_a_default_factory_runs_for_each_instance() -> None:
    first, second = Builder(), Builder()
    first.items.append(1)
    assert second.items == []
    assert Builder([3]).items == [3]
    with pytest.raises(TypeError):
        hash(first)


def test_the_compiled_constructor_makes_what_the_first_one_makes() -> None:
    @record(frozen=False, eq=False)
    class Made:
        x: int
        make: list[int] = field(default_factory=list[int])
        y: int = 3
        type: dict[int, int] = field(default_factory=dict[int, int])

    for _ in range(30):  # the compiled one comes in between
        first, second = Made(1), Made(2, [5], type={6: 7})
        first.make.append(4)
        assert (first.x, first.make, first.y, first.type) == (1, [4], 3, {})
        assert (second.x, second.make, second.y, second.type) == (2, [5], 3, {6: 7})
        with pytest.raises(TypeError, match="missing 1 required positional argument: 'x'"):
            Made()  # pyright: ignore[reportCallIssue]  (the mistake is what is tested)


def test_threads_may_make_the_first_instance_at_once() -> None:
    @record
    class Late:
        x: int

    first = Late.__init__  # as a thread holds it that has looked it up, and then waits
    assert Late(1).x == 1
    late = Late(2)
    first(late, 3)
    assert late.x == 3


def test_a_record_has_no_other_attributes() -> None:
    with pytest.raises(AttributeError):
        Point(1).z = 3  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.parametrize(
    ("cls", "args"), [(Point, ()), (Point, (1, 2, 3)), (Named, ("a",)), (Named, ())]
)
def test_wrong_arguments_are_type_errors(
    cls: Callable[..., object], args: tuple[object, ...]
) -> None:
    with pytest.raises(TypeError):
        cls(*args)
    with pytest.raises(TypeError):
        cls(1, unknown=1)


def test_records_match_print_copy_and_pickle() -> None:
    match Point(1, 2):
        case Point(x, y):
            assert (x, y) == (1, 2)
    assert repr(Named(name="a")) == "Named(name='a', size=1)"
    assert replace(Point(1, 2), y=5) == Point(1, 5)
    assert pickle.loads(pickle.dumps(Point(1, 2))) == Point(1, 2)
    assert copy.copy(Point(1, 2)) == Point(1, 2)
