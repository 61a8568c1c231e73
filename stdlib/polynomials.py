"""Polynomials, whose highest coefficient comes first, in the script language."""

import numpy as np

INCREASING = False
REAL = False


def vander(x, count: int):
    """Return the powers of each element from the highest on, or from 0 on if INCREASING."""
    powers = np.empty((len(x), count), x.dtype)
    turned = powers if INCREASING else powers[:, ::-1]
    for k in range(count if len(x) > 0 else 0):
        if k == 0:
            turned[:, 0] = 1
        elif k == 1:
            turned[:, 1] = x
        else:
            turned[:, k] = turned[:, k - 1] * x
    return powers


def square_vander(x):
    """Return as many powers of each element as there are elements."""
    return vander(x, len(x))


def raised(p, count: int):
    """Return a polynomial with as many coefficients, the first ones zero."""
    out = np.zeros(count, p.dtype)
    out[count - len(p) :] = p
    return out


def polyadd(p, q):
    """Return the sum of two polynomials."""
    count = max(len(p), len(q))
    return raised(p, count) + raised(q, count)


def polysub(p, q):
    """Return the difference of two polynomials."""
    count = max(len(p), len(q))
    return raised(p, count) - raised(q, count)


def trimmed(p):
    """Return a polynomial without leading zeros, but with one coefficient."""
    first = 0
    while first < len(p) - 1 and p[first] == 0:
        first += 1
    if len(p) == 0:
        return np.zeros(1, p.dtype)
    return p[first:].copy()


def polymul(p, q):
    """Return the product of two polynomials."""
    return np.convolve(trimmed(p), trimmed(q))


def polydiv(p, q):
    """Return how often one polynomial goes into another, and what is left."""
    more = len(p) - len(q)
    scale = 1.0 / q[0]
    times = np.zeros(max(more + 1, 1))
    rest = p.copy()
    for k in range(more + 1):
        factor = scale * rest[k]
        times[k] = factor
        rest[k : k + len(q)] -= factor * q
    first = 0
    while first < len(rest) - 1 and abs(rest[first]) <= 1e-8:
        first += 1
    return times, rest[first:]


def polyder(p, order: int):
    """Return the derivative of a polynomial, taken `order` times."""
    for _ in range(order):
        p = p[:-1] * np.arange(len(p) - 1, 0, -1)
    return p


def polyint(p, order: int, constants):
    """Return an antiderivative of a polynomial, taken `order` times, with constants."""
    given = len(constants)
    if given < order and given != 1:
        raise ValueError("k must be a scalar or a rank-1 array of length 1 or >m.")
    for i in range(order):
        out = np.empty(len(p) + 1)
        out[:-1] = p / np.arange(len(p), 0, -1)
        out[-1] = constants[i if given > 1 else 0]
        p = out
    return p


def polyfit(x, y, degree: int, ratio, weights):
    """Return the polynomial that is nearest to points, by least squares of scaled powers."""
    if degree < 0:
        raise ValueError("expected deg >= 0")
    if len(x) == 0:
        raise TypeError("expected non-empty vector for x")
    if len(x) != len(y):
        raise TypeError("expected x and y to have same length")
    powers = np.vander(x.astype(np.float64), degree + 1)
    values = y.copy()
    if weights is not None:
        if len(weights) != len(y):
            raise TypeError("expected w and y to have the same length")
        powers *= weights[:, None]
        if y.ndim == 1:
            values *= weights
        else:
            values *= weights[:, None]
    least = len(x) * np.finfo(x.dtype).eps if ratio is None else ratio
    scale = np.sqrt(np.sum(powers * powers, axis=0))
    powers /= scale
    found, _, _, _ = np.linalg.lstsq(powers, values, least)
    return (found.T / scale).T


def poly(zeros):
    """Return the polynomial with these zeros and a first coefficient of one."""
    if len(zeros) == 0:
        raise ValueError("of no zeros NumPy gives a number, which the type of this is not")
    out = np.zeros(len(zeros) + 1, zeros.dtype)
    out[0] = 1
    for k in range(len(zeros)):
        # The product with x - zero, in place from the end.
        for i in range(k + 1, 0, -1):
            out[i] = out[i] - zeros[k] * out[i - 1]
    return out


def roots(p):
    """Return the zeros of a polynomial: the eigenvalues of its companion matrix."""
    first = 0
    last = len(p)
    while first < last and p[first] == 0:
        first += 1
    while last > first and p[last - 1] == 0:
        last -= 1
    count = last - first
    if count < 2 and REAL:
        return np.zeros(len(p) - last, p.dtype)
    if count < 2:
        raise ValueError("of no zeros but 0 NumPy gives floats, which these are not")
    companion = np.zeros((count - 1, count - 1), p.dtype)
    for i in range(count - 2):
        companion[i + 1, i] = 1
    companion[0] = -p[first + 1 : last] / p[first]
    out = np.zeros(count - 1 + len(p) - last, p.dtype)
    out[: count - 1] = np.linalg.eigvals(companion)
    return out
