"""Slices that are read and replaced, lists that are repeated, and small sets made of others."""

# pyright: basic

import numpy as np

from tests.programs import Case

BOUNDS = (None, 0, 1, 2, 4, 5, 9, -1, -2, -9)


def every_part(items: list[int]):
    found = [items[:]]
    for first in range(-7, 8):
        found.append(items[first:])
        found.append(items[:first])
        found.append(items[first::-1])
        found.append(items[:first:-1])
        for last in range(-7, 8):
            found.append(items[first:last])
            found.append(items[first:last:2])
            found.append(items[first:last:-2])
    return found


def every_part_replaced(items: list[int], more: list[int]):
    found = []
    for first in range(-6, 7):
        for last in range(-6, 7):
            whole = items[:]
            whole[first:last] = more
            found.append(whole)
    return found


def of_itself(first: int, last: int):
    numbers = [1, 2, 3, 4]
    numbers[first:last] = numbers
    texts = ["a", "b" * 40, "c", "d" * 40]
    texts[first:last] = texts
    rows = [[1], [2, 3], [4]]
    rows[first:last] = rows
    rows[0].append(9)
    return numbers, texts, rows


def turned(items: list[int], k: int):
    items[: k + 1] = items[k::-1]
    items[::-1] = items
    items[::2] = items[1::2] + items[:1] if len(items) % 2 else items[1::2]
    return items


def rows_replaced(n: int):
    rows = [[k] for k in range(n)]
    kept = rows[1:3]
    rows[1:3] = [[7], [8], [9]]
    rows[:1] = []
    rows[2:] = kept
    rows[len(rows) :] = kept[::-1]
    kept[0].append(5)
    return rows, kept


def texts_replaced(texts: list[str]):
    texts[1:2] = ["x" * 50, "y" * 50]
    texts[:2] = texts[2:]
    texts[-1:] = ("z", "w" * 60)
    return texts


def from_others(n: int):
    items = [0.0] * n
    items[1:3] = [1.5, 2.5, 3.5]
    items[:0] = (7.0, 8.0)
    return items


def wrong_size(items: list[int], n: int):
    items[::2] = [0] * n
    return items


def repeated(n: int):
    numbers = [0] * n, [-1] * n, [7] * n, [0x0303030303030303] * n
    floats = [0.0] * n, [-0.0] * n, [1.5] * n, [float("nan")] * n
    flags = [True] * n, [False] * n, [None] * n
    small = [np.int16(257)] * n, [np.uint8(3)] * n, [np.float32(0)] * n
    return numbers, floats, flags, small


def repeated_rows(n: int):
    rows = [[1, 2]] * n
    texts = ["t" * 40] * n
    pairs = [(1, "p")] * n
    for row in rows:
        row.append(len(texts))
    return rows, texts, pairs, [None, 1] * n


def too_many():
    return [0] * 2**61


def made_and_grown(n: int):
    items: list[int] = []
    rows: list[list[str]] = []
    for k in range(n):
        items.append(k)
        rows.append([])
        rows[k // 2].append(str(k))
    return items, rows


def small_sets(first: list[int], other: list[int]):
    one, two = set(first), set(other)
    found = [list(one), list(two), list(one | two), list(one & two), list(one - two)]
    found += [list(two - one), list(one ^ two), list(one.copy()), list(frozenset(first) | two)]
    one.update(two)
    found.append(list(one))
    for item in first[::2]:
        one.discard(item)
    found.append(list(one))
    three = one | two
    three.clear()
    three |= two
    three.update(first)
    found += [list(three), list(one.union(first, other))]
    return found, len(one), sorted(three)


def sets_that_were_emptied(items: list[int]):
    numbers = set(items)
    for item in items:
        numbers.remove(item)
    other = numbers | set(items[:2])
    numbers.update(items)
    emptied = frozenset(items) - numbers
    return list(numbers), list(other), list(emptied | numbers), list(numbers - other)


def sets_of_texts(words: list[str]):
    whole = set(words)
    frozen = frozenset(words)
    return whole == frozen, len(whole | frozen), sorted(whole - {words[0]}), sorted(frozen & whole)


def frozen_keys(items: list[int]):
    found: dict[frozenset[int], int] = {}
    for k in range(len(items)):
        key = frozenset(items[: k + 1])
        found[key] = found.get(key, 0) + k
    return [(sorted(key), value) for key, value in found.items()]


def only_read(table: dict[int, int], keys: list[int]):
    return [table.get(key, -1) for key in keys], [key in table for key in keys]


def read_and_written(table: dict[str, int], keys: list[str]):
    for key in keys:
        table[key] = table.get(key, 0) + 1
    for key in keys[::3]:
        table.pop(key)
    return list(table.items())


def pairs_read(table: dict[tuple[int, str], float], keys: list[tuple[int, str]]):
    return sum(table[key] for key in keys if key in table)


LONG = [5, -3, 8, 13, 21, 34, 55, 89, 144, 40, 72, 104, 136, 168, 200, 232, 264]
TABLE = {k * 37 - 50: k for k in range(60)}
CASES: list[Case] = [
    (every_part, [([3, 1, 4, 1, 5],), ([],)]),
    (every_part_replaced, [([1, 2, 3, 4], [7, 8]), ([1, 2, 3], []), ([], [5]), ([1], [6, 7, 8])]),
    (of_itself, [(0, 4), (1, 3), (2, 2), (9, 0), (0, 0), (-1, 9)]),
    (turned, [([1, 2, 3, 4, 5], 3), ([1, 2, 3, 4], 0), ([1], 0)]),
    (rows_replaced, [(5,), (3,), (2,)]),
    (texts_replaced, [(["a" * 40, "b", "c" * 40],), (["a", "b"],)]),
    (from_others, [(5,), (1,)]),
    (wrong_size, [([1, 2, 3], 2), ([1, 2, 3], 3), ([], 0), ([], 1)]),
    (repeated, [(n,) for n in (-1, 0, 1, 2, 5, 70)]),
    (repeated_rows, [(n,) for n in (-1, 0, 1, 3)]),
    (too_many, [()]),
    (made_and_grown, [(n,) for n in (0, 1, 4, 5, 30)]),
    (small_sets, [(LONG[:m], LONG[k:]) for m, k in ((0, 17), (3, 1), (4, 9), (5, 5), (17, 12))]),
    (small_sets, [([0, 8, 16, 24], [32, 40]), ([1, 9, 1], [9, 17, 25, 33, 41])]),
    (sets_that_were_emptied, [(LONG[:3],), (LONG,), ([8, 16],)]),
    (sets_of_texts, [(["a", "b" * 40, "a", "c"],)]),
    (frozen_keys, [([1, 2, 2, 9, 17, 1],)]),
    (only_read, [(TABLE, LONG), (dict(list(TABLE.items())[:8]), [-50, -13, 0]), ({1: 2}, [1])]),
    (only_read, [({k * 16: k for k in range(9)}, [0, 16, 128, 144])]),
    (read_and_written, [({str(k): k for k in range(20)}, ["3", "x", "19", "7", "x", "20"])]),
    (pairs_read, [({(k, str(k)): k / 2 for k in range(12)}, [(3, "3"), (3, "4"), (11, "11")])]),
]
