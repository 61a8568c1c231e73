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


def called(function):
    for container in EVERY:
        container.clear()
    results = [function(word) for word in ("a", "bb", "a")]
    return results, list(map(repr, EVERY))


@pytest.mark.parametrize("backend", ["interp", "llvm"])
def test_they_hold_what_the_program_puts_in(backend):
    expected = called(noted)
    assert called(script(noted, backend=backend)) == expected


def test_what_makes_items_by_a_function_of_the_program_is_refused():
    with pytest.raises(TypeCheckError, match="empty defaultdict"):
        script(made)("a")
