"""The calls that `bench_numpy_calls` measures, what their names stand for, and why some are slow.

An array has about `size` elements. `a`, `b` are tables of f64 in C order, `f` is one in Fortran
order, `s`, `t` are square, `u` is square in Fortran order, `c` has three axes, `v`, `w` have one,
`q` is a short one. `k`, `m` are integers, `i` indices of `v`, `g` is of f32, `h` of u8, `z` of
complex numbers, and `d` is a square of at most 200 rows that can be solved for.
"""

from collections.abc import Mapping, Sequence

import numpy as np

SIZES: Mapping[str, int] = {"small": 96, "middle": 10_000, "large": 1_000_000}

CALLS: Sequence[str] = """
np.sum(a)
np.sum(a, axis=0)
np.sum(a, axis=1)
np.sum(f)
np.sum(f, axis=0)
np.sum(f, axis=1)
np.sum(a.T, axis=0)
np.mean(a, axis=0)
np.mean(f, axis=1)
np.var(a, axis=1)
np.var(f, axis=0)
np.std(a, axis=0)
np.std(f, axis=1)
np.min(a)
np.max(a, axis=0)
np.max(f, axis=1)
np.min(a.T, axis=1)
np.argmax(a)
np.argmax(a, axis=0)
np.argmax(a, axis=1)
np.argmin(f, axis=0)
np.argmin(f, axis=1)
np.argmax(k)
np.any(a > 3, axis=1)
np.all(f > 0, axis=0)
np.sum(k)
np.sum(z, axis=0)
np.sum(g, axis=1)
np.sum(c, axis=1)
np.sum(c, axis=(0, 2))
np.prod(a, axis=0)
np.cumsum(v)
np.cumsum(a, axis=0)
np.cumsum(f, axis=1)
np.cumprod(a, axis=1)
np.sort(v)
np.sort(a, axis=0)
np.argsort(v)
np.argsort(a, axis=1)
np.median(v)
np.median(a, axis=1)
np.percentile(v, 30)
np.percentile(a, [10, 50, 90], axis=0)
np.partition(v, 7)
np.argpartition(v, 7)
np.unique(v)
np.unique(m)
np.searchsorted(q, v)
np.isin(v, q)
np.einsum("ij,ij->i", a, b)
np.einsum("ij,ij->j", a, b)
np.einsum("ij,ij", a, b)
np.einsum("ij,jk->ik", d, d)
np.einsum("ji,jk->ik", d, d)
np.einsum("ijk,k->ij", c, c[0, 0])
np.einsum("ijk,ljk->il", c[:40], c[:40])
np.einsum("ijk,klm->ijlm", c[:30], c.T[:, :8, :6])
np.einsum("ij->ji", a)
np.einsum("ii->i", s)
np.tensordot(c[:40], c[:40], axes=([1, 2], [1, 2]))
np.tensordot(c[:40], c[0].T, axes=1)
d @ d
d @ d.T
a @ b[0]
b[:, 0] @ a
np.dot(v, w)
np.outer(a[0], b[:, 0])
np.inner(d, d)
np.kron(a[:20, :20], b[:20, :20])
np.trace(s)
np.where(a > 2, a, b)
np.where(a > 2, a, f)
np.clip(v, 1, 2)
np.take(v, i)
v[i]
np.take(a, i[: len(a)] % len(a), axis=0)
v[v > 2]
np.compress(v > 2, v)
np.nonzero(v > 2)[0]
np.count_nonzero(a)
np.concatenate((a, b))
np.concatenate((a, b), axis=1)
np.stack((v, w), axis=1)
np.tile(a, 2)
np.repeat(v, 2)
np.repeat(a, 2, axis=0)
np.pad(a, 1)
np.roll(v, 3)
np.roll(a, 1, axis=0)
np.flip(a).copy()
a.T.copy()
c.transpose(2, 0, 1).copy()
f.copy()
np.exp(v)
np.log(v + 1)
np.log1p(v)
np.sin(v)
np.cos(v)
np.tanh(v)
np.arctan2(v, w)
np.sqrt(v)
np.hypot(v, w)
np.power(v, w)
v ** 2.5
v ** 3
np.cbrt(v)
np.abs(v - w)
np.abs(z)
np.exp(z)
z * z
np.exp(g)
a + b
a + f
s + s.T
s * t.T + u
f + f
f.T * 2 + 1
c.transpose(2, 0, 1) * q[: c.shape[2], None, None]
a - a.mean(axis=0)
f - f.mean(axis=1)[:, None]
v / w
v // 0.7
v % 0.7
k // 3
k % 3
k // m
k % m
k & m
k << 2
h * 3
h // 7
k > m
a > f
np.maximum(v, w)
np.round(v, 2)
np.floor(v)
np.isnan(v)
v.astype(np.float32)
v.astype(np.int64)
k.astype(np.float64)
np.histogram(v, 20)[0]
np.bincount(m)
np.bincount(m, v)
np.diff(v)
np.diff(a, axis=0)
np.gradient(v)
np.convolve(v[:20000], q)
np.interp(v, q, q)
np.linspace(0, 1, len(v))
np.arange(len(v))
np.zeros(a.shape)
np.ones(a.shape)
np.full(a.shape, 3.5)
np.eye(len(s))
np.meshgrid(a[0], b[:, 0])[0]
np.tril(s)
np.linalg.solve(d, d[0])
np.linalg.inv(d)
np.linalg.det(d)
np.linalg.norm(a)
np.linalg.norm(a, axis=1)
np.fft.fft(v)
np.fft.rfft(a, axis=1)
np.allclose(v, w)
np.array_equal(a, b)
""".strip().splitlines()

# Why scripts take longer than NumPy for calls: by the text of the call.
_IN_C_ORDER = "results are in C order, turned in registers; NumPy keeps Fortran's and turns nothing"
_ROWS = "sums of rows have one order in every layout: a copy in rows is read, which takes its time"
_TWO_WALKS = "a walk finds the element, a second one parts the row, in its order; a copy of the row"
_NUMPYS = "NumPy's own code on both sides"
_STREAMS = (
    "as many bytes of each array as NumPy's loop, in the same order: memory, 0.8 to 1.2 by run"
)
_SIX_ROWS = "six rows at a time, each loaded once; where no near cache holds them, that is no gain"
REASONS: Mapping[str, str] = {
    'np.einsum("ij->ji", a)': "NumPy gives a view",
    "f + f": _IN_C_ORDER,
    "f - f.mean(axis=1)[:, None]": _IN_C_ORDER,
    "c.transpose(2, 0, 1) * q[: c.shape[2], None, None]": _IN_C_ORDER,
    **dict.fromkeys(
        ("a + f", "a > f"), "nine tenths wait for f, an element of each line at a time"
    ),
    "np.std(f, axis=1)": _ROWS,
    "np.var(f, axis=0)": "folds that are computed together go row by row",
    "np.power(v, w)": "180 instructions a vector, no waits: a logarithm and a product in two parts",
    "v ** 2.5": "180 instructions a vector, no waits: a logarithm and a product in two parts",
    "np.cbrt(v)": "NumPy's AVX-512 code, of Intel's library",
    "np.log1p(v)": "NumPy's AVX-512 code, of Intel's library",
    "np.abs(z)": "a root and a quotient, for the bits of the C library's hypot, share the divider; "
    "NumPy's vectors, up to 1.8 ulp off, have the root alone",
    "np.argsort(v)": _NUMPYS,
    "np.argsort(a, axis=1)": _NUMPYS,
    "np.sort(v)": _NUMPYS,
    "np.fft.rfft(a, axis=1)": _NUMPYS,
    "np.take(v, i)": "85 % are gathers, 13 % a look at all indices first, which reads them twice",
    "np.nonzero(v > 2)[0]": "a quarter counts, two thirds write one index at a time",
    "np.partition(v, 7)": _TWO_WALKS,
    "np.argpartition(v, 7)": _TWO_WALKS,
    "np.diff(a, axis=0)": _SIX_ROWS,
    "np.concatenate((a, b), axis=1)": "rows are copied by loops of vectors, NumPy's by C's library",
    "np.eye(len(s))": "memory that is cleared, by stores of vectors; NumPy's by the C library's",
    "f.copy()": "columns are turned at the speed of a plain copy in a cache; memory beyond it",
    **dict.fromkeys(
        (
            *("a + b", "k > m", "k << 2", "v.astype(np.float32)", "np.zeros(a.shape)", "v / w"),
            *("np.min(a)", "np.argmax(k)", "np.floor(v)", "h * 3", "np.dot(v, w)"),
        ),
        _STREAMS,
    ),
}


def arrays(size: int) -> Mapping[str, np.ndarray]:
    """Return what the names of the calls stand for."""
    random = np.random.default_rng(0)
    rows = int(size**0.5 * 0.8)
    columns, side, deep = size // rows, int(size**0.5), max(2, int(size ** (1 / 3)))
    count = rows * columns

    def floats(*shape: int) -> np.ndarray:
        return random.random(shape) * 4

    solved = floats(*[min(side, 200)] * 2)
    return {
        "a": floats(rows, columns),
        "b": floats(rows, columns),
        "f": np.asfortranarray(floats(rows, columns)),
        "s": floats(side, side),
        "t": floats(side, side),
        "u": np.asfortranarray(floats(side, side)),
        "c": floats(deep, deep, deep),
        "v": floats(count),
        "w": floats(count) + 0.1,
        "q": np.sort(floats(100 if deep < 100 else deep)),
        "k": random.integers(-1000, 1000, count),
        "m": random.integers(1, 100, count),
        "i": random.integers(0, count, count),
        "g": floats(rows, columns).astype(np.float32),
        "h": random.integers(0, 256, (rows, columns)).astype(np.uint8),
        "z": floats(rows, columns) + 1j * floats(rows, columns),
        "d": solved + np.eye(len(solved)) * len(solved),
    }
