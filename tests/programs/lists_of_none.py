"""Lists that begin as None in every place, and are filled later, in part or not at all."""

# Without annotations the types follow from what is put in, which is what these programs are about.
# pyright: basic, reportArgumentType=false, reportCallIssue=false, reportOptionalSubscript=false

from tests.programs import Case


def labels(n):
    labels = [None] * n
    labels[1] = 3
    total = 0
    for j in range(n):
        if labels[j] is None:
            total += 1
        else:
            total += labels[j]
    return labels, total


def written_down():
    p = [None, None]
    p[0] = 2.5
    q = [None, None]
    return p, q, q[0] is None, p[1] is None


def grids(h, w):
    first = [[None] * w for _ in range(h)]
    first[0][1] = "x"
    second = [[None for _ in range(w)] for _ in range(h)]
    second[1][1] = 5
    return first, second, [["." if c is None else c for c in row] for row in first]


def in_dicts(keys):
    d = {k: None for k in keys}
    d[keys[0]] = 4
    e = dict.fromkeys(keys)
    e[keys[0]] = 1.5
    best = {}
    for key in keys:
        best[key] = None
    for key in keys:
        if best[key] is None:
            best[key] = len(key)
    nested = {k: {"value": None, "next": None} for k in keys}
    nested[keys[0]]["value"] = 3
    return d, e, best, nested, [k for k in keys if d[k] is None]


def note(x):
    pass


def of_no_result(xs):
    kept = [note(x) for x in xs]
    printed = [print(x) for x in xs]
    unread = [note(x) for x in xs]  # noqa: F841
    appended = []
    for _ in xs:
        appended.append(None)
    return kept, len(kept), printed, appended, appended[0]


def unfilled(n):
    a = [None] * n
    return a, a[0], a == [None] * n, a.count(None), None in a, a.index(None), a[:1], a * 2


def filled(n):
    lists = [None] * n
    pairs = [None] * n
    for i in range(n):
        lists[i] = [j for j in range(i)]
        pairs[i] = (i, str(i))
    return lists, pairs, pairs[1][1], len(lists[2])


def reached(edges, n):
    parent = [None] * n
    dist = [None] * n
    dist[0] = 0
    todo = [0]
    while todo:
        u = todo.pop(0)
        for v in edges[u]:
            if dist[v] is None:
                dist[v] = dist[u] + 1
                parent[v] = u
                todo.append(v)
    return parent, dist


def moved(n):
    a = [None] * n
    a[0] = 1
    a[0], a[1] = a[1], a[0]
    b = [None] * n + [1]
    c = [None] + [2] * n
    d = [1, None] * n
    e = [None for _ in range(n)]
    e.append(3)
    e.insert(0, 4)
    e.extend([5, None])
    return a, b, c, d, e


def pairs_of_none(n):
    table = [(None, None)] * n
    table[0] = (1, "a")
    return table


def kept_grid(n):
    memo = [[None] * n for _ in range(n)]

    def ways(i, j):
        if i == 0 or j == 0:
            return 1
        if memo[i][j] is not None:
            return memo[i][j]
        found = ways(i - 1, j) + ways(i, j - 1)
        memo[i][j] = found
        return found

    return ways(n - 1, n - 1), memo


CASES: list[Case] = [
    (kept_grid, [(4,), (1,)]),
    (labels, [(3,)]),
    (written_down, [()]),
    (grids, [(2, 3)]),
    (in_dicts, [(["a", "bb"],)]),
    (of_no_result, [([1, 2],)]),
    (unfilled, [(2,)]),
    (filled, [(3,)]),
    (reached, [([[1], [2], [], []], 4)]),
    (moved, [(3,)]),
    (pairs_of_none, [(2,)]),
]
