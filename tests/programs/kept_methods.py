"""Objects that keep methods of their own: tables of commands, states, callbacks and listeners."""

# Without annotations the types follow from what is put in, which is what these programs are about.
# pyright: basic, reportOptionalCall=false, reportAttributeAccessIssue=false
# pyright: reportOptionalMemberAccess=false, reportOptionalOperand=false

from tests.programs import Case


class Machine:
    def __init__(self):
        self.handlers = {"a": self.go, "b": self.back}
        self.state = 0

    def go(self):
        self.state += 1

    def back(self):
        self.state -= 1

    def fire(self, event):
        self.handlers[event]()


def fired(events):
    machine = Machine()
    for event in events:
        machine.fire(event)
    return machine.state


class Stack:
    def __init__(self):
        self.items = []
        self.table = {"push": self.push, "pop": self.pop, "add": self.add}
        self.log = []

    def push(self, x):
        self.items.append(x)

    def pop(self, x):
        self.items.pop()

    def add(self, x):
        self.items.append(self.items.pop() + self.items.pop())

    def unknown(self, x):
        self.log.append("unknown")

    def run(self, lines):
        for name, x in lines:
            self.table.get(name, self.unknown)(x)
            self.log.append(name)
        return self.items, self.log


def run(lines):
    return Stack().run(lines)


class Switch:
    def __init__(self):
        self.state = self.idle
        self.count = 0

    def idle(self, event):
        if event == "go":
            self.state = self.running
        self.count += 1

    def running(self, event):
        if event == "stop":
            self.state = self.idle
        self.count += 10


def switched(events):
    switch = Switch()
    for event in events:
        switch.state(event)
    return switch.count


class Button:
    def __init__(self, label, on=None):
        self.label = label
        self.on = on

    def press(self):
        if self.on is not None:
            return self.on(self.label)
        return None


class App:
    def __init__(self):
        self.seen = []
        self.buttons = [Button("ok", self.clicked), Button("no"), Button("x", self.closed)]

    def clicked(self, label):
        self.seen.append(label)
        return 1

    def closed(self, label):
        self.seen.append(label + "!")
        return 2


def pressed():
    app = App()
    return [button.press() for button in app.buttons], app.seen


class Register:
    def __init__(self):
        self.listeners = {}
        self.n = 0
        self.on("a", self.one)
        self.on("a", self.two)

    def on(self, name, listener):
        self.listeners.setdefault(name, []).append(listener)

    def one(self):
        self.n += 1

    def two(self):
        self.n += 2

    def fire(self, name):
        for listener in self.listeners[name]:
            listener()


def registered(name):
    register = Register()
    register.fire(name)
    return register.n


class Plain:
    """All other fields are there when its methods are kept, those that may be None, too."""

    def __init__(self, name, n=None):
        self.table = {"name": self.named, "n": lambda: self.length()}
        self.name = name
        self.n = n
        self.more = n if n is not None else len(name)
        if self.more > 3:
            self.size = None
        elif self.more < 0:
            raise ValueError("less than nothing")
        else:
            self.size = self.more

    def named(self):
        return len(self.name)

    def length(self):
        return -1 if self.n is None else self.n


def plain(name, n):
    first, second = Plain(name), Plain(name, n)
    calls = first.table["n"](), second.table["n"](), second.table["name"]()
    return calls, first.n, second.n, first.more, second.more, second.size


class Seen:
    """What is kept stays before what sees it."""

    def __init__(self, n):
        self.kept = self.one
        self.first = self.call()
        self.kept = self.two
        self.all = [self.one, self.two, lambda: n]
        self.count = len(self.all)
        self.early = self.one
        if n < 0:
            self.n = 0
            return
        self.n = n
        n = n + 1
        self.late = n

    def one(self):
        return 1

    def two(self):
        return self.n

    def call(self):
        return self.kept()


def seen(n):
    made = Seen(n)
    return made.first, made.kept(), [f() for f in made.all], made.count, made.early(), made.late


class Some:
    """Fields that are not set on all paths."""

    def __init__(self, n, m):
        self.kept = {"go": self.go}
        if m > 3:
            self.n = n
        for i in range(m):
            self.k = i

    def go(self):
        return self.n


def some(n, m):
    first, second = Some(n, 1), Some(5, m)
    return second.go(), second.kept["go"](), second.k, first.k


class Base:
    def __init__(self):
        self.table = {"a": self.go}
        self.out = []
        self.h = self.go

    def go(self):
        self.out.append("base")

    def fire(self, event):
        self.table[event]()
        self.h()


class Derived(Base):
    def go(self):
        self.out.append("derived")


class Same(Base):
    pass


def derived():
    found = []
    for made in (Derived(), Base(), Same()):
        made.fire("a")
        found.append(made.out)
    return found


def only_derived():
    made = Derived()
    made.fire("a")
    return made.out


class Emitter:
    def __init__(self):
        self.listeners = []

    def emit(self, x):
        for listener in self.listeners:
            listener(x)


class Listener:
    def __init__(self, emitter):
        self.got = []
        emitter.listeners.append(self.hear)

    def hear(self, x):
        self.got.append(x)


def heard(x):
    emitter = Emitter()
    listeners = [Listener(emitter), Listener(emitter)]
    emitter.emit(x)
    listeners[0].got.append(x)
    return [listener.got for listener in listeners]


def looked_at(made, seen):
    seen.append(len(made.items))


class Emptied:
    """What others see of a field that is empty in the end, and was not before."""

    total = 3

    def __init__(self, seen):
        self.items = [1]
        looked_at(self, seen)
        seen.append(self.total)
        self.items = []
        self.total = None
        self.more = []


class MoreEmptied(Emptied):
    pass


def emptied():
    seen = []
    made, other = Emptied(seen), MoreEmptied(seen)
    made.items.append(2)
    other.more.append(3)
    return seen, made.items, made.total, other.more


def a():
    return 1


def b():
    return 2


def other():
    return 3


class Left:
    def found(self):
        return "left"


class Right:
    def found(self):
        return "right"


def or_another(key):
    functions, objects, numbers = {"a": a, "b": b}, {"a": Left()}, {"a": 1, "b": 2}
    f = functions.get(key, other)
    return (
        *(f(), functions.get(key, lambda: 7)(), objects.get(key, Right()).found()),
        *(numbers.get(key, "none"), numbers.get(key, 2.5), f"{numbers.get(key, '-'):>3}"),
    )


CASES: list[Case] = [
    (fired, [("aab",), ("",), ("x",)]),
    (run, [([("push", 1), ("push", 2), ("add", 0)],), ([("add", 1)],), ([("?", 1)],)]),
    (switched, [(["x", "go", "y", "stop", "z"],)]),
    (pressed, [()]),
    (registered, [("a",), ("b",)]),
    (plain, [("ab", 3), ("ab", 4), ("ab", -1)]),
    (seen, [(2,), (-1,)]),
    (some, [(2, 5), (2, 1)]),
    (derived, [()]),
    (only_derived, [()]),
    (heard, [(1,), ("x",)]),
    (emptied, [()]),
    (or_another, [("a",), ("c",)]),
]
