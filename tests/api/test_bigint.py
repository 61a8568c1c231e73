"""`script(bigint=True)`: all ints of a function have any size, as Python's do."""

# Without annotations the types come from the call; each form of Python's stands for itself.
# pyright: basic
# ruff: noqa: B905, RUF005, SIM905, UP031

import math
import pickle
from collections import Counter, defaultdict, deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scriptc import load, save, script
from tests.support.outcomes import freeze

LARGE = 10**30
GIVEN = [1, 10**25]
TABLE = {1: 10, 4: 2**70}


def sums(n):
    a, b = 0, 1
    for i in range(n):
        a, b = b, a + b + i
    total = 0
    for i, char in enumerate("abc" * n):
        total = total * 1000 + i * ord(char)
    return a, total, LARGE + n + GIVEN[1] + TABLE[4]


def containers(n):
    xs = [1, 2, 3]
    for i in range(n):
        xs.append(xs[-1] * xs[-2] + i)
    d = {i: i**40 for i in range(n)}
    d[2**80] = d.get(7, 1)
    s = {n, 10**20, n}
    s.add(3)
    ys = [[0] * 3 for _ in range(2)]
    ys[1][2] = n * 10**20
    found = sum(xs), max(xs), min(xs, default=0), len(xs), xs[len(xs) - 1], xs[1:n], xs + [n]
    return xs, d, sorted(s), 10**20 in s, n in d, 5 in d, ys, found, tuple(xs), sorted(d.values())


def arithmetic(n):
    bits = n << 100, (n << 100) >> 98, n & 7, n | 2**70, n ^ 5, ~n, n.bit_length(), (-n >> 1)
    signs = -n // 3, -n % 3, divmod(-n, 3), abs(-n), (-2) ** n, n**2, 2**-1
    floats = n / 3, n * 0.5, float(n * 10**20), round(n * 1.5), int(2.5e30), math.floor(1e25)
    whole = math.gcd(n * 10**20, 6 * 10**19), pow(n, 100, LARGE + 57), math.isqrt(n * LARGE)
    compared = n == 7.0, 10**400 > 1e300, n < 7.5, n == True, n in (1, 7), hash(n * 10**20)  # noqa: E712
    return bits, signs, floats, whole, compared, n or 5, not n, n + True, n * 1j


def texts(n):
    shown = f"{n} {n * 10**20:,} {n:05d} {n:b} {n:>{n + 3}}", "%d %x %5d" % (n * LARGE, n, n)
    read = int(str(n) + "0" * 25), [int(char) for char in str(n * 2**70)], int("ff" * 12, 16)
    cut = "hello"[n - 7], "hello"[1:n], "x".rjust(n, "0"), chr(90 + n), "a,b,c".split(",", 1)
    return shown, read, cut, hex(n * 2**70), str(n * LARGE), n.to_bytes(20, "little")


def in_bytes(n):
    large = -n * 10**20
    data = large.to_bytes(16, "big", signed=True)
    back = int.from_bytes(data, "big", signed=True), int.from_bytes(data[::-1], "little")
    return data, back, int.from_bytes(b""), (0).to_bytes(0, "big"), (-1).to_bytes(0, signed=True)


def too_long(n):
    return (n * 10**20).to_bytes(n, "big")


def ranges(n):
    long = [i for i in range(10**20 + n, 10**20, -1)], list(range(n, 10**20 * n, 10**20))
    found = -1
    for i in range(LARGE):
        if i * i > n:
            found = i
            break
    back = [x for x in reversed(range(10**20, 10**20 + 2))]
    pairs = list(zip(range(10**25, 10**25 + 9), range(n, 0, -1)))
    inside = LARGE in range(5), n in range(LARGE), 3 in range(n, -5, -2)
    return long, found, back, pairs, inside, list(range(n, 3)), sum(range(10**20, 10**20 + 5))


def no_step(n):
    return [i for i in range(n, LARGE, n - n)]


def helper(x: int, k: int = 10**15) -> int:
    return x * x * k


def factorial(n: int) -> int:
    return 1 if n < 2 else n * factorial(n - 1)


def calls(n):
    def inner(k):
        for i in range(k):
            yield i * 10**20 + n

    scaled = lambda x, k=10**20: x * k  # noqa: E731
    found = list(map(scaled, [1, n])), sorted([3, n, 1], key=lambda v: -v), max(n, 3, 2)
    return helper(helper(n)), factorial(30), list(inner(3)), found, scaled(n)


def collected(n):
    d = defaultdict(int)
    for i in range(n):
        d[i % 3] += 10**20
    counts = Counter([1, 2, 1, n])
    counts[n] += 1
    q = deque(range(n))
    q.append(10**20)
    best = None
    for i in range(n):
        if best is None or i * 10**20 > best:
            best = i * 10**20
    return d, d[0], counts, counts[1] * 10**20, q, sum(q), best, dict.fromkeys("ab", n)


def of_numpy(n):
    xs = np.arange(n).tolist()
    whole: float = n
    return xs, sum(xs), xs[1] * 10**20, [x * 10**20 for x in xs], np.int64(7) * n, whole * 1.5


class Pair:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def product(self):
        return self.x * self.y


def objects(n):
    pair = Pair(n, 10**20)
    pair.x += 1
    first, (second, third), *rest = n, (n * 10**20, 2), 3, 4
    return pair.product(), pair.x, first, second, third, rest


class Asked:
    def __init__(self, x):
        self.x = x

    def __hash__(self):
        return hash((self.x, 1))

    def __eq__(self, other):
        return self.x == other.x

    def __int__(self):
        return self.x * 10**20

    def __index__(self):
        return self.x


def methods(n):
    found = {Asked(n): 1, Asked(n + 1): 2}
    held = found[Asked(n)], Asked(n) in {Asked(1), Asked(n)}, hash(Asked(n)) == hash((n, 1))
    return held, int(Asked(n)), float(Asked(n)), [5, 6, 7, 8, 9, 10][Asked(n)]


def arrays(n):
    a = np.zeros((n, n), dtype=np.int64)
    a[1, 2] = n
    for i in range(n):
        for j in range(n):
            a[i, j] += i * j
    b = np.array([n, 2, 3]) * 2 + n
    parts = a[1], a[:, 1], a[n - 1, 0], a.shape[0], int(b[0]), a.sum(axis=0), a == n, np.arange(n)
    return a, b, parts, np.full(n, 1.5) * n, np.float64(n) * 10**20, np.linspace(0, 1, n)


def beyond_an_array(n):
    a = np.zeros(n, dtype=np.int64)
    a[0] = 10**20
    return a


CALLS = [
    *((sums, (9,)), (containers, (6,)), (arithmetic, (7,)), (texts, (7,)), (in_bytes, (7,))),
    *((too_long, (5,)), (too_long, (-1,)), (ranges, (4,)), (no_step, (3,)), (calls, (5,))),
    *((objects, (5,)), (arrays, (4,)), (collected, (5,)), (of_numpy, (6,)), (methods, (5,))),
]


def outcome(call: Callable[..., Any], *arguments: Any) -> object:
    try:
        return freeze(call(*arguments))
    except Exception as error:
        return type(error), str(error)


@pytest.mark.parametrize("backend", ["interp", "llvm"])
@pytest.mark.parametrize(("function", "arguments"), CALLS)
def test_as_python(function: Callable[..., Any], arguments: tuple[Any, ...], backend: str) -> None:
    scripted = script(function, bigint=True, backend=backend)
    assert outcome(scripted, *arguments) == outcome(function, *arguments)


def test_machine_numbers_raise() -> None:
    with pytest.raises(OverflowError):
        script(beyond_an_array, bigint=True)(4)
    with pytest.raises(OverflowError):
        script(lambda xs, n: xs[n * 10**20], bigint=True)([1], 1)


def test_arguments_of_any_size() -> None:
    double = script(lambda x, xs: (x * 2, [v + 1 for v in xs]), bigint=True)
    assert double(2**70, [1, 2**70]) == (2**71, [2, 2**70 + 1])
    assert double(3, [1, 2]) == (6, [2, 3])


def test_is_saved(tmp_path: Path) -> None:
    scripted = script(factorial, bigint=True)
    save({"factorial": scripted}, tmp_path / "f.scriptc")
    assert load(tmp_path / "f.scriptc").factorial(30) == math.factorial(30)
    with pytest.raises(ValueError, match="some of these functions have bigint=True"):
        save({"one": scripted, "other": script(helper)}, tmp_path / "two.scriptc")


def test_is_pickled() -> None:
    scripted = pickle.loads(pickle.dumps(script(factorial, bigint=True)))
    assert scripted(30) == math.factorial(30)


def test_ints_have_64_bits_without_it() -> None:
    with pytest.raises(OverflowError, match="64 bits"):
        script(factorial)(30)
    with pytest.raises(OverflowError, match="64 bits"):
        script(lambda n: n + 10**30)(1)
