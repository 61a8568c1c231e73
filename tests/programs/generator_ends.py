"""Generators that yield inside of `try` and `with`: they end where nothing refers to them."""

# Without annotations the types come from the calls, which is what these programs are about.
# pyright: basic
# ruff: noqa: B012, B905, UP028

from contextlib import closing

from tests.programs import Case


def source(name, n, log):
    log.append("open " + name)
    try:
        for i in range(n):
            yield i
            log.append("more " + name)
    finally:
        log.append("close " + name)


def left_early(n: int):
    log = []
    total, text, seen = 0, "", []
    for x in source("a", 4, log):
        total += x
        text = text + str(x)
        seen.append(total)
        if x == n:
            break
    else:
        log.append("else")
    log.append("after")
    return total, text, seen, log


def find(k, log):
    for x in source("f", 4, log):
        if x == k:
            return x
    return -1


def by_return(n: int):
    log = []
    return find(1, log), find(n, log), log


def by_exceptions(n: int):
    log = []
    try:
        for x in source("a", 5, log):
            if x == n:
                raise ValueError("x")
    except ValueError as e:
        log.append(str(e))
    return log


def nested(n: int):
    log = []
    for x in source("o", n, log):
        for y in source("i", n, log):
            if y == x:
                break
        if x == 1:
            continue
        log.append(f"{x}{y}")
    return log


def by_functions(n: int):
    log = []
    a = any(x > 1 for x in source("any", n, log))
    b = all(x < 1 for x in source("all", n, log))
    c = sum(source("sum", n, log)), max(source("max", n, log)), next(source("next", n, log))
    d = [x for x in source("comprehension", n, log)]
    e = list(source("list", n, log)), list(zip(source("zip", n, log), "ab"))
    first, second = source("unpacked", 2, log)
    return a, b, c, d, e, first, second, log


def used(log):
    g, h = 0, 0
    one = source("one", 2, log)
    two = source("two", 2, log)
    g = next(one)
    if g > 5:
        return g
    h = next(two)
    for x in two:
        h += x
    log.append("used")
    return g + h


def by_variables(n: int):
    log = []
    total = used(log)

    def inner():
        g = source("inner", n, log)
        next(g)
        log.append("inside")

    inner()
    log.append("outside")
    g = source("closed", n, log)
    next(g)
    g.close()
    g.close()
    with closing(source("with", n, log)) as h:
        for _ in h:
            break
        log.append("body")
    return total, log


class Resource:
    def __init__(self, log):
        self.log = log

    def __enter__(self):
        self.log.append("enter")
        return self

    def __exit__(self, kind, value, trace):
        self.log.append("exit" if kind is None else "exit " + kind.__name__)
        return kind is ValueError

    def items(self, n):
        with self:
            for i in range(n):
                yield i
        self.log.append("left")


def in_managers(n: int):
    r = Resource([])
    for x in r.items(3):
        if x == n:
            break
    with r:
        raise ValueError("x")
    g = r.items(2)
    seen = [next(g)]
    try:
        seen.append(g.throw(ValueError("y")))
    except StopIteration:
        r.log.append("stop")
    return seen, r.log


def wrapped(log):
    log.append("start")
    for x in source("inside", 3, log):
        yield x + 10
    log.append("end")


def delegates(log):
    yield -1
    yield from source("from", 3, log)
    yield 99


def through_others(n: int):
    log = []
    for y in wrapped(log):
        if y == n + 10:
            break
    log.append("between")
    for y in delegates(log):
        if y == n:
            break
    return list(wrapped(log)), list(delegates(log)), log


def descending(n, log):
    try:
        yield n
        if n:
            yield from descending(n - 1, log)
    finally:
        log.append(n)


def of_itself(n: int):
    log = [0]
    for k in descending(n, log):
        if k == 1:
            break
    return log


def handled(log):
    try:
        yield 1
        yield 2
    except GeneratorExit:
        log.append("exit")
        raise
    except ValueError:
        log.append("value")
        yield 3
    else:
        log.append("else")
    finally:
        log.append("finally")
        yield 9


def in_all_parts(kind: int):
    log = []
    g = handled(log)
    seen = [next(g)]
    if kind == 0:
        seen += [g.throw(ValueError("a")), next(g)]
    if kind == 1:
        try:
            g.close()
        except RuntimeError as e:
            log.append(str(e))
        return seen, log
    seen += list(g)
    return seen, log


def goes_on(log):
    for i in range(2):
        try:
            yield i
        finally:
            log.append(i)
            continue


def fails_at_its_end(log):
    try:
        try:
            yield 1
        finally:
            log.append("inner")
            raise KeyError("k")
    except KeyError:
        log.append("handled")
        yield 2


def ended_by_itself(n: int):
    log = []
    return list(goes_on([0])), list(fails_at_its_end(log)), log


def stubborn():
    while True:
        try:
            yield 1
        except GeneratorExit:
            print("no")


def not_closed(kind: int):
    g = stubborn()
    if kind:
        next(g)
    g.close()
    return next(g, 7)


def says(log):
    try:
        yield 1
        return 5
    finally:
        log.append("end")


def returns(n: int):
    log = []
    g = says(log)
    next(g)
    try:
        next(g)
    except StopIteration as e:
        return e.value, log


class Lines:
    """Objects whose `__iter__` has something to do at its end."""

    def __init__(self, log):
        self.log = log

    def __iter__(self):
        try:
            yield 1
            yield 2
        finally:
            self.log.append("closed")


class Inner:
    def __init__(self, log):
        self.lines = Lines(log)

    def __iter__(self):
        yield from self.lines

    def doubled(self):
        for x in self.lines:
            yield 2 * x


def of_objects(most):
    log = []
    try:
        for x in Lines(log):
            if x > most:
                raise ValueError(x)
            log.append("raising")
    except ValueError:
        log.append("caught")
    for x in Inner(log):
        if x > most:
            break
        log.append("inner")
    for place, x in enumerate(Inner(log).doubled()):
        if x > most:
            break
        log.append(str(place))
    lines = Lines(log)
    a, b = lines
    return log, a + b, sum(x * y for x in lines for y in lines), 2 in lines, log


CASES: list[Case] = [
    (left_early, [(0,), (2,), (9,)]),
    (by_return, [(2,), (7,)]),
    (by_exceptions, [(0,), (1,), (9,)]),
    (nested, [(3,)]),
    (by_functions, [(3,)]),
    (by_variables, [(3,)]),
    (in_managers, [(0,), (1,)]),
    (through_others, [(1,), (2,)]),
    (of_itself, [(3,)]),
    (in_all_parts, [(0,), (1,), (2,)]),
    (ended_by_itself, [(1,)]),
    (not_closed, [(0,)]),
    (returns, [(1,)]),
    (of_objects, [(0,), (1,), (3,)]),
]
