"""Searches among items that are written down, in sets and lists, which are not made."""

# Some searches are for what no item can equal.
# pyright: reportUnnecessaryContains=false

from tests.programs import Case


def words(text: str) -> tuple[list[bool], int]:
    few = [w in {"a", "bc"} for w in text.split(" ")]
    many = 0
    for w in text.split(" "):
        if w in {"if", "in", "is", "for", "def", "else", "while", "", "née", "\x00", "日本"}:
            many += 1
        elif w not in ["not", "or", "and", "pass", 3, None]:
            many += 100
    return few, many


def numbers(k: int, x: float, b: bool) -> list[bool]:
    return [
        k in {1, 3, -7},
        k not in {1, 3, -7, 2**62},
        k in [1.0, 2.5, True],
        k in [0],
        x in {1, 2.5, -0.0, 1e308},
        x not in [1.5, False],
        b in {1},
        b in [False, 2],
        k in {"a", "b"},
        k not in ["a"],
        x in {1.0, 0.5},
    ]


def among_others(k: int | None, s: str, items: list[int]) -> list[bool]:
    """What is no constant, or may be None, is searched in what is made."""
    return [
        k in {1, 2},
        k in [None, 1],
        s in {"a", s},
        s in ["x", "y" + s],
        items in [[1], [2, 3]],
        (len(items), s) in {(1, "a"), (2, "b")},
        s in ("a", "b") in [True],
    ]


def told(s: str) -> str:
    """A search tells what a variable is."""
    total = ""
    for c in s:
        total += c if c in {"a", "e", "i", "o", "u"} else "." if c in ["b", "c"] else "-"
    return total


class Counted:
    def __init__(self) -> None:
        self.calls = 0

    def next(self) -> int:
        self.calls += 1
        return self.calls


def evaluated_once(n: int) -> tuple[int, list[bool]]:
    c = Counted()
    found = [c.next() in {3, 5, 4, 9} for _ in range(n)]
    return c.calls, found


TEXT = "if a not née bc  日本 else pass \x00 elsewhere or xx日 while whilf a"
CASES: list[Case] = [
    (words, [("",), (TEXT,), ("a bc b",)]),
    (
        numbers,
        [
            (k, x, b)
            for k in (0, 1, 2, -7, 2**62, -(2**63))
            for x in (1.0, -0.0, 2.5, float("nan"), 1e308)
            for b in (True, False)
        ],
    ),
    (among_others, [(None, "a", [1]), (1, "b", [2, 3]), (7, "", [])]),
    (told, [("abcdefü",), ("",)]),
    (evaluated_once, [(0,), (6,)]),
]
