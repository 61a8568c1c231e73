"""Objects that are looped over: `__iter__`, `__next__`, `__getitem__`, `iter` and `next`."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic
# ruff: noqa: B905

from tests.programs import Case


class Bag:
    def __init__(self, n: int):
        self.xs = [float(i) for i in range(n)]

    def __iter__(self):
        for x in self.xs:
            yield x
            if x == 6.0:
                return


class Down:
    def __init__(self, n: int):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self) -> int:
        if self.n <= 0:
            raise StopIteration
        self.n -= 1
        if self.n == 17:
            raise ValueError("no 17")
        return self.n


class Sequence:
    def __init__(self, n: int):
        self.n = n

    def __getitem__(self, i: int) -> int:
        if i >= self.n:
            raise IndexError("out of it")
        return i * i


class Count:
    def __init__(self, n: int):
        self.n = n

    def __iter__(self):
        return Down(self.n)


class Wrap:
    def __init__(self, xs: list[int]):
        self.xs = xs.copy()

    def __iter__(self):
        return iter(self.xs)

    def pairs(self):
        return zip(self.xs, self.xs[1:])

    def doubled(self):
        """The end of it is a generator expression."""
        return (2 * x for x in self.xs)


def of_generator(n: int):
    bag = Bag(n)
    out = []
    for x in bag:
        if x == 1.0:
            continue
        if x == 5.0:
            break
        out.append(x)
    else:
        out.append(-1.0)
    return (
        *(out, list(bag), [x for x in Bag(3)], list(enumerate(bag)), sum(bag), sum(x for x in bag)),
        *([(i, x, y) for i, x in enumerate(bag) for y in bag if x < y < 3], any(bag), all(bag)),
    )


def of_iterator(n: int):
    out = []
    for x in Down(n):
        if x == 1:
            continue
        if x == 5:
            break
        out.append(x)
    else:
        out.append(-1)
    it = Down(n)
    for x in it:
        if x == 3:
            break
    count = Count(n)
    return (
        *(out, list(it), list(count), [y for y in count], list(enumerate(count)), list(it)),
        *(sorted(count), sum(count), max(count), list(map(str, count))),
        *(sum(Down(n)), max(Count(n + 1)), any(Count(1)), all(Down(n))),
        [(x, y) for x in count for y in count if x < y],
    )


def of_getitem(n: int):
    s = Sequence(n)
    return list(s), [x for x in s if x], sum(x for x in s)  # pyright: ignore[reportArgumentType]


def of_wrapped(xs: list[int]):
    wrap = Wrap(xs)
    total = 0
    for x in wrap:
        total += x
    for x in iter(xs):
        total += x
    pairs = [a * b for a, b in wrap.pairs()]
    return (
        *(total, list(wrap), list(map(abs, wrap)), max(wrap), sum(wrap), sorted(wrap)),
        *(pairs, list(wrap.doubled()), sum(wrap.doubled())),
    )


def by_hand(n: int):
    it = iter(Count(n))
    first = next(it)
    rest = []
    while True:
        try:
            rest.append(next(it))
        except StopIteration:
            break
    return first, rest, next(it, -1), next(iter(Count(n)), None)


def raised_on_the_way(n: int):
    seen = []
    try:
        for x in Down(n):
            seen.append(x)
    except ValueError as error:
        return seen, str(error)
    return seen, ""


def returned_from(n: int):
    for x in Count(n):
        for y in Bag(4):
            if x == y:
                return x, y
    return -1, -1.0


def in_a_try(n: int):
    found = 0
    try:
        for x in Count(n):
            if x == 2:
                raise KeyError(x)
            found = x
    except KeyError:
        found += 100
    finally:
        found += 1000
    return found


class Point:
    def __init__(self, x: float, y: int):
        self.x = x
        self.y = y

    def __iter__(self):
        yield self.x
        yield self.x + self.y


def unpacked(n: int):
    p = Point(1.5, n)
    x, y = p
    u, v = (k * n for k in Count(2))
    r, s = map(float, [n, 2])
    g, h = range(2)
    a, *b = Count(n)
    d = {"one": 1, "two": n}
    (k, w), _ = d.items()
    return x, y, u, v, r, s, g, h, a, b, k, w


def unpacked_to_two(n: int):
    a, b = Count(n).__iter__()
    c, d = Bag(n)
    return a, b, c, d


class Base:
    def items(self):
        yield 1

    def least(self):
        yield 0


class Derived(Base):
    def __init__(self, k: int):
        self.k = k

    def items(self):
        yield self.k
        yield from self.least()


def inherited(n: int):
    found = []
    for one in [Derived(n), Derived(2)]:
        found += list(one.items())
        found += list(one.least())
    return found


CASES: list[Case] = [
    (inherited, [(3,)]),
    (unpacked, [(1,), (4,)]),
    (unpacked_to_two, [(2,), (1,), (5,)]),
    (of_generator, [(1,), (3,), (9,)]),
    (of_iterator, [(4,), (8,)]),
    (of_getitem, [(0,), (4,)]),
    (of_wrapped, [([3, -1, 2],)]),
    (by_hand, [(1,), (4,), (0,)]),
    (raised_on_the_way, [(3,), (20,)]),
    (returned_from, [(0,), (2,)]),
    (in_a_try, [(0,), (2,), (5,)]),
]
