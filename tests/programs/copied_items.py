"""Lists from Python whose items are lists, dicts or texts: each is copied as what it is."""

from tests.programs import Case


def lengths(xs: list[list[int] | str]) -> list[int]:
    return [len(x) for x in xs]


def extended(xs: list[int | list[int] | str | None]) -> list[str]:
    xs.append("z")
    return [str(x) for x in xs]


def held(d: dict[str, list[int] | str | dict[str, int]]) -> int:
    return sum(len(x) for x in d.values())


CASES: list[Case] = [
    (lengths, [(["a", [1]],), ([[1], "bc"],), ([[1], []],), (["a"],)]),
    (extended, [([[1], "a", 3, None],), (["a", [1, 2], None],)]),
    (held, [({"a": [1], "b": "xy", "c": {"d": 1}},), ({"a": {"d": 1}, "b": [2]},)]),
]
