"""Ints of any size: operators on both sides of 64 bits, functions, containers, texts."""

# Without annotations the types come from the call, but for those that say `bigint`.
# pyright: basic

import math
from dataclasses import dataclass

from scriptc.types import bigint
from tests.programs import Case

EDGES = (0, 1, -1, 3, -7, 2**31, -(2**31), 2**62 - 1, 2**62, -(2**62), -(2**62) - 1, 2**63 - 1)
LARGE = (2**63, -(2**63), 2**64 - 1, 2**64, -(2**64), 2**128 - 1, -(2**128), 3**200, -(7**150))
NUMBERS = (*EDGES, *LARGE)
PAIRS = [(x, y) for x in NUMBERS for y in (*EDGES[::3], *LARGE[::2])]


def fibonacci(n: int) -> bigint:
    a: bigint = 0
    b: bigint = 1
    for _ in range(n):
        a, b = b, a + b
    return a


def factorial(n: int) -> bigint:
    result: bigint = 1
    for k in range(2, n + 1):
        result *= k
    return result


def power(base: bigint, exponent: bigint, modulus: bigint) -> bigint:
    result: bigint = 1
    base %= modulus
    while exponent > 0:
        if exponent % 2 == 1:
            result = result * base % modulus
        base = base * base % modulus
        exponent //= 2
    return result


def encrypted(text: str, n: bigint, e: bigint, d: bigint):
    message = bigint(0)
    for char in text:
        message = message * 256 + ord(char)
    secret = pow(message, e, n)
    plain = pow(secret, d, n)
    return secret, plain == message, pow(e, -1, n)


def digits_of_pi(count: int) -> str:
    """The spigot of Gibbons."""
    q: bigint = 1
    r: bigint = 0
    t: bigint = 1
    k, n, m = 1, bigint(3), 3
    out = ""
    while len(out) < count:
        if 4 * q + r - t < n * t:
            out += str(n)
            n, q, r = (10 * (3 * q + r)) // t - 10 * n, 10 * q, 10 * (r - n * t)
        else:
            n = (q * (7 * k + 2) + r * m) // (t * m)
            q, r, t, m, k = q * k, (2 * q + r) * m, t * m, m + 2, k + 1
    return out


def sums(a: bigint, b: bigint):
    return a + b, a - b, a * b, -a, +a, ~a, abs(a), a + 1, 1 - a, True + a, a * bigint(3)


def quotients(a: bigint, b: bigint):
    return a // b, a % b, divmod(a, b), b // 7, 10 % b, bigint(10) // 3


def ratios(a: bigint, b: bigint) -> float:
    return a / bigint(b)


def bits(a: bigint, b: bigint):
    return a & b, a | b, a ^ b, a.bit_length(), a.bit_count(), a & bigint(255), 7 | b


def shifted(a: bigint, n: int):
    return a << n, a >> n, 1 << bigint(n), (a << 70) >> n


def orders(a: bigint, b: bigint):
    order = (a < b, a <= b, a == b, a != b, a > b, a >= b, a < 5, a >= 5, a == bigint(0))
    return order, max(a, b), min(a, b), not a, bool(b), a and b, hash(a) == hash((a,)[0])


def hashed(a: bigint) -> int:
    return hash(bigint(a))


def beside_float(a: bigint, x: float):
    return a < x, a <= x, a == x, a != x, a > x, a >= x, x < a, x == a


def with_float(a: bigint, x: float):
    return a + x, x - a, a * x, a / x, float(a), a // x, math.sqrt(bigint(abs(a)))


def of_float(x: float):
    return bigint(x)


def shown(a: bigint):
    print(a, [a], (a, 1), {a: a})
    text = f"{a:,} {a:x} {a:+d} {a:>50}" + "%d %x" % (a, a)  # noqa: UP031
    return str(a), repr(a), text, hex(a), oct(a), bin(a), format(a, "_d"), a.bit_length()


def read(text: str, base: int) -> bigint:
    return bigint(text, base)


def many_digits(n: int) -> str:
    return str(bigint(10) ** n)


def powers(a: bigint, n: int):
    return a**n, a**2, 2 ** bigint(n), pow(a, n), a**-1


def of_math(a: bigint, b: bigint):
    common = math.gcd(a, b), math.lcm(a, b), math.gcd(a, 6), math.isqrt(abs(a)), math.floor(a)
    return common, math.prod([a, b]), sum([a, b]), sum([a], 5), round(a), round(a, -3), int(a)


def counted(n: bigint, k: bigint):
    return math.factorial(n), math.comb(n, k), math.perm(n, k)


def negative_root(a: bigint):
    return math.isqrt(a)


@dataclass
class Fraction:
    top: bigint
    bottom: bigint

    def plus(self, other):
        top = self.top * other.bottom + other.top * self.bottom
        bottom = self.bottom * other.bottom
        common = math.gcd(top, bottom)
        return Fraction(top // common, bottom // common)


def harmonic(n: int):
    total = Fraction(0, 1)
    for k in range(1, n + 1):
        total = total.plus(Fraction(1, k))
    return total.top, total.bottom


def containers(items: list[bigint], known: dict[bigint, str], pair: tuple[bigint, bigint | None]):
    items.append(items[-1] * items[0])
    known[items[-1]] = "product"
    found = {x: i for i, x in enumerate(items)}
    squares = {x * x for x in items}
    first, second = pair
    total = first if second is None else first + second
    return items, known, found, total, sorted(items), squares == {x**2 for x in items}, 5 in items


def set_order(items: list[bigint]):
    return list(set(items))


def places(items: list[int], k: bigint):
    return items[k], items[: k + 1], [i for i in range(k)], items * k


def narrowed(k: bigint) -> int:
    n: int = k
    return n


def meets(n: int, big: bool):
    total = 0
    if big:
        total = bigint(10) ** n
    for i in range(n):
        total += i
    return total


def recursive(n: bigint) -> bigint:
    return n if n < 2 else recursive(n - 1) + recursive(n - 2) + (bigint(1) << 70)


def matched(a: bigint) -> str:
    match a:
        case 0:
            return "zero"
        case 1 | -7:
            return "few"
        case int(n) if n > 2**62:
            return str(n + 1)
        case _:
            return "many"


def logarithms(a: bigint):
    return [round(x, 9) for x in (math.log(a), math.log2(a), math.log10(a), math.log(a, 2.0))]


def written():
    return bigint(2**100), bigint(-(10**30)), bigint("-5"), bigint(), bigint(2.5), bigint(True)


def absent(a: bigint | None, b: bool):
    last = None if b or a is None else -a
    return 0 if a is None else a + 1, last, [a, last, None]


def caught(a: bigint, b: bigint) -> str:
    try:
        return str(a // b)
    except ZeroDivisionError as error:
        return str(error)


CASES: list[Case] = [
    (fibonacci, [(0,), (1,), (90,), (100,), (1000,)]),
    (factorial, [(0,), (20,), (21,), (200,), (800,)]),
    (power, [(3**200, 2**300 - 7, 10**90 + 1), (-3, 5, -(7**40)), (2, 10, 1), (2, 10, 0)]),
    (
        encrypted,
        [("hello", (2**89 - 1) * (2**107 - 1), 65537, pow(65537, -1, (2**89 - 2) * (2**107 - 2)))],
    ),
    (encrypted, [("a", 10**20, 10, 3)]),
    (digits_of_pi, [(1,), (120,)]),
    (sums, PAIRS),
    (quotients, PAIRS),
    (ratios, [*PAIRS, (10**400, 10**100), (10**400, 1), (1, 10**400), (3, 10**323), (-1, 3)]),
    (bits, PAIRS),
    (shifted, [(a, n) for a in NUMBERS for n in (0, 1, 63, 64, 65, 200)]),
    (shifted, [(1, -1), (0, 2**40)]),
    (orders, PAIRS),
    (hashed, [(a,) for a in (*NUMBERS, 2**61 - 1, 2**61, -(2**61), 2**122)]),
    (beside_float, [(a, x) for a in NUMBERS for x in (0.5, 2.0**64, -1e300, math.inf, math.nan)]),
    (with_float, [(a, x) for a in NUMBERS for x in (0.5, -3.0)]),
    (with_float, [(10**400, 1.0), (1, 0.0)]),
    (of_float, [(x,) for x in (0.0, -2.5, 1e20, -1e300, 2.0**62, 2.0**63, math.inf, math.nan)]),
    (shown, [(a,) for a in NUMBERS]),
    (read, [("0", 10), ("-123456789012345678901234567890", 10), ("f" * 40, 16), ("1_000", 10)]),
    (read, [("", 10), ("12x", 10), ("1", 99), (" 12 ", 10), ("9" * 4301, 10)]),
    (many_digits, [(10,), (4299,), (4300,)]),
    (powers, [(a, n) for a in (2, -3, 2**64 + 1, 10**30) for n in (0, 1, 5, 30)]),
    (of_math, PAIRS[::5]),
    (counted, [(0, 0), (5, 2), (30, 15), (100, 3), (-1, 2), (2, 5)]),
    (negative_root, [(-1,), (0,), (10**60 - 1,), (10**60,)]),
    (harmonic, [(1,), (30,)]),
    (
        containers,
        [([2**70, 3, 5], {3: "three", 2**70: "far"}, (2**64, None)), ([1], {}, (1, 2**65))],
    ),
    (set_order, [([2**70, 3, -1, 2**61 - 1, 2**61, 5, 2**70],), ([],)]),
    (places, [([5, 6, 7], 1), ([5, 6, 7], 3), ([5], 0)]),
    (narrowed, [(5,), (-(2**63),)]),
    (meets, [(5, True), (5, False), (30, True)]),
    (recursive, [(1,), (12,)]),
    (matched, [(a,) for a in NUMBERS]),
    (logarithms, [(1,), (10,), (2**70,), (3**2000,), (2**1024,), (10**5000,), (0,), (-(2**2000),)]),
    (written, [()]),
    (absent, [(None, True), (2**70, False), (-1, True), (None, False)]),
    (caught, [(1, 0), (2**70, 0), (2**70, 3)]),
]
