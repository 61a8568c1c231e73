"""Tuples with items that may be None: ordered where other items decide, else they raise."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic
# ruff: noqa: SIM300

import heapq

from tests.programs import Case


def extremes(n):
    values = [(1, None), (2, 2), (2, n)]
    return max(values), min(values), sorted(values), max(values[0], values[1])


def of_equal_ones(n):
    values = [(1, None), (1, 2), (1, n)]
    return max(values)


def least_of_equal_ones(n):
    values = [(1, 5), (1, None), (1, n)]
    return min(values)


def first_items(n):
    values = [(None, 1), (n, 2)]
    return max(values)


def least_of_all(values):
    return min(values), max(values), sorted(values)


def kept_in_a_heap(n):
    heap: list[tuple[int, int | None]] = []
    for i in range(n):
        heapq.heappush(heap, (i * 7 % 5, None if i % 2 else i))
    return [heapq.heappop(heap) for _ in range(n)]


def compared(n, m):
    x = n if n > 2 else None
    found = []
    try:
        found.append((1, None) <= (m, x))
        found.append((m, x) <= (1, None))
        found.append((1, None) < (m, x))
        found.append((1, None) >= (m, x))
        found.append((m, x) > (1, None))
    except TypeError as error:
        return found, str(error)
    return found, ""


def exchanged(n, m):
    x = n if n > 2 else None
    found = []
    for case in range(4):
        try:
            if case == 0:
                found.append((m, x) <= (1, None))
            elif case == 1:
                found.append((m, x) > (1, None))
            elif case == 2:
                found.append((m, x) >= (1, None, 3))
            else:
                found.append((1, None) > (m, x))
        except TypeError as error:
            print(error)
    return found


def beside_what_is_never_none(n, m):
    found = []
    for case in range(4):
        try:
            if case == 0:
                found.append((1, None) < (m, n))
            elif case == 1:
                found.append((m, n * 1.5) > (1, None))
            elif case == 2:
                found.append((m, str(n)) <= (1, None))
            else:
                found.append((m, n > 2) >= (1, None))
        except TypeError as error:
            print(error)
    return found


CASES: list[Case] = [
    (extremes, [(3,), (None,)]),
    (of_equal_ones, [(3,)]),
    (least_of_equal_ones, [(3,)]),
    (first_items, [(3,)]),
    (
        least_of_all,
        [([(1, 2), (3, 1)],), ([(None, 2)],), ([(None, 2), (None, 1)],), ([(None, 2), (1, 1)],)],
    ),
    (kept_in_a_heap, [(4,), (9,)]),
    (compared, [(3, 1), (1, 1), (3, 2), (3, 0)]),
    (exchanged, [(3, 1), (1, 1), (3, 2), (3, 0)]),
    (beside_what_is_never_none, [(3, 1), (3, 2), (3, 0)]),
]
