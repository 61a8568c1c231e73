"""sum(...) with a start: what is computed first, and lists and objects that are added up."""

# Without annotations the types come from the call, which is what these programs are about.
# ruff: noqa: RUF017 -- how people write it
# pyright: basic, reportArgumentType=false, reportOptionalSubscript=false, reportOptionalMemberAccess=false
# pyright: reportAttributeAccessIssue=false, reportOperatorIssue=false, reportCallIssue=false
# pyright: reportOptionalOperand=false, reportReturnType=false

import numpy as np

from tests.programs import Case


class V:
    def __init__(self, x=0):
        self.x = x

    def __add__(self, o):
        return V(self.x + o.x)

    def __radd__(self, o):
        return self if o == 0 else NotImplemented

    def __eq__(self, o):
        return self.x == o.x


class P:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, o):
        return P(self.x + o.x, self.y + o.y)

    def __iter__(self):
        yield self.x
        yield self.y


def of_objects(n):
    vs = [V(1), V(2), V(n)]
    return sum((v for v in vs), V()).x


def of_lists(n):
    return sum(([i, i] for i in range(n)), [])


def of_floats(n):
    return sum((float(i) for i in range(n)), abs(-3.0))


def of_points(n):
    points = [P(1, 2), P(3, n)]
    s = sum(points, P(0, 0))
    return s.x, s.y


def of_points_in_turn(n):
    points = [P(1, 2), P(3, n)]
    s = sum((p for p in points), P(0, 0))
    return list(s)


def order(n):
    log = []

    def it():
        log.append("it")
        return [1, 2]

    def start():
        log.append("start")
        return 10

    def item(x):
        log.append("item")
        return x

    t = sum((item(x) for x in it()), start())
    return t, log


def of_displays(n):
    return sum([[1], [2]], []), sum([[1, 2], [3]], [0])


def of_rows(n):
    m = [[1, 2], [3]]
    return sum(m, []), sum((r for r in m), []), sum((r[::-1] for r in m if len(r) > 1), [])


def by_keyword(n):
    return (
        sum((x for x in [1.5, 2]), start=n),
        sum([1, 2], start=n),
        sum((x for x in [1, 2]), start=len("abc")),
    )


def of_arrays(n):
    return sum((np.array([1, i]) for i in range(n)), np.zeros(2))


def of_nothing(n):
    return sum((i for i in range(0)), V().x + 1)


def of_generators(n):
    def gen():
        yield [1]
        yield [n]

    return sum(gen(), [])


def of_dicts(n):
    d = {"a": [1], "b": [2, 3]}
    return (
        sum(d.values(), []),
        sum((v for k, v in d.items()), []),
        sum((len(v) for v in d.values()), 1 + n),
    )


def what_raises_first(n):
    try:
        return sum((1 // x for x in [0]), int("z"))
    except ValueError:
        return "v"
    except ZeroDivisionError:
        return "z"


def what_raises_before(n):
    try:
        return sum((x for x in [[1], [2]][n]), int("z"))
    except ValueError:
        return "v"
    except IndexError:
        return "i"
    except TypeError:
        return "t"


def changed_by_the_start(n):
    xs = [1, 2]

    def add():
        xs.append(10)
        return 0

    return sum((x for x in xs), add()), xs


def in_one_another(n):
    return sum((x for x in (y + 1 for y in range(n))), -1), sum(
        (a * b for a in range(3) for b in range(a)), n * 2
    )


def in_comprehensions(n):
    r = [sum((x for x in row), sum(row)) for row in [[1, 2], [3]]]
    return r


def of_truths(n):
    return (
        sum((x for x in [1, 2]), 0.5),
        sum((True for x in [1, 2]), False),
        sum((x > 1 for x in [1, 2]), -1),
    )


def of_tuples(n):
    return sum(((i, i) for i in range(n)), ())


def beside_loops(n):
    points = [P(1, 2), P(3, n)]
    total = P(0, 0)
    for p in points:
        total = total + p
    return (
        total.x,
        sum((p.x for p in points), total.y),
        max(sum([1], 0), sum((1 for _ in points), len(points))),
    )


class Gen:
    def __init__(self, xs, log):
        self.xs = xs
        self.log = log

    def __iter__(self):
        self.log.append("iter")
        yield from self.xs


def noted(log, x):
    log.append("start")
    return x


def of_iterables(n):
    log = []
    return sum((x for x in Gen([1, 2], log)), noted(log, n)), log


def of_maps(n):
    log = []
    return sum((x for x in map(abs, Gen([1, 2], log))), noted(log, n)), log


def of_iterables_alone(n):
    log = []
    return sum(Gen([1, 2], log), noted(log, n)), log


def of_maps_alone(n):
    log = []
    return sum(map(abs, Gen([1, 2], log)), noted(log, n)), log


def filtered(n):
    xs = [V(1), V(n)]
    return sum((v for v in xs if v.x > 1), start=V(4)).x, sum((V(i) for i in range(n)), V(1)).x


def of_parts(n):
    parts = {"a": [1], "b": [n]}
    out = []
    for k in range(2):
        out.append(sum((parts[c] for c in "ab"), []))
        out.append(sum([parts[c] for c in "ab"], [k]))
    return out, sum(parts.values(), []), sum(list(parts.values()), [])


def greatest_points(n):
    return max([P(1, 2), P(3, 4)], key=lambda p: p.x).x, n


class C2:
    def __init__(self, items):
        self.items = items

    def total(self):
        return sum((i.v for i in self.items), Money(0))


class Money:
    def __init__(self, c):
        self.c = c

    def __add__(self, o):
        return Money(self.c + o.c)

    def __repr__(self):
        return f"{self.c}c"


class Item:
    def __init__(self, c):
        self.v = Money(c)


def of_fields(n):
    return str(C2([Item(1), Item(n)]).total()), str(C2([]).total())


def of_calls(n):
    return sum((len(w) for w in ["ab", "c"]), max(1, n)), sum((r for r in [[1.5], [2.5]]), [0.5])


def kept_start(n):
    rows = [[1], [2, n]]
    flat = sum(rows, [])
    flat.append(9)
    start = []
    same = sum(rows[:0], start) if n > 7 else sum(rows, start)
    same.append(1)
    return flat, rows, start, same


def of_lists_of_tuples(rows):
    pairs = ((i, i * 2) for i in range(3))
    return sum(rows, ()), sum([(1,), (2, 3)], (0,)), sum(pairs, ())


CASES: list[Case] = [
    (of_lists_of_tuples, [([(1,), (2,)],)]),
    (of_objects, [(3,)]),
    (of_lists, [(3,), (0,)]),
    (of_floats, [(3,)]),
    (of_points, [(3,)]),
    (of_points_in_turn, [(3,)]),
    (order, [(3,)]),
    (of_displays, [(3,)]),
    (of_rows, [(3,)]),
    (by_keyword, [(3,)]),
    (of_arrays, [(3,), (0,)]),
    (of_nothing, [(3,)]),
    (of_generators, [(3,)]),
    (of_dicts, [(3,)]),
    (what_raises_first, [(3,)]),
    (what_raises_before, [(3,)]),
    (changed_by_the_start, [(3,)]),
    (in_one_another, [(3,)]),
    (in_comprehensions, [(3,)]),
    (of_truths, [(3,)]),
    (of_tuples, [(3,)]),
    (beside_loops, [(3,)]),
    (of_iterables, [(3,)]),
    (of_maps, [(3,)]),
    (of_iterables_alone, [(3,)]),
    (of_maps_alone, [(3,)]),
    (filtered, [(3,)]),
    (of_parts, [(3,)]),
    (greatest_points, [(3,)]),
    (of_fields, [(3,)]),
    (of_calls, [(3,)]),
    (kept_start, [(3,), (8,)]),
]
