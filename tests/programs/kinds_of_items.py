"""Items of several types, of which some have no such operation: TypeErrors where these are met."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic, reportArgumentType=false, reportCallIssue=false

import json

from tests.programs import Case

USERS = '{"users": [{"name": "ann", "age": 31}, {"name": "bob", "age": 25}], "count": 2}'
ROWS = '[{"kind": "a", "size": 3}, {"kind": "b", "size": 1.5}, {"kind": "a", "size": 2}]'


def named(text):
    """What is looped over may be a text or a dict, too, whose items are texts."""
    for user in json.loads(text)["users"]:
        print(user["name"])


def of_age(text, least):
    users = json.loads(text)["users"]
    return [user["name"] for user in users if user["age"] >= least]


def summed(text):
    rows = json.loads(text)
    return sum(row["size"] for row in rows), max(rows, key=lambda row: row["size"])["kind"]


def in_order(text):
    rows = json.loads(text)
    return [row["size"] for row in sorted(rows, key=lambda row: row["size"])]


def ordered(text):
    return sorted(json.loads(text))


def extremes(text):
    found = json.loads(text)
    return min(found), max(found), sum(found)


def grouped(text):
    groups = {}
    for row in json.loads(text):
        groups.setdefault(row["kind"], []).append(row["size"])
    return {kind: len(sizes) for kind, sizes in groups.items()}


def counted(text):
    """A list or a dict has no hash."""
    counts = {}
    for item in json.loads(text):
        try:
            counts[item] = counts.get(item, 0) + 1
        except TypeError as error:
            counts["error"] = str(error)
    return counts


def changed(text):
    data = json.loads(text)
    data["n"] += 1
    data["list"].append(data["n"])
    data["list"] += [5]
    data["sub"]["x"] = data["n"] * 2
    del data["gone"]
    return json.dumps(data)


def written(n):
    said = []
    for whole in [[1, 2], "ab", {0: 2}, (1, 2), 5]:
        try:
            whole[0] = 5
            said.append("set")
            del whole[0]
            said.append(len(whole))
        except TypeError as error:
            said.append(str(error))
    return said[n:]


def by_key(text):
    """In each loop it is known what is looped over."""
    total = 0
    data = json.loads(text)
    for key in data:
        value = data[key]
        if isinstance(value, (int, float)):
            total += value
        elif isinstance(value, str):
            total += len(value)
        elif isinstance(value, list):
            total += sum(value)
    return total


def quotient(a, b):
    try:
        return a / b
    except TypeError as error:
        return str(error)


def expected(n):
    """What a handler waits for is no mistake."""
    return [quotient(1, n), quotient("a", n), quotient(None, 1.5)]


def sold(text):
    """A product of a truth value and a list is one, too."""
    totals = {}
    for order in json.loads(text)["orders"]:
        for item in order["items"]:
            who = order["who"]
            totals[who] = totals.get(who, 0) + item["price"] * item["count"]
    return sorted(totals.items()), max(totals, key=totals.get)


def repeated(n):
    xs = [1, 2] * (n > 1)
    xs *= n > 0
    return xs, (1, 2) * True, [n] * False


def unpacked(n):
    said = []
    for pair in [(1, 2), 5, None, "ab"]:
        try:
            first, second = pair
            said.append(f"{first} {second}")
        except TypeError as error:
            said.append(str(error))
    return said[n:]


def noted(seen, text):
    seen.append(text)
    return text


def evaluated(n):
    """What stands before is evaluated."""
    seen = []
    for item in ["a", 5, None][n:]:
        try:
            seen.append(noted(seen, "left") + str(noted(seen, "inner")[0] + item))
        except TypeError as error:
            seen.append(str(error))
    return seen


def loops(n):
    said = []
    for whole in [3, "ab", [1], {"k": 1}, None][n:]:
        try:
            for item in whole:
                said.append(item * 2)
        except TypeError as error:
            said.append(str(error))
    return said


SOLD = (
    '{"orders": [{"who": "a", "items": [{"price": 2.5, "count": 2}, {"price": 1, "count": 3}]},'
    ' {"who": "b", "items": [{"price": 1, "count": true}]}]}'
)
CASES: list[Case] = [
    (named, [(USERS,), ('{"users": "ab"}',), ('{"users": {"a": 1}}',), ('{"users": 5}',), ("[]",)]),
    (of_age, [(USERS, 30), ('{"users": [{"name": "c", "age": "x"}]}', 1)]),
    (summed, [(ROWS,), ('[{"size": "a"}]',), ("5",), ('{"size": 3}',)]),
    (in_order, [(ROWS,), ('[{"size": 1}, {"size": "a"}]',), ('["size", "b"]',)]),
    (ordered, [("[3, 1, 2.5]",), ('"bca"',), ('["b", 1]',), ('{"b": 1, "a": 2}',), ("3",)]),
    (ordered, [("[[2, 1], [1, 3]]",), ("[null, 1]",), ("[{}, {}]",), ("[]",)]),
    (extremes, [("[3, 4.5]",), ("[true, 2]",), ('["a"]',), ("[[1]]",)]),
    (grouped, [(ROWS,), ('[{"kind": [], "size": 1}]',)]),
    (counted, [('["a", 1, "a", 1.0, null, true]',), ('["a", [1], {"a": 2}]',)]),
    (changed, [('{"n": 1, "list": [], "sub": {}, "gone": 0}',), ('{"n": "a"}',), ("[1]",)]),
    (written, [(0,)]),
    (by_key, [('{"a": 1, "b": 2.5, "c": "xx", "d": [1, 2]}',), ("[0, 1]",), ('"ab"',)]),
    (expected, [(2,)]),
    (sold, [(SOLD,), (SOLD.replace("2.5", "[1]"),)]),
    (repeated, [(0,), (1,), (2,)]),
    (unpacked, [(0,)]),
    (evaluated, [(0,)]),
    (loops, [(0,)]),
]
