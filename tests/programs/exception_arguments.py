"""Classes of exceptions that do not say their arguments: these are what the call gives."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from tests.programs import Case


class Silent(Exception):
    def __init__(self, x: int):
        self.x = x


class SilentToo(Silent):
    def __init__(self, x: int, y: int):
        super().__init__(x)
        self.y = y


class Inheriting(SilentToo):
    pass


class SilentStill(SilentToo):
    def __init__(self, z: int):
        super().__init__(z, 2)
        self.z = z


def arguments_unsaid(k):
    if k == 0:
        raise Silent(1)
    if k == 1:
        raise SilentToo(1, 2)
    if k == 2:
        raise Inheriting(4, 5)
    raise SilentStill(6)


CASES: list[Case] = [(arguments_unsaid, [(k,) for k in range(4)])]
