"""What `__init__` does besides setting fields: methods it calls, and values of the class."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from dataclasses import dataclass, field

from tests.programs import Case


class Counter:
    """`total` and `kind` are fields that start with the value of the class; `names` is none."""

    total: int = 0
    kind = "plain"
    names = 3
    parent: "Counter | None" = None

    def __init__(self, count: int):
        self.items = []
        self.reset(count)

    def reset(self, count, first=1):
        self.count = count
        self.items.append(first)
        if count > 5:
            self.size = count * 2
            return
        self.size = count + first

    def rename(self):
        self.kind = self.kind + "!"
        return self

    def adopt(self, parent: "Counter"):
        self.parent = parent

    def add(self, more):
        self.total += more
        return self


class Special(Counter):
    kind = "special"

    def __init__(self, count):
        super().__init__(count)
        self.sums = self.sum_to(1) + 2 * self.sum_to(3)
        self.rest = 0 if count < 0 else self.sum_to(2)

    def sum_to(self, end):
        total = 0
        for i in range(end):
            if i == 7:
                return -1
            total += i + self.size
        return total


class Most(Special):
    kind = "most"

    def __init__(self):
        super().__init__(4)
        self.rename()


class Adder:
    """No `__init__` at all."""

    count = 0
    step = 2

    def add(self, more):
        self.count += more * self.step
        return self


def counters(count):
    plain, special, most = Counter(count), Special(count + 5), Most()
    special.rename().add(3)
    special.adopt(plain)
    return (
        (plain.kind, plain.size, plain.names, plain.items, plain.parent is None, plain.total),
        (special.kind, special.size, special.sums, special.rest, special.parent is None),
        (most.kind, most.sums, most.add(2).add(3).total, special.total),
        Adder().add(count).add(1).count,
    )


class Checked:
    """Methods that always raise, and one that may."""

    def __init__(self, n):
        self.k = n
        if n < 0:
            self.fail()
        try:
            self.refuse(n)
        except KeyError:
            self.k += 100
        if n == 3:
            self.twice(self.k)

    def fail(self):
        self.k += 1
        raise ValueError("none of it")

    def twice(self, k):
        self.k += k
        self.fail()

    def refuse(self, n):
        self.k += 1
        if n == 5:
            self.fail()
        if n > 3:
            raise KeyError(n)


def checked(n):
    return Checked(n).k


class Filled:
    total = 0

    def __init__(self, n, step=1):
        self.n = n
        self.step = step
        self.items = []
        self.add(n)

    def add(self, k):
        self.total += k
        self.items.append(self.total)

    def reset(self):
        self.__init__(self.n, step=self.step + 1)
        return self

    def at(self, i):
        while len(self.items) <= i:
            self.__init__(self.n + 1, self.step)
            for k in range(self.n):
                self.add(k)
        return self.items[i]


class FilledTwice(Filled):
    def __init__(self, n, step=1, name="x"):
        super().__init__(n, step)
        self.name = name

    def again(self):
        self.__init__(self.n + 1, 0, self.name * 2)

    def half(self):
        super().__init__(self.n // 2)
        Filled.__init__(self, self.n + 5)


@dataclass
class Noted:
    a: int
    b: list = field(default_factory=list)


def initialised_again(k):
    first = Filled(k)
    first.add(3)
    first.reset().add(4)
    second = FilledTwice(k)
    second.again()
    between = second.name, second.n, second.total, second.items
    second.half()
    third = Noted(k, [1])
    held = third.b
    third.__init__(4)
    fourth = second.reset() if k < 0 else first
    return (
        (first.total, first.step, first.items, first.at(6)),
        (between, second.n, second.total, second.name, fourth.items),
        (held, third.a, third.b),
    )


CASES: list[Case] = [
    (counters, [(2,), (8,)]),
    (checked, [(2,), (3,), (4,), (5,), (-1,)]),
    (initialised_again, [(2,), (5,)]),
]
