"""Expressions"""


# literals of ints, floats, complex numbers, bools, None
def example():
    return (0x1F, 1_000, 0b11, 1.5e3, 2j, True, None)


# ints of any size, where bigint says so
def example():
    from scriptc.types import bigint

    return bigint(3) ** 100 % 10**9 + bigint(2**70)


# texts, raw texts, joined texts
def example():
    return ("a" 'b', r"\n", "é\t")


# bytes
def example():
    return b"ab\x00"[1]


# f-strings with formats, conversions and `=`
def example():
    return f"{1.5:.2f} {'a'!r} {3 + 4=} {2:>{4}}"


# tuples, lists, sets, dicts
def example():
    return ((1, "a"), [1, 2], {3}, {"k": 1.5})


# displays with stars of tuples and dicts
def example():
    t = (1, 2)
    return ([*t, 3], {**{"a": 1}, "b": 2}, (*t, 3))


# displays with stars of lists
def example():
    xs = [1, 2]
    return [*xs, 3, *xs]


# comprehensions of lists, sets and dicts
def example():
    return ([x * y for x in range(3) for y in range(x) if x > 1], {x % 2 for x in range(4)}, {x: str(x) for x in range(2)})


# generator expressions
def example():
    return sum(x * x for x in range(4) if x != 2)


# attributes, items, slices with steps
def example():
    xs = [1, 2, 3, 4]
    return (xs[0], xs[-1], xs[1:3], xs[::-2], (1 + 2j).imag)


# calls with keywords, defaults and stars
def f(a: int, b: int = 2, *rest: int, c: int = 3) -> int: return a + b + sum(rest) + c

def example():
    return (f(1), f(1, c=4), f(*(1, 2)), f(1, 2, 3, 4))


# `**kwargs`
def f(**named: int) -> list[str]: return list(named)

def example():
    return f(a=1, b=2)


# arithmetic: + - * / // % **
def example():
    return (7 + 2, 7 - 2, 7 * 2, 7 / 2, -7 // 2, -7 % 3, 2 ** 5, 7.5 // 2)


# `@` of objects
class M:
    def __init__(self, a: int): self.a = a
    def __matmul__(self, other: M) -> int: return self.a * other.a

def example():
    return M(2) @ M(3)


# bits: << >> & | ^ ~
def example():
    return (1 << 4, -17 >> 2, 6 & 3, 6 | 3, 6 ^ 3, ~5)


# comparisons, chained too
def example():
    a = 2
    return (1 < a <= 2 != 3, "a" < "b", [1, 2] < [1, 3], (1, "a") == (1, "a"))


# in, not in, is, is not
def example():
    x = [1, 2]
    return (1 in x, 3 not in x, x is not None, "b" in "abc")


# and, or, not
def example():
    xs = [1]
    return (xs and "full" or "empty", not xs)


# conditional expressions
def example():
    a = 3
    return "big" if a > 2 else "small"


# assignment expressions
def example():
    xs = [1, 2, 3]
    return (n if (n := len(xs)) > 2 else 0)


# lambdas
def example():
    add = lambda a, b=2: a + b
    return (add(1), add(1, 5))


# `await`
async def f() -> int: return 1

async def example():
    return await f()
