"""Reductions and scans of NumPy: over axes, with a dtype, into `out`, as methods."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

# Dyadic, so that sums are exact in any order.
TABLE = np.array([[1.5, -2.0, 0.5, 4.0], [0.25, 8.0, -1.0, 0.0], [2.0, -0.5, 3.0, 1.0]])
WHOLE = np.array([[3, -1, 4], [1, -5, 9]])
CUBE = np.arange(24.0).reshape(2, 3, 4) / 4 - 2
POWERS = np.array([[2.0, 0.5, -1.0], [4.0, 1.0, -2.0]])
NANS = np.array([[1.0, np.nan, 3.0], [np.inf, -0.0, 0.0]])
MASK = np.array([[True, False, True], [False, False, True]])
EMPTY = np.zeros((0, 3))
NARROW = np.zeros((2, 0))


def products(a):
    return np.prod(a), np.prod(a, axis=0), a.prod(axis=1), np.prod(a, keepdims=True)


def of_numbers_along_an_axis(x):
    return (
        *(np.sum(x, axis=0), np.prod(x, axis=-1), np.max(x, axis=0), np.min(x, axis=-1)),
        *(np.any(x, axis=0), np.all(x, axis=-1, keepdims=True), np.sum(np.sum(x), axis=-1)),
        *(np.count_nonzero(x, axis=0), np.max(x, axis=0, initial=x)),
    )


def truths(a):
    return np.any(a), np.all(a), a.any(axis=0), a.all(axis=1), np.any(a, axis=1, keepdims=True)


def truth_of_several(a):
    return np.any(a > 1, axis=(0, 2)), np.all(a > -9, axis=(1, 2), keepdims=True), (a > 0).all()


def axes(a):
    return (
        np.sum(a, axis=(0, 2)),
        a.sum(axis=(1, 2), keepdims=True),
        a.max(axis=(0, 1)),
        np.mean(a, axis=(0, 2)),
        a.min(axis=-1),
        np.prod(a, axis=(0, 1)),
    )


def dtypes(a):
    return (
        np.sum(a, dtype=np.float64),
        a.sum(axis=0, dtype=np.float32),
        np.mean(a, dtype=np.float32),
    )


def narrow_dtypes(a):
    """Sums and products wrap around in the dtype that is asked for; those of truth are truth."""
    return (
        a.sum(dtype=np.int8),
        np.sum(a, axis=0, dtype=np.int32),
        np.sum(a, axis=-1, dtype=np.int8, initial=100, where=a != 3),
        np.add.reduce(a, dtype=np.int16),
        np.prod(a, axis=-1, dtype=np.int16),
        np.prod(a, keepdims=True, dtype=np.int32),
        np.trace(a, dtype=np.int8),
        np.nanprod(a, axis=-1),
        np.cumsum(a, axis=0, dtype=np.int8),
    )


def of_truth(a):
    return (
        np.sum(a, dtype=np.bool_),
        a.sum(axis=-1, dtype=np.bool_, where=a > 2),
        np.prod(a, axis=0, dtype=np.bool_),
        np.cumsum(a, dtype=np.bool_),
        np.cumprod(a, axis=-1, dtype=np.bool_),
    )


def in_the_dtype_of_out(a, out, rows):
    np.sum(a, axis=0, out=out[0])
    np.prod(a, axis=0, out=out[1])
    np.mean(a, axis=0, out=out[2])
    np.cumsum(a, axis=0, out=rows)
    return np.add.reduce(a, axis=0, out=out[3])


def spreads(a):
    return np.var(a, axis=0), a.var(ddof=1), np.var(a, axis=1, ddof=1, keepdims=True)


def deviations(a, want, sample):
    found, other = np.std(a, axis=0), a.std(axis=0, ddof=1)
    same = np.abs(found - want) <= 1e-14 * want
    return same | (found == want), np.abs(other - sample) <= 1e-14 * sample


def extremes(a):
    return a.argmin(), np.argmin(a, axis=0), np.argmin(a, axis=1, keepdims=True), a.argmax(axis=-1)


def places_along(a):
    found = np.argmin(a, axis=0), np.argmax(a, axis=0), a.argmax(axis=-1), a.argmin(axis=-2)
    return found, np.argmin(a, axis=0, keepdims=True), a.argmax(axis=-2, keepdims=True)


def ranges(a):
    return np.ptp(a), np.ptp(a, axis=0), np.ptp(a, axis=1, keepdims=True)


def counts(a):
    return np.count_nonzero(a), np.count_nonzero(a, axis=0), np.count_nonzero(a, axis=(0, 1))


def scans(a):
    return np.cumsum(a), np.cumsum(a, axis=0), a.cumsum(axis=1), np.cumprod(a, axis=-1)


def scans_of_one(a):
    return np.cumsum(a), a.cumprod(), np.cumsum(a[::-1]), np.cumsum(a, dtype=np.float64)


def differences(a):
    return np.diff(a), np.diff(a, axis=0), np.diff(a, n=2), np.diff(a, n=0)


def traces(a):
    return np.trace(a), np.trace(a, offset=1), a.trace(-1), np.trace(a, 7)


def averages(a, weights):
    return np.average(a), np.average(a, axis=0), np.average(a, axis=0, weights=weights)


def averages_by_one(a, weights):
    return np.average(a, axis=1, weights=weights), np.average(a, axis=-1, weights=weights)


def average_of_all(a, weights):
    return np.average(a, weights=weights)


def of_complex(a):
    return (
        np.mean(a, axis=0),
        a.mean(),
        np.var(a, axis=-1),
        np.std(a, axis=0, ddof=2, keepdims=True),
        np.prod(a, dtype=np.bool_),
        np.sum(a, axis=0, dtype=np.bool_),
    )


def complex_of_real(a):
    return np.prod(a, axis=0, dtype=np.complex128), np.mean(a, dtype=np.complex64)


def into(a, out):
    result = np.sum(a, axis=0, out=out)
    a.max(axis=0, out=out[::-1])
    return result


def into_of_wrong_size(a, out):
    return np.sum(a, axis=0, out=out)


def smallest_of_nothing(a):
    return a.argmin(axis=0)


def of_numbers(x):
    return np.sum(x), np.max(x), np.any(x), np.mean(x), np.prod(x)


def fused(a):
    shifted = a - a.mean(axis=0)
    return np.prod(shifted > 0, axis=1), (np.abs(shifted) > 0.5).any(axis=0)


def strided(a):
    return (
        a.T[::-1].cumsum(axis=0),
        np.prod(a[::2, ::-1], axis=0),
        a.T.any(axis=1),
        a.T.argmin(axis=0),
    )


# Sums of these wrap around, or lose what is small.
LARGE = np.array([[2**62, 100, 3], [2**62, 27, -7], [2**62 + 5, 2**31, 0]])
UNEVEN = np.array([[1e8, 1.0, 1.0], [1.0, 1e8, 1.0], [1.0, 0.5, 0.0]], np.float32)
# Means and distances from them are exact.
COMPLEX = np.array([[3 + 1j, -1 - 7j, 5j, 2 + 1j], [1 - 3j, 7 + 1j, 4 - 1j, -4 + 7j]])
_WEIGHTS = np.array([[1.0, 2.0, 1.0, 4.0], [1.0, 2.0, 2.0, 0.0], [2.0, 0.0, 1.0, 4.0]])
_WITH_STD = (TABLE, TABLE.std(axis=0), TABLE.std(axis=0, ddof=1))

# Tables and a cube with repeated elements and NaN, in every order of their axes and of elements.
_MANY = np.random.default_rng(3).integers(0, 9, (40, 7, 6)).astype(float)
_MANY[_MANY == 4] = -0.0
_MISSING = _MANY.copy()
_MISSING[::5, 2] = np.nan
_LAYOUTS = [
    *(np.asfortranarray(x[:, :, 1]) for x in (_MANY, _MISSING)),
    *(np.asfortranarray(_MANY[:, 1]).astype(t) for t in ("u1", "i2", "i4", "i8", "?", "f4", "f2")),
    *(
        np.asfortranarray(_MANY[:, 1])[k]
        for k in (np.s_[::-1], np.s_[:, ::-2], np.s_[::3], np.s_[:1])
    ),
    *(np.asfortranarray(_MISSING[:, :, k]) for k in (slice(0, 1), slice(1, 4))),
    *(_MISSING.transpose(axes) for axes in ((0, 1, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0), (0, 2, 1))),
    _MISSING[:, ::2, ::-1].T,
]
CASES: list[Case] = [
    (products, [(POWERS,), (WHOLE,), (MASK,), (EMPTY,), (NARROW,), (NANS,), (POWERS.T,)]),
    (truths, [(TABLE,), (MASK,), (WHOLE,), (EMPTY,), (NARROW,), (NANS,), (MASK[:, ::-2],)]),
    (truth_of_several, [(CUBE,), (CUBE.T,), (CUBE[:, :0],)]),
    (axes, [(CUBE,), (CUBE.astype(np.float32),), (CUBE.transpose(1, 2, 0),)]),
    (dtypes, [(TABLE,), (TABLE.astype(np.float32),)]),
    (
        narrow_dtypes,
        [(LARGE,), (LARGE.astype(np.int8),), (LARGE.astype(np.uint16),), (WHOLE,), (LARGE[:0],)],
    ),
    (of_truth, [(LARGE,), (UNEVEN,), (LARGE != 3,), (WHOLE[:, :0],), (LARGE.astype(np.uint8),)]),
    (
        in_the_dtype_of_out,
        [
            (LARGE, np.zeros((4, 3)), np.zeros((3, 3))),
            (UNEVEN, np.zeros((4, 3)), np.zeros((3, 3))),
            (LARGE.astype(np.int32), np.zeros((4, 3)), np.zeros((3, 3))),
            (LARGE.astype(np.int16)[::-1], np.zeros((4, 3), np.float32)[::-1], LARGE.copy()),
            (UNEVEN.astype(np.float64), np.zeros((4, 3), np.float32), np.zeros((3, 3), np.float32)),
        ],
    ),
    (
        spreads,
        [(np.array([[1.0, 2.0], [3.0, 6.0]]),), (np.array([[1, 2], [3, 6]]),), (np.ones((1, 2)),)],
    ),
    (deviations, [_WITH_STD, tuple(x[..., ::-1] for x in _WITH_STD)]),
    (extremes, [(TABLE,), (WHOLE,), (NANS,), (MASK,), (TABLE.T,)]),
    (ranges, [(TABLE,), (WHOLE,), (NANS,), (EMPTY,)]),
    (counts, [(TABLE,), (MASK,), (WHOLE,), (EMPTY,), (NANS,)]),
    (
        scans,
        [(TABLE,), (WHOLE,), (MASK,), (EMPTY,), (NARROW,), (NANS,), (TABLE.astype(np.float32),)],
    ),
    (scans_of_one, [(TABLE[0],), (WHOLE[1],), (EMPTY[:, 0],)]),
    (differences, [(TABLE,), (WHOLE,), (MASK,), (EMPTY,), (NANS,)]),
    (traces, [(TABLE,), (WHOLE,), (EMPTY,), (TABLE.T,)]),
    (averages, [(TABLE, _WEIGHTS), (TABLE, _WEIGHTS[:2]), (TABLE, TABLE * 0), (EMPTY, EMPTY)]),
    (averages_by_one, [(TABLE, _WEIGHTS[0]), (TABLE, _WEIGHTS[0, :3]), (TABLE, np.zeros(4))]),
    (average_of_all, [(TABLE, _WEIGHTS), (TABLE, _WEIGHTS[:2])]),
    (of_complex, [(COMPLEX,), (COMPLEX.T,), (COMPLEX.astype(np.complex64),), (COMPLEX[:0],)]),
    (of_complex, [(COMPLEX * [[np.inf, 1, np.nan, 1]],)]),
    (complex_of_real, [(TABLE,), (WHOLE,), (TABLE.astype(np.float32),), (EMPTY,)]),
    (into, [(TABLE, np.zeros(4)), (TABLE.astype(np.float32), np.zeros(4))]),
    (into_of_wrong_size, [(EMPTY, np.zeros(3))]),
    (smallest_of_nothing, [(EMPTY,), (NARROW,)]),
    (of_numbers, [(2.5,), (np.float32(1.5),), (3,)]),
    (of_numbers_along_an_axis, [(2.5,), (np.float32(-0.0),), (3,), (np.nan,), (True,)]),
    (places_along, [(a,) for a in _LAYOUTS]),
    (places_along, [(np.asfortranarray(WHOLE[:0]),), (np.asfortranarray(WHOLE[:, :0]),)]),
    (fused, [(TABLE,), (TABLE.T,)]),
    (strided, [(TABLE,), (TABLE[::-1],)]),
]
