"""Functions that objects keep by names: listeners of events, and commands that decorators enter."""

# Functions without annotations.
# pyright: basic

import collections

from tests.programs import Case


class Bus:
    def __init__(self):
        self.listeners = collections.defaultdict(list)

    def on(self, name, function=None):
        if function is None:

            def enter(given):
                self.listeners[name].append(given)
                return given

            return enter
        self.listeners[name].append(function)
        return function

    def emit(self, name, *values):
        for function in self.listeners[name]:
            function(*values)


def of_several_events(x: int):
    seen = []
    bus = Bus()
    bus.on("double", lambda v: seen.append(v * 2))
    bus.on("double", lambda v: seen.append(-v))
    bus.on("same", seen.append)
    for name in ("double", "same", "other"):
        bus.emit(name, x)
    return seen


def by_decorators(x: int):
    seen = []
    bus = Bus()

    @bus.on("more")
    def more(v):
        seen.append(v + 1)

    @bus.on("more")
    def less(v):
        seen.append(v - 1)

    bus.emit("more", x)
    more(10 * x)
    less(10 * x)
    return seen


def upper(text: str):
    return text.upper()


def lower(text: str):
    return text.lower()


class Hooks:
    def __init__(self):
        self.hooks = {}

    def add(self, name, function):
        self.hooks.setdefault(name, []).append(function)

    def remove(self, name, function):
        if function in self.hooks.get(name, []):
            self.hooks[name].remove(function)

    def call(self, name, *values):
        return [function(*values) for function in self.hooks.get(name, ())]


def of_a_plain_dict(text: str):
    hooks = Hooks()
    hooks.add("case", upper)
    hooks.add("case", lower)
    hooks.add("twice", lambda x: x * 2)
    before = hooks.call("case", text), hooks.call("twice", text), hooks.call("none", text)
    hooks.remove("case", upper)
    return before, hooks.call("case", text)


CASES: list[Case] = [
    (of_several_events, [(5,), (0,)]),
    (by_decorators, [(5,)]),
    (of_a_plain_dict, [("Ab",), ("",)]),
]
