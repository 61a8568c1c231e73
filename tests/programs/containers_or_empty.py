"""Parameters that are a container or None: `xs or []`, also where none is ever given."""

# Without annotations the types follow from what is put in, which is what these programs are about.
# pyright: basic, reportArgumentType=false, reportCallIssue=false, reportOptionalSubscript=false
# pyright: reportOptionalOperand=false, reportAttributeAccessIssue=false, reportGeneralTypeIssues=false
# pyright: reportOptionalMemberAccess=false, reportOptionalIterable=false, reportOperatorIssue=false

from tests.programs import Case


def f(xs=None):
    return [x + 1 for x in (xs or [])]


def incremented(k):
    return f([1, 2]), f()


def g(xs=None):
    return list(xs or [])


def listed(k):
    return g([1]), g()


def h(d=None):
    return [(k, v) for k, v in (d or {}).items()]


def items(k):
    return h({"a": 1}), h()


def i(xs=None):
    out = []
    for x in xs or ():
        out.append(x)
    return out


def appended(k):
    return i([1]), i()


def j(xs=None):
    return len(xs or []), sum(xs or []), sorted(xs or [])


def counted(k):
    return j([1]), j(), j([])


class N:
    def __init__(self, name, children=None):
        self.name = name
        self.children = children or []

    def count(self):
        return 1 + sum(c.count() for c in self.children)


def nodes(k):
    return N("a", [N("b"), N("c")]).count()


def held(s=None):
    seen = s or set()
    return 1 in seen, len(seen)


def sets(k):
    return held({1}), held()


def m(d=None):
    return (d or {}).get("a", 5)


def looked_up(k):
    return m({"a": 1}), m()


def n(xs=None):
    xs = xs or []
    return [x for x in xs]


def rebound(k):
    return n([1.5]), n()


def o(xs=None):
    ys = list(xs) if xs else []
    return [*ys, 1]


def added_to(k):
    return o([3]), o()


def p(xs=None):
    return [str(x) for x in (xs if xs is not None else [])]


def texts(k):
    return p([3]), p()


def q(xs=None):
    return tuple(xs or ()), set(xs or ())


def made(k):
    return q([1, 2]), q()


def nothing_at_all(k):
    return f(), g(), h(), i(), j(), held(), m(), n(), p()


def s(xs=None):
    ys = xs or []
    ys.append(1)
    return ys


def filled(k):
    return s(), s([2]), s([])


def t(xs=None):
    return max(xs or [0]), any(xs or []), all(xs or []), " ".join(str(x) for x in xs or [])


def extremes(k):
    return t(), t([2])


def u(names=None):
    return ", ".join(names or [])


def joined(k):
    return u(), u(["a"])


def v(*, opts=None):
    return {**(opts or {}), "z": 1}


def spread(k):
    return v(), v(opts={"y": 2})


def empty_tuples(k):
    xs = None if k else [1]
    looped = [x for x in xs or ()], sum(xs or ()), tuple(xs or ()), set(xs or ())
    return looped, sorted(xs or ()), len(xs or ()), xs is None


def first_of_all(k):
    xs = None if k else [1]
    ys = [x for x in xs or ()]
    return len(xs or ()), ys


def either(k):
    d = {}
    return d.get("a", 5), {}.get("b", "c"), [(a, b) for a, b in {}.items()]


CASES: list[Case] = [
    (empty_tuples, [(0,), (1,)]),
    (first_of_all, [(0,), (1,)]),
    (either, [(0,)]),
    (incremented, [(1,)]),
    (listed, [(1,)]),
    (items, [(1,)]),
    (appended, [(1,)]),
    (counted, [(1,)]),
    (nodes, [(1,)]),
    (sets, [(1,)]),
    (looked_up, [(1,)]),
    (rebound, [(1,)]),
    (added_to, [(1,)]),
    (texts, [(1,)]),
    (made, [(1,)]),
    (nothing_at_all, [(1,)]),
    (filled, [(1,)]),
    (extremes, [(1,)]),
    (joined, [(1,)]),
    (spread, [(1,)]),
]
