"""Items that are replaced by others of another type: what a program has read, it converts there."""

# Lists and dicts whose items change their types.
# pyright: basic, reportCallIssue=false, reportArgumentType=false, reportOperatorIssue=false

from tests.programs import Case


def records(text: str):
    header, *rows = [line.split(",") for line in text.splitlines()]
    found = [dict(zip(header, row, strict=False)) for row in rows]
    for record in found:
        record["salary"] = int(record["salary"])
    groups = {}
    for record in found:
        groups.setdefault(record["dept"], []).append(record)
    means = {d: sum(r["salary"] for r in g) / len(g) for d, g in groups.items()}
    return found, means, max(found, key=lambda r: r["salary"])["name"]


def rows_of_texts(text: str):
    rows = [line.split() for line in text.splitlines()]
    for row in rows:
        row[0] = int(row[0])
        row[-1] = float(row[-1])
    return rows, sum(row[0] for row in rows)


def one_row(line: str):
    row = line.split()
    row[0] = int(row[0])
    return row, line.split(), [word.upper() for word in line.split()]


def _converted(row):
    row[1] = float(row[1]) if row[1] else None
    return row


def by_a_function(text: str):
    rows = [_converted(line.split(",")) for line in text.splitlines()]
    rows.sort(key=lambda row: row[1] is None or -row[1])
    return rows


def in_a_dict(pairs: list[tuple[str, str]]):
    counts = {}
    for key, value in pairs:
        counts[key] = value
    for key in counts:
        counts[key] = int(counts[key])
    return counts, sum(counts.values())


def of_displays():
    board = list(range(1, 10))
    board[4] = "X"
    grid = [[0] * 3 for _ in range(2)]
    grid[0][1] = "x"
    return [str(cell) for cell in board], board.count("X"), grid


def numbers_among_words(text: str):
    words = text.split()
    for i, word in enumerate(words):
        if word.isdigit():
            words[i] = int(word)
    return words, [word for word in words if isinstance(word, str)]


class Table:
    def __init__(self, text: str):
        self.rows = []
        for line in text.splitlines():
            self.rows.append(line.split(","))

    def convert(self, place: int):
        for row in self.rows:
            row[place] = float(row[place])

    def total(self, place: int):
        return sum(row[place] for row in self.rows)


def in_fields(text: str):
    table = Table(text)
    table.convert(1)
    return table.total(1), table.rows


CASES: list[Case] = [
    (
        records,
        [("name,dept,salary\nAnn,IT,50\nBob,HR,40\nCid,IT,60",), ("name,dept,salary\na,b,x",)],
    ),
    (rows_of_texts, [("1 x 2.5\n2 y 3",), ("1",), ("x",), ("",)]),
    (one_row, [("5 a",), ("a",), ("",)]),
    (by_a_function, [("a,1\nb,2.5\nc,",), ("a",)]),
    (in_a_dict, [([("a", "1"), ("b", "2")],), ([],), ([("a", "x")],)]),
    (of_displays, [()]),
    (numbers_among_words, [("3 b 4",), ("",)]),
    (in_fields, [("a,1\nb,2.5",), ("a,x",)]),
]
