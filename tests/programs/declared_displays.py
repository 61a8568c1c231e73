"""Displays that are put into lists whose types are declared, repeated ones too.

CPython keeps their ints: what is compared are floats that are made of them.
"""

# A type checker takes `[0] * n` for a list of ints in some of these places.
# pyright: reportAssignmentType=false, reportArgumentType=false, reportReturnType=false

from tests.programs import Case


def floats(rows: list[list[float]]) -> list[list[float]]:
    return [[x * 1.0 for x in row] for row in rows]


def repeated(n: int) -> list[list[float]]:
    xs: list[float] = [0] * n
    xs[0] = 1.5
    ys: list[float] = n * [1] + [2]
    grid: list[list[float]] = [[0] * n for _ in range(2)]
    grid[0][0] = 0.5
    rows: list[list[float]] = [[0, 1]] * 2
    return floats([xs, ys, *grid, *rows])


def zeros(n: int) -> list[float]:
    return [0] * n


def first_set(xs: list[float]) -> list[float]:
    xs[0] = 0.5
    return xs


def appended(n: int) -> list[list[float]]:
    xs: list[list[float]] = []
    xs.append([0, 1])
    xs.append([0] * n)
    xs.insert(0, [2, 3])
    xs.extend([[4], [5, 6]])
    xs += [[1, 2]]
    xs[1] = [7] * n
    return floats([*xs, first_set([0] * n), zeros(n)])


def maybe(n: int) -> list[float | None]:
    xs: list[float | None] = [None] * n
    xs[0] = 2.0
    xs.append(None)
    return xs


class Layer:
    def __init__(self, n: int) -> None:
        self.weights: list[float] = [0] * n
        self.rows: list[list[float]] = [[1] * n]

    def grow(self, n: int) -> None:
        self.weights[0] = 1.5
        self.rows.append([0] * n)


def in_fields(n: int) -> tuple[list[float], list[list[float]]]:
    layer = Layer(n)
    layer.grow(n + 1)
    return floats([layer.weights])[0], floats(layer.rows)


CASES: list[Case] = [
    (repeated, [(1,), (2,)]),
    (appended, [(1,), (3,)]),
    (maybe, [(1,), (3,)]),
    (in_fields, [(1,), (2,)]),
]
