"""Functions of `cmath`, in the script language: where CPython raises, and those made of parts."""

import numpy as np


def require_finite(x: float, y: float, real: float, imag: float):
    """Refuse an infinite result of a finite number."""
    infinite = abs(real) == np.inf or abs(imag) == np.inf
    if infinite and abs(x) < np.inf and abs(y) < np.inf:
        raise OverflowError("math range error")


def require_growth(x: float, y: float):
    """Refuse e to the power of a number whose angle has no end, but for one that vanishes."""
    if abs(y) == np.inf and x == x and x != -np.inf:
        raise ValueError("math domain error")


def require_angle(x: float, y: float):
    """Refuse an angle `y` without end, unless x is no number."""
    if abs(y) == np.inf and x == x:
        raise ValueError("math domain error")


def require_finite_angle(x: float, y: float):
    """Refuse an angle `y` without end of a finite x."""
    if abs(y) == np.inf and abs(x) < np.inf:
        raise ValueError("math domain error")


def require_not_zero(x: float, y: float):
    """Refuse the logarithm of zero."""
    if x == 0.0 and y == 0.0:
        raise ValueError("math domain error")


def rect(r: float, phi: float):
    """Return the complex number of a modulus and an angle."""
    if abs(phi) == np.inf and r != 0.0 and r == r:
        raise ValueError("math domain error")
    if phi == 0.0:
        if abs(r) < np.inf:
            return complex(r, r * phi)
        # No product: an infinity times zero is no number.
        turned = r < 0.0
        return complex(r, -phi if turned else abs(phi) if r != r else phi)
    if abs(r) == np.inf and phi != phi:
        return complex(np.inf, np.nan)
    if r == 0.0 and not abs(phi) < np.inf:
        return complex(0.0, 0.0)
    return complex(float(r * np.cos(phi)), float(r * np.sin(phi)))


def complex_of(text: str) -> complex:
    """Return the number that a text is: one float, or two, of which the last has a `j`."""
    for i in range(len(text)):
        # As CPython reads a text without them: they stand between digits.
        if text[i] == "_" and not (
            0 < i < len(text) - 1 and text[i - 1].isdecimal() and text[i + 1].isdecimal()
        ):
            raise ValueError(f"could not convert string to complex: {text!r}")
    found = text.strip()
    if len(found) > 1 and found[0] == "(" and found[-1] == ")":
        found = found[1:-1].strip()
    if len(found) == 0 or len(found.split()) > 1:
        raise ValueError("complex() arg is a malformed string")
    if found[-1] != "j" and found[-1] != "J":
        return complex(_part(found), 0.0)
    found = found[:-1]
    place = len(found) - 1
    while place > 0 and (found[place] not in "+-" or found[place - 1] in "eE"):
        place -= 1
    imag = found[place:] if place > 0 else found
    real = _part(found[:place]) if place > 0 else 0.0
    return complex(real, _part(imag + "1" if imag in ("", "+", "-") else imag))


def _part(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError("complex() arg is a malformed string") from None
