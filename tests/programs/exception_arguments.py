"""Arguments of exceptions: read by index and taken apart, and those that a class does not say."""

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


def missing_keys(k: int):
    counts = {1: 2}
    places = {(1, "a"): 2}
    names = {"x": 1}
    found = []
    try:
        found.append(counts[k])
    except KeyError as e:
        found.append(-e.args[0])
    return found, _missing_place(places, k), _missing_name(names, str(k))


def _missing_place(places, k):
    try:
        return places[k, "b"], 0
    except LookupError as e:
        return len(e.args), str(e.args[0])


def _missing_name(names, name):
    try:
        return str(names[name])
    except KeyError as e:
        return "no " + e.args[0].upper()


def of_several_types(k: int):
    found = []
    try:
        if k == 0:
            raise ValueError("text")
        if k == 1:
            raise ValueError(3, True)
        if k == 2:
            raise ValueError(2.5, (1, ("q", 2.0)))
        if k == 3:
            raise ValueError(None)
        int("zz")
    except ValueError as e:
        first = e.args[0]
        found.append(f"{type(first).__name__} {first}")
        for i in range(len(e.args)):
            found.append(repr(e.args[i]))
        if isinstance(first, int):
            found.append(f"{first + 1} {e.args[-1]}")
    return found


def taken_apart(n: int):
    try:
        if n > 2:
            raise ValueError("many", n, n / 2)
        raise ValueError(n)
    except ValueError as e:
        try:
            text, count, half = e.args
        except ValueError as f:
            return str(f), 0, 0.0
        return text, count + 1, half


class Coded(Exception):
    pass


class Placed(ValueError):
    def __init__(self, place, code):
        super().__init__(place, code)
        self.place = place


def of_own_classes(k: int):
    try:
        if k == 0:
            raise Coded(3, "x")
        raise Placed((k, 2), 7)
    except Coded as e:
        return e.args[0] + 1, len(e.args[1])
    except Placed as e:
        return e.args[0][0], e.args[1]


def of_any_class(k: int):
    try:
        if k == 0:
            raise OSError(2, "gone")
        raise Placed((k, 2), 7)
    except (OSError, ValueError) as e:
        code = e.args[1]
        return code if isinstance(code, int) else len(str(code))


def without_one(k: int):
    try:
        raise ValueError(k)
    except ValueError as e:
        try:
            return e.args[k]
        except IndexError as f:
            return len(str(f))


CASES: list[Case] = [
    (arguments_unsaid, [(k,) for k in range(4)]),
    (missing_keys, [(1,), (7,)]),
    (of_several_types, [(k,) for k in range(5)]),
    (taken_apart, [(1,), (5,)]),
    (of_own_classes, [(0,), (1,)]),
    (of_any_class, [(0,), (1,)]),
    (without_one, [(0,), (3,)]),
]
