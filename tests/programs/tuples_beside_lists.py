"""`zip(row, widths)` of a tuple whose items are of several types beside a list or a range."""

# Without annotations the types come from the call, which is what these programs are about.
# ruff: noqa: B905 -- how people write it
# pyright: basic, reportArgumentType=false

from tests.programs import Case


def _widths(rows):
    return [max(len(str(row[i])) for row in rows) for i in range(len(rows[0]))]


def _line(row, widths):
    return " | ".join(
        cell.ljust(w) if isinstance(cell, str) else str(cell).rjust(w)
        for cell, w in zip(row, widths)
    )


def table(rows):
    return [_line(row, _widths(rows)) for row in rows]


def in_loops(n: int):
    row = 1, "a", None
    found = list(zip(row, [3] * n))
    for number, cell in zip(range(n), row):
        found.append((cell, number))
    for i, (cell, w) in enumerate(zip(row, [3] * n)):
        found.append((cell, i + w))
    return found


def in_dicts(n: int):
    row = n, "a", None
    return dict(zip("abc", row)), dict(zip(["k", "l"], (n, "v")))


CASES: list[Case] = [
    (table, [([("level", "title", 3.5), ("x", "y", 10.0)],), ([(1, "a"), (1000, "bcd")],)]),
    (in_loops, [(3,), (2,), (0,)]),
    (in_dicts, [(3,)]),
]
