"""Lists of texts and ints that are sorted by digits; equal items stay in their order."""

import random

from scriptc.types import bigint
from tests.programs import Case

_RNG = random.Random(5)
_KINDS = ("ab", "abcdefghijklmnop", "a\0", "a\xff\x80", "a\u4e00\U0001f600\ud800", "aAbB")


def _words(letters: str, start: str, longest: int, count: int) -> list[str]:
    return [
        start + "".join(_RNG.choices(letters, k=_RNG.randint(0, longest))) for _ in range(count)
    ]


def texts(words: list[str], turned: bool) -> list[str]:
    return sorted(words, reverse=turned)


def in_place(words: list[str]) -> list[str]:
    words.sort()
    words.sort(reverse=True)
    return words


def by_text(words: list[str], turned: bool) -> list[str]:
    return sorted(words, key=str.lower, reverse=turned)


def by_part(words: list[str], turned: bool) -> list[tuple[str, int]]:
    pairs = [(word[:2], place) for place, word in enumerate(words)]
    return sorted(pairs, key=lambda pair: pair[0], reverse=turned)


def ints(numbers: list[int], turned: bool) -> list[int]:
    numbers.sort(reverse=turned)
    return numbers


def by_number(words: list[str], turned: bool) -> list[str]:
    return sorted(words, key=len, reverse=turned)


def by_bool(words: list[str], turned: bool) -> list[str]:
    return sorted(words, key=lambda word: "b" in word, reverse=turned)


def by_large(words: list[str], turned: bool) -> list[str]:
    return sorted(words, key=lambda word: bigint(10) ** len(word), reverse=turned)


def by_remainder(numbers: list[int], turned: bool) -> list[int]:
    return sorted(numbers, key=lambda number: -number // 3, reverse=turned)


def floats(numbers: list[float], turned: bool) -> list[float]:
    return sorted(numbers, reverse=turned)


def kept(words: list[str]) -> tuple[list[str], list[str]]:
    other = words
    made = sorted(words)
    made.append(other[0])
    return words, made


_LISTS = [
    *(_words(letters, "", 3, 40) for letters in _KINDS),
    *(_words(letters, "name", 20, 90) for letters in _KINDS),
    *(_words(letters, "\u4e00" * 3, 5, 30) for letters in _KINDS),
    *(["x" * 40 + word for word in _words("ab", "", 9, 300)], ["same"] * 50, ["", *"a\0" * 20]),
    *([], ["b"], ["b", "a"], [f"name{i * 7 % 100}" for i in range(100)]),
    *([f"{i:03d}" for i in range(50)], [f"{i:03d}" for i in range(50, 0, -1)]),
]
_NUMBERS = [
    *([_RNG.randint(-most, most) for _ in range(130)] for most in (1, 10, 1000, 2**40, 2**61)),
    *([_RNG.randint(-(2**63), 2**63 - 1) for _ in range(100)], [], [3], [5] * 70),
    *(list(range(100)), list(range(100, 0, -1)), [2**61, *range(99)], [-(2**61), *range(99)]),
    [2**61 + 1, *range(99)],
]

# Each is the start of the others, so that each round of digits leaves but few behind.
_STARTS = [
    ["a" * n for n in _RNG.sample(range(400), 400)],
    [("b\u4e00" * n)[: _RNG.randint(n, 2 * n)] for n in range(150)],
    [f"{'xy' * (n // 3)}{n % 2}" for n in _RNG.sample(range(500), 500)],
    ["same" * 60] * 20 + ["same" * 59] * 20 + ["same" * 60 + "s"] * 20,
]

CASES: list[Case] = [
    (texts, [(words, turned) for words in _STARTS for turned in (False, True)]),
    (by_part, [(words, turned) for words in _STARTS for turned in (False, True)]),
    (texts, [(words, turned) for words in _LISTS for turned in (False, True)]),
    (in_place, [(words,) for words in _LISTS[:8]]),
    (by_text, [(words, turned) for words in _LISTS[::3] for turned in (False, True)]),
    (by_part, [(words, turned) for words in _LISTS[::4] for turned in (False, True)]),
    (ints, [(numbers, turned) for numbers in _NUMBERS for turned in (False, True)]),
    (by_number, [(words, turned) for words in _LISTS[::3] for turned in (False, True)]),
    (by_bool, [(words, True) for words in _LISTS[::4]]),
    (by_large, [(words, False) for words in _LISTS[::4]]),
    (by_remainder, [(numbers, turned) for numbers in _NUMBERS for turned in (False, True)]),
    (floats, [([n / 7 for n in numbers], False) for numbers in _NUMBERS[:3]]),
    (kept, [(_LISTS[0],), (_LISTS[-1],)]),
]
