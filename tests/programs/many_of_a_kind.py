"""Many functions and classes at one place: tables of functions, and values of unlike classes."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic, reportAttributeAccessIssue=false

import math

from tests.programs import Case


def add(a, b):
    return a + b


def subtract(a, b):
    return a - b


def power(a, b):
    if b < 0:
        raise ValueError(f"negative exponent {b}")
    return a**b


class Machine:
    """A stack machine whose table of instructions is a field."""

    def __init__(self):
        self.stack = []
        self.steps = 0
        self.table = {
            "add": add,
            "subtract": subtract,
            "multiply": lambda a, b: a * b,
            "power": power,
            "floor": lambda a, b: a // b,
            "rest": lambda a, b: a % b,
            "least": lambda a, b: min(a, b),
            "greatest": lambda a, b: max(a, b),
            "common": lambda a, b: math.gcd(a, b),
            "and": lambda a, b: a & b,
            "or": lambda a, b: a | b,
            "xor": lambda a, b: a ^ b,
            "first": lambda a, b: a,
            "second": lambda a, b: b,
            "less": lambda a, b: int(a < b),
            "same": lambda a, b: int(a == b),
        }

    def run(self, text):
        for word in text.split():
            self.steps += 1
            if word in self.table:
                b, a = self.stack.pop(), self.stack.pop()
                self.stack.append(self.table[word](a, b))
            else:
                self.stack.append(int(word))
        return self.stack


def machine(text):
    found = Machine()
    return found.run(text), found.steps


def folded(a, names):
    """Functions that hold variables, in a dict of the function's own."""
    scale = a + 1

    def scaled(x):
        return x * scale

    table = {
        "scaled": scaled,
        "double": lambda x: x + x,
        "square": lambda x: x * x,
        "negate": lambda x: -x,
        "next": lambda x: x + 1,
        "half": lambda x: x // 2,
        "shift": lambda x: x << 1,
        "odd": lambda x: x & 1,
        "size": lambda x: abs(x),
        "sign": lambda x: (x > 0) - (x < 0),
        "bits": lambda x: x.bit_length(),
        "minus": lambda x: x - scale,
        "plus": lambda x: x + scale,
        "cut": lambda x: min(x, 100),
    }
    found = []
    for name in names:
        a = table[name](a)
        found.append((name, a))
    return found, sorted(table)


class Leaf:
    def __init__(self, value):
        self.value = value

    def total(self):
        return self.value


class Pair:
    def __init__(self, left, right):
        self.left = left
        self.right = right

    def total(self):
        return self.left.total() + self.right.total()


class Chain:
    """Objects of this class may be in rings; those of the others may not."""

    def __init__(self, value):
        self.value = value
        self.after = None

    def total(self):
        return self.value + (self.after.total() if self.after is not None else 0)


def of_class(n):
    """Objects of unlike classes beside texts, numbers and None: each keeps its type."""
    ring = Chain(n)
    ring.after = Chain(n + 1)
    held = [Leaf(n), Pair(Leaf(1), Leaf(n)), ring, "text", n, None, [n, n + 1], Leaf(-n), 2.5 * n]
    found = []
    for x in held + held[::-1]:
        if isinstance(x, (Leaf, Pair)):
            found.append(("tree", x.total()))
        elif isinstance(x, Chain):
            found.append(("chain", x.total()))
        elif isinstance(x, list):
            found.append(("list", sum(x)))
        elif isinstance(x, str):
            found.append((x, len(x)))
        elif x is None:
            found.append(("none", 0))
        else:
            found.append((f"number {x}", 1))
    chain = held[2]
    if isinstance(chain, Chain):
        chain.after.after = chain  # a ring, which is collected
    return found


NAMES = []


class Account:
    opened = 0
    last = None

    def __init__(self, owner):
        self.owner = owner
        self.limit = None
        self.history = None
        self.balance = 0
        Account.opened += 1
        Account.last = owner
        NAMES.append(owner)

    def deposit(self, amount):
        if self.history is None:
            self.history = []
        self.history.append(amount)
        self.balance += amount
        return self.balance

    def cap(self, limit):
        self.limit = limit
        return self.limit if self.balance > limit else None


class Holder:
    def __init__(self):
        self.account = None
        self.best = None
        self.marks = [None] * 3

    def take(self, account):
        self.account = account
        self.marks[len(account.owner) % 3] = account.owner
        if self.best is None or self.best.balance < account.balance:
            self.best = account


def told_together(names, amount):
    """What fields and attributes of classes hold is told at many places of one program."""
    before = Account.opened
    holder = Holder()
    found = []
    for k, name in enumerate(names):
        account = Account(name)
        found.append(account.deposit(amount * k))
        found.append(account.deposit(0.5))
        holder.take(account)
        found.append(account.cap(2.0))
    best = holder.best.owner if holder.best is not None else "nobody"
    last = Account.last
    del NAMES[:]
    return found, best, holder.marks, Account.opened - before, last


CASES: list[Case] = [
    (machine, [("2 3 add 4 multiply",), ("7 2 power 5 rest 9 xor 3 less",), ("2 -1 power",)]),
    (machine, [("1 add",), ("1 0 floor",), ("",)]),
    (folded, [(3, ["scaled", "square", "minus", "bits", "shift", "sign"]), (0, ["none"])]),
    (of_class, [(3,), (0,)]),
    (told_together, [(["ann", "bob", "cy"], 2.0), (["dora"], 1.5)]),
]
