"""Functions whose callers write down an axis, a flag or a mode that their types depend on."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case


def scaled(x, axis=-1):
    e = x - np.max(x, axis=axis, keepdims=True)
    return e / (np.min(e, axis=axis, keepdims=True) - 1)


def scaled_in_all_ways(x):
    return scaled(x), scaled(x, 0), scaled(x, axis=-2), scaled(x.T)


def passed_on(x, axis):
    """The constant comes from further out."""
    return scaled(x, axis) + scaled(x, axis=axis)


def passes_on(x):
    return passed_on(x, 0), passed_on(x, 1)


def length(x, axis=None, keepdims=False):
    return np.sqrt(np.sum(x * x, axis=axis, keepdims=keepdims))


def lengths(x):
    return length(x), length(x, 1), length(x, axis=0, keepdims=True), length(x, (0, 1))


def with_details(x, full=False, scale=2):
    """A flag says how many results there are; `scale` may be anything."""
    total = x.sum() * scale
    if full:
        return total, x + 1
    return total


def both_results(x, n):
    total, more = with_details(x, full=True)
    return with_details(x), with_details(x, scale=3), with_details(x, scale=n), total, more


def distances(x, y, kind="l2"):
    d = x[:, None] - y[None, :]
    if kind == "l2":
        return np.sqrt((d * d).sum(axis=-1))
    if kind == "largest":
        return np.abs(d).max()
    raise ValueError("no such kind: " + kind)


def all_distances(x):
    return distances(x, x[:1]), distances(x, x, kind="largest")


def unknown_kind(x):
    return distances(x, x, "l7")


def framed(x, width=1, mode="edge"):
    return np.pad(x, width, mode=mode)  # pyright: ignore[reportCallIssue, reportArgumentType]


def all_framed(x, n):
    return framed(x), framed(x, 2, "wrap"), framed(x, n, mode="constant")


def changed_inside(x, axis):
    """The parameter is a variable as any other once it is assigned."""
    total = np.sum(x, axis=axis)
    axis += 10
    return total, axis


def changes_inside(x):
    return changed_inside(x, 1), changed_inside(x, 0)


def read_by_another(x, axis):
    def middle(y):
        return y.mean(axis=axis)

    return middle(x), middle(x * 2)


def reads_another(x):
    return read_by_another(x, 0), read_by_another(x, -1)


def summed(x, axis, depth):
    """Calls itself with the same constant, and with a depth that is none."""
    if depth <= 0:
        return np.sum(x, axis=axis)
    return summed(x + 1, axis, depth - 1) * 2


def all_summed(x, n):
    return summed(x, 0, n), summed(x, 1, 2)


def picked(pair, which=0):
    return pair[which]


def picks(x):
    pair = (x, 3)
    return picked(pair), picked(pair, 1), picked(pair, which=-1)


X = np.array([[1.0, -2.0, 0.5], [3.0, np.nan, -0.0]])
W = np.array([[0.5, 1.0], [-1.0, 2.0], [0.25, 8.0]])
NOTHING = np.zeros((0, 3))


def declared(x, axis: int | None = None, keep: bool | None = None, mode: str | None = None):
    """What is declared may be None, which is known of each call."""
    if axis is None:
        axis = 0 if mode is None else -1
    if keep:
        return x.sum(axis=axis, keepdims=True)
    total = x.sum(axis=axis)
    return total if mode is None or mode == "once" else total * 2


def calls_declared(x):
    first = declared(x), declared(x, 1, keep=None), declared(x, 0, False, "once")
    return first, declared(x, keep=True), declared(x, mode="twice")


def counted(n: int | None) -> int:
    total = 0
    while n is not None:
        total += n
        n = n - 1 if n > 0 else None
    return total


def deepened(n: int, depth: int | None = None) -> int:
    if depth is None:
        return deepened(n, 3)
    return n if depth == 0 else deepened(n + 1, depth - 1)


def given(n: int | None, text: str | None, flag: bool | None):
    return n, n is None, text is None, flag is None


def gives(k: int):
    n = None
    if k > 1:
        n = k
    return given(n, None, True), given(None, "a", None), given(k, None, k > 0), counted(n)


CASES: list[Case] = [
    (calls_declared, [(X,), (W,)]),
    (counted, [(3,), (None,), (0,)]),
    (deepened, [(1,), (1, 0), (1, 5)]),
    (given, [(1, None, False), (None, "", None), (-(2**62), "x", True)]),
    (gives, [(0,), (3,)]),
    (scaled_in_all_ways, [(W,), (W[::-1, ::-1],), (W.T,), (W.astype(np.float32),)]),
    (passes_on, [(W,), (X,)]),
    (lengths, [(W,), (X,), (NOTHING,), (W.T[::-1],)]),
    (both_results, [(W, 4), (X, 0), (NOTHING, -1)]),
    (all_distances, [(W,), (W[::2],), (X,)]),
    (unknown_kind, [(W,)]),
    (all_framed, [(W, 1), (X, 0), (X[:, ::-1], 3)]),
    (changes_inside, [(W,), (NOTHING,)]),
    (reads_another, [(W,), (W.T,)]),
    (all_summed, [(W, 0), (W, 3), (NOTHING, 1)]),
    (picks, [(W,)]),
]
