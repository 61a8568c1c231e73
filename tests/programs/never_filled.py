"""Lists, sets and dicts into which nothing is ever put: of whatever type, they are empty."""

# Without annotations the types follow from what is put in, which is what these programs are about.
# pyright: basic

from collections import Counter, defaultdict, deque

import numpy as np

from tests.programs import Case


def lists(n):
    xs, rows = [], [[] for _ in range(n)]
    shown = [str(x) for x in xs]
    return len(xs), sum(xs), sorted(xs), xs * 2, xs[1:], tuple(xs), [*xs, n], shown, rows


def compared(n):
    xs, ys = [], []
    return xs == ys, xs + ys, not xs, n in xs, [x for x in xs if x > n]


def popped(n):
    xs = []
    if n:
        xs.pop()
    return max(xs)


def dicts(n):
    d, e = {}, {}
    filled = {"a": n}
    filled.update(e)
    return len(d), list(d), d.get("a"), "a" in d, [k for k in d], filled, {**filled, **{}}


def missing(n):
    d = {}
    return d[n]


def containers(text):
    seen, queue, counts, groups = set(), deque(), Counter(), defaultdict(list)
    return text in seen, len(seen), list(queue), counts[text], counts.most_common(1), len(groups)


def arrays(n):
    xs = []
    return np.array(xs), np.zeros(n) + np.sum(xs)


def joined(*parts, sep=", "):
    found = []
    for part in parts:
        found.append(repr(part))
    return sep.join(found) + sep.join(str(part) for part in parts)


def shown(*parts, **options):
    return " ".join([f"{k}={v!r}" for k, v in options.items()]), {**options}, len(parts)


class Widget:
    def __init__(self, name, **options):
        self.name = name
        self.options = {"size": 1, **options}
        self.own = dict(options)

    def get(self, key):
        return self.options.get(key, -1), len(self.own)


def stars(n):
    """What `*parts` and `**options` take may be nothing."""
    texts = joined(n, 2.5), joined(), joined("a", sep="")
    options = shown(n, b=2), shown(), shown(b=n)
    widgets = Widget("a", size=n, wide=3), Widget("b")
    return texts, options, [w.get("size") for w in widgets], widgets[0].get("wide")


def one_by_another(n):
    """What one would hold depends on another: not all get a type at once."""
    xs, ys, zs = [], [], []
    for x in xs:
        ys.append((x, str(x)))
    for y in ys:
        zs.append(y[1])
    words, ends, seen = [], {}, set()
    for word in words:
        ends[word[-1]] = words[0] + "!"
    for end in sorted(ends):
        seen.add(ends[end].upper())
    return ", ".join(zs), xs, ys, ends, sorted(seen), len(words)


class Task:
    def __init__(self, name):
        self.name = name


def names_of(tasks=None, notes=None):
    found = [task.name for task in tasks or []]
    for place, task in enumerate(tasks or []):
        found.append(f"{place}: {task.name}")
    for key, note in (notes or {}).items():
        found.append(note.text(key))
    for task in reversed(tasks or []):
        found.append(task.name.upper())
    for task, note in zip(tasks or [], [1], strict=False):
        found.append(f"{task.name} {note}")
    return found, any(task.name for task in tasks or []), {t.name: t for t in tasks or []} == {}


class Plan:
    def __init__(self, tasks=None):
        if tasks is None:
            tasks = []
        self.names = [task.name for task in tasks]
        self.count = len(list(tasks or []))


def loops_without_items(name):
    """What an item would be is not known, and no body of a loop is ever reached."""
    given = names_of([Task(name)])
    return names_of(), given, Plan().names, Plan([Task(name)]).names, Plan().count


def fill(tasks, task):
    tasks.append(task)


def filled_by_others(name):
    """Lists that look empty where they stand, and are not."""
    given, same, kept, ring = [], [], [], []
    fill(given, Task(name))
    other = same
    other += [Task(name)]

    def keep(task):
        kept.append(task)

    keep(Task(name))
    for item in ring:
        ring.append(item.foo)
    rest = "x"
    for row in ring:
        rest = row.text
    else:
        rest += "y"
    return [[task.name for task in xs] for xs in (given, same, kept)], len(ring), rest


CASES: list[Case] = [
    (loops_without_items, [("a",)]),
    (filled_by_others, [("a",)]),
    (one_by_another, [(2,)]),
    (lists, [(2,), (0,)]),
    (compared, [(1,)]),
    (popped, [(0,), (1,)]),
    (dicts, [(3,)]),
    (missing, [(3,)]),
    (containers, [("a",)]),
    (arrays, [(2,)]),
    (stars, [(3,)]),
]
