"""Keys that look at lists while these are sorted: Python shows an empty one meanwhile."""

# pyright: basic

import functools

from tests.programs import Case

TABLE = [3, 1, 2]


def by_another(n: int):
    ratio = [0.5, 0.25, 1.0, -0.0]
    index = list(range(len(ratio)))
    index.sort(key=lambda i: ratio[i], reverse=n > 0)
    index.sort(key=lambda i: (index and index[0]) or -i)
    return index


def by_equal_type(xs: list[int]):
    weights = [5, -1, 2, 7]
    xs.sort(key=lambda i: weights[i])
    return xs


def by_itself(xs: list[int]):
    seen: list[int] = []

    def key(x: int) -> int:
        seen.append(len(xs))
        return -x

    xs.sort(key=key)
    return xs, seen


def reading_it(xs: list[int]):
    xs.sort(key=lambda x: xs[0])
    return xs


def kept_by_errors(xs: list[int]):
    try:
        xs.sort(key=lambda x: xs[0])
    except IndexError as e:
        return str(e), xs
    return "", xs


def changing_it(xs: list[int]):
    def key(x: int) -> int:
        xs.append(x)
        return x

    try:
        xs.sort(key=key)
    except ValueError as e:
        return str(e), xs
    return "", xs


def compared(xs: list[int]):
    seen: list[int] = []

    def compare(a: int, b: int) -> int:
        seen.append(len(xs))
        return b - a

    xs.sort(key=functools.cmp_to_key(compare))
    return xs, max(seen, default=0)


def of_the_module(n: int):
    TABLE.sort(key=lambda x: len(TABLE) + n * x)
    return list(TABLE)


def nested(n: int):
    rows = [[2, 1], [1, 2, 3], [0]]
    rows.sort(key=lambda row: (len(rows), len(row)))
    return rows


class Shelf:
    def __init__(self, items: list[str]) -> None:
        self.items = items

    def key(self, item: str) -> tuple[int, int, str]:
        return len(self.items), -len(item), item

    def arrange(self) -> list[str]:
        self.items.sort(key=self.key)
        return self.items


def in_a_field(n: int):
    return Shelf(["a", "ccc", "bb", "dd"]).arrange()


CASES: list[Case] = [
    (by_another, [(0,), (1,)]),
    (by_equal_type, [([0, 1, 2, 3],)]),
    (by_itself, [([1, 3, 2],), ([],)]),
    (reading_it, [([1, 2],)]),
    (kept_by_errors, [([2, 1],)]),
    (changing_it, [([2, 1],)]),
    (compared, [([1, 3, 2],)]),
    (of_the_module, [(1,), (-1,)]),
    (nested, [(1,)]),
    (in_a_field, [(1,)]),
]
