"""Pieces of work that do not depend on each other, and pieces that only seem so.

Threads run tasks side by side where none is much work alone; what they give and raise is what the
program gives and raises in its order.
"""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

A, B, C, D = (np.arange(50.0) * k % 7 - 3.0 for k in (1, 2, 3, 5))
LONG = tuple(np.arange(3000.0) * k % 11 / 4 - 1.0 for k in (1, 2, 3, 5))
INDICES = np.arange(50) * 7 % 50
BAD = np.where(np.arange(50) == 33, 77, INDICES)
FEWER = B[:48]
WORSE = np.where(np.arange(50) == 2, -60, INDICES)


def bent(x):
    """Return what takes a while, and has the same bits wherever it is computed."""
    return np.sqrt(x * x + 1.0) / (x * x + 0.5)


def decayed(x):
    y = x.copy()
    for i in range(1, len(x)):
        y[i] = y[i - 1] * 0.5 + bent(x[i])
    return y


def scans(a, b, c, d):
    return decayed(a), decayed(b), decayed(c), decayed(d)


def folds(a, b, c, d):
    p = bent(np.max(bent(a)))
    q = bent(np.min(bent(b[::-1])))
    r = bent(np.max(bent(c) * 2.0) + len(c))
    s = np.max(bent(d) * bent(d - 1.0))
    return p + q * r - s, p, s


def chain(x, rate):
    y = bent(x * rate)
    z = bent(y + 2.0)
    total = 0.0
    count = 0
    for value in z:
        total = total * rate + value
        if value > 1.0:
            count += 1
    return z, total, count


def chains(a, b, c):
    x, p, k = chain(a, 0.25)
    y, q, m = chain(b, 0.5)
    z, r, n = chain(c, 0.75)
    return x, y, z, p + q + r, (k, m, n)


def joined_late(a, b, c):
    x, p, _ = chain(a, 0.25)
    y, q, _ = chain(b, 0.5)
    both = bent(x[:3] + y[:3]).sum() + p * q
    z, r, _ = chain(c, both * 0.0 + 0.5)
    return both, z, r


def into(a, b, c):
    for i in range(1, len(a)):
        a[i] = a[i - 1] * 0.5 + bent(c[i])
    for i in range(1, len(b)):
        b[i] = b[i - 1] * 0.25 + bent(c[i])
    return a, b


def written_and_read(a, b):
    """The second loop reads what the first one writes, if both are one array."""
    total = 0.0
    for i in range(1, len(a)):
        a[i] = a[i - 1] * 0.5 + bent(a[i])
    for i in range(len(b)):
        total = total * 0.5 + bent(b[i])
    return total


def read_and_written(a, b):
    total = 0.0
    for i in range(len(b)):
        total = total * 0.5 + bent(b[i])
    for i in range(1, len(a)):
        a[i] = a[i - 1] * 0.5 + bent(a[i])
    return total


def parts(a):
    """Both halves are parts of one array."""
    left, right = a[: len(a) // 2], a[len(a) // 2 - 1 :]
    for i in range(1, len(left)):
        left[i] = left[i - 1] * 0.5 + bent(left[i])
    for i in range(1, len(right)):
        right[i] = right[i - 1] * 0.5 + bent(right[i])
    return a


def picked(x, i):
    total = 0.0
    found = np.zeros(len(i))
    for k in range(len(i)):
        total = total * 0.5 + bent(x[i[k]])
        found[k] = total
    return found


def picks(a, b, i, j):
    """The first index that is none, in the order of the program."""
    return picked(a, i), picked(b, j)


def picks_and_writes(a, b, i):
    """What comes after an exception is not written."""
    found = picked(a, i)
    for k in range(1, len(b)):
        b[k] = b[k - 1] * 0.5 + bent(b[k])
    return found


def writes_and_picks(a, b, i):
    """What comes before an exception is written."""
    for k in range(1, len(b)):
        b[k] = b[k - 1] * 0.5 + bent(b[k])
    return picked(a, i)


def tested(x, i):
    """The second loop needs no test: the first one has made it."""
    first, second = np.zeros(len(i)), np.zeros(len(i))
    for k in range(1, len(i)):
        first[k] = first[k - 1] * 0.5 + bent(x[i[k]])
    for k in range(1, len(i)):
        second[k] = second[k - 1] * 0.25 + bent(x[i[k]])
    return first, second


def printed(a, b):
    p = decayed(a)
    print("between", len(p))
    q = decayed(b)
    return p, q


def guarded(a, b, limit):
    if len(a) > limit:
        raise ValueError(f"{len(a)} is too many")
    p = decayed(a)
    if len(b) > limit:
        raise ValueError("too many")
    q = decayed(b)
    return p, q


def caught(a, b, i):
    try:
        p = decayed(a)
        q = picked(b, i)
        r = decayed(b)
    except IndexError as error:
        return a * 2.0, b, str(error)
    return p + r, q, ""


def in_rounds(a, b, rounds):
    for _ in range(rounds):
        p = bent(bent(a) * 0.5)
        q = bent(bent(b) * 0.5)
        a = p - 1.0
        b = q - 1.0
    return a, b


def counted(a, b, n):
    x = n
    for value in a:
        x = x * 3 + int(value)
    y = 1
    for value in b:
        y = y * 5 + int(value)
    return x, y


def sorted_and_summed(a, b, c, d):
    return np.sort(a), np.argsort(b), np.cumsum(c), np.sort(bent(d))


def draws(a, b, seed):
    rng = np.random.default_rng(seed)
    p = decayed(a) + rng.random(len(a))
    q = decayed(b) + rng.random(len(b))
    return p, q


def views(a, b):
    """Parts of new arrays, and columns, and what is empty."""
    x, y = np.zeros((len(a), 3)), np.zeros((3, len(b)))
    x[:, 1] = bent(a)
    y[1] = bent(bent(b) + 1.0)
    for i in range(1, len(a)):
        x[i, 2] = x[i - 1, 2] * 0.5 + x[i, 1]
    for i in range(1, len(b)):
        y[2, i] = y[2, i - 1] * 0.5 + y[1, i]
    return x, y, len(x) + y[1].min()


EMPTY = np.zeros(0)
CASES: list[Case] = [
    (scans, [(A, B, C, D), LONG, (EMPTY, EMPTY, EMPTY, EMPTY), (A, B[:5], C[::2], EMPTY)]),
    (folds, [(A, B, C, D), LONG, (A[::2], B, C[:1], D[::-1])]),
    (chains, [(A, B, C), LONG[:3], (A, EMPTY, C[::3])]),
    (joined_late, [(A, B, C), LONG[:3]]),
    (into, [(A, B, C), LONG[:3], (A, A, C), (A, C, A)]),
    (written_and_read, [(A, B), (A, A), LONG[:2], (A, A[::-1])]),
    (read_and_written, [(A, B), (A, A), LONG[:2], (A, A[::-1])]),
    (parts, [(A,), LONG[:1]]),
    (picks, [(A, B, INDICES, INDICES), (A, B, INDICES, BAD), (A, B, BAD, INDICES)]),
    (picks, [(A, FEWER, i, j[:49]) for i in (INDICES, BAD, WORSE) for j in (INDICES, BAD, WORSE)]),
    (picks_and_writes, [(A, B, INDICES), (A, B, BAD), (A, A, BAD), (A, FEWER, BAD[:49])]),
    (writes_and_picks, [(A, B, INDICES), (A, B, BAD), (A, A, INDICES)]),
    (tested, [(A, INDICES), (A, BAD), (A, WORSE), (A[:30], INDICES)]),
    (printed, [(A, B)]),
    (guarded, [(A, B, 60), (A, B, 40), (A[:30], B, 40)]),
    (caught, [(A, B, INDICES), (A, B, BAD)]),
    (in_rounds, [(A, B, 3), (*LONG[:2], 3), (A, B, 0)]),
    (counted, [(A[:9], B[:9], 1), (A[:20], B[:20], -5)]),
    (sorted_and_summed, [(A, B, C, D), LONG, (EMPTY, EMPTY, EMPTY, EMPTY)]),
    (draws, [(A, B, 7)]),
    (views, [(A, B), LONG[:2], (EMPTY, A[::-1])]),
]
