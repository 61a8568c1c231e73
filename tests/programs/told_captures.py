"""Lists and dicts that kept functions fill: what these are called with says what they hold."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from collections import defaultdict

from tests.programs import Case


class Subject:
    def __init__(self):
        self.observers = []

    def on(self, observer):
        self.observers.append(observer)

    def emit(self, event):
        for observer in self.observers:
            observer(event)


class Bus:
    def __init__(self):
        self.handlers = {}

    def on(self, name, handler):
        self.handlers.setdefault(name, []).append(handler)

    def emit(self, name, *args):
        return [handler(*args) for handler in self.handlers.get(name, [])]


class Counting:
    def __init__(self):
        self.handlers = defaultdict(list)

    def on(self, name, handler):
        self.handlers[name].append(handler)

    def emit(self, name, value):
        for handler in self.handlers[name]:
            handler(value)


class Cart:
    def __init__(self):
        self.items = []
        self.listeners = []

    def add(self, name, price):
        self.items.append((name, price))
        for listener in self.listeners:
            listener(self, name)


def observed(event):
    log = []
    subject = Subject()
    subject.on(lambda e: log.append(e))
    subject.on(lambda e: log.append(e * 2))
    subject.emit(event)
    subject.emit(event * 3)
    return log


def counted(words):
    counts = {}

    def count(word):
        counts[word] = counts.get(word, 0) + 1

    subject = Subject()
    subject.on(count)
    for word in words:
        subject.emit(word)
    return counts


def on_a_bus(n):
    bus = Bus()
    seen = []
    bus.on("a", lambda x: seen.append(x))
    bus.on("a", lambda x: seen.append(x + 1))
    bus.on("b", lambda x: seen.append(-x))
    return bus.emit("a", n), bus.emit("b", n), bus.emit("c", n), seen


def totals(n):
    bus = Counting()
    sums = {}

    def add(x):
        sums["n"] = sums.get("n", 0) + x

    bus.on("a", add)
    bus.on("b", print)
    bus.emit("a", n)
    bus.emit("a", n)
    bus.emit("b", n)
    bus.emit("c", n)
    return sums


def listening(n):
    cart, messages = Cart(), []
    cart.listeners.append(lambda c, name: messages.append(f"{name}: {len(c.items)}"))
    for i in range(n):
        cart.add(f"item {i}", i * 1.5)
    return messages


def in_a_list(x):
    log, seen = [], set()
    steps = [lambda e: log.append(e), lambda e: seen.add(e), lambda e: log.append(e * 2)]
    for step in steps:
        step(x)
    return log, seen


def by_a_method(n):
    """`got.append` is the same function in each check of the program."""
    subject, got, known = Subject(), [], [n]
    subject.on(got.append)
    subject.on(known.append)
    subject.emit(n)
    subject.emit(n * 2)
    return got, known


def never_called(n):
    """Nothing says what the list holds, and nothing asks."""
    log = []
    subject = Subject()
    subject.on(lambda e: log.append(e))
    return len(log) + n


CASES: list[Case] = [
    (observed, [(1,), ("ab",), (0.5,)]),
    (counted, [(["a", "b", "a"],)]),
    (on_a_bus, [(2,), (0.5,)]),
    (totals, [(2,), (1.5,)]),
    (listening, [(3,), (0,)]),
    (in_a_list, [(1,), ("ab",), (2.5,)]),
    (by_a_method, [(2,), ("a",)]),
    (never_called, [(3,)]),
]
