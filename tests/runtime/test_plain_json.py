"""What is written of our own files is what `json` writes, and is read as `json` reads it."""

import json

import pytest

from scriptc_runtime.plain_json import read_json, write_json

VALUES: list[object] = [
    None,
    True,
    -(2**63),
    1.5,
    -0.0,
    1e300,
    float("inf"),
    "",
    'a "quoted"\n\\ line\t\x00',
    "Größe \U0001f600 \ud800",
    [],
    [[1, [2.5, None]], "x", {}],
    {"a": [1], "b": {"c": "d"}},
]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_value_is_written_and_read_as_json_does(value: object) -> None:
    text = write_json(value)
    assert text == json.dumps(value)
    assert read_json(text) == json.loads(text)


def test_what_is_no_json_is_not_written() -> None:
    with pytest.raises(TypeError, match="object is no JSON"):
        write_json([object()])
