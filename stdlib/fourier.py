"""Fourier transforms, in the script language, over the loops of NumPy's own."""

import numpy as np

from scriptc_runtime import unsafe

NORM = "backward"


def rows_of(x):
    """Return the rows of x, along its last axis, as a matrix."""
    count = 1
    for size in x.shape[:-1]:
        count *= size
    return x.reshape(count, x.shape[-1])


def require_points(n: int):
    """Refuse a transform of nothing."""
    if n < 1:
        raise ValueError(f"Invalid number of FFT data points ({n}) specified.")


def factor(n: int, given, taken, scaled: bool):
    """Return what results are multiplied by: rounded as real arrays given, for those taken."""
    one = np.ones(1, given.dtype)[0]
    if NORM == "ortho":
        one = one / np.sqrt(one * n)
    elif scaled:
        one = one / (one * n)
    return np.full((), one).astype(taken.dtype)


def waves(x):
    """Return complex rows that NumPy transforms in their own precision: real ones in double."""
    if x.dtype == np.float32 or x.dtype == np.float64:
        return x.astype(np.complex128)
    return x


def wide(x):
    """Return complex rows that NumPy transforms in double precision, where there is no factor."""
    if x.dtype == np.complex128:
        return x
    return x.astype(np.complex128)


def rounded(found, x):
    """Return complex results in the precision of the argument."""
    if found.dtype == np.complex128 and (x.dtype == np.float32 or x.dtype == np.complex64):
        return found.astype(np.complex64)
    return found


def fft(x, n: int):
    """Return the transform of n elements of each row, zeros behind its end."""
    require_points(n)
    rows = rows_of(wide(x) if NORM == "backward" else waves(x))
    out = np.empty((rows.shape[0], n), rows.dtype)
    unsafe.gufunc("fft", rows, factor(n, x.real, rows.real, NORM == "forward"), out)
    return rounded(out, x).reshape(x.shape[:-1] + (n,))


def ifft(x, n: int):
    """Return the inverse transform of n elements of each row."""
    require_points(n)
    rows = rows_of(wide(x) if NORM == "forward" else waves(x))
    out = np.empty((rows.shape[0], n), rows.dtype)
    unsafe.gufunc("ifft", rows, factor(n, x.real, rows.real, NORM == "backward"), out)
    return rounded(out, x).reshape(x.shape[:-1] + (n,))


def rfft(x, n: int):
    """Return the half of the transform of n real elements that says all."""
    require_points(n)
    rows = rows_of(x.astype(np.float64) if NORM == "backward" else x)
    half = n // 2 + 1
    model = rows[:0, :0] * 1j
    out = np.empty((rows.shape[0], half), model.dtype)
    if n % 2 == 0:
        unsafe.gufunc("rfft_n_even", rows, factor(n, x, rows, NORM == "forward"), out)
    else:
        unsafe.gufunc("rfft_n_odd", rows, factor(n, x, rows, NORM == "forward"), out)
    return rounded(out, x).reshape(x.shape[:-1] + (half,))


def irfft(x, n: int):
    """Return the n real elements whose transform begins with the rows of x."""
    require_points(n)
    rows = rows_of(wide(x) if NORM == "forward" else waves(x))
    part = rows.real
    out = np.empty((rows.shape[0], n), part.dtype)
    unsafe.gufunc("irfft", rows, factor(n, x.real, part, NORM == "backward"), out)
    if part.dtype == np.float64 and (x.dtype == np.float32 or x.dtype == np.complex64):
        return out.astype(np.float32).reshape(x.shape[:-1] + (n,))
    return out.reshape(x.shape[:-1] + (n,))


def fftfreq(n: int, step):
    """Return the frequency of each element of a transform."""
    value = 1.0 / (n * step)
    if n < 0:
        raise ValueError("negative dimensions are not allowed")
    out = np.arange(n)
    out[(n - 1) // 2 + 1 :] -= n
    return out * value


def rfftfreq(n: int, step):
    """Return the frequency of each element of the half of a transform."""
    value = 1.0 / (n * step)
    return np.arange(n // 2 + 1) * value
