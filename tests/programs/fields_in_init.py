"""What an `__init__` reads of objects that stand in its fields."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from tests.programs import Case


class Room:
    size = 4

    def __init__(self, name):
        self.name = name
        self.value = len(name)
        self.things = []


class Game:
    def __init__(self, n):
        self.room = Room("hall")
        self.visited = self.room.name
        self.n = n + self.room.value
        self.room.name = "cellar"
        self.total = self.n + len(self.room.name) + self.room.size
        self.look_around()

    def look_around(self):
        self.text = self.room.name + "!"
        self.room.things.append(self.n * self.room.size)


def game(n):
    game = Game(n)
    return game.visited, game.room.name, game.total, game.text, game.room.things


CASES: list[Case] = [(game, [(3,)])]
