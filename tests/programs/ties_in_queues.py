"""Tuples in queues and sorted lists, which end in objects, functions or None."""

# Without annotations the types follow from what is put in, which is what these programs are about.
# pyright: basic, reportArgumentType=false, reportCallIssue=false, reportOptionalSubscript=false
# pyright: reportOptionalOperand=false, reportAttributeAccessIssue=false, reportGeneralTypeIssues=false
# pyright: reportOptionalMemberAccess=false, reportOptionalIterable=false, reportOperatorIssue=false

import bisect
import heapq

from tests.programs import Case


class Job:
    def __init__(self, x=0):
        self.x = x


def none_first(k):
    h = []
    heapq.heappush(h, (1.0, 0, None))
    heapq.heappush(h, (0.5, 1, Job()))
    p = heapq.heappop(h)
    return p[0], p[1], p[2] is None


def popped(k):
    h = [(1.0, 0, None)]
    heapq.heappush(h, (0.5, 1, Job(3)))
    out = []
    while h:
        pr, n, o = heapq.heappop(h)
        out.append((pr, n, o.x if o is not None else -1))
    return out


def tied_with_none(k):
    h = []
    heapq.heappush(h, (1.0, 0, None))
    heapq.heappush(h, (1.0, 0, Job()))
    return len(h)


def tied(k):
    h = []
    heapq.heappush(h, (1.0, 0, Job()))
    heapq.heappush(h, (1.0, 0, Job()))
    return len(h)


def of_lambdas(k):
    h = []
    for n, f in enumerate((lambda: 1, lambda: 2)):
        heapq.heappush(h, (1.0 - n, n, f))
    out = []
    while h:
        out.append(heapq.heappop(h)[2]())
    return out


def inc(x):
    return x + 1


def dec(x):
    return x - 1


class Sim:
    def __init__(self):
        self.q = []
        self.n = 0
        self.log = []

    def at(self, t, fn, arg=None):
        self.n += 1
        heapq.heappush(self.q, (t, self.n, fn, arg))

    def run(self):
        while self.q:
            t, _, fn, arg = heapq.heappop(self.q)
            fn(self, t, arg)


def say(sim, t, arg):
    sim.log.append(f"{t} {arg}")


def again(sim, t, arg):
    if t < 3:
        sim.at(t + 1, say, arg)


def events(k):
    s = Sim()
    s.at(2.0, say, "x")
    s.at(1.0, again, "y")
    s.at(0.5, say)
    s.run()
    return s.log


def sorted_pairs(k):
    xs = sorted([(2, 0, None), (1, 1, Job())])
    return (
        [x[0] for x in xs],
        max([(2, 0, None), (1, 1, Job())])[0],
        (1, Job()) < (2, None),
        (1, None) < (1, None),
    )


def compared(k):
    return (1, Job()) > (1, None)


def sorted_ties(k):
    xs = [(1, None), (1, Job())]
    try:
        xs.sort()
    except TypeError as err:
        return str(err)
    return "no"


def sorted_nones(k):
    xs = [(1, None), (1, None)]
    try:
        xs.sort()
        return len(xs)
    except TypeError as err:
        return str(err)


def one_object(k):
    c = Job()
    xs = [(1, c), (1, c)]
    xs.sort()
    return len(xs)


def of_functions(k):
    h = []
    for i, fn in enumerate([inc, dec]):
        heapq.heappush(h, (-i, fn))
    return [heapq.heappop(h)[1](k) for _ in range(2)]


def of_several_types(k):
    h = []
    heapq.heappush(h, (1, 0, "a"))
    heapq.heappush(h, (0, 1, None))
    heapq.heappush(h, (0, 2, 5))
    return [heapq.heappop(h) for _ in range(3)]


def inserted(k):
    xs = [(1, 0, None)]
    bisect.insort(xs, (0, 1, Job()))
    return [x[0] for x in xs]


CASES: list[Case] = [
    (none_first, [(1,)]),
    (popped, [(1,)]),
    (tied_with_none, [(1,)]),
    (tied, [(1,)]),
    (of_lambdas, [(1,)]),
    (events, [(1,)]),
    (sorted_pairs, [(1,)]),
    (compared, [(1,)]),
    (sorted_ties, [(1,)]),
    (sorted_nones, [(1,)]),
    (one_object, [(1,)]),
    (of_functions, [(1,)]),
    (of_several_types, [(1,)]),
    (inserted, [(1,)]),
]
