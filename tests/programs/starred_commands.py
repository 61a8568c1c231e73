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
    (in_lists, [([1, 2],), ([4],), ([],), ([1, 2, 3],)]),
    (with_more, [([1, 2],), ([4],), ([],), ([1, 2, 3],)]),
]
