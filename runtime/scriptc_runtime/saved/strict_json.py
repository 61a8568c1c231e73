"""JSON from a stranger: no duplicate keys, no floats, shallow, and read into checked fields."""

import json
import re
from collections.abc import Iterator
from typing import NoReturn, cast

from scriptc_runtime.errors import Diagnostic, LoadError

_MAX_DEPTH = 8
_MAX_DIGITS = 19
_BRACKETS_OR_STRINGS = re.compile(rb'"(?:[^"\\]|\\.)*"?|[\[\]{}]', re.DOTALL)


def refuse(where: str, message: str) -> NoReturn:
    """Raise LoadError about the part `where` of a file."""
    raise LoadError(Diagnostic("saved-file", f"{where}: {message}"))


def read_json(data: bytes, where: str) -> "Record":
    """Return the object that `data` is.  Raises LoadError."""
    _check_depth(data, where)
    try:
        value: object = json.loads(
            data.decode("utf-8"),
            object_pairs_hook=_unique,
            parse_int=_integer,
            parse_float=_no_number,
            parse_constant=_no_number,
        )
    except ValueError as error:
        refuse(where, f"not JSON that scriptc writes: {error}")
    return Record(value, where)


def _check_depth(data: bytes, where: str) -> None:
    depth = 0
    for match in _BRACKETS_OR_STRINGS.finditer(data):
        if match.group() in (b"[", b"{"):
            depth += 1
        elif match.group() in (b"]", b"}"):
            depth -= 1
        if depth > _MAX_DEPTH:
            refuse(where, f"more than {_MAX_DEPTH} levels")


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result = dict(pairs)
    if len(result) < len(pairs):
        raise ValueError("a key stands twice")
    return result


def _integer(text: str) -> int:
    if len(text) > _MAX_DIGITS:
        raise ValueError("a number of too many digits")
    return int(text)


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text[:20]} is no integer")


class Record:
    """A JSON object whose fields are taken with the type they must have."""

    def __init__(self, value: object, where: str) -> None:
        if not isinstance(value, dict):
            refuse(where, "not an object")
        self._fields = cast("dict[str, object]", value)
        self.where = where

    def only(self, *names: str) -> None:
        """Refuse fields that are not in `names`."""
        if more := self._fields.keys() - set(names):
            refuse(self.where, f"unknown field {min(more)!r}")

    def __iter__(self) -> Iterator[str]:
        """Yield the names of the fields."""
        yield from self._fields

    def has(self, name: str) -> bool:
        """Whether the field is there."""
        return name in self._fields

    def string(self, name: str) -> str:
        """Return a field that is a string."""
        value = self._fields.get(name)
        if not isinstance(value, str):
            refuse(self.where, f"{name!r} is not a string")
        return value

    def integer(self, name: str) -> int:
        """Return a field that is an integer."""
        return self._integer(name, self._fields.get(name))

    def flag(self, name: str) -> bool:
        """Return a field that is true or false."""
        value = self._fields.get(name)
        if not isinstance(value, bool):
            refuse(self.where, f"{name!r} is neither true nor false")
        return value

    def integers(self, name: str) -> list[int]:
        """Return a field that is a list of integers."""
        return [self._integer(name, item) for item in self._list(name)]

    def record(self, name: str) -> "Record":
        """Return a field that is an object."""
        return Record(self._fields.get(name), f"{self.where}, {name!r}")

    def records(self, name: str) -> list["Record"]:
        """Return a field that is a list of objects."""
        return [
            Record(item, f"{self.where}, {name!r} {number}")
            for number, item in enumerate(self._list(name))
        ]

    def _list(self, name: str) -> list[object]:
        value = self._fields.get(name)
        if not isinstance(value, list):
            refuse(self.where, f"{name!r} is not a list")
        return cast("list[object]", value)

    def _integer(self, name: str, value: object) -> int:
        if type(value) is not int:
            refuse(self.where, f"{name!r} is not an integer")
        return value
