"""`fractions.Fraction`, over ints of 64 bits; the steps are those of CPython 3.11."""

# Types come from the calls, as in any program: no annotations, and methods for every operator.
# pyright: basic, reportArgumentType=false

import math

_MODULUS = 2**61 - 1  # of the hashes of CPython
_INFINITE = 314159


class Fraction:
    """A quotient of ints in lowest terms."""

    def __init__(self, numerator=0, denominator=None, _normalize=True):
        if denominator is None:
            top, bottom = _read(numerator)
        else:
            top, bottom = _quotient(numerator, denominator)
        if bottom == 0:
            raise ZeroDivisionError(f"Fraction({top}, 0)")
        if _normalize:
            shared = math.gcd(top, bottom)
            if bottom < 0:
                shared = -shared
            top //= shared
            bottom //= shared
        self.numerator = top
        self.denominator = bottom

    @classmethod
    def from_float(cls, f):
        """Return the fraction that a float is."""
        return Fraction(f)

    def as_integer_ratio(self):
        """Return numerator and denominator."""
        return self.numerator, self.denominator

    def limit_denominator(self, max_denominator=1000000):
        """Return the closest fraction with a denominator up to one."""
        if max_denominator < 1:
            raise ValueError("max_denominator should be at least 1")
        if self.denominator <= max_denominator:
            return Fraction(self)
        p0, q0, p1, q1 = 0, 1, 1, 0
        n, d = self.numerator, self.denominator
        while True:
            a = n // d
            q2 = q0 + a * q1
            if q2 > max_denominator:
                break
            p0, q0, p1, q1 = p1, q1, p0 + a * p1, q2
            n, d = d, n - a * d
        k = (max_denominator - q0) // q1
        bound1 = Fraction(p0 + k * p1, q0 + k * q1)
        bound2 = Fraction(p1, q1)
        if abs(bound2 - self) <= abs(bound1 - self):
            return bound2
        return bound1

    def __repr__(self):
        return f"Fraction({self.numerator}, {self.denominator})"

    def __str__(self):
        if self.denominator == 1:
            return str(self.numerator)
        return f"{self.numerator}/{self.denominator}"

    def __add__(self, other):
        if isinstance(other, int):
            return _sum(self.numerator, self.denominator, int(other), 1)
        if isinstance(other, Fraction):
            return _sum(self.numerator, self.denominator, other.numerator, other.denominator)
        if isinstance(other, float):
            return float(self) + other
        return NotImplemented

    def __radd__(self, other):
        if isinstance(other, int):
            return _sum(int(other), 1, self.numerator, self.denominator)
        if isinstance(other, float):
            return other + float(self)
        return NotImplemented

    def __sub__(self, other):
        if isinstance(other, int):
            return _sum(self.numerator, self.denominator, -int(other), 1)
        if isinstance(other, Fraction):
            return _sum(self.numerator, self.denominator, -other.numerator, other.denominator)
        if isinstance(other, float):
            return float(self) - other
        return NotImplemented

    def __rsub__(self, other):
        if isinstance(other, int):
            return _sum(int(other), 1, -self.numerator, self.denominator)
        if isinstance(other, float):
            return other - float(self)
        return NotImplemented

    def __mul__(self, other):
        if isinstance(other, int):
            return _product(self.numerator, self.denominator, int(other), 1)
        if isinstance(other, Fraction):
            return _product(self.numerator, self.denominator, other.numerator, other.denominator)
        if isinstance(other, float):
            return float(self) * other
        return NotImplemented

    def __rmul__(self, other):
        if isinstance(other, int):
            return _product(int(other), 1, self.numerator, self.denominator)
        if isinstance(other, float):
            return other * float(self)
        return NotImplemented

    def __truediv__(self, other):
        if isinstance(other, int):
            return _ratio(self.numerator, self.denominator, int(other), 1)
        if isinstance(other, Fraction):
            return _ratio(self.numerator, self.denominator, other.numerator, other.denominator)
        if isinstance(other, float):
            return float(self) / other
        return NotImplemented

    def __rtruediv__(self, other):
        if isinstance(other, int):
            return _ratio(int(other), 1, self.numerator, self.denominator)
        if isinstance(other, float):
            return other / float(self)
        return NotImplemented

    def __floordiv__(self, other):
        if isinstance(other, int):
            return self.numerator // (self.denominator * int(other))
        if isinstance(other, Fraction):
            return (self.numerator * other.denominator) // (self.denominator * other.numerator)
        if isinstance(other, float):
            return float(self) // other
        return NotImplemented

    def __rfloordiv__(self, other):
        if isinstance(other, int):
            return (int(other) * self.denominator) // self.numerator
        if isinstance(other, float):
            return other // float(self)
        return NotImplemented

    def __mod__(self, other):
        if isinstance(other, int):
            return Fraction(self.numerator % (int(other) * self.denominator), self.denominator)
        if isinstance(other, Fraction):
            da, db = self.denominator, other.denominator
            return Fraction((self.numerator * db) % (other.numerator * da), da * db)
        if isinstance(other, float):
            return float(self) % other
        return NotImplemented

    def __rmod__(self, other):
        if isinstance(other, int):
            return Fraction((int(other) * self.denominator) % self.numerator, self.denominator)
        if isinstance(other, float):
            return other % float(self)
        return NotImplemented

    def __pow__(self, other):
        if isinstance(other, int):
            return _power(self.numerator, self.denominator, int(other))
        if isinstance(other, Fraction):
            if other.denominator == 1:
                return _power(self.numerator, self.denominator, other.numerator)
            return float(self) ** float(other)
        if isinstance(other, float):
            return float(self) ** other
        return NotImplemented

    def __pos__(self):
        return Fraction(self.numerator, self.denominator, False)

    def __neg__(self):
        return Fraction(-self.numerator, self.denominator, False)

    def __abs__(self):
        return Fraction(abs(self.numerator), self.denominator, False)

    def __int__(self):
        if self.numerator < 0:
            return -(-self.numerator // self.denominator)
        return self.numerator // self.denominator

    def __trunc__(self):
        return int(self)

    def __floor__(self):
        return self.numerator // self.denominator

    def __ceil__(self):
        return -(-self.numerator // self.denominator)

    def __round__(self, ndigits=None):
        if ndigits is None:
            floor, remainder = divmod(self.numerator, self.denominator)
            if remainder * 2 < self.denominator:
                return floor
            if remainder * 2 > self.denominator or floor % 2 == 1:
                return floor + 1
            return floor
        shift = 10 ** abs(ndigits)
        if ndigits > 0:
            return Fraction(round(self * shift), shift)
        return Fraction(round(self / shift) * shift)

    def __float__(self):
        return self.numerator / self.denominator

    def __bool__(self):
        return self.numerator != 0

    def __hash__(self):
        inverse = _inverse(self.denominator)
        found = _INFINITE if inverse == 0 else _times(hash(abs(self.numerator)), inverse)
        result = found if self.numerator >= 0 else -found
        return -2 if result == -1 else result

    def __eq__(self, other):
        if isinstance(other, int):
            return self.numerator == other and self.denominator == 1
        if isinstance(other, Fraction):
            return self.numerator == other.numerator and self.denominator == other.denominator
        if isinstance(other, float):
            return math.isfinite(other) and _order(self, Fraction(other)) == 0
        return NotImplemented

    def __lt__(self, other):
        if isinstance(other, int):
            return self.numerator < other * self.denominator
        if isinstance(other, Fraction):
            return _order(self, other) < 0
        if isinstance(other, float):
            return _order(self, Fraction(other)) < 0 if math.isfinite(other) else other > 0.0
        return NotImplemented

    def __le__(self, other):
        if isinstance(other, int):
            return self.numerator <= other * self.denominator
        if isinstance(other, Fraction):
            return _order(self, other) <= 0
        if isinstance(other, float):
            return _order(self, Fraction(other)) <= 0 if math.isfinite(other) else other >= 0.0
        return NotImplemented

    def __gt__(self, other):
        if isinstance(other, int):
            return self.numerator > other * self.denominator
        if isinstance(other, Fraction):
            return _order(self, other) > 0
        if isinstance(other, float):
            return _order(self, Fraction(other)) > 0 if math.isfinite(other) else other < 0.0
        return NotImplemented

    def __ge__(self, other):
        if isinstance(other, int):
            return self.numerator >= other * self.denominator
        if isinstance(other, Fraction):
            return _order(self, other) >= 0
        if isinstance(other, float):
            return _order(self, Fraction(other)) >= 0 if math.isfinite(other) else other <= 0.0
        return NotImplemented


def _read(value):
    """Return numerator and denominator of what one argument says."""
    if isinstance(value, Fraction):
        return value.numerator, value.denominator
    if isinstance(value, int):
        return int(value), 1
    if isinstance(value, float):
        return _of_float(value)
    if isinstance(value, str):
        return _of_text(value)
    raise TypeError("argument should be a string or a Rational instance")


def _quotient(numerator, denominator):
    if isinstance(numerator, int) and isinstance(denominator, int):
        return int(numerator), int(denominator)
    if isinstance(numerator, (int, Fraction)) and isinstance(denominator, (int, Fraction)):
        top, bottom = _read(numerator)
        above, below = _read(denominator)
        return top * below, above * bottom
    raise TypeError("both arguments should be Rational instances")


def _of_float(value):
    if math.isnan(value):
        raise ValueError("cannot convert NaN to integer ratio")
    if math.isinf(value):
        raise OverflowError("cannot convert Infinity to integer ratio")
    part, exponent = math.frexp(value)
    while part != int(part):
        part *= 2.0
        exponent -= 1
    if exponent > 0:
        return int(part) * 2**exponent, 1
    return int(part), 2**-exponent


def _of_text(text):
    digits = text.strip()
    sign = 1
    if digits[:1] in ("+", "-"):
        sign = -1 if digits[0] == "-" else 1
        digits = digits[1:]
    top, slash, bottom = digits.partition("/")
    if slash:
        if not (_are_digits(top) and _are_digits(bottom)):
            raise ValueError(f"Invalid literal for Fraction: {text!r}")
        return sign * int(top), int(bottom)
    mantissa, mark, power = digits.lower().partition("e")
    whole, _, behind = mantissa.partition(".")
    plain = power[1:] if power[:1] in ("+", "-") else power
    good = (whole == "" or _are_digits(whole)) and (behind == "" or _are_digits(behind))
    if not (good and whole + behind != "" and (mark == "" or _are_digits(plain))):
        raise ValueError(f"Invalid literal for Fraction: {text!r}")
    number = sign * int(whole + behind)
    exponent = (int(power) if power else 0) - len(behind)
    if exponent >= 0:
        return number * 10**exponent, 1
    return number, 10**-exponent


def _are_digits(text):
    return text.isascii() and text.isdigit()


def _sum(na, da, nb, db):
    shared = math.gcd(da, db)
    if shared == 1:
        return Fraction(na * db + da * nb, da * db, False)
    part = da // shared
    top = na * (db // shared) + nb * part
    other = math.gcd(top, shared)
    return Fraction(top // other, part * (db // other), False)


def _product(na, da, nb, db):
    first = math.gcd(na, db)
    second = math.gcd(nb, da)
    return Fraction((na // first) * (nb // second), (db // first) * (da // second), False)


def _ratio(na, da, nb, db):
    first = math.gcd(na, nb)
    if first > 1:
        na //= first
        nb //= first
    second = math.gcd(db, da)
    if second > 1:
        da //= second
        db //= second
    top, bottom = na * db, nb * da
    if bottom < 0:
        top, bottom = -top, -bottom
    return Fraction(top, bottom, False)


def _power(top, bottom, exponent):
    if exponent >= 0:
        return Fraction(top**exponent, bottom**exponent, False)
    if top >= 0:
        return Fraction(bottom**-exponent, top**-exponent, False)
    return Fraction((-bottom) ** -exponent, (-top) ** -exponent, False)


def _order(a, b):
    """Return less than 0, 0, or more, as a is less than b, equal, or more."""
    return a.numerator * b.denominator - b.numerator * a.denominator


def _times(a, b):
    """Return a * b modulo the modulus: the product itself needs twice the bits."""
    result = 0
    while b > 0:
        if b % 2:
            result = (result + a) % _MODULUS
        a = a * 2 % _MODULUS
        b //= 2
    return result


def _inverse(value):
    """Return what a value times is 1 modulo the modulus; 0 where there is no such number."""
    r0, r1, t0, t1 = _MODULUS, value % _MODULUS, 0, 1
    while r1 > 0:
        part = r0 // r1
        r0, r1 = r1, r0 - part * r1
        t0, t1 = t1, (t0 - _times_signed(part, t1)) % _MODULUS
    return t0 if r0 == 1 else 0


def _times_signed(a, b):
    return _times(a % _MODULUS, b)
