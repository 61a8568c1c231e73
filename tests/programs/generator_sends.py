"""Generators that are given something: `send`, `throw`, `close`, and what they return."""

# Without annotations the types come from the calls, which is what these programs are about.
# pyright: basic, reportArgumentType=false

from collections.abc import Generator

from tests.programs import Case


def averager():
    total = 0.0
    count = 0
    average = 0.0
    while True:
        x = yield average
        total += x
        count += 1
        average = total / count


def averages(xs: list[float], ends: int):
    g = averager()
    seen = [next(g)]
    for x in xs:
        seen.append(g.send(x))
    if ends == 1:
        next(g)  # the same as to send None
    if ends == 2:
        g.close()
        g.send(1.0)
    if ends == 3:
        return averager().send(2.0)
    return seen


def counter(n: int):
    i = 0
    while i < n:
        jump = yield i
        if jump is not None:
            print("jump", jump)
            i = jump
        else:
            i += 1


def jumps(n: int, to: int):
    g = counter(n)
    seen = [next(g), next(g), g.send(to)]
    for x in g:
        seen.append(x)
    return seen


def summed(n: int):
    total = 0
    for i in range(n):
        x = yield i
        total += x
    return total


def in_turn(n: int):
    a = yield from summed(n)
    yield from [-1, -2]
    b = yield from summed(2)
    yield a * 100 + b


def handed_on(n: int, to_list: bool):
    g = in_turn(n)
    seen = [next(g)]
    for k in range(1, n):
        seen.append(g.send(k))
    seen.append(g.send(10))
    if to_list:
        try:
            g.send(3)
        except AttributeError as e:
            return str(e), seen
    seen += [next(g), next(g), g.send(4), g.send(5)]
    return "", seen


def halving(n: int):
    if n == 0:
        x = yield 0
        return x * 2
    a = yield n
    b = yield from halving(n // 2)
    return a + b


def of_itself(n: int):
    g = halving(n)
    seen = [next(g)]
    while True:
        try:
            seen.append(g.send(len(seen) * 10))
        except StopIteration as e:
            print(e, e.args)
            return seen, e.value


def guarded():
    try:
        while True:
            try:
                x = yield 1
                print("got", x)
            except ValueError as e:
                print("handled", e)
                yield 2
    except KeyError:
        yield 3
    yield 4


def thrown(kind: int):
    g = guarded()
    seen = [next(g), g.send("a"), g.throw(ValueError("b"))]
    if kind == 0:
        seen += [next(g), g.throw(KeyError)]
    if kind == 1:
        g.throw(ZeroDivisionError("c"))
    if kind == 2:
        g.throw(StopIteration("d"))
    if kind == 3:
        guarded().throw(ValueError("at the start"))
    if kind == 4:
        g.close()
        print(list(g))
        g.throw(ValueError("at the end"))
    return seen, list(g)


def outside(n: int):
    try:
        yield from guarded()
    except ZeroDivisionError as e:
        print("outside", e)
        yield n


def thrown_through(n: int):
    g = outside(n)
    seen = [next(g), g.throw(ValueError("b")), g.throw(ZeroDivisionError("c"))]
    g.close()
    return seen, next(g, -1)


def declared(n: int) -> Generator[int, int, str]:
    total = 0
    for _ in range(n):
        total += yield total
    return f"sum {total}"


def run(task):
    seen = []
    given = None
    while True:
        try:
            seen.append(task.send(given))
            given = len(seen)
        except StopIteration as stop:
            return seen, stop.value


def by_a_runner(n: int):
    return run(declared(n))


def says_what_it_returned(n: int):
    g = declared(n)
    for _ in range(n):
        g.send(None) if _ == 0 else g.send(_)
    g.send(5)


def nothing_returned(n: int):
    g = counter(n)
    try:
        for _ in range(n + 1):
            next(g)
    except StopIteration as e:
        print(repr(str(e)), e.args)
        return e.value


class Account:
    def __init__(self, total: int):
        self.total = total

    def run(self):
        while True:
            v = yield self.total
            if v is None:
                return
            self.total += v


def of_an_object(n: int):
    account = Account(n)
    g = account.run()
    g.send(None)
    for i in range(n):
        print(g.send(i))
    return next(g, -1), account.total


def printer(prefix: str):
    while True:
        x = yield
        print(prefix, x)


def doubler(target):
    while True:
        x = yield
        target.send(x * 2)


def primed(make, *args):
    g = make(*args)
    next(g)
    return g


def pipeline(n: int):
    end = primed(doubler, primed(doubler, primed(printer, "got")))
    for i in range(n):
        end.send(i)


class Point:
    def __init__(self, x: int):
        self.x = x


class Weighted:
    def __init__(self, point: Point, weight: int):
        self.point = point
        self.weight = weight


def weighed():
    total = 0
    while True:
        items = yield total
        if items is None:
            return total
        for item in items:
            total += item.point.x * item.weight


def of_objects(n: int):
    g = weighed()
    next(g)
    seen = [g.send([Weighted(Point(i), i + 1) for i in range(n)]), g.send([Weighted(Point(n), 2)])]
    try:
        next(g)
    except StopIteration as e:
        return seen, e.value


def echo():
    got = None
    while True:
        got = yield got


def never_sent():
    echoes, firsts = echo(), []
    for value in echo():
        firsts.append(value)
        if len(firsts) == 3:
            break
    return next(echoes), firsts


def sink(items):
    while True:
        items.append((yield))


def doubled(target):
    while True:
        item = yield
        target.send(item * 2)


def put_in_lists(values):
    items, texts = [], []

    def kept():
        while True:
            text = yield
            texts.append(text)

    pipe = sink(items)
    next(pipe)
    first = doubled(pipe)
    next(first)
    for value in values:
        first.send(value)
    keeper = kept()
    next(keeper)
    keeper.send("a")
    return items, texts


CASES: list[Case] = [
    (never_sent, [()]),
    (put_in_lists, [([1, 2],), ([1.5],)]),
    (averages, [([1.0, 3.0, 8.0], 0), ([2.5], 1), ([2.5], 2), ([], 3)]),
    (jumps, [(10, 7), (3, 5)]),
    (handed_on, [(1, False), (3, False), (2, True)]),
    (of_itself, [(0,), (5,)]),
    (thrown, [(0,), (1,), (2,), (3,), (4,)]),
    (thrown_through, [(9,)]),
    (by_a_runner, [(0,), (3,)]),
    (says_what_it_returned, [(1,), (3,)]),
    (nothing_returned, [(2,)]),
    (of_an_object, [(3,)]),
    (pipeline, [(3,)]),
    (of_objects, [(0,), (3,)]),
]
