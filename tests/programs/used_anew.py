"""What an `__init__` of a base uses of its object, and asks for its class, is the object's own."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from dataclasses import dataclass

from tests.programs import Case


class Unit:
    HEALTH = 10
    made = 0

    def __init__(self, name):
        type(self).made += 1
        self.name = name
        self.health = self.HEALTH
        self.number = type(self).made
        self.kind = self.__class__.__name__
        self.is_large = isinstance(self, Giant)
        self.is_plain = type(self) is Unit
        self.arm()

    def arm(self):
        self.weapon = f"{self.title} of {self.name}"

    @property
    def title(self):
        return "Club"


class Giant(Unit):
    HEALTH = 50
    made = 0

    def __init__(self, name):
        super().__init__(name.upper())
        self.large = True

    @property
    def title(self):
        return "Tree"


class Troll(Giant):
    HEALTH = 30
    made = 0

    def __init__(self):
        Giant.__init__(self, "troll")
        self.small = self.health - 1


class Elf(Unit):
    HEALTH = 5
    made = 0


class Problem(Exception):
    code = 1

    def __init__(self, text):
        super().__init__(f"[{self.code}] {text}")
        self.text = text
        self.kept = self.code


class Missing(Problem):
    code = 404

    def __init__(self, what):
        super().__init__(f"no {what}")
        self.what = what


class Refused(Problem):
    code = 403


@dataclass
class Price:
    net: int
    RATE = 2

    def __post_init__(self):
        self.gross = self.net * self.RATE


class Reduced(Price):
    RATE = 1

    def __init__(self, net):
        super().__init__(net + 1)
        self.is_reduced = True


def units(n):
    Unit.made = Giant.made = Troll.made = Elf.made = 0
    found = [Unit("a"), Giant("b"), Troll(), Elf("d"), Elf("e" * n)]
    told = [(u.name, u.health, u.number, u.kind, u.is_large, u.is_plain, u.weapon) for u in found]
    return told, Troll().small, Unit.made, Elf.made


def problems(n):
    found = []
    for problem in (Problem("a" * n), Missing("b"), Refused("c")):
        try:
            raise problem
        except Problem as error:
            found.append((str(error), error.kept, error.args, error.code))
    return found


def prices(n):
    return Price(n).gross, Reduced(n).gross, Reduced(n).net


class Options:
    """The dict of `**` is kept."""

    def __init__(self, **options):
        self.options = options


def options(n):
    a, b = Options(x=n, y=2), Options(x=5)
    a.options["z"] = 3
    return sorted(a.options.items()), b.options


CASES: list[Case] = [
    (units, [(3,)]),
    (problems, [(2,)]),
    (prices, [(4,)]),
    (options, [(1,)]),
]
