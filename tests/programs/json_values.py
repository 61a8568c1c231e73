"""`json.loads`: what a text says, as numbers, texts, lists and dicts of such."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import json
import math

from tests.programs import Case


def read(text):
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        return str(error), error.msg, error.pos, error.lineno, error.colno


def total(value):
    """Return the sum of all numbers that a value holds."""
    if isinstance(value, dict):
        return sum(total(v) for v in value.values())
    if isinstance(value, list):
        return sum(total(v) for v in value)
    if isinstance(value, (int, float)):
        return value
    return 0


def used(text):
    data = json.loads(text)
    if not isinstance(data, dict):
        return [], "", 0.0, 0
    users = data["users"]
    names = []
    if isinstance(users, list):
        for user in users:
            if isinstance(user, dict) and isinstance(user["name"], str):
                names.append(user["name"])
    return names, data["users"][0]["tags"][1], total(data), len(data["users"])


def wrong(text):
    try:
        json.loads(text)
    except ValueError as error:
        return type(error).__name__, str(error)
    return "", ""


def special(n):
    found = json.loads("[NaN, Infinity, -Infinity, 1E400, -0.0, -0]")
    return (
        math.isnan(found[0]),
        found[1],
        found[3:] if isinstance(found, list) else [],
        json.loads('"a\\tb"', strict=False) if n else "",
    )


def priced(text):
    """Show what a text says without a test of what it is."""
    doc = json.loads(text)
    lines = []
    for item in doc["items"]:
        cost = item["price"] * item["n"]
        lines.append(f"{item['name']:<4}|{item['price']:6.2f}|{item['n']:>3d}|{cost:8.1f}")
    return lines, max(item["price"] for item in doc["items"])


def within(text):
    data = json.loads(text)
    return f"{data['a']['b']:.1f}"


def looped(text):
    data = json.loads(text)
    count = 0
    for _ in data["a"]:
        count += 1
    return count


def put(text):
    data = json.loads(text)
    data["a"]["b"] = 3
    return data["a"]["b"]


def numbered(text):
    data = json.loads(text)
    count = 0
    for i, row in enumerate(data["a"], 1):
        count += i * len(row)
    return count, ",".join(data["a"])


def side_by_side(text):
    data = json.loads(text)
    return [(x, y) for x, y in zip(data["a"], data["b"], strict=False)], list(enumerate(data["b"]))


PRICED = [
    '{"items": [{"name": "a", "price": 2.5, "n": 3}, {"name": "b", "price": 4, "n": true}]}',
    '{"items": [{"name": "a", "price": 2.5, "n": 1.0}]}',
    '{"items": [{"name": "a", "price": "2.5", "n": 1}]}',
    '{"items": [{"name": null, "price": 1, "n": 1}]}',
    '{"items": [{"name": [1], "price": 1, "n": 1}]}',
    '{"items": 3}',
    "[]",
]
SIDES = [
    *('{"a": ["x", "yz"], "b": "pq"}', '{"a": {"k": 1}, "b": ["u"]}', '{"a": [1], "b": [2]}'),
    *('{"a": 3, "b": []}', '{"a": [], "b": null}', '{"a": 3}', "[]", "3"),
    *('{"a": ["x", []], "b": []}', '{"a": ["x", {}], "b": []}', '{"a": ["", null]}'),
]
WITHIN = [
    *('{"a": {"b": 2.5}}', '{"a": {"b": 2}}', '{"a": {"b": "x"}}', '{"a": {"b": null}}'),
    *('{"a": {"b": [1]}}', '{"a": {"b": {}}}', '{"a": [1]}', '{"a": "x"}', '{"a": null}'),
    *("{}", "[1]", "3", "null", '"x"'),
]
GOOD = [
    '[1, 2.5, null, true, false, {"a": [], "b": {"c": "x\\n\\u00e9\\ud83d\\ude00\\ud83d"}}]',
    *("{}", "[]", "1", '"a"', " [ [ [ ] ] ] ", "-0", "0.5e-3", '{"a": 1, "a": "b"}', "1e5"),
]
BAD = [
    *("[1,]", '{"a" 1}', "[1 2]", "nul", "", "[1] x", '"abc', "-", '"\\x"', '{"a":1,}', '"a\tb"'),
    *("\ufeff1", '"\\u12"', '"\\', "[", "{", '{"a":', "01", "1.", "+1", '["a"\n, x]', "'a'"),
    *('"\\u1_23"', '"\\u12345', '"\\ud83d\\uxxxx"', '"\\ud83d\\u0041"', '"\\u 123"'),
]
USERS = (
    '{"users": [{"name": "a", "age": 3, "tags": ["x", "y"]},'
    ' {"name": "b", "age": null, "tags": []}]}'
)


def totals(text):
    """An empty list stands for what an object lacks, beside a dict that what it has fills."""
    found = {}
    for order in json.loads(text):
        for item in order.get("items", []):
            found[order["name"]] = item
    return found


CASES: list[Case] = [
    (totals, [('[{"name": "A", "items": [1.5, "x"]}, {"name": "B"}]',), ("[]",), ("[3]",)]),
    (read, [(text,) for text in (*GOOD, *BAD)]),
    (used, [(USERS,)]),
    (wrong, [("[1,",), ("[]",)]),
    (special, [(1,)]),
    (priced, [(text,) for text in PRICED]),
    *((function, [(text,) for text in SIDES]) for function in (numbered, side_by_side)),
    *((function, [(text,) for text in WITHIN]) for function in (within, looped, put)),
]
