"""Attributes that others than methods of the class set of objects."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic, reportAttributeAccessIssue=false, reportOptionalMemberAccess=false

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


class Circle:
    def __init__(self):
        self.n = 2.5
        self.used = True


class Point:
    __slots__ = ("z",)

    def __init__(self):
        self.z = 1


def one_of(k):
    if k == 0:
        return Square(3)
    if k == 1:
        return Circle()
    return Point() if k == 2 else None


def set_of_several(k):
    found = one_of(k)
    try:
        found.n += 1
        found.used = found.n > k
        found.n *= 2
    except AttributeError as error:
        return str(error)
    return found.n, found.used


def set_in_lists(n):
    drawn = [Square(n), Circle(), Square(n + 1)]
    for one in drawn:
        one.n -= 1
    drawn[0].n = n * n
    return [one.n for one in drawn]


CASES: list[Case] = [
    (set_by_others, [(3,), (2,)]),
    (set_of_several, [(k,) for k in range(4)]),
    (set_in_lists, [(1,), (-3,)]),
]
