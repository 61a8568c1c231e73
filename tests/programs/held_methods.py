"""Methods of lists, dicts and texts as functions, in loops, of fields, and as keys."""

# Without annotations the types come from the call, which is what these programs are about.
# ruff: noqa: B007, B905 -- how people write it
# pyright: basic, reportArgumentType=false, reportOptionalSubscript=false, reportOptionalMemberAccess=false
# pyright: reportAttributeAccessIssue=false, reportOperatorIssue=false, reportCallIssue=false
# pyright: reportOptionalOperand=false, reportOptionalCall=false, reportReturnType=false

import heapq
from collections import Counter, defaultdict, deque

from tests.programs import Case


def counted_in_a_loop(n):
    y = [1, 2, 2]
    m = 0
    for _ in range(3):
        v = {}
        for a in y:
            v[a] = v.get(a, 0) + 1
        m = max(v, key=v.get)
    return m


class C:
    def __init__(self):
        self.d = {}
        self.xs = []

    def add(self, k):
        self.d[k] = self.d.get(k, 0) + 1

    def best(self):
        return max(self.d, key=self.d.get)

    def fill(self, n):
        add = self.xs.append
        for i in range(n):
            add(i)
        return self.xs


def of_fields(n):
    c = C()
    for x in [1, 2, 2, n]:
        c.add(x)
    return c.best(), c.fill(n)


def fresh_lists(n):
    out = []
    for k in range(n):
        xs = []
        add = xs.append
        for i in range(k):
            add(i)
        out.append(xs)
    return out


def in_comprehensions(n):
    ds = [{1: 2, 3: 4}, {1: 5, 3: 0}]
    return [max(d, key=d.get) for d in ds]


def keys_of_a_dict(n):
    d = {"a": 1, "b": 3}
    return (
        max(d, key=d.get),
        sorted(d, key=d.get),
        min(d, key=d.get),
        sorted(d, key=d.get, reverse=True),
    )


def items_of_a_dict(n):
    d = {"a": 1, "b": 3}
    return max(d, key=d.__getitem__), sorted(d, key=d.__getitem__)


def places(n):
    xs = [3, 1, 2]
    order = [0, 2, 1]
    return sorted(xs, key=order.index) if n == 7 else max(order, key=xs.__getitem__)


def counters(n):
    res = []
    for words in [["b", "a", "b"], ["c"]]:
        c = Counter(words)
        res.append(max(c, key=c.get))
    return res


def default_dicts(n):
    for _ in range(2):
        d = defaultdict(int)
        for c in "abca":
            d[c] += 1
        r = sorted(d, key=d.get, reverse=True)
    return r


def in_branches(n):
    if n:
        d = {}
        d[1] = 2
        r = max(d, key=d.get)
    else:
        d = {2: 1}
        r = max(d, key=d.get)
    return r


def of_deques(n):
    q = deque()
    for _ in range(2):
        push = q.append
        push(n)
    pop = q.popleft
    return pop(), pop()


def of_sets(n):
    s = set()
    add = s.add
    out = []
    for x in [1, 2, 1]:
        if x not in s:
            add(x)
            out.append(x)
    return out


class V:
    def __init__(self, names):
        self.names = names
        self.rank = {k: i for i, k in enumerate(names)}

    def order(self, ks):
        return sorted(ks, key=self.rank.get)

    def order2(self, ks):
        return sorted(ks, key=self.names.index)

    def low(self):
        return min(self.rank, key=self.rank.__getitem__)

    def m(self, ks):
        return (
            [self.rank.get(k) for k in ks],
            list(map(self.rank.get, ks)),
            list(map(self.names.index, ks)),
        )


def ranks(n):
    v = V(["b", "a"])
    return v.order(["a", "b"]), v.order2(["a", "b"]), v.low(), v.m(["a", "b"])


def of_values(n):
    groups = {1: [1, 2], 2: []}
    for k, xs in groups.items():
        put = xs.append
        put(k)
    return groups


def of_items(n):
    table = [[] for _ in range(3)]
    for i in range(5):
        add = table[i % 3].append
        add(i)
    return table


def of_texts(n):
    text = "banana"
    return (
        max(text, key=text.count),
        max(set(text), key=text.count),
        sorted(set(text), key=text.count),
    )


def most_common(n):
    xs = [1, 2, 2]
    return max(set(xs), key=xs.count), [max(set(ys), key=ys.count) for ys in [[1, 1, 2], [3]]]


def of_columns(n):
    rows = ["aab", "bcc"]
    out = ""
    for row in zip(*rows):
        out += max(row, key=row.count)
    return out


def without_arguments(n):
    out = []
    for word in ["ab", "cd"]:
        up = word.upper
        out.append(up())
    return out


def nested(n):
    d = {}

    def best():
        return max(d, key=d.get)

    d[1] = 4
    d[2] = 6
    return best()


def deleted_meanwhile(n):
    v = {1: 2, 2: 3}
    while n:
        m = max(v, key=v.get)
        del v[m]
        v[n] = n
        n -= 1
    return m, v


def nearest(n):
    dist = {"a": 0, "b": 5}
    todo = {"a", "b"}
    out = []
    while todo:
        u = min(todo, key=dist.get)
        todo.remove(u)
        out.append(u)
    return out


def assigned_later(n):
    xs = []
    add = xs.append
    xs = [5]
    add(1)
    return xs


def assigned_in_a_loop(n):
    out = []
    for i in range(2):
        xs = []
        add = xs.append
        if i:
            xs = [9]
        add(i)
        out.append(xs)
    return out


def of_an_object(n):
    c = C()
    for k in [1, 2, 2]:
        c.add(k)
    return max(c.d, key=c.d.get), sorted(c.d, key=c.d.get)


def with_defaults(n):
    out = []
    for k in range(2):
        d = {}
        get = d.get
        d[k] = k + 5
        out.append((get(k, 0), get(9, -1)))
    return out


def inserted(n):
    out = []
    for k in range(2):
        xs = [1, 2]
        put = xs.insert
        put(0, k)
        put(1, 7)
        out.append(xs)
    return out


def taken_over(n):
    a, b = [], []
    add = a.append
    for i in range(4):
        add(i)
        if i == 1:
            add = b.append
    return a, b


def kept_from_the_first_round(n):
    out = []
    add = None
    for i in range(3):
        xs = [i]
        if i == 0:
            add = xs.append
        add(i)
        out.append(xs)
    return out


def swapped(n):
    xs = [1]
    add = xs.append
    xs, old = [9], xs
    add(4)
    add(5)
    return xs, old


class Logged:
    def __init__(self):
        self.d = {1: 5, 2: 3}
        self.log = []

    def other(self):
        self.d = {1: 0, 2: 9}
        return [1, 2]

    def go2(self):
        return max(self.d, key=self.d.get)

    def go3(self):
        add = self.log.append
        self.log = [7]
        add(1)
        return self.log

    def go4(self):
        out = []
        for _ in range(2):
            add = self.log.append
            self.log = []
            add(1)
            out.append(self.log)
        return out

    def go5(self, xs):
        xs.sort(key=self.d.get)
        return xs, sorted(self.d, key=self.d.get)


def fields_that_change(n):
    return Logged().go2(), Logged().go3(), Logged().go4()


def sorted_in_place(n):
    return Logged().go5([1, 2])


def of_ranges(n):
    t = Logged()
    xs = [2, 1]
    xs.sort(key=t.d.get)
    return xs, min(range(1, 3), key=t.d.get), sorted([2, 1], key=t.d.__getitem__), 1


def least_places(n):
    best = []
    for row in [[3, 1], [2, 9]]:
        best.append(min(range(len(row)), key=row.__getitem__))
        best.append(max(range(2), key=row.__getitem__))
    return best


def of_inner_dicts(n):
    g = {1: {2: 5, 3: 4}, 2: {1: 1}}
    return [min(g[k], key=g[k].get) for k in g], {k: max(v, key=v.get) for k, v in g.items()}


def largest(n):
    out = []
    for ws in [["a", "b", "a"], ["c"]]:
        c = {}
        for w in ws:
            c[w] = c.get(w, 0) + 1
        out.append(heapq.nlargest(1, c, key=c.get))
        out.append(sorted(c, key=c.get, reverse=True)[:1])
    return out


def while_loops(n):
    total = 0
    i = 0
    while i < 3:
        stack = [i]
        push = stack.append
        push(i + 1)
        while stack:
            x = stack.pop()
            total += x
            if x == 1 and total < 10:
                push(5)
        i += 1
    return total


def changed_list(n):
    xs = [1, 2, 3]
    for _ in range(1):
        f = xs.index
        xs = [3, 2, 1]
        r = f(3), f(1)
    return r


def changed_text(n):
    s = "abc"
    out = []
    for _ in range(2):
        find = s.find
        s = "c" + s
        out.append(find("c"))
    return out


def rows(n):
    rows = [[], []]
    for i in range(4):
        (rows[i % 2].append)(i)
        add = rows[0].append
        add(i)
    return rows


def gen(d):
    for k in range(2):
        best = max(d, key=d.get)
        yield best
        d = {7: 1, 8: 2}


def in_generators(n):
    return list(gen({1: 2}))


def in_generators_kept(n):
    g = gen({1: 2, 3: 4})
    return next(g), next(g)


def of_any_arguments(n):
    xs = list(range(n))
    pop, put, push, place = xs.pop, xs.insert, xs.append, xs.index
    for i in range(n):
        put(i, pop(0))
    push(9)
    named = {1: n}
    get, take = named.get, named.pop
    text = "a-b-c"
    split, find = text.split, text.find
    found = (
        pop(),
        place(1),
        place(1, 0),
        get(1),
        get(3),
        get(3, 5),
        take(7, -1),
        take(1),
        take(1, 0),
    )
    return xs, found, split("-"), split("-", 1), split(sep="-", maxsplit=1), find("b"), find("b", 3)


CASES: list[Case] = [
    (of_any_arguments, [(4,)]),
    (counted_in_a_loop, [(3,)]),
    (of_fields, [(3,)]),
    (fresh_lists, [(3,)]),
    (in_comprehensions, [(3,)]),
    (keys_of_a_dict, [(3,)]),
    (items_of_a_dict, [(3,)]),
    (places, [(3,), (7,)]),
    (counters, [(3,)]),
    (default_dicts, [(3,)]),
    (in_branches, [(3,)]),
    (of_deques, [(3,)]),
    (of_sets, [(3,)]),
    (ranks, [(3,)]),
    (of_values, [(3,)]),
    (of_items, [(3,)]),
    (of_texts, [(3,)]),
    (most_common, [(3,)]),
    (of_columns, [(3,)]),
    (without_arguments, [(3,)]),
    (nested, [(3,)]),
    (deleted_meanwhile, [(2,)]),
    (nearest, [(3,)]),
    (assigned_later, [(3,)]),
    (assigned_in_a_loop, [(3,)]),
    (of_an_object, [(3,)]),
    (with_defaults, [(3,)]),
    (inserted, [(3,)]),
    (taken_over, [(3,)]),
    (kept_from_the_first_round, [(3,)]),
    (swapped, [(3,)]),
    (fields_that_change, [(3,)]),
    (sorted_in_place, [(3,)]),
    (of_ranges, [(3,)]),
    (least_places, [(3,)]),
    (of_inner_dicts, [(3,)]),
    (largest, [(3,)]),
    (while_loops, [(3,)]),
    (changed_list, [(3,)]),
    (changed_text, [(3,)]),
    (rows, [(3,)]),
    (in_generators, [(3,)]),
    (in_generators_kept, [(3,)]),
]
