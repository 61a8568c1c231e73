"""Arguments that hold nothing are taken by the code for others of their kind."""

# Without annotations the types come from the call.
# pyright: basic

from collections import deque
from copy import deepcopy
from typing import Any

import numpy as np
import pytest

from scriptc import ScriptError, script

WEIGHTS = {0: 1.5}
TABLE = {0: 1}


@pytest.fixture(params=["llvm", "interp"])
def backend(request: pytest.FixtureRequest) -> str:
    return request.param


def _weighed(items):
    return len(items) * WEIGHTS[0]


def _mean(items):
    return np.mean(items)


def _wrong(items):
    return undefined(items)  # noqa: F821  # pyright: ignore


def _kept(items):
    items.append((1, "a"))
    return items


def _fibonacci(n, memo):
    if n in memo:
        return memo[n]
    memo[n] = n if n < 2 else _fibonacci(n - 1, memo) + _fibonacci(n - 2, memo)
    return memo[n]


def _walked(graph, node, seen, order):
    seen.add((node, len(seen)))
    for other in graph[node]:
        if other not in [name for name, _ in seen]:
            _walked(graph, other, seen, order)
    order.append((node, len(seen) * 0.5))
    return order


def _grouped(words, groups):
    for word in words:
        groups.setdefault(len(word), []).append(word)
    return groups


def _some(xs, found):
    for x in xs:
        found.append(None if x < 0 else x)
    return found


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (_fibonacci, (20, {})),
        (_walked, ({"a": ["b"], "b": ["a"]}, "a", set(), [])),
        (_grouped, (["a", "bb", "c"], {})),
        (_some, ([1, -1], [])),
    ],
)
def test_the_function_says_what_it_puts_in(function: Any, arguments: Any, backend: str) -> None:
    mine, theirs = deepcopy(arguments), deepcopy(arguments)
    scripted = script(function, backend=backend)
    assert scripted(*mine) == function(*theirs)
    assert mine == theirs
    assert len(scripted.seen) == 1


def test_code_that_there_is_takes_what_is_empty(backend: str) -> None:
    weighed = script(_weighed, backend=backend)
    assert weighed(["a"]) == 1.5
    assert weighed([]) == 0.0
    assert len(weighed.seen) == 1
    # For others of another kind there is none.
    assert weighed({}) == 0.0
    assert weighed.seen == [("list[str]",), ("dict[int, int]",)]


def test_what_is_empty_comes_first(backend: str) -> None:
    weighed = script(_weighed, backend=backend)
    assert weighed([]) == 0.0
    assert weighed.seen == [("list[int]",)]
    assert weighed([2]) == 1.5
    assert len(weighed.seen) == 1


def test_numpy_says_what_holds_nothing(backend: str) -> None:
    mean = script(_mean, backend=backend)
    with pytest.raises(ScriptError, match="does not say what it holds"):
        mean([])
    assert mean([1.5, 2.5]) == 2.0


def test_what_fits_no_type_is_refused(backend: str) -> None:
    assert script(_kept, backend=backend)([]) == [(1, "a")]
    with pytest.raises(ScriptError, match="does not say what it holds"):
        script(_weighed, backend=backend)(deque())


def test_a_mistake_that_no_type_mends_is_told(backend: str) -> None:
    with pytest.raises(ScriptError, match="'undefined' is not defined"):
        script(_wrong, backend=backend)([])


@script
class Bag:
    """A class whose first object says what its field holds."""

    def __init__(self, items):
        self.items = items.copy()


def test_a_constructor_is_given_items_first() -> None:
    assert Bag(["a"]).items == ["a"]
    assert Bag([]).items == []


def _counted(items):
    return len(items), TABLE[0]


def _total(items):
    return sum(items), max(items, default=None), sorted(items), items[::-1]


def _joined(words):
    return ",".join(words), [word.upper() for word in words]


def _put(items, item):
    items.append(item)
    return len(items), items


def _stored(table, key, value):
    table[key] = value
    return len(table)


def _found(table):
    return table.get("a"), len(table), list(table.items())


def _added(numbers):
    numbers.add(3)
    return sorted(numbers)


def _lengths(rows):
    return [len(row) for row in rows]


def _first(items):
    return items[0]


def _in_pairs(firsts, seconds):
    return [a + b for a, b in zip(firsts, seconds, strict=False)]


def _of_pair(pair):
    items, number = pair
    return len(items) + number


def _histogram(words):
    counts = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    return counts


def _given_back(items):
    return items


def _filled_in_turn(items, others):
    for item in others:
        items.append(item)
    others.clear()
    return items, others


def _raising(items):
    items.append(1)
    raise ValueError(len(items))


_CASES: Any = [
    (_counted, [([],), ([3, 1],), ([],), (["a"],), ([],)]),
    (_total, [([],), ([3, 1],), ([],)]),
    (_joined, [([],), (["a", "b"],), ([],)]),
    (_put, [([], 2), ([], 2.5), ([], "a"), ([7], 2), ([], 2)]),
    (_stored, [({}, 1, 2), ({}, "a", 2), ({}, 1, "a"), ({}, "a", "b"), ({}, "a", 2.5)]),
    (_found, [({},), ({"a": 1},), ({},)]),
    (_added, [(set(),), ({5},)]),
    (_lengths, [([],), ([[]],), ([[], [1]],), ([[], ["a"]],)]),
    (_first, [([],), ([2],), ([],)]),
    (_in_pairs, [([], []), ([], [1]), ([1.5], []), ([1], [2])]),
    (_of_pair, [(([], 1),), (([2], 1),)]),
    (_histogram, [([],), (["a", "a"],), ([],)]),
    (_given_back, [([],), ({},), (set(),), (["a"],)]),
    (_filled_in_turn, [([], []), ([], [1, 2]), ([], ["a"])]),
    (_raising, [([],)]),
]


@pytest.mark.parametrize(
    ("function", "calls"), _CASES, ids=lambda part: getattr(part, "__name__", "")
)
def test_calls_do_what_python_does(function: Any, calls: Any, backend: str) -> None:
    """Each call has arguments of its own; what is put in is in the caller's."""
    compiled = script(function, backend=backend)
    for arguments in calls:
        assert _outcome(compiled, arguments) == _outcome(function, arguments)


def _outcome(function: Any, arguments: Any) -> str:
    given = deepcopy(arguments)
    try:
        result = function(*given)
    except Exception as error:
        result = error
    return repr((result, given))
