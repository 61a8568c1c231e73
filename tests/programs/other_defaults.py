"""Defaults of another type than what is found, and the extremes of what may be None."""

# Without annotations the types follow from what is put in, which is what these programs are about.
# pyright: basic, reportArgumentType=false, reportCallIssue=false, reportOptionalSubscript=false
# pyright: reportOptionalOperand=false, reportAttributeAccessIssue=false, reportGeneralTypeIssues=false
# pyright: reportOptionalMemberAccess=false, reportOptionalIterable=false, reportOperatorIssue=false

import math
from collections import Counter, OrderedDict, defaultdict
from dataclasses import dataclass, field

from tests.programs import Case


def infinity(k):
    return {"a": 0}.get(k, math.inf)


def text(k):
    return {"a": 0}.get(k, "none")


def truth(k):
    return {"a": 3}.get(k, False)


def popped(k):
    d = {"a": 3}
    x = d.pop(k, 0.5)
    return x, d


def least(k):
    return max([1, 2] if k == "a" else [0][1:], default=float("-inf"))


def longest(k):
    best = max((len(x) for x in [k] if x > "b"), default=float("-inf"))
    return best, best > 3, min([len(k)], default="x")


def summed(k):
    d = {"a": 1, "b": 2}
    total = 0
    for key in "abc":
        total = total + d.get(key, 0.5)
    return total


def sequences(k):
    d = {"a": [1]}
    return d.get(k, (1, 2)), d.get(k, ()), d.get(k, [])


def told_apart(k):
    d = {"a": "x"}
    v = d.get(k, 0)
    if isinstance(v, int):
        return "int"
    return v.upper()


def of_collections(k):
    return (
        Counter(k).get("a", 0.5),
        OrderedDict([(k, 1)]).get("a", "no"),
        defaultdict(int, {k: 1}).pop("a", "no"),
    )


def relaxed(k):
    dist = {"a": 0}
    for n in "abc":
        if dist.get(n, math.inf) > 1 + len(n):
            dist[n] = 2
    return dist


def steps(k):
    dist = {"a": 0}
    for n in ["a", k]:
        new = dist.get("a", math.inf) + 1
        if new < dist.get(n, math.inf):
            dist[n] = new
    return dist


def shown(k):
    cfg = {"a": 1}
    return f"{cfg.get(k, 'n/a')} {cfg.get(k)} {cfg.get(k, True)}"


def of_variables(k):
    d = {"a": 1.5}
    z = len(k)
    return d.get(k, z), d.pop(k, z)


def tuples(k):
    d = {"a": (1, 2)}
    return d.get(k, (0.5, 1)), d.get(k, (1,)), d.get(k)


def by_key(k):
    xs = [len(k)] if k == "a" else [0][1:]
    return (
        max(xs, key=lambda x: -x, default="none"),
        min(xs, key=abs, default=0.5),
        max(xs, default=None),
        max(xs, default=[]),
    )


def lists(k):
    xs = [[1, 2]] if k == "a" else [[1]][1:]
    return max(xs, default=[]), max(xs, default=None), max(xs, default=0)


def of_all_kinds(k):
    d = {1: "x"}
    return d.get(len(k), k), d.get(5, 5), d.get(5, 1.5), d.get(5, ("a", 1)), d.get(5, {"a": 1})


class Task:
    def __init__(self, name, duration, deps):
        self.name = name
        self.duration = duration
        self.deps = deps
        self.start = None
        self.end = None


class Sched:
    def __init__(self):
        self.tasks = {}

    def add(self, name, duration, deps=()):
        self.tasks[name] = Task(name, duration, list(deps))

    def run(self):
        done = set()
        order = []
        while len(done) < len(self.tasks):
            for t in self.tasks.values():
                if t.name in done:
                    continue
                if all(d in done for d in t.deps):
                    t.start = max((self.tasks[d].end for d in t.deps), default=0)
                    t.end = t.start + t.duration
                    done.add(t.name)
                    order.append(t.name)
        return order

    def total(self):
        return max(t.end for t in self.tasks.values())


def scheduled(k):
    s = Sched()
    s.add("a", 3)
    s.add("b", 2, ["a"])
    s.add("c", k, ["a", "b"])
    return s.run(), s.total(), [(t.start, t.end) for t in s.tasks.values()]


@dataclass
class Step:
    name: str
    dur: int
    deps: list[str] = field(default_factory=list)
    end: int | None = None


def of_dataclasses(k):
    ts = {"a": Step("a", 3), "b": Step("b", k, ["a"])}
    for t in ts.values():
        t.end = max((ts[d].end for d in t.deps), default=0) + t.dur
    return ts["b"].end, max(ts[d].end for d in ts), max([t.end for t in ts.values()], default=-1)


def run_alone(k):
    s = Sched()
    s.add("a", 3)
    s.add("b", 2, ["a"])
    return s.run()


def recursive(k):
    ts = {}

    def end_of(n):
        t = ts[n]
        if t.end is None:
            t.end = max((end_of(d) for d in t.deps), default=0) + t.duration
        return t.end

    ts["x"] = Task("x", k, [])
    ts["y"] = Task("y", k, ["x"])
    return end_of("y")


def of_none(k):
    t = Task("x", k, [])
    u = Task("y", k, [])
    return max([t.end, u.end])


class Job:
    def __init__(self, start):
        self.end = None
        self.start = start

    def run(self):
        self.end = self.start + 2


def latest(k):
    ts = [Job(i) for i in range(k)]
    for t in ts:
        t.run()
    return max((t.end for t in ts), default=0)


def latest_of_some(k):
    ts = [Job(i) for i in range(k)]
    for t in ts[1:]:
        t.run()
    return max((t.end for t in ts), default=0)


def latest_or_error(k):
    ts = [Job(i) for i in range(k)]
    for t in ts:
        t.run()
    return max(t.end for t in ts), min([t.end for t in ts])


def latest_or_none(k):
    ts = [Job(i) for i in range(k)]
    for t in ts[1:]:
        t.run()
    return max((t.end for t in ts), default=None)


def of_names(k):
    ts = {str(i): Job(i) for i in range(k)}
    for t in ts.values():
        t.run()
    deps = ["0", "1"][:k]
    return max((ts[d].end for d in deps), default=0), sum(ts[d].end for d in deps)


def of_known(k):
    ts = {str(i): Job(i) for i in range(k)}
    deps = ["0", "1"][:k]
    for name in ts:
        t = ts[name]
        t.start = max((ts[d].end for d in deps if ts[d].end is not None), default=0)
        t.run()
    return [t.end for t in ts.values()]


def by_end(k):
    ts = [Job(i) for i in range(k)]
    for t in ts[1:]:
        t.run()
    return max(ts, key=lambda t: t.end).start


def in_order(k):
    ts = [Job(i) for i in range(k)]
    for t in ts[1:]:
        t.run()
    return [t.start for t in sorted(ts, key=lambda t: t.end)]


class Declared:
    def __init__(self, start):
        self.end: int | None = None
        self.start = start

    def run(self):
        self.end = self.start + 2


def declared(k):
    ts = [Declared(i) for i in range(k)]
    for t in ts:
        t.run()
    return max((t.end for t in ts), default=0)


def never_set(k):
    ts = [Job(i) for i in range(k)]
    return max((t.end for t in ts), default=0.5)


def sorted_ends(k):
    ts = [Job(i) for i in range(k)]
    for t in ts[1:]:
        t.run()
    return sorted(t.end for t in ts), sorted([t.end for t in ts], reverse=True)


def chained(n):
    tasks = {}
    order = []
    for i in range(n):
        tasks[f"t{i}"] = Job(i)
        order.append(f"t{i}")
    deps = {name: order[:i] for i, name in enumerate(order)}
    for name in order:
        t = tasks[name]
        t.start = max((tasks[d].end for d in deps[name]), default=0)
        t.end = t.start + 1
    return [(t.start, t.end) for t in tasks.values()]


def starts(needs):
    """What is found says what a dict holds that the default alone fills at first."""
    spans, depths = {}, {}
    for name, before in needs.items():
        start = max((spans[one][1] for one in before), default=0.0)
        spans[name] = (start, start + len(name))
        depths[name] = max((depths[one] for one in before if one in depths), default=-1) + 1
    nothing = []
    return spans, depths, max([0][1:], default=2), min(nothing, default=0.5)


CASES: list[Case] = [
    (starts, [({"aa": (), "b": ("aa",), "c": ("aa", "b")},), ({"c": ()},)]),
    (infinity, [("a",), ("b",), ("c",)]),
    (text, [("a",), ("b",), ("c",)]),
    (truth, [("a",), ("b",), ("c",)]),
    (popped, [("a",), ("b",), ("c",)]),
    (least, [("a",), ("b",), ("c",)]),
    (longest, [("a",), ("b",), ("c",)]),
    (summed, [("a",), ("b",), ("c",)]),
    (sequences, [("a",), ("b",), ("c",)]),
    (told_apart, [("a",), ("b",), ("c",)]),
    (of_collections, [("a",), ("b",), ("c",)]),
    (relaxed, [("a",), ("b",), ("c",)]),
    (steps, [("a",), ("b",), ("c",)]),
    (shown, [("a",), ("b",), ("c",)]),
    (of_variables, [("a",), ("b",), ("c",)]),
    (tuples, [("a",), ("b",), ("c",)]),
    (by_key, [("a",), ("b",), ("c",)]),
    (lists, [("a",), ("b",), ("c",)]),
    (of_all_kinds, [("a",), ("b",), ("c",)]),
    (scheduled, [(1,), (2,)]),
    (of_dataclasses, [(1,), (2,)]),
    (run_alone, [(1,), (2,)]),
    (recursive, [(1,), (2,)]),
    (of_none, [(1,), (2,)]),
    (latest, [(0,), (1,), (3,)]),
    (latest_of_some, [(0,), (1,), (3,)]),
    (latest_or_error, [(0,), (1,), (3,)]),
    (latest_or_none, [(0,), (1,), (3,)]),
    (of_names, [(0,), (1,), (3,)]),
    (of_known, [(0,), (1,), (3,)]),
    (by_end, [(0,), (1,), (3,)]),
    (in_order, [(0,), (1,), (3,)]),
    (declared, [(0,), (1,), (3,)]),
    (never_set, [(0,), (1,), (3,)]),
    (sorted_ends, [(0,), (1,), (3,)]),
    (chained, [(0,), (1,), (3,)]),
]
