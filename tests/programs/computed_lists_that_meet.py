"""Variables that hold a list of ints first, and later one of floats that a function returns."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from tests.programs import Case


def product(u):
    return [sum(x / (i + j + 1) for j, x in enumerate(u)) for i in range(len(u))]


def powers(n):
    """What was written down keeps its type: it is returned where no iteration is made."""
    u = [1] * 3
    for _ in range(n):
        u = product(u)
    return u


def halved(xs):
    return [x / 2 for x in xs]


def either(n):
    u = [1, 2, 3]
    if n:
        u = halved(u)
    return u, sum(u)


def spectral(n):
    u = [1] * n
    v = u
    for _ in range(3):
        v = product(u)
        u = product(v)
    return sum(a * b for a, b in zip(u, v, strict=True)) / sum(b * b for b in v)


CASES: list[Case] = [
    (powers, [(0,), (2,)]),
    (either, [(0,), (1,)]),
    (spectral, [(4,)]),
]
