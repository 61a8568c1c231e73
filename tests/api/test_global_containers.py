"""Containers of `collections` that a module or a class holds, empty at the first call."""

# Types come from the calls.
# pyright: basic

from collections import Counter, OrderedDict, defaultdict, deque

import pytest

from scriptc import script
from scriptc_runtime.errors import TypeCheckError

SEEN = Counter()
QUEUE = deque()
LAST = deque(maxlen=2)
GROUPS = defaultdict(list)
TOTALS = defaultdict(float)
NESTED = defaultdict(dict)
ORDER = OrderedDict()
MADE = defaultdict(lambda: [0])


class Hub:
    waiting = deque()  # noqa: RUF012
    counts = Counter()  # noqa: RUF012

    def send(self, word):
        self.waiting.append(word)
        Hub.counts[word] += 1
        return len(self.waiting)


EVERY = (SEEN, QUEUE, LAST, GROUPS, TOTALS, NESTED, ORDER, Hub.waiting, Hub.counts)


def put_first(word):
    QUEUE.appendleft(word)


def noted(word):
    SEEN[word] += 1
    SEEN.update([word, "z"])
    QUEUE.append(word)
    put_first(word + "!")
    LAST.append(len(word))
    GROUPS[len(word)].append(word)
    TOTALS[word] += 0.5
    NESTED[word]["k"] = 1
    ORDER[word] = len(ORDER)
    return len(SEEN), len(QUEUE), Hub().send(word), SEEN.most_common(1), list(LAST), GROUPS[99]


def made(word):
    MADE[word].append(1)
    return len(MADE)


def newest(x, seen=deque([0.0]), counts=Counter()):  # noqa: B006
    seen.append(x)
    counts[x] += 1
    return max(seen), len(seen), counts[x]


def called(function):
    for container in EVERY:
        container.clear()
    results = [function(word) for word in ("a", "bb", "a")]
    return results, list(map(repr, EVERY))


@pytest.mark.parametrize("backend", ["interp", "llvm"])
def test_they_hold_what_the_program_puts_in(backend):
    expected = called(noted)
    assert called(script(noted, backend=backend)) == expected


def test_defaults_of_parameters_are_shared_by_all_calls():
    def both(x, y):
        return newest(x), newest(y)

    seen, counts = newest.__defaults__  # pyright: ignore[reportGeneralTypeIssues]
    assert script(both)(1.0, 2.0) == ((1.0, 2, 1), (2.0, 3, 1))
    assert script(both)(1.0, 2.0) == ((2.0, 4, 2), (2.0, 5, 2))
    assert (seen, counts) == (deque([0.0, 1.0, 2.0, 1.0, 2.0]), Counter({1.0: 2, 2.0: 2}))


def test_what_makes_items_by_a_function_of_the_program_is_refused():
    with pytest.raises(TypeCheckError, match="empty defaultdict"):
        script(made)("a")
