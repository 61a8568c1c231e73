"""Builtin iterators and those of itertools, over lists, ranges, dicts and generators."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic
# ruff: noqa: B905, RUF007, RUF058

import itertools
from itertools import chain, count, cycle, islice, pairwise

import numpy as np

from tests.programs import Case


def squares(n):
    for i in range(n):
        yield i * i


def evens(items):
    for x in items:
        if x % 2 == 0:
            yield x


def marked(items, log):
    yield -1
    log.append(len(log))
    yield from items


def double(x):
    return x + x


def pipelines(n: int):
    return (
        *(list(evens(squares(n))), [x for x in evens(range(n))], list(evens(evens(squares(n))))),
        *(sum(evens(x + 1 for x in squares(n))), max(evens(chain([0], squares(n))))),
    )


def evaluated_when_called(n: int):
    log = [7]
    seen = []
    for x in marked(range(n), log):
        n = 1
        seen.append(x)
    return seen, log, n


def numbered(n: int):
    out = []
    for i, x in enumerate(squares(n), 1):
        if i == 3:
            continue
        if i == 6:
            break
        out.append((i, x))
    d = {"a": 1, "b": 2}
    for i, (k, v) in enumerate(d.items()):
        out.append((i, v + len(k)))
    for i, k in enumerate(d):
        if k == "b":
            out.append((i, 7))
    return out


def beside(xs: list[int], n: int):
    d = {1: 0.5, 2: 1.5}
    return (
        *(list(zip(squares(n), xs)), list(zip(xs, squares(n))), list(zip(xs, count(5)))),
        *([a * b for a, b in zip(d.values(), xs)], list(zip(xs, d))),
    )


def mapped(xs: list[int]):
    return (
        *(list(map(lambda x: x + 1, xs)), list(map(str, xs)), list(filter(None, xs))),
        *([a for a in filter(lambda v: v > 1, map(abs, xs))], sum(map(abs, xs))),
        *(
            list(map(max, xs, xs[::-1])),
            max(map(abs, xs)),
            any(map(bool, xs)),
            sorted(map(abs, xs)),
        ),
        *(list(map(double, map(float, xs))), all(x > 0 for x in map(abs, xs))),
    )


def first_of(xs: list[int], k: int):
    try:
        third = next(x * 1.0 for x in xs if x > k)
    except StopIteration:
        third = -9.0
    return (
        *(next((x for x in xs if x > k), -1), next((x for x in xs if x > k), None), third),
        *(next(squares(4)), next(evens(xs), 0), next(filter(None, xs), 5)),
    )


def none_left(xs: list[int]):
    return next(x for x in xs if x > 10)


def chained(xs: list[int]):
    return (
        *(list(chain(xs, [7], range(2))), list(chain.from_iterable([xs[1:], xs.copy()]))),
        *(
            list(islice(count(3, 2), 4)),
            list(islice(count(), 2, 9, 3)),
            list(islice(xs, 1, None, 2)),
        ),
        *(list(islice(squares(9), 3)), list(islice(xs, 0)), list(islice(xs, 4, 2))),
        *(list(itertools.repeat(4, 3)), list(islice(itertools.cycle(xs), 7))),
        *(list(itertools.compress(xs, [1, 0, 1])), list(islice(itertools.repeat("a"), 2))),
        list(itertools.starmap(lambda a, b: a - b, zip(xs, xs[1:]))),
    )


def refused_places(xs: list[int], start: int, step: int):
    return list(islice(xs, start, None, step)), list(islice(xs, start))


def running(xs: list[int], k: int):
    return (
        *(list(itertools.accumulate(xs)), list(itertools.accumulate(xs, max))),
        list(itertools.accumulate(xs, lambda a, b: a * b, initial=2)),
        *(list(itertools.takewhile(lambda v: v < k, xs)), list(pairwise(xs))),
        *(list(itertools.dropwhile(lambda v: v < k, xs)), list(itertools.filterfalse(None, xs))),
        [(key, list(group)) for key, group in itertools.groupby(xs, lambda v: v // k)],
        *([key for key, _ in itertools.groupby(xs)], list(itertools.zip_longest(xs, [1]))),
        list(itertools.zip_longest(xs, [0.5], fillvalue=-1.0)),
    )


def chosen(xs: list[int]):
    return (
        *(list(itertools.product(xs, [1.5, 2.5])), list(itertools.product(xs, repeat=2))),
        *(list(itertools.permutations(xs, 2)), list(itertools.permutations(("a", "b", "c")))),
        *(list(itertools.combinations(xs, 2)), list(itertools.combinations(xs, 3))),
        list(itertools.combinations_with_replacement(xs, 2)),
    )


def left_early(xs: list[int]):
    for a, b in itertools.combinations(xs, 2):
        if a + b > 6:
            return a, b
    return 0, 0


def over_rows(x: np.ndarray):
    result = 0.0
    for i, row in enumerate(map(lambda r: r * 2, x)):
        result += i * row.sum()
    return result


def zig_zag(rails: int, size: int):
    rows = cycle(chain(range(rails), range(rails - 2, 0, -1)))
    return zip(rows, range(size))


def rail_fence(text: str, rails: int):
    places = zig_zag(rails, len(text))
    coded = "".join(text[place] for _, place in sorted(places))
    again = zip(coded, sorted(zig_zag(rails, len(text))))
    return coded, "".join(c for c, _ in sorted(again, key=lambda pair: pair[1][1]))


CASES: list[Case] = [
    (pipelines, [(1,), (9,)]),
    (evaluated_when_called, [(3,)]),
    (numbered, [(2,), (9,)]),
    (beside, [([4, 5, 6], 2), ([4], 9), ([4, 5, 6], 0)]),
    (mapped, [([3, 0, -2, 1],)]),
    (first_of, [([1, 5, 7], 3), ([1, 5, 7], 30), ([0, 2], 1)]),
    (none_left, [([11],), ([1],)]),
    (rail_fence, [("WEAREDISCOVERED", 3), ("ab", 2)]),
    (chained, [([1, 2, 3],), ([5],)]),
    (refused_places, [([1, 2, 3], 1, 2), ([1, 2], -1, 1), ([1, 2], 0, 0)]),
    (running, [([1, 2, 2, 3, 5, 0, 1], 3), ([7], 2)]),
    (chosen, [([1, 2, 3],), ([4],)]),
    (left_early, [([1, 2, 5, 6],), ([1, 2],)]),
    (over_rows, [(np.arange(6.0).reshape(3, 2),)]),
]
