"""Operators beside what may be of several types: for each of them Python asks another method."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from tests.programs import Case


class Metre:
    def __init__(self, length):
        self.length = length

    def __add__(self, other):
        return f"{self.length}.add"

    def __sub__(self, other):
        if isinstance(other, Metre):
            return f"{self.length}.sub"
        return NotImplemented

    def __mul__(self, other):
        if isinstance(other, (int, float)):
            return f"{self.length}.mul"
        return NotImplemented

    __rmul__ = __mul__

    def __lt__(self, other):
        if isinstance(other, (Metre, int)):
            return True
        return NotImplemented

    def __eq__(self, other):
        return f"{self.length}.eq"


class Mile:
    def __init__(self, length):
        self.length = length

    def __radd__(self, other):
        return f"{self.length}.radd"

    def __rsub__(self, other):
        if isinstance(other, (int, Metre)):
            return f"{self.length}.rsub"
        return NotImplemented

    def __gt__(self, other):
        return f"{self.length}.gt"

    def __lt__(self, other):
        return f"{self.length}.lt"

    def __ne__(self, other):
        return f"{self.length}.ne"


def reflected(n: int):
    found = []
    for x in [n, Metre(n), "s", None]:
        found.append(str(x + Mile(9)))
        try:
            found.append(str(x - Mile(9)))
        except TypeError as e:
            found.append(str(e))
    return found


def declined(n: int):
    found = []
    for y in [n, Mile(7), Metre(8), "s"]:
        try:
            found.append(str(Metre(n) - y))
        except TypeError as e:
            found.append(str(e))
        try:
            found.append(str(Metre(n) < y))
        except TypeError as e:
            found.append(str(e))
        try:
            found.append(str(y * Metre(n)))
        except TypeError as e:
            found.append(str(e))
    return found


def unordered(n: int):
    found = []
    for x in [Mile(n), n]:
        for y in [[n, 2], "s", 0]:
            try:
                found.append(str(x >= y))
            except TypeError as e:
                found.append(str(e))
            try:
                found.append(str(abs(y)))
            except TypeError as e:
                found.append(str(e))
    return found


def both(n: int):
    found = []
    for x in [n, Metre(n), Mile(n)]:
        for y in [n, Metre(n), Mile(n)]:
            try:
                found.append(str(x - y))
            except TypeError as e:
                found.append(str(e))
            try:
                found.append(str(x + y))
            except TypeError as e:
                found.append(str(e))
    return found


def compared(n: int):
    found = []
    for y in [Mile(n), None]:
        try:
            found.append(str(y < Metre(n)))
        except TypeError as e:
            found.append(str(e))
        found.append(str(Metre(n) != y))
        found.append(str(y != Metre(n)))
    return found, str(Metre(n) != Mile(n)), str(Mile(n) != Metre(n)), Metre(n) != 1


def summed(n: int):
    total = 0
    for part in [Part(n), Part(2)]:
        total = total + part
    return str(total.size if isinstance(total, Part) else total)


class Part:
    def __init__(self, size):
        self.size = size

    def __add__(self, other):
        if isinstance(other, Part):
            return Part(self.size + other.size)
        return NotImplemented

    def __radd__(self, other):
        if other == 0:
            return self
        return NotImplemented


CASES: list[Case] = [
    (reflected, [(1,)]),
    (declined, [(1,)]),
    (unordered, [(1,)]),
    (both, [(1,)]),
    (compared, [(1,)]),
    (summed, [(1,)]),
]
