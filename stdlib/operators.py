"""The functions of `operator`, and `functools.reduce`, in the script language."""

import numpy as np

from scriptc_runtime import unsafe


def add(a, b, /):
    """Return `a + b`."""
    return a + b


def sub(a, b, /):
    """Return `a - b`."""
    return a - b


def mul(a, b, /):
    """Return `a * b`."""
    return a * b


def truediv(a, b, /):
    """Return `a / b`."""
    return a / b


def floordiv(a, b, /):
    """Return `a // b`."""
    return a // b


def mod(a, b, /):
    """Return `a % b`."""
    return a % b


def pow(a, b, /):
    """Return `a ** b`."""
    return a**b


def matmul(a, b, /):
    """Return `a @ b`."""
    return a @ b


def index(a, /):
    """Return the int that an integer is."""
    if isinstance(a, (int, np.integer)):
        return int(a)
    unsafe.refuse("{a} is no integer", "convert it: int(x)", "a")


def and_(a, b, /):
    """Return `a & b`."""
    return a & b


def or_(a, b, /):
    """Return `a | b`."""
    return a | b


def xor(a, b, /):
    """Return `a ^ b`."""
    return a ^ b


def lshift(a, b, /):
    """Return `a << b`."""
    return a << b


def rshift(a, b, /):
    """Return `a >> b`."""
    return a >> b


def lt(a, b, /):
    """Return `a < b`."""
    return a < b


def le(a, b, /):
    """Return `a <= b`."""
    return a <= b


def eq(a, b, /):
    """Return `a == b`."""
    return a == b


def ne(a, b, /):
    """Return `a != b`."""
    return a != b


def gt(a, b, /):
    """Return `a > b`."""
    return a > b


def ge(a, b, /):
    """Return `a >= b`."""
    return a >= b


def neg(a, /):
    """Return `-a`."""
    return -a


def pos(a, /):
    """Return `+a`."""
    return +a


def invert(a, /):
    """Return `~a`."""
    return ~a


def inv(a, /):
    """Return `~a`."""
    return ~a


def require_sequence(a):
    """Refuse what has a sum, but is not joined: numbers, which have no length, and arrays."""
    if len(a) and isinstance(a, np.ndarray):
        raise TypeError(
            "Concatenation operation is not implemented for NumPy arrays, use np.concatenate() "
            "instead. Please do not rely on this error; it may not be given on all Python "
            "implementations."
        )


def iconcat(a, b, /):
    """Return `a += b` of sequences."""
    require_sequence(a)
    a += b
    return a


def iadd(a, b, /):
    """Return `a += b`."""
    a += b
    return a


def isub(a, b, /):
    """Return `a -= b`."""
    a -= b
    return a


def imul(a, b, /):
    """Return `a *= b`."""
    a *= b
    return a


def imatmul(a, b, /):
    """Return `a @= b`."""
    a @= b
    return a


def itruediv(a, b, /):
    """Return `a /= b`."""
    a /= b
    return a


def ifloordiv(a, b, /):
    """Return `a //= b`."""
    a //= b
    return a


def imod(a, b, /):
    """Return `a %= b`."""
    a %= b
    return a


def ipow(a, b, /):
    """Return `a **= b`."""
    a **= b
    return a


def iand(a, b, /):
    """Return `a &= b`."""
    a &= b
    return a


def ior(a, b, /):
    """Return `a |= b`."""
    a |= b
    return a


def ixor(a, b, /):
    """Return `a ^= b`."""
    a ^= b
    return a


def ilshift(a, b, /):
    """Return `a <<= b`."""
    a <<= b
    return a


def irshift(a, b, /):
    """Return `a >>= b`."""
    a >>= b
    return a


def not_(a, /):
    """Return `not a`."""
    return not a


def truth(a, /):
    """Return whether `a` counts as true."""
    return bool(a)


def concat(a, b, /):
    """Return one sequence behind another."""
    require_sequence(a)
    return a + b


def contains(a, b, /):
    """Return whether `b` is an item of `a`."""
    return b in a


def getitem(a, b, /):
    """Return the item `b` of `a`."""
    return a[b]


def setitem(a, b, c, /) -> None:
    """Put `c` in the place of the item `b` of `a`."""
    a[b] = c


def countOf(a, b, /):
    """Return how often `b` is an item of `a`."""
    count = 0
    for item in a:
        if item == b:
            count += 1
    return count


def indexOf(a, b, /):
    """Return the first place of `b` in `a`."""
    for place, item in enumerate(a):
        if item == b:
            return place
    raise ValueError("sequence.index(x): x not in sequence")


def is_(a, b, /):
    """Return whether two objects are one."""
    return a is b


def is_not(a, b, /):
    """Return whether two objects are two."""
    return a is not b


def reduce(function, sequence, /):
    """Return what a function makes of all items, from the first one on."""
    items = [item for item in sequence]
    if len(items) == 0:
        raise TypeError("reduce() of empty iterable with no initial value")
    value = items[0]
    for place in range(1, len(items)):
        value = function(value, items[place])
    return value
