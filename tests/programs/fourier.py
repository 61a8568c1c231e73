"""Fourier transforms: NumPy's own, along one axis or several, in single and double precision."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

LINE = np.array([1.0, -2.0, 0.5, 4.0, 0.25, 7.0, -1.5])
TABLE = np.stack([LINE, LINE[::-1], LINE * 2, LINE**2])
WAVES = LINE + 1j * LINE[::-1]


def there_and_back(x):
    y = np.fft.fft(x)
    return y, np.fft.ifft(y), np.fft.ifft(x, norm="ortho"), np.fft.fft(x, norm="forward")


def of_real(x):
    y = np.fft.rfft(x)
    return y, np.fft.irfft(y), np.fft.irfft(y, x.shape[-1]), np.fft.rfft(x, norm="ortho")


def sized(x, n):
    return np.fft.fft(x, n), np.fft.ifft(x, n=n), np.fft.irfft(x, n, norm="forward")


def along(x):
    return np.fft.fft(x, axis=0), np.fft.ifft(x, axis=-2), np.fft.rfft(x.real, 5, 0)


def planes(x):
    return np.fft.fft2(x), np.fft.ifft2(x, norm="ortho"), np.fft.fftn(x), np.fft.ifftn(x, axes=(0,))


def real_planes(x):
    y = np.fft.rfft2(x)
    return y, np.fft.irfft2(y), np.fft.rfftn(x), np.fft.irfftn(y, axes=(1, 0))


def shifted(x):
    y = np.fft.fftshift(x)
    return y, np.fft.ifftshift(y), np.fft.fftshift(x, axes=0), np.fft.ifftshift(x, axes=(-1,))


def frequencies(n, d):
    return np.fft.fftfreq(n), np.fft.fftfreq(n, d), np.fft.rfftfreq(n), np.fft.rfftfreq(n, d=d)


def spectrum(x):
    power = np.abs(np.fft.rfft(x - np.mean(x))) ** 2
    return np.argmax(power)


CASES: list[Case] = [
    (there_and_back, [(x,) for x in (LINE, WAVES, TABLE, LINE.astype(np.float32), WAVES[::-2])]),
    (there_and_back, [(WAVES.astype(np.complex64),), (np.arange(4),), (LINE[:1],), (LINE[:0],)]),
    (there_and_back, [(TABLE[:0],), (np.arange(1000.0) % 17,), (np.arange(509) * 1j,)]),
    (of_real, [(x,) for x in (LINE, LINE[:6], TABLE[:, ::-1], LINE.astype(np.float32), LINE[:2])]),
    (of_real, [(LINE[:1],), (np.arange(4) > 1,)]),
    (sized, [(LINE, 4), (LINE, 10), (WAVES, 1), (WAVES, 0), (TABLE, 9), (LINE, -2)]),
    (along, [(TABLE,), (TABLE[:, None] * 1j,)]),
    (planes, [(TABLE,), (TABLE.T * 1j,), (TABLE[None].astype(np.float32),)]),
    (real_planes, [(TABLE,), (TABLE.T,)]),
    (shifted, [(LINE,), (TABLE,), (WAVES[:4],)]),
    (frequencies, [(8, 0.5), (7, 2), (1, np.float64(0.25)), (0, 1.0), (4, 0.0)]),
    (spectrum, [(LINE,), (np.sin(np.arange(64) * 0.7),)]),
]
