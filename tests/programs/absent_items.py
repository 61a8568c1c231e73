"""What holds None is passed on, filled elsewhere, holds lists, and is used where it may be None."""

# Without annotations the types follow from what is put in, which is what these programs are about.
# pyright: basic, reportArgumentType=false, reportCallIssue=false, reportOptionalSubscript=false
# pyright: reportOptionalIterable=false, reportOptionalMemberAccess=false, reportOperatorIssue=false
# pyright: reportAttributeAccessIssue=false, reportOptionalOperand=false, reportGeneralTypeIssues=false

from collections import defaultdict, deque

from tests.programs import Case


def place(grid, i, j, piece):
    if grid[i][j] is not None:
        return False
    grid[i][j] = piece
    return True


def shown(grid):
    return "\n".join("".join("." if c is None else c for c in row) for row in grid)


def winner(board):
    for row in board:
        if row[0] is not None and row[0] == row[1] == row[2]:
            return row[0]
    for j in range(3):
        if board[0][j] is not None and all(board[i][j] == board[0][j] for i in range(3)):
            return board[0][j]
    return None


def game(moves):
    board = [[None] * 3 for _ in range(3)]
    turn = "X"
    for i, j in moves:
        if place(board, i, j, turn):
            turn = "O" if turn == "X" else "X"
        if winner(board):
            return winner(board), shown(board)
    return None, shown(board)


def solve(board, k, n):
    if k == n:
        return True
    for c in range(n):
        if all(board[r] != c and abs(board[r] - c) != k - r for r in range(k)):
            board[k] = c
            if solve(board, k + 1, n):
                return True
            board[k] = None
    return False


def queens(n):
    board = [None] * n
    return solve(board, 0, n), board


class Grid:
    def __init__(self, n):
        self.cells = [[None] * n for _ in range(n)]

    def run(self):
        place(self.cells, 0, 0, "x")
        return shown(self.cells)


def grids(n):
    return Grid(n).run(), shown([[None] * n])


def climbed(n, memo):
    if n < 2:
        return n
    if memo[n] is not None:
        return memo[n]
    memo[n] = climbed(n - 1, memo) + climbed(n - 2, memo)
    return memo[n]


def memos(n):
    memo = [None] * (n + 1)

    def fib(k):
        if k < 2:
            return k
        if memo[k] is None:
            memo[k] = fib(k - 1) + fib(k - 2)
        return memo[k]

    return fib(n), climbed(n, [None] * (n + 1)), memo


def buckets(xs, n):
    lists = [None] * n
    dicts = [None] * n
    groups = {k: None for k in range(n)}
    for x in xs:
        if lists[x % n] is None:
            lists[x % n] = []
        lists[x % n].append(x)
        if dicts[x % n] is None:
            dicts[x % n] = {}
        dicts[x % n][x] = str(x)
        if groups[x % n] is None:
            groups[x % n] = [x]
        else:
            groups[x % n].append(x)
    return lists, dicts, groups


class Table:
    def __init__(self, n):
        self.size = n
        self.buckets = [None] * n
        self.names = None

    def put(self, key, value):
        i = key % self.size
        if self.buckets[i] is None:
            self.buckets[i] = []
        for pair in self.buckets[i]:
            if pair[0] == key:
                pair[1] = value
                return
        self.buckets[i].append([key, value])

    def name(self, text):
        if self.names is None:
            self.names = []
        self.names.append(text)

    def lengths(self):
        out = []
        for name in self.names:
            out.append(len(name))
        return out


def tables(n, texts):
    table = Table(n)
    table.put(1, 5)
    table.put(1 + n, 6)
    table.put(1, 8)
    for text in texts:
        table.name(text)
    return table.buckets, table.lengths()


def looped(n):
    rows = [None] * n
    rows[0] = [1, 2]
    text = "ab" if n > 1 else None
    out = []
    try:
        for c in text:
            out.append(ord(c))
        for i in range(n):
            for x in rows[i]:
                out.append(x)
    except TypeError as error:
        return out, str(error)
    return out, ""


def added(a, b):
    left, right = [None, a], [b, None]
    out = []
    for x in left:
        for y in right:
            try:
                out.append(str(x + y))
            except TypeError as error:
                out.append(str(error))
            try:
                out.append(str(x * 2 - y))
            except TypeError as error:
                out.append(str(error))
    return out


def best_of(n):
    best = None
    for i in range(n):
        if best is None or i * 2 > best[0]:
            best = (i * 2, str(i))
    a, b = best
    return a, b


def of_lists(n):
    x = [1, 2] if n > 1 else None
    a, b = x
    return a + b


def in_a_loop(n):
    pairs = [None] * n
    pairs[0] = (1, 2.5)
    out = []
    for p in pairs:
        try:
            a, b = p
            out.append(a + b)
        except TypeError as e:
            out.append(-1.0)
            message = str(e)
    return out, message


def find(xs, k):
    for i, x in enumerate(xs):
        if x == k:
            return i, x
    return None


def found(xs, k):
    i, x = find(xs, k)
    return i + x


def targets_of_loops(xs):
    out = []
    for i, x in [find(xs, 1), find(xs, 2)]:
        out.append(i * x)
    return out


def of_dicts(d, k):
    a, b = d.get(k)
    return a + b


def searched(n):
    if n == 0:
        return 0, None
    best = None
    for move in range(n):
        score, _ = searched(n - 1)
        if best is None or score > best[0]:
            best = (score, move)
    return best


def common(s, t, i, j, memo):
    """A grid of None that a function hands itself on, which returns what it holds."""
    if i == len(s) or j == len(t):
        return 0
    if memo[i][j] is not None:
        return memo[i][j]
    if s[i] == t[j]:
        memo[i][j] = 1 + common(s, t, i + 1, j + 1, memo)
    else:
        memo[i][j] = max(common(s, t, i + 1, j, memo), common(s, t, i, j + 1, memo))
    return memo[i][j]


class Pairs:
    def __init__(self, s, t):
        self.s = s
        self.t = t
        self.calls = 0

    def common(self, i, j, memo):
        self.calls += 1
        if i == len(self.s) or j == len(self.t):
            return 0
        if memo[i][j] is None:
            if self.s[i] == self.t[j]:
                memo[i][j] = 1 + self.common(i + 1, j + 1, memo)
            else:
                memo[i][j] = max(self.common(i + 1, j, memo), self.common(i, j + 1, memo))
        return memo[i][j]


def even(n, memo):
    if n == 0:
        return 0
    if memo[n] is None:
        memo[n] = odd(n - 1, memo) + 1
    return memo[n]


def odd(n, memo):
    if n == 0:
        return 100
    if memo[n] is None:
        memo[n] = even(n - 1, memo) + 2
    return memo[n]


def in_turn(n):
    memo = [None] * (n + 1)
    return even(n, memo), memo


def in_common(s, t):
    memo = [[None for _ in t] for _ in s]
    pairs = Pairs(s, t)
    found = common(s, t, 0, 0, memo), pairs.common(0, 0, [[None] * len(t) for _ in s])
    return found, memo, pairs.calls


def way_back(parents, v):
    """What is put into lists and dicts of other types leaves what a test has told."""
    path, seen, steps = [], set(), {}
    while parents[v] is not None:
        path.append((parents[v], v))
        seen.add(parents[v])
        steps[v] = 1
        v = parents[v]
    return path, sorted(seen), steps, v.upper()


def lengths(path, costs):
    return sum(costs[a][b] for a, b in path)


def found_way(edges, start, end):
    costs = defaultdict(lambda: defaultdict(int))
    for a, b in edges:
        costs[a][b] += len(a) + 1
    parents, queue = {start: None}, deque([start])
    while queue:
        u = queue.popleft()
        for v in list(costs[u]):
            if v not in parents:
                parents[v] = u
                queue.append(v)
    path, *rest = way_back(parents, end)
    return path, rest, lengths(path, costs)


def written_by_another_name(rows, i):
    """What is put into one of the same type may be put there."""
    other, d = rows, {"x": None, "y": "z"}
    e = d
    d["x"] = "q"
    log = []
    if rows[i] is not None:
        other.pop()
        other.append(None)
        log.append(rows[i])
    if d["x"] is not None:
        e["x"] = None
        log.append(d["x"])
    return log


CASES: list[Case] = [
    (found_way, [([("s", "a"), ("a", "t"), ("s", "b")], "s", "t"), ([("s", "a")], "s", "s")]),
    (written_by_another_name, [(["a", None, "b"], 2), (["a", "b", None], 0)]),
    (in_turn, [(9,), (0,)]),
    (in_common, [("hello", "yellow"), ("a", "")]),
    (game, [([(0, 0), (1, 1), (0, 1), (0, 1), (2, 2), (0, 2)],)]),
    (queens, [(4,), (3,)]),
    (grids, [(2,)]),
    (memos, [(6,)]),
    (buckets, [([1, 2, 5], 4)]),
    (tables, [(3, ["ab"])]),
    (looped, [(1,), (2,)]),
    (added, [(1, 2), (1.5, 2)]),
    (best_of, [(0,), (3,)]),
    (of_lists, [(1,), (2,)]),
    (in_a_loop, [(2,)]),
    (found, [([5, 6], 6), ([5], 1)]),
    (targets_of_loops, [([1, 2],), ([1],)]),
    (of_dicts, [({"a": (1, 2)}, "a"), ({"a": (1, 2)}, "b")]),
    (searched, [(2,)]),
]
