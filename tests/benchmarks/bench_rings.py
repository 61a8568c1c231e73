"""Rings of objects, which a collector lets go of: CPython's time over that of machine code.

A case makes objects in rings and leaves them. What it costs to collect them is a part of it, in
CPython as well, whose collector runs as it does by default. The two take turns, a few times each,
and the medians of the processor's time are compared.

    python -m tests.benchmarks.bench_rings [--rounds 7] [NAME ...]
"""

from tests.benchmarks.bench_containers import Case, main


class Link:
    """A place in a list with links both ways."""

    def __init__(self, value: int) -> None:
        self.value = value
        self.before: Link | None = None
        self.after: Link | None = None


class Folder:
    """A node of a tree with parents."""

    def __init__(self, depth: int, parent: "Folder | None") -> None:
        self.depth = depth
        self.parent = parent
        self.children: list[Folder] = []


def pairs(count: int, times: int) -> int:
    """Return a sum over pairs of objects that refer to each other."""
    total = 0
    for _ in range(times):
        for k in range(count):
            one, other = Link(k), Link(k + 1)
            one.after, other.before = other, one
            total += one.value + other.value
    return total


def linked_lists(count: int, times: int) -> int:
    """Return a sum over lists with links both ways."""
    total = 0
    for _ in range(times):
        first = Link(0)
        last = first
        for k in range(1, count):
            link = Link(k)
            link.before, last.after = last, link
            last = link
        place: Link | None = first
        while place is not None:
            total += place.value
            place = place.after
    return total


def grown(folder: Folder, depth: int) -> int:
    """Make two folders in each, and return how many there are."""
    if depth == 0:
        return 1
    folder.children.append(Folder(depth, folder))
    folder.children.append(Folder(depth, folder))
    return 1 + grown(folder.children[0], depth - 1) + grown(folder.children[1], depth - 1)


def trees(depth: int, times: int) -> int:
    """Return the sizes of trees with parents."""
    total = 0
    for _ in range(times):
        total += grown(Folder(0, None), depth)
    return total


CASES = {
    "pairs": Case(pairs, (10_000,), 10),
    "linked_lists": Case(linked_lists, (10_000,), 10),
    "one_long_list": Case(linked_lists, (300_000,), 1),
    "trees": Case(trees, (12,), 10),
}

if __name__ == "__main__":
    main(__doc__, CASES)
