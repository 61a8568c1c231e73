"""What is refused of objects whose classes inherit from `list` and `dict`."""

# Types come from the calls.
# pyright: basic

import pytest

from scriptc import script
from scriptc_runtime.errors import TypeCheckError


class Row(list):
    pass


class Table(dict):
    pass


def test_patterns_of_sequences_and_mappings_are_refused() -> None:
    def pair(n):
        match Row([n, 2]):
            case [a, b]:
                return a + b
        return 0

    def item(n):
        match Table({"a": n}):
            case {"a": value}:
                return value
        return 0

    for program, base in ((pair, "list"), (item, "dict")):
        with pytest.raises(TypeCheckError, match=f"inherits from {base}"):
            script(program)(1)
