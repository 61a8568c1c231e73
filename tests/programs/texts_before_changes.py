"""f-strings, in which each value becomes a text before the next one is evaluated."""

# pyright: basic

from collections import defaultdict

from tests.programs import Case


class Counter:
    def __init__(self) -> None:
        self.n = 0

    def up(self) -> int:
        self.n += 1
        return self.n

    def __repr__(self) -> str:
        return f"Counter({self.n})"


def lists(xs: list[int]) -> str:
    text = f"{xs} {xs.pop()} {xs}"
    rows = [xs, [9]]
    return f"{text} {rows!r:>12} {xs.append(5)} {rows} {rows[0].clear()} {(rows, xs)}"


def dicts(name: str) -> str:
    found = defaultdict(list)
    counted = defaultdict(int)
    text = f"{found} {found[name]} {found} {counted}"
    counted[name] += 1
    return f"{text} {counted} {counted['other']} {counted} {len(counted):>{counted['width'] + 3}}"


def objects(n: int) -> str:
    c = Counter()
    text = f"{c} {c.up()} {c} {c!r:>12} {c.up():>{c.up()}} {c!s}"
    for _ in range(n):
        text += f"{c}{c.up()}"
    return text


def untouched(name: str) -> str:
    lists, sets, dicts = defaultdict(list), defaultdict(set), defaultdict(dict)
    text = f"{lists[name]} {sets[name]} {dicts[name]} {lists} {sets} {dicts}"
    nested = defaultdict(lambda: defaultdict(list))
    return f"{text} {nested[name]} {len(nested)}"


CASES: list[Case] = [
    (lists, [([3, 1, 2],)]),
    (dicts, [("a",)]),
    (objects, [(0,), (2,)]),
    (untouched, [("a",)]),
]
