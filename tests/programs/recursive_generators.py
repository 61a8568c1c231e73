"""Generators that take what they give themselves: displays in it hold what is put in later."""

# Without annotations the types come from the call, which is what these programs are about.
# ruff: noqa: RUF005, UP028 -- sums of lists and loops that yield are what these programs are about
# pyright: basic, reportArgumentType=false, reportOptionalSubscript=false, reportOptionalMemberAccess=false
# pyright: reportAttributeAccessIssue=false, reportOperatorIssue=false, reportCallIssue=false
# pyright: reportOptionalOperand=false, reportReturnType=false

from tests.programs import Case


def some(n):
    if n == 0:
        yield []
        return
    for k in range(n, 0, -1):
        for q in some(n - k):
            yield [k] + q


def sums_to(n):
    return list(some(n))


def place(row, acc):
    if row == 3:
        yield acc
        return
    for c in range(3):
        if c not in acc:
            yield from place(row + 1, acc + [c])


def placed(n):
    return list(place(0, []))


class Node:
    def __init__(self):
        self.children = {}
        self.end = False

    def add(self, w):
        node = self
        for c in w:
            if c not in node.children:
                node.children[c] = Node()
            node = node.children[c]
        node.end = True

    def words(self, prefix=""):
        if self.end:
            yield prefix
        for c, child in self.children.items():
            yield from child.words(prefix + c)


def of_a_trie(n):
    t = Node()
    for w in ["ab", "abc", "b"]:
        t.add(w)
    return list(t.words())


def walk(node, prefix):
    if node.end:
        yield prefix
    for c, child in node.children.items():
        yield from walk(child, prefix + c)


def of_nodes(n):
    t = Node()
    for w in ["ab", "abc", "b"]:
        t.add(w)
    return list(walk(t, ""))


def subsets(xs):
    if not xs:
        yield []
        return
    for s in subsets(xs[1:]):
        yield s
        yield [xs[0]] + s


def subsets_of(n):
    return list(subsets([1, 2, 3]))


def lengths_of_subsets(n):
    return [len(s) for s in subsets([1, 2, 3])]


def perms(xs):
    if len(xs) <= 1:
        yield xs
    else:
        for i in range(len(xs)):
            for p in perms(xs[:i] + xs[i + 1 :]):
                yield [xs[i]] + p


def permuted(n):
    return list(perms([1, 2, 3]))


def comb(xs, k):
    if k == 0:
        yield []
    elif xs:
        for c in comb(xs[1:], k - 1):
            yield [xs[0]] + c
        yield from comb(xs[1:], k)


def combined(n):
    return list(comb("abc", 2))


def paths(g, a, b, path):
    path = path + [a]
    if a == b:
        yield path
        return
    for x in g.get(a, []):
        if x not in path:
            yield from paths(g, x, b, path)


def paths_of(n):
    return list(paths({1: [2, 3], 2: [3], 3: []}, 1, 3, []))


def dicts(n):
    if n == 0:
        yield {}
        return
    for d in dicts(n - 1):
        e = dict(d)
        e[n] = str(n)
        yield e
        yield d


def copied_dicts(n):
    return list(dicts(n))


class Tree:
    def __init__(self, v):
        self.v = v
        self.kids = []

    def walk(self):
        yield self.v
        for k in self.kids:
            yield from k.walk()


def of_a_tree(n):
    t = Tree(1)
    t.kids.append(Tree(2))
    t.kids[0].kids.append(Tree(n))
    return list(t.walk())


class E:
    pass


class F(E):
    pass


class Branch(E):
    def __init__(self):
        self.kids = []

    def walk(self):
        yield 1
        for k in self.kids:
            if isinstance(k, Branch):
                yield from k.walk()


def of_branches(a):
    d = Branch()
    d.kids.append(F())
    d.kids.append(Branch())
    return list(d.walk())


def acc_list(n, acc=None):
    if acc is None:
        acc = []
    if n == 0:
        yield list(acc)
        return
    for i in range(2):
        acc.append(i)
        yield from acc_list(n - 1, acc)
        acc.pop()


def appended(n):
    return list(acc_list(n))


def acc2(n, acc):
    if n == 0:
        yield acc[:]
        return
    for i in range(2):
        acc.append(i)
        yield from acc2(n - 1, acc)
        acc.pop()


def appended_to(n):
    return list(acc2(n, []))


def outer_ne(n):
    yield []
    yield []


def taken(n):
    g = outer_ne(n)
    a = next(g)
    a.append(n)
    return a, next(g)


def kept(n):
    g = some(n)
    return next(g), list(g)


def sets(n):
    if n == 0:
        yield set()
        return
    for s in sets(n - 1):
        yield s
        yield s | {n}


def of_sets(n):
    return list(sets(n))


def bin_(n):
    if n == 0:
        yield []
    else:
        for rest in bin_(n - 1):
            for b in (0, 1):
                yield rest + [b]


def bits(n):
    return list(bin_(n))


def only_empty(n):
    if n == 0:
        yield []
        return
    for x in only_empty(n - 1):
        yield x


def nothing_in(n):
    return [len(x) for x in only_empty(n)]


def nothing_at_all(n):
    return list(only_empty(n))


def nested(n):
    def go(k, acc):
        if k == n:
            yield acc
            return
        yield from go(k + 1, acc + [k])
        yield from go(k + 1, acc)

    return list(go(0, []))


def nested_in(n):
    return nested(n)


class Walked:
    def __init__(self, v):
        self.v = v
        self.kids = []

    def total(self):
        s = self.v
        for k in self.kids:
            s += k.total()
        return s

    def seen(self):
        return [x for k in self.kids for x in k.seen()] + [self.v]

    def gen(self):
        yield self.v
        for k in self.kids:
            yield k.v

    def walk(self):
        yield self.v
        for k in self.kids:
            yield from k.walk()

    def walk2(self):
        yield self.v
        for k in self.kids:
            for x in k.walk2():
                yield x

    def walk3(self, d):
        yield self.v, d
        for k in self.kids:
            yield from k.walk3(d + 1)


def once(n):
    t = Walked(1)
    t.kids.append(Walked(2))
    t.kids[0].kids.append(Walked(n))
    return list(t.gen())


def with_depths(n):
    t = Walked(1)
    t.kids.append(Walked(2))
    t.kids[0].kids.append(Walked(n))
    return list(t.walk3(0))


def one_by_one(n):
    t = Walked(1)
    t.kids.append(Walked(2))
    t.kids[0].kids.append(Walked(n))
    g = t.walk()
    return next(g), next(g), next(g), next(g, None)


class Obs:
    def __init__(self):
        self.seen = []
        self.handlers = {}

    def on(self, k, h):
        self.handlers.setdefault(k, []).append(h)

    def run(self):
        for k, hs in self.handlers.items():
            for h in hs:
                yield k, h
            yield from self.more(k)

    def more(self, k):
        for s in self.seen:
            yield k, s


def observed(n):
    o = Obs()
    o.on("a", 1)
    o.seen.append(4)
    return list(o.run())


class G:
    def __init__(self):
        self.adj = {}

    def edge(self, a, b):
        self.adj.setdefault(a, []).append(b)

    def dfs(self, a, seen):
        if a in seen:
            return
        seen.add(a)
        yield a
        for b in self.adj.get(a, []):
            yield from self.dfs(b, seen)


def searched(n):
    g = G()
    g.edge(1, 2)
    g.edge(2, 3)
    g.edge(1, 3)
    return list(g.dfs(1, set()))


CASES: list[Case] = [
    (sums_to, [(3,), (0,)]),
    (placed, [(3,)]),
    (of_a_trie, [(3,)]),
    (of_nodes, [(3,)]),
    (subsets_of, [(3,)]),
    (lengths_of_subsets, [(3,)]),
    (permuted, [(3,)]),
    (combined, [(3,)]),
    (paths_of, [(3,)]),
    (copied_dicts, [(2,)]),
    (of_a_tree, [(3,)]),
    (of_branches, [(3,)]),
    (appended, [(2,)]),
    (appended_to, [(2,)]),
    (taken, [(3,)]),
    (kept, [(3,)]),
    (of_sets, [(3,)]),
    (bits, [(2,)]),
    (nothing_in, [(3,)]),
    (nothing_at_all, [(3,)]),
    (nested_in, [(3,)]),
    (once, [(3,)]),
    (with_depths, [(3,)]),
    (one_by_one, [(3,)]),
    (observed, [(3,)]),
    (searched, [(3,)]),
]
