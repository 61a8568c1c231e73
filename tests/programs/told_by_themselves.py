"""Lists and dicts that are filled with what depends on what they hold already."""

# Without annotations the types follow from what is put in, which is what these programs are about.
# pyright: basic, reportOptionalMemberAccess=false, reportAttributeAccessIssue=false
# pyright: reportGeneralTypeIssues=false, reportArgumentType=false, reportOperatorIssue=false

from collections import Counter, defaultdict

import numpy as np

from tests.programs import Case


def primes(n):
    found = []
    for k in range(2, n):
        for p in found:
            if k % p == 0:
                break
        else:
            found.append(k)
    return found


def sums(n):
    whole, longest, later, floats, texts = [], [], [], [], []
    for i in range(n):
        whole.append(1 + sum(whole))
        longest.append(1 + max((longest[x] for x in range(i)), default=0))
        t, f, s = 1, 1.5, "a"
        for x in range(i):
            t += later[x]
        later.append(t)
        for x in floats:
            f += x
        floats.append(f)
        for x in texts:
            s += x
        texts.append(s)
    return whole, longest, later, floats, texts


def dicts(n):
    starts, numbers = {}, {}
    for i in range(n):
        start = 0
        for x in range(i):
            start = max(start, starts[x])
        starts[i] = start + 1
        for k in numbers:
            if numbers[k] == i:
                break
        else:
            numbers[str(i)] = i
    return starts, numbers


def distances(n):
    found, waiting, order = {0: 0}, [0], []
    while waiting:
        at = waiting.pop(0)
        order.append(at)
        for to in (at * 2 + 1, at * 2 + 2):
            if to < n and to not in found:
                found[to] = found[at] + 1
                waiting.append(to)
    return found, order


class Worker:
    def __init__(self, name, boss):
        self.name = name
        self.boss = boss
        self.others = []


def workers(pairs):
    by_name = {}
    for name, boss in pairs:
        above = by_name.get(boss)
        by_name[name] = Worker(name, above)
        if above is not None:
            above.others.append(by_name[name])
    return [(w.name, w.boss.name if w.boss else "", len(w.others)) for w in by_name.values()]


def paragraphs(words):
    """Variables that a nested function begins anew, and that only the one around fills."""
    done, words_now = [], []

    def flush():
        nonlocal words_now
        if words_now:
            done.append("<p>" + " ".join(words_now) + "</p>")
            words_now = []

    for word in words:
        if word:
            words_now.append(word)
        else:
            flush()
    flush()
    return done, words_now


def emptied(n):
    held = []

    def put(x):
        nonlocal held
        if len(held) > 2:
            held = []
        held.append(x)

    for i in range(n):
        put(i)
    return held


def cost_and_path(n):
    if n == 0:
        return 0, []
    cost, path = cost_and_path(n - 1)
    return cost + n, [*path, n]


def cost_and_words(n):
    if n == 0:
        return 0, []
    cost, words = cost_and_words(n - 1)
    return cost + 1, [*words, str(n)]


def table_and_count(n):
    if n == 0:
        return {}, 0
    table, count = table_and_count(n - 1)
    table[n] = count
    return table, count + 1


def together(n):
    return cost_and_path(n), cost_and_words(n), table_and_count(n)


class Tally:
    def __init__(self):
        self.counts = Counter()
        self.words = Counter()
        self.pairs = defaultdict(Counter)

    def add(self, key, word):
        self.counts[key] += 2
        self.words.update([word])
        self.pairs[key][word] += 1


def tallies(words):
    found = Tally()
    for k, word in enumerate(words):
        found.add(k % 2, word)
    return found.counts, found.words.most_common(1), {k: dict(v) for k, v in found.pairs.items()}


def joined_keys(n):
    """Tuples of a key and of what a list holds: one union, however it is found out."""
    by_key = {"x": [1, 2], "y": [n]}
    found = [(k, *v) for k, v in by_key.items()]
    rows = []
    for k, v in by_key.items():
        rows.append((k, *v, 2.5))
    return found, rows, [(n, *by_key)], {(w, *sorted((str(n), "b"))) for w in by_key}


class Low(ValueError):
    pass


class Account:
    def __init__(self, owner):
        self.owner = owner

    def withdraw(self, x):
        if x > 1:
            raise Low(self.owner)
        return x


class Bank:
    def __init__(self):
        self.accounts = {}
        self.order = []

    def open(self, owner):
        self.accounts[owner] = Account(owner)
        self.order.append(self.accounts[owner])

    def go(self, x):
        try:
            return self.order[0].withdraw(x)
        except Low as error:
            return str(error)


def banks(x):
    bank = Bank()
    bank.open("ann")
    return bank.go(x)


class Layer:
    def parts(self):
        return []


class Dense(Layer):
    def __init__(self):
        self.bias = np.zeros(2)
        self.slope = None

    def forward(self, x):
        return x + self.bias

    def backward(self, g):
        self.slope = g.sum(axis=0)

    def parts(self):
        return [(self.bias, self.slope)]


class Relu(Layer):
    def forward(self, x):
        self.mask = x > 0
        return x

    def backward(self, g):
        return g * self.mask


class Network:
    def __init__(self):
        self.layers = []
        self.layers.append(Dense())
        self.layers.append(Relu())

    def run(self, x):
        for layer in self.layers:
            x = layer.forward(x)
        for layer in self.layers:
            layer.backward(x)
        for layer in self.layers:
            for part, slope in layer.parts():
                part -= 0.5 * slope
        return x, self.layers[0].forward(x)


def networks(n):
    return Network().run(np.ones((n, 2)))


class Statistics:
    """Numbers of NumPy that come into fields of Python's stay such."""

    def __init__(self):
        self.last = 1.5
        self.total = 0.0
        self.least = float("inf")
        self.count = 3

    def add(self, x, k):
        self.last = x
        self.total += x
        self.least = min(self.least, x)
        self.count = k


def statistics(xs, ks):
    found = Statistics()
    for x, k in zip(xs, ks, strict=True):
        found.add(x, k)
    return found.last, found.total / 0, 1.0 / found.least, found.count + found.count


CASES: list[Case] = [
    (primes, [(20,)]),
    (sums, [(5,), (0,)]),
    (dicts, [(4,)]),
    (distances, [(6,)]),
    (workers, [([("a", ""), ("b", "a"), ("c", "a")],)]),
    (paragraphs, [(["a", "b", "", "c", ""],)]),
    (emptied, [(5,)]),
    (together, [(4,), (0,)]),
    (tallies, [(["a", "b", "a"],)]),
    (joined_keys, [(3,)]),
    (banks, [(1,), (2,)]),
    (networks, [(3,)]),
    (statistics, [(np.array([2.0, 0.0]), np.array([1, 2**62]))]),
]
