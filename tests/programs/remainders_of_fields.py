"""Remainders of what may be a text: `row["n"] % 2` of rows that hold texts, too."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic, reportOperatorIssue=false

from tests.programs import Case

ROWS = [{"name": "a", "n": 3, "w": 2.5}, {"name": "b%d", "n": 4, "w": 0.5}]


def odd(k):
    names = []
    for row in ROWS:
        if row["n"] % 2 == k:
            names.append(row["name"])
    return names


def added(k):
    total = 0
    for row in ROWS:
        total += row["n"] % (k + 3)
        total += row["w"] % 2
    return total


def of_texts(key):
    try:
        return ROWS[0][key] % 2
    except TypeError as error:
        return str(error)


CASES: list[Case] = [
    (odd, [(0,), (1,)]),
    (added, [(0,), (4,)]),
    (of_texts, [("name",), ("n",), ("w",)]),
]
