"""Linear algebra, in the script language, over the loops of NumPy's own that call LAPACK.

Each function of an op works on one matrix or on a stack of them.  What LAPACK is given is a stack
along one axis, which is a view wherever strides can say so.  Its loops read a matrix before they
write a result, so results of the same shape take the place of a copy.
"""

import numpy as np

from scriptc_runtime import unsafe

UPPER = False
MODE = "reduced"
FULL = True
INVERTS = True
LEAST = False


def stacked(x):
    """Return the matrices of x along one axis."""
    count = 1
    for size in x.shape[:-2]:
        count *= size
    return x.reshape(count, x.shape[-2], x.shape[-1])


def stacked_rows(x):
    """Return the vectors of x along one axis."""
    count = 1
    for size in x.shape[:-1]:
        count *= size
    return x.reshape(count, x.shape[-1])


def require_square(x):
    """Refuse matrices that are not square."""
    if x.shape[-2] != x.shape[-1]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")


def cholesky(x):
    """Return the lower factor, the upper one if UPPER."""
    require_square(x)
    out = x.copy()
    place = stacked(out)
    if UPPER:
        failed = unsafe.gufunc("cholesky_up", place, place)
    else:
        failed = unsafe.gufunc("cholesky_lo", place, place)
    if failed:
        raise np.linalg.LinAlgError("Matrix is not positive definite")
    return out


def inv(x):
    """Return the inverse."""
    require_square(x)
    out = x.copy()
    place = stacked(out)
    if unsafe.gufunc("inv", place, place):
        raise np.linalg.LinAlgError("Singular matrix")
    return out


def solve(x, y):
    """Return what x times gives y, which is a vector or a stack of matrices."""
    require_square(x)
    if y.ndim == 1:
        return solved_vector(x, y)
    size = x.shape[-1]
    if y.shape[-2] != size:
        raise ValueError(
            "solve: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
            f"(m,m),(m,n)->(m,n) (size {y.shape[-2]} is different from {size})"
        )
    if x.ndim == 2:
        out = y.copy()
        place = stacked(out)
        failed = unsafe.gufunc("solve", x, place, place)
    else:
        left = stacked(x)
        right = stacked(y)
        count = max(left.shape[0], right.shape[0])
        if left.shape[0] != right.shape[0]:
            # A stack of one goes with all of the other's, of which there may be none.
            if left.shape[0] != 1 and right.shape[0] != 1:
                raise ValueError(
                    "operands could not be broadcast together with remapped shapes "
                    f"[original->remapped]: {with_new_axes(left)} {with_new_axes(right)}  "
                    f"and requested shape ({size},{y.shape[-1]})"
                )
            count = left.shape[0] * right.shape[0]
        out = np.empty((count, size, y.shape[-1]), y.dtype)
        if left.shape[0] == right.shape[0]:
            failed = unsafe.gufunc("solve", left, right, out)
        elif left.shape[0] == 1:
            failed = unsafe.gufunc("solve", left[0], right, out)
        else:
            failed = unsafe.gufunc("solve", left, right[0], out)
    if failed:
        raise np.linalg.LinAlgError("Singular matrix")
    return out


def with_new_axes(stack):
    """Return how NumPy tells of the shape of a stack."""
    count, rows, columns = stack.shape
    return f"({count},{rows},{columns})->({count},newaxis,newaxis)"


def solved_vector(x, y):
    """Return what each matrix of x times gives the vector y."""
    if len(y) != x.shape[-1]:
        raise ValueError(
            "solve1: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
            f"(m,m),(m)->(m) (size {len(y)} is different from {x.shape[-1]})"
        )
    if x.ndim == 2:
        out = y.copy()
        place = stacked_rows(out)
        failed = unsafe.gufunc("solve1", x, place, place)
    else:
        out = np.empty(x.shape[:-1], x.dtype)
        failed = unsafe.gufunc("solve1", stacked(x), y, stacked_rows(out))
    if failed:
        raise np.linalg.LinAlgError("Singular matrix")
    return out


def det(x):
    """Return the determinants."""
    require_square(x)
    matrices = stacked(x)
    found = np.empty(matrices.shape[0], x.dtype)
    unsafe.gufunc("det", matrices, found)
    if x.ndim == 2:
        return found[0]
    return found.reshape(x.shape[:-2])


def slogdet(x):
    """Return the signs of the determinants, or their directions, and their logarithms."""
    require_square(x)
    matrices = stacked(x)
    sign = np.empty(matrices.shape[0], x.dtype)
    logarithm = np.empty(matrices.shape[0])
    unsafe.gufunc("slogdet", matrices, sign, logarithm)
    if x.ndim == 2:
        return sign[0], logarithm[0]
    return sign.reshape(x.shape[:-2]), logarithm.reshape(x.shape[:-2])


def qr(x):
    """Return an orthogonal and a triangular factor as MODE says, or the triangular one alone."""
    rows = x.shape[-2]
    columns = x.shape[-1]
    least = min(rows, columns)
    # LAPACK leaves both factors in the place of the matrix.
    packed = stacked(x).copy()
    count = packed.shape[0]
    scales = np.empty((count, least), x.dtype)
    failed = unsafe.gufunc("qr_r_raw", packed, scales)
    if MODE == "r":
        require_factors(failed)
        return np.triu(packed[:, :least]).reshape(x.shape[:-2] + (least, columns))
    inner = rows if MODE == "complete" else least
    first = np.empty((count, rows, inner), x.dtype)
    if inner > least:
        failed = unsafe.gufunc("qr_complete", packed, scales, first) or failed
    else:
        failed = unsafe.gufunc("qr_reduced", packed, scales, first) or failed
    require_factors(failed)
    second = np.triu(packed[:, :inner])
    return (
        first.reshape(x.shape[:-2] + (rows, inner)),
        second.reshape(x.shape[:-2] + (inner, columns)),
    )


def require_factors(failed: bool):
    """Raise what NumPy does where LAPACK could not factor a matrix."""
    if failed:
        raise np.linalg.LinAlgError("Incorrect argument found while performing QR factorization")


def require_convergence(failed: bool):
    """Raise what NumPy does where the eigenvalues were not found."""
    if failed:
        raise np.linalg.LinAlgError("Eigenvalues did not converge")


def eigvalsh(x):
    """Return the eigenvalues of Hermitian matrices, of which one triangle is read."""
    require_square(x)
    values = np.empty(x.shape[:-1])
    if UPPER:
        failed = unsafe.gufunc("eigvalsh_up", stacked(x), stacked_rows(values))
    else:
        failed = unsafe.gufunc("eigvalsh_lo", stacked(x), stacked_rows(values))
    require_convergence(failed)
    return values


def eigh(x):
    """Return the eigenvalues and eigenvectors of Hermitian matrices."""
    require_square(x)
    values = np.empty(x.shape[:-1])
    vectors = x.copy()
    place = stacked(vectors)
    if UPPER:
        failed = unsafe.gufunc("eigh_up", place, stacked_rows(values), place)
    else:
        failed = unsafe.gufunc("eigh_lo", place, stacked_rows(values), place)
    require_convergence(failed)
    return values, vectors


def require_finite(x):
    """Refuse what the search for eigenvalues would not end with."""
    if not np.all(np.isfinite(x)):
        raise np.linalg.LinAlgError("Array must not contain infs or NaNs")


def eigvals(x):
    """Return the eigenvalues of matrices."""
    require_square(x)
    require_finite(x)
    values = np.empty(x.shape[:-1], np.complex128)
    require_convergence(unsafe.gufunc("eigvals", stacked(x), stacked_rows(values)))
    return values


def eig(x):
    """Return the eigenvalues and eigenvectors of matrices."""
    require_square(x)
    require_finite(x)
    values = np.empty(x.shape[:-1], np.complex128)
    vectors = np.empty(x.shape, np.complex128)
    failed = unsafe.gufunc("eig", stacked(x), stacked_rows(values), stacked(vectors))
    require_convergence(failed)
    return values, vectors


def real_values(values):
    """Return eigenvalues of a real matrix as floats; refuse complex ones."""
    if np.any(values.imag != 0):
        raise ValueError(
            "eigenvalues or roots of real numbers are complex: write a.astype(np.complex128)"
        )
    return values.real.copy()


def real_vectors(values, vectors):
    """Return eigenvalues and eigenvectors of a real matrix as floats; refuse complex ones."""
    return real_values(values), vectors.real.copy()


def require_values(failed: bool):
    """Raise what NumPy does where the singular values were not found."""
    if failed:
        raise np.linalg.LinAlgError("SVD did not converge")


def svdvals(x):
    """Return the singular values."""
    values = np.empty(x.shape[:-2] + (min(x.shape[-2], x.shape[-1]),))
    require_values(unsafe.gufunc("svd", stacked(x), stacked_rows(values)))
    return values


def svd(x):
    """Return singular vectors, values and vectors; a whole basis of the vectors if FULL."""
    rows = x.shape[-2]
    columns = x.shape[-1]
    least = min(rows, columns)
    values = np.empty(x.shape[:-2] + (least,))
    if FULL:
        left = np.empty(x.shape[:-2] + (rows, rows), x.dtype)
        right = np.empty(x.shape[:-2] + (columns, columns), x.dtype)
        failed = unsafe.gufunc(
            "svd_f", stacked(x), stacked(left), stacked_rows(values), stacked(right)
        )
    else:
        left = np.empty(x.shape[:-2] + (rows, least), x.dtype)
        right = np.empty(x.shape[:-2] + (least, columns), x.dtype)
        failed = unsafe.gufunc(
            "svd_s", stacked(x), stacked(left), stacked_rows(values), stacked(right)
        )
    require_values(failed)
    return left, values, right


def smallest_ratio(x):
    """Return the ratio of singular values below which NumPy counts them as zero."""
    return np.finfo(np.float64).eps * max(x.shape[0], x.shape[1])


def lstsq(x, y, ratio):
    """Return the least squares solution, what is left of each column, the rank, singular values."""
    columns_of_y = y[:, None] if y.ndim == 1 else y
    rows = x.shape[0]
    columns = x.shape[1]
    count = columns_of_y.shape[1]
    if columns_of_y.shape[0] != rows:
        raise np.linalg.LinAlgError("Incompatible dimensions")
    # LAPACK takes no right side without columns.
    width = max(count, 1)
    right = np.zeros((rows, width), x.dtype)
    right[:, :count] = columns_of_y
    found = np.zeros((1, columns, width), x.dtype)
    rest = np.empty((1, width))
    rank = np.empty(1, np.int32)
    values = np.empty((1, min(rows, columns)))
    if unsafe.gufunc("lstsq", x, right, np.full(1, ratio), found, rest, rank, values):
        raise np.linalg.LinAlgError("SVD did not converge in Linear Least Squares")
    if rows == 0:
        found[...] = 0
    left = count
    if rank[0] != columns or rows <= columns:
        left = 0
    solution = found[0, :, 0].copy() if y.ndim == 1 else found[0, :, :count].copy()
    return solution, rest[0, :left].copy(), rank[0], values[0]


def matrix_power(x, n: int):
    """Return the product of n matrices x, or of as many inverses."""
    require_square(x)
    if n == 0:
        out = x.copy()
        out[...] = np.eye(len(x), dtype=x.dtype)
        return out
    base = x
    if INVERTS and n < 0:
        base = np.linalg.inv(x)
        n = -n
    if n == 1:
        return base
    if n == 2:
        return base @ base
    if n == 3:
        return (base @ base) @ base
    square = base
    while n % 2 == 0:
        square = square @ square
        n //= 2
    result = square
    n //= 2
    while n > 0:
        square = square @ square
        if n % 2 == 1:
            result = result @ square
        n //= 2
    return result


def pinv(x, ratio: float):
    """Return the pseudo-inverse; singular values up to a ratio of the largest count as zero."""
    if x.size == 0:
        return np.empty((x.shape[1], x.shape[0]), x.dtype)
    u, s, v = np.linalg.svd(x.conj(), full_matrices=False)
    least = np.float64(ratio) * np.max(s)
    for i in range(len(s)):
        s[i] = 1 / s[i] if s[i] > least else s[i] * 0
    return v.T @ (s[:, None] * u.T)


def rank_above(x, least: float):
    """Return how many singular values are larger than `least`."""
    return np.count_nonzero(np.linalg.svdvals(x) > least)


def is_not_zero(x) -> int:
    """Return the rank of a vector, or of a number."""
    return int(np.any(x != 0))


def matrix_rank(x):
    """Return how many singular values are more than rounding errors."""
    s = np.linalg.svdvals(x)
    return np.count_nonzero(s > least_values(x, s), axis=-1)


def least_values(x, s):
    """Return what singular values are at least that are no rounding errors, for each matrix."""
    count = max(x.shape[-2], x.shape[-1])
    if s.shape[-1] == 0:
        return np.zeros(s.shape[:-1] + (1,), s.dtype)
    return np.max(s, axis=-1, keepdims=True) * (count * np.finfo(s.dtype).eps)


def cond(x):
    """Return the ratio of the largest singular value and the smallest, or the inverse if LEAST."""
    require_some(x)
    s = np.linalg.svdvals(x)
    if LEAST:
        return s[..., -1] / s[..., 0]
    return s[..., 0] / s[..., -1]


def require_some(x):
    """Refuse matrices without elements."""
    if x.size == 0:
        raise np.linalg.LinAlgError("cond is not defined on empty arrays")


def inverses(x):
    """Return the inverse of each matrix; NaN for one that has none."""
    out = np.empty_like(x)
    matrices = x.reshape((-1, x.shape[-2], x.shape[-1]))
    found = out.reshape((-1, x.shape[-2], x.shape[-1]))
    for k in range(len(matrices)):
        try:
            found[k] = np.linalg.inv(matrices[k])
        except np.linalg.LinAlgError:
            require_square(x)
            found[k] = np.nan
    return out


def endless_for_nan(ratio, x):
    """Return infinity for a ratio that is NaN though no element is."""
    if ratio != ratio and not np.any(x != x):
        return np.full(1, np.inf, ratio.dtype)[0]
    return ratio


def endless_for_nans(ratios, x):
    """Return infinity for each ratio that is NaN though no element of its matrix is."""
    odd = np.any(np.any(x != x, axis=-1), axis=-1)
    ratios[(ratios != ratios) & ~odd] = np.inf
    return ratios


def product_of_two(a, b):
    """Return the product of two matrices."""
    return a @ b


def product_of_three(a, b, c):
    """Return the product of three matrices in the order that takes fewer multiplications."""
    rows = 1 if a.ndim == 1 else a.shape[0]
    columns = 1 if c.ndim == 1 else c.shape[1]
    inner = b.shape[0]
    outer = b.shape[1]
    if rows * outer * (inner + columns) < inner * columns * (rows + outer):
        return (a @ b) @ c
    return a @ (b @ c)
