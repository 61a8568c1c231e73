"""Deques: what fills them, ends, limits, rotation, loops that change them, the boundary."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from collections import deque

from tests.programs import Case


def ends(n: int):
    d = deque()
    for i in range(n):
        d.append(i)
        d.appendleft(-i)
    taken = [d.pop(), d.popleft()] if n else [0, 0]
    while len(d) > 40:
        taken.append(d.popleft())
        taken.append(d.pop())
    return d, taken, len(d), bool(d), not d, list(d), sum(d), 3 in d, 99 in d


def made_of(xs: list[float], text: str, most: int):
    limited = deque(xs, maxlen=most)
    limited.append(9.5)
    shown = str(limited)
    limited.appendleft(-1.0)
    letters = deque(text)
    letters.extendleft("xyz")
    squares = deque(i * i for i in range(4))
    return limited, shown, letters, squares, deque(range(5), 3), limited.maxlen, squares.maxlen


def queue(n: int):
    d: deque[tuple[int, int]] = deque()
    d.append((0, 1))
    total = 0
    for step in range(n):
        i, weight = d.popleft()
        total += weight * step
        d.append((i + 1, weight + 1))
        if step % 3 == 0:
            d.append((i, weight))
    return total, len(d), d[0], d[-1]


def searched(xs: list[int], x: int):
    d = deque(xs)
    d.insert(1, x)
    d.insert(-1, x)
    d.insert(100, 7)
    d.insert(-100, 8)
    place = d.index(x, 2)
    d.remove(x)
    d.reverse()
    d[0] = 70
    d[-2] += 5
    del d[1]
    return (
        d,
        place,
        d.count(x),
        d.index(7 if 7 in d else 70),
        d.copy(),
        d == d.copy(),
        d < deque([1]),
    )


def missing(kind: int):
    d = deque([1, 2, 3], 3)
    if kind == 0:
        return d.index(9)
    if kind == 1:
        d.remove(9)
    if kind == 2:
        return d[3]
    if kind == 3:
        d.insert(1, 1)
    if kind == 4:
        d.clear()
        return d.pop()
    if kind == 5:
        d.clear()
        return d.popleft()
    if kind == 6:
        d[-4] = 1
    if kind == 7:
        most = kind - 8
        return len(deque([1], most))
    if kind == 8:
        del d[5]
    return -1


def turned(n: int, steps: int):
    d = deque(range(n))
    d.rotate(steps)
    first = list(d)
    d.rotate()
    d.rotate(-2)
    return first, d, d + deque([1]), d * 2


def joined(xs: list[int]):
    d = deque(xs, 4)
    d += [10, 11]
    d.extend(deque([12]))
    d *= 2
    d.extend({5})
    return d, [x for x in reversed(list(d))], max(d), sorted(d), list(d)[:2]


def changed_in_loop(kind: int):
    d = deque([1, 2, 3])
    seen = []
    try:
        for x in d:
            seen.append(x)
            if kind == 0:
                d.append(x)
            if kind == 1:
                d.popleft()
            if kind == 2:
                d.rotate(1)
            if kind == 3:
                d[0] = 9
            if kind == 4:
                d.clear()
    except RuntimeError as e:
        return seen, str(e), d
    return seen, "", d


def compared(a: deque[int], b: deque[int]):
    return a == b, a != b, a < b, a <= b, a > b, a >= b


class Window:
    def __init__(self, size: int):
        self.items: deque[float] = deque(maxlen=size)
        self.total = 0.0

    def add(self, x: float) -> float:
        if len(self.items) == self.items.maxlen:
            self.total -= self.items[0]
        self.items.append(x)
        self.total += x
        return self.total / len(self.items)


def in_objects(xs: list[float], size: int):
    window = Window(size)
    means = [window.add(x) for x in xs]
    return means, window.items


def nested(n: int):
    rows = deque([[0]])
    for i in range(n):
        rows.append([i])
        rows[0].append(i)
    kept = {"a": deque([1.5])}
    kept["a"].append(2.5)
    pair = (deque("ab"), n)
    return rows, kept, pair, [deque([i]) for i in range(3)], rows.pop()


def found(graph: dict[int, list[int]], start: int):
    seen = {start}
    todo = deque([start])
    order = []
    while todo:
        at = todo.popleft()
        order.append(at)
        for after in graph.get(at, []):
            if after not in seen:
                seen.add(after)
                todo.append(after)
    return order


def passed(d: deque[str], e: deque[tuple[int, float]]):
    return len(d), d[0], [x + y for x, y in e], d.maxlen, "b" in d, d.copy(), "-".join(d)


CASES: list[Case] = [
    (ends, [(0,), (1,), (5,), (100,)]),
    (made_of, [([1.0, 2.5, 4.0], "abc", 2), ([3.0], "", 0), ([1.0], "x", 9)]),
    (queue, [(0,), (10,), (500,)]),
    (searched, [([1, 2, 3], 5), ([4], 4)]),
    (missing, [(kind,) for kind in range(10)]),
    (turned, [(n, steps) for n in (0, 1, 2, 7) for steps in (-9, -1, 0, 1, 3, 20)]),
    (joined, [([1, 2, 3],), ([1],)]),
    (changed_in_loop, [(kind,) for kind in range(6)]),
    (
        compared,
        [(deque(a), deque(b)) for a, b in (([1], [1]), ([1], [2]), ([1, 2], [1]), ([3], [1, 9]))],
    ),
    (in_objects, [([1.0, 2.0, 4.0, 8.0], 2)]),
    (nested, [(3,)]),
    (found, [({0: [1, 2], 1: [3], 2: [3], 3: [0]}, 0)]),
    (passed, [(deque("abc", 5), deque([(1, 2.5), (2, 0.5)]))]),
]
