"""`zip` of objects that are looped over, strict or not."""

# pyright: basic, reportArgumentType=false

from tests.programs import Case


class Counted:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        yield from range(self.n)


class Squares:
    def __init__(self, size):
        self.size = size

    def __getitem__(self, i):
        if i >= self.size:
            raise IndexError(i)
        return i * i


def pairs(n):
    counted, squares = Counted(n), Squares(2)
    return (
        list(zip(counted, [1, 2, 3], strict=False)),
        list(zip(counted, squares, strict=False)),
        [(x, y) for x, y in zip("abc", squares, strict=False)],
        sum(x * y for x, y in zip(squares, counted, strict=False)),
    )


def strict(n):
    found = []
    try:
        for x, y in zip(Counted(n), [1, 2, 3], strict=True):
            found.append((x, y))
    except ValueError as e:
        return found, str(e)
    return found, ""


def strict_behind(n):
    found = []
    try:
        for x, y in zip([1, 2, 3], (2 * i for i in range(n)), strict=True):
            found.append((x, y))
    except ValueError as e:
        return found, str(e)
    return found, ""


CASES: list[Case] = [
    (pairs, [(3,), (0,)]),
    (strict, [(2,), (3,), (4,), (0,)]),
    (strict_behind, [(2,), (3,), (4,)]),
]
