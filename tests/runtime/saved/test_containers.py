"""Dicts, sets and the like that objects hold, saved and brought back, and what files may claim."""

# Classes of the tests are made for each backend, so no annotation says what they are.
# pyright: basic

from collections import Counter, OrderedDict, defaultdict, deque
from pathlib import Path
from typing import Any

import pytest

import scriptc_runtime
from scriptc import load, save, script
from scriptc_runtime.errors import InvalidIRError, UnsupportedError
from scriptc_runtime.ir import ClassDecl, Module
from scriptc_runtime.text.reader import read_module
from scriptc_runtime.text.writer import write_module
from scriptc_runtime.types import INT, STR, DequeType, DictType, SetType, TupleType
from scriptc_runtime.verify.module import verify


@script
class Store:
    counts: dict[str, int]
    rows: dict[tuple[int, str], float | None]
    seen: set[int]
    last: deque[int]
    letters: Counter[str]
    groups: defaultdict[str, int]
    ordered: OrderedDict[int, str]
    fixed: frozenset[str]

    def __init__(self, n: int):
        self.counts = {"a": n}
        self.rows = {(1, "x"): None}
        self.seen = {n}
        self.last = deque([n], 3)
        self.letters = Counter("aab")
        self.groups = defaultdict(int)
        self.ordered = OrderedDict([(2, "two")])
        self.fixed = frozenset(["q"])

    def put(self, name: str, n: int) -> int:
        self.counts[name] = n
        self.rows[n, name] = 1.5
        self.seen.add(n)
        self.last.append(n)
        self.letters[name] += 1
        self.groups[name] += n
        self.ordered[n] = name
        return len(self.counts) + len(self.last) + len(self.rows) + (name in self.fixed)


FIELDS = ("counts", "rows", "seen", "last", "letters", "groups", "ordered", "fixed")


@script
class Twice:
    one: dict[str, int]
    other: dict[str, int]

    def __init__(self):
        self.one = {"a": 1}
        self.other = self.one

    def get(self) -> int:
        return len(self.other)


@script
class Rows:
    rows: dict[str, list[int]]

    def __init__(self):
        self.rows = {"a": [1]}

    def get(self) -> int:
        return len(self.rows)


@pytest.fixture(params=[load, scriptc_runtime.load], ids=["compiled", "interpreted"])
def reload(request: pytest.FixtureRequest) -> Any:
    return request.param


def test_containers_come_back(reload: Any, tmp_path: Path) -> None:
    path, again = tmp_path / "store.scriptc", tmp_path / "again.scriptc"
    live = Store(3)
    live.put("b", 4)
    live.counts["z"] = 9
    save(live, path)
    module = reload(path)
    for name, n in (("q", 7), ("b", 8)):
        assert module.put(name, n) == live.put(name, n)
    save(module, again)
    for loaded in (module, reload(again)):
        for field in FIELDS:
            value, expected = getattr(loaded, field), getattr(live, field)
            assert (type(value).__name__, value) == (type(expected).__name__, expected)
        assert loaded.last.maxlen == 3


def test_what_may_be_held_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError, match=r"'self.one' and 'self.other' are one dict"):
        save(Twice(), tmp_path / "twice.scriptc")
    with pytest.raises(UnsupportedError, match=r"'self.rows' is a dict that holds lists"):
        save(Rows(), tmp_path / "rows.scriptc")


@pytest.mark.parametrize(
    ("field", "good", "bad"),
    [
        (
            DictType(STR, INT),
            '[("a", 1), ("b", 2)]',
            ['[("a", 1), ("a", 2)]', '["a"]', "[(1, 1)]", '[("a", 1.5)]', "none", '("a", 1)'],
        ),
        (SetType(INT), "[1, 2]", ["[1, 1]", '["a"]', "1", "[[1]]"]),
        (SetType(TupleType((INT, INT))), "[(1, 2)]", ["[(1, 2), (1, 2)]", "[(1,)]"]),
        (
            DequeType(INT),
            "([1, 2], -1)",
            ["[1, 2]", "([1, 2], 1)", "([1], -2)", "([1], true)", "([1.0], 3)"],
        ),
        (SetType(DictType(STR, INT)), "[]", ["[[]]"]),
    ],
)
def test_containers_in_files_are_of_their_type(field: Any, good: str, bad: list[str]) -> None:
    module = Module({}, {"Bag": ClassDecl("Bag", (("held", field),))}, {}, {})
    text = write_module(module)
    if "dict" not in str(field) or isinstance(field, DictType):
        verify(read_module(f"{text}object @b : class<Bag> (held={good})\n"))
    for value in bad:
        with pytest.raises(InvalidIRError):
            verify(read_module(f"{text}object @b : class<Bag> (held={value})\n"))
