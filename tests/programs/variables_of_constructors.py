"""An `__init__` has variables beside its fields: of filled lists, of tables, and of targets."""

# Without annotations the types follow from what is put in, which is what these programs are about.
# pyright: basic, reportOptionalOperand=false, reportArgumentType=false, reportOperatorIssue=false
# pyright: reportCallIssue=false, reportAttributeAccessIssue=false

from typing import ClassVar

from tests.programs import Case


class Powers:
    def __init__(self, n):
        self.t = [None] * n
        self.t[0] = 1
        for i in range(1, n):
            self.t[i] = self.t[i - 1] * 2
        last = [None] * n
        last[0] = 1.0
        for i in range(1, n):
            last[i] = last[i - 1] / 2
        self.last = last
        self.by_key = {k: None for k in range(n)}
        self.by_key[0] = "a"
        for i in range(1, n):
            self.by_key[i] = self.by_key[i - 1] + "b"


def powers(n):
    made = Powers(n)
    return made.t, made.last, made.by_key


class Sums:
    def __init__(self, n):
        self.fill(n)

    def fill(self, n):
        self.t = [[None] * n for _ in range(n)]
        self.t[0][0] = 1
        for i in range(n):
            for j in range(n):
                if i + j:
                    self.t[i][j] = (self.t[i - 1][j] or 0) + (self.t[i][j - 1] or 0)


def sums(n):
    return Sums(n).t


class Pawn:
    value = 1

    def move(self):
        return "one step"


class Knight:
    value = 3

    def move(self):
        return "a jump"


KINDS = {"p": Pawn, "n": Knight}
PAIR = (Pawn, Knight)


class Board:
    def __init__(self, row):
        self.cells = [KINDS[c]() for c in row]
        self.total = 0
        for cell in self.cells:
            self.total += cell.value


class Placed:
    def __init__(self, row):
        self.cells = {}
        self.place(row)

    def place(self, row):
        for i, c in enumerate(row):
            self.cells[i] = KINDS[c]()


class Larger(Board):
    def __init__(self, row, i):
        super().__init__(row)
        self.more = PAIR[i]()
        self.kind = type(self.more).__name__


class Guarded:
    def __init__(self, kind):
        try:
            self.piece = KINDS[kind]()
        except KeyError as error:
            self.piece = Pawn()
            self.error = str(error)
        else:
            self.error = None


class Sum:
    OPERATORS: ClassVar = {"+": lambda a, b: a + b, "*": lambda a, b: a * b}

    def __init__(self, a, sign, b):
        self.value = self.OPERATORS[sign](a, b)
        self.twice = Sum.OPERATORS["+"](self.value, self.value)


def of_tables(row):
    board, placed, larger = Board(row), Placed(row), Larger(row, 1)
    moves = [cell.move() for cell in board.cells] + [placed.cells[0].move(), larger.more.move()]
    return moves, board.total, larger.kind


def of_no_table(row):
    guarded = Guarded(row)
    return guarded.piece.move(), guarded.error


def calculated(a, sign, b):
    made = Sum(a, sign, b)
    return made.value, made.twice


class Parts:
    rest = None

    def __init__(self, parts):
        self.name, *self.others = parts
        (self.x, *self.inner), self.y = parts, 1
        *self.first, self.last = self.inner
        self.again(parts)

    def again(self, parts):
        *self.before, self.end = parts

    def later(self, parts):
        self.x, *self.rest = parts


def of_parts(parts, others):
    made = Parts(parts)
    held = made.rest
    made.later(others)
    fields = made.name, made.others, made.x, made.inner, made.y, made.first, made.last
    return fields, made.before, made.end, held, made.rest


class Entered:
    def __init__(self, n):
        self.n = n

    def __enter__(self):
        if self.n < 0:
            raise ValueError("negative")
        return self.n

    def __exit__(self, *error):
        return None


class Holder:
    def __init__(self, n):
        self.x = 0
        self.message = None
        try:
            with Entered(n) as self.x:
                self.x += 1
        except ValueError as error:
            self.message = str(error)


def entered(n):
    made = Holder(n)
    return made.x, made.message


CASES: list[Case] = [
    (powers, [(4,), (1,), (0,)]),
    (sums, [(3,)]),
    (of_tables, [("pn",), ("",), ("x",)]),
    (of_no_table, [("x",), ("n",)]),
    (calculated, [(2, "*", 3), (2.5, "+", 1.5), (1, "-", 1)]),
    (of_parts, [(["a", "b", "c"], ["d"]), ([1], [2]), ([1, 2], [3, 4])]),
    (entered, [(3,), (-1,)]),
]
