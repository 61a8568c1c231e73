"""Systems of equations with three diagonals, in the script language."""


def gtsv(below, diagonal, above, right):
    """Solve a tridiagonal system with several right sides, of shape [n, k].

    Gaussian elimination with partial pivoting, in the order of LAPACK's dgtsv (Anderson and others,
    LAPACK Users' Guide, 1999).  The result has LAPACK's form: the second diagonal above that row
    interchanges make, the diagonal, the one above it, the solution, and the number of the first
    pivot that is zero, 0 where there is none.
    """
    require_lengths(below, diagonal, above, right)
    dl, d, du, x = below.copy(), diagonal.copy(), above.copy(), right.copy()
    info = eliminate(dl, d, du, x)
    if info == 0:
        substitute(dl, d, du, x)
    return dl, d, du, x, info


def gtsv_of_one(below, diagonal, above, right):
    """Solve a tridiagonal system with one right side, of shape [n]."""
    require_lengths(below, diagonal, above, right)
    dl, d, du, x = below.copy(), diagonal.copy(), above.copy(), right.copy()
    info = eliminate_one(dl, d, du, x)
    if info == 0:
        substitute_one(dl, d, du, x)
    return dl, d, du, x, info


def require_lengths(below, diagonal, above, right):
    """Raise ValueError if these are no diagonals of a matrix, with right sides."""
    count = diagonal.shape[0]
    if count < 2 or right.shape[0] != count:
        raise ValueError("dgtsv: d and b have one length, of at least 2")
    if below.shape[0] != count - 1 or above.shape[0] != count - 1:
        raise ValueError("dgtsv: dl and du have one element less than d")


def eliminate(dl, d, du, x):
    """Eliminate the diagonal `dl`, which takes up what row interchanges make."""
    last = d.shape[0] - 1
    for i in range(last):
        if abs(d[i]) >= abs(dl[i]):
            if d[i] == 0.0:
                return i + 1
            factor = dl[i] / d[i]
            d[i + 1] -= factor * du[i]
            for k in range(x.shape[1]):
                x[i + 1, k] -= factor * x[i, k]
            if i < last - 1:
                dl[i] = 0.0
        else:
            factor = d[i] / dl[i]
            d[i], swapped = dl[i], d[i + 1]
            d[i + 1] = du[i] - factor * swapped
            if i < last - 1:
                dl[i] = du[i + 1]
                du[i + 1] = -factor * dl[i]
            du[i] = swapped
            for k in range(x.shape[1]):
                first = x[i, k]
                x[i, k] = x[i + 1, k]
                x[i + 1, k] = first - factor * x[i, k]
    return last + 1 if d[last] == 0.0 else 0


def substitute(dl, d, du, x):
    """Solve for `x` from the last row to the first."""
    last = d.shape[0] - 1
    for k in range(x.shape[1]):
        x[last, k] /= d[last]
        x[last - 1, k] = (x[last - 1, k] - du[last - 1] * x[last, k]) / d[last - 1]
        for i in range(last - 2, -1, -1):
            x[i, k] = (x[i, k] - du[i] * x[i + 1, k] - dl[i] * x[i + 2, k]) / d[i]


def eliminate_one(dl, d, du, x):
    """Do what `eliminate` does for one right side.

    Each row waits for the one before it, which is at hand here and not read from memory again.
    """
    last = d.shape[0] - 1
    pivot, value = d[0], x[0]
    for i in range(last):
        if abs(pivot) >= abs(dl[i]):
            d[i], x[i] = pivot, value
            if pivot == 0.0:
                return i + 1
            factor = dl[i] / pivot
            pivot = d[i + 1] - factor * du[i]
            value = x[i + 1] - factor * value
            if i < last - 1:
                dl[i] = 0.0
        else:
            factor = pivot / dl[i]
            d[i], swapped = dl[i], d[i + 1]
            pivot = du[i] - factor * swapped
            if i < last - 1:
                dl[i] = du[i + 1]
                du[i + 1] = -factor * dl[i]
            du[i] = swapped
            x[i] = x[i + 1]
            value -= factor * x[i]
    d[last], x[last] = pivot, value
    return last + 1 if pivot == 0.0 else 0


def substitute_one(dl, d, du, x):
    """Do what `substitute` does for one right side."""
    last = d.shape[0] - 1
    behind = x[last] / d[last]
    after = (x[last - 1] - du[last - 1] * behind) / d[last - 1]
    x[last], x[last - 1] = behind, after
    for i in range(last - 2, -1, -1):
        found = (x[i] - du[i] * after - dl[i] * behind) / d[i]
        x[i] = found
        behind = after
        after = found
