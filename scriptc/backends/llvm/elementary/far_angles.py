"""The angle of a large number within its quadrant, as integer arithmetic (Payne and Hanek).

M. H. Payne and R. N. Hanek, Radian reduction for trigonometric functions, ACM SIGNUM Newsletter 18
(1983): of x = m 2^k, with a whole m of 53 bits, only those bits of 2/pi count whose product with x
is neither a multiple of 4 nor too small. Here they are 192, from that of 2 on, so that the product
with m, without what is beyond 192 bits, is 2x/pi modulo 4 with an error of 2^-137. No f64 is nearer
to a multiple of pi/2 than 2^-62 (J.-M. Muller, Elementary Functions, 3rd edition, table 11.1). For
an f32, with m of 24 bits as an f64, 128 bits do.
"""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from scriptc.backends.llvm.elementary.emitter import Emitter

_WORD = 64
_WORDS = 20  # of 2/pi: as many as the largest number needs
_BEFORE = 66  # the bits of the first word, and of the integer part, before the binary point


def reduce_far(e: Emitter, x: str) -> tuple[str, str, str]:
    """Return x - n pi/2 as head + tail, and n, for an f64 x from 2^15 on."""
    bits = e.to_bits(x)
    place = e.integer("sub", e.integer("lshr", bits, 52), 1075 - _WORD)
    mantissa = e.integer("or", e.integer("and", bits, (1 << 52) - 1), 1 << 52)
    high, middle, low = _times(e, mantissa, _window(e, place, 3))
    n, rest, first = _quadrant(e, high)
    second = _whole(e, _joined(e, rest, 40, middle, 24), 0.0)
    third = _whole(e, _joined(e, middle, 28, low, 36), 0.0)
    head, error = e.add_exact(e.mul(first, 2.0**-50), e.mul(second, 2.0**-102))
    turns = e.add_exact(head, e.fma(third, 2.0**-154, error))
    half_pi = e.table("half_pi")
    head, tail = e.mul_parts(turns, (half_pi[0], half_pi[1]))
    return head, tail, n


def reduce_far_short(e: Emitter, x: str) -> tuple[str, str]:
    """Return x - n pi/2, rounded, and n, for an x from 2^15 on that an f32 holds."""
    bits = e.to_bits(x)
    place = e.integer("sub", e.integer("lshr", bits, 52), 1046 - _WORD)
    mantissa = e.integer(
        "or", e.integer("lshr", e.integer("and", bits, (1 << 52) - 1), 29), 1 << 23
    )
    left, right = _window(e, place, 2)
    high = e.integer("add", e.integer("mul", mantissa, left), e.multiply_high(mantissa, right))
    n, rest, first = _quadrant(e, high)
    second = _whole(e, _joined(e, rest, 40, e.integer("mul", mantissa, right), 24), 0.0)
    turns = e.fma(second, 2.0**-102, e.mul(first, 2.0**-50))
    return e.mul(turns, e.table("half_pi")[0]), n


def _quadrant(e: Emitter, high: str) -> tuple[str, str, str]:
    """Return the quadrant of the first word of 2x/pi, what is left, and its first bits."""
    n = e.integer("lshr", e.integer("add", high, 1 << 61), 62)
    rest = e.integer("sub", high, e.integer("shl", n, 62))
    # 52 bits, from -2^49 to 2^49; others follow.
    return n, rest, _whole(e, e.integer("lshr", e.integer("add", rest, 1 << 61), 12), 2.0**49)


def _window(e: Emitter, place: str, count: int) -> Sequence[str]:
    """Return so many words of 2/pi from a place on."""
    first, shift = e.integer("lshr", place, 6), e.integer("and", place, _WORD - 1)
    table = _two_over_pi()
    words = [e.look_up("two_over_pi", table, e.integer("add", first, i)) for i in range(count + 1)]
    opposite = e.integer("sub", _WORD - 1, shift)
    result: list[str] = []
    for left, right in pairwise(words):
        below = e.integer("lshr", e.integer("lshr", right, 1), opposite)  # none for a shift of 0
        result.append(e.integer("or", e.integer("shl", left, shift), below))
    return result


def _times(e: Emitter, factor: str, words: Sequence[str]) -> tuple[str, str, str]:
    """Return the last three words of a product of one word and three."""
    high, middle, low = (e.integer("mul", factor, word) for word in words)
    total = e.integer("add", middle, e.multiply_high(factor, words[2]))
    carry = e.select_integer(e.compare_integers("ult", total, middle), 1, 0)
    high = e.integer("add", high, e.multiply_high(factor, words[1]))
    return e.integer("add", high, carry), total, low


def _joined(e: Emitter, left: str, shift: int, right: str, out: int) -> str:
    """Return the lowest bits of one word, shifted, and the highest of another one below them."""
    mask = (1 << (52 - shift)) - 1
    upper = e.integer("shl", e.integer("and", left, mask), shift)
    return e.integer("or", upper, e.integer("lshr", right, out))


def _whole(e: Emitter, bits: str, less: float) -> str:
    """Return an integer below 2^52, less a number, as a float."""
    beside = e.from_bits(e.integer("or", bits, e.format.encode(2.0**52)))
    return e.sub(beside, 2.0**52 + less)


@cache
def _two_over_pi() -> Sequence[int]:
    """Return the first bits of 2/pi in words, the first of which is nearly all zero (Machin)."""
    size = _WORD * _WORDS
    guarded = size + _WORD
    pi = 4 * (4 * _arctan_of_inverse(5, guarded) - _arctan_of_inverse(239, guarded))
    bits = (2 << guarded + size - _BEFORE) // pi
    return [bits >> size - _WORD * (i + 1) & (1 << _WORD) - 1 for i in range(_WORDS)]


def _arctan_of_inverse(n: int, size: int) -> int:
    """Return arctan(1 / n) with so many bits after the binary point."""
    power = (1 << size) // n
    total, k, sign = 0, 1, 1
    while power:
        total += sign * (power // k)
        power, k, sign = power // (n * n), k + 2, -sign
    return total
