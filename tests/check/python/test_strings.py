"""Methods of strings on random ones, as in CPython; and what 64 bits do not hold."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from scriptc import script
from tests.support.support_code import live_blocks

# Characters of each width, blanks and ends of lines, digits, and those whose case is special.
ALPHABETS = ("ab", "aAbB1 \t\n", "é\xffàß", "πρΣς", "😀a\U0010ffff", "\r\n\x0b\x85\u2028 a", "ǅǆİﬁ")


def searched(s: str, t: str, u: str, a: int, b: int, n: int):
    found = s.find(t, a, b), s.rfind(t, a, b), s.count(t, a, b)
    ends = s.startswith(t, a, b), s.endswith(t, a, b), s.strip(t), s.lstrip(u), s.rstrip(t)
    lines = s.splitlines(), s.splitlines(True), s.split(None, n), s.rsplit(None, n)
    return found, ends, lines, s.replace(t, u, n), s[a:b:n], s[::-1], s[a:], s[:b]


def split(s: str, t: str, n: int):
    return s.split(t, n), s.rsplit(t, n), s.partition(t), s.rpartition(t), t.join([s, t, s])


def shown(s: str, t: str, n: int):
    cases = s.upper(), s.lower(), s.title(), s.swapcase(), s.capitalize(), s.casefold()
    kinds = s.isalpha(), s.isdigit(), s.isalnum(), s.isspace(), s.isupper(), s.islower()
    order = s < t, s <= t, s == t, t in s, sorted(s + t), hash(s), hash(s + t)
    return cases, kinds, order, s.center(n), s.zfill(n), repr(s), [c for c in s], s.istitle()


def number(s: str):
    return int(s)


def outcome(function: Callable[..., Any], arguments: tuple[Any, ...]) -> object:
    try:
        return function(*arguments)
    except ValueError as error:
        return repr(error)


@pytest.mark.parametrize("function", [searched, split, shown])
def test_methods_do_what_cpythons_do(function: Callable[..., Any]) -> None:
    source, compiled, before = random.Random(5), script(function), live_blocks()
    for _ in range(300):
        letters = "".join(source.sample(ALPHABETS, 2))
        texts = ["".join(source.choices(letters, k=source.randrange(size))) for size in (30, 3, 3)]
        bounds = [source.choice((0, 1, -2, 7, 99, -(2**63), 2**63 - 1)) for _ in range(2)]
        count = source.choice((-1, 0, 1, 2, 40))
        arguments = (*texts, *bounds, count) if function is searched else (*texts[:2], count)
        assert outcome(compiled, arguments) == outcome(function, arguments), arguments
    del compiled
    assert live_blocks() == before


def test_an_int_of_a_text_has_64_bits() -> None:
    read = script(number)
    assert (read("-9223372036854775808"), read("9223372036854775807")) == (-(2**63), 2**63 - 1)
    for text in ("9223372036854775808", "-9223372036854775809", "1" * 40):
        with pytest.raises(OverflowError, match="integer result does not fit in 64 bits"):
            read(text)
