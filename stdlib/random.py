"""Random orders and choices, in the script language, from the numbers that NumPy draws for them.

`rng` is a Generator, or where OLDER a RandomState.  The numbers are drawn in NumPy's order, so that
results are NumPy's, and generators are left as it leaves them.
"""

import numpy as np

from scriptc_runtime import unsafe

OLDER = False
REPLACE = True
SHUFFLE = True
METHOD = "svd"


def shuffle(rng, x):
    """Put the rows of x, along its first axis, in a random order (R. Durstenfeld, 1964)."""
    if x.size == 0:
        return
    for i in range(x.shape[0] - 1, 0, -1):
        j = unsafe.draw_index(rng, i)
        if x.ndim == 1:
            kept = x[j]
            x[j] = x[i]
            x[i] = kept
        elif i != j:
            row = x[j].copy()
            x[j] = x[i]
            x[i] = row


def shuffle_items(rng, items):
    """Put the items of a list in a random order."""
    order = permuted_range(rng, len(items))
    items[:] = [items[i] for i in order]


def permuted_range(rng, n: int):
    """Return the ints below n in a random order."""
    out = np.arange(n)
    rng.shuffle(out)
    return out


def permuted(rng, x):
    """Return the rows of x in a random order."""
    if x.ndim == 1:
        out = x.copy()
        rng.shuffle(out)
        return out
    return x[permuted_range(rng, x.shape[0])]


def multivariate_normal(rng, mean, cov, shape):
    """Return vectors of normal numbers: independent ones times a root of the covariance."""
    n = mean.shape[0]
    if cov.shape[0] != cov.shape[1]:
        raise ValueError("cov must be 2 dimensional and square")
    if n != cov.shape[0]:
        raise ValueError("mean and cov must have same length")
    x = rng.standard_normal(shape).reshape(-1, n)
    if METHOD == "cholesky":
        root = np.linalg.cholesky(cov)
    elif METHOD == "eigh":
        s, u = np.linalg.eigh(cov)
        root = u * np.sqrt(np.abs(s))
    else:
        u, s, v = np.linalg.svd(cov)
        root = (np.sqrt(s)[:, np.newaxis] * v).T if OLDER else u * np.sqrt(s)
    return (mean + x @ root.T).reshape(shape)


def count_of(shape):
    """Return the number of elements of an array."""
    count = 1
    for size in shape:
        count *= size
    return count


def population(a, count: int) -> int:
    """Return how many there are to choose `count` from."""
    if isinstance(a, np.ndarray):
        n = a.shape[0]
        if n == 0 and count != 0:
            if OLDER:
                raise ValueError("'a' cannot be empty unless no samples are taken")
            raise ValueError("a cannot be empty unless no samples are taken")
        return n
    if a <= 0 and count != 0:
        if OLDER:
            raise ValueError("a must be greater than 0 unless no samples are taken")
        raise ValueError("a must be a positive integer unless no samples are taken")
    return a


def require_room(n: int, count: int):
    """Refuse to take more than there are."""
    if count > n:
        if OLDER:
            raise ValueError("Cannot take a larger sample than population when 'replace=False'")
        raise ValueError("Cannot take a larger sample than population when replace is False")
    if count < 0:
        if OLDER:
            raise ValueError("Negative dimensions are not allowed")
        raise ValueError("negative dimensions are not allowed")


def require_chances(p, n: int, slack: float):
    """Refuse probabilities that are none; their sum is W. Kahan's (1965)."""
    if p.shape[0] != n:
        if OLDER:
            raise ValueError("'a' and 'p' must have same size")
        raise ValueError("a and p must have same size")
    total = p[0]
    lost = 0.0
    for i in range(1, n):
        part = p[i] - lost
        more = total + part
        lost = (more - total) - part
        total = more
    if np.isnan(total):
        if OLDER:
            raise ValueError("probabilities contain NaN")
        raise ValueError("Probabilities contain NaN")
    if np.any(p < 0):
        if OLDER:
            raise ValueError("probabilities are not non-negative")
        raise ValueError("Probabilities are not non-negative")
    if abs(total - 1.0) > slack:
        if OLDER:
            raise ValueError("probabilities do not sum to 1")
        raise ValueError(
            "Probabilities do not sum to 1. See Notes section of docstring for more information."
        )


def uniforms(rng, count: int):
    """Return numbers below 1."""
    if OLDER:
        return rng.random_sample(count)
    return rng.random(count)


def places(p, numbers):
    """Return where in the sums of chances numbers fall."""
    sums = np.cumsum(p)
    sums /= sums[-1]
    return np.searchsorted(sums, numbers, side="right")


def order_tail(rng, x, first: int):
    """Put the elements of x from the last to `first` in a random order, among all before them."""
    for i in range(x.shape[0] - 1, first - 1, -1):
        j = rng.integers(0, i, endpoint=True)
        kept = x[j]
        x[j] = x[i]
        x[i] = kept


def distinct(rng, n: int, count: int):
    """Return ints below n, each at most once: R. W. Floyd's, for few (CACM 30, 1987)."""
    if n > 10000 and count > n // (50 if SHUFFLE else 20):
        whole = np.arange(n)
        order_tail(rng, whole, max(n - count, 1))
        return whole[n - count :].copy()
    out = np.empty(count, np.int64)
    mask = 1
    while mask < int(1.2 * count):
        mask = 2 * mask + 1
    if int(1.2 * count) == 0:
        mask = 0
    table = np.full(mask + 1, -1)
    for j in range(n - count, n):
        value = int(rng.integers(0, j, endpoint=True))
        place = value & mask
        while table[place] != -1 and table[place] != value:
            place = (place + 1) & mask
        if table[place] != -1:
            value = j
            place = value & mask
            while table[place] != -1:
                place = (place + 1) & mask
        table[place] = value
        out[j - n + count] = value
    if SHUFFLE:
        order_tail(rng, out, 1)
    return out


def distinct_weighted(rng, n: int, count: int, p):
    """Return ints below n, each at most once, by their chances."""
    if np.sum(p > 0) < count:
        raise ValueError("Fewer non-zero entries in p than size")
    left = p.copy()
    out = np.zeros(count, np.int64)
    found = 0
    while found < count:
        numbers = uniforms(rng, count - found)
        for i in range(found):
            left[out[i]] = 0.0
        known = found
        for place in places(left, numbers):
            is_new = True
            for i in range(known, found):
                is_new = is_new and out[i] != place
            if is_new:
                out[found] = place
                found += 1
    return out


def indices(rng, n: int, count: int):
    """Return ints below n."""
    if REPLACE and OLDER:
        return rng.randint(0, n, count)
    if REPLACE:
        return rng.integers(0, n, count)
    require_room(n, count)
    if OLDER:
        return permuted_range(rng, n)[:count]
    return distinct(rng, n, count)


def indices_weighted(rng, n: int, count: int, p, slack: float):
    """Return ints below n by their chances."""
    require_chances(p, n, slack)
    if REPLACE:
        return places(p, uniforms(rng, count))
    require_room(n, count)
    return distinct_weighted(rng, n, count, p)


def picked(a, found):
    """Return the elements of a, or the indices if a is their number."""
    if isinstance(a, np.ndarray):
        return a[found]
    return found


def chosen(rng, a, shape):
    """Return a random choice from the elements of a, or from the ints below it."""
    count = count_of(shape)
    return picked(a, indices(rng, population(a, count), count)).reshape(shape)


def chosen_weighted(rng, a, shape, p, slack: float):
    """Return a random choice by chances."""
    count = count_of(shape)
    found = indices_weighted(rng, population(a, count), count, p, slack)
    return picked(a, found).reshape(shape)


def one_chosen(rng, a):
    """Return one element of a, or one int below it."""
    n = population(a, 1)
    if REPLACE and not OLDER:
        return picked(a, rng.integers(0, n))
    return picked(a, indices(rng, n, 1)[0])


def one_chosen_weighted(rng, a, p, slack: float):
    """Return one element of a, or one int below it, by chances."""
    return picked(a, indices_weighted(rng, population(a, 1), 1, p, slack)[0])
