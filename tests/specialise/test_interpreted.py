"""What a caller sees of lists and dicts that it gives, on each back end."""

from typing import Any

import pytest

from scriptc import script
from scriptc_runtime.errors import ScriptError


@pytest.mark.parametrize("backend", ["interp", "llvm"])
def test_what_is_put_into_parts_of_a_dict_is_seen_or_refused(backend: str) -> None:
    def put(d: dict[str, dict[str, int]], k: str) -> int:
        d[k]["x"] = 5
        return len(d)

    def appended(d: dict[str, list[int]]) -> int:
        for values in d.values():
            values.append(5)
        return len(d)

    cases: list[tuple[Any, Any, tuple[str, ...]]] = [
        (put, {"a": {"x": 1}}, ("a",)),
        (appended, {"a": [1]}, ()),
    ]
    for function, given, rest in cases:
        try:
            script(function, backend=backend)(given, *rest)
        except ScriptError:
            continue
        assert given in ({"a": {"x": 5}}, {"a": [1, 5]})
