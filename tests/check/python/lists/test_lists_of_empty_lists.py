"""Lists of lists that begin empty: what is put into one of them says what all of them hold."""

# Without annotations the types come from the call, which is what this is about.
# pyright: basic

import numpy as np
import pytest

from scriptc import script
from scriptc_runtime.errors import TypeCheckError


def _comprehension(n):
    buckets = [[] for _ in range(n)]
    for i in range(10):
        buckets[i % n].append(i)
    return buckets


def _declared(n):
    buckets: list[list[float]] = [[] for _ in range(n)]
    buckets.append([])
    buckets[0].append(0.5)
    return buckets


def _rows_of_a_loop(n):
    rows = [[] for _ in range(n)]
    for row in rows:
        row.append(1.5)
    return rows


def _counted(n):
    rows = [[] for _ in range(n)]
    for i, row in enumerate(rows):
        row.append(i * 0.5)
    for i, row in enumerate(reversed(rows), 3):
        row.append(float(i))
    return rows


def _zipped(n):
    rows = [[] for _ in range(n)]
    marks = [[] for _ in range(n)]
    for i, (row, mark, k) in enumerate(zip(rows, marks, range(n), strict=False)):
        row.append(i * k)
        mark.append(i > 1)
    for row, other in zip(rows, reversed(rows), strict=False):
        row += other[:1]
    return rows, marks


def _displays(n):
    first, second = [[], []], [[n], []]
    first[1].append(n * 0.5)
    second[1].append(2)
    return first, second


def _repeated(n):
    same = [[]] * 3
    same[1].append(n)
    return same


def _appended(n):
    rows = []
    for _ in range(n):
        rows.append([])
    named = []
    rows.append(named)
    named.append(n)
    rows.insert(0, [])
    rows[1] = []
    return rows


def _deeper(n):
    cube = [[[] for _ in range(2)] for _ in range(n)]
    cube[0][1].append((n, 2.5))
    return cube


def _popped(n):
    rows = [[] for _ in range(n)]
    row = rows.pop()
    row.append(3)
    rows += [[]]
    rows.append(row)
    return rows


def _joined(n):
    rows = [[] for _ in range(n)]
    rows[0].extend([1, 2])
    rows[1] += [3]
    rows.extend([[4]])
    rows[1:2] = [[7], []]
    return rows if n > 2 else [[1]]


def _lengthened(n):
    rows = [[] for _ in range(n)]
    for i in range(n):
        rows[i] += [i]
        rows[i] *= 2
    return rows


def _whole(n):
    rows = [[] for _ in range(n)]
    rows[0] = [1.5] * n
    return rows


def _optional(n):
    chosen: list[float] | None = None
    rows = [[] for _ in range(n)]
    if n > 3:
        chosen = rows[0]
    if chosen is not None:
        chosen.append(2.5)
    return rows, chosen


def _arrays(n):
    rows = [[] for _ in range(n)]
    rows[0].append(np.arange(n))
    return [row[0].sum() for row in rows if row]


def _ways(n):
    near = [[] for _ in range(n)]
    for i in range(n - 1):
        near[i].append(i + 1)
        near[i + 1].append(i)
    seen, waiting, order = [False] * n, [0], []
    while waiting:
        at = waiting.pop()
        if not seen[at]:
            seen[at] = True
            order.append(at)
            for other in near[at]:
                if not seen[other]:
                    waiting.append(other)
    return order


@pytest.mark.parametrize("backend", ["llvm", "interp"])
@pytest.mark.parametrize(
    "function",
    [
        _comprehension,
        _declared,
        _rows_of_a_loop,
        _counted,
        _zipped,
        _displays,
        _repeated,
        _appended,
        _deeper,
        _popped,
        _joined,
        _lengthened,
        _whole,
        _optional,
        _arrays,
        _ways,
    ],
)
def test_what_is_put_into_one_list_says_what_all_hold(function, backend: str) -> None:
    compiled = script(function, backend=backend)
    for n in (3, 4):
        assert repr(compiled(n)) == repr(function(n))


def _slice_of_declared(n):
    rows = [[n]]
    rows[0:1] = [[7], []]
    rows[0:0] = [[8], [9]]
    return rows


def test_a_slice_takes_lists_of_what_the_list_holds() -> None:
    assert script(_slice_of_declared)(2) == _slice_of_declared(2)


def _put_into_an_array(n):
    rows = [[] for _ in range(n)]
    x = np.zeros(3)
    x[0] = rows
    return x


def test_lists_that_nothing_is_put_into_are_no_numbers() -> None:
    with pytest.raises(TypeCheckError, match=r"an array of f64 cannot hold list") as found:
        script(_put_into_an_array)(3)
    assert "x[0] = rows" in str(found.value)


def _in_itself(n):
    rows = []
    rows.append(rows)
    return n


def _in_each_other(n):
    first, second = [], []
    first.append(second)
    second.insert(0, first)
    return n


def _in_a_copy_of_itself(n):
    rows = [[]]
    rows[0].append(rows[0])
    return n


@pytest.mark.parametrize("function", [_in_itself, _in_each_other, _in_a_copy_of_itself])
def test_a_list_may_be_in_itself(function) -> None:
    assert script(function)(3) == 3


def _wrapped(n):
    rows = []
    for _ in range(n):
        rows = [rows]
    return n


def test_a_list_may_be_around_itself_in_each_round() -> None:
    assert script(_wrapped)(3) == 3


def _kept_of_enumerated(rows):
    return [row for i, row in enumerate(rows) if i % 2]


def _kept_of_zipped(rows):
    kept = []
    for i, (row, mark) in enumerate(zip(rows, range(3), strict=False)):
        if mark < i + 1:
            kept.append(row)
    return kept


@pytest.mark.parametrize("function", [_kept_of_enumerated, _kept_of_zipped])
def test_lists_in_a_parameter_that_are_kept_are_the_callers(function) -> None:
    rows = [[1], [2, 3]]
    kept = script(function)(rows)
    assert [id(row) for row in kept] == [id(row) for row in function(rows)]
