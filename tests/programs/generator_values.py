"""Generators that are objects: kept, passed on, taken by several loops, recursive."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from collections.abc import Iterator

import numpy as np

from tests.programs import Case


def of_whatever(n) -> Iterator:
    yield n
    yield n + 1


def taken_from_open(n):
    items = of_whatever(n)
    return next(items), list(items)


def squares(n):
    for i in range(n):
        yield i * i


def down(n: int):
    while n > 0:
        yield n
        n -= 1


def partly_taken(n: int):
    g = squares(n)
    seen = [next(g, -1), next(g, -2)]
    for x in g:
        seen.append(x)
        if x > 10:
            break
    else:
        seen.append(-3)
    for x in g:
        seen.append(-x)
    return seen, next(g, 99)


class Tree:
    left: "Tree | None"
    right: "Tree | None"

    def __init__(self, key: int):
        self.key = key
        self.left = None
        self.right = None

    def add(self, key: int) -> None:
        if key < self.key:
            if self.left is None:
                self.left = Tree(key)
            else:
                self.left.add(key)
        elif self.right is None:
            self.right = Tree(key)
        else:
            self.right.add(key)

    def __iter__(self):
        if self.left is not None:
            yield from self.left
        yield self.key
        if self.right is not None:
            yield from self.right


def sorted_by_tree(xs: list[int]):
    tree = Tree(xs[0])
    for x in xs[1:]:
        tree.add(x)
    return list(tree)


def pairs(n: int):
    for i in range(n):
        j = 0
        while j < i:
            if (i + j) % 2:
                yield (i, j)
            else:
                yield (j, i)
            j += 1
        else:
            yield (-1, i)
    for i in range(n, 0, -2):
        yield i, i


def in_nested_loops(n: int):
    g = pairs(n)
    found = [next(g)]
    for p in g:
        found.append(p)
        if len(found) > 5:
            break
    return found, list(g)


def divided(xs: list[int]):
    for x in xs:
        try:
            yield 10 // x
        except ValueError:
            yield -5
        try:
            y = 10 // (x - 1)
        except ZeroDivisionError as error:
            yield -1
            yield len(str(error))
            try:
                yield 10 // (x - 1)
            except ZeroDivisionError:
                yield x
        else:
            yield y


def through_handlers(xs: list[int]):
    g, seen = divided(xs), []
    try:
        while True:
            seen.append(next(g))
    except StopIteration:
        seen.append(99)
    except ZeroDivisionError:
        seen.append(77)
    seen.append(next(g, -3))
    return seen


def stopped():
    yield 1
    raise StopIteration


def raises_stop_iteration(n: int):
    g = stopped()
    found = next(g)
    if n == 2:
        next(squares(0))
    return found + next(g) if n else found


def valued(n: int):
    yield n
    return n * 2


def delegating(n: int):
    for i in range(n):
        result = yield from valued(i)
        yield result + 0.5
    yield from [0.25, 0.75]


def values_of_delegates(n: int):
    g = delegating(n)
    return [next(g, -1.0)] + list(g)  # noqa: RUF005


def perhaps(n: int):
    for i in range(n):
        yield None if i % 2 else i


def words(text: str):
    word = ""
    for c in text:
        if c == " ":
            if word:
                yield word
            word = ""
        else:
            word += c
    if word:
        yield word


def of_other_types(n: int, text: str):
    g, w = perhaps(n), words(text)
    first = next(g, None)
    more = [x for x in g]
    return first, more, next(w, "none"), list(w)


class Box:
    def __init__(self, items):
        self.items = items


def kept_everywhere(n: int):
    box = Box(squares(n))
    found = [next(box.items, 5)]
    several = [squares(i) for i in range(n)]
    for _ in range(2):
        found += [next(g, -1) for g in several]
    either = squares(n) if n % 2 else down(n)
    found += [x for x in either]
    return found, list(box.items)


def in_common(n: int):
    count = 0

    def inner(m: int):
        nonlocal count
        for i in range(m):
            count += 1
            yield i + count

    g = inner(n)
    first = next(g)
    count += 10
    return first, list(g), count


def doubled_rows(x):
    for row in x:
        yield row * 2
    for row in x[::-1]:
        yield row + 1


def of_arrays(x: np.ndarray):
    g = doubled_rows(x)
    total = next(g).sum()
    for row in g:
        total = total * 2 + row.sum()
    return total


def permutations(xs: list[int]):
    if len(xs) <= 1:
        yield xs[:]
    for i in range(len(xs) if len(xs) > 1 else 0):
        for rest in permutations(xs[:i] + xs[i + 1 :]):
            yield [xs[i]] + rest  # noqa: RUF005


def permuted(n: int):
    return list(permutations(list(range(n))))


def items_of(d: dict[str, int]):
    for k, v in d.items():
        yield k, v
    for k in d:
        yield k, 0


def changed_dict(n: int):
    d = {"a": 1, "b": n}
    g = items_of(d)
    first = next(g)
    if n > 3:
        d["c"] = 2
    return first, list(g)


def same_name(n: int):
    for i in range(n):
        for i in range(3 - n):
            yield i
        yield -i
    yield i


def of_same_names(n: int):
    g = same_name(n)
    first = next(g)
    return first, list(g)


CASES: list[Case] = [
    (of_same_names, [(1,), (2,)]),
    (partly_taken, [(0,), (2,), (6,), (9,)]),
    (sorted_by_tree, [([5, 2, 8, 1, 9, 3],), ([1],)]),
    (in_nested_loops, [(1,), (5,)]),
    (through_handlers, [([1, 2, 5],), ([3, 0, 2],), ([1],)]),
    (raises_stop_iteration, [(0,), (1,), (2,)]),
    (values_of_delegates, [(0,), (3,)]),
    (of_other_types, [(4, "ab cd  e"), (0, "")]),
    (kept_everywhere, [(3,), (4,)]),
    (in_common, [(1,), (4,)]),
    (of_arrays, [(np.arange(6.0).reshape(3, 2),)]),
    (permuted, [(1,), (3,)]),
    (changed_dict, [(3,), (4,)]),
    (taken_from_open, [(3,)]),
]
