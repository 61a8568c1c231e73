"""Linear algebra: NumPy's own LAPACK, what it refuses, and what is made of it."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case
from tests.support.matrices import HERMITIAN, REGULAR

TALL = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0], [-1.0, 0.5]])
LINE = np.array([1.0, -2.0, 0.5])
INFINITE = np.where(HERMITIAN == 4, np.inf, HERMITIAN)
STACK = np.stack([REGULAR, REGULAR[::-1], REGULAR.T * 2])


def triangles(a):
    return np.linalg.cholesky(a), np.linalg.cholesky(a, upper=True)


def factor_beside_triangle(a):
    a[:] = np.linalg.cholesky(a) + np.triu(a, k=1)


def solutions(a, b):
    return np.linalg.solve(a, b), np.linalg.solve(a.T, b)


def stacked_solutions(a, b):
    return np.linalg.solve(a, b)


def inverses(a):
    return np.linalg.inv(a), np.linalg.inv(a.T)


def determinants(a):
    sign, logarithm = np.linalg.slogdet(a)
    return np.linalg.det(a), sign, logarithm


def orthogonal(a):
    q, r = np.linalg.qr(a)
    whole, rest = np.linalg.qr(a, mode="complete")
    return q, r, whole, rest, np.linalg.qr(a, "r")


def spectrum(a):
    values, vectors = np.linalg.eigh(a)
    others, _ = np.linalg.eigh(a, "U")
    return values, vectors, others, np.linalg.eigvalsh(a), np.linalg.eigvalsh(a, UPLO="U")


def whole_spectrum(a):
    values, vectors = np.linalg.eig(a)
    return values, vectors, np.linalg.eigvals(a)


def singular(a):
    u, s, v = np.linalg.svd(a)
    narrow, same, short = np.linalg.svd(a, full_matrices=False)
    values = np.linalg.svd(a, compute_uv=False)
    return u, s, v, narrow, same, short, values, np.linalg.svdvals(a)


def fitted(a, b):
    x, rest, rank, values = np.linalg.lstsq(a, b)
    y, left, lower, same = np.linalg.lstsq(a, b, rcond=0.9)
    return x, rest, rank, values, y, left, lower, same


def powers(a, n):
    return np.linalg.matrix_power(a, n)


def known_powers(a):
    return [np.linalg.matrix_power(a, 2), np.linalg.matrix_power(a, 3)], np.linalg.matrix_power(
        a, 6
    )


def inverse_power(a):
    return (
        np.linalg.matrix_power(a, -2),
        np.linalg.matrix_power(a, -1),
        np.linalg.matrix_power(a, 0),
    )


def rank(a):
    return np.linalg.matrix_rank(a), np.linalg.matrix_rank(a, 1.0), np.linalg.cond(a)


def pseudo_inverse(a):
    return np.round(np.linalg.pinv(a) * a.shape[0], 9), np.linalg.pinv(a, rcond=2.0)


def sizes_of_vectors(x):
    whole = np.linalg.norm(x), np.linalg.norm(x, 1), np.linalg.norm(x, np.inf), np.linalg.norm(x, 0)
    return whole, np.linalg.norm(x, -np.inf), np.linalg.norm(x, ord=-1)


def sizes_of_rows(a):
    rows = np.linalg.norm(a, axis=1), np.linalg.norm(a, 1, axis=0), np.linalg.norm(a, np.inf, 1)
    return rows, np.linalg.norm(a, -np.inf, axis=-1, keepdims=True), np.linalg.norm(a, 0, axis=0)


def sizes_of_matrices(a):
    sums = np.linalg.norm(a, 1), np.linalg.norm(a, -1), np.linalg.norm(a, np.inf)
    others = np.linalg.norm(a, -np.inf), np.linalg.norm(a, "fro"), np.linalg.norm(a)
    singular = np.linalg.norm(a, 2), np.linalg.norm(a, -2), np.linalg.norm(a, "nuc")
    return sums, others, singular


def sizes_in_stacks(a):
    sums = np.linalg.norm(a, 1, axis=(1, 2)), np.linalg.norm(a, np.inf, axis=(2, 0), keepdims=True)
    return sums, np.linalg.norm(a, axis=(0, 1)), np.linalg.norm(a, 2, axis=(0, 2), keepdims=True)


def caught(a):
    try:
        return np.linalg.inv(a)
    except np.linalg.LinAlgError as error:
        print(error)
        return a


def caught_as_value_error(a, b):
    try:
        return np.linalg.solve(a, b)
    except ValueError as error:
        print(error)
    finally:
        print("end")
    return b


def raised(a):
    if a.shape[0] == 0:
        raise np.linalg.LinAlgError("nothing to do")
    try:
        return np.linalg.cholesky(a)
    except ZeroDivisionError:
        return a


def named(a):
    """Arguments by the names that NumPy has for them."""
    same = np.empty_like(prototype=a)  # pyright: ignore[reportCallIssue] -- its stubs know the place
    sizes = same.shape, np.linalg.svdvals(a)
    b = a.copy()
    b.put(indices=[0, 1], values=[5.0, 6.0])
    return sizes, np.real(val=a), np.imag(val=a * 1j), b, b.take(indices=[0], axis=0, mode="clip")


def real_spectrum(a):
    w, v = np.linalg.eig(a)
    return w, v, np.linalg.eigvals(a)


def conditions(a):
    c = np.linalg.cond(a, 1), np.linalg.cond(a, "fro"), np.linalg.cond(a, np.inf)
    return c, np.linalg.cond(a), np.linalg.cond(a, -2), np.linalg.cond(a, p=-1)


def ranks(a):
    return np.linalg.matrix_rank(a)


def under_other_names(a, b):
    c = np.linalg.matmul(a, b), np.linalg.matrix_transpose(a), np.linalg.tensordot(a, b, axes=1)
    d = np.linalg.outer(a[0], b[1]), np.linalg.cross(a, b), np.linalg.trace(a, offset=1)
    return c, d, np.linalg.diagonal(a)


def with_vectors(m, v):
    return np.matvec(m, v), np.vecmat(v[0], m)


def conjugated(z, w):
    return np.vecdot(z, w), np.vdot(z, w), np.vecdot(z, 2.0 * w[0]), np.vecdot(z.real, w)


def real_roots(p):
    return np.roots(p)


UPPER = np.array([[2.0, 1.0, -3.0], [0.0, -1.5, 4.0], [0.0, 0.0, 0.25]])
CASES: list[Case] = [
    (real_spectrum, [(m,) for m in (UPPER, UPPER.T, UPPER[:0, :0], np.eye(2, dtype=int))]),
    (real_spectrum, [(np.stack([UPPER, UPPER.T]),), (UPPER.astype(np.float32),)]),
    (real_spectrum, [(np.full((2, 2), np.inf),), (UPPER[:2],)]),
    (ranks, [(m,) for m in (np.stack([UPPER, 0 * UPPER]), UPPER[0], np.zeros(2), UPPER[:, :0])]),
    (under_other_names, [(UPPER, UPPER.T), (np.eye(3, dtype=int), UPPER[::-1])]),
    (with_vectors, [(np.stack([UPPER, -UPPER]), UPPER[:2]), (UPPER, UPPER.T * 1j)]),
    (conjugated, [(UPPER * (1 + 2j), UPPER[::-1] * (2 - 1j)), (UPPER[:, :0] * 1j, UPPER[:, :0])]),
    (real_roots, [(np.array([1.0, -3.0, 2.0]),), (np.array([0.0, 2.0, -4.0, 0.0]),)]),
    (real_roots, [(np.array([0, 3]),), (np.zeros(2),), (np.array([1, -1], np.float32),)]),
    (named, [(np.array([[1.0, 2.0], [3.0, -4.0]]),)]),
    (triangles, [(m,) for m in (REGULAR, HERMITIAN, REGULAR.astype(np.float32), STACK[:1])]),
    (triangles, [(m,) for m in (-REGULAR, TALL, REGULAR[:0, :0], np.array([[2, 1], [1, 2]]))]),
    (triangles, [(HERMITIAN.astype(np.complex64),), (np.full((2, 2), np.nan),)]),
    (factor_beside_triangle, [(REGULAR,), (-REGULAR,), (REGULAR[:0, :0],)]),
    (solutions, [(REGULAR, LINE), (REGULAR, TALL[:3]), (REGULAR, LINE[:2]), (0 * REGULAR, LINE)]),
    (solutions, [(HERMITIAN, LINE), (REGULAR.astype(np.float32), LINE.astype(np.complex64))]),
    (solutions, [(REGULAR[:0, :0], LINE[:0]), (np.array([[2, 0], [1, 1]]), np.array([2, 3]))]),
    (
        solutions,
        [(STACK[:, :2, :2], TALL[:2]), (STACK[0], STACK)],
    ),
    (
        stacked_solutions,
        [(STACK, STACK[:1]), (STACK[:1], STACK), (STACK, LINE), (STACK, STACK[1:])],
    ),
    (stacked_solutions, [(STACK, TALL[:3]), (STACK, STACK), (STACK[:0], STACK[:1]), (STACK, TALL)]),
    (inverses, [(m,) for m in (REGULAR, HERMITIAN, REGULAR.astype(np.float32), TALL)]),
    (
        inverses,
        [(REGULAR[::-1, ::-1],), (np.array([[True, False], [True, True]]),), (STACK[:, 1:],)],
    ),
    (determinants, [(m,) for m in (REGULAR, -HERMITIAN, 0 * REGULAR, STACK, REGULAR[:0, :0])]),
    (determinants, [(REGULAR.astype(np.float32),), (STACK[None] * (1 + 1j),), (TALL,)]),
    (orthogonal, [(m,) for m in (TALL, TALL.T, HERMITIAN, STACK[:, :2], TALL[:0])]),
    (orthogonal, [(TALL.astype(np.float32),), (TALL[:, :0],)]),
    (spectrum, [(m,) for m in (REGULAR, HERMITIAN, STACK, REGULAR.astype(np.float32), TALL)]),
    (spectrum, [(HERMITIAN.astype(np.complex64),), (REGULAR[:0, :0],)]),
    (whole_spectrum, [(HERMITIAN,), (HERMITIAN[::-1],), (STACK * 1j,), (INFINITE,)]),
    (whole_spectrum, [(HERMITIAN.astype(np.complex64),)]),
    (singular, [(m,) for m in (TALL, TALL.T, HERMITIAN, STACK[:, :2], TALL[:0], TALL * np.nan)]),
    (singular, [(TALL.astype(np.float32),)]),
    (fitted, [(TALL, np.arange(4.0)), (TALL, TALL[:, ::-1]), (TALL.T, LINE[:2]), (TALL, LINE)]),
    (fitted, [(TALL, TALL[:, :0]), (TALL[:0], LINE[:0]), (TALL * 1j, np.arange(4.0))]),
    (fitted, [(TALL.astype(np.float32), np.ones(4, np.float32)), (TALL * 0, np.arange(4.0))]),
    (powers, [(np.array([[0.5, 2.0], [-1.0, 4.0]]), n) for n in (0, 1, 2, 3, 4, 6, 7, -1, -5)]),
    (powers, [(np.array([[0.5, 2.0], [-1.0, 4.0]], np.float32), 7), (TALL, 2), (0 * REGULAR, -1)]),
    (known_powers, [(np.array([[1, 2], [3, -1]]),), (np.diag([1.5j, 2]),)]),
    (inverse_power, [(np.diag([2.0, 4.0, -0.5]),), (np.array([[2, 0], [0, 4]]),), (0 * REGULAR,)]),
    (rank, [(m,) for m in (REGULAR, TALL, 0 * REGULAR, HERMITIAN, np.ones((2, 3), np.float32))]),
    (rank, [(REGULAR[:0],), (REGULAR * np.nan,), (np.eye(3, dtype=int),)]),
    (pseudo_inverse, [(np.diag([2.0, 4.0, 0.0])[:2],), (TALL[:0],)]),
    (sizes_of_vectors, [(np.array([3.0, -4.0, 0.0]),), (np.array([2, -2]),), (1j * LINE[:1] * 4,)]),
    (sizes_of_vectors, [(np.array([1.0, np.nan]),), (np.array([3, 4], np.float32),)]),
    (sizes_of_rows, [(np.array([[3.0, -4.0], [0.0, 0.0]]),), (np.array([[3, 4], [8, -6]]),)]),
    (sizes_of_matrices, [(np.diag([2.0, -0.5]),), (np.array([[3.0], [-4.0]]),), (np.eye(2) * 2j,)]),
    (sizes_of_matrices, [(np.diag([2, 4]).astype(np.float32),), (np.zeros((2, 3)),)]),
    (sizes_in_stacks, [(np.eye(3)[None] * np.array([[[2.0]], [[-4.0]]]),)]),
    (caught, [(REGULAR,), (0 * REGULAR,), (TALL,)]),
    (caught_as_value_error, [(REGULAR, LINE), (0 * REGULAR, LINE), (REGULAR, LINE[:2])]),
    (raised, [(REGULAR,), (-REGULAR,), (REGULAR[:0],), (REGULAR[:2],)]),
]
