"""`f(*words)` of a list where f is an object that may be one of several functions."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from tests.programs import Case


class Shell:
    def __init__(self):
        self.here = "/"
        self.commands = {
            "go": self.go,
            "look": self.look,
            "add": self.add,
            "quit": self.quit,
            "pick": self.pick,
        }

    def go(self, where):
        self.here = where
        return f"in {where}"

    def look(self, *_):
        return f"this is {self.here}"

    def add(self, first, *rest, sep="+"):
        return sep.join([first, *rest])

    def pick(self, one, other="none"):
        return f"{one} or {other}"

    def quit(self):
        return "bye"

    def run(self, line):
        verb, *rest = line.split()
        action = self.commands.get(verb)
        if action is None:
            return f"what is {verb!r}?"
        try:
            return action(*rest)
        except TypeError as error:
            return str(error)


def commands(lines):
    shell = Shell()
    return [shell.run(line) for line in lines], shell.here


class Over(Exception):
    pass


class Game:
    """Commands by a computed name, of which one never returns."""

    def __init__(self):
        self.turns = 0

    def do_look(self, *_):
        return f"turn {self.turns}"

    def do_go(self, where="", *rest, sep="/"):
        return "to " + sep.join([where, *rest])

    def do_quit(self, *_):
        raise Over(f"after {self.turns}")

    def command(self, line):
        verb, *words = line.split()
        self.turns += 1
        action = getattr(self, "do_" + verb, None)
        if action is None:
            return f"no {verb}"
        return "> " + action(*words)


def played(lines):
    game = Game()
    try:
        return [game.command(line) for line in lines]
    except Over as over:
        return str(over), game.turns


class Bag:
    """What one command puts in, another one shows: the types of the fields follow from both."""

    def __init__(self):
        self.held = set()
        self.seen = {}
        self.commands = {"take": self.take, "show": self.show, "count": self.count}

    def show(self, what):
        return f"{what}: " + (", ".join(sorted(self.held)) or "nothing")

    def count(self, what):
        return str(sum(self.seen.values()) + self.seen.get(what, 0))

    def take(self, what):
        self.held.add(what)
        self.seen[what] = self.seen.get(what, 0) + 1
        return f"taken: {what}"

    def run(self, line):
        verb, what = line.split()
        return self.commands[verb](what)


def filled_by_commands(lines):
    bag = Bag()
    return [bag.run(line) for line in lines]


def summed(first, second, *rest):
    return first + second + len(rest), len(rest)


def multiplier(factor):
    def scaled(number, offset=1):
        return number * factor + offset

    return scaled


def in_lists(numbers: list[int]):
    functions = [multiplier(2), lambda a, *more: a + len(more), lambda: 5]
    found = []
    for function in functions:
        try:
            found.append(function(*numbers))
        except TypeError as error:
            found.append(-len(str(error)))
    return found


def with_more(numbers: list[int]):
    try:
        return summed(*numbers), summed(7, *numbers)
    except TypeError as error:
        return str(error)


CASES: list[Case] = [
    (played, [(["look", "go", "go a", "go a b c", "fly x"],), (["go x", "quit now", "look"],)]),
    (
        commands,
        [
            (
                [
                    "look",
                    "go north",
                    "look here",
                    "add a b c",
                    "add x",
                    "pick 1",
                    "pick 1 2",
                    "quit",
                ],
            ),
            (["go", "go a b", "add", "pick", "pick 1 2 3", "quit now", "quit a b", "dance"],),
        ],
    ),
    (filled_by_commands, [(["take key", "show all", "take cup", "count key", "take key"],)]),
    (in_lists, [([1, 2],), ([4],), ([],), ([1, 2, 3],)]),
    (with_more, [([1, 2],), ([4],), ([],), ([1, 2, 3],)]),
]
