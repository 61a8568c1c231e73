"""Long functions that run once, whose loops over whole arrays become functions of their own."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

X = np.linspace(-2.0, 3.0, 24).reshape(6, 4)
V = np.array([0.5, -1.0, 2.0, 0.25])


def prepared(x, v):
    """Make arrays line by line: more than a hundred instructions outside of any loop."""
    a = x - x.mean(axis=0)
    b = a / (a.std(axis=0) + 1.0)
    c = b @ b.T
    d = np.exp(-np.abs(c)).sum(axis=1)
    e = np.concatenate((d[:3], d[3:] * 2.0))
    f = np.where(e > e.mean(), e, -e)
    return a, b, c, f, (x * v).sum(axis=1), np.maximum(a, 0.0).max(axis=1)


def carried(x, v, n):
    a, b, _c, f, g, h = prepared(x, v)
    y, speed = np.zeros_like(a), a * 0.0
    history = []
    for k in range(n):
        speed = (0.5 if k < 2 else 0.8) * speed - 0.1 * (y - b)
        y = y + speed
        y -= y.mean(axis=0)
        history.append(float((y * y).sum()))
    return y, speed, history, f + g - h


def shared_names(x, v, n):
    _a, _b, c, f, g, h = prepared(x, v)
    old = new = f
    for _ in range(n):
        old, new = new, new * 0.5 + g
    first = old
    while new.sum() > 1.0:
        new = new - np.abs(h) - 0.5
        if new[0] < -40.0:
            break
    else:
        old = old + 1.0
    old += 1.0  # first is the same array
    return first, old, new, c.sum()


def left_by_return(x, v, n):
    a, b, _c, f, g, _h = prepared(x, v)
    for k in range(n):
        f = f * 1.5 + g
        if f.max() > 60.0:
            return k, f, a
        for row in a:
            g = g + row.sum()
    return -1, f, b


def raised(x, v, n):
    a, b, _c, f, _g, _h = prepared(x, v)
    done = 0
    for k in range(n):
        a = a * 2.0 + b
        done += 1
        f[k] = a[k, 1]
    return done, f, a


def handled(x, v, n):
    a, b, _c, f, g, h = prepared(x, v)
    done = 0
    try:
        for k in range(n):
            a = a * 0.5 - b
            g = g + a[k]
            done += 1
    except (IndexError, ValueError) as error:
        return type(error).__name__, str(error), done, a
    finally:
        f += done
    return "", "", done, f + h


class Point:
    def __init__(self, at, mass):
        self.at = at
        self.mass = mass

    def move(self, by):
        if by.max() > 50.0:
            raise OverflowError(f"{self.mass} is too far")
        self.at = self.at + by * self.mass
        return self


def objects(x, v, n):
    a, b, _c, f, g, h = prepared(x, v)
    points = [Point(row, float(i)) for i, row in enumerate(b)]
    last, names, seen = points[0], {}, None
    for k in range(n):
        a = a * 2.0
        for point in points:
            last = point.move(a[k % 6])
            names[f"{k}"] = names.get(f"{k}", 0.0) + float(last.at.sum())
        seen = last if k % 2 else seen
    return [p.at for p in points], last.mass, names, seen is None, f - g + h


CASES: list[Case] = [
    (carried, [(X, V, 0), (X, V, 1), (X, V, 9), (X[:, ::-1], V, 3)]),
    (shared_names, [(X, V, 0), (X, V, 1), (X, V, 4)]),
    (left_by_return, [(X, V, 0), (X, V, 2), (X, V, 40)]),
    (raised, [(X, V, 3), (X, V, 7)]),
    (handled, [(X, V, 0), (X, V, 3), (X, V, 7)]),
    (objects, [(X, V, 0), (X, V, 3), (X, V, 9)]),
]
