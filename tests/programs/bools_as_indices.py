"""Bools as indices of lists, tuples, texts and bytes: False is 0, True is 1."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from tests.programs import Case


def read(n: int):
    words, pair = ["no", "yes", "more"], ("a", "b")
    found = words[n == 1], pair[n == 1], "XO"[n > 1], b"ab"[not n], words[False], ["x", "y"][True]
    return found, words[n == 1 :], "abc"[: n > 0], words[-True], words[n > 5 and n < 9]


def written(n: int):
    counts = [0, 0]
    for k in range(n):
        counts[k % 3 == 0] += k
    counts[not n] = 7
    if n > 2:
        del counts[n == 3]
    return counts


def outside(n: int):
    return [n][n > 0]


CASES: list[Case] = [
    (read, [(0,), (1,), (2,)]),
    (written, [(0,), (2,), (3,), (5,)]),
    (outside, [(0,), (4,)]),
]
