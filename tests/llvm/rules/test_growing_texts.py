"""Texts that a script adds to: those of others stay as they are, and none is kept too long.

The programs themselves are compared by `test_programs`.
"""

# The programs have no annotations.
# pyright: basic

import sys

from scriptc import script
from tests.programs.growing_texts import joined, owned_by_others


def test_texts_of_others_stay_as_they_are() -> None:
    first, second = "first" * 3, "second" * 2
    counts = sys.getrefcount(first), sys.getrefcount(second)
    function = script(owned_by_others)
    for _ in range(50):
        assert function(first, second) == owned_by_others(first, second)
    assert (first, second) == ("first" * 3, "second" * 2)
    assert (sys.getrefcount(first), sys.getrefcount(second)) == counts


def test_a_long_text_has_one_owner() -> None:
    longest = script(joined)(100_000)
    assert longest == "".join(map(str, range(100_000)))
    assert sys.getrefcount(longest) == 2
