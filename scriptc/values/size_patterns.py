"""Patterns of sizes: which axes of a call's arrays are of one size, and which of a small number.

Code that knows which are equal, and which are 1, needs neither tests nor slow ways for arrays that
would be broadcast; rows of two to four elements need no loop. So a function is compiled for the
pattern of its first call, and serves every call that has the same equalities, whatever the sizes.
"""

from collections.abc import Sequence
from typing import cast

import numpy as np

from scriptc.values.kinds import Array

# For so many patterns a function is compiled with arguments of the same kinds; then for any sizes.
PATTERNS = 4

# Numbers that code may know a size by: 1, which arrays are broadcast for, and the lengths of rows
# that are coordinates, colours or corners of boxes.
NUMBERS = (1, 2, 3, 4)

# Of a call there is a row of sizes: first these numbers, then those of all arrays in their order. A
# pattern says which places in it hold equal sizes, and which hold sizes that differ.
Sizes = Sequence[object]
Pairs = tuple[tuple[int, int], ...]
Pattern = tuple[Pairs, Pairs]
ANY: Pattern = ((), ())


def sizes_of(values: Sequence[object]) -> Sizes:
    """Return the row of sizes of a call: the numbers, and the arrays given, or in tuples."""
    found: list[object] = [*NUMBERS]
    _add_sizes(values, found)
    return found


def _add_sizes(values: Sequence[object], found: list[object]) -> None:
    for value in values:
        if isinstance(value, np.ndarray):
            found += cast(Array, value).shape
        elif type(value) is tuple:
            _add_sizes(cast("tuple[object, ...]", value), found)


def fits(pattern: Pattern, sizes: Sizes) -> bool:
    """Whether code for a pattern serves a call with such sizes."""
    equal, unequal = pattern
    return all([sizes[a] == sizes[b] for a, b in equal]) and all(
        [sizes[a] != sizes[b] for a, b in unequal]
    )
