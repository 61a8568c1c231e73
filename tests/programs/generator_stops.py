"""StopIteration inside of generators: it leaves none of them, but as a RuntimeError."""

# Without annotations the types come from the calls, which is what these programs are about.
# pyright: basic

from functools import cached_property

from tests.programs import Case


class Taker:
    def __init__(self, n):
        self.left = n

    def take(self):
        if self.left == 0:
            raise StopIteration
        self.left -= 1
        return self.left


def pairs(xs):
    it = iter(xs)
    for a in it:
        yield a, next(it)


def careful_pairs(xs):
    it = iter(xs)
    for a in it:
        try:
            b = next(it)
        except StopIteration:
            return
        yield a, b


def taken(taker):
    while True:
        yield taker.take()


def first(it):
    return next(it)


def firsts(it):
    for _ in range(4):
        yield first(it)


def forwarded(xs):
    yield 0, 0
    yield from pairs(xs)


def of_functions(n):
    xs = list(range(n))
    seen = [a * b for a, b in careful_pairs(xs)]
    try:
        for a, b in pairs(xs):
            seen.append(a + b)
    except StopIteration:
        seen.append(-1)
    except RuntimeError as error:
        seen.append(-len(str(error)))
    return seen, [p for p in pairs(xs)]


def of_calls(n, how):
    xs = list(range(n))
    it = iter(xs)

    def inner():
        while True:
            yield next(it)

    def local():
        return next(it)

    if how == 0:
        return sum(taken(Taker(n)))
    if how == 1:
        return sum(firsts(it))
    if how == 2:
        return sum(x for x in inner())
    if how == 3:
        return sum(local() for _ in range(4))
    return sum(a + b for a, b in forwarded(xs))


def of_expressions(n, how):
    it = iter(list(range(n)))
    taker = Taker(n)
    if how == 0:
        return sum(next(it) for _ in range(4))
    if how == 1:
        return any(next(it) > 8 for _ in range(4))
    if how == 2:
        return max(next(it) + k for k in range(4))
    if how == 3:
        return len(list(taker.take() for _ in range(4)))
    if how == 4:
        return len(",".join(str(first(it)) for _ in range(4)))
    if how == 5:
        return len([1 for x in (k for k in range(4) if next(it) >= 0)])
    if how == 6:
        return sum(sum(first(it) for _ in range(2)) for _ in range(2))
    if how == 7:
        return len({k: next(it) for k in range(4)})  # no generator
    return len([next(it) for _ in range(4)])  # no generator


def assigned(n):
    it = iter(list(range(n)))
    total = sum((last := next(it)) * 2 for _ in range(3))
    return total, last


def caught(n):
    it = iter(list(range(n)))
    try:
        return sum(next(it) for _ in range(4))
    except StopIteration:
        return -1
    except RuntimeError as error:
        return -2 if error.__cause__ is not None else -3


class Reader:
    def __init__(self, it):
        self.it = it

    def __call__(self):
        return next(self.it)

    @property
    def following(self):
        return next(self.it)

    @cached_property
    def kept(self):
        return next(self.it)


class Read:
    def __init__(self, it):
        self.value = next(it)


class ReadAgain(Read):
    pass


def raised_again(it):
    try:
        return next(it)
    except StopIteration:
        raise


def raised_by_name(it):
    try:
        return next(it)
    except (ValueError, StopIteration) as error:
        raise error


def held(it):
    try:
        return next(it)
    except StopIteration:
        return 0
    except RuntimeError:
        raise


def kept_in_closure():
    def got(x):
        if x > 1:
            raise StopIteration
        return x

    def use(x):
        return got(x)

    return use


use_of_closure = kept_in_closure()


def read_by(reader):
    for _ in range(4):
        yield reader.following


def of_handlers(n, how):
    it = iter(list(range(n)))
    if how == 0:
        return sum(raised_again(it) for _ in range(4))
    if how == 1:
        return sum(raised_by_name(it) for _ in range(4))
    return sum(held(it) for _ in range(4))


def of_members(n, how):
    it = iter(list(range(n)))
    reader = Reader(it)
    if how == 0:
        return sum(reader.following for _ in range(4))
    if how == 1:
        return sum(Reader(it).kept for _ in range(4))
    if how == 2:
        return sum(read_by(reader))
    if how == 3:
        return sum(ReadAgain(it).value for _ in range(4))
    return sum(reader() for _ in range(4))


def of_names(n, how):
    it = iter(list(range(n)))
    taken = lambda: next(it)  # noqa: E731
    other = taken
    step = next
    several = [lambda: next(it), lambda: 1]
    if how == 0:
        return sum(other() for _ in range(4))
    if how == 1:
        return sum(step(it) for _ in range(4))
    if how == 2:
        return sum(several[0]() for _ in range(4))
    return sum(use_of_closure(x) for x in it)


def of_two_functions(n):
    it = iter(list(range(n)))

    def first():
        def got():
            return next(it)

        return sum(got() for _ in range(4))

    def second():
        def got():
            return 1

        return sum(got() for _ in range(4))

    return second(), first()


def with_variables(xs: list[int], scale: int):
    it = iter(xs)
    rows = list((k, next(it) * scale + k) for k in range(len(xs)) if k % 2 == 0)
    scale += 1
    return rows, tuple(next(it, -1) * scale for _ in range(3)), scale


CASES: list[Case] = [
    (of_functions, [(0,), (4,), (5,)]),
    *((of_calls, [(3, how), (4, how)]) for how in range(5)),
    *((of_expressions, [(3, how), (4, how)]) for how in range(9)),
    (assigned, [(3,)]),
    (caught, [(3,), (4,)]),
    *((of_handlers, [(3, how), (4, how)]) for how in range(3)),
    *((of_members, [(3, how), (4, how)]) for how in range(5)),
    *((of_names, [(2, how), (4, how)]) for how in range(4)),
    (of_two_functions, [(3,), (4,)]),
    (with_variables, [([1, 2, 3, 4], 3), ([], 3)]),
]
