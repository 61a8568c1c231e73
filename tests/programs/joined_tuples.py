"""Texts of tuples of any length, joined."""

# Without annotations the types follow from what is put in, which is what these programs are about.
# pyright: basic, reportArgumentType=false, reportCallIssue=false, reportOptionalSubscript=false
# pyright: reportOptionalOperand=false, reportAttributeAccessIssue=false, reportGeneralTypeIssues=false
# pyright: reportOptionalMemberAccess=false, reportOptionalIterable=false, reportOperatorIssue=false

from tests.programs import Case


def from_list(xs):
    return ",".join(tuple(xs))


def from_comprehension(xs):
    t = tuple(x.upper() for x in xs)
    return "-".join(t), "".join(t[1:]), "/".join((*xs, "z"))


def of_known_lengths(xs):
    return ",".join(("a", "b")), ",".join(()), ",".join(("a",))


def in_a_loop(xs):
    t = (*xs, "q")
    return [",".join(t) for _ in range(2)]


def of_several_lengths(xs):
    rows = [tuple(xs), ("a",), ()]
    return [",".join(r) for r in rows]


def of_bytes(xs):
    return b",".join(tuple(x.encode() for x in xs))


def of_others(xs):
    return (
        ",".join(xs[:1] or ("none",)),
        ",".join(sorted(set(xs))),
        ",".join({x: 1 for x in xs}),
        ",".join(set(xs[:1])),
        ",".join("abc"),
        ",".join(reversed(xs)),
        ",".join(map(str, (1, 2))),
    )


def perhaps_none(xs):
    t = None if len(xs) > 2 else tuple(xs)
    return ",".join(t)


def prefixes(xs):
    return (
        [*tuple(xs), "z"],
        "abc".startswith(tuple(xs)),
        sum(tuple(len(x) for x in xs)),
        max(tuple(xs), default=""),
        "abc".endswith(("c", "d")),
    )


CASES: list[Case] = [
    (from_list, [(["x", "y"],), (["a", "b", "c"],)]),
    (from_comprehension, [(["x", "y"],), (["a", "b", "c"],)]),
    (of_known_lengths, [(["x", "y"],), (["a", "b", "c"],)]),
    (in_a_loop, [(["x", "y"],), (["a", "b", "c"],)]),
    (of_several_lengths, [(["x", "y"],), (["a", "b", "c"],)]),
    (of_bytes, [(["x", "y"],), (["a", "b", "c"],)]),
    (of_others, [(["x", "y"],), (["a", "b", "c"],)]),
    (perhaps_none, [(["x", "y"],), (["a", "b", "c"],)]),
    (prefixes, [(["x", "y"],), (["a", "b", "c"],)]),
]
