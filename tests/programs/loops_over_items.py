"""Comprehensions and loops over items of what is of several types: for some of them they raise."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import json

from tests.programs import Case

ERRORS = TypeError, KeyError, ValueError, AttributeError


def noted(x):
    print("noted", x)
    return x


def days(text):
    total = 0
    for item in json.loads(text):
        year, month = [int(p) for p in item["d"].split("-")]
        total += year * 100 + month
    return total


def parts(text):
    found = []
    for item in json.loads(text):
        try:
            for part in item["d"].split("-"):
                found.append(part)
            first = item["d"].upper()
            found.append(first)
        except ERRORS as error:
            found.append(str(error))
    return found


def containers(text):
    found = []
    for item in json.loads(text):
        try:
            numbers = [int(p) for p in item["d"].split("-")]
            total = sum(int(p) for p in item["d"].split("-"))
            names = {p for p in item["d"].split("-")}
            sizes = {p: len(p) for p in item["d"].split("-")}
            joined = ", ".join(p for p in item["d"].split("-"))
            letters = [q for p in item["d"].split("-") for q in p]
            ones = any(p == "1" for p in item["d"].split("-"))
            found.append(f"{numbers} {total} {sorted(names)} {sizes} {joined} {letters} {ones}")
        except ERRORS as error:
            found.append(str(error))
    return found


def each(text):
    found = []
    for item in json.loads(text):
        for kind in range(7):
            try:
                match kind:
                    case 0:
                        found.append(str(sum([noted(1), len([p for p in item["d"]])])))
                    case 1:
                        found.append(str([p for p in item]))
                    case 2:
                        found.append(str([[p for p in q] for q in item]))
                    case 3:
                        found.append(str([p for q in item for p in q]))
                    case 4:
                        found.append(str(all(p for p in item["d"])))
                    case 5:
                        found.append(str(max(len(p) for p in item["d"])))
                    case _:
                        found.append(" ".join(str(p) for p in item.items()))
            except ERRORS as error:
                found.append(str(error))
    return found


def plain(n):
    found = []
    for x in [1, "ab", [2, 3], None, 2.5, (1, 2)][:n]:
        try:
            found.append(len([p for p in x]))
        except TypeError as error:
            found.append(str(error))
        try:
            found.append(sum(p for p in x))
        except TypeError as error:
            found.append(str(error))
    return found


def first_part(n):
    """What is looked at to see which kind of statement it is says what CPython does."""
    for item in [1, {"d": "x-y", "e": [n]}][n:]:
        part = item["d"].split("-")
        return part[0]
    return "nothing"


def first_item(n):
    item = [1, {"d": ["x-y"], "e": n}][n]
    for part in item["d"]:
        return part
    return "nothing"


JSON = [
    "[]",
    '[{"d": "2024-01"}, {"d": "1-2-3"}, {"e": 1}, [1], "ab", 3, null, 2.5, true]',
    '{"d": "1-2"}',
    '[{"d": [1, 2]}, {"d": null}, {"d": ["a"]}]',
    '[["ab", "c"], [[1], [2]], {"d": {"e": 1}}]',
]
CASES: list[Case] = [
    (days, [('[{"d": "2024-01"}, {"d": "7-12"}]',), ("[[1]]",), ('[{"d": 3}]',), ("3",)]),
    (parts, [(text,) for text in [*JSON, "null"]]),
    (containers, [(text,) for text in JSON]),
    (each, [(text,) for text in JSON]),
    (plain, [(0,), (6,)]),
    (first_part, [(0,), (1,), (2,)]),
    (first_item, [(0,), (1,)]),
]
