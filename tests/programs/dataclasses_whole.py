"""Dataclasses with factories, fields that are no parameters, and what runs after `__init__`."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import dataclasses
import enum
from dataclasses import InitVar, dataclass, field
from typing import ClassVar

from tests.programs import Case


@dataclass
class Bag:
    name: str
    items: list[int] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict[str, int], repr=False)
    total: int = field(init=False, default=0)
    LIMIT: ClassVar[int] = 3

    def add(self, n):
        if len(self.items) < self.LIMIT:
            self.items.append(n)
        self.total += n
        self.counts[self.name] = self.total


@dataclass
class Box:
    width: float
    height: float = 2.0
    scale: InitVar[float] = 1.0
    area: float = field(init=False, compare=False)

    def __post_init__(self, scale):
        self.area = self.width * self.height * scale


@dataclass(frozen=True, order=True)
class Version:
    major: int
    minor: int = 0
    tag: str = field(default="", compare=False)


def one() -> int:
    return 1


@dataclass(kw_only=True)
class Node:
    value: int = field(default_factory=one)
    label: str = "node"
    version: Version = field(default_factory=lambda: Version(1, 2))


@dataclass
class Base:
    a: int
    b: int = 2


@dataclass
class Derived(Base):
    c: list[float] = field(default_factory=lambda: [0.5])

    def __post_init__(self):
        self.b += self.a


def bags(n: int):
    one, two = Bag("x"), Bag("y", [7, 8], {"y": 1})
    for i in range(n):
        one.add(i)
        two.add(10 * i)
    return one.items, two.items, one.total, two.counts, f"{one}", one == two, Bag("x") == Bag("x")


def boxes(w: float):
    a, b = Box(w), Box(w, 3.0, 0.5)
    return a.area, b.area, str(b), a == Box(w, scale=9.0)


def versions(n: int):
    a, b, c = Version(1, n), Version(1), Version(1, n, "rc")
    return a < b, a == c, a >= b, repr(c), max(a.minor, b.minor)


def nodes(n: int):
    a, b = Node(), Node(value=n, label="other")
    return a.value, b.value, str(a), b.version.minor, a.version is b.version


def derived(n: int):
    d = Derived(n)
    e = Derived(n, 5, [1.5])
    d.c.append(2.0)
    return d.b, e.b, d.c, str(e), Derived(n).c


def replaced(n: int):
    v = Version(1, n, "a")
    w = dataclasses.replace(v, minor=n + 1)
    b = Bag("x", [1])
    c = dataclasses.replace(b, name="y")
    box = Box(1.5)
    big = dataclasses.replace(box, scale=3.0, height=4.0)
    return str(w), str(v), len(c.items), c.name, big.area, dataclasses.astuple(w)


def as_dict(n: int):
    d = Base(n, 5)
    return dataclasses.asdict(d), dataclasses.astuple(d)


@dataclass
class Row:
    id: int
    name: str


def of_what_is_computed(n: int):
    """The object is computed once."""
    asked: list[int] = []

    def found(id: int):
        asked.append(id)
        return Row(id, "found")

    rows = {1: Row(1, "a"), 2: Row(n, "b")}
    rows[1] = dataclasses.replace(rows[1], name="z")
    dicts = [dataclasses.asdict(row) for row in rows.values()], dataclasses.asdict(found(n))
    most = dataclasses.replace(max(rows.values(), key=lambda row: row.id), name="most")
    either = dataclasses.astuple(found(5)) if n > 2 else dataclasses.astuple(rows[2])
    return dicts, dataclasses.astuple(most), either, asked


class Kind(enum.Enum):
    FULL = "full"
    PART = "part"


@dataclass
class Best:
    """Fields that are copied as they are: what may be None, members, and tuples of them."""

    kind: Kind = Kind.FULL
    other: Kind = Kind.PART


@dataclass
class Found:
    epoch: int | None = None
    loss: float | None = None
    name: str = "none"


def copied(n):
    best = Best(other=Kind.PART if n else Kind.FULL)
    found = Found(n, loss=n / 2) if n else Found()
    return dataclasses.asdict(best), dataclasses.astuple(best), dataclasses.asdict(found)


def parts():
    return {"train": [], "test": []}


@dataclass
class History:
    """Annotations say what empty lists hold that functions make."""

    records: dict[str, list[float]] = field(default_factory=lambda: {"loss": [], "rate": []})
    parts: dict[str, list[int]] = field(default_factory=parts)
    table: dict[str, dict[str, float]] = field(default_factory=lambda: {"a": {}})
    rows: list[list[int]] = field(default_factory=lambda: [[] for _ in range(2)])

    def log(self, **values: float):
        for key, value in values.items():
            self.records[key].append(value)


def histories(n):
    first, second = History(), History(rows=[[n]])
    for i in range(n):
        first.log(loss=1.5 * i, rate=0.5)
        first.rows[i % 2].append(i)
        second.table["a"][f"b{i}"] = i / 2
    wanted: dict[str, list[int]] = parts()
    wanted["test"].append(n)
    return first.records, first.rows, first.parts, second.records, second.table, wanted


def one_of(n):
    for major in range(n):
        if major == 2:
            return Version(major, n)
    return None


def noted(n, log):
    log.append(n)
    return n


def replaced_if_found(n):
    """`replace` of what may be None, which Python says after all is evaluated that it is given."""
    log: list[int] = []
    found = one_of(n)
    try:
        first = dataclasses.replace(found, minor=noted(7, log))  # pyright: ignore[reportArgumentType]
        log.append(first.minor)
        log.append(dataclasses.replace(found, major=n).major)  # pyright: ignore[reportArgumentType]
    except TypeError as e:
        print(e, log)
    try:
        return str(dataclasses.replace(one_of(n + 1), tag="x")), log  # pyright: ignore[reportArgumentType]
    except TypeError as e:
        return str(e), log


CASES: list[Case] = [
    (replaced_if_found, [(0,), (2,), (3,)]),
    (of_what_is_computed, [(2,), (3,)]),
    (copied, [(0,), (3,)]),
    (histories, [(0,), (3,)]),
    (bags, [(2,), (5,)]),
    (boxes, [(1.5,)]),
    (versions, [(0,), (3,)]),
    (nodes, [(4,)]),
    (derived, [(3,)]),
    (replaced, [(3,)]),
    (as_dict, [(3,)]),
]
