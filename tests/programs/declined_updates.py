"""Updates of objects, `a *= n`, whose methods decline some values: the error names the operator."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from tests.programs import Case


class Scaled:
    def __init__(self, size: int):
        self.size = size

    def __mul__(self, other):
        if other < 0:
            return NotImplemented
        return Scaled(self.size * other)

    def __pow__(self, other):
        if other == 0:
            return NotImplemented
        return Scaled(self.size**other)

    def __radd__(self, other):
        if other < 0:
            return NotImplemented
        return other + self.size


class Holder:
    def __init__(self):
        self.held = Scaled(3)


def multiplied(n):
    value = Scaled(3)
    value *= n
    return value.size


def raised_to(n):
    value = Scaled(3)
    value **= n
    return value.size


def added_to(n):
    total = n
    total += Scaled(4)
    return total


def in_places(n):
    values = [Scaled(2)]
    holder = Holder()
    values[0] *= n * n
    holder.held *= n
    return values[0].size, holder.held.size


def beside_the_plain_operators(n):
    value = Scaled(3)
    found = []
    for k in [1, n]:
        try:
            value = value * k
        except TypeError as error:
            found.append(str(error))
        try:
            value *= k
        except TypeError as error:
            found.append(str(error))
        try:
            value = value ** (k + 2)
        except TypeError as error:
            found.append(str(error))
    return found, value.size


CASES: list[Case] = [
    (multiplied, [(2,), (-2,)]),
    (raised_to, [(2,), (0,)]),
    (added_to, [(2,), (-2,)]),
    (in_places, [(2,), (-2,)]),
    (beside_the_plain_operators, [(2,), (-2,)]),
]
