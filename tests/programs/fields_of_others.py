"""Attributes that others than methods of the class set of objects."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic, reportAttributeAccessIssue=false

from tests.programs import Case


class Square:
    def __init__(self, n):
        self.n = n


class Grid:
    def __init__(self, n):
        self.squares = [Square(i) for i in range(n)]
        for square in self.squares:
            square.used = False

    def mark(self, i):
        self.squares[i].used = True
        self.squares[i].label = f"x{i}"


class Bare:
    pass


class Raised(Square):
    def up(self):
        return self.height


def set_by_others(n):
    grid = Grid(n)
    grid.mark(1)
    found = []
    for square in grid.squares:
        try:
            found.append((square.used, square.label))
        except AttributeError as error:
            found.append((square.used, str(error)))
    bare, other = Bare(), Bare()
    bare.x = n
    bare.y = bare.x + 1
    other.x = 2.5
    bare.parts = []
    bare.parts.append(other)
    raised, flat = Raised(n), Square(n)
    raised.height = 5
    flat.depth = 6
    return found, bare.x, bare.y, other.x, len(bare.parts), raised.up(), flat.depth


CASES: list[Case] = [(set_by_others, [(3,), (2,)])]
