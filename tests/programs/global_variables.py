"""Variables of the module that functions declare `global` and assign."""

# Types come from the calls.
# pyright: basic

from tests.programs import Case

count = 0
total = 0
best = None
log: list[int] = []
table: dict[int, int] = {}
mode = "idle"
pair = (0, 0)


def reset():
    global count, total, best, log, table, mode, pair
    count, total, best = 0, 0, None
    log, table, mode, pair = [], {}, "idle", (0, 0)


def bump(by=1):
    global count
    count += by
    return count


def add(x):
    global total
    total = total + x


def note(x):
    global best, log
    if best is None or x > best:
        best = x
    log = [*log, x]
    log.append(-x)


class Machine:
    def __init__(self):
        self.steps = 0

    def step(self):
        global mode, pair
        mode = "running" if mode == "idle" else "idle"
        pair = (pair[0] + 1, self.steps)
        self.steps += 1


def counted(n):
    global count
    for _ in range(n):
        count += 1
        yield count


def changed(n):
    reset()
    for i in range(n):
        bump()
        add(0.5)
        note(i)
    machine = Machine()
    for _ in range(3):
        machine.step()
    own = [count for count in range(2)]
    return count, total, best, log, mode, pair, sum(counted(3)), own, count, (lambda: count)()


def as_targets(n):
    global count, total
    reset()
    count, total = n, 2.5
    for count in range(n):
        total += count
    return count, total


def nested(n):
    reset()

    def inner():
        global count
        count += n
        return count

    return inner() + inner(), count


def remembered(n):
    if n < 2:
        return n
    if n not in table:
        table[n] = remembered(n - 1) + remembered(n - 2)
    return table[n]


def memo(n):
    reset()
    return remembered(n), len(table)


def raising(n):
    global count
    reset()
    try:
        count += n
        if count > 3:
            raise ValueError(str(count))
    except ValueError as e:
        count = -1
        return str(e), count
    return "", count


CASES: list[Case] = [
    (changed, [(3,), (0,)]),
    (as_targets, [(4,), (0,)]),
    (nested, [(2,)]),
    (memo, [(30,), (1,)]),
    (raising, [(2,), (5,)]),
]
