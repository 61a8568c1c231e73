"""Loops of scripts over objects of scripted classes."""

# What has places alone is no Iterable to type checkers.
# pyright: basic, reportArgumentType=false

from collections.abc import Iterator

from scriptc import script


@script
class Countdown:
    """Its `__iter__` is a generator."""

    def __init__(self, first: int) -> None:
        self.first = first

    def __iter__(self) -> Iterator[int]:
        yield from range(self.first, 0, -1)

    def __len__(self) -> int:
        return sum(1 for _ in self)


@script
class Steps:
    """It is its own iterator."""

    def __init__(self, last: int) -> None:
        self.at = 0
        self.last = last

    def __iter__(self):
        return self

    def __next__(self) -> int:
        if self.at >= self.last:
            raise StopIteration
        self.at += 1
        return self.at


@script
class Squares:
    """It is read by places."""

    def __init__(self, size: int) -> None:
        self.size = size

    def __getitem__(self, i: int) -> int:
        if i >= self.size:
            raise IndexError(i)
        return i * i


@script
def every(down: Countdown, steps: Steps, squares: Squares):
    both = list(zip(down, squares, strict=False))
    return (
        list(down),
        tuple(down),
        sum(down),
        len(down),
        list(steps),
        sorted(squares),
        both,
        4 in squares,
    )


def test_scripts_loop_over_objects_of_scripted_classes() -> None:
    down, squares = [3, 2, 1], [0, 1, 4]
    found = every(Countdown(3), Steps(2), Squares(3))
    both = list(zip(down, squares, strict=True))
    assert found == (down, tuple(down), 6, 3, [1, 2], squares, both, True)
    assert len(Countdown(2)) == 2
    assert [*Steps(3)] == [1, 2, 3]
    assert [*Squares(3)] == squares
