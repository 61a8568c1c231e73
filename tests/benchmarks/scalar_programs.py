"""Explicit scalar code: loops that CPython runs slowly and a compiler should not.

Each function is plain Python, so that scriptc and Numba compile the same source.
"""

import numpy as np

from scriptc.types import K, M, N, b1, f64, i64


def collatz(limit: int) -> int:
    """Return the longest way down to 1 of the numbers below `limit`."""
    longest = 0
    for start in range(1, limit):
        n = start
        steps = 0
        while n != 1:
            if n % 2 == 0:  # noqa: SIM108 -- as everybody writes it
                n = n // 2
            else:
                n = 3 * n + 1
            steps += 1
        if steps > longest:
            longest = steps
    return longest


def sieve(flags: b1[N]) -> int:
    """Count the primes below the length of `flags`, which are left set."""
    n = len(flags)
    for i in range(n):
        flags[i] = i > 1
    i = 2
    while i * i < n:
        if flags[i]:
            for j in range(i * i, n, i):
                flags[j] = False
        i += 1
    count = 0
    for i in range(n):
        if flags[i]:
            count += 1
    return count


def entry(i: int, j: int) -> float:
    """Return an element of the matrix whose norm `spectral_norm` looks for."""
    return 1.0 / ((i + j) * (i + j + 1) // 2 + i + 1)


def multiply(u: f64[N], v: f64[N]) -> None:
    """Write the product of the matrix and `u` to `v`."""
    for i in range(len(u)):
        total = 0.0
        for j in range(len(u)):
            total += entry(i, j) * u[j]
        v[i] = total


def multiply_transposed(u: f64[N], v: f64[N]) -> None:
    """Write the product of the transposed matrix and `u` to `v`."""
    for i in range(len(u)):
        total = 0.0
        for j in range(len(u)):
            total += entry(j, i) * u[j]
        v[i] = total


def spectral_norm(u: f64[N], v: f64[N], w: f64[N], rounds: int) -> float:
    """Return the spectral norm of an infinite matrix, of which as many rows are looked at."""
    for _ in range(rounds):
        multiply(u, w)
        multiply_transposed(w, v)
        multiply(v, w)
        multiply_transposed(w, u)
    product = 0.0
    square = 0.0
    for i in range(len(u)):
        product += u[i] * v[i]
        square += v[i] * v[i]
    return np.sqrt(product / square)


def matrix_chain(sizes: i64[M], costs: i64[N, N]) -> None:
    """Fill `costs` with the fewest products for each part of a chain of matrices."""
    n = len(sizes) - 1
    for i in range(n):
        costs[i, i] = 0
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            j = i + length - 1
            best = 1 << 62
            for k in range(i, j):
                cost = costs[i, k] + costs[k + 1, j] + sizes[i] * sizes[k + 1] * sizes[j + 1]
                if cost < best:
                    best = cost
            costs[i, j] = best


def matmul(a: f64[N, K], b: f64[K, M], c: f64[N, M]) -> None:
    """Add the product of `a` and `b` to `c`, an element at a time."""
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


def jacobi(a: f64[N, N], b: f64[N, N], steps: int) -> None:
    """Smooth a plane there and back."""
    n = a.shape[0]
    for _ in range(steps):
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                b[i, j] = 0.2 * (a[i, j] + a[i, j - 1] + a[i, j + 1] + a[i + 1, j] + a[i - 1, j])
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                a[i, j] = 0.2 * (b[i, j] + b[i, j - 1] + b[i, j + 1] + b[i + 1, j] + b[i - 1, j])


def seidel(a: f64[N, N], steps: int) -> None:
    """Smooth a plane in place; each point meets those before it that are new already."""
    n = a.shape[0]
    for _ in range(steps):
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                a[i, j] = (
                    a[i - 1, j - 1]
                    + a[i - 1, j]
                    + a[i - 1, j + 1]
                    + a[i, j - 1]
                    + a[i, j]
                    + a[i, j + 1]
                    + a[i + 1, j - 1]
                    + a[i + 1, j]
                    + a[i + 1, j + 1]
                ) / 9.0


def lu(a: f64[N, N]) -> None:
    """Factor a matrix in place, without pivots."""
    n = a.shape[0]
    for i in range(n):
        for j in range(i):
            for k in range(j):
                a[i, j] -= a[i, k] * a[k, j]
            a[i, j] /= a[j, j]
        for j in range(i, n):
            for k in range(i):
                a[i, j] -= a[i, k] * a[k, j]


def cholesky(a: f64[N, N]) -> None:
    """Factor a positive definite matrix in place."""
    n = a.shape[0]
    for i in range(n):
        for j in range(i):
            for k in range(j):
                a[i, j] -= a[i, k] * a[j, k]
            a[i, j] /= a[j, j]
        for k in range(i):
            a[i, i] -= a[i, k] * a[i, k]
        a[i, i] = np.sqrt(a[i, i])


def durbin(r: f64[N], y: f64[N], z: f64[N]) -> None:
    """Solve the Yule-Walker equations."""
    n = r.shape[0]
    alpha = -r[0]
    beta = 1.0
    y[0] = -r[0]
    for k in range(1, n):
        beta = (1.0 - alpha * alpha) * beta
        total = 0.0
        for i in range(k):
            total += r[k - i - 1] * y[i]
        alpha = -(r[k] + total) / beta
        for i in range(k):
            z[i] = y[i] + alpha * y[k - i - 1]
        for i in range(k):
            y[i] = z[i]
        y[k] = alpha


def matmul_by_sums(a: f64[N, K], b: f64[K, M], c: f64[N, M]) -> None:
    """Write the product of `a` and `b` to `c`, each element summed up by itself."""
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            total = 0.0
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            c[i, j] = total
