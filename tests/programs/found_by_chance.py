"""What random programs of the language showed: parts of it that meet in unusual ways."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import math
from collections.abc import Iterator, Sequence

from tests.programs import Case


class Log:
    """A manager that drops what is raised in it."""

    def __init__(self, entered: int):
        self.entered = entered

    def __enter__(self):
        print("in", self.entered)
        self.entered += 1
        return self

    def __exit__(self, kind, error, traceback):
        print("out", self.entered, kind is None)
        return True


def _guarded(a: int):
    total = 0
    with Log(a) as log:
        total = log.entered
        if a > 3:
            raise ValueError("x")
        total += 10
    yield total
    yield total + 1


def managers_in_generators(a: int) -> int:
    s = 0
    for x in _guarded(a):
        with Log(x), Log(x + 1):
            s += x
    return s


class Opened:
    """Its constructor calls a method with a `with`."""

    def __init__(self, a: int):
        self.count = 0
        self.total = 0
        self.fill(a)

    def fill(self, a: int):
        with Log(a):
            self.count = a
            self.total = 10 // a
        self.count += 1


def managers_in_constructors(a: int) -> tuple[int, int]:
    made = Opened(a)
    return made.count, made.total


def _kept(a: float | None) -> Iterator[dict[int, str]]:
    limit = 0 if a is None else 1
    *_, last = [f"{x}" for x in filter(lambda p: len(p) > limit, ["a", "bc", "def"])]
    key = lambda text: text + last  # noqa: E731
    yield {10: "A", 5: key("<")}


def lambdas_in_generators(a: float) -> list[str]:
    found: list[str] = []
    for items in _kept(a):
        found += list(items.values())
    for items in _kept(a=None):
        found += list(items.values())
    return found


class Failure(ValueError):
    def __init__(self, code: int, note: str):
        super().__init__(f"{note}: {code}")
        self.code = code


class Rare(Failure):
    pass


def handlers_of_what_is_never_raised(a: int) -> str:
    """No `Rare` is made, so what its handler would do with one is not looked at."""
    for n in range(3):
        try:
            if a > n:
                raise ValueError("plain")
            print(n)
        except Rare as error:
            return f"{error.code}"
        except Failure as error:
            print(error.code)
        except ValueError as error:
            return f"{error} {n}"
        finally:
            print("after", n)
    return "none"


def divisors_of_the_least_int(a: int, b: int, c: int) -> tuple[int, int, int]:
    return math.gcd(a, b), math.gcd(a, b, c), math.gcd(b)


def _matched(items: list[list[int]]):
    for item in items:
        found = 0
        match item:
            case [first, *rest] if any(first < other for other in rest):
                found = first
                print(rest)
            case [_] as whole:
                found = len(whole)
            case _:
                pass
        yield found
    match {"a": len(items)}:
        case {"a": 2, **others}:
            print(len(others))
        case _:
            print("other")


def matches_in_generators(items: list[list[int]]) -> list[int]:
    first, rest, whole, others = 7, [8], 9, 10
    found: list[int] = []
    for n in _matched(items):
        found.append(n + first + len(rest) + whole + others)
    return found


def _never_left(n):
    try:
        if n > 3:
            for i in range(n):
                raise ValueError(str(i))
                return  # behind what raises: the `finally` is left in fewer ways than are written
    except ZeroDivisionError:
        return
    finally:
        n += 1
    yield n


def ways_through_finally(n):
    found = []
    for value in _never_left(n):
        found.append(value)
    return found


CASES: Sequence[Case] = [
    (managers_in_generators, [(1,), (5,)]),
    (managers_in_constructors, [(2,), (0,)]),
    (lambdas_in_generators, [(1e10,)]),
    (matches_in_generators, [([[1, 2], [3], [2, 1]],), ([[], [5]],)]),
    (handlers_of_what_is_never_raised, [(5,), (-1,), (2,)]),
    (divisors_of_the_least_int, [(-(2**63), 12, 0), (0, -12, 18), (0, 0, -7), (-8, 0, 0)]),
    (ways_through_finally, [(1,), (5,)]),
]
