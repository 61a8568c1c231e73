"""Items, lengths and loops of what may be an object, a date, a text or a number."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic, reportIndexIssue=false, reportOperatorIssue=false, reportArgumentType=false
# pyright: reportAttributeAccessIssue=false, reportCallIssue=false

from datetime import datetime

from tests.programs import Case


class Plain:
    def __init__(self, value):
        self.value = value


class Bag:
    def __init__(self, items):
        self.items = items

    def __getitem__(self, place):
        return self.items[place]

    def __len__(self):
        return len(self.items)


def rows():
    when = datetime(2024, 1, 2)
    return {"when": when, "level": "info", "plain": Plain(3), "bag": Bag([1, 2]), "n": 3}


def of_texts(k):
    row = rows()
    return row["level"][0], row["level"][1:3], row["level"] + "x", len(row["level"]) + k


def item(key):
    try:
        return rows()[key][0]
    except TypeError as error:
        return str(error)


def part(key):
    row = {"when": datetime(2024, 1, 2), "level": "info", "plain": Plain(3), "n": 3}
    try:
        return row[key][1:]
    except TypeError as error:
        return str(error)


def upper(key):
    try:
        return rows()[key].upper()
    except AttributeError as error:
        return str(error)


def length(key):
    try:
        return len(rows()[key])
    except TypeError as error:
        return str(error)


def looped(key):
    row = {"when": datetime(2024, 1, 2), "level": "info", "plain": Plain(3), "n": 3}
    try:
        return [c for c in row[key]]
    except TypeError as error:
        return [str(error)]


def added(key):
    try:
        return rows()[key] + 1
    except TypeError as error:
        return str(error)


KEYS = [("when",), ("level",), ("plain",), ("bag",), ("n",)]
WITHOUT_BAG = [("when",), ("level",), ("plain",), ("n",)]
CASES: list[Case] = [
    (of_texts, [(1,)]),
    (item, KEYS),
    (part, WITHOUT_BAG),
    (upper, KEYS),
    (length, KEYS),
    (looped, WITHOUT_BAG),
    (added, KEYS),
]
