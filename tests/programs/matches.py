"""`match`: every kind of pattern, what it binds, and what its failures leave."""

# Patterns on values of one type, which a type checker finds exhaustive or pointless.
# pyright: basic

import dataclasses
import enum

from tests.programs import Case


class Color(enum.Enum):
    RED = 1
    BLUE = 2


class Shape(enum.Enum):
    BOX = 1
    BALL = 2


class Limits:
    LOW = 3
    HIGH = -2
    NAME = "limit"
    NOTHING = None


@dataclasses.dataclass
class Point:
    x: int
    y: int


@dataclasses.dataclass
class Line:
    start: Point
    end: Point | None
    name: str = "line"


class Custom:
    __match_args__ = ("b", "a")

    def __init__(self, a: int, b: float):
        self.a = a
        self.b = b

    def __eq__(self, other):
        return isinstance(other, Custom) and self.a == other.a

    @property
    def double(self):
        return 2 * self.a


def of_ints(n: int):
    match n:
        case 0:
            return "zero"
        case 1 | 2 | -1:
            return "small"
        case Limits.LOW | Limits.HIGH:
            return "limit"
        case int(x) if x > 100:
            return f"large {x}"
        case True:
            return "never"
        case "text":
            return "never"
        case x if x % 2:
            return f"odd {x}"
        case _:
            return "even"


def of_floats(x: float):
    match x:
        case 0:
            return 1
        case 1.5 | 2:
            return 2
        case -1e3:
            return 3
        case float(y) if y < 0:
            return 4
        case int():
            return 5
    return 6


def of_texts(word: str, other: str | None):
    match word, other:
        case "go", "north" | "south" as where:
            return "going " + where
        case "go", None:
            return "where to?"
        case "limit", Limits.NOTHING:
            return "nothing"
        case Limits.NAME, str(text):
            return text + "!"
        case str() as first, str() as second if first == second:
            return f"twice {first}"
        case [first, _]:
            return first


def of_singletons(a: bool, b: bool | None):
    match a:
        case True:
            found = 1
        case False:
            found = 2
    match b:
        case True:
            found += 10
        case None:
            found += 20
        case False:
            found += 30
    match b:
        case 1:
            found += 100
        case 0:
            found += 200
        case other:
            assert other is None
            found += 300
    return found


def bound_after_a_failed_guard(pair: tuple[int, int]):
    x = y = -1
    match pair:
        case (x, 0) if x > 10:
            return (x, y)
        case (0, y) if y > 10:
            return (x, y)
        case (7, x) | (x, 7):
            return (x, 100)
        case (x, 5, _):
            return (0, 0)
    return (x, y)


def of_lists(values: list[int]):
    match values:
        case []:
            return [0]
        case [x]:
            return [x, x]
        case [1, 2, *rest]:
            return rest
        case [first, *_, 9]:
            return [first]
        case [*front, 7, 8]:
            front.append(70)
            return front
        case [a, *middle, b] if len(middle) > a - b:
            return middle + middle
        case [_, _]:
            return values
        case [*every]:
            return [len(every)]


def of_nothing(n: int):
    empty = [n][:0]
    return of_lists(empty), of_dicts({"z": n}), walrus_in_guards(empty)


def of_nested(rows: list[tuple[str, list[int]]]):
    total = 0
    for row in rows:
        match row:
            case ("skip", _):
                continue
            case ("stop", [*_]):
                break
            case (("add" | "plus") as name, [x]) | (name, [x, _, _]):
                total += x * len(name)
            case (name, [x, y]) if x == y:
                total += 1000
            case (_, [first, *others]) if others:
                total -= first + len(others)
    return total


def of_tuples(t: tuple[int, float, str]):
    match t:
        case (a, b):
            return "never"
        case (1, x, "one"):
            return f"one {x}"
        case (n, *rest, _) if n > 5:
            return f"{n} {rest[0]}"
        case (*_, "last"):
            return "last"
        case (_, 2.5, name) | (2, _, name):
            return name
        case (a, b, c):
            return f"{a} {b} {c}"


def of_dicts(d: dict[str, int]):
    match d:
        case {"a": 1, "b": b}:
            return b
        case {"a": (2 | 3) as x, **rest}:
            rest["new"] = x
            return sum(rest.values()) + len(d)
        case {"c": c, "d": _} if c > 0:
            return c
        case {1: _}:
            return -2
        case {}:
            return -len(d)


def of_dicts_of_dicts(d: dict[int, dict[str, list[int]]]):
    match d:
        case {1: {"xs": [x, *_]}, 2: {"ys": [_, y]}}:
            return x + y
        case {Limits.LOW: {"xs": []}}:
            return 0
        case {1: {}}:
            return 1
    return -1


def of_objects(p: Point | None, n: int):
    match p:
        case None:
            return "nothing"
        case Point(0, 0):
            return "origin"
        case Point(x=0, y=y) | Point(y, 0):
            return f"axis {y}"
        case Point(x, y) if x == y:
            return f"diagonal {x}"
        case Point(z=1):
            return "never"
        case object(x=1):
            return "one"
        case Point() as q:
            q.x += n
            return f"{q.x} {q.y}"


def of_lines(line: Line):
    match line:
        case Line(Point(x=a), Point(x=b), name="flat") if a == b:
            return a
        case Line(start=Point(a, b), end=None):
            return a + b
        case Line(end=Point(_, y), start=_):
            return -y


def lines():
    p, q = Point(1, 2), Point(1, 9)
    return (
        of_lines(Line(p, q, "flat")),
        of_lines(Line(p, q)),
        of_lines(Line(q, None)),
        of_objects(p, 4),
        of_objects(p, 4),
        of_objects(None, 4),
        of_objects(Point(0, 0), 4),
        of_objects(Point(0, 5), 4),
        of_objects(Point(5, 0), 4),
        of_objects(Point(3, 3), 4),
        of_objects(Point(1, 3), 4),
        p.x,
    )


def custom(n: int):
    c = Custom(n, n / 2)
    match c:
        case Custom(1.5, k):
            return k
        case Custom(double=8):
            return 800
        case Custom(a=5):
            return 500
        case Custom(b, a):
            return a + int(b)


def evaluated_once(xs: list[int]):
    match xs.pop():
        case 1:
            return -1
        case 2 if xs.pop() == 5:
            return -2
        case x:
            return x + len(xs)


def in_loops(n: int):
    seen = []
    for i in range(n):
        match i % 5:
            case 0:
                continue
            case 1 if i > 3:
                seen.append(1)
            case 2 | 3:
                last = i
                seen.append(last)
            case k:
                while k < 6:
                    k += 1
                    match k:
                        case 5:
                            break
                seen.append(k)
    return seen


def with_try(xs: list[int]):
    try:
        match xs:
            case [x]:
                y = 10 // x
            case [x, y]:
                y = x // y
            case _:
                raise ValueError("three")
    except ZeroDivisionError:
        return -1
    finally:
        xs.append(0)
    return y


def narrowed(a: int | None, b: float | None):
    match a:
        case None:
            a = 5
    match (a, b):
        case (_, None):
            return float(a)
        case (x, 0.0):
            return -b * x
        case _:
            return a + b


def without_a_match(n: int):
    result = "none"
    match n:
        case 1:
            result = "one"
        case 2:
            pass
    return result


def walrus_in_guards(xs: list[int]):
    match xs:
        case [x, *_] if (y := x * 2) > 10:
            return y
        case [x, z] if y := x + z:
            return -y
    return len(xs)


def of_members(color: Color) -> str:
    """Members of one class beside bools and members of another, which are numbered alike."""
    match color:
        case True | Shape.BOX:
            return "other"
        case Color.RED:
            return "red"
        case _:
            return "any"


CASES: list[Case] = [
    (of_ints, [(n,) for n in (0, 1, 2, -1, 3, -2, 101, 55, 56, 6)]),
    (of_floats, [(x,) for x in (0.0, -0.0, 1.5, 2.0, -1e3, -3.0, 7.0, float("nan"))]),
    (
        of_texts,
        [
            ("go", "north"),
            ("go", "south"),
            ("go", None),
            ("limit", None),
            ("limit", "x"),
            ("a", "a"),
            ("go", "up"),
            ("b", None),
        ],
    ),
    (of_singletons, [(a, b) for a in (True, False) for b in (True, False, None)]),
    (bound_after_a_failed_guard, [((11, 0),), ((3, 0),), ((0, 3),), ((0, 11),), ((7, 4),)]),
    (bound_after_a_failed_guard, [((4, 7),), ((0, 0),), ((4, 4),)]),
    (
        of_lists,
        [
            ([5],),
            ([1, 2],),
            ([1, 2, 3, 4],),
            ([4, 9],),
            ([4, 5, 6, 9],),
            ([7, 8],),
            ([1, 7, 8],),
            ([3, 4, 5, 6, 7],),
            ([4, 4],),
            ([4, 4, 4],),
        ],
    ),
    (
        of_nested,
        [
            (
                [
                    ("add", [3]),
                    ("skip", [1]),
                    ("plus", [4]),
                    ("long", [1, 2, 3]),
                    ("x", [2, 2]),
                    ("x", [2, 3]),
                    ("x", [2]),
                    ("stop", [1]),
                    ("add", [9999]),
                ],
            )
        ],
    ),
    (
        of_tuples,
        [((1, 2.0, "one"),), ((6, 2.0, "x"),), ((1, 1.0, "last"),), ((1, 2.5, "n"),)],
    ),
    (of_tuples, [((2, 1.0, "m"),), ((3, 1.0, "m"),)]),
    (
        of_dicts,
        [
            ({"a": 1, "b": 5},),
            ({"a": 2, "b": 5},),
            ({"c": 4, "d": 0},),
            ({"c": 0, "d": 0},),
        ],
    ),
    (
        of_dicts_of_dicts,
        [
            ({1: {"xs": [4, 5]}, 2: {"ys": [1, 2]}},),
            ({1: {"xs": [4, 5]}, 2: {"ys": [1]}},),
            ({3: {"xs": [1]}},),
            ({3: {"zs": [1]}},),
        ],
    ),
    (of_nothing, [(1,)]),
    (lines, [()]),
    (custom, [(n,) for n in (3, 4, 5, 6)]),
    (evaluated_once, [([1],), ([5, 2],), ([3, 4, 2],), ([3, 4],)]),
    (in_loops, [(n,) for n in (0, 3, 12)]),
    (with_try, [([2],), ([0],), ([7, 2],), ([7, 0],), ([1, 2, 3],)]),
    (narrowed, [(None, 2.5), (2, None), (3, 0.0), (None, 0.0)]),
    (without_a_match, [(1,), (2,), (3,)]),
    (of_members, [(Color.RED,), (Color.BLUE,)]),
    (walrus_in_guards, [([6],), ([1, 2],), ([0, 0],)]),
]
