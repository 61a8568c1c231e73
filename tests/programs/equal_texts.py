"""Texts that are computed, and equal or not, of all lengths around words, in dicts and alone."""

from tests.programs import Case


def equal(a: str, b: str, cut: int) -> tuple[bool, bool, bool]:
    first, second = a[:cut] + b, b[:cut] + a
    return a + b == first, first == second, first[cut:] != second[cut:]


def prefixes(text: str) -> list[int]:
    """Each prefix is a key; those of other texts that differ in one place are none."""
    places = {text[:i] + "": i for i in range(len(text) + 1)}
    found: list[int] = []
    for i in range(len(text) + 1):
        found.append(places[text[:i]])
        for j in range(i):
            other = text[:j] + "#" + text[j + 1 : i]
            if other in places:
                found.append(-j)
    return found


LATIN = "".join(map(chr, range(0xC0, 0xC0 + 40)))
WIDE = "".join(map(chr, range(0x3B1, 0x3B1 + 20)))
CASES: list[Case] = [
    (
        equal,
        [(a, b, n) for a in ("", "abc", "abcdefgh") for b in ("", "abc", "x" * 9) for n in (0, 3)],
    ),
    (prefixes, [("",), ("abcdefghijklmnopqrstuvwxyz0123456789",), (LATIN,), (WIDE,), ("a" * 20,)]),
    (prefixes, [("\x00" * 18,), ("#" * 12,), ("\U0001f600\U0001f601" * 5,)]),
]
