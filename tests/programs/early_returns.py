"""Functions with many early returns, each with many values alive, and chains of `isinstance`."""

from tests.programs import Case


class Point:
    def __init__(self, x: int, name: str) -> None:
        self.x = x
        self.name = name


def after_each(n: int) -> tuple[int, list[int]]:  # noqa: C901
    """Each return gives another one of what lives, and lets go of all others."""
    a = [n, 0]
    if n < 1:
        return 0, a
    b = [n, 1, *a]
    if n < 2:
        return 1, a
    c = [n, 2, *b]
    if n < 3:
        return 2, b
    d = [n, 3, *c]
    if n < 4:
        return 3, a
    e = [n, 4, *d]
    if n < 5:
        return 4, d
    f = [n, 5, *e]
    if n < 6:
        return 5, f
    g = [n, 6, *f]
    if n < 7:
        return 6, b
    h = [n, 7, *g]
    if n < 8:
        return 7, h
    i = [n, 8, *h]
    if n < 9:
        return 8, c
    j = [n, 9, *i]
    if n < 10:
        return 9, i
    k = [n, 10, *j]
    if n < 11:
        return 10, a
    l = [n, 11, *k]  # noqa: E741
    if n < 12:
        return sum(l), g
    return sum(a[1] + b[1] + x for x in (*c, *d, *e, *f, *g, *h, *i, *j, *k, *l)), k


def texts(n: int, word: str) -> str:
    """What raises lets go of the oldest values first, then of the newest first."""
    a = [word + "a"]
    b = [a[n % 1] + "b"]
    c = [b[n // 100] + "c"]
    d = [c[n // 90] + "d"]
    e = [d[n // 80] + "e"]
    f = [e[n // 70] + "f"]
    g = [f[n // 60] + "g"]
    h = [g[n // 50] + "h"]
    i = [h[n // 40] + "i"]
    j = [i[n // 30] + "j"]
    k = [j[n // 20] + "k"]
    if n == 7:
        return k[0]
    r = a[n // 19]
    r += b[n // 18]
    r += c[n // 17]
    r += d[n // 16]
    r += e[n // 15]
    r += f[n // 14]
    r += g[n // 13]
    r += h[n // 12]
    r += i[n // 11]
    r += j[n // 10]
    return r + k[n // 9]


def in_loops(n: int) -> list[str]:
    """Returns from inside of loops and handlers."""
    found: list[str] = []
    a, b, c, d, e = [n], [str(n)], {n}, {n: n}, Point(n, "e")
    for i in range(20):
        f, g, h, j, k = [i], [str(i)], {i}, {i: i}, Point(i, "k")
        try:
            if i == n:
                return found + b + g
            if i > 3 and n == 30:
                return [k.name, e.name, *g]
            found.append(f"{a[i * n // 100]} {f[0]} {len(h | c)} {j[i] + d[n]}")
        except IndexError:
            return [*found, k.name, *b]
    return found


class A:
    def __init__(self, v: int) -> None:
        self.a = v


class B:
    def __init__(self, v: int) -> None:
        self.b = v


class C:
    def __init__(self, v: int) -> None:
        self.c = v


class D:
    def __init__(self, v: int) -> None:
        self.d = v


class E:
    def __init__(self, v: int) -> None:
        self.e = v


def chain(n: int) -> list[int]:
    """Members are taken away from the front, from the middle and from the end."""
    found: list[int] = []
    for x in [A(n), B(2), None, C(3), n, D(4), "text", E(5), 1.5]:
        if isinstance(x, C):
            found.append(x.c)
        elif isinstance(x, (int, A)):
            found.append(x.a if isinstance(x, A) else x)
        elif x is None:
            found.append(-1)
        elif isinstance(x, str):
            found.append(len(x))
        elif not isinstance(x, float) and not isinstance(x, D):
            found.append(x.b if isinstance(x, B) else x.e * 10)
        elif isinstance(x, D):
            found.append(x.d)
        else:
            found.append(int(x * 2))
    return found


CASES: list[Case] = [
    (after_each, [(n,) for n in range(14)]),
    (texts, [(n, "w") for n in (0, 7, 8, 9, 10, 13, 16, 18, 19, 25, 35, 45, 65, 85, 95, 200)]),
    (in_loops, [(n,) for n in (0, 3, 7, 15, 25, 30)]),
    (chain, [(7,), (-1,)]),
]
