"""Keys that are of several types, or may be None: one that no key equals is not there."""

# Without annotations the types follow from what is put in, which is what these programs are about.
# pyright: basic, reportArgumentType=false, reportCallIssue=false, reportOptionalSubscript=false
# pyright: reportOptionalOperand=false, reportAttributeAccessIssue=false, reportGeneralTypeIssues=false
# pyright: reportOptionalMemberAccess=false, reportOptionalIterable=false, reportOperatorIssue=false

import enum
from collections import Counter, defaultdict
from typing import NamedTuple

from tests.programs import Case

PREC = {"+": 1, "*": 2}


class Tok:
    def __init__(self, value):
        self.value = value


def toks(k):
    return [Tok(1.5), Tok("+"), Tok("?")][k]


def precedence(k):
    return PREC.get(toks(k).value, 0)


def known(k):
    return toks(k).value in PREC, toks(k).value not in PREC


def read(k):
    return PREC[toks(k).value]


def popped(k):
    dd = {"+": 1}
    return dd.pop(toks(k).value, -1), dd


def popped_or_error(k):
    dd = {"+": 1}
    return dd.pop(toks(k).value), dd


def of_names(k):
    env = {"x": 1}
    arg = [None, "x", 3][k]
    return env[arg]


def looked_up(k):
    env = {"x": 1}
    arg = [None, "x", 3][k]
    return env.get(arg), env.get(arg, "no"), arg in env


def numbers(k):
    d = {1: "a", 2: "b"}
    key = [1.0, "q", 2.5][k]
    return d.get(key), key in d


def equal_numbers(k):
    d = {1: "a", 2: "b"}
    key = [1.0, 2, True][k]
    return d.get(key), key in d, d[key]


def discarded(k):
    s = {"a", "b"}
    key = [1.0, "a", None][k]
    r = key in s
    s.discard(key)
    return r, sorted(s)


def removed(k):
    s = {"a", "b"}
    key = [1.0, "a", None][k]
    s.remove(key)
    return sorted(s)


def deleted(k):
    d = {"a": 1}
    key = [1.0, "a", None][k]
    del d[key]
    return d


def stored(k):
    d = {"a": 1}
    d[None if k else "b"] = 2
    return d


def tuples_of(k):
    d = {(1, 2): "x"}
    key = [(1, 2), 5, "a"][k]
    return d.get(key, "no"), key in d


def perhaps(k):
    d = {"a": 1}
    key = None
    for x in ["a", "b"]:
        if x in d and k:
            key = x
    return d.get(key), key in d


def caught(k):
    d = {"a": 1}
    try:
        return d[[1.0, "a", None][k]]
    except KeyError as err:
        return str(err)


def appended(k):
    d = {"a": [1]}
    key = [1.0, "a", (1, 2)][k]
    if key in d:
        d[key].append(2)
    return d, len(d.get(key, []))


def unhashable(k):
    d = {"a": 1}
    key = [[1], "a", 2][k]
    return d.get(key)


def mixed_numbers(k):
    d = {1: "x", 2.5: "y"}
    key = [1, "s", 2.5][k]
    return d.get(key)


def set_default(k):
    d = {"a": 1}
    key = [1, "a", 2.5][k]
    return d.setdefault(key, 3)


def members(k):
    fs = frozenset({"a"})
    return (
        [1, "a", None][k] in fs,
        [1, "a", None][k] in {"a", "b"},
        [1, "a", None][k] in ("a", "b"),
        [1, "a", None][k] in ["a"],
    )


def updated(k):
    d = {"a": 1}
    d[[1, "a", 2.5][k]] += 1
    return d


def with_none(k):
    d = {None: 1, 1: 2, "a": 3}
    key = None if k == 0 else ("a" if k == 1 else "b")
    return key in d, d.get(key), d[key]


def of_bytes(k):
    d = {b"a": 1}
    key = [b"a", "a", 1][k]
    return d.get(key, 0), key in d


def of_floats(k):
    d = {2.0: 1, 1.0: 3}
    key = [True, 2, "a"][k]
    return d.get(key, 0), key in d


def of_tuples(k):
    d = {("a", 1): 1}
    key = [("a", 1), "a", None][k]
    return d.get(key, 0), key in d, d[key]


def of_alike_tuples(k):
    d = {("a", 1): 1, ("b", 2): 3}
    key = [("a", 1), ("b", 2.0), (1, "a")][k]
    return d.get(key, 0)


def counted(k):
    c = Counter("abc")
    key = [1.0, "a", None][k]
    return key in c


def counts(k):
    c = Counter()
    for x in "abc":
        c[x] += 1
    key = [1.0, "a", None][k]
    return key in c, c[key], c.get(key, 0)


class P:
    def __init__(self, x):
        self.x = x


class Q:
    def __init__(self, x):
        self.x = x

    def __eq__(self, other):
        return isinstance(other, Q) and self.x == other.x

    def __hash__(self):
        return hash(self.x)


class Col(enum.Enum):
    A = 1
    B = 2


def of_objects(k):
    p = P(1)
    d = {p: 1}
    key = p if k == 0 else None
    return d.get(key, 0), key in d


def read_of_object(k):
    p = P(1)
    d = {p: 1}
    key = p if k == 0 else None
    return d[key]


def of_equal_objects(k):
    d = {Q(1): 1}
    key = Q(k) if k < 2 else None
    return d.get(key, 0), key in d


def of_members(k):
    d = {Col.A: 1}
    key = [Col.A, Col.B, None][k]
    return d.get(key, 0), key in d


def set_of_members(k):
    s = {Col.A}
    key = [Col.A, Col.B, None][k]
    return key in s


def seen(k):
    p = P(1)
    seen = {p}
    node = p if k == 0 else None
    return node in seen


def parents(k):
    parents = {"b": "a", "c": "b"}
    node = "c"
    path = []
    while node is not None:
        path.append(node)
        node = parents.get(node)
    return path


def parents_of_none(k):
    parents = {"a": None, "b": "a", "c": "b"}
    node = "c"
    path = []
    while node in parents:
        path.append(node)
        node = parents[node]
    return path


def of_defaults(k):
    dd = defaultdict(int, {"a": 1})
    key = ["a", None, "b"][k]
    return dd.get(key), key in dd, dd.pop(key, None)


class Env:
    def __init__(self, outer=None):
        self.vars = {}
        self.outer = outer

    def find(self, key):
        if key in self.vars:
            return self.vars[key]
        if self.outer is not None:
            return self.outer.find(key)
        return None


def environments(k):
    g = Env()
    g.vars["x"] = 1
    e = Env(g)
    e.vars["y"] = 2
    return e.find(["x", 1, "y"][k])


def compared_members(k):
    key = [Col.A, Col.B, None][k]
    return key == Col.A, key == Col.A, key != Col.B


def hashes_of_members(k):
    key = [Col.A, Col.B, None][k]
    return hash(key) == hash(Col.A)


def members_in(k):
    key = [Col.A, Col.B, None][k]
    d = {Col.A: 1}
    return key in d, Col.A in d, key in [Col.A], key in (Col.A, Col.B), key in {Col.A: 1}


class Number(enum.IntEnum):
    A = 1
    B = 2


class S(enum.StrEnum):
    A = "a"
    B = "b"


class F(enum.Flag):
    A = 1
    B = 2


class Pt(NamedTuple):
    x: int
    y: str


def of_enumerations(k):
    out = []
    a = Number.A if k == 0 else None
    b = S.A if k == 0 else None
    c = Pt(1, "a") if k == 0 else None
    f = F.A if k == 0 else None
    out = [
        a == Number.A,
        a == 1,
        b == "a",
        b == S.B,
        c == Pt(1, "a"),
        c == (1, "a"),
        c != (2, "a"),
        a is None,
        c is None,
        f == F.A,
    ]
    return out, a in [Number.A], b in [S.A, S.B], c in [Pt(1, "a")], a in (1, 2), b in ("a", "b")


def keys_of_enumerations(k):
    a = Number.A if k == 0 else None
    b = S.A if k == 0 else None
    c = Pt(1, "a") if k == 0 else None
    return (
        a in {Number.A},
        b in {S.A: 1},
        c in {Pt(1, "a"): 1},
        {Number.A: 5}.get(a),
        {S.A: 6}.get(b, "no"),
        {Pt(1, "a"): 7}.get(c),
    )


class Numbered:
    def __init__(self):
        self.names = {}

    def of(self, *key):
        if key not in self.names:
            self.names[key] = len(self.names) + 1
        return self.names[key]


def tuples_of_several(n):
    """Tuples of texts and of numbers are keys of one dict, and of that of another object."""
    rows, columns, both = Numbered(), Numbered(), {}
    seen = [rows.of(n, 2), rows.of(n, 3), columns.of("a", "b"), rows.of(n, 2), columns.of("a", "c")]
    found = []
    for key in [(n, 2), ("a", "b"), (n, "x"), (n, 2), (n, 2, 3)]:
        if key not in both:
            both[key] = len(both)
        found.append(both[key])
    numbers, names = {(n, 2): 3}, {(n, "a")}
    tests = (n, "a") in numbers, (n, 2) in names, (n, 2, 3) in numbers, ("a", n) in names
    others = numbers.get((n, "a"), 7), (n, "a") == (n, 2), (n, 2) != (n, 2, 3)
    return seen, list(rows.names), list(columns.names.items()), found, list(both), tests, others


CASES: list[Case] = [
    (tuples_of_several, [(0,), (5,)]),
    (precedence, [(0,), (1,), (2,)]),
    (known, [(0,), (1,), (2,)]),
    (read, [(0,), (1,), (2,)]),
    (popped, [(0,), (1,), (2,)]),
    (popped_or_error, [(0,), (1,), (2,)]),
    (of_names, [(0,), (1,), (2,)]),
    (looked_up, [(0,), (1,), (2,)]),
    (numbers, [(0,), (1,), (2,)]),
    (equal_numbers, [(0,), (1,), (2,)]),
    (discarded, [(0,), (1,), (2,)]),
    (removed, [(0,), (1,), (2,)]),
    (deleted, [(0,), (1,), (2,)]),
    (stored, [(0,), (1,), (2,)]),
    (tuples_of, [(0,), (1,), (2,)]),
    (perhaps, [(0,), (1,), (2,)]),
    (caught, [(0,), (1,), (2,)]),
    (appended, [(0,), (1,), (2,)]),
    (unhashable, [(0,), (1,), (2,)]),
    (mixed_numbers, [(0,), (1,), (2,)]),
    (set_default, [(0,), (1,), (2,)]),
    (members, [(0,), (1,), (2,)]),
    (updated, [(0,), (1,), (2,)]),
    (with_none, [(0,), (1,), (2,)]),
    (of_bytes, [(0,), (1,), (2,)]),
    (of_floats, [(0,), (1,), (2,)]),
    (of_tuples, [(0,), (1,), (2,)]),
    (of_alike_tuples, [(0,), (1,), (2,)]),
    (counted, [(0,), (1,), (2,)]),
    (counts, [(0,), (1,), (2,)]),
    (of_objects, [(0,), (1,), (2,)]),
    (read_of_object, [(0,), (1,), (2,)]),
    (of_equal_objects, [(0,), (1,), (2,)]),
    (of_members, [(0,), (1,), (2,)]),
    (set_of_members, [(0,), (1,), (2,)]),
    (seen, [(0,), (1,), (2,)]),
    (parents, [(0,), (1,), (2,)]),
    (parents_of_none, [(0,), (1,), (2,)]),
    (of_defaults, [(0,), (1,), (2,)]),
    (environments, [(0,), (1,), (2,)]),
    (compared_members, [(0,), (1,), (2,)]),
    (hashes_of_members, [(0,), (1,), (2,)]),
    (members_in, [(0,), (1,), (2,)]),
    (of_enumerations, [(0,), (1,), (2,)]),
    (keys_of_enumerations, [(0,), (1,), (2,)]),
]
