"""Orders that functions say: keys of `bisect`, `cmp_to_key` and `heapq.merge`; some iterators."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import bisect
import functools
import heapq
import itertools
from functools import cmp_to_key

from tests.programs import Case


def places(rows, x):
    found = [bisect.bisect_left(rows, x, key=lambda row: row[0])]
    found.append(bisect.bisect(rows, x, key=lambda row: row[0]))
    found.append(bisect.bisect_right(rows, x, 1, key=lambda row: row[0]))
    found.append(bisect.bisect_left(rows, x, lo=1, hi=2, key=lambda row: row[0]))
    return found


def put_in(rows, low):
    bisect.insort(rows, (3, "right"), key=lambda row: row[0])
    bisect.insort_left(rows, (3, "left"), low, key=lambda row: row[0])
    sizes = [0]
    for x in (3, -1, 2, -2):
        bisect.insort(sizes, x, key=abs)
    return rows, sizes


def by_length(a, b):
    if len(a) != len(b):
        return len(a) - len(b)
    return (a > b) - (a < b)


def by_last_digit(a, b):
    return a % 10 - b % 10


def compared(words, numbers):
    order = {word: place for place, word in enumerate(words)}
    joined = sorted(map(str, numbers), key=cmp_to_key(lambda a, b: -1 if a + b > b + a else 1))
    numbers.sort(key=functools.cmp_to_key(by_last_digit), reverse=True)
    backwards = sorted(words, key=cmp_to_key(lambda a, b: order[b] - order[a]))
    words.sort(key=cmp_to_key(by_length))
    return words, backwards, "".join(joined), numbers


def failing(numbers):
    def compare(a, b):
        if a == 0:
            raise ValueError(f"{a} and {b}")
        return a - b

    return sorted(numbers, key=cmp_to_key(compare))


def merged(a, b, c):
    two = [x for x in heapq.merge(a, [2 * x for x in c])]
    first = []
    for x in heapq.merge(b, a, c, reverse=True):
        first.append(x)
        if len(first) == 3:
            break
    return list(heapq.merge(a, b, c)), two, first, sum(heapq.merge(sorted(a), sorted(b)))


def merged_by_key(rows, others):
    stable = list(heapq.merge(rows, others, key=lambda row: row[0]))
    return stable, list(heapq.merge(*[rows, others])), list(heapq.merge(rows))


def tuples(a, b):
    longest = (
        list(itertools.zip_longest(a, b, [2, 3])),
        list(itertools.zip_longest(b, a, fillvalue=0)),
    )
    powers = list(itertools.product(range(2), repeat=3)), list(itertools.product("ab", repeat=2))
    four = [sum(row) for row in itertools.product([0, 1], repeat=4)]
    return longest, powers, four, list(itertools.chain(a, a, a, a, a, a))


class Task:
    def __init__(self, name: str):
        self.name = name


def undecided(names: list[str]):
    rows = {name: {"n": len(name)} for name in names}
    groups = {name: set(name) for name in names}
    counter = itertools.count()
    heap = []
    for name in names:
        heapq.heappush(heap, (len(name), next(counter), Task(name)))
    done = []
    while heap:
        done.append(heapq.heappop(heap)[2].name)
    task = Task("a")
    same = (
        (1, task) < (1, task),
        (1, task) <= (1, task),
        (1, {2}) < (1, {2, 3}),
        (1, {2}) > (1, {1}),
    )
    last = max((2, None), (1, None)), min([(2, rows), (1, rows)])[0]
    return sorted(rows.items()), [k for k, _ in sorted(groups.items())], done, same, last


def unordered(kind: int):
    try:
        if kind == 0:
            return str((1, {"a": 1}) > (1, {"b": 1}))
        if kind == 1:
            return str((1, Task("a")) >= (1, Task("b")))
        if kind == 2:
            heap = [(1, Task("a"))]
            heapq.heappush(heap, (1, Task("b")))
        return str(sorted([(1, {"x": 1}), (1, {"y": 2})]))
    except TypeError as error:
        return str(error)


_ROWS = [(1, "a"), (3, "b"), (3, "c"), (5, "d")]
CASES: list[Case] = [
    (places, [(_ROWS, x) for x in (0, 3, 5, 9)]),
    (put_in, [(_ROWS, 0), (_ROWS, -1)]),
    (compared, [(["bb", "a", "ccc", "ab", ""], [3, 30, 34, 5, 9])]),
    (failing, [([3, 1, 2],), ([3, 0, 2],)]),
    (merged, [([1, 3, 5], [2, 4], [0, 9]), ([5, 1], [3], [3, 3])]),
    (merged_by_key, [(_ROWS, [(3, "z"), (4, "y")])]),
    (undecided, [(["bb", "a", "ccc", "d"],)]),
    (unordered, [(kind,) for kind in range(4)]),
    (tuples, [([1, 2, 3], [4])]),
]
