"""Containers made of what may be a dict, a list, a number or None, and loops over such values."""

# Without annotations the types come from the call, which is what these programs are about.

# pyright: basic, reportArgumentType=false, reportOptionalSubscript=false, reportOptionalMemberAccess=false
# pyright: reportAttributeAccessIssue=false, reportOperatorIssue=false, reportCallIssue=false
# pyright: reportOptionalIterable=false, reportIndexIssue=false, reportGeneralTypeIssues=false

from collections import Counter

from tests.programs import Case


def counted(words):
    seen = {"n": 0, "codes": Counter()}
    for word in words:
        seen["n"] += 1
        seen["codes"][word] += 1
    pairs = [(word, count) for word, count in seen["codes"].items()]
    keys = []
    for word in seen["codes"]:
        keys.append(word)
    return seen["n"], dict(seen["codes"]), pairs, keys, sorted(seen["codes"]), len(seen["codes"])


def filled(words):
    seen = {"n": 0, "codes": Counter(), "words": []}
    for word in words:
        seen["n"] += 1
        seen["codes"][word] += 1
        seen["words"].append(word)
    return seen["n"], dict(seen["codes"]), list(seen["words"])


def two_of_them(words):
    seen = {"codes": Counter(), "words": []}
    for word in words:
        seen["codes"][word] += 1
        seen["words"].append(word)
    return dict(seen["codes"])


def plain_dicts(words):
    seen = {"n": 0, "codes": {}, "words": []}
    for word in words:
        seen["n"] += 1
        seen["codes"][word] = len(word)
        seen["words"].append(word)
    return dict(seen["codes"]), seen["words"]


def taken(key):
    parts = {"dict": {"a": 2, "b": 3}, "number": 2}
    return dict(parts[key]), set(parts[key]), tuple(parts[key]), sum(parts[key].values())


def updated(key):
    parts = {"dict": {"a": 2}, "number": 2}
    whole = {"z": 1}
    try:
        whole.update(parts[key])
    except TypeError as error:
        return whole, str(error)
    return whole, ""


def of_number(key):
    parts = {"list": [1, 2], "number": 2}
    found = []
    for make in range(6):
        try:
            if make == 0:
                found.append(len(set(parts[key])))
            elif make == 1:
                found.append(len(tuple(parts[key])))
            elif make == 2:
                found.append(len(frozenset(parts[key])))
            elif make == 3:
                found.append(int(any(parts[key])))
            elif make == 4:
                found.append(len(list(enumerate(parts[key]))))
            else:
                found.append(len(dict.fromkeys(parts[key])))
        except TypeError as error:
            found.append(len(str(error)))
    return found


def sets_or_numbers(key):
    parts = {"set": {1, 2}, "number": 2}
    total = 0
    for item in parts[key]:
        total += item
    return total, max(parts[key]), sorted(parts[key])


def dicts_or_none(known):
    table = {"a": 1} if known else None
    found = []
    for key in table:
        found.append(key)
    return found


CASES: list[Case] = [
    (counted, [(["a", "b", "a"],), (["x"],)]),
    (filled, [(["a", "b", "a"],), (["x"],)]),
    (two_of_them, [(["a", "b", "a"],), (["ab", "cd"],)]),
    (plain_dicts, [(["a", "bc"],)]),
    (taken, [("dict",), ("number",), ("none",)]),
    (updated, [("dict",), ("number",)]),
    (of_number, [("list",), ("number",)]),
    (sets_or_numbers, [("set",), ("number",)]),
    (dicts_or_none, [(True,), (False,)]),
]
