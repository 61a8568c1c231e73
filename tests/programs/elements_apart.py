"""Elements that lie apart in memory: columns of tables, pixels, steps, reversed rows."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case


def quotients_of_columns(a):
    return (a[:, 0] - a[:, 1]) / (a[:, 2] + 2.5), a[:, -1] / (a[:, 0] + 0.5) - a[:, 1]


def into_columns(a, x):
    a[:, 0] = x / (x * x + 1.0) - x
    a[:, 2] = np.sqrt(x * x + a[:, 1] * a[:, 1]) / 3.0
    return a


def hues(rgb):
    r, g, b = rgb[..., 0], rgb[..., 1], rgb[..., 2]
    most, least = rgb.max(axis=-1), rgb.min(axis=-1)
    spread = np.where(most == least, 1, most - least)
    hue = np.where(most == r, (g - b) / spread % 6, np.where(most == g, (b - r) / spread + 2, 4))
    return np.stack((hue, most, least), axis=-1)


def by_steps(x, a):
    first = 1 / (x[::2] * x[::2] + 1) / (np.sqrt(np.abs(x[::2])) + 1)
    last = 1 / (x[::-1] * x[::-1] + 1) / (np.sqrt(np.abs(x[::-1])) + 1) - x[::-1] / 3
    return first, last, np.sqrt(np.abs(a[:, ::-1])) / (np.sqrt(a[:, ::3] ** 2 + 1) / 7)[:, :1]


def shares(z, labels):
    hot = (labels[:, None] == np.arange(z.shape[1])[None, :]).astype(z.dtype)
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True) - hot


def _is_near(x, y):
    return (np.abs(x / y - 1) < 1e-14) | (x == y) | ((x != x) & (y != y))


def halves(x):
    y = np.abs(x) + 0.25
    root = np.sqrt(y)
    up = _is_near(y**1.5, y * root), _is_near(y**2.5, y * y * root)
    down = _is_near(y**-0.5, 1 / root), _is_near(y**-1.5, 1 / root / y)
    return *up, *down, _is_near(y**-2, 1 / y / y), _is_near(y**-3.0, 1 / y / y / y)


def halves_of_zeros(x):
    return x**1.5, x**2.5, x**-0.5, x**-1.5, x**-2, x**-3.0


def halves_of_numbers(x: float):
    return x**1.5, x**2.5, x**-0.5, x**-1.5, x**-2.0, x**-3.0


TABLE = np.arange(1.0, 61.0).reshape(20, 3) % 7 - 2
PIXELS = (np.arange(4 * 9 * 3) * 37 % 64 / 64).reshape(4, 9, 3)
SPECIAL = TABLE.copy()
SPECIAL[3, 0], SPECIAL[9, 1], SPECIAL[17, 2], SPECIAL[18] = np.nan, np.inf, -np.inf, -0.0
LABELS = np.arange(20) % 3

CASES: list[Case] = [
    (quotients_of_columns, [(TABLE,), (SPECIAL,), (TABLE[:0],), (TABLE[:7],), (TABLE[:8],)]),
    (quotients_of_columns, [(np.asfortranarray(TABLE),), (TABLE[::-2],), (TABLE.astype("f4"),)]),
    (quotients_of_columns, [(TABLE[:, ::-1],), (np.repeat(TABLE, 2, axis=1)[:, ::2],)]),
    (into_columns, [(TABLE.copy(), TABLE[:, 1] * 2), (TABLE[:9].copy(), np.arange(9.0))]),
    (into_columns, [(SPECIAL.copy(), SPECIAL[:, 2].copy()), (TABLE[:0].copy(), np.arange(0.0))]),
    (into_columns, [(np.asfortranarray(TABLE), np.arange(20.0))]),
    (hues, [(PIXELS,), (PIXELS[:, ::2],), (PIXELS[:0],), (PIXELS[:, :1],), (PIXELS * 0,)]),
    (by_steps, [(np.arange(float(n)) / 7 - 1, TABLE[:n]) for n in (0, 1, 2, 15, 16, 17)]),
    (by_steps, [(np.arange(40.0)[::2] / 9, SPECIAL)]),
    (
        shares,
        [(TABLE, LABELS), (TABLE[:3], LABELS[:3]), (TABLE[:, :1], LABELS), (TABLE, LABELS[:1])],
    ),
    (shares, [(np.tile(TABLE, 7), LABELS), (TABLE[:0], LABELS[:0])]),
    (halves, [(TABLE,), (TABLE[:, 0],), (np.array([1e-60, 1e60, np.inf, np.nan]),)]),
    (halves_of_zeros, [(np.array([0.0, -0.0, np.inf, 1.0, 4.0, np.nan]),)]),
    (halves_of_numbers, [(4.0,), (0.25,), (1e300,), (np.inf,), (0.0,), (-0.0,), (np.nan,)]),
]
